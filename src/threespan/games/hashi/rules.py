"""The rules of Hashi, each written once. Clause names are those of the rule book.

Every function works on one state; `seat` is the player whose board is meant. Masks of islands and lines
make the legal actions fast; `check` is the definition they are tested against.
"""

from typing import Any

from threespan.core.kernel import kernel, lowest_bit
from threespan.core.layout import State
from threespan.core.rules import CHANCE
from threespan.games.hashi.board import build, buildable, can_follow, open_lines, refresh, write
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.pen import act_freely, check_freely, legal_freely, settle_mistakes
from threespan.games.hashi.scoring import award
from threespan.games.hashi.state import (
    BRIDGE,
    CARD,
    CARD_KINDS,
    CARDS,
    DONE,
    ISLANDS,
    MAX_CARD_BRIDGES,
    MAX_NUMBER,
    MAX_ON_LINE,
    NONE,
    ROUNDS,
    SKIP,
    START_NUMBERS,
    WRITE,
    Flag,
    Pen,
    Phase,
    SeatStep,
)

FIRST_START, LAST_START = START_NUMBERS


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
    if step == SeatStep.DONE or action < WRITE or action >= CARD:
        return Rule.NOT_NOW
    if step == SeatStep.START:
        return check_start(state, action)
    if state.pen == Pen.FREE:
        return check_freely(state, seat, action)
    if action < BRIDGE:
        number = action % MAX_NUMBER + 1
        if step != SeatStep.WRITE or number != state.card_number:
            return Rule.NOT_NOW
        return check_write(state, seat, action // MAX_NUMBER, number)
    if action < SKIP:
        if step != SeatStep.BRIDGE:
            return Rule.NOT_NOW
        return check_bridge(state, seat, state.line_of_pair[action - BRIDGE])
    if action > SKIP:
        return Rule.NOT_NOW
    if step == SeatStep.BRIDGE and state.bridges_left[seat] < state.card_bridges:
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
        is_skipped = action == SKIP or (action == DONE and state.pen == Pen.FREE)
        return Rule.START_NUMBER if is_skipped else Rule.NOT_NOW
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


# Legal actions


@kernel
def legal(state: State, seat: int, actions: Any) -> int:
    """Write the legal actions, ascending, into `actions`; how many there are."""
    if seat == CHANCE:
        return legal_cards(state, actions)
    if acting(state) >> seat & 1 == 0:
        return 0
    step = state.step[seat]
    if step == SeatStep.START:
        return legal_starts(state, actions)
    if state.pen == Pen.FREE:
        return legal_freely(state, seat, actions)
    count = 0
    if step == SeatStep.WRITE:
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
    elif state.step[seat] == SeatStep.START:
        state.start[seat] = action
        finish(state, seat)
    elif state.pen == Pen.FREE:
        if action == DONE:
            finish(state, seat)
        else:
            act_freely(state, seat, action)
    elif action < BRIDGE:
        island = action // MAX_NUMBER
        write(state, seat, island, action % MAX_NUMBER + 1)
        state.written[seat] = island
        state.step[seat] = SeatStep.BRIDGE
    elif action < SKIP:
        line = state.line_of_pair[action - BRIDGE]
        build(state, seat, line)
        note_drawn(state, seat, line)
        if state.bridges_left[seat] == 0:
            finish(state, seat)
    elif state.step[seat] == SeatStep.WRITE:
        state.step[seat] = SeatStep.BRIDGE
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
        state.step[seat] = SeatStep.WRITE
        state.bridges_left[seat] = state.card_bridges


@kernel
def finish(state: State, seat: int) -> None:
    """A seat has finished; when all have, the phase ends."""
    state.step[seat] = SeatStep.DONE
    state.waiting &= ~(1 << seat)
    if state.pen == Pen.FREE:
        refresh(state, seat)  # what is too few becomes a mistake now
    if state.waiting != 0:
        return
    if state.phase == Phase.START:
        pass_boards(state)
    elif state.pen == Pen.FREE:
        settle_mistakes(state)
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
