"""A tournament in the terminal: live progress with interim standings, and the final tables."""

import time
from collections.abc import Callable, Sequence
from typing import Any, Self

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

from threespan.arena.intervals import Z_95
from threespan.arena.summary import bins, quantile

_BARS = "▁▂▃▄▅▆▇█"
_SPARK_WIDTH = 16
_SECONDS_BETWEEN_LINES = 30.0
_SECONDS_BETWEEN_TABLES = 1.0
_MIN_TIME_PER_TABLE = 20  # interim tables may take at most 1/20 of the time


class RateColumn(ProgressColumn):
    """Matches per second, or per minute if they are slow."""

    def render(self, task: Task) -> Text:
        """The recent rate."""
        return Text(rate_text(task.speed))


class ProgressDisplay:
    """Shows progress: live on a terminal, otherwise as a line now and then."""

    def __init__(
        self, console: Console, title: str, total: int, done: int, table: Callable[[], RenderableType]
    ) -> None:
        """Show progress from `done` to `total`; `table` creates the interim standings."""
        self._console, self._table = console, table
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            RateColumn(),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=console)
        self._task = self._progress.add_task(title, total=total, completed=done)
        self._title, self._total, self._done, self._first = title, total, done, done
        self._start = self._line_at = time.monotonic()
        self._table_at = self._start
        self._live = Live(self._progress, console=console, transient=True) if console.is_terminal else None

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def advance(self) -> None:
        """Count one more match."""
        self._done += 1
        now = time.monotonic()
        if self._live:
            self._progress.advance(self._task)
            if now >= self._table_at:
                self._live.update(Group(self._table(), self._progress))
                took = time.monotonic() - now
                self._table_at = now + max(_SECONDS_BETWEEN_TABLES, _MIN_TIME_PER_TABLE * took)
        elif now - self._line_at >= _SECONDS_BETWEEN_LINES:
            self._line_at = now
            self._print_line(now)

    def _print_line(self, now: float) -> None:
        rate = (self._done - self._first) / (now - self._start)
        left = duration_text((self._total - self._done) / rate)
        line = f"{self._title}: {self._done:,} of {self._total:,}, {rate_text(rate)}, {left} left"
        self._console.print(line, markup=False)


def rate_text(per_second: float | None) -> str:
    """A rate per second or per minute."""
    if not per_second:
        return "-/s"
    if per_second >= 1:
        return f"{per_second:,.1f}/s"
    return f"{per_second * 60:,.1f}/min"


def duration_text(seconds: float) -> str:
    """A duration in a readable unit."""
    if seconds < 1:
        return f"{seconds * 1000:.3g} ms" if seconds >= 0.001 else f"{seconds * 1e6:.0f} µs"
    if seconds < 100:
        return f"{seconds:.2g} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


def standings_table(bots: Sequence[dict[str, Any]]) -> Table:
    """The bots with wins, scores, ratings and 95 % intervals; a single bot has no wins."""
    is_contest = len(bots) > 1
    table = _table("bot", "played", *(("wins", "win rate", "95 %", "rating") if is_contest else ()), "mean score")
    for bot in bots:
        cells = [bot["name"], str(bot["played"])]
        if is_contest:
            cells += [f"{bot['wins']:g}", share_text(bot["win_rate"]), range_text(bot["win_rate_95"])]
            cells.append(f"{bot['rating']:.1f} ± {Z_95 * bot['rating_uncertainty']:.1f}")
        table.add_row(*cells, mean_text(bot["mean_score"], bot["mean_score_95"]))
    return table


def print_summary(console: Console, summary: dict[str, Any]) -> None:
    """Print all results of a tournament."""
    console.print(standings_table(summary["bots"]))
    if len(summary["bots"]) > 2:
        console.print(_pairs_table(summary))
    console.print(_details_table(summary))
    if length := summary["length"]:
        text = "A match has {mean:.1f} decisions on average ({min} to {max}, median {median})."
        console.print(text.format(**length))
    if summary["seats"]:
        shares = ", ".join(f"{seat['seat']}: {share_text(seat['win_rate'])}" for seat in summary["seats"])
        console.print(f"Wins by seat: {shares}.")
    if starter := summary["starter"]:
        console.print(
            f"The starting player wins {share_text(starter['win_rate'])} ({range_text(starter['win_rate_95'])})."
        )


def share_text(share: float | None) -> str:
    """A share as a percentage."""
    return "-" if share is None else f"{share:.1%}"


def range_text(interval: Sequence[float]) -> str:
    """An interval of shares as percentages."""
    low, high = interval
    return f"{low * 100:.1f}–{high * 100:.1f}%"


def mean_text(mean: float | None, interval: Sequence[float] | None) -> str:
    """A mean with half the width of its interval."""
    if mean is None:
        return "-"
    return f"{mean:.2f}" + (f" ± {(interval[1] - interval[0]) / 2:.2f}" if interval else "")


def sparkline(counts: Sequence[Sequence[int]], low: int, high: int) -> str:
    """A distribution as one line of block characters."""
    _, heights = bins(counts, low, high, _SPARK_WIDTH)
    highest = max(heights)
    return "".join(" " if not count else _BARS[(len(_BARS) - 1) * count // highest] for count in heights)


def _pairs_table(summary: dict[str, Any]) -> Table:
    """How often the bot in the row was ahead of the bot in the column."""
    names = [bot["name"] for bot in summary["bots"]]
    ahead: dict[tuple[str, str], float | None] = {}
    for pair in summary["pairs"]:
        (one, other), rate = pair["bots"], pair["ahead_rate"]
        ahead[one, other] = rate
        ahead[other, one] = None if rate is None else 1 - rate
    table = _table("ahead of", *names)
    for name in names:
        table.add_row(name, *("" if name == other else share_text(ahead[name, other]) for other in names))
    return table


def _details_table(summary: dict[str, Any]) -> Table:
    """Distribution of scores, and decision times."""
    seen = [score for bot in summary["bots"] for score, _ in bot["scores"]]
    low, high = min(seen, default=0), max(seen, default=0)
    table = _table("bot", f"{low} to {high}", "10 %", "median", "90 %", "decides in", "at most")
    table.columns[1].justify = "left"
    for bot, times in zip(summary["bots"], summary["decision_times"], strict=True):
        counts = bot["scores"]
        marks = [str(quantile(counts, share)) for share in (0.1, 0.5, 0.9)] if counts else ["-"] * 3
        durations = ("-" if times[key] is None else duration_text(times[key]) for key in ("mean_s", "max_s"))
        table.add_row(bot["name"], sparkline(counts, low, high) if counts else "", *marks, *durations)
    return table


def _table(first: str, *others: str) -> Table:
    """An empty table for names and numbers that fits 80 columns."""
    columns = [Column(Text(header), justify="right", no_wrap=True) for header in others]
    return Table(Column(Text(first)), *columns, box=SIMPLE_HEAD, pad_edge=False)
