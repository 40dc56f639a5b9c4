"""Nim for environments: its actions and its observation tensor."""

from nim.state import HEAP, HEAPS, LARGEST
from threespan.research.description import ActionRange, Description
from threespan.research.tensor import Encoding, TensorField

DESCRIPTION = Description(
    ranges=(ActionRange("`take`", HEAP, "9 * heap + stones - 1"),),
    tensor_fields=(TensorField("heap"), TensorField("turn", Encoding.SEAT)),
    score_bounds=lambda _start: (0.0, 1.0),
    max_chance_actions=lambda _players: HEAPS,
    max_seat_actions=lambda _start: HEAPS * LARGEST,
)
