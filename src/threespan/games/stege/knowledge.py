"""Who knows what in Stege: everybody everything. Jetties, stones and dice lie open."""

from typing import Any

from threespan.core.kernel import kernel
from threespan.core.layout import State


@kernel
def hide(state: State, seat: int) -> None:
    """Nothing is hidden."""


@kernel
def imagine(state: State, seat: int, rng: Any) -> None:
    """Nothing is left to the imagination."""
