"""The scene and the view of Nim."""

import msgspec

from nim.state import HEAPS, LAYOUT
from threespan.core.layout import State


class Scene(msgspec.Struct, frozen=True):
    """What never changes in a match."""

    players: int
    heaps: int
    limit: int  # maximum size of a heap


class View(msgspec.Struct, frozen=True):
    """What changes."""

    heaps: list[int]  # stones in each heap
    turn: int  # the seat that acts
    last: int | None  # the seat that took stones last


def scene_of(state: State) -> Scene:
    """The number of players, heaps and stones."""
    return Scene(int(state.players), HEAPS, int(state.limit))


def view_of(state: State) -> View:
    """The heaps and whose turn it is."""
    values = LAYOUT.read(state)
    return View(values.heap.tolist(), values.turn, None if values.last < 0 else values.last)
