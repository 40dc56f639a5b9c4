"""Steps per second of our environments, Pgx, OpenSpiel and PettingZoo: `python bench/environments.py`.

A step is one decision of a player; the actions of chance after it are included but not counted. Players choose among
the legal actions at random, and matches restart when they end.

What is measured, in turns, on one core, in processor time:

- `step`: the step alone, actions chosen before the clock runs (ours check that they are legal)
- `mask`: the step and the mask of the legal actions after it
- `observation`: the step, the mask and the observation of the acting player
- `play`: random choices and steps in the fastest possible loop: two kernel calls per step for ours, one compiled loop
  for Pgx, from Python and inside C++ for OpenSpiel

Pgx computes the mask with every step. JAX removes unused results, so its rows `step` and `mask` return the
state without the observation, and its row `observation` with it.

The other libraries are optional: `pip install 'threespan[bench]'`. Missing ones are skipped.
"""

import argparse
import json
import os
import platform
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from plans import read_plans

from threespan.research.pettingzoo.aec import AecMatch
from threespan.research.vector import VectorGame

BATCHES = (1, 128, 4096)
OURS = {  # by name: the code of the game, the number of players
    name: (code, match.players) for code, plan in read_plans().items() for name, match in plan.environments.items()
}
PEER_PACKAGES = ("jax", "pgx", "open_spiel", "pettingzoo", "numba", "numpy")
OPENSPIEL_GAMES = ("maedn", "crazy_eights", "hearts")
PGX_GAMES = ("connect_four", "backgammon")
# Our games that are most similar to those of other libraries.
NEAREST = {
    peer: [name for plan in read_plans().values() for name, match in plan.environments.items() if peer in match.nearest]
    for peer in (*OPENSPIEL_GAMES, *PGX_GAMES)
}
_WARM_UP = 60  # steps, so that the matches of a batch are at different stages


class Contestant(NamedTuple):
    """An environment; `run` makes at least so many steps, and returns their number and the seconds."""

    library: str
    game: str
    batch: int
    what: str
    run: Callable[[int], tuple[int, float]]


def main() -> None:
    """Measure all and print a Markdown table or JSON."""
    arguments = read_arguments()
    stay_on_one_core()
    contestants = list(every_contestant(arguments.only))
    rows = measure(contestants, arguments.rounds, arguments.seconds)
    versions = {name: version_of(name) for name in PEER_PACKAGES}
    if arguments.json:
        print(json.dumps({"processor": platform.processor(), "versions": versions, "rows": rows}))
        return
    print(markdown(rows))
    print("\n" + ", ".join(f"{name} {number}" for name, number in versions.items() if number))


def read_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="per row and round")
    parser.add_argument("--only", nargs="+", choices=FAMILIES, default=[], help="only these")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def stay_on_one_core() -> None:
    """Pin the process to one core; must be called before JAX is imported, which counts the cores."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def version_of(package: str) -> str | None:
    """The release of a package, if it is installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def every_contestant(only: list[str]) -> Iterator[Contestant]:
    """All installed contestants of the selected families."""
    for family in only or FAMILIES:
        try:
            yield from FAMILIES[family]()
        except ImportError as error:
            print(f"left out: {family}: {error}", file=sys.stderr)


def measure(contestants: list[Contestant], rounds: int, seconds: float) -> list[dict[str, Any]]:
    """Steps per second of all, in turns, after a warm-up that determines the number of steps."""
    wanted = []
    for contestant in contestants:
        contestant.run(2 * contestant.batch)
        steps, taken = contestant.run(20 * contestant.batch)
        wanted.append(max(contestant.batch, round(seconds * steps / max(taken, 1e-6))))
    rates: list[list[float]] = [[] for _ in contestants]
    for _ in range(rounds):
        for contestant, steps, found in zip(contestants, wanted, rates, strict=True):
            made, taken = contestant.run(steps)
            found.append(made / taken)
    return [figures(contestant, found) for contestant, found in zip(contestants, rates, strict=True)]


def figures(contestant: Contestant, rates: list[float]) -> dict[str, Any]:
    """The rates of a contestant."""
    return {
        "library": contestant.library,
        "game": contestant.game,
        "batch": contestant.batch,
        "what": contestant.what,
        "steps_per_s": round(median(rates)),
        "slowest_round": round(min(rates)),
        "fastest_round": round(max(rates)),
    }


# Ours


def our_games() -> Iterator[Contestant]:
    """Our games, in batches and as PettingZoo environments."""
    for name, (code, players) in OURS.items():
        for batch in BATCHES:
            yield from our_batches(name, batch)
        yield Contestant("AEC", name, 1, "observation", aec_runner(AecMatch(code, players=players)))


def our_batches(name: str, batch: int) -> Iterator[Contestant]:
    """`VectorGame`: each kind of step."""
    code, players = OURS[name]
    matches = VectorGame(code, batch, threads=1, players=players)
    for _ in range(_WARM_UP):
        matches.step(matches.sample())
    masks = np.empty((batch, matches.action_count), np.int8)
    tensors = matches.observations()

    def run(what: str, steps: int) -> tuple[int, float]:
        taken, rounds = 0.0, max(1, steps // batch)
        if what == "play":
            begin = time.process_time()
            for _ in range(rounds):
                matches.step(matches.sample())
            return rounds * batch, time.process_time() - begin
        for _ in range(rounds):
            actions = matches.sample()
            begin = time.process_time()
            matches.step(actions)
            if what in ("mask", "observation"):
                matches.masks(masks)
            if what == "observation":
                matches.observations(out=tensors)
            taken += time.process_time() - begin
        return rounds * batch, taken

    for what in ("step", "mask", "observation", "play"):
        yield Contestant("VectorGame", name, batch, what, partial(run, what))


# PettingZoo


def aec_runner(env: Any) -> Callable[[int], tuple[int, float]]:
    """Random play; choosing the action is not timed."""
    env.reset(seed=0)

    def run(steps: int) -> tuple[int, float]:
        made, taken = 0, 0.0
        while made < steps:
            begin = time.process_time()
            observation, _, is_over, is_cut_off, _ = env.last()
            taken += time.process_time() - begin
            if is_over or is_cut_off:
                begin = time.process_time()
                env.reset()
                taken += time.process_time() - begin
                continue
            legal = np.flatnonzero(observation["action_mask"])
            action = int(legal[random.randrange(len(legal))])
            begin = time.process_time()
            env.step(action)
            taken += time.process_time() - begin
            made += 1
        return made, taken

    return run


def pettingzoo_games() -> Iterator[Contestant]:
    """PettingZoo's own connect four, without its checking wrappers, as ours is measured."""
    from pettingzoo.classic import connect_four_v3

    yield Contestant("PettingZoo", "connect_four", 1, "observation", aec_runner(connect_four_v3.raw_env()))


# Pgx


def pgx_batches() -> Iterator[Contestant]:
    """Pgx's games, each kind of step, compiled by JAX for one core."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    for name in PGX_GAMES:
        for batch in BATCHES:
            env = pgx.make(name)
            yield from pgx_batch(jax, env.init, auto_reset(env.step, env.init), name, batch)


def pgx_batch(jax: Any, init: Any, step: Any, name: str, batch: int) -> Iterator[Contestant]:
    """One game of Pgx with a batch."""
    jnp, keys = jax.numpy, jax.random
    choose = jax.jit(
        lambda state, key: keys.categorical(key, jnp.log(state.legal_action_mask.astype(jnp.float32)), axis=-1)
    )

    def advance(state: Any, actions: Any, key: Any) -> Any:
        return jax.vmap(step)(state, actions, keys.split(key, batch))

    def bare(state: Any, actions: Any, key: Any) -> Any:
        return advance(state, actions, key).replace(observation=state.observation)  # the new one is compiled away

    def play(_index: int, memory: Any) -> Any:
        state, key = memory
        key, chosen, dealt = keys.split(key, 3)
        return bare(state, choose(state, chosen), dealt), key

    def play_all(state: Any, key: Any, rounds: int) -> Any:
        """Everything in one compiled loop, the fastest way with JAX."""
        return jax.lax.fori_loop(0, rounds, play, (state, key))

    full_step, bare_step, play_steps = jax.jit(advance), jax.jit(bare), jax.jit(play_all)
    state = jax.jit(jax.vmap(init))(keys.split(keys.PRNGKey(0), batch))
    memory = {"state": state, "key": keys.PRNGKey(1)}

    def run(what: str, steps: int) -> tuple[int, float]:
        taken, rounds = 0.0, max(1, steps // batch)
        if what == "play":
            begin = time.process_time()
            memory["state"], memory["key"] = jax.block_until_ready(play_steps(memory["state"], memory["key"], rounds))
            return rounds * batch, time.process_time() - begin
        move = full_step if what == "observation" else bare_step
        for _ in range(rounds):
            memory["key"], chosen, key = keys.split(memory["key"], 3)
            actions = jax.block_until_ready(choose(memory["state"], chosen))
            begin = time.process_time()
            memory["state"] = jax.block_until_ready(move(memory["state"], actions, key))
            taken += time.process_time() - begin
        return rounds * batch, taken

    for _ in range(_WARM_UP):
        run("observation", batch)
    for what in ("mask", "observation", "play"):
        yield Contestant("Pgx", name, batch, what, partial(run, what))


# OpenSpiel


def openspiel_games() -> Iterator[Contestant]:
    """OpenSpiel's games, driven from Python, and inside its own C++."""
    import pyspiel

    for name in OPENSPIEL_GAMES:
        game = pyspiel.load_game(name)
        for what in ("step", "mask", "observation", "play"):
            yield Contestant("OpenSpiel", name, 1, what, openspiel_runner(game, what))
        yield Contestant("OpenSpiel C++", name, 1, "play", openspiel_rollouts(pyspiel, game))


def openspiel_runner(game: Any, what: str) -> Callable[[int], tuple[int, float]]:
    """Random play from Python; chance is drawn from Python as well and counts as part of the step."""
    observe = observer_of(game)

    def run(steps: int) -> tuple[int, float]:
        state, taken = new_match(game), 0.0
        if what == "play":
            begin = time.process_time()
            for _ in range(steps):
                state.apply_action(random.choice(state.legal_actions()))
                state = let_chance_act(game, state)
            return steps, time.process_time() - begin
        for _ in range(steps):
            action = random.choice(state.legal_actions())
            begin = time.process_time()
            state.apply_action(action)
            state = let_chance_act(game, state)
            if what in ("mask", "observation"):
                state.legal_actions_mask()
            if what == "observation":
                observe(state)
            taken += time.process_time() - begin
        return steps, taken

    return run


def observer_of(game: Any) -> Callable[[Any], object]:
    """The observation tensor of a game, of whichever kind it has."""
    kind = game.get_type()
    if kind.provides_observation_tensor:
        return lambda state: state.observation_tensor(state.current_player())
    return lambda state: state.information_state_tensor(state.current_player())


def new_match(game: Any) -> Any:
    """A match at its first decision."""
    return let_chance_act(game, game.new_initial_state())


def let_chance_act(game: Any, state: Any) -> Any:
    """Let chance act; restart a match that is over."""
    while True:
        if state.is_terminal():
            state = game.new_initial_state()
        elif state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(actions, chances)[0])
        else:
            return state


def openspiel_rollouts(pyspiel: Any, game: Any) -> Callable[[int], tuple[int, float]]:
    """Random matches from the first decision inside C++; their mean length is measured beforehand."""
    lengths = [random_length(new_match(game)) for _ in range(200)]
    length, start = sum(lengths) / len(lengths), new_match(game)

    def run(steps: int) -> tuple[int, float]:
        matches = max(1, round(steps / length))
        seed = random.randrange(2**30)
        evaluator = pyspiel.RandomRolloutEvaluator(matches, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 1.0, 1, 100, False, seed, False)  # a single simulation: all rollouts
        begin = time.process_time()
        bot.step(start)
        return round(matches * length), time.process_time() - begin

    return run


def random_length(state: Any) -> int:
    """The number of decisions in a random match from a position."""
    count = 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(actions, chances)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
            count += 1
    return count


FAMILIES: dict[str, Callable[[], Iterator[Contestant]]] = {
    "ours": our_games,
    "pgx": pgx_batches,
    "openspiel": openspiel_games,
    "pettingzoo": pettingzoo_games,
}


# Output


def markdown(rows: list[dict[str, Any]]) -> str:
    """A table with a row per environment and batch, and a column per kind of step."""
    kinds = ("step", "mask", "observation", "play")
    lines = ["| environment | batch | " + " | ".join(kinds) + " |", "|---" * (2 + len(kinds)) + "|"]
    places = dict.fromkeys((row["library"], row["game"], row["batch"]) for row in rows)
    found = {(row["library"], row["game"], row["batch"], row["what"]): row["steps_per_s"] for row in rows}
    for place in places:
        rates = [found.get((*place, kind)) for kind in kinds]
        cells = ["" if rate is None else f"{rate:,}" for rate in rates]
        lines.append(f"| {place[0]} {place[1]} | {place[2]:,} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *verdicts(rows)])


def verdicts(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Our rates at the largest batch as multiples of the best rate of each library on a similar game."""
    ours = {
        (row["game"], row["what"]): row["steps_per_s"]
        for row in rows
        if row["library"] == "VectorGame" and row["batch"] == max(BATCHES)
    }
    for (library, game, what), rate in best_of_others(rows).items():
        for name in NEAREST[game]:
            if (name, what) in ours:
                yield f"- {what}: {name} {ours[name, what] / rate:.2f} times {library} {game}"


def best_of_others(rows: list[dict[str, Any]]) -> dict[tuple[str, str, str], int]:
    """The best rate of each library for each game and kind of step."""
    best: dict[tuple[str, str, str], int] = {}
    for row in rows:
        if row["game"] in NEAREST:
            place = (row["library"], row["game"], row["what"])
            best[place] = max(best.get(place, 0), row["steps_per_s"])
    return best


if __name__ == "__main__":
    main()
