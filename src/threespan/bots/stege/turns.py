"""Whole turns of Stege: a jetty moved or not and then a stone, rated by what the sea is worth afterwards."""

from typing import Any

import numpy as np

from threespan.bots.stege.value import share, strength
from threespan.bots.stege.ways import MAX_COST, open_ways
from threespan.core.kernel import called_kernel, kernel
from threespan.core.layout import State
from threespan.core.playout import MAX_LEGAL
from threespan.core.rules import MAX_SEATS
from threespan.games.stege.fields import flip, write_few
from threespan.games.stege.jetties import across_places, down_places, flip_jetty, open_water
from threespan.games.stege.rules import apply, legal, legal_lays, legal_takes
from threespan.games.stege.sets import Fields, left, single, up
from threespan.games.stege.state import (
    AGAIN,
    ENDS,
    FIELDS,
    HOME,
    ISLAND,
    KEEP,
    LAY,
    MAX_JETTIES,
    MOVE,
    NONE,
    PASS,
    STONES,
    TAKE,
    WORDS,
    Step,
)
from threespan.games.stege.stones import move_stone, stones_home

MAX_TURNS = 4096
_GLANCE = 16  # places on a way that are enough without care
ELSEWHERE = 6  # places all over the sea beside them

# A turn, or what is left of it: its actions in order, NONE where there is no such step.
TURN_DTYPE = np.dtype(
    (
        np.record,
        [
            ("value", np.float64),  # the chance of the seat to win after it
            ("jetty", np.int16),  # take a jetty, or keep all where they are
            ("place", np.int16),
            ("last", np.int16),  # move a stone, roll again or pass
        ],
    )
)
# What rating turns needs beside the state. The generator's word comes last, as in `core/playout.py`.
SHOP_DTYPE = np.dtype(
    (
        np.record,
        [
            ("places", np.int16, (MAX_LEGAL,)),
            ("takes", np.int16, (MAX_JETTIES + 1,)),
            ("moves", np.int16, (MAX_LEGAL,)),
            ("levels", np.int64, (MAX_COST, WORDS)),
            ("place_values", np.float64, (MAX_LEGAL,)),
            ("take_values", np.float64, (MAX_JETTIES + 1,)),
            ("strengths", np.float64, (MAX_SEATS,)),
            ("scores", np.int32, (MAX_SEATS,)),
            ("ranks", np.int32, (MAX_SEATS,)),
            ("word", np.uint64),
        ],
    )
)


@called_kernel
def worth(state: State, seat: int, following: int, weights: Any, shop: Any) -> float:
    """The chance of a seat to win when the seat `following` acts next; the strengths stay in the shop."""
    for other in range(state.players):
        shop.strengths[other] = strength(state, other, following, weights)
    return share(shop.strengths, state.players, seat)


@called_kernel
def rate_turns(
    state: State, seat: int, weights: Any, turns: Any, shop: Any, takes: int, places: int, care: bool
) -> int:
    """Write what a seat can do until its turn ends, rated, and return the number of turns.

    Of the jetties only the `takes` most promising are taken, and laid on the `places` most promising places each.
    With `care` all places are looked at, else those on the seat's cheapest ways.
    """
    if state.step == Step.LAY:
        return _add_first_lays(state, seat, weights, turns, shop, care)
    if state.step == Step.PLACE:
        return _add_lays(state, seat, NONE, weights, turns, 0, shop, places, care)
    if state.step != Step.JETTY:
        return _add_moves(state, seat, NONE, NONE, weights, turns, 0, shop)
    state.step = Step.STONE
    count = _add_moves(state, seat, KEEP, NONE, weights, turns, 0, shop)
    state.step = Step.JETTY
    found = legal_takes(state, shop.takes) - 1  # KEEP is the last
    for index in range(found):
        flip_jetty(state, shop.takes[index] - TAKE)
        shop.take_values[index] = worth(state, seat, _next(state, seat), weights, shop)
        flip_jetty(state, shop.takes[index] - TAKE)
    _best_first(shop.take_values, shop.takes, found, takes)
    for index in range(min(found, takes)):
        take = shop.takes[index]
        flip_jetty(state, take - TAKE)
        state.taken, state.step = take - TAKE, Step.PLACE
        count = _add_lays(state, seat, take, weights, turns, count, shop, places, care)
        state.taken, state.step = NONE, Step.JETTY
        flip_jetty(state, take - TAKE)
    return count


@called_kernel
def _add_first_lays(state: State, seat: int, weights: Any, turns: Any, shop: Any, care: bool) -> int:
    """The turns of the first phase."""
    found = _list_places(state, seat, shop, care)
    if shop.places[0] == PASS:
        return _put(turns, 0, 0.0, NONE, NONE, PASS)
    _rate_places(state, seat, weights, shop, found)
    for index in range(found):
        _put(turns, index, shop.place_values[index], NONE, shop.places[index], NONE)
    return found


@called_kernel
def _add_lays(
    state: State, seat: int, take: int, weights: Any, turns: Any, count: int, shop: Any, places: int, care: bool
) -> int:
    """Add the turns that go on by laying the jetty taken; returns the new number of turns."""
    found = _list_places(state, seat, shop, care)
    _rate_places(state, seat, weights, shop, found)
    _best_first(shop.place_values, shop.places, found, places)
    taken = state.taken
    for index in range(min(found, places)):
        lay = shop.places[index]
        flip_jetty(state, lay - LAY)
        state.taken, state.step = NONE, Step.STONE
        count = _add_moves(state, seat, take, lay, weights, turns, count, shop)
        state.taken, state.step = taken, Step.PLACE
        flip_jetty(state, lay - LAY)
    return count


@called_kernel
def _list_places(state: State, seat: int, shop: Any, care: bool) -> int:
    """Write the places for a jetty into the shop, all or those on the seat's ways; how many there are."""
    found = legal_lays(state, shop.places)
    return found if care else keep_places(state, seat, shop.places, found, shop.moves, shop.levels)


@called_kernel
def keep_places(state: State, seat: int, places: Any, found: int, spare: Any, levels: Any) -> int:
    """Keep those places for a jetty that are on the seat's ways, and a few elsewhere; how many are left.

    A jetty serves its owner best where it covers most of a way, and elsewhere one place is as good as another.
    """
    if found <= _GLANCE:
        return found
    open_fields, wanted = open_water(state), open_ways(state, seat, levels)
    across, down = across_places(open_fields), down_places(open_fields)
    if state.taken >= FIELDS:
        down = down & ~single(state.taken - FIELDS)
    elif state.taken != NONE:
        across = across & ~single(state.taken)
    across_1, across_2, across_3 = _covering(wanted, left(wanted), left(left(wanted)))
    down_1, down_2, down_3 = _covering(wanted, up(wanted), up(up(wanted)))
    listed = write_few(across & across_3, LAY, spare, 0)
    listed = write_few(down & down_3, LAY + FIELDS, spare, listed)
    if listed < _GLANCE:
        listed = write_few(across & across_2, LAY, spare, listed)
        listed = write_few(down & down_2, LAY + FIELDS, spare, listed)
    if listed < _GLANCE:
        listed = write_few(across & across_1, LAY, spare, listed)
        listed = write_few(down & down_1, LAY + FIELDS, spare, listed)
    stride = found // ELSEWHERE + 1
    for index in range(0, found, stride):
        spare[listed] = places[index]
        listed += 1
    for index in range(listed):
        places[index] = spare[index]
    return listed


@kernel
def _covering(first: Fields, second: Fields, third: Fields) -> tuple[Fields, Fields, Fields]:
    """What is in exactly one, in two, and in all three of some sets."""
    three = first & second & third
    two = (first & second | first & third | second & third) & ~three
    return (first | second | third) & ~(two | three), two, three


@kernel
def _rate_places(state: State, seat: int, weights: Any, shop: Any, count: int) -> None:
    """What the sea is worth with a jetty on each of the places in the shop."""
    for index in range(count):
        flip_jetty(state, shop.places[index] - LAY)
        shop.place_values[index] = worth(state, seat, _next(state, seat), weights, shop)
        flip_jetty(state, shop.places[index] - LAY)


@called_kernel
def _add_moves(state: State, seat: int, take: int, lay: int, weights: Any, turns: Any, count: int, shop: Any) -> int:
    """Add the turns that end with the stone's move, or without one; returns the new number of turns."""
    found = legal(state, seat, shop.moves)
    value = worth(state, seat, _next(state, seat), weights, shop)
    if shop.moves[0] == AGAIN or shop.moves[0] == PASS:  # one more roll can only help
        return _put(turns, count, value, take, lay, shop.moves[0])
    for index in range(found):
        stone, end = (shop.moves[index] - MOVE) // ENDS, (shop.moves[index] - MOVE) % ENDS
        spot = state.stone[seat, stone]
        if spot == ISLAND and stone > 0 and state.stone[seat, stone - 1] == ISLAND:
            continue  # as good as the stone before
        move_stone(state, seat, stone, end)
        if stones_home(state, seat) == STONES:
            value = 1.0
        else:
            shop.strengths[seat] = strength(state, seat, _next(state, seat), weights)
            value = share(shop.strengths, state.players, seat)
        _put_back(state, seat, stone, spot)
        count = _put(turns, count, value, take, lay, shop.moves[index])
    return count


@kernel
def _next(state: State, seat: int) -> int:
    """The seat to the left."""
    return (seat + 1) % state.players  # type: ignore[no-any-return]


@kernel
def _put_back(state: State, seat: int, stone: int, spot: int) -> None:
    """Undo the move of a stone that stood on a spot."""
    end = state.stone[seat, stone]
    if end != HOME:
        flip(state.occupied, end)
    if spot != ISLAND:
        flip(state.occupied, spot)
    state.stone[seat, stone] = spot


@kernel
def _put(turns: Any, count: int, value: float, take: int, lay: int, last: int) -> int:
    """Write a turn behind the others, unless the list is full; the new number of turns."""
    if count == len(turns):
        return count
    turn = turns[count]
    turn.value, turn.jetty, turn.place, turn.last = value, take, lay, last
    return count + 1


@kernel
def _best_first(values: Any, items: Any, count: int, wanted: int) -> None:
    """Move the `wanted` items of the highest values to the front."""
    for place in range(min(wanted, count)):
        best = place
        for index in range(place + 1, count):
            if values[index] > values[best]:
                best = index
        item, value = items[place], values[place]
        items[place], values[place] = items[best], values[best]
        items[best], values[best] = item, value


@kernel
def best_turn(turns: Any, count: int) -> int:
    """The best-rated turn."""
    best = 0
    for index in range(1, count):
        if turns[index].value > turns[best].value:
            best = index
    return best


@called_kernel
def play_turn(state: State, seat: int, turn: Any) -> None:
    """Carry out a turn."""
    for action in (turn.jetty, turn.place, turn.last):
        if action != NONE:
            apply(state, seat, action)
