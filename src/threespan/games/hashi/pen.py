"""The free pen: drawing whatever the board allows, erasing mistakes, and what the referee does when a round ends."""

from typing import Any

from threespan.core.kernel import called_kernel, count_bits, kernel, lowest_bit
from threespan.core.layout import State
from threespan.games.hashi.board import refresh
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.referee import (
    ALL_MARKS,
    ROUND_BRIDGES,
    bridges_of,
    card_of,
    first_clause,
    is_bridge,
    islands_of,
    line_of,
    standing,
    verdict,
)
from threespan.games.hashi.state import (
    BRIDGE,
    DONE,
    ERASE_BRIDGE,
    ERASE_NUMBER,
    ISLANDS,
    MARKS,
    MAX_NUMBER,
    MAX_ON_LINE,
    MAX_ROUND_BRIDGES,
    NONE,
    ROUND_MARKS,
    ROUNDS,
    SKIP,
    THIS_ROUND,
    WRITE,
    SeatStep,
)

THIS_BRIDGES = ROUND_BRIDGES << THIS_ROUND  # the places of this round's bridges


# What is allowed


@called_kernel
def check_freely(state: State, seat: int, action: int) -> int:
    """The first clause that forbids an action of the free pen in a round, or LEGAL."""
    step = state.step[seat]
    if action < BRIDGE:
        return check_number(state, seat, action // MAX_NUMBER, action % MAX_NUMBER + 1)
    if action < SKIP:
        return Rule.NOT_NOW if step == SeatStep.WRITE else check_line(state, seat, state.line_of_pair[action - BRIDGE])
    if action == SKIP:
        return Rule.LEGAL if step == SeatStep.WRITE else Rule.NOT_NOW
    if action == DONE:
        return Rule.LEGAL
    return check_erasing(state, seat, mark_to_erase(state, action))


@kernel
def check_number(state: State, seat: int, island: int, number: int) -> int:
    """Whether the pen may write: the card's number, once a round, on an island without one."""
    is_redrawing = state.erased[seat] >> THIS_ROUND & 1 != 0
    if number != state.card_number or (state.step[seat] != SeatStep.WRITE and not is_redrawing):
        return Rule.NOT_NOW
    if state.number[seat, island] != 0:
        return Rule.ISLAND_TAKEN
    return Rule.MISTAKE_FIXABLE if is_redrawing else Rule.LEGAL


@kernel
def check_line(state: State, seat: int, line: int) -> int:
    """Whether the pen may draw a bridge: on a dotted line with room, six in a round, none after one was erased."""
    if line == NONE:
        return Rule.NO_SUCH_LINE
    if state.bridges[seat, line] >= MAX_ON_LINE:
        return Rule.LINE_FULL
    if count_bits(standing(state, seat) & THIS_BRIDGES) >= MAX_ROUND_BRIDGES:
        return Rule.ALL_OR_NOTHING
    return Rule.MISTAKE_FIXABLE if state.erased[seat] & THIS_BRIDGES != 0 else Rule.LEGAL


@kernel
def mark_to_erase(state: State, action: int) -> int:
    """What an action erases, or NONE for a pair of islands without a line."""
    if action < ERASE_BRIDGE:
        return 1 + action - ERASE_NUMBER
    line = state.line_of_pair[action - ERASE_BRIDGE]
    return NONE if line == NONE else 1 + ISLANDS + line


@kernel
def check_erasing(state: State, seat: int, mark: int) -> int:
    """MISTAKE_FIXABLE: only mistakes of this round and the last can be erased, if nothing depends on them."""
    if mark == NONE:
        return Rule.MISTAKE_FIXABLE
    at = find_mistake(state, seat, mark)
    if at != NONE:
        return Rule.LEGAL if can_erase(state, seat, at) else Rule.MISTAKE_FIXABLE
    if is_bridge(mark):
        is_too_late = state.wrong_bridges[seat, line_of(mark)] > 0
    else:
        is_too_late = state.wrong_numbers[seat] >> (mark - 1) & 1 != 0
    return Rule.MISTAKE_STANDS if is_too_late else Rule.MISTAKE_FIXABLE


@kernel
def find_mistake(state: State, seat: int, mark: int) -> int:
    """The place of a wrong mark, of two the one drawn last, or NONE."""
    for index in range(MARKS):
        at = MARKS - 1 - index
        if state.marks[seat, at] == mark and state.verdicts[seat, at] != 0:
            return at
    return NONE


@kernel
def erased_with(state: State, seat: int, at: int) -> int:
    """All that is erased with a mark, as a mask: with a bridge the others of its round, if too few would remain."""
    if is_bridge(state.marks[seat, at]):
        bridges = standing(state, seat) & bridges_of(at)
        if count_bits(bridges) - 1 < card_of(state, at):
            return bridges
    return 1 << at


@called_kernel
def can_erase(state: State, seat: int, at: int) -> bool:
    """Whether all that would remain is judged in the same way without a mark and what is erased with it."""
    removed = erased_with(state, seat, at)
    remaining = standing(state, seat) & ~removed & ALL_MARKS << lowest_bit(removed)
    while remaining != 0:
        other = lowest_bit(remaining)
        if verdict(state, seat, other, removed) != state.verdicts[seat, other]:
            return False
        remaining &= remaining - 1
    return True


# Legal actions


@called_kernel
def legal_freely(state: State, seat: int, actions: Any) -> int:
    """Write the legal actions of a seat in a round, ascending; how many there are."""
    count = 0
    if state.step[seat] == SeatStep.WRITE:
        for island in range(ISLANDS):
            if state.number[seat, island] == 0:
                actions[count] = WRITE + island * MAX_NUMBER + state.card_number - 1
                count += 1
        actions[count] = SKIP
        count += 1
    else:
        drawn = count_bits(standing(state, seat) & THIS_BRIDGES)
        if drawn < MAX_ROUND_BRIDGES and state.erased[seat] & THIS_BRIDGES == 0:
            for line in range(state.lines):
                if state.bridges[seat, line] < MAX_ON_LINE:
                    actions[count] = state.line_action[line]
                    count += 1
    actions[count] = DONE
    return legal_erasing(state, seat, actions, count + 1)


@kernel
def legal_erasing(state: State, seat: int, actions: Any, count: int) -> int:
    """Add what can be erased to the legal actions: numbers, then bridges."""
    islands = lines = 0
    for at in range(MARKS):
        if state.verdicts[seat, at] != 0:
            mark = state.marks[seat, at]
            if is_bridge(mark):
                lines &= ~(1 << line_of(mark))  # of two on a line only the one drawn last counts
                lines |= can_erase(state, seat, at) << line_of(mark)
            else:
                islands |= can_erase(state, seat, at) << (mark - 1)
    while islands != 0:
        actions[count] = ERASE_NUMBER + lowest_bit(islands)
        count += 1
        islands &= islands - 1
    while lines != 0:
        actions[count] = state.line_action[lowest_bit(lines)] - BRIDGE + ERASE_BRIDGE
        count += 1
        lines &= lines - 1
    return count


# Drawing and erasing


@called_kernel
def act_freely(state: State, seat: int, action: int) -> None:
    """Carry out a legal action of the free pen in a round, Done aside."""
    if action < BRIDGE:
        island = action // MAX_NUMBER
        state.number[seat, island] = action % MAX_NUMBER + 1
        state.marks[seat, THIS_ROUND] = 1 + island
        state.step[seat] = SeatStep.BRIDGE
    elif action < SKIP:
        line = state.line_of_pair[action - BRIDGE]
        state.bridges[seat, line] += 1
        at = THIS_ROUND + 1
        while state.marks[seat, at] != 0:
            at += 1
        state.marks[seat, at] = 1 + ISLANDS + line
    elif action == SKIP:
        state.step[seat] = SeatStep.BRIDGE
    else:
        at = find_mistake(state, seat, mark_to_erase(state, action))
        erase(state, seat, erased_with(state, seat, at))
    count_left(state, seat)
    refresh(state, seat)


@kernel
def count_left(state: State, seat: int) -> None:
    """How many bridges the card still asks for; after erasing one of this round no more may be drawn."""
    left = state.card_bridges - count_bits(standing(state, seat) & THIS_BRIDGES)
    state.bridges_left[seat] = max(left, 0) if state.erased[seat] & THIS_BRIDGES == 0 else 0


@kernel
def erase(state: State, seat: int, removed: int) -> None:
    """Take marks off the board; which they were is remembered until the round ends."""
    take_off(state, seat, removed)
    state.erased[seat] |= removed


@kernel
def take_off(state: State, seat: int, places: int) -> None:
    """Take the marks at some places off the board."""
    while places != 0:
        mark = state.marks[seat, lowest_bit(places)]
        places &= places - 1
        if is_bridge(mark):
            state.bridges[seat, line_of(mark)] -= 1
        else:
            state.number[seat, mark - 1] = 0


@kernel
def undo_round(state: State, seat: int) -> None:
    """Bring a board back to what it was when the card was turned up."""
    take_off(state, seat, standing(state, seat) & ALL_MARKS << THIS_ROUND)
    put_back = state.erased[seat] & ~(ALL_MARKS << THIS_ROUND)
    while put_back != 0:
        mark = state.marks[seat, lowest_bit(put_back)]
        put_back &= put_back - 1
        if is_bridge(mark):
            state.bridges[seat, line_of(mark)] += 1
        else:
            state.number[seat, mark - 1] = state.last_number
    for at in range(THIS_ROUND, MARKS):
        state.marks[seat, at] = 0
    state.erased[seat] = 0
    state.bridges_left[seat] = 0


# The end of a round


@called_kernel
def settle_mistakes(state: State) -> None:
    """MISTAKE_STANDS: at the end of a round, strike out what can no longer be erased; after the last one, all."""
    is_last = state.round_number == ROUNDS
    for seat in range(state.players):
        if is_last:
            erase_for(state, seat)
        strike_out(state, seat, 0)
        if is_last:
            strike_out(state, seat, THIS_ROUND)
    state.last_number, state.last_bridges = state.card_number, state.card_bridges
    for seat in range(state.players):
        begin_marks(state, seat, is_last)
        refresh(state, seat)


@kernel
def erase_for(state: State, seat: int) -> None:
    """After the last round the referee erases what can be erased, last drawn first, until nothing changes."""
    at = MARKS - 1
    while at >= THIS_ROUND:
        if state.verdicts[seat, at] != 0 and can_erase(state, seat, at):
            erase(state, seat, erased_with(state, seat, at))
            refresh(state, seat)
            at = MARKS
        at -= 1


@kernel
def strike_out(state: State, seat: int, first: int) -> None:
    """Strike out the islands of the mistakes of a round, whose marks begin at a place.

    If the lawful bridges of the round are fewer than its card shows, a wrong one has bought them: all their islands go.
    """
    on_board = standing(state, seat)
    bought_by = 0
    lawful = 0
    for at in range(first, first + ROUND_MARKS):
        mark, broken = state.marks[seat, at], state.verdicts[seat, at]
        if on_board >> at & 1 == 0:
            continue
        if is_bridge(mark):
            lawful += broken == 0
        if broken != 0:
            strike(state, seat, mark, first_clause(broken))
            if is_bridge(mark):
                state.wrong_bridges[seat, line_of(mark)] += 1
                bought_by = first_clause(broken) if bought_by == 0 else bought_by
            else:
                state.wrong_numbers[seat] |= 1 << (mark - 1)
    if bought_by != 0 and lawful < card_of(state, first):
        bridges = on_board & bridges_of(first)
        while bridges != 0:
            strike(state, seat, state.marks[seat, lowest_bit(bridges)], bought_by)
            bridges &= bridges - 1


@kernel
def strike(state: State, seat: int, mark: int, clause: int) -> None:
    """Strike out the islands of a mark for a clause; those that are already keep their reason."""
    islands = islands_of(state, mark)
    while islands != 0:
        island = lowest_bit(islands)
        islands &= islands - 1
        if state.struck[seat, island] == 0:
            state.struck[seat, island] = clause


@kernel
def begin_marks(state: State, seat: int, is_last: bool) -> None:
    """What was this round's becomes the last round's; after the last one nothing can be erased any more."""
    on_board = standing(state, seat)
    bridges = 1
    state.marks[seat, 0] = 0
    for at in range(THIS_ROUND, MARKS):
        mark = state.marks[seat, at]
        state.marks[seat, at] = 0
        if on_board >> at & 1 == 0 or is_last:
            continue
        if is_bridge(mark):
            state.marks[seat, bridges] = mark
            bridges += 1
        else:
            state.marks[seat, 0] = mark
    for at in range(bridges, ROUND_MARKS):
        state.marks[seat, at] = 0
    state.erased[seat] = 0
