"""The rules of Hashi, each written once. Clause names are those of the rule book.

Every function works on one state; `seat` is the player whose board is meant. Masks of islands and lines
make the legal actions fast; `check` is the definition they are tested against.
"""

from enum import IntEnum
from typing import Any

import numpy as np

from threespan.core.kernel import count_bits, entry, kernel, lowest_bit
from threespan.core.layout import State
from threespan.core.rules import CHANCE
from threespan.games.hashi.state import (
    BONUSES,
    BRIDGE,
    CARD,
    CARD_KINDS,
    CARDS,
    ISLANDS,
    MAX_CARD_BRIDGES,
    MAX_NUMBER,
    MAX_ON_LINE,
    NONE,
    ROUNDS,
    SKIP,
    START_NUMBERS,
    WRITE,
    Bonus,
    Flag,
    Phase,
    Step,
)

NO_LINE = 63  # a bit that no mask of lines has
CONNECTED = 6  # islands that SIX_CONNECTED asks for
POINTS_PER_ISLAND = 2
FIRST_START, LAST_START = START_NUMBERS

# What each race pays the first and the others; in solo play, until which card it pays in full.
FULL_PAY = (9, 7, 8)
LATE_PAY = (5, 3, 4)
SOLO_LIMIT = (12, 7, 12)
# As arrays: kernels would check whether an index fits a tuple.
_FULL_PAY, _LATE_PAY, _SOLO_LIMIT = np.array(FULL_PAY), np.array(LATE_PAY), np.array(SOLO_LIMIT)


class Rule(IntEnum):
    """The clauses, in the order of the rule book."""

    LEGAL = 0
    NOT_NOW = 1
    SAME_SIDE = 2
    START_NUMBER = 3
    HIDDEN_CARD = 4
    SKIP = 5
    ISLAND_TAKEN = 6
    FLAG_NEEDS_BRIDGE = 7
    NUMBER_TOO_SMALL = 8
    NO_SUCH_LINE = 9
    NEEDS_NUMBER = 10
    LINE_FULL = 11
    CROSSING = 12
    ISLAND_FULL = 13
    OVER_SIX = 14
    ALL_OR_NOTHING = 15
    RED_FLAGS = 16
    BLUE_FLAGS = 17
    SIX_CONNECTED = 18
    FINISHED_ISLAND = 19
    SHARED_WIN = 20


# Who acts, and what is allowed


@kernel
def acting(state: State) -> int:
    """Everybody who has not finished; chance when a card is due."""
    return 1 << CHANCE if state.phase == Phase.CARD else state.waiting


@kernel
def check(state: State, seat: int, action: int) -> int:
    """The first clause that forbids an action, or LEGAL."""
    if seat == CHANCE:
        return check_card(state, action)
    if state.phase == Phase.CARD or state.phase == Phase.OVER or seat >= state.players:
        return Rule.NOT_NOW
    step = state.step[seat]
    if step == Step.DONE or action < WRITE or action >= CARD:
        return Rule.NOT_NOW
    if step == Step.START:
        return check_start(state, action)
    if action < BRIDGE:
        number = action % MAX_NUMBER + 1
        if step != Step.WRITE or number != state.card_number:
            return Rule.NOT_NOW
        return check_write(state, seat, action // MAX_NUMBER, number)
    if action < SKIP:
        if step != Step.BRIDGE:
            return Rule.NOT_NOW
        return check_bridge(state, seat, state.line_of_pair[action - BRIDGE])
    if step == Step.BRIDGE and state.bridges_left[seat] < state.card_bridges:
        return Rule.ALL_OR_NOTHING
    return Rule.LEGAL


@kernel
def check_card(state: State, action: int) -> int:
    """Whether chance may turn up a card: it must be in the pile, and the last one stays hidden."""
    if action < CARD or action >= CARD + CARD_KINDS:
        return Rule.NOT_NOW
    if state.round_number == ROUNDS:
        return Rule.HIDDEN_CARD
    if state.phase != Phase.CARD:
        return Rule.NOT_NOW
    return Rule.LEGAL if state.pile[action - CARD] > 0 else Rule.HIDDEN_CARD


@kernel
def check_start(state: State, action: int) -> int:
    """Whether an action writes a proper start number."""
    if action >= BRIDGE:
        return Rule.START_NUMBER if action == SKIP else Rule.NOT_NOW
    number = action % MAX_NUMBER + 1
    if number < FIRST_START or number > LAST_START or state.flag[action // MAX_NUMBER] != Flag.NO:
        return Rule.START_NUMBER
    return Rule.LEGAL


@kernel
def check_write(state: State, seat: int, island: int, number: int) -> int:
    """Whether an island takes a number."""
    if state.number[seat, island] != 0:
        return Rule.ISLAND_TAKEN
    if state.flag[island] != Flag.NO and state.degree[seat, island] == 0:
        return Rule.FLAG_NEEDS_BRIDGE
    if number < state.degree[seat, island]:
        return Rule.NUMBER_TOO_SMALL
    return Rule.LEGAL


@kernel
def check_bridge(state: State, seat: int, line: int) -> int:
    """Whether a line takes one more bridge and the rest of the card's bridges can follow."""
    if line == NONE:
        return Rule.NO_SUCH_LINE
    first, second = state.line_from[line], state.line_to[line]
    number_first, number_second = state.number[seat, first], state.number[seat, second]
    if number_first == 0 and number_second == 0:
        return Rule.NEEDS_NUMBER
    if state.bridges[seat, line] >= MAX_ON_LINE:
        return Rule.LINE_FULL
    if state.crossing[line] & state.built[seat] != 0:
        return Rule.CROSSING
    if number_first != 0 and state.degree[seat, first] >= number_first:
        return Rule.ISLAND_FULL
    if number_second != 0 and state.degree[seat, second] >= number_second:
        return Rule.ISLAND_FULL
    if state.degree[seat, first] >= MAX_NUMBER or state.degree[seat, second] >= MAX_NUMBER:
        return Rule.OVER_SIX
    if not can_follow(state, seat, open_lines(state, seat), line, state.bridges_left[seat] - 1):
        return Rule.ALL_OR_NOTHING
    return Rule.LEGAL


# Bridges


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
        state.finished[seat] |= 1 << island


@kernel
def write(state: State, seat: int, island: int, number: int) -> None:
    """Write a number on an island."""
    state.number[seat, island] = number
    state.numbered[seat] |= 1 << island
    state.anchored[seat] |= state.touching[island]
    if state.degree[seat, island] == number:
        state.finished[seat] |= 1 << island
        state.closed[seat] |= state.touching[island]


@kernel
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


# Legal actions


@kernel
def legal(state: State, seat: int, actions: Any) -> int:
    """Write the legal actions, ascending, into `actions`; how many there are."""
    if seat == CHANCE:
        return legal_cards(state, actions)
    if acting(state) >> seat & 1 == 0:
        return 0
    step = state.step[seat]
    if step == Step.START:
        return legal_starts(state, actions)
    count = 0
    if step == Step.WRITE:
        number = state.card_number
        islands = (state.flagged[Flag.NO] | state.reached[seat]) & ~state.numbered[seat]
        while islands != 0:
            island = lowest_bit(islands)
            actions[count] = WRITE + island * MAX_NUMBER + number - 1
            count += state.degree[seat, island] <= number
            islands &= islands - 1
    else:
        lines = buildable(state, seat)
        while lines != 0:
            actions[count] = state.line_action[lowest_bit(lines)]
            count += 1
            lines &= lines - 1
        if state.bridges_left[seat] < state.card_bridges:
            return count
    actions[count] = SKIP
    return count + 1


@kernel
def legal_starts(state: State, actions: Any) -> int:
    """START_NUMBER: a 3 or a 4 on any island without a flag."""
    count = 0
    for island in range(ISLANDS):
        if state.flag[island] == Flag.NO:
            for number in range(FIRST_START, LAST_START + 1):
                actions[count] = WRITE + island * MAX_NUMBER + number - 1
                count += 1
    return count


@kernel
def legal_cards(state: State, actions: Any) -> int:
    """The kinds of card that are still in the pile."""
    count = 0
    if state.phase == Phase.CARD:
        for kind in range(CARD_KINDS):
            if state.pile[kind] > 0:
                actions[count] = CARD + kind
                count += 1
    return count


# Carrying actions out


@kernel
def apply(state: State, seat: int, action: int) -> None:
    """Carry out a legal action."""
    if seat == CHANCE:
        turn_up(state, action - CARD)
    elif state.step[seat] == Step.START:
        state.start[seat] = action
        finish(state, seat)
    elif action < BRIDGE:
        island = action // MAX_NUMBER
        write(state, seat, island, action % MAX_NUMBER + 1)
        state.written[seat] = island
        state.step[seat] = Step.BRIDGE
    elif action < SKIP:
        line = state.line_of_pair[action - BRIDGE]
        build(state, seat, line)
        note_drawn(state, seat, line)
        if state.bridges_left[seat] == 0:
            finish(state, seat)
    elif state.step[seat] == Step.WRITE:
        state.step[seat] = Step.BRIDGE
    else:
        finish(state, seat)


@kernel
def note_drawn(state: State, seat: int, line: int) -> None:
    """Remember a bridge of this round; lines are kept in ascending order, so that only the marks count."""
    index = state.card_bridges - state.bridges_left[seat]
    while index > 0 and state.drawn[seat, index - 1] > line:
        state.drawn[seat, index] = state.drawn[seat, index - 1]
        index -= 1
    state.drawn[seat, index] = line
    state.bridges_left[seat] -= 1


@kernel
def turn_up(state: State, kind: int) -> None:
    """Begin a round with a card."""
    state.pile[kind] -= 1
    state.round_number += 1
    state.phase = Phase.ROUND
    state.card_number = kind // MAX_CARD_BRIDGES + 1
    state.card_bridges = kind % MAX_CARD_BRIDGES + 1
    state.waiting = (1 << state.players) - 1
    for seat in range(state.players):
        state.step[seat] = Step.WRITE
        state.bridges_left[seat] = state.card_bridges


@kernel
def finish(state: State, seat: int) -> None:
    """A seat has finished; when all have, the phase ends."""
    state.step[seat] = Step.DONE
    state.waiting &= ~(1 << seat)
    if state.waiting != 0:
        return
    if state.phase == Phase.START:
        pass_boards(state)
    for player in range(state.players):
        award(state, player)
        forget_round(state, player)
    state.phase = Phase.OVER if state.round_number == ROUNDS else Phase.CARD


@kernel
def pass_boards(state: State) -> None:
    """START_NUMBER: the board with its start number goes to the left neighbour."""
    for seat in range(state.players):
        left = (seat + 1) % state.players
        action = state.start[seat]
        if action != NONE:  # unknown in an observation
            write(state, left, action // MAX_NUMBER, action % MAX_NUMBER + 1)
    for seat in range(state.players):
        state.start[seat] = NONE


@kernel
def forget_round(state: State, seat: int) -> None:
    """From now on everybody knows what a seat did in the round."""
    state.bridges_left[seat] = 0
    state.written[seat] = NONE
    for index in range(MAX_CARD_BRIDGES):
        state.drawn[seat, index] = NONE


# Chance


@kernel
def tickets(state: State) -> int:
    """One ticket for each card that is not turned up; the hidden one is among them until the end."""
    return CARDS - state.round_number  # type: ignore[no-any-return]


@kernel
def draw(state: State, ticket: int) -> int:
    """The card of a ticket."""
    kind = 0
    while ticket >= state.pile[kind]:
        ticket -= state.pile[kind]
        kind += 1
    return CARD + kind


@kernel
def weight(state: State, action: int) -> int:
    """How many cards of a kind may come."""
    return state.pile[action - CARD]  # type: ignore[no-any-return]


# Scoring


@kernel
def award(state: State, seat: int) -> None:
    """Note the races that a seat has completed by the end of this round."""
    finished = state.finished[seat]
    for bonus in range(BONUSES):
        if state.won_in[seat, bonus] == 0:
            if bonus == Bonus.SIX_CONNECTED:
                complete = has_six_connected(state, seat)
            else:
                wanted = state.flagged[Flag.RED if bonus == Bonus.RED_FLAGS else Flag.BLUE]
                complete = finished & wanted == wanted
            if complete:
                state.won_in[seat, bonus] = state.round_number


@kernel
def has_six_connected(state: State, seat: int) -> bool:
    """SIX_CONNECTED: six finished islands joined by bridges, no unfinished one between them."""
    unseen = state.finished[seat]
    while count_bits(unseen) >= CONNECTED:
        group = finished_group(state, seat, unseen)
        if count_bits(group) >= CONNECTED:
            return True
        unseen &= ~group
    return False


@kernel
def finished_group(state: State, seat: int, islands: int) -> int:
    """Of some finished islands, the first and all that bridges join to it without leaving them."""
    group = islands & -islands
    frontier = group
    while frontier != 0:
        lines = state.touching[lowest_bit(frontier)] & state.built[seat]
        frontier &= frontier - 1
        while lines != 0:
            line = lowest_bit(lines)
            lines &= lines - 1
            new = (1 << state.line_from[line] | 1 << state.line_to[line]) & islands & ~group
            group |= new
            frontier |= new
    return group


@entry
def points(state: State, seat: int, clause: int) -> int:
    """The points that a seat has from one clause of the score sheet."""
    if clause == Rule.FINISHED_ISLAND:
        return POINTS_PER_ISLAND * count_bits(state.finished[seat]) if state.phase == Phase.OVER else 0
    bonus = clause - Rule.RED_FLAGS
    won_in = state.won_in[seat, bonus]
    return pay(state, bonus, won_in) if won_in != 0 else 0


@kernel
def pay(state: State, bonus: int, won_in: int) -> int:
    """What a race pays a seat that completes it in the round `won_in`."""
    if state.players == 1:
        return _FULL_PAY[bonus] if won_in <= _SOLO_LIMIT[bonus] else _LATE_PAY[bonus]  # type: ignore[no-any-return]
    for other in range(state.players):
        if 0 < state.won_in[other, bonus] < won_in:
            return _LATE_PAY[bonus]  # type: ignore[no-any-return]
    return _FULL_PAY[bonus]  # type: ignore[no-any-return]


@kernel
def outcome(state: State, scores: Any, ranks: Any) -> None:
    """Scores and ranks as things stand; SHARED_WIN: equal points share a rank."""
    for seat in range(state.players):
        scores[seat] = 0
        for clause in range(Rule.RED_FLAGS, Rule.SHARED_WIN):
            scores[seat] += points(state, seat, clause)
    for seat in range(state.players):
        ranks[seat] = 1
        for other in range(state.players):
            ranks[seat] += scores[other] > scores[seat]
