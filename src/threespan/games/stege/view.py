"""What a page draws of Stege.

Rows and columns are counted from 1, from the top left, as in the notation: `lay 3,7 down` is the jetty with the place
`3,7 down`, and `move a 3,7>5,9` leads from the spot `3,7` to the spot `5,9`.
"""

from functools import cache

import msgspec

from threespan.core.kernel import bits_of
from threespan.core.layout import State
from threespan.games.stege.jetties import jetty_field
from threespan.games.stege.notation import STONE_NAMES, place_text, spot_text
from threespan.games.stege.sets import load
from threespan.games.stege.state import FIELDS, JETTY, LAYOUT, MAX_TURNS, NONE, WIDTH, TurnStep
from threespan.games.stege.stones import target


class Island(msgspec.Struct, frozen=True):
    """A square island, known by its corner: 0 top left, 1 top right, 2 bottom right, 3 bottom left."""

    row: int  # of its top left field
    column: int


class Seat(msgspec.Struct, frozen=True):
    """Where the stones of a seat come from and where they go."""

    start: int  # island
    target: int  # island


class Scene(msgspec.Struct, frozen=True):
    """What never changes in a match."""

    players: int
    size: int  # rows and columns
    island_size: int  # rows and columns of an island
    islands: list[Island]
    seats: list[Seat]
    stones: list[str]  # the names of every seat's stones
    jetties_each: int
    max_rolls: int  # in one turn
    max_turns: int  # moving turns of all seats, after which the match is stopped


class Jetty(msgspec.Struct, frozen=True):
    """A jetty."""

    place: str  # "3,7 down" or "3,7 across"
    fields: list[tuple[int, int]]  # row and column of its three fields, from the top or left


class View(msgspec.Struct, frozen=True):
    """What changes."""

    # "start", "roll": chance is due; "lay", "jetty" (take one or keep all), "place" (lay the one taken),
    # "stone" (move one), "again" (roll again or pass), "over"
    step: str
    turn: int | None  # the seat whose turn it is, once that is known
    turns: int  # moving turns that have ended
    die: int  # 0 before the roll
    rolls: int  # of this turn
    jetties: list[Jetty]
    taken: Jetty | None  # the one that was taken and must be laid, with the place where it lay
    in_hand: list[int]  # jetties that each seat has yet to lay
    stones: list[list[str]]  # by seat, in the order of their names: "island", "home" or their field


_STEPS = [step.name.lower() for step in TurnStep]


def scene_of(state: State) -> Scene:
    """The sea and its islands."""
    seats = range(state.players)
    first_fields = [bits_of(load(island))[0] for island in state.island]
    return Scene(
        players=len(seats),
        size=int(state.board_size),
        island_size=int(state.island_size),
        islands=[Island(*_row_and_column(field)) for field in first_fields],
        seats=[Seat(int(state.corner[seat]), int(target(state, seat))) for seat in seats],
        stones=list(STONE_NAMES),
        jetties_each=int(state.jetties_each),
        max_rolls=int(state.max_rolls),
        max_turns=MAX_TURNS * len(seats),
    )


def view_of(state: State) -> View:
    """Jetties, stones and the die."""
    values = LAYOUT.read(state)
    places = bits_of(load(values.across.tolist())) + [FIELDS + field for field in bits_of(load(values.down.tolist()))]
    return View(
        step=_STEPS[values.step],
        turn=None if values.step == TurnStep.START else values.turn,
        turns=values.turns,
        die=values.die,
        rolls=values.rolls,
        jetties=[_jetty(place) for place in places],
        taken=None if values.taken == NONE else _jetty(values.taken),
        in_hand=values.in_hand.tolist()[: values.players],
        stones=[[_spot(spot) for spot in stones] for stones in values.stone.tolist()[: values.players]],
    )


@cache
def _jetty(place: int) -> Jetty:
    return Jetty(place_text(place), [_row_and_column(int(jetty_field(place, index))) for index in range(JETTY)])


def _row_and_column(field: int) -> tuple[int, int]:
    return field // WIDTH + 1, field % WIDTH + 1


_spot = cache(spot_text)
