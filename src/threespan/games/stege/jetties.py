"""Jetties: where they lie, where they fit, laying and taking them away."""

from threespan.core.kernel import entry, kernel
from threespan.core.layout import State
from threespan.games.stege.fields import flip, has
from threespan.games.stege.sets import Fields, is_empty, left, load, single, up
from threespan.games.stege.state import FIELDS, JETTY, PIPS, WIDTH


@kernel
def gives_jetty(die: int) -> bool:
    """MOVE_JETTY: a 1 or a 6."""
    return die == 1 or die == PIPS


@kernel
def jetty_field(place: int, index: int) -> int:
    """One of the three fields of a jetty."""
    return place % FIELDS + index * (WIDTH if place >= FIELDS else 1)


@entry
def has_jetty(state: State, place: int) -> bool:
    """Whether a jetty lies exactly on a place."""
    return has(state.down, place - FIELDS) if place >= FIELDS else has(state.across, place)


@kernel
def toggle_jetty(state: State, place: int) -> None:
    """Lay a jetty on a place, or take it away if it lies there."""
    if place >= FIELDS:
        flip(state.down, place - FIELDS)
    else:
        flip(state.across, place)
    for index in range(JETTY):
        flip(state.planks, jetty_field(place, index))


@kernel
def open_water(state: State) -> Fields:
    """The fields that a jetty may cover."""
    return load(state.water) & ~load(state.planks)


@kernel
def across_places(open_fields: Fields) -> Fields:
    """The left fields of all places across: open there and on the next two fields to the right."""
    return open_fields & left(open_fields & left(open_fields))


@kernel
def down_places(open_fields: Fields) -> Fields:
    """The top fields of all places down: open there and on the next two fields below."""
    return open_fields & up(open_fields & up(open_fields))


@kernel
def fits_somewhere(open_fields: Fields) -> bool:
    """Whether there is a place for a jetty."""
    return not is_empty(across_places(open_fields) | down_places(open_fields))


@entry
def fits_elsewhere(state: State, place: int) -> bool:
    """SAME_PLACE: whether a jetty that lies somewhere has another place to go to."""
    open_fields = open_water(state)
    for index in range(JETTY):
        open_fields = open_fields | single(jetty_field(place, index))
    across, down = across_places(open_fields), down_places(open_fields)
    if place >= FIELDS:
        down = down & ~single(place - FIELDS)
    else:
        across = across & ~single(place)
    return not is_empty(across | down)
