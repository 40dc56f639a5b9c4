"""What a board of Hashi is worth by a small network that knows the islands and lines of one board by name.

A board is described by one feature in each of `SLOTS` slots: what every island and every line looks like, which cards
are still out, and a few for the board as a whole. Each feature adds its row to a hidden layer; the first units of it go
straight to the output, the others only where they are positive, with one row of output weights a round. Turns change
few slots, so the layer of the board before a turn is kept and only the differences are added.
"""

from typing import Any, NamedTuple

from threespan.core.kernel import count_bits, kernel, lowest_bit
from threespan.core.layout import State
from threespan.core.memory import float32, int64, new_array
from threespan.games.hashi.scoring import CONNECTED
from threespan.games.hashi.state import (
    BONUSES,
    CARD_KINDS,
    ISLANDS,
    MAX_CARD_BRIDGES,
    MAX_NUMBER,
    MAX_ON_LINE,
    ROUNDS,
    Flag,
)

WIDTH = 96  # hidden units; a multiple of four
STRAIGHT = 8  # of them, those that go straight to the output
STEP = 0.004  # how finely weights are kept in the file
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
_KIND_SLOT = _PILE_SLOT + 1 + MAX_NUMBER + MAX_CARD_BRIDGES
_BOARD_SLOT = _KIND_SLOT + CARD_KINDS
_MATCH_SLOT = _BOARD_SLOT + 8
SLOTS = _MATCH_SLOT + MAX_NUMBER + 5

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
# Cards out of one kind; by number, free islands with so many bridges and cards out that would finish them; islands that
# lack one bridge and cards out with one bridge; the two largest groups; the largest network and what is finished of it;
# flagged islands without a number and what the others lack.
_KINDS_OUT = _NEEDS + _MAX_NEEDS + 1
_MATCHES = _KINDS_OUT + CARD_KINDS * (_MAX_SAME_NUMBER + 1)
_MAX_READY = 3
_SINGLES = _MATCHES + MAX_NUMBER * (_MAX_READY + 1) * (_MAX_SAME_NUMBER + 1)
_MAX_SINGLES = 6
_GROUPS = _SINGLES + (_MAX_SINGLES + 1) * (_MAX_SAME_BRIDGES + 1)
_NETWORK = _GROUPS + (CONNECTED + 1) ** 2
_MAX_NETWORK = 9
_RED_WORK = _NETWORK + (_MAX_NETWORK + 1) * (CONNECTED + 1)
_MAX_FLAGS = 4
_MAX_WORK = 8
_BLUE_WORK = _RED_WORK + (_MAX_FLAGS + 1) * (_MAX_WORK + 1)
FEATURES = _BLUE_WORK + (_MAX_FLAGS + 1) * (_MAX_WORK + 1)

OUTPUT = FEATURES  # + round: the rows of output weights
ROWS = OUTPUT + ROUNDS + 1

# What describing a board needs: for each island its need or its free room, the room of its lines, its look as the end
# of a line and the size of its group.
SIGHT_FIELDS: list[Any] = [
    ("active", int64, (SLOTS,)),
    ("before", int64, (SLOTS,)),
    ("layer", float32, (WIDTH,)),
    ("layer_before", float32, (WIDTH,)),
    ("space", int64, (ISLANDS,)),
    ("room", int64, (ISLANDS,)),
    ("end", int64, (ISLANDS,)),
    ("group", int64, (ISLANDS,)),
    ("joined", int64, (ISLANDS,)),
    ("numbers_out", int64, (MAX_NUMBER + 1,)),
    ("bridges_out", int64, (MAX_CARD_BRIDGES + 1,)),
    ("ready", int64, (MAX_NUMBER + 1,)),
]


class Values(NamedTuple):
    """How boards are rated: the weights for any board, the network of this board (or one without rows), the pay."""

    weights: Any
    net: Any
    pay: Any


def no_net() -> Any:
    """Stands for the network of a board that has none."""
    return new_array((0, WIDTH), float32)


def board_text(state: State) -> str:
    """Islands with their flags and lines of a board: what a network belongs to."""
    islands = (f"{place:02}{' rb'[flag]}".strip() for place, flag in zip(state.place, state.flag, strict=True))
    lines = (f"{state.line_from[line]}-{state.line_to[line]}" for line in range(state.lines))
    return f"{' '.join(islands)} / {' '.join(lines)}"


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
def see_joints(state: State, seat: int, sight: Any) -> None:
    """Note for every island the mask of those that bridges join to it."""
    for island in range(ISLANDS):
        sight.joined[island] = 0
    lines = state.built[seat]
    while lines != 0:
        line = lowest_bit(lines)
        lines &= lines - 1
        first, second = state.line_from[line], state.line_to[line]
        sight.joined[first] |= 1 << second
        sight.joined[second] |= 1 << first


@kernel
def joined_group(sight: Any, islands: int) -> int:
    """Of some islands, the first and all that bridges join to it without leaving them."""
    group = frontier = islands & -islands
    while frontier != 0:
        new = sight.joined[lowest_bit(frontier)] & islands & ~group
        group |= new
        frontier = frontier & (frontier - 1) | new
    return group


@kernel
def see_groups(state: State, seat: int, sight: Any) -> tuple[int, int]:
    """Note the size of the group of every finished island, six for more; the sizes of the two largest."""
    largest = second = 0
    unseen = state.finished[seat]
    while unseen != 0:
        group = joined_group(sight, unseen)
        unseen &= ~group
        size = min(count_bits(group), CONNECTED)
        second = max(second, min(largest, size))
        largest = max(largest, size)
        while group != 0:
            sight.group[lowest_bit(group)] = size
            group &= group - 1
    return largest, second


@kernel
def see_network(state: State, seat: int, sight: Any) -> int:
    """The feature of the islands, finished or not, that bridges join to the largest network."""
    unseen = state.reached[seat]
    size = done = 0
    while count_bits(unseen) > size:
        network = joined_group(sight, unseen)
        unseen &= ~network
        if count_bits(network) > size:
            size = count_bits(network)
            done = count_bits(network & state.finished[seat])
    return _NETWORK + min(size, _MAX_NETWORK) * (CONNECTED + 1) + min(done, CONNECTED)  # type: ignore[no-any-return]


@kernel
def see_matches(sight: Any, singles: int, active: Any) -> None:
    """The features of what the board lacks beside what is still out."""
    for number in range(1, MAX_NUMBER + 1):
        pair = min(sight.ready[number], _MAX_READY) * (_MAX_SAME_NUMBER + 1) + sight.numbers_out[number]
        feature = _MATCHES + (number - 1) * (_MAX_READY + 1) * (_MAX_SAME_NUMBER + 1) + pair
        active[_MATCH_SLOT + number - 1] = feature
    pair = min(singles, _MAX_SINGLES) * (_MAX_SAME_BRIDGES + 1) + sight.bridges_out[1]
    active[_MATCH_SLOT + MAX_NUMBER] = _SINGLES + pair


@kernel
def see_board(state: State, seat: int, bridges_out: int, sight: Any, active: Any) -> None:
    """Write the feature of every slot but those that only a card changes."""
    see_islands(state, seat, sight)
    see_lines(state, seat, sight, active)
    see_joints(state, seat, sight)
    largest, second = see_groups(state, seat, sight)
    finished = state.finished[seat]
    needs = blanks = lost_red = lost_blue = singles = 0
    red_free = red_work = blue_free = blue_work = 0
    for number in range(MAX_NUMBER + 1):
        sight.ready[number] = 0
    for island in range(ISLANDS):
        space, room = sight.space[island], sight.room[island]
        free = work = 0
        if finished >> island & 1 != 0:
            kind = sight.group[island] - 1
            is_lost = False
        elif state.number[seat, island] != 0:
            needs += space
            work = space
            singles += space == 1
            kind = _NEEDY + (space - 1) * _SPARES + max(-1, min(_MAX_SPARE, room - space)) + 1
            is_lost = room < space
        else:
            degree = MAX_NUMBER - space
            free = 1
            sight.ready[degree] += 1
            kind = _FREE + degree * (_MAX_ROOM + 1) + min(room, _MAX_ROOM)
            is_lost = degree == 0 and room == 0
            blanks += not is_lost
        if state.flag[island] == Flag.RED:
            lost_red += is_lost
            red_free += free
            red_work += work
        elif state.flag[island] == Flag.BLUE:
            lost_blue += is_lost
            blue_free += free
            blue_work += work
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
    see_matches(sight, singles, active)
    rest = _MATCH_SLOT + MAX_NUMBER + 1
    active[rest] = _GROUPS + largest * (CONNECTED + 1) + second
    active[rest + 1] = see_network(state, seat, sight)
    active[rest + 2] = _RED_WORK + min(red_free, _MAX_FLAGS) * (_MAX_WORK + 1) + min(red_work, _MAX_WORK)
    active[rest + 3] = _BLUE_WORK + min(blue_free, _MAX_FLAGS) * (_MAX_WORK + 1) + min(blue_work, _MAX_WORK)


@kernel
def see_pile(state: State, sight: Any, active: Any) -> None:
    """Write the features that only a card changes: the round, and what is still out by number, by bridges, by kind."""
    active[_PILE_SLOT] = _ROUND + state.round_number
    for number in range(1, MAX_NUMBER + 1):
        sight.numbers_out[number] = 0
    for bridges in range(1, MAX_CARD_BRIDGES + 1):
        sight.bridges_out[bridges] = 0
    for kind in range(CARD_KINDS):
        out = state.pile[kind]
        sight.numbers_out[kind // MAX_CARD_BRIDGES + 1] += out
        sight.bridges_out[kind % MAX_CARD_BRIDGES + 1] += out
        feature = _KINDS_OUT + kind * (_MAX_SAME_NUMBER + 1) + min(out, _MAX_SAME_NUMBER)
        active[_KIND_SLOT + kind] = feature
    for number in range(1, MAX_NUMBER + 1):
        out = sight.numbers_out[number] = min(sight.numbers_out[number], _MAX_SAME_NUMBER)
        active[_PILE_SLOT + number] = _NUMBERS_OUT + (number - 1) * (_MAX_SAME_NUMBER + 1) + out
    for bridges in range(1, MAX_CARD_BRIDGES + 1):
        out = sight.bridges_out[bridges] = min(sight.bridges_out[bridges], _MAX_SAME_BRIDGES)
        feature = _BRIDGES_OUT + (bridges - 1) * (_MAX_SAME_BRIDGES + 1) + out
        active[_PILE_SLOT + MAX_NUMBER + bridges] = feature


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
    # Four sums side by side, or each addition would wait for the one before.
    sum_0 = sum_1 = sum_2 = sum_3 = zero = float32(0.0)
    for unit in range(STRAIGHT):
        sum_0 += layer[unit] * net[row, unit]
    for unit in range(STRAIGHT, WIDTH, 4):
        sum_0 += max(layer[unit], zero) * net[row, unit]
        sum_1 += max(layer[unit + 1], zero) * net[row, unit + 1]
        sum_2 += max(layer[unit + 2], zero) * net[row, unit + 2]
        sum_3 += max(layer[unit + 3], zero) * net[row, unit + 3]
    return (sum_0 + sum_1) + (sum_2 + sum_3)  # type: ignore[return-value]


@kernel
def look_before(state: State, seat: int, bridges_out: int, net: Any, sight: Any) -> None:
    """Keep the layer of the board as it is, to which turns will be compared."""
    see_pile(state, sight, sight.before)
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
