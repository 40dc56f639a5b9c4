"""Pictures of positions as arrays of pixels, drawn without a browser from the scene and the view."""

from typing import Any

from threespan.core import picture
from threespan.core.game import Position
from threespan.core.words import DEFAULT_LANGUAGE
from threespan.research.canvas import INK, Canvas
from threespan.research.description import find_description

# For games that are shown as text.
_WIDTH, _MARGIN, _LINE, _SIZE, _MIN_LINES = 720, 20, 20, 14, 30


def pixels_of(seen: Position, seat: int) -> Any:
    """A picture of an observation of `seat`: RGB bytes, height x width x 3."""
    draw = find_description(seen.game.code).draw
    if draw is None:
        return _draw_text(seen, seat).pixels()
    scene = seen.game.scene(seen.state, seen.material)
    return draw(scene, seen.game.view(seen.state, seat), seat).pixels()


def _draw_text(seen: Position, seat: int) -> Canvas:
    """The text that a terminal would show, for games without a picture."""
    lines = picture.picture_of(seen.game, seen.state, seat, DEFAULT_LANGUAGE).plain.splitlines()
    canvas = Canvas(_WIDTH, 2 * _MARGIN + _LINE * max(_MIN_LINES, len(lines)))
    for number, line in enumerate(lines):
        canvas.text((_MARGIN, _MARGIN + _LINE * (number + 0.5)), line, _SIZE, INK, "lm")
    return canvas
