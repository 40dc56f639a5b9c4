"""The referee of the free pen: which clauses each mark breaks, and which islands its mistakes keep from being finished.

A mark is judged by what was on the board when it was drawn, wrong marks included. Verdicts follow from the board and
from the order of the marks, so they are worked out anew whenever something changes. They always come out the same: a
mark on which the verdict of another depends cannot be erased.
"""

from threespan.core.kernel import called_kernel, count_bits, entry, kernel, lowest_bit
from threespan.core.layout import State
from threespan.core.memory import constant
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.state import (
    ISLANDS,
    JUDGED,
    MARKS,
    MAX_NUMBER,
    ROUND_MARKS,
    THIS_ROUND,
    Flag,
    SeatStep,
)

ALL_MARKS = (1 << MARKS) - 1
ROUND_BRIDGES = ((1 << ROUND_MARKS) - 1) & ~1  # the places of the earlier round's bridges
NOTHING = 0  # a mask

FLAG_NEEDS_BRIDGE = 1 << JUDGED.index(Rule.FLAG_NEEDS_BRIDGE)
NUMBER_TOO_SMALL = 1 << JUDGED.index(Rule.NUMBER_TOO_SMALL)
NEEDS_NUMBER = 1 << JUDGED.index(Rule.NEEDS_NUMBER)
CROSSING = 1 << JUDGED.index(Rule.CROSSING)
ISLAND_FULL = 1 << JUDGED.index(Rule.ISLAND_FULL)
OVER_SIX = 1 << JUDGED.index(Rule.OVER_SIX)
ALL_OR_NOTHING = 1 << JUDGED.index(Rule.ALL_OR_NOTHING)

_CLAUSES = constant(JUDGED)  # an array: kernels would check whether an index fits a tuple


# The marks


@kernel
def standing(state: State, seat: int) -> int:
    """The places of all marks that are on the board, as a mask."""
    found = 0
    for at in range(MARKS):
        found |= (state.marks[seat, at] != 0) << at
    return found & ~state.erased[seat]  # type: ignore[no-any-return]


@kernel
def bridges_of(at: int) -> int:
    """The places of all bridges of the round of a mark, as a mask."""
    return ROUND_BRIDGES << THIS_ROUND if at >= THIS_ROUND else ROUND_BRIDGES


@kernel
def card_of(state: State, at: int) -> int:
    """How many bridges the card of a mark's round shows."""
    return state.card_bridges if at >= THIS_ROUND else state.last_bridges  # type: ignore[no-any-return]


@kernel
def is_bridge(mark: int) -> bool:
    """Whether a mark is a bridge rather than a number."""
    return mark > ISLANDS


@kernel
def line_of(mark: int) -> int:
    """The line of a bridge."""
    return mark - ISLANDS - 1


@kernel
def islands_of(state: State, mark: int) -> int:
    """The islands that a mistake puts at fault, as a mask: that of a number, both ends of a bridge."""
    if is_bridge(mark):
        return 1 << state.line_from[line_of(mark)] | 1 << state.line_to[line_of(mark)]  # type: ignore[no-any-return]
    return 1 << (mark - 1)


# Judging


@called_kernel
def verdict(state: State, seat: int, at: int, without: int) -> int:
    """The clauses that a mark breaks, as a mask: as it was drawn, or as if the marks `without` had never been."""
    mark = state.marks[seat, at]
    absent = (ALL_MARKS << at & ALL_MARKS | without) & ~state.erased[seat]  # of what is on the board now
    if not is_bridge(mark):
        return judge_number(state, seat, mark - 1, absent)
    broken = judge_bridge(state, seat, line_of(mark), absent)
    before = bridges_of(at) & ~(ALL_MARKS << at) & ~without & ~state.erased[seat]
    if count_bits(before) >= card_of(state, at) or is_short(state, seat, at):
        broken |= ALL_OR_NOTHING
    return broken


@kernel
def judge_number(state: State, seat: int, island: int, absent: int) -> int:
    """The clauses that a number breaks, some marks aside."""
    degree = degree_without(state, seat, island, absent)
    broken = 0
    if state.flag[island] != Flag.NO and degree == 0:
        broken |= FLAG_NEEDS_BRIDGE
    if state.number[seat, island] < degree:
        broken |= NUMBER_TOO_SMALL
    return broken


@kernel
def judge_bridge(state: State, seat: int, line: int, absent: int) -> int:
    """The clauses that a bridge breaks, ALL_OR_NOTHING and some marks aside."""
    broken = 0
    unnumbered = 0
    for end in range(2):
        island = state.line_from[line] if end == 0 else state.line_to[line]
        degree = degree_without(state, seat, island, absent)
        number = number_without(state, seat, island, absent)
        if number == 0:
            unnumbered += 1
            if degree >= MAX_NUMBER:
                broken |= OVER_SIX
        elif degree >= number:
            broken |= ISLAND_FULL
    if unnumbered == 2:
        broken |= NEEDS_NUMBER
    crossed = state.crossing[line] & state.built[seat]
    while crossed != 0:
        other = lowest_bit(crossed)
        crossed &= crossed - 1
        if bridges_without(state, seat, other, absent) > 0:
            broken |= CROSSING
    return broken


@kernel
def is_short(state: State, seat: int, at: int) -> bool:
    """Whether a round has ended for a seat with fewer bridges than its card shows, but some."""
    if at >= THIS_ROUND and state.step[seat] != SeatStep.DONE:
        return False
    count = count_bits(standing(state, seat) & bridges_of(at))
    return 0 < count < card_of(state, at)


@kernel
def degree_without(state: State, seat: int, island: int, absent: int) -> int:
    """The bridges at an island, those among some marks aside."""
    degree = state.degree[seat, island]
    while absent != 0:
        mark = state.marks[seat, lowest_bit(absent)]
        absent &= absent - 1
        if is_bridge(mark):
            degree -= islands_of(state, mark) >> island & 1
    return degree  # type: ignore[no-any-return]


@kernel
def number_without(state: State, seat: int, island: int, absent: int) -> int:
    """The number of an island, unless it is among some marks."""
    while absent != 0:
        if state.marks[seat, lowest_bit(absent)] == island + 1:
            return 0
        absent &= absent - 1
    return state.number[seat, island]  # type: ignore[no-any-return]


@kernel
def bridges_without(state: State, seat: int, line: int, absent: int) -> int:
    """The bridges on a line, those among some marks aside."""
    bridges = state.bridges[seat, line]
    while absent != 0:
        bridges -= state.marks[seat, lowest_bit(absent)] == ISLANDS + 1 + line
        absent &= absent - 1
    return bridges  # type: ignore[no-any-return]


@kernel
def first_clause(broken: int) -> int:
    """The clause that a mistake is named by."""
    return _CLAUSES[lowest_bit(broken)]  # type: ignore[no-any-return]


# What follows for a board


@kernel
def complete_islands(state: State, seat: int) -> int:
    """The islands with as many bridges as their number says, as a mask, whatever the referee thinks of them."""
    found = 0
    for island in range(ISLANDS):
        number = state.number[seat, island]
        found |= (number != 0 and number == state.degree[seat, island]) << island
    return found


@kernel
def struck_out(state: State, seat: int) -> int:
    """MISTAKE_STANDS: the islands that are struck out, as a mask."""
    found = 0
    for island in range(ISLANDS):
        found |= (state.struck[seat, island] != 0) << island
    return found


@entry
def looks_finished(state: State, seat: int) -> int:
    """The islands that look finished to somebody who does not judge marks, as a mask."""
    return complete_islands(state, seat) & ~struck_out(state, seat)


@called_kernel
def uncover_mistakes(state: State, seat: int) -> None:
    """Judge all marks, and see which islands count as finished.

    As long as a bridge of a round is wrong, no island that any bridge of that round leads to counts as finished, nor
    does an island with a wrong number.
    """
    on_board = standing(state, seat)
    wrong = 0
    barred = struck_out(state, seat)
    for at in range(MARKS):
        state.verdicts[seat, at] = verdict(state, seat, at, NOTHING) if on_board >> at & 1 != 0 else 0
        wrong |= (state.verdicts[seat, at] != 0) << at
    for at in range(MARKS):
        if on_board >> at & 1 != 0:
            mark = state.marks[seat, at]
            because = bridges_of(at) if is_bridge(mark) else 1 << at
            if wrong & because != 0:
                barred |= islands_of(state, mark)
    state.barred[seat] = barred
    state.finished[seat] = complete_islands(state, seat) & ~barred


@kernel
def cover_mistakes(state: State, seat: int) -> None:
    """Leave of a board what others see of it: mistakes that are not yet struck out look like any other mark."""
    for at in range(MARKS):
        state.verdicts[seat, at] = 0
    state.barred[seat] = struck_out(state, seat)
    state.finished[seat] = looks_finished(state, seat)


@entry
def has_mistake(state: State, seat: int) -> bool:
    """Whether a mark on a board is wrong that is not yet struck out; in an observation of others' boards, too."""
    on_board = standing(state, seat)
    while on_board != 0:
        if verdict(state, seat, lowest_bit(on_board), NOTHING) != 0:
            return True
        on_board &= on_board - 1
    return False
