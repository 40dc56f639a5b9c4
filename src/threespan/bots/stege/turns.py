"""Whole turns of Stege: a jetty moved or not and then a stone, rated by the chance of winning afterwards."""

from typing import Any

from threespan.bots.stege.value import strength, win_chance
from threespan.bots.stege.ways import MAX_COST, open_ways
from threespan.core.kernel import called_kernel, kernel
from threespan.core.layout import State
from threespan.core.memory import float64, int16, int32, int64, record_type, uint64
from threespan.core.rules import MAX_LEGAL, MAX_SEATS
from threespan.games.stege.fields import append_sparse, flip
from threespan.games.stege.jetties import across_places, down_places, open_water, toggle_jetty
from threespan.games.stege.rules import apply, legal, legal_lays, legal_takes, outcome
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
    PASSING_ROUNDS,
    STONES,
    TAKE,
    WORDS,
    TurnStep,
)
from threespan.games.stege.stones import move_stone, stones_home

TURN_BUFFER_SIZE = 4096
_ENOUGH_PLACES = 16  # stop listing places on the ways once there are this many
SAMPLED_PLACES = 6  # spread over the whole sea, in addition

# A turn, or what is left of it: its actions in order, NONE where there is no such step.
TURN_DTYPE = record_type(
    ("value", float64),  # the seat's chance of winning after it
    ("jetty", int16),  # take a jetty, or keep all where they are
    ("place", int16),
    ("last", int16),  # move a stone, roll again or pass
)
# What rating turns needs besides the state. The state of the random generator comes last, as in `core/playout.py`.
SCRATCH_DTYPE = record_type(
    ("places", int16, (MAX_LEGAL,)),
    ("takes", int16, (MAX_JETTIES + 1,)),
    ("moves", int16, (MAX_LEGAL,)),
    ("fields_by_cost", int64, (MAX_COST, WORDS)),
    ("place_values", float64, (MAX_LEGAL,)),
    ("take_values", float64, (MAX_JETTIES + 1,)),
    ("strengths", float64, (MAX_SEATS,)),
    ("scores", int32, (MAX_SEATS,)),
    ("ranks", int32, (MAX_SEATS,)),
    ("word", uint64),
)


@called_kernel
def win_chance_after(state: State, seat: int, following: int, weights: Any, scratch: Any) -> float:
    """A seat's chance of winning if the seat `following` acts next; the strengths stay in the scratch."""
    for other in range(state.players):
        scratch.strengths[other] = strength(state, other, following, weights)
    return win_chance(scratch.strengths, state.players, seat)


@called_kernel
def rate_turns(
    state: State, seat: int, weights: Any, turns: Any, scratch: Any, max_takes: int, max_places: int, is_thorough: bool
) -> int:
    """Write what a seat can do until its turn ends, rated, and return the number of turns.

    Only the `max_takes` most promising jetties are taken, and laid on the `max_places` most promising places each.
    If `is_thorough`, all places are looked at, else those on the cheapest ways home of the seat's stones.
    """
    if state.step == TurnStep.LAY:
        return _add_first_lays(state, seat, weights, turns, scratch, is_thorough)
    if state.step == TurnStep.PLACE:
        return _add_lays(state, seat, NONE, weights, turns, 0, scratch, max_places, is_thorough)
    if state.step != TurnStep.JETTY:
        return _add_moves(state, seat, NONE, NONE, weights, turns, 0, scratch)
    state.step = TurnStep.STONE
    count = _add_moves(state, seat, KEEP, NONE, weights, turns, 0, scratch)
    state.step = TurnStep.JETTY
    found = legal_takes(state, scratch.takes) - 1  # KEEP is the last
    for index in range(found):
        toggle_jetty(state, scratch.takes[index] - TAKE)
        scratch.take_values[index] = win_chance_after(state, seat, _next_seat(state, seat), weights, scratch)
        toggle_jetty(state, scratch.takes[index] - TAKE)  # toggling again undoes it
    _best_first(scratch.take_values, scratch.takes, found, max_takes)
    for index in range(min(found, max_takes)):
        take = scratch.takes[index]
        toggle_jetty(state, take - TAKE)
        state.taken, state.step = take - TAKE, TurnStep.PLACE
        count = _add_lays(state, seat, take, weights, turns, count, scratch, max_places, is_thorough)
        state.taken, state.step = NONE, TurnStep.JETTY
        toggle_jetty(state, take - TAKE)
    return count


@called_kernel
def _add_first_lays(state: State, seat: int, weights: Any, turns: Any, scratch: Any, is_thorough: bool) -> int:
    """The turns of the first phase."""
    found = _list_places(state, seat, scratch, is_thorough)
    if scratch.places[0] == PASS:
        return _put(turns, 0, 0.0, NONE, NONE, PASS)
    _rate_places(state, seat, weights, scratch, found)
    for index in range(found):
        _put(turns, index, scratch.place_values[index], NONE, scratch.places[index], NONE)
    return found


@called_kernel
def _add_lays(
    state: State,
    seat: int,
    take: int,
    weights: Any,
    turns: Any,
    count: int,
    scratch: Any,
    max_places: int,
    is_thorough: bool,
) -> int:
    """Add the turns that go on by laying the jetty taken; returns the new number of turns."""
    found = _list_places(state, seat, scratch, is_thorough)
    _rate_places(state, seat, weights, scratch, found)
    _best_first(scratch.place_values, scratch.places, found, max_places)
    taken = state.taken
    for index in range(min(found, max_places)):
        lay = scratch.places[index]
        toggle_jetty(state, lay - LAY)
        state.taken, state.step = NONE, TurnStep.STONE
        count = _add_moves(state, seat, take, lay, weights, turns, count, scratch)
        state.taken, state.step = taken, TurnStep.PLACE
        toggle_jetty(state, lay - LAY)
    return count


@called_kernel
def _list_places(state: State, seat: int, scratch: Any, is_thorough: bool) -> int:
    """Write the places for a jetty into the scratch, all or those on the seat's ways, and return how many there are."""
    found = legal_lays(state, scratch.places)
    if is_thorough:
        return found
    # The list of moves is not in use yet, so it can serve as a buffer.
    return filter_places(state, seat, scratch.places, found, scratch.moves, scratch.fields_by_cost)


@called_kernel
def filter_places(state: State, seat: int, places: Any, found: int, buffer: Any, fields_by_cost: Any) -> int:
    """Keep those places for a jetty that are on the seat's ways, and a few elsewhere; return how many are left.

    A jetty serves its owner best where it covers most of a way, and elsewhere one place is as good as another.
    """
    if found <= _ENOUGH_PLACES:
        return found
    open_fields, wanted = open_water(state), open_ways(state, seat, fields_by_cost)
    across, down = across_places(open_fields), down_places(open_fields)
    if state.taken >= FIELDS:
        down = down & ~single(state.taken - FIELDS)
    elif state.taken != NONE:
        across = across & ~single(state.taken)
    across_1, across_2, across_3 = _covering(wanted, left(wanted), left(left(wanted)))
    down_1, down_2, down_3 = _covering(wanted, up(wanted), up(up(wanted)))
    listed = append_sparse(across & across_3, LAY, buffer, 0)
    listed = append_sparse(down & down_3, LAY + FIELDS, buffer, listed)
    if listed < _ENOUGH_PLACES:
        listed = append_sparse(across & across_2, LAY, buffer, listed)
        listed = append_sparse(down & down_2, LAY + FIELDS, buffer, listed)
    if listed < _ENOUGH_PLACES:
        listed = append_sparse(across & across_1, LAY, buffer, listed)
        listed = append_sparse(down & down_1, LAY + FIELDS, buffer, listed)
    stride = found // SAMPLED_PLACES + 1
    for index in range(0, found, stride):
        buffer[listed] = places[index]
        listed += 1
    for index in range(listed):
        places[index] = buffer[index]
    return listed


@kernel
def _covering(first: Fields, second: Fields, third: Fields) -> tuple[Fields, Fields, Fields]:
    """What is in exactly one, in two, and in all three of some sets."""
    three = first & second & third
    two = (first & second | first & third | second & third) & ~three
    return (first | second | third) & ~(two | three), two, three


@kernel
def _rate_places(state: State, seat: int, weights: Any, scratch: Any, count: int) -> None:
    """The chance of winning with a jetty on each of the places in the scratch."""
    for index in range(count):
        toggle_jetty(state, scratch.places[index] - LAY)
        scratch.place_values[index] = win_chance_after(state, seat, _next_seat(state, seat), weights, scratch)
        toggle_jetty(state, scratch.places[index] - LAY)  # toggling again undoes it


@called_kernel
def _add_moves(state: State, seat: int, take: int, lay: int, weights: Any, turns: Any, count: int, scratch: Any) -> int:
    """Add the turns that end with the stone's move, or without one; returns the new number of turns."""
    found = legal(state, seat, scratch.moves)
    value_without_move = win_chance_after(state, seat, _next_seat(state, seat), weights, scratch)
    if (
        scratch.moves[0] == AGAIN or scratch.moves[0] == PASS
    ):  # no stone can move; rolling again is never worse than passing
        return _put(turns, count, value_without_move, take, lay, scratch.moves[0])
    may_pass = scratch.moves[found - 1] == PASS
    best = 0.0
    for index in range(found - may_pass):
        stone, end = (scratch.moves[index] - MOVE) // ENDS, (scratch.moves[index] - MOVE) % ENDS
        spot = state.stone[seat, stone]
        if spot == ISLAND and stone > 0 and state.stone[seat, stone - 1] == ISLAND:
            continue  # stones on the start island are interchangeable: only the first of them in a row is rated
        move_stone(state, seat, stone, end)
        if stones_home(state, seat) == STONES:
            value = 1.0
        else:
            scratch.strengths[seat] = strength(state, seat, _next_seat(state, seat), weights)
            value = win_chance(scratch.strengths, state.players, seat)
        _put_back(state, seat, stone, spot)
        count = _put(turns, count, value, take, lay, scratch.moves[index])
        best = max(best, value)
    if may_pass:
        value = _value_of_pass(state, seat, lay != NONE, value_without_move, scratch)
        if value > best:  # consider passing only if it beats every move
            count = _put(turns, count, value, take, lay, PASS)
    return count


@kernel
def _value_of_pass(state: State, seat: int, has_moved_jetty: bool, value_without_move: float, scratch: Any) -> float:
    """The chance of winning by a pass although a stone can move: if it ends the match, the ranks decide."""
    if has_moved_jetty or state.passes + 1 < PASSING_ROUNDS * state.players:
        return value_without_move
    outcome(state, scratch.scores, scratch.ranks)
    return 1.0 if scratch.ranks[seat] == 1 else 0.0


@kernel
def _next_seat(state: State, seat: int) -> int:
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
    """Write a turn after the others, unless the list is full; return the new number of turns."""
    if count == len(turns):
        return count
    turn = turns[count]
    turn.value, turn.jetty, turn.place, turn.last = value, take, lay, last
    return count + 1


@kernel
def _best_first(values: Any, items: Any, count: int, wanted: int) -> None:
    """Move the `wanted` items of the highest values to the front."""
    for slot in range(min(wanted, count)):
        best = slot
        for index in range(slot + 1, count):
            if values[index] > values[best]:
                best = index
        item, value = items[slot], values[slot]
        items[slot], values[slot] = items[best], values[best]
        items[best], values[best] = item, value


@called_kernel
def play_turn(state: State, seat: int, turn: Any) -> None:
    """Carry out a turn."""
    for action in (turn.jetty, turn.place, turn.last):
        if action != NONE:
            apply(state, seat, action)
