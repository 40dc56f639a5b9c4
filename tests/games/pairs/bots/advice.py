"""Advice for the search that plays Pairs."""

from pairs.state import DROP, KEEP, PAIR
from threespan.core.kernel import kernel
from threespan.core.layout import State


@kernel
def rate(state: State, seat: int, action: int) -> float:
    """Pairs first, high ones above all; cards that cannot become pairs any more are dropped."""
    if action < DROP:
        return 10.0 + action - PAIR
    if action == KEEP:
        return 2.0
    value = action - DROP
    return 3.0 if state.hand[seat, value] == 1 and state.dropped[value] >= 2 else 1.0
