"""What is drawn on a board, and the masks of islands and lines that follow from it."""

from threespan.core.kernel import entry, kernel, lowest_bit
from threespan.core.layout import State
from threespan.games.hashi.referee import uncover_mistakes
from threespan.games.hashi.state import ISLANDS, MAX_NUMBER, MAX_ON_LINE, Pen

NO_LINE = 63  # a bit that no mask of lines has


@kernel
def open_lines(state: State, seat: int) -> int:
    """The lines that take a bridge now, ALL_OR_NOTHING aside."""
    return state.anchored[seat] & ~state.closed[seat]  # type: ignore[no-any-return]


@kernel
def room(state: State, seat: int, island: int) -> int:
    """How many more bridges an island takes (ISLAND_FULL, OVER_SIX)."""
    number = state.number[seat, island]
    limit = number if number != 0 else MAX_NUMBER
    return limit - state.degree[seat, island]  # type: ignore[no-any-return]


@kernel
def closed_by(state: State, seat: int, line: int, before: int) -> int:
    """The lines that a bridge on `line` closes, if a bridge on the line `before` (or NO_LINE) has come first."""
    lines = state.crossing[line]
    if state.bridges[seat, line] + (before == line) + 1 >= MAX_ON_LINE:
        lines |= 1 << line
    lines |= closed_at(state, seat, state.line_from[line], before)
    return lines | closed_at(state, seat, state.line_to[line], before)  # type: ignore[no-any-return]


@kernel
def closed_at(state: State, seat: int, island: int, before: int) -> int:
    """All lines of an island if one more bridge, after one on the line `before`, fills it; else none."""
    lines = state.touching[island]
    fills = room(state, seat, island) - (lines >> before & 1) <= 1
    return lines if fills else 0


@kernel
def can_follow(state: State, seat: int, lines: int, first: int, more: int) -> bool:
    """Whether `more` bridges (at most two) fit after one on the open line `first`. Exact: it tries them all."""
    if more == 0:
        return True
    lines &= ~closed_by(state, seat, first, NO_LINE)
    if more == 1:
        return lines != 0
    candidates = lines
    while candidates != 0:
        second = lowest_bit(candidates)
        if lines & ~closed_by(state, seat, second, first) != 0:
            return True
        candidates &= candidates - 1
    return False


@kernel
def buildable(state: State, seat: int) -> int:
    """The lines on which the next bridge may be drawn, as a mask: check_bridge for all lines at once."""
    lines = open_lines(state, seat)
    more = state.bridges_left[seat] - 1
    if more == 0:
        return lines
    allowed = 0
    candidates = lines
    while candidates != 0:
        line = lowest_bit(candidates)
        if can_follow(state, seat, lines, line, more):
            allowed |= 1 << line
        candidates &= candidates - 1
    return allowed


@kernel
def build(state: State, seat: int, line: int) -> None:
    """Draw one bridge."""
    state.closed[seat] |= closed_by(state, seat, line, NO_LINE)
    state.bridges[seat, line] += 1
    state.built[seat] |= 1 << line
    reach(state, seat, state.line_from[line])
    reach(state, seat, state.line_to[line])


@kernel
def reach(state: State, seat: int, island: int) -> None:
    """Count a bridge at an island."""
    state.degree[seat, island] += 1
    state.reached[seat] |= 1 << island
    if state.degree[seat, island] == state.number[seat, island]:
        state.finished[seat] |= 1 << island & ~state.barred[seat]


@kernel
def write(state: State, seat: int, island: int, number: int) -> None:
    """Write a number on an island."""
    state.number[seat, island] = number
    state.numbered[seat] |= 1 << island
    state.anchored[seat] |= state.touching[island]
    if state.degree[seat, island] == number:
        state.finished[seat] |= 1 << island & ~state.barred[seat]
        state.closed[seat] |= state.touching[island]


@entry
def refresh(state: State, seat: int) -> None:
    """Work out the derived fields of a board from its numbers and bridges."""
    state.degree[seat, :] = 0
    state.numbered[seat] = state.reached[seat] = state.finished[seat] = 0
    state.built[seat] = state.anchored[seat] = state.closed[seat] = 0
    for island in range(ISLANDS):
        if state.number[seat, island] != 0:
            write(state, seat, island, state.number[seat, island])
    for line in range(state.lines):
        bridges = state.bridges[seat, line]
        state.bridges[seat, line] = 0
        for _ in range(bridges):
            build(state, seat, line)
    if state.pen == Pen.FREE:
        uncover_mistakes(state, seat)
