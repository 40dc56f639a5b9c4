"""How much better is a turn after more thinking? `python bench/choices.py GAME --positions 60`.

In positions from matches between strong bots, the expert's player chooses a turn with budgets from a few to many
simulations. Every chosen turn is then played out many times from the true position, with the same seeds, by a quick bot
on all seats. So each turn is judged by hundreds of matches, which shows differences between budgets that whole matches
would not, and the longest budget is needed only once per position instead of once per turn.

Budgets are numbers of simulations, so other load on the machine does not matter; times are processor time.
"""

import argparse
import time
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

import numpy as np
from budget import IMAGES, Plotted, plot
from contests import Estimate, mean_of, run_script, say, table, title_of, write_results
from plans import read_plans

from threespan.arena.view import duration_text
from threespan.bots.bot import Budget
from threespan.bots.levels import find_bot
from threespan.core.chance import MatchSeed
from threespan.core.game import Position
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.registry import find_game
from threespan.core.rules import CHANCE

PLANS = {game: plan.choices for game, plan in read_plans().items() if plan.choices}
_PERCENT = 100


class Choice(NamedTuple):
    """A turn that a budget has chosen, and the seconds of processor time that it took."""

    line: tuple[int, ...]
    seconds: float


class Study:
    """All budgets of one game in the same positions."""

    def __init__(self, game: str, arguments: argparse.Namespace) -> None:
        """Prepare the bots."""
        self.game, self.settings = game, {"players": arguments.players}
        plan = PLANS[game]
        self.host, self.judge, self.simulations = plan.host, plan.judge, plan.simulations
        self.playouts = arguments.playouts
        self.worth: dict[int, list[float]] = {budget: [] for budget in self.simulations}
        self.seconds: dict[int, list[float]] = {budget: [] for budget in self.simulations}

    def run(self, number: int) -> None:
        """Let all budgets choose in one more position, and judge the chosen turns."""
        position, seat = self._position(number)
        choices = {budget: self._choose(position, seat, budget, number) for budget in self.simulations}
        at_first_sight = find_bot(self.judge).decide(position.observe(seat), seat, Budget(), number).line
        lines = {choice.line for choice in choices.values()} | {at_first_sight}
        values = {line: self._judge(position, seat, line) for line in lines}
        for budget, choice in choices.items():
            self.worth[budget].append(values[choice.line] - values[at_first_sight])
            self.seconds[budget].append(choice.seconds)

    def _position(self, number: int) -> tuple[Position, int]:
        """The start of a turn with a choice, somewhere in a match, and whose turn it is."""
        game, bot = find_game(self.game), find_bot(self.host)
        rng = np.random.default_rng(number)
        match = Match.new(game, read_options(game.options, self.settings), MatchSeed.of(f"choices {number}"))
        met: list[tuple[Position, int]] = []
        while acting := match.position.acting():
            seat = acting[0]
            decision = bot.decide(match.position.observe(seat), seat, bot.budget, number)
            if len(match.position.legal(seat)) > 1:
                met.append((match.position.copy(), seat))
            for action in decision.line or (decision.action,):
                match.play(seat, action)
        return met[rng.integers(len(met))]

    def _choose(self, position: Position, seat: int, simulations: int, seed: int) -> Choice:
        bot = find_bot(f"expert@{simulations}")
        begin = time.process_time()
        decision = bot.decide(position.observe(seat), seat, bot.budget, seed)
        return Choice(decision.line or (decision.action,), time.process_time() - begin)

    def _judge(self, position: Position, seat: int, line: tuple[int, ...]) -> float:
        """The win rate after a turn, in percent."""
        return _PERCENT * fmean(self._play_out(position.copy(), seat, line, number) for number in range(self.playouts))

    def _play_out(self, position: Position, seat: int, line: tuple[int, ...], seed: int) -> float:
        rng, bot = np.random.default_rng(seed), find_bot(self.judge)
        for action in line:
            if position.acting() == [seat]:
                position.play(seat, action)
        while acting := position.acting():
            if acting == [CHANCE]:
                position.play(CHANCE, position.draw(int(rng.integers(position.tickets()))))
                continue
            decision = bot.decide(position.observe(acting[0]), acting[0], Budget(), seed)
            for action in decision.line or (decision.action,):
                position.play(acting[0], action)
        ranks = position.outcome()[1]
        return 1 / ranks.count(1) if ranks[seat] == 1 else 0.0

    @property
    def budgets(self) -> list[float]:
        """The budgets as median processor time per decision, in milliseconds."""
        return [1000 * median(self.seconds[budget]) for budget in self.simulations]

    def plotted(self) -> Plotted:
        """The gains of the budgets as shares, for a plot."""
        found = zip(self.budgets, (self.gain(budget, None) for budget in self.simulations), strict=True)
        strengths = [
            (budget, Estimate(gain.value / _PERCENT, gain.low / _PERCENT, gain.high / _PERCENT, gain.matches))
            for budget, gain in found
            if gain
        ]
        title = f"{title_of(self.game, self.settings)}: what a turn is worth more than the one at first sight"
        return Plotted(title, strengths, is_score=False)

    def gain(self, larger: int, smaller: int | None) -> Estimate | None:
        """The gain of a budget over a smaller one, or over no search, in percentage points."""
        base = self.worth[smaller] if smaller is not None else [0.0] * len(self.worth[larger])
        return mean_of(
            [(number, one - other) for number, (one, other) in enumerate(zip(self.worth[larger], base, strict=True))]
        )

    def as_json(self) -> dict[str, Any]:
        """All results, for the JSON file."""
        rows = []
        for budget, milliseconds in zip(self.simulations, self.budgets, strict=True):
            found = self.gain(budget, None)
            rows.append({"simulations": budget, "milliseconds": milliseconds} | (found.as_json() if found else {}))
        return {"game": self.game, "settings": self.settings, "playouts": self.playouts, "rows": rows}

    def page(self) -> str:
        """A table in Markdown."""
        rows, steps = [], {larger: smaller for smaller, larger in pairwise(self.simulations)}
        for budget, milliseconds in zip(self.simulations, self.budgets, strict=True):
            more = signed(self.gain(budget, steps[budget])) if budget in steps else ""
            rows.append([f"{budget:,}", duration_text(milliseconds / 1000), signed(self.gain(budget, None)), more])
        positions = len(self.worth[self.simulations[0]])
        title = f"### {title_of(self.game, self.settings)}, {positions} positions, {self.playouts} matches per turn"
        return title + "\n\n" + table(["simulations", "time", "over the first sight", "over the row above"], rows)


def signed(gain: Estimate | None) -> str:
    """Percentage points with their interval."""
    return "" if gain is None else f"{gain.value:+.1f} ± {(gain.high - gain.low) / 2:.1f}"


def main() -> None:
    """Study one position after the other and write the results so far."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(PLANS))
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--playouts", type=int, default=60, help="matches to judge a turn")
    parser.add_argument("--folder", type=Path, default=Path("build") / "choices")
    parser.add_argument("--images", type=Path, default=IMAGES, help="folder for the plot")
    arguments = parser.parse_args()
    Study(arguments.game, arguments).run(arguments.positions)  # loads or compiles everything
    inquiry = Study(arguments.game, arguments)
    arguments.images.mkdir(parents=True, exist_ok=True)
    for number in range(arguments.positions):
        inquiry.run(number)
        say(f"{number + 1} of {arguments.positions} positions")
        if number:
            write_results(arguments.folder, f"choices-{inquiry.game}", inquiry.as_json(), inquiry.page())
            (arguments.images / f"choices-{inquiry.game}.svg").write_text(plot(inquiry.plotted()), "utf-8")


if __name__ == "__main__":
    run_script(main)
