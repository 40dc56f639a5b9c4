"""Pictures of positions as arrays of pixels, drawn without a browser from what a page would draw."""

from collections.abc import Callable
from typing import Any

from threespan.core.game import Position
from threespan.research.pictures.canvas import Canvas
from threespan.research.pictures.elfer import draw_elfer
from threespan.research.pictures.hashi import draw_hashi
from threespan.research.pictures.stege import draw_stege

_DRAWERS: dict[str, Callable[[Any, Any, int], Canvas]] = {"hashi": draw_hashi, "stege": draw_stege, "elfer": draw_elfer}


def picture_of(seen: Position, seat: int) -> Any:
    """An observation of `seat` as red, green and blue bytes: height x width x 3."""
    scene = seen.game.scene(seen.state, seen.material)
    view = seen.game.view(seen.state, seat)
    return _DRAWERS[seen.game.code](scene, view, seat).pixels()
