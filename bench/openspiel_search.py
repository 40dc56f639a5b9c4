"""Simulations per second compared with OpenSpiel's C++ search, on one core: `python bench/openspiel_search.py`.

All searches begin at the first decision of a match that is one, grow one tree and are measured in turns, so that noise
hits all alike, by the processor time of the one thread that searches. A simulation passes the tree and is played at
random to the end of the match, as OpenSpiel's are; where something is hidden, each imagines it anew. Since matches
differ in length, the decisions in these simulations are counted too (mean length of a random match from there, chance
not counted). The rows `guided` show the search as the bots use it: with a game's advice, and rollouts that may
end early.

OpenSpiel is not among the dependencies of threespan: `pip install open_spiel` first.
"""

import argparse
import json
import os
import random
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from statistics import median
from typing import Any, NamedTuple

from threespan.bots.bot import Budget
from threespan.bots.search import SearchStyle, search
from threespan.core.chance import MatchSeed
from threespan.core.game import Game
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.playout import playouts
from threespan.core.registry import built_in_codes, find_game

_EXPLORATION = 2.0
_MEMORY_MB = 1000
_MATCHES_FOR_LENGTH = 300
_UNGUIDED = SearchStyle(guided=False)
_WARM_UP = 200
_TRIAL = 1000


class Contestant(NamedTuple):
    """A search from one position; `run` does a number of simulations with a seed."""

    name: str
    is_ours: bool
    is_guided: bool
    decisions: float  # in a random match from the position on
    run: Callable[[int, int], object]


def main() -> None:
    """Measure all and print a Markdown table or JSON."""
    arguments = read_arguments()
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        sys.exit("bench/openspiel_search.py compares with OpenSpiel, which is not installed: pip install open_spiel")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    contestants = [*theirs(pyspiel, random.Random(arguments.seed)), *ours(arguments.players)]
    rates = alternate(contestants, arguments.rounds, arguments.seconds)
    rows = [figures(contestant, rate) for contestant, rate in zip(contestants, rates, strict=True)]
    if arguments.json:
        print(json.dumps({"openspiel": version("open_spiel"), "rows": rows}))
    else:
        print(markdown(rows))


def read_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4], help="of our games (default: 2 and 4)")
    parser.add_argument("--seed", type=int, default=0, help="of the positions of OpenSpiel's games")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each search in a round")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def alternate(contestants: list[Contestant], rounds: int, seconds: float) -> list[list[float]]:
    """Simulations per second of each contestant in every round, after a warm-up and a trial run."""
    counts = []
    for contestant in contestants:
        contestant.run(_WARM_UP, 0)
        counts.append(max(_TRIAL, round(seconds * rate_of(contestant, _TRIAL, 0))))
    found: list[list[float]] = [[] for _ in contestants]
    for seed in range(1, rounds + 1):
        for contestant, count, rates in zip(contestants, counts, found, strict=True):
            rates.append(rate_of(contestant, count, seed))
    return found


def rate_of(contestant: Contestant, simulations: int, seed: int) -> float:
    """Simulations per second of processor time."""
    start = time.thread_time()
    contestant.run(simulations, seed)
    return simulations / (time.thread_time() - start)


def ours(players: list[int]) -> list[Contestant]:
    """Our games, each with random rollouts and with the bots' search."""
    styles = (_UNGUIDED, SearchStyle())
    games = [find_game(code) for code in built_in_codes()]
    return [our_contestant(game, count, style) for game in games for count in players for style in styles]


def our_contestant(game: Game, players: int, style: SearchStyle) -> Contestant:
    """Our search at the first decision with a choice."""
    options = read_options(game.options, {"players": players})
    match = Match.new(game, options, MatchSeed.of("bench"))
    while len(actions := match.position.legal(seat := match.position.acting()[0])) == 1:
        match.play(seat, actions[0])
    seen = match.position.observe(seat)
    states = game.layout.batch(1)
    states[0] = match.position.state
    decisions = playouts(states, _MATCHES_FOR_LENGTH, threads=1).actions / _MATCHES_FOR_LENGTH

    def run(simulations: int, seed: int) -> object:
        return search(seen, seat, Budget(simulations=simulations), seed, style)

    kind = "guided" if style.guided else "random rollouts"
    return Contestant(f"{game.code}, {players} players, {kind}", True, style.guided, decisions, run)


def theirs(pyspiel: Any, chooser: random.Random) -> list[Contestant]:
    """OpenSpiel's MCTS on maedn with four players, and its ISMCTS on hearts."""
    ludo = pyspiel.load_game("maedn", {"players": 4, "twoPlayersOpposite": True})
    hearts = pyspiel.load_game("hearts")

    def mcts(simulations: int, seed: int) -> Any:
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(ludo, rollouts, _EXPLORATION, simulations, _MEMORY_MB, False, seed, False)

    def ismcts(simulations: int, seed: int) -> Any:
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.ISMCTSBot(seed, rollouts, _EXPLORATION, simulations)

    return [
        their_contestant("OpenSpiel MCTS, maedn, 4 players", first_decision(ludo, chooser), mcts, chooser),
        their_contestant("OpenSpiel ISMCTS, hearts, 4 players", first_decision(hearts, chooser), ismcts, chooser),
    ]


def their_contestant(name: str, state: Any, new_bot: Callable[[int, int], Any], chooser: random.Random) -> Contestant:
    """An OpenSpiel bot in a position."""
    decisions = sum(random_decisions(state, chooser) for _ in range(_MATCHES_FOR_LENGTH)) / _MATCHES_FOR_LENGTH

    def run(simulations: int, seed: int) -> object:
        return new_bot(simulations, seed).step(state)

    return Contestant(name, False, False, decisions, run)


def first_decision(game: Any, chooser: random.Random) -> Any:
    """The first position of a match with a choice."""
    state = game.new_initial_state()
    while state.is_chance_node() or len(state.legal_actions()) == 1:
        act(state, chooser)
    return state


def random_decisions(start: Any, chooser: random.Random) -> int:
    """The number of decisions in a random match from a position."""
    state, count = start.clone(), 0
    while not state.is_terminal():
        count += not state.is_chance_node()
        act(state, chooser)
    return count


def act(state: Any, chooser: random.Random) -> None:
    """Play one random action of chance or a player in an OpenSpiel state."""
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chooser.choices(outcomes, chances)[0])
    else:
        state.apply_action(chooser.choice(state.legal_actions()))


def figures(contestant: Contestant, rates: list[float]) -> dict[str, Any]:
    """The rates of a contestant; decisions are omitted if rollouts may end early."""
    usual = median(rates)
    row: dict[str, Any] = {
        "name": contestant.name,
        "ours": contestant.is_ours,
        "guided": contestant.is_guided,
        "simulations_per_s": round(usual),
        "slowest_round": round(min(rates)),
        "fastest_round": round(max(rates)),
    }
    if not contestant.is_guided:
        row["decisions_per_simulation"] = round(contestant.decisions, 1)
        row["decisions_per_s"] = round(usual * contestant.decisions)
    return row


def markdown(rows: list[dict[str, Any]]) -> str:
    """The table, with our rates as multiples of OpenSpiel's."""
    rivals = [row for row in rows if not row["ours"]]
    head = ["search", "simulations/s", "decisions each", "decisions/s", *(f"of {r['name']}" for r in rivals)]
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for row in rows:
        length, decisions = row.get("decisions_per_simulation"), row.get("decisions_per_s")
        rates = f"{row['simulations_per_s']:,} ({row['slowest_round']:,} to {row['fastest_round']:,})"
        cells = [row["name"], rates, "" if length is None else f"{length:g}"]
        cells.append("" if decisions is None else f"{decisions / 1e6:.2f} million")
        cells += [multiples(row, rival) if row["ours"] else "" for rival in rivals]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", verdict(rows)])


def multiples(row: dict[str, Any], rival: dict[str, Any]) -> str:
    """Our simulations and, if counted, decisions per second as multiples of the rival's."""
    text = f"{row['simulations_per_s'] / rival['simulations_per_s']:.2f}"
    if "decisions_per_s" in row:
        text += f" (decisions {row['decisions_per_s'] / rival['decisions_per_s']:.1f})"
    return text


def verdict(rows: list[dict[str, Any]]) -> str:
    """Which of our searches are slower than which of OpenSpiel's."""
    behind = []
    for rival in (row for row in rows if not row["ours"]):
        for row in (row for row in rows if row["ours"]):
            for unit in ("simulations", "decisions"):
                mine, other = row.get(f"{unit}_per_s"), rival[f"{unit}_per_s"]
                if mine is not None and mine <= other:
                    behind.append(f"{row['name']}: {mine:,} {unit}/s, {rival['name']}: {other:,}.")
    return "\n".join(["Not ahead:", *behind]) if behind else "Ahead of both in every row."


if __name__ == "__main__":
    main()
