"""Sets of fields.

A set is a number of 256 bits, 16 rows of 16 fields; bit 0 is the top left field. One step of all walks at once is a
shift of the whole number. That is how these functions define it, and how it runs uncompiled. In kernels the number is
a vector of four words, which most processors hold in one register: compiled_sets.py tells the compiler how. So kernels
that take or return sets can be called by kernels only.
"""

from typing import Any

from threespan.core.kernel import IS_LINKED, bits_of
from threespan.games.stege.state import FIELDS, WIDTH, WORD_BITS

Fields = int

_ALL: int = 2**FIELDS - 1
WORD: int = 2**WORD_BITS - 1
_FIRST_COLUMN = sum(1 << row * WIDTH for row in range(WIDTH))
NOT_FIRST_COLUMN = _ALL ^ _FIRST_COLUMN
NOT_LAST_COLUMN = _ALL ^ _FIRST_COLUMN << WIDTH - 1
BYTE = 8
# The bits that are set in each byte, ascending, then zeros.
BITS_OF_BYTE = [(bits_of(byte) + [0] * BYTE)[:BYTE] for byte in range(2**BYTE)]


def load(words: Any) -> Fields:
    """A set that a state keeps."""
    return sum((int(word) & WORD) << index * WORD_BITS for index, word in enumerate(words))


def word_of(a: Fields, index: int) -> int:
    """One of the four words of a set, to look at its bits."""
    return a >> index * WORD_BITS & WORD


def single(field: int) -> Fields:
    """The set of one field."""
    return 1 << int(field)


def is_empty(a: Fields) -> bool:
    """Whether a set has no field."""
    return a == 0


def up(a: Fields) -> Fields:
    """All fields one row up; what leaves the grid is gone."""
    return a >> WIDTH


def down(a: Fields) -> Fields:
    """All fields one row down; what leaves the grid is gone."""
    return a << WIDTH & _ALL


def left(a: Fields) -> Fields:
    """All fields one column to the left; what leaves the grid is gone."""
    return a >> 1 & NOT_LAST_COLUMN


def right(a: Fields) -> Fields:
    """All fields one column to the right; what leaves the grid is gone."""
    return a << 1 & NOT_FIRST_COLUMN


def write_byte(actions: Any, count: int, offset: int, bits: int) -> None:
    """Write `offset` + bit for the bits of a byte, ascending, into `actions` from `count` on.

    Always writes eight values; those behind the last bit mean nothing and are written over or ignored.
    """
    actions[count : count + BYTE] = [offset + bit for bit in BITS_OF_BYTE[bits]]


if not IS_LINKED:
    import threespan.games.stege.compiled_sets  # noqa: F401 # makes these functions known to the compiler
