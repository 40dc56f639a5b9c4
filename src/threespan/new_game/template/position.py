"""Checks of positions that come from a text."""

from collections.abc import Iterator

from nim.state import HEAPS
from threespan.core.layout import State, refuse


def refresh(state: State) -> None:
    """There are no derived fields; raises PositionError if the fields contradict each other."""
    refuse(complaints(state))


def complaints(state: State) -> Iterator[str]:
    """Every reason why the fields contradict each other."""
    if state.turn >= state.players or state.last >= state.players:
        yield f"there are only {state.players} seats"
    for heap in range(HEAPS):
        if state.heap[heap] > (state.limit if heap < state.filled else 0):
            yield f"heap {heap + 1} has too many stones"
