"""The rules of Pairs."""

from enum import IntEnum
from typing import Any

from pairs.state import CARD, DROP, KEEP, MAX_KEPT, PAIR, VALUES, Phase
from threespan.core.kernel import entry, kernel
from threespan.core.layout import State
from threespan.core.rules import CHANCE


class Rule(IntEnum):
    """The clauses, in the order of the rule book."""

    LEGAL = 0
    NOT_NOW = 1
    NO_CARD = 2
    NO_PAIR = 3
    TOO_MANY = 4
    PAIRS = 5
    LEFT_OVER = 6


@entry
def can_pair(state: State, seat: int) -> bool:
    """Whether a seat holds two cards of the same value."""
    for value in range(VALUES):
        if state.hand[seat, value] >= 2:
            return True
    return False


@kernel
def acting(state: State) -> int:
    """Chance deals and draws; the seat whose turn it is plays."""
    if state.phase == Phase.OVER:
        return 0
    return 1 << (state.turn if state.phase == Phase.PLAY else CHANCE)


@kernel
def check(state: State, seat: int, action: int) -> int:
    """The first clause that forbids an action, or LEGAL."""
    if acting(state) >> seat & 1 == 0 or (seat == CHANCE) != (action >= CARD):
        return Rule.NOT_NOW
    if action >= CARD:
        return Rule.LEGAL if state.deck[action - CARD] > 0 else Rule.NO_CARD
    if action == KEEP:
        return Rule.LEGAL if state.hand_size[seat] <= MAX_KEPT else Rule.TOO_MANY
    if action >= DROP:
        return Rule.LEGAL if state.hand[seat, action - DROP] > 0 else Rule.NO_CARD
    return Rule.LEGAL if state.hand[seat, action - PAIR] >= 2 else Rule.NO_PAIR


@kernel
def legal(state: State, seat: int, actions: Any) -> int:
    """Write the legal actions into `actions` and return their number."""
    count = 0
    for action in range(CARD + VALUES):
        if check(state, seat, action) == Rule.LEGAL:
            actions[count] = action
            count += 1
    return count


@kernel
def apply(state: State, seat: int, action: int) -> None:
    """Apply a legal action."""
    if seat == CHANCE:
        _draw_card(state, action - CARD)
    elif action == KEEP:
        _end_turn(state)
    elif action >= DROP:
        _remove(state, seat, action - DROP, 1)
        state.dropped[action - DROP] += 1
        _end_turn(state)
    else:
        _remove(state, seat, action - PAIR, 2)
        state.pairs[seat, action - PAIR] += 1


@kernel
def _draw_card(state: State, value: int) -> None:
    """Give a card to the seat whose turn it is; the deal goes around."""
    state.deck[value] -= 1
    state.deck_size -= 1
    state.hand[state.turn, value] += 1
    state.hand_size[state.turn] += 1
    if state.phase == Phase.DRAW:
        state.phase = Phase.PLAY
        return
    state.turn = (state.turn + 1) % state.players
    if state.hand_size[state.players - 1] == state.dealt:
        state.phase = Phase.DRAW


@kernel
def _remove(state: State, seat: int, value: int, count: int) -> None:
    """Remove cards from a hand."""
    state.hand[seat, value] -= count
    state.hand_size[seat] -= count


@kernel
def _end_turn(state: State) -> None:
    """The next seat draws, if there is a card left."""
    state.turn = (state.turn + 1) % state.players
    state.phase = Phase.DRAW if state.deck_size > 0 else Phase.OVER


@kernel
def tickets(state: State) -> int:
    """One ticket for every card in the deck."""
    return state.deck_size  # type: ignore[no-any-return]


@kernel
def draw(state: State, ticket: int) -> int:
    """The card for a ticket; cards are ordered by value."""
    value = 0
    while ticket >= state.deck[value]:
        ticket -= state.deck[value]
        value += 1
    return CARD + value


@kernel
def weight(state: State, action: int) -> int:
    """As many tickets as there are cards of the value."""
    return state.deck[action - CARD]  # type: ignore[no-any-return]


@kernel
def points(state: State, seat: int, clause: int) -> int:
    """PAIRS: the value of every pair; LEFT_OVER: one less for every card in the hand at the end."""
    total = 0
    if clause == Rule.PAIRS:
        for value in range(VALUES):
            total += (value + 1) * state.pairs[seat, value]
    elif clause == Rule.LEFT_OVER and state.phase == Phase.OVER:
        total -= state.hand_size[seat]
    return total


@kernel
def outcome(state: State, scores: Any, ranks: Any) -> None:
    """More points rank higher; ties share a rank."""
    for seat in range(state.players):
        scores[seat] = points(state, seat, Rule.PAIRS) + points(state, seat, Rule.LEFT_OVER)
    for seat in range(state.players):
        ranks[seat] = 1
        for other in range(state.players):
            if scores[other] > scores[seat]:
                ranks[seat] += 1
