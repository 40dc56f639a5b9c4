"""The state of Nim, and the numbers of its actions."""

import numpy as np

from threespan.core.layout import Field, Layout
from threespan.core.rules import MAX_SEATS

HEAPS = 3
LARGEST = 9

# The numbers of the actions.
TAKE = 0  # + heap * 9 + count - 1
HEAP = TAKE + HEAPS * LARGEST  # + size - 1; chance fills the heaps one by one
ACTIONS = HEAP + LARGEST

LAYOUT = Layout(
    Field("players", np.int8, (), 1, MAX_SEATS, "number of players"),
    Field("filled", np.int8, (), 0, HEAPS, "heaps that chance has filled"),
    Field("limit", np.int8, (), 1, LARGEST, "maximum size of a heap"),
    Field("heap", np.int8, (HEAPS,), 0, LARGEST, "stones in each heap"),
    Field("turn", np.int8, (), 0, MAX_SEATS - 1, "the seat that acts"),
    Field("last", np.int8, (), -1, MAX_SEATS - 1, "the seat that took stones last, -1 for none"),
)
