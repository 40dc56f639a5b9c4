"""Hidden information: a seat knows its own hand, all sizes, and everything public."""

from typing import Any

from pairs.rules import draw
from pairs.state import CARD, COPIES, VALUES, Phase
from threespan.core.chance import below
from threespan.core.kernel import kernel
from threespan.core.layout import State


@kernel
def hide(state: State, seat: int) -> None:
    """Hide the deck and the other hands; at the end all hands are public."""
    if state.phase == Phase.OVER:
        return
    for value in range(VALUES):
        state.deck[value] = 0
        for other in range(state.players):
            if other != seat:
                state.hand[other, value] = 0


@kernel
def imagine(state: State, seat: int, rng: Any) -> None:
    """Deal the unseen cards to the other hands at random; the rest is the deck."""
    if state.phase == Phase.OVER:
        return
    unseen = state.deck_size
    for value in range(VALUES):
        known = state.dropped[value]
        for other in range(state.players):
            known += 2 * state.pairs[other, value]
        if seat >= 0:
            known += state.hand[seat, value]
        state.deck[value] = COPIES - known
    for other in range(state.players):
        if other != seat:
            unseen += state.hand_size[other]
    for other in range(state.players):
        if other != seat:
            for _ in range(state.hand_size[other]):
                value = draw(state, below(rng, unseen)) - CARD
                state.deck[value] -= 1
                state.hand[other, value] += 1
                unseen -= 1
