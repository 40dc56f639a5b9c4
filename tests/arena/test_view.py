"""Readable numbers, and progress without a terminal."""

from io import StringIO

import pytest
from rich.console import Console

from threespan.arena.view import ProgressDisplay, duration_text, mean_text, range_text, rate_text, sparkline


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0000304, "30 µs"),
        (0.0021, "2.1 ms"),
        (0.25, "250 ms"),
        (1, "1 s"),
        (5.25, "5.2 s"),
        (72, "72 s"),
        (600, "10 min"),
        (7500, "2 h 5 min"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_rates_and_ranges() -> None:
    assert [rate_text(rate) for rate in (None, 1234.5, 0.25)] == ["-/s", "1,234.5/s", "15.0/min"]
    assert range_text([0.284, 0.716]) == "28.4–71.6%"
    assert mean_text(18.25, [17.0, 19.5]) == "18.25 ± 1.25"
    assert mean_text(18.25, None) == "18.25"
    assert mean_text(None, None) == "-"


def test_a_distribution_in_one_line() -> None:
    assert sparkline([(0, 1), (1, 8), (3, 4)], 0, 3) == "▁█ ▄"
    assert len(sparkline([(0, 1), (99, 8)], 0, 99)) <= 16


def test_without_a_terminal_progress_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr("threespan.arena.view.time.monotonic", lambda: float(next(clock)))
    shown = StringIO()
    with ProgressDisplay(Console(file=shown), "hashi", total=100, done=90, table=lambda: "") as progress:
        for _ in range(6):
            progress.advance()
    assert shown.getvalue().splitlines() == [
        "hashi: 93 of 100, 6.0/min, 70 s left",
        "hashi: 96 of 100, 6.0/min, 40 s left",
    ]
