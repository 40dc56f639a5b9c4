"""Advice for the search that plays Nim: any of the functions in `threespan.bots.evaluation`."""

from nim.state import HEAPS, LARGEST
from threespan.core.kernel import kernel
from threespan.core.layout import State


@kernel
def rate(state: State, seat: int, action: int) -> float:  # noqa: ARG001
    """A move wins if the XOR of the remaining heap sizes is 0."""
    left = 0
    for heap in range(HEAPS):
        left ^= state.heap[heap]
    heap, count = action // LARGEST, action % LARGEST + 1
    left ^= state.heap[heap] ^ (state.heap[heap] - count)
    return 1.0 if left == 0 else 0.0
