"""The scene and the view of Pairs."""

import msgspec

from pairs.state import COPIES, LAYOUT, MAX_KEPT, VALUES, Phase
from threespan.core.layout import State


class Scene(msgspec.Struct, frozen=True):
    """What never changes in a match."""

    players: int
    values: int
    copies: int  # of each value
    max_kept: int  # cards that a seat may hold when its turn ends


class Seat(msgspec.Struct, frozen=True):
    """A seat as everybody sees it."""

    hand_size: int
    hand: list[int]  # the values of its cards, as far as the viewer knows them
    pairs: list[int]  # how many of each value


class View(msgspec.Struct, frozen=True):
    """What changes."""

    phase: str
    turn: int | None  # the seat that draws or plays
    deck_size: int
    dropped: list[int]  # how many of each value
    seats: list[Seat]


def scene_of(state: State) -> Scene:
    """The number of players and cards."""
    return Scene(int(state.players), VALUES, COPIES, MAX_KEPT)


def view_of(state: State) -> View:
    """What an observation shows."""
    values = LAYOUT.read(state)
    phase = Phase(values.phase)
    seats = [
        Seat(int(values.hand_size[seat]), cards_of(values.hand[seat].tolist()), values.pairs[seat].tolist())
        for seat in range(values.players)
    ]
    turn = None if phase is Phase.OVER else values.turn
    return View(phase.name.lower(), turn, values.deck_size, values.dropped.tolist(), seats)


def cards_of(counts: list[int]) -> list[int]:
    """The cards of a pile, given by the count of each value."""
    return [value + 1 for value, count in enumerate(counts) for _ in range(count)]
