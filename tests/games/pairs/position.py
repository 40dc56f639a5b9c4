"""Checks of positions that come from a text."""

from collections.abc import Iterator

from pairs.state import CARDS
from threespan.core.layout import State, refuse


def refresh(state: State) -> None:
    """There are no derived fields; raises PositionError if the fields contradict each other."""
    refuse(complaints(state))


def complaints(state: State) -> Iterator[str]:
    """Every reason why the fields contradict each other."""
    if state.turn >= state.players:
        yield f"there are only {state.players} seats"
    if (
        int(state.deck_size) + int(state.hand_size.sum()) + 2 * int(state.pairs.sum()) + int(state.dropped.sum())
        != CARDS
    ):
        yield f"there are not {CARDS} cards in all"
