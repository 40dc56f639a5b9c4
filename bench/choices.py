"""What more thinking is worth to a turn: `python bench/choices.py stege --positions 60`.

Positions from matches between strong bots; in each the expert's player chooses a turn with budgets from a few to many
simulations. Every turn that some budget has chosen is played out to the end from the true position, again and again
with the same chance, by a quick bot on all seats. So one turn is judged by hundreds of matches, which tells budgets
apart that whole matches could not, and the longest budget is needed once a position instead of once a turn of a match.

Budgets are simulations, so other programs on the machine change nothing; the time is what the processor spent on them.
"""

import argparse
import time
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

import numpy as np
from budget import IMAGES, plot
from contests import Estimate, mean_of, run_script, say, table, title_of, write_results

from threespan.arena.view import duration_text
from threespan.bots.bot import Budget
from threespan.bots.levels import find_bot
from threespan.core.chance import MatchSeed
from threespan.core.game import Position
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.registry import find_game
from threespan.core.rules import CHANCE

# For each game: who plays the matches, who plays turns out, and the budgets in simulations.
PLANS: dict[str, tuple[str, str, list[int]]] = {
    "stege": ("hard", "hard", [12, 48, 192, 600, 3_000, 12_000, 48_000, 140_000]),
    "elfer": ("hard", "medium", [32, 128, 512, 2_000, 5_000, 20_000, 80_000]),
}
_PERCENT = 100


class Choice(NamedTuple):
    """A turn that a budget has chosen, and the seconds of processor time that it took."""

    line: tuple[int, ...]
    seconds: float


class Inquiry:
    """All budgets of one game in the same positions."""

    is_solo = False  # shares of wins, as far as plots are concerned

    def __init__(self, game: str, arguments: argparse.Namespace) -> None:
        """Nothing is asked yet."""
        self.game, self.settings = game, {"players": arguments.players}
        self.host, self.judge, self.simulations = PLANS[game]
        self.playouts = arguments.playouts
        self.worth: dict[int, list[float]] = {budget: [] for budget in self.simulations}
        self.seconds: dict[int, list[float]] = {budget: [] for budget in self.simulations}

    def ask(self, number: int) -> None:
        """Choose with all budgets in one more position, and judge what was chosen."""
        position, seat = self._position(number)
        choices = {budget: self._choose(position, seat, budget, number) for budget in self.simulations}
        at_first_sight = find_bot(self.judge).decide(position.observe(seat), seat, Budget(), number).line
        lines = {choice.line for choice in choices.values()} | {at_first_sight}
        values = {line: self._judge(position, seat, line) for line in lines}
        for budget, choice in choices.items():
            self.worth[budget].append(values[choice.line] - values[at_first_sight])
            self.seconds[budget].append(choice.seconds)

    def _position(self, number: int) -> tuple[Position, int]:
        """A turn's beginning somewhere in a match, and whose turn it is; never one without a choice."""
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
        """The share of wins after a turn, in percent."""
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

    # What a plot needs: budgets in milliseconds, and how strong they are

    measure = "what a turn is worth more than the one at first sight"

    @property
    def budgets(self) -> list[float]:
        """The budgets in milliseconds of processor time, as the median decision takes."""
        return [1000 * median(self.seconds[budget]) for budget in self.simulations]

    def strength(self, milliseconds: float) -> Estimate | None:
        """What a budget brings, as a share."""
        budget = self.simulations[self.budgets.index(milliseconds)]
        found = self.gain(budget, None)
        return found and Estimate(found.value / _PERCENT, found.low / _PERCENT, found.high / _PERCENT, found.matches)

    def gain(self, larger: int, smaller: int | None) -> Estimate | None:
        """What a budget brings beyond a smaller one, or beyond the first sight, in percentage points."""
        base = self.worth[smaller] if smaller is not None else [0.0] * len(self.worth[larger])
        return mean_of(
            [(number, one - other) for number, (one, other) in enumerate(zip(self.worth[larger], base, strict=True))]
        )

    def as_json(self) -> dict[str, Any]:
        """Everything that is known."""
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
        title = f"### {title_of(self.game, self.settings)}, {positions} positions, {self.playouts} matches a turn"
        return title + "\n\n" + table(["simulations", "time", "over the first sight", "over the row above"], rows)


def signed(gain: Estimate | None) -> str:
    """Percentage points with their interval."""
    return "" if gain is None else f"{gain.value:+.1f} ± {(gain.high - gain.low) / 2:.1f}"


def main() -> None:
    """Ask in one position after the other and write what is known so far."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(PLANS))
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--playouts", type=int, default=60, help="matches by which a turn is judged")
    parser.add_argument("--folder", type=Path, default=Path("build") / "choices")
    parser.add_argument("--images", type=Path, default=IMAGES, help="where the plot goes")
    arguments = parser.parse_args()
    Inquiry(arguments.game, arguments).ask(arguments.positions)  # loads or compiles everything
    inquiry = Inquiry(arguments.game, arguments)
    arguments.images.mkdir(parents=True, exist_ok=True)
    for number in range(arguments.positions):
        inquiry.ask(number)
        say(f"{number + 1} of {arguments.positions} positions")
        if number:
            write_results(arguments.folder, f"choices-{inquiry.game}", inquiry.as_json(), inquiry.page())
            (arguments.images / f"choices-{inquiry.game}.svg").write_text(plot(inquiry), "utf-8")


if __name__ == "__main__":
    run_script(main)
