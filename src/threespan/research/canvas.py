"""A drawing surface based on Pillow. Everything is drawn larger and scaled down, for smooth edges.

Pillow is only imported when a picture is drawn, so it is an optional dependency.
"""

from functools import cache
from typing import Any

import numpy as np

_SCALE = 3

PAPER, INK, SOFT, LINE = "#faf5ea", "#1f2a30", "#52606a", "#d9cdb8"
CARD, ACCENT = "#fffdf8", "#0d6675"
SEAT_COLOURS = ("#c25a00", "#1857a6", "#7b2d8b", "#23703a")

Point = tuple[float, float]


class Canvas:
    """A drawing surface; coordinates are in pixels from the top left."""

    def __init__(self, width: float, height: float, colour: str = PAPER) -> None:
        """Create an empty canvas of `width` x `height` pixels."""
        from PIL import Image, ImageDraw

        self._size = (round(width), round(height))
        self._image = Image.new("RGB", (self._size[0] * _SCALE, self._size[1] * _SCALE), colour)
        self._draw = ImageDraw.Draw(self._image)

    def box(
        self, place: Point, size: Point, fill: str, edge: str | None = None, round_by: float = 0, line_width: float = 1
    ) -> None:
        """Draw a rectangle with its top left corner at `place`."""
        (x, y), (width, height) = place, size
        corners = [x * _SCALE, y * _SCALE, (x + width) * _SCALE - 1, (y + height) * _SCALE - 1]
        self._draw.rounded_rectangle(corners, round_by * _SCALE, fill, edge, _pixels(line_width) if edge else 0)

    def disc(self, middle: Point, radius: float, fill: str, edge: str | None = None, line_width: float = 1) -> None:
        """Draw a circle."""
        x, y = middle
        corners = [(value) * _SCALE for value in (x - radius, y - radius, x + radius, y + radius)]
        self._draw.ellipse(corners, fill, edge, _pixels(line_width) if edge else 0)

    def line(self, start: Point, end: Point, colour: str, line_width: float = 1) -> None:
        """Draw a straight line."""
        points = [value * _SCALE for value in (*start, *end)]
        self._draw.line(points, colour, _pixels(line_width))

    def dots(self, start: Point, end: Point, colour: str, gap: float = 6) -> None:
        """Draw a dotted line."""
        (x, y), (to_x, to_y) = start, end
        steps = max(1, round((abs(to_x - x) + abs(to_y - y)) / gap))
        for step in range(steps + 1):
            self.disc((x + (to_x - x) * step / steps, y + (to_y - y) * step / steps), 1.1, colour)

    def shape(self, points: list[Point], fill: str) -> None:
        """Draw a polygon."""
        self._draw.polygon([(x * _SCALE, y * _SCALE) for x, y in points], fill)

    def text(self, place: Point, words: str, size: float, colour: str = INK, anchor: str = "mm") -> None:
        """Draw a line of text; the anchor is Pillow's: "mm" for its middle, "lm" for the middle of its left edge."""
        x, y = place
        self._draw.text((x * _SCALE, y * _SCALE), words, colour, _font(size * _SCALE), anchor)

    def pixels(self) -> Any:
        """The picture as an array of bytes, height x width x 3."""
        from PIL import Image

        return np.asarray(self._image.resize(self._size, Image.Resampling.LANCZOS), np.uint8)


def _pixels(line_width: float) -> int:
    return max(1, round(line_width * _SCALE))


@cache
def _font(size: float) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)
