"""How does strength grow with thinking time? `python bench/budget.py GAME --games 100`.

The expert's player gets budgets from 1 ms to 4 s per decision and plays the same opponent on the same deals, or solo if
its plan says so (`plans.py`). Results have 95 % intervals and are written as JSON, Markdown and one plot per game;
budgets are compared deal by deal. Finished matches are kept: the same command continues where it was stopped.

Only time limits the budgets here, not simulations, so run it on an otherwise idle machine.
"""

import argparse
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from contests import (
    Estimate,
    RunOptions,
    Times,
    add_run_arguments,
    differences,
    first_half_wins,
    mean_of,
    percent,
    play,
    points,
    run_script,
    say,
    share_of,
    table,
    times_of,
    title_of,
    tournament_of,
    write_results,
)
from plans import read_plans

from threespan.arena.play import Result
from threespan.arena.plots import Scale
from threespan.arena.view import duration_text
from threespan.core.registry import find_game

BUDGETS_MS = (1, 4, 16, 62, 250, 1000, 4000)
SETTINGS = {game: plan.budget for game, plan in read_plans().items()}
IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"


class Plotted(NamedTuple):
    """What a plot shows: how strong each budget is, in milliseconds, as scores or as shares."""

    title: str
    strengths: list[tuple[float, Estimate]]
    is_score: bool


class Curve:
    """One game at all budgets."""

    def __init__(self, game: str, arguments: argparse.Namespace) -> None:
        """Prepare the tournament."""
        self.game, self.opponent = find_game(game).code, arguments.opponent
        self.settings = SETTINGS[game]
        self.is_solo = self.settings["players"] == 1
        self.budgets: list[int] = arguments.budgets
        self.names = {budget: f"{arguments.level}@{budget}ms" for budget in self.budgets}
        rivals = [] if self.is_solo else [self.opponent]
        self.tournaments = {
            budget: tournament_of(game, self.settings, [name, *rivals], arguments.seed, arguments.games)
            for budget, name in self.names.items()
        }
        self.results: dict[int, list[Result]] = {budget: [] for budget in self.budgets}

    def play(self, budget: int, run_options: RunOptions) -> None:
        """Play with one budget while there is time."""
        against = "alone" if self.is_solo else self.opponent
        self.results[budget] = play(
            self.tournaments[budget], f"{self.game}-{against}/{self.names[budget]}", run_options
        )

    def values(self, budget: int) -> list[tuple[int, float]]:
        """The score or the share of the win in every match, with its deal."""
        if self.is_solo:
            return [(result.deal, float(result.scores[0])) for result in self.results[budget]]
        return first_half_wins(self.tournaments[budget], self.results[budget])

    def strength(self, budget: int) -> Estimate | None:
        """The mean score, or the share of wins."""
        return mean_of(self.values(budget)) if self.is_solo else share_of(self.values(budget))

    def gain(self, smaller: int, larger: int) -> Estimate | None:
        """The gain of the larger of two budgets on the deals that both have played."""
        return mean_of(differences(self.values(larger), self.values(smaller)))

    def times(self, budget: int) -> Times | None:
        """The actual decision times, including decisions without a choice."""
        return times_of([(self.tournaments[budget], self.results[budget])], self.names[budget])

    @property
    def measure(self) -> str:
        """The measure of strength."""
        return "mean score" if self.is_solo else f"wins against {self.opponent}"

    def plotted(self) -> Plotted:
        """The results so far, for a plot."""
        strengths = [(float(budget), found) for budget in self.budgets if (found := self.strength(budget))]
        return Plotted(f"{title_of(self.game, self.settings)}: {self.measure}", strengths, self.is_solo)

    def as_json(self) -> dict[str, Any]:
        """All results, for the JSON file."""
        rows = []
        for budget in self.budgets:
            found, times = self.strength(budget), self.times(budget)
            row: dict[str, Any] = {"budget_ms": budget, "planned": self.tournaments[budget].matches}
            row |= found.as_json() if found else {"matches": 0}
            rows.append(row | (times._asdict() if times else {}))
        gains = [
            {"budgets_ms": [smaller, larger]} | gain.as_json()
            for smaller, larger in pairwise(self.budgets)
            if (gain := self.gain(smaller, larger))
        ]
        return {
            "game": self.game,
            "settings": self.settings,
            "measure": self.measure,
            "rows": rows,
            "gains": gains,
        }


def main() -> None:
    """Play with all budgets, shortest first, and write the results."""
    arguments = read_arguments()
    curves = [Curve(game, arguments) for game in arguments.games_played or SETTINGS]
    run_options = RunOptions.of(arguments)
    for budget in arguments.budgets:
        for curve in curves:
            try:
                curve.play(budget, run_options)
            except KeyboardInterrupt:
                say("Stopped. Finished matches are kept; run the same command to continue.")
                run_options = run_options.without_time
                curve.play(budget, run_options)
            write(curves, arguments)


def read_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_played", nargs="*", metavar="GAME", help="default: all")
    parser.add_argument("--games", type=int, default=100, help="matches for each budget")
    parser.add_argument("--level", default="expert", help="whose player gets the budgets")
    parser.add_argument("--opponent", default="medium", help="a bot with its usual budget")
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS_MS, help="in milliseconds, smallest first")
    parser.add_argument("--images", type=Path, default=IMAGES, help="folder for the plots")
    add_run_arguments(parser, "budget")
    return parser.parse_args()


def write(curves: list[Curve], arguments: argparse.Namespace) -> None:
    """Write tables and plots of the results so far."""
    begun = [curve for curve in curves if any(curve.results.values())]
    document = {"seed": arguments.seed, "curves": [curve.as_json() for curve in begun]}
    write_results(arguments.folder, "budget", document, "\n\n".join(page(curve) for curve in begun))
    arguments.images.mkdir(parents=True, exist_ok=True)
    for curve in begun:
        (arguments.images / f"budget-{curve.game}.svg").write_text(plot(curve.plotted()), "utf-8")


def page(curve: Curve) -> str:
    """One game in Markdown."""
    text = points if curve.is_solo else percent
    rows, smaller = [], None
    for budget in curve.budgets:
        found, times = curve.strength(budget), curve.times(budget)
        if found is None or times is None:
            continue
        gain = "" if smaller is None else gain_text(curve, smaller, budget)
        durations = [duration_text(times.mean_s), duration_text(times.max_s)]
        rows.append([f"{budget} ms", str(found.matches), text(found), gain, *durations])
        smaller = budget
    head = ["budget", "matches", curve.measure, "more than the row above", "mean time", "longest"]
    return f"### {title_of(curve.game, curve.settings)}\n\n" + table(head, rows)


def gain_text(curve: Curve, smaller: int, larger: int) -> str:
    """The gain of more time, in points or percentage points."""
    gain = curve.gain(smaller, larger)
    if gain is None or curve.is_solo:
        return points(gain, "+")
    return f"{100 * gain.value:+.1f} ± {50 * (gain.high - gain.low):.1f}"


_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _FOOT = 640, 340, 56, 32, 46, 44
_STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1d2430; }
.page { fill: #ffffff; } .title { font-weight: 600; font-size: 15px; } .tick { fill: #5d6675; font-size: 12px; }
.grid { stroke: #e3e1da; } .whisker { stroke: #2f77c4; stroke-width: 1.5; } .dot { fill: #2f77c4; }
.curve { fill: none; stroke: #2f77c4; stroke-width: 2; opacity: 0.55; }
@media (prefers-color-scheme: dark) {
  text { fill: #e8ebf0; } .page { fill: #1a2029; } .tick { fill: #98a3b3; } .grid { stroke: #2b3340; }
  .whisker, .curve { stroke: #5b9fe6; } .dot { fill: #5b9fe6; }
}
"""


def plot(plotted: Plotted) -> str:
    """Strength over budget as a self-contained SVG with a logarithmic time axis."""
    found, factor = plotted.strengths, 1 if plotted.is_score else 100
    ends = [factor * end for _, strength in found for end in (strength.low, strength.high)]
    across, up = Scale.of_powers([budget for budget, _ in found]), Scale.around(ends)
    parts = [*axes(across, up, "" if plotted.is_score else " %")]
    dots = [(_x(across, budget), factor * strength.value) for budget, strength in found]
    way = " ".join(f"{x:.1f},{_y(up, value):.1f}" for x, value in dots)
    parts.append(f'<polyline points="{way}" class="curve"/>')
    for (x, value), (_, strength) in zip(dots, found, strict=True):
        low, high = (_y(up, factor * end) for end in (strength.low, strength.high))
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{low:.1f}" y2="{high:.1f}" class="whisker"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{_y(up, value):.1f}" r="4.5" class="dot"/>')
    return _picture(f"{plotted.title}, with 95 % intervals", parts)


def axes(across: Scale, up: Scale, unit: str) -> list[str]:
    """Lines and numbers of both axes."""
    foot = _HEIGHT - _FOOT
    parts = []
    for value in up.ticks():
        y = _y(up, value)
        parts.append(f'<line x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" class="tick" text-anchor="end">{value:g}{unit}</text>')
    for budget in across.ticks():
        x = _x(across, budget)
        label = duration_text(budget / 1000)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{foot}" class="grid"/>')
        parts.append(f'<text x="{x:.1f}" y="{foot + 18}" class="tick" text-anchor="middle">{label}</text>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(
        f'<text x="{middle}" y="{foot + 36}" class="tick" text-anchor="middle">time a decision may take</text>'
    )
    return parts


def _x(scale: Scale, value: float) -> float:
    return _LEFT + scale.place(value) / 100 * (_WIDTH - _LEFT - _RIGHT)


def _y(scale: Scale, value: float) -> float:
    return _HEIGHT - _FOOT - scale.place(value) / 100 * (_HEIGHT - _TOP - _FOOT)


def _picture(title: str, parts: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img"'
    frame = f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="12" class="page"/>'
    words = f'<text x="20" y="28" class="title">{escape(title)}</text>'
    body = "\n".join([f"<style>{_STYLE}</style>", frame, words, *parts])
    return f'{head} aria-label="{escape(title)}">\n{body}\n</svg>\n'


if __name__ == "__main__":
    run_script(main)
