"""What a board of Hashi is worth after a round: a sum of learnt weights over what can be seen on it.

For every round there is one row of weights. A board is described by one feature an island (its flag, what it still
needs or already has, how many bridges its lines can still take), one for every open line between two unfinished
islands, and a few for the board as a whole: the races, the supply of bridges, the islands without a number.
"""

from typing import Any

from threespan.core.kernel import count_bits, kernel, lowest_bit
from threespan.core.layout import State
from threespan.core.memory import constant, float64, new_array
from threespan.games.hashi.board import room
from threespan.games.hashi.scoring import CONNECTED, FULL_PAY, LATE_PAY, SOLO_LIMIT, finished_group
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

# One feature an island: finished; numbered, needing r bridges with room for c; free, having d bridges with room for c.
MAX_ROOM = 8
_ROOMS = MAX_ROOM + 1
FINISHED = 0
NEEDY = 1  # + (need - 1) * rooms + room
FREE = NEEDY + MAX_NUMBER * _ROOMS  # + degree * rooms + room
ISLAND_KINDS = FREE + (MAX_NUMBER + 1) * _ROOMS

# One feature an open line between two numbered islands: their needs, up to 3 each.
MAX_NEED = 3
PAIRS = 3 * ISLAND_KINDS

# The board as a whole.
SUPPLY = PAIRS + MAX_NEED * MAX_NEED
SUPPLY_SPAN = 12  # bridges to come less half the needs, from -12 to 12
RED = SUPPLY + 2 * SUPPLY_SPAN + 1  # + finished * 5 + lost
BLUE = RED + 25  # + finished * 4 + lost
GROUP = BLUE + 16  # + size of the largest group of finished islands, up to 6
BLANKS = GROUP + 7  # + free islands beyond the rounds to come, up to 6
PARITY = BLANKS + 7  # + parity of all needs
WON = PARITY + 2  # + red + 2 * blue + 4 * six
FEATURES = WON + 8

MAX_ACTIVE = ISLANDS + 40 + 8  # islands, open lines, whole board

# As arrays: kernels would check whether an index fits a tuple.
_FULL_PAY, _LATE_PAY, _SOLO_LIMIT = constant(FULL_PAY), constant(LATE_PAY), constant(SOLO_LIMIT)


@kernel
def write_race_pay(state: State, seat: int, completed_by: Any, pay: Any) -> None:
    """Write what completing each race in each round is expected to pay a seat, the others' progress considered."""
    now = state.round_number
    for bonus in range(BONUSES):
        is_taken = False
        for other in range(state.players):
            is_taken = is_taken or (other != seat and 0 < state.won_in[other, bonus] < now)
        still_open = 1 - completed_by[max(0, now - 1), bonus]
        for round_number in range(ROUNDS + 1):
            pay[round_number, bonus] = 0.0
            if round_number < max(1, now):
                continue
            first = 0.0
            if not is_taken and still_open > 0:
                first = 1.0
                for _ in range(state.players - 1):
                    first *= (1 - completed_by[round_number - 1, bonus]) / still_open
            pay[round_number, bonus] = _LATE_PAY[bonus] + (_FULL_PAY[bonus] - _LATE_PAY[bonus]) * first


@kernel
def write_solo_pay(pay: Any) -> None:
    """Write what completing each race in each round pays a solo player."""
    for round_number in range(ROUNDS + 1):
        for bonus in range(BONUSES):
            is_full = round_number <= _SOLO_LIMIT[bonus]
            pay[round_number, bonus] = _FULL_PAY[bonus] if is_full else _LATE_PAY[bonus]


def solo_pay() -> Any:
    """What completing each race in each round pays a solo player: one row a round."""
    pay = new_array((ROUNDS + 1, BONUSES), float64)
    write_solo_pay(pay)
    return pay


@kernel
def line_room(state: State, seat: int, line: int, other: int) -> int:
    """How many bridges a line can still bring to one of its ends, by the room of the other."""
    if state.closed[seat] >> line & 1 != 0:
        return 0
    return min(MAX_ON_LINE - state.bridges[seat, line], room(state, seat, other))  # type: ignore[no-any-return]


@kernel
def active_features(state: State, seat: int, pile_bridges: int, cards_left: int, active: Any) -> int:
    """Write the indices of the features that a board has, between rounds; how many there are."""
    count = 0
    lost_red = lost_blue = needs = blanks = 0
    for island in range(ISLANDS):
        kind = FINISHED
        flag = state.flag[island]
        if state.finished[seat] >> island & 1 == 0:
            rooms = 0
            lines = state.touching[island] & ~state.closed[seat]
            while lines != 0:
                line = lowest_bit(lines)
                lines &= lines - 1
                first, second = state.line_from[line], state.line_to[line]
                rooms += line_room(state, seat, line, second if first == island else first)
            number, degree = state.number[seat, island], state.degree[seat, island]
            if number != 0:
                need = number - degree
                needs += need
                kind = NEEDY + (need - 1) * _ROOMS + min(rooms, MAX_ROOM)
                lost = rooms < need
            else:
                kind = FREE + degree * _ROOMS + min(rooms, MAX_ROOM)
                lost = degree == 0 and rooms == 0
                blanks += not lost
            if flag == Flag.RED:
                lost_red += lost
            elif flag == Flag.BLUE:
                lost_blue += lost
        active[count] = flag * ISLAND_KINDS + kind
        count += 1
    count = line_features(state, seat, active, count)
    rounds_left = ROUNDS - state.round_number
    supply = 0
    if cards_left > 0:
        supply = pile_bridges * rounds_left // cards_left - needs // 2
    active[count] = SUPPLY + SUPPLY_SPAN + max(-SUPPLY_SPAN, min(SUPPLY_SPAN, supply))
    red = count_bits(state.finished[seat] & state.flagged[Flag.RED])
    blue = count_bits(state.finished[seat] & state.flagged[Flag.BLUE])
    active[count + 1] = RED + red * 5 + lost_red
    active[count + 2] = BLUE + blue * 4 + lost_blue
    active[count + 3] = GROUP + largest_group(state, seat)
    active[count + 4] = BLANKS + max(0, min(6, blanks - rounds_left))
    active[count + 5] = PARITY + needs % 2
    won_red, won_blue, won_six = (state.won_in[seat, 0] > 0), (state.won_in[seat, 1] > 0), (state.won_in[seat, 2] > 0)
    active[count + 6] = WON + won_red + 2 * won_blue + 4 * won_six
    return count + 7


@kernel
def line_features(state: State, seat: int, active: Any, count: int) -> int:
    """One feature for every open line between two unfinished numbered islands."""
    lines = state.anchored[seat] & ~state.closed[seat]
    while lines != 0:
        line = lowest_bit(lines)
        lines &= lines - 1
        first, second = state.line_from[line], state.line_to[line]
        number_first, number_second = state.number[seat, first], state.number[seat, second]
        if number_first != 0 and number_second != 0:
            need_first = min(MAX_NEED, number_first - state.degree[seat, first])
            need_second = min(MAX_NEED, number_second - state.degree[seat, second])
            active[count] = PAIRS + (need_first - 1) * MAX_NEED + need_second - 1
            count += 1
    return count


@kernel
def largest_group(state: State, seat: int) -> int:
    """The size, up to six, of the largest group of finished islands joined by bridges."""
    unseen = state.finished[seat]
    best = 0
    while count_bits(unseen) > best:
        group = finished_group(state, seat, unseen)
        best = max(best, count_bits(group))
        unseen &= ~group
    return min(best, CONNECTED)


@kernel
def pile_bridges(state: State) -> int:
    """The bridges on all cards that are not turned up, the hidden one included."""
    total = 0
    for kind in range(CARD_KINDS):
        total += state.pile[kind] * (kind % MAX_CARD_BRIDGES + 1)
    return total
