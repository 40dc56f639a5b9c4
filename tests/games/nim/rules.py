"""The rules of Nim."""

from enum import IntEnum
from typing import Any

from nim.state import HEAP, HEAPS, LARGEST
from threespan.core.kernel import kernel
from threespan.core.layout import State
from threespan.core.rules import CHANCE


class Rule(IntEnum):
    """The clauses, in the order of the rule book."""

    LEGAL = 0
    NOT_NOW = 1
    TOO_MANY = 2
    LAST_STONE = 3


@kernel
def stones(state: State) -> int:
    """The number of stones left."""
    return state.heap[0] + state.heap[1] + state.heap[2]  # type: ignore[no-any-return]


@kernel
def acting(state: State) -> int:
    """Chance until the heaps are filled, then one seat after the other."""
    if state.filled < HEAPS:
        return 1 << CHANCE
    return 1 << state.turn if stones(state) > 0 else 0


@kernel
def check(state: State, seat: int, action: int) -> int:
    """The first clause that forbids an action, or LEGAL."""
    if acting(state) >> seat & 1 == 0 or (seat == CHANCE) != (action >= HEAP):
        return Rule.NOT_NOW
    if seat == CHANCE:
        return Rule.LEGAL if action - HEAP < state.limit else Rule.TOO_MANY
    return Rule.LEGAL if action % LARGEST < state.heap[action // LARGEST] else Rule.TOO_MANY


@kernel
def legal(state: State, seat: int, actions: Any) -> int:
    """Write the legal actions into `actions` and return their number."""
    count = 0
    for action in range(HEAP + LARGEST):
        if check(state, seat, action) == Rule.LEGAL:
            actions[count] = action
            count += 1
    return count


@kernel
def apply(state: State, seat: int, action: int) -> None:
    """Apply a legal action."""
    if seat == CHANCE:
        state.heap[state.filled] = action - HEAP + 1
        state.filled += 1
    else:
        state.heap[action // LARGEST] -= action % LARGEST + 1
        state.last = seat
        state.turn = (seat + 1) % state.players


@kernel
def tickets(state: State) -> int:
    """One ticket for every possible size of a heap."""
    return state.limit  # type: ignore[no-any-return]


@kernel
def draw(state: State, ticket: int) -> int:  # noqa: ARG001
    """The size of the heap for a ticket."""
    return HEAP + ticket


@kernel
def weight(state: State, action: int) -> int:  # noqa: ARG001
    """All sizes are equally likely."""
    return 1


@kernel
def points(state: State, seat: int, clause: int) -> int:
    """LAST_STONE: one point for the seat that took the last stone."""
    return 1 if clause == Rule.LAST_STONE and acting(state) == 0 and state.last == seat else 0


@kernel
def outcome(state: State, scores: Any, ranks: Any) -> None:
    """The winner ranks first, all others share the second rank."""
    for seat in range(state.players):
        scores[seat] = points(state, seat, Rule.LAST_STONE)
        ranks[seat] = 2 - scores[seat] if acting(state) == 0 else 1


@kernel
def hide(state: State, seat: int) -> None:
    """Nothing is hidden."""


@kernel
def imagine(state: State, seat: int, rng: Any) -> None:
    """Nothing is hidden."""
