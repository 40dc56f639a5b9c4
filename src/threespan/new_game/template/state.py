"""The state of Nim, and the numbers of its actions."""

from threespan.core.layout import Field, Layout
from threespan.core.memory import int8
from threespan.core.rules import MAX_SEATS

HEAPS = 3
LARGEST = 9

# The numbers of the actions.
TAKE = 0  # + heap * 9 + count - 1
HEAP = TAKE + HEAPS * LARGEST  # + size - 1; chance fills the heaps one by one
ACTIONS = HEAP + LARGEST

LAYOUT = Layout(
    Field("players", int8, (), 1, MAX_SEATS, "number of players"),
    Field("filled", int8, (), 0, HEAPS, "heaps that chance has filled"),
    Field("limit", int8, (), 1, LARGEST, "maximum size of a heap"),
    Field("heap", int8, (HEAPS,), 0, LARGEST, "stones in each heap"),
    Field("turn", int8, (), 0, MAX_SEATS - 1, "the seat that acts"),
    Field("last", int8, (), -1, MAX_SEATS - 1, "the seat that took stones last, -1 for none"),
)
