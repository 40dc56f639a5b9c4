"""Plots as SVG. Horizontal coordinates are percentages and texts have a fixed size, so a plot fits any width."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from threespan.arena.summary import bins

_ROW = 46  # pixels per bar
_TRACK = 31  # the middle of a bar in its row
_AXIS = 26
_TICKS = 5
_HISTOGRAM_HEIGHT = 96
_MAX_BINS = 30


@dataclass(frozen=True)
class Bar:
    """A bar for a value with its interval."""

    name: str
    colour: int
    value: float
    low: float
    high: float
    text: str


@dataclass(frozen=True)
class Scale:
    """Maps numbers to 0 to 100 percent; a logarithmic scale has powers of ten as its ends."""

    low: float
    high: float
    is_log: bool = False

    @classmethod
    def around(cls, values: Sequence[float], within: tuple[float, float] | None = None) -> "Scale":
        """A scale with round ends around values, optionally limited to an interval."""
        low, high = min(values), max(values)
        step = round_step((high - low) or abs(high) or 1.0)
        low, high = floor(low / step) * step, ceil(high / step) * step
        if low == high:
            high += step
        return cls(max(low, within[0]), min(high, within[1])) if within else cls(low, high)

    @classmethod
    def of_powers(cls, values: Sequence[float]) -> "Scale":
        """A logarithmic scale around positive values."""
        low, high = floor(log10(min(values))), ceil(log10(max(values)))
        return cls(low, max(high, low + 1), is_log=True)

    def place(self, value: float) -> float:
        """The position of a value in percent, limited to the plot."""
        if self.is_log:
            value = log10(value)
        return min(100.0, max(0.0, 100 * (value - self.low) / (self.high - self.low)))

    def ticks(self) -> list[float]:
        """Round numbers for the axis."""
        if self.is_log:
            low, high = int(self.low), int(self.high)
            return [10.0**power for power in range(low, high + 1, 1 + (high - low) // _TICKS)]
        step = round_step(self.high - self.low)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def round_step(width: float) -> float:
    """A step of 1, 2 or 5 times a power of ten that divides a width into about five parts."""
    raw = width / _TICKS
    power: float = 10.0 ** floor(log10(raw))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)


def bars(rows: Sequence[Bar], scale: Scale, label: str, tick: Callable[[float], str], origin: float) -> str:
    """Bars from `origin` to their values, with error bars; `tick` formats the numbers of the axis."""
    foot = _ROW * len(rows)
    start = scale.place(origin)
    places = [(scale.place(value), tick(value)) for value in scale.ticks()]
    parts = [_line(at, at, 4, foot, "grid") for at, _ in places]
    for number, row in enumerate(rows):
        top = number * _ROW
        middle = top + _TRACK
        value, low, high = scale.place(row.value), scale.place(row.low), scale.place(row.high)
        parts += [
            f'<text x="0" y="{top + 16}" class="name">{escape(row.name)}</text>',
            f'<text x="100%" y="{top + 16}" class="value" text-anchor="end">{escape(row.text)}</text>',
            f'<rect x="{min(start, value):.2f}%" y="{middle - 5}" width="{abs(value - start):.2f}%" height="10" '
            f'class="fill c{row.colour}"/>',
            _line(low, high, middle, middle, "whisker"),
            _line(low, low, middle - 4, middle + 4, "whisker"),
            _line(high, high, middle - 4, middle + 4, "whisker"),
            f'<circle cx="{value:.2f}%" cy="{middle}" r="4.5" class="dot c{row.colour}"/>',
        ]
    parts.append(_line(start, start, 4, foot, "origin"))
    return _svg(foot + _AXIS, label, [*parts, *_tick_texts(places, foot + 17)])


def histogram(counts: Sequence[Sequence[int]], low: int, high: int, colour: int, mean: float, label: str) -> str:
    """A histogram of whole numbers from `low` to `high`, with several numbers per bin if there are many."""
    width, heights = bins(counts, low, high, _MAX_BINS)
    highest, across = max(heights), 100 / len(heights)
    scale = Scale(low, low + len(heights) * width)
    foot = _HISTOGRAM_HEIGHT
    parts = [f'<line x1="0" x2="100%" y1="{foot}" y2="{foot}" class="axis"/>']
    for number, count in enumerate(heights):
        if count:
            first = low + number * width
            span = f"{first}" if width == 1 else f"{first} to {first + width - 1}"
            tall = max(1.0, (foot - 8) * count / highest)
            parts.append(
                f'<rect x="{number * across + across * 0.06:.3f}%" y="{foot - tall:.1f}" width="{across * 0.88:.3f}%" '
                f'height="{tall:.1f}" class="full c{colour}"><title>{span}: {count:,}</title></rect>'
            )
    at = scale.place(mean + 0.5)
    parts.append(_line(at, at, 2, foot, "mean"))
    parts += _tick_texts([(scale.place(value + 0.5), f"{value:g}") for value in _whole_ticks(low, high)], foot + 16)
    return _svg(foot + _AXIS, label, parts)


def _whole_ticks(low: int, high: int) -> list[int]:
    step = max(1, round(round_step(max(1, high - low))))
    return list(range(-(-low // step) * step, high + 1, step))


def _tick_texts(places: Sequence[tuple[float, str]], y: int) -> list[str]:
    """The numbers of the axis; those at the ends stay within the plot."""
    texts = []
    for at, text in places:
        anchor = "start" if at < 4 else "end" if at > 96 else "middle"
        texts.append(f'<text x="{at:.2f}%" y="{y}" class="tick" text-anchor="{anchor}">{escape(text)}</text>')
    return texts


def _line(x1: float, x2: float, y1: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.2f}%" x2="{x2:.2f}%" y1="{y1}" y2="{y2}" class="{kind}"/>'


def _svg(height: float, label: str, parts: Sequence[str]) -> str:
    head = f'<svg width="100%" height="{height}" role="img" aria-label="{escape(label)}">'
    return head + "".join(parts) + "</svg>"
