"""What a board of Hashi is worth by a small network that knows the islands and lines of one board by name.

A board is described by one feature in each of `SLOTS` slots: what every island and every line looks like, which cards
are still out, and a few for the board as a whole. Each feature adds its row to a hidden layer; the first units of it go
straight to the output, the others only where they are positive, with one row of output weights a round. Turns change
few slots, so the layer of the board before a turn is kept and only the differences are added.
"""

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from threespan.core.kernel import count_bits, kernel, lowest_bit
from threespan.core.layout import State
from threespan.games.hashi.rules import CONNECTED, finished_group
from threespan.games.hashi.state import (
    BONUSES,
    ISLANDS,
    MAX_CARD_BRIDGES,
    MAX_NUMBER,
    MAX_ON_LINE,
    ROUNDS,
    Flag,
)

NETS = Path(__file__).parent / "nets.npz"  # made by learn_net.py; the file says with which settings

WIDTH = 48  # hidden units
STRAIGHT = 8  # of them, those that go straight to the output
LINES = 24  # lines of a board that has a network

# An island: finished, in a group of 1 to 6; numbered, with its need and the room beyond it; free, with degree and room.
_MAX_SPARE = 3
_SPARES = _MAX_SPARE + 2  # one more for "cannot be finished"
_MAX_ROOM = 8
_NEEDY = CONNECTED
_FREE = _NEEDY + MAX_NUMBER * _SPARES
_ISLAND_KINDS = _FREE + (MAX_NUMBER + 1) * (_MAX_ROOM + 1)

# A line: closed, with its bridges; open, with its bridges and what its two ends look like.
_END_KINDS = 5  # free without and with a bridge; needing one, two, more
_OPEN = MAX_ON_LINE + 1
_LINE_KINDS = _OPEN + _END_KINDS * _END_KINDS * MAX_ON_LINE

# Slots: islands, lines, what only a card changes, the board as a whole.
_PILE_SLOT = ISLANDS + LINES
_BOARD_SLOT = _PILE_SLOT + 1 + MAX_NUMBER + MAX_CARD_BRIDGES
SLOTS = _BOARD_SLOT + 8

_MAX_SAME_NUMBER = 3
_MAX_SAME_BRIDGES = 9
_SUPPLY_SPAN = 12
_BLANKS_SHORT, _BLANKS_BEYOND = 4, 6
_MAX_NEEDS = 24
_LINE = ISLANDS * _ISLAND_KINDS
_ROUND = _LINE + LINES * _LINE_KINDS
_NUMBERS_OUT = _ROUND + ROUNDS + 1
_BRIDGES_OUT = _NUMBERS_OUT + MAX_NUMBER * (_MAX_SAME_NUMBER + 1)
_SUPPLY = _BRIDGES_OUT + MAX_CARD_BRIDGES * (_MAX_SAME_BRIDGES + 1)
_BLANKS = _SUPPLY + 2 * _SUPPLY_SPAN + 1
_RED = _BLANKS + _BLANKS_SHORT + _BLANKS_BEYOND + 1
_BLUE = _RED + 25
_WON = _BLUE + 16
_PARITY = _WON + 2**BONUSES
_GROUP = _PARITY + 2
_NEEDS = _GROUP + CONNECTED + 1
FEATURES = _NEEDS + _MAX_NEEDS + 1

OUTPUT = FEATURES  # + round: the rows of output weights
ROWS = OUTPUT + ROUNDS + 1

# What describing a board needs: for each island its need or its free room, the room of its lines, its look as the end
# of a line and the size of its group.
SIGHT_FIELDS: list[Any] = [
    ("active", np.int64, (SLOTS,)),
    ("before", np.int64, (SLOTS,)),
    ("layer", np.float32, (WIDTH,)),
    ("layer_before", np.float32, (WIDTH,)),
    ("space", np.int64, (ISLANDS,)),
    ("room", np.int64, (ISLANDS,)),
    ("end", np.int64, (ISLANDS,)),
    ("group", np.int64, (ISLANDS,)),
]


class Values(NamedTuple):
    """How boards are rated: the weights for any board, the network of this board (or one without rows), the pay."""

    weights: Any
    net: Any
    pay: Any


def no_net() -> Any:
    """Stands for the network of a board that has none."""
    return np.empty((0, WIDTH), np.float32)


def board_text(state: State) -> str:
    """Islands with their flags and lines of a board: what a network belongs to."""
    islands = (f"{place:02}{' rb'[flag]}".strip() for place, flag in zip(state.place, state.flag, strict=True))
    lines = (f"{state.line_from[line]}-{state.line_to[line]}" for line in range(state.lines))
    return f"{' '.join(islands)} / {' '.join(lines)}"


@cache
def _learnt_nets() -> dict[str, Any]:
    with np.load(NETS) as learnt:
        nets = learnt["nets"].astype(np.float32)
        return dict(zip(map(str, learnt["boards"]), nets, strict=True))


def find_net(state: State) -> Any:
    """The network of a state's board; one without rows if nobody has trained any."""
    return _learnt_nets().get(board_text(state), no_net())


@kernel
def see_islands(state: State, seat: int, sight: Any) -> None:
    """Note need or free room, and the look as the end of a line, of every island."""
    for island in range(ISLANDS):
        number, degree = state.number[seat, island], state.degree[seat, island]
        sight.room[island] = 0
        if number != 0:
            sight.space[island] = number - degree
            sight.end[island] = 1 + min(number - degree, _END_KINDS - 2)
        else:
            sight.space[island] = MAX_NUMBER - degree
            sight.end[island] = min(degree, 1)


@kernel
def see_lines(state: State, seat: int, sight: Any, active: Any) -> None:
    """The features of the lines; on the way, how many bridges the open ones can bring to each island."""
    closed = state.closed[seat]
    for line in range(LINES):
        bridges = state.bridges[seat, line]
        kind = bridges
        if closed >> line & 1 == 0:
            first, second = state.line_from[line], state.line_to[line]
            left = MAX_ON_LINE - bridges
            sight.room[first] += min(left, sight.space[second])
            sight.room[second] += min(left, sight.space[first])
            ends = sight.end[first] * _END_KINDS + sight.end[second]
            kind = _OPEN + ends * MAX_ON_LINE + bridges
        active[ISLANDS + line] = _LINE + line * _LINE_KINDS + kind


@kernel
def see_groups(state: State, seat: int, sight: Any) -> int:
    """Note the size of the group of every finished island, six for more; the size of the largest."""
    largest = 0
    unseen = state.finished[seat]
    while unseen != 0:
        group = finished_group(state, seat, unseen)
        unseen &= ~group
        size = min(count_bits(group), CONNECTED)
        largest = max(largest, size)
        while group != 0:
            sight.group[lowest_bit(group)] = size
            group &= group - 1
    return largest


@kernel
def see_board(state: State, seat: int, bridges_out: int, sight: Any, active: Any) -> None:
    """Write the feature of every slot but those that only a card changes."""
    see_islands(state, seat, sight)
    see_lines(state, seat, sight, active)
    largest = see_groups(state, seat, sight)
    finished = state.finished[seat]
    needs = blanks = lost_red = lost_blue = 0
    for island in range(ISLANDS):
        space, room = sight.space[island], sight.room[island]
        if finished >> island & 1 != 0:
            kind = sight.group[island] - 1
            is_lost = False
        elif state.number[seat, island] != 0:
            needs += space
            kind = _NEEDY + (space - 1) * _SPARES + max(-1, min(_MAX_SPARE, room - space)) + 1
            is_lost = room < space
        else:
            degree = MAX_NUMBER - space
            kind = _FREE + degree * (_MAX_ROOM + 1) + min(room, _MAX_ROOM)
            is_lost = degree == 0 and room == 0
            blanks += not is_lost
        if is_lost:
            lost_red += state.flag[island] == Flag.RED
            lost_blue += state.flag[island] == Flag.BLUE
        active[island] = island * _ISLAND_KINDS + kind
    rounds_left = ROUNDS - state.round_number
    supply = bridges_out * rounds_left // (rounds_left + 1) - needs // 2  # one of the cards out stays hidden
    red = count_bits(finished & state.flagged[Flag.RED])
    blue = count_bits(finished & state.flagged[Flag.BLUE])
    won_red, won_blue, won_six = (state.won_in[seat, 0] > 0), (state.won_in[seat, 1] > 0), (state.won_in[seat, 2] > 0)
    active[_BOARD_SLOT] = _SUPPLY + _SUPPLY_SPAN + max(-_SUPPLY_SPAN, min(_SUPPLY_SPAN, supply))
    beyond = max(-_BLANKS_SHORT, min(_BLANKS_BEYOND, blanks - rounds_left))
    active[_BOARD_SLOT + 1] = _BLANKS + _BLANKS_SHORT + beyond
    active[_BOARD_SLOT + 2] = _RED + red * 5 + lost_red
    active[_BOARD_SLOT + 3] = _BLUE + blue * 4 + lost_blue
    active[_BOARD_SLOT + 4] = _WON + won_red + 2 * won_blue + 4 * won_six
    active[_BOARD_SLOT + 5] = _PARITY + needs % 2
    active[_BOARD_SLOT + 6] = _GROUP + largest
    active[_BOARD_SLOT + 7] = _NEEDS + min(needs, _MAX_NEEDS)


@kernel
def see_pile(state: State, active: Any) -> None:
    """Write the features that only a card changes: the round, and what is still out by number and by bridges."""
    active[_PILE_SLOT] = _ROUND + state.round_number
    for number in range(MAX_NUMBER):
        out = 0
        for bridges in range(MAX_CARD_BRIDGES):
            out += state.pile[number * MAX_CARD_BRIDGES + bridges]
        feature = _NUMBERS_OUT + number * (_MAX_SAME_NUMBER + 1) + min(out, _MAX_SAME_NUMBER)
        active[_PILE_SLOT + 1 + number] = feature
    for bridges in range(MAX_CARD_BRIDGES):
        out = 0
        for number in range(MAX_NUMBER):
            out += state.pile[number * MAX_CARD_BRIDGES + bridges]
        feature = _BRIDGES_OUT + bridges * (_MAX_SAME_BRIDGES + 1) + min(out, _MAX_SAME_BRIDGES)
        active[_PILE_SLOT + 1 + MAX_NUMBER + bridges] = feature


@kernel
def fill_layer(net: Any, active: Any, layer: Any) -> None:
    """The hidden layer of the features in all slots."""
    for unit in range(WIDTH):
        layer[unit] = 0.0
    for slot in range(SLOTS):
        feature = active[slot]
        for unit in range(WIDTH):
            layer[unit] += net[feature, unit]


@kernel
def read_out(net: Any, layer: Any, round_number: int) -> float:
    """The value that a hidden layer stands for after a round."""
    row = OUTPUT + round_number
    value = np.float32(0.0)
    for unit in range(STRAIGHT):
        value += layer[unit] * net[row, unit]
    for unit in range(STRAIGHT, WIDTH):
        value += max(layer[unit], np.float32(0.0)) * net[row, unit]
    return value  # type: ignore[return-value]


@kernel
def look_before(state: State, seat: int, bridges_out: int, net: Any, sight: Any) -> None:
    """Keep the layer of the board as it is, to which turns will be compared."""
    see_pile(state, sight.before)
    see_board(state, seat, bridges_out, sight, sight.before)
    for slot in range(_PILE_SLOT, _BOARD_SLOT):
        sight.active[slot] = sight.before[slot]
    fill_layer(net, sight.before, sight.layer_before)


@kernel
def net_value(state: State, seat: int, bridges_out: int, net: Any, sight: Any) -> float:
    """What a board is worth from the next round on; `look_before` has seen it earlier in the same round."""
    see_board(state, seat, bridges_out, sight, sight.active)
    for unit in range(WIDTH):
        sight.layer[unit] = sight.layer_before[unit]
    for slot in range(SLOTS):
        feature, old = sight.active[slot], sight.before[slot]
        if feature != old:
            for unit in range(WIDTH):
                sight.layer[unit] += net[feature, unit] - net[old, unit]
    return read_out(net, sight.layer, state.round_number)
