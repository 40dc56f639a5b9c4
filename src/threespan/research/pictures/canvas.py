"""A sheet to draw on with Pillow; everything is drawn larger and scaled down, so that edges are smooth."""

from functools import cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

_LARGER = 3

PAPER, INK, SOFT, LINE = "#faf5ea", "#1f2a30", "#52606a", "#d9cdb8"
CARD, ACCENT = "#fffdf8", "#0d6675"
SEAT_COLOURS = ("#c25a00", "#1857a6", "#7b2d8b", "#23703a")

Point = tuple[float, float]


class Canvas:
    """A sheet of so many pixels; places are in pixels from the top left."""

    def __init__(self, width: float, height: float, colour: str = PAPER) -> None:
        """An empty sheet."""
        self._size = (round(width), round(height))
        self._image = Image.new("RGB", (self._size[0] * _LARGER, self._size[1] * _LARGER), colour)
        self._draw = ImageDraw.Draw(self._image)

    def box(
        self, place: Point, size: Point, fill: str, edge: str | None = None, round_by: float = 0, thick: float = 1
    ) -> None:
        """A rectangle by its top left corner and its size."""
        (x, y), (width, height) = place, size
        corners = [x * _LARGER, y * _LARGER, (x + width) * _LARGER - 1, (y + height) * _LARGER - 1]
        self._draw.rounded_rectangle(corners, round_by * _LARGER, fill, edge, _pixels(thick) if edge else 0)

    def disc(self, middle: Point, radius: float, fill: str, edge: str | None = None, thick: float = 1) -> None:
        """A circle."""
        x, y = middle
        corners = [(value) * _LARGER for value in (x - radius, y - radius, x + radius, y + radius)]
        self._draw.ellipse(corners, fill, edge, _pixels(thick) if edge else 0)

    def line(self, start: Point, end: Point, colour: str, thick: float = 1) -> None:
        """A straight line."""
        points = [value * _LARGER for value in (*start, *end)]
        self._draw.line(points, colour, _pixels(thick))

    def dots(self, start: Point, end: Point, colour: str, gap: float = 6) -> None:
        """A dotted line."""
        (x, y), (to_x, to_y) = start, end
        steps = max(1, round((abs(to_x - x) + abs(to_y - y)) / gap))
        for step in range(steps + 1):
            self.disc((x + (to_x - x) * step / steps, y + (to_y - y) * step / steps), 1.1, colour)

    def shape(self, points: list[Point], fill: str) -> None:
        """A polygon."""
        self._draw.polygon([(x * _LARGER, y * _LARGER) for x, y in points], fill)

    def text(self, place: Point, words: str, size: float, colour: str = INK, anchor: str = "mm") -> None:
        """A line of text; the anchor is Pillow's, "mm" for its middle, "lm" for the middle of its left edge."""
        x, y = place
        self._draw.text((x * _LARGER, y * _LARGER), words, colour, _font(size * _LARGER), anchor)

    def pixels(self) -> Any:
        """The sheet as an array."""
        return np.asarray(self._image.resize(self._size, Image.Resampling.LANCZOS), np.uint8)


def _pixels(thick: float) -> int:
    return max(1, round(thick * _LARGER))


@cache
def _font(size: float) -> Any:
    return ImageFont.load_default(size)
