"""What can be done with sets of fields: neighbours, floods, and walks."""

from typing import Any

from threespan.core.kernel import count_bits, kernel, lowest_bit
from threespan.core.memory import int64
from threespan.games.stege.sets import BYTE, Fields, down, is_empty, left, right, up, word_of, write_byte
from threespan.games.stege.state import WORD_BITS, WORDS

_ALL_BITS = 2**BYTE - 1  # of a byte
_ONE = int64(1)  # shifted into the sign it stays a word, also uncompiled


@kernel
def beside(a: Fields) -> Fields:
    """The fields that share an edge with a field of a set."""
    return up(a) | down(a) | left(a) | right(a)


@kernel
def around(a: Fields) -> Fields:
    """The fields that share an edge or a corner with a field of a set, and the set itself."""
    rows = a | up(a) | down(a)
    return rows | left(rows) | right(rows)


@kernel
def flood(origin: Fields, ground: Fields, diagonal: bool) -> Fields:
    """Everything on `ground` that steps from `origin` lead to, edge to edge or also `diagonal`ly."""
    found = origin
    frontier = origin
    while not is_empty(frontier):
        near = around(frontier) if diagonal else beside(frontier)
        frontier = near & ground & ~found
        found = found | frontier
    return found


@kernel
def walk_ends(planks: Fields, origin: Fields, pips: int) -> tuple[Fields, Fields]:
    """Where walks of exactly `pips` steps from `origin` end, and where they are one step before.

    NO_SHUTTLE: a walk remembers the direction of its last step, and the next one may be any but the opposite.
    So there is one set for each last direction, and all walks with that direction go on together.
    """
    before = origin
    ups, downs = up(origin) & planks, down(origin) & planks
    lefts, rights = left(origin) & planks, right(origin) & planks
    for _ in range(pips - 1):
        along, across = ups | downs, lefts | rights
        before = along | across
        ups, downs = up(ups | across) & planks, down(downs | across) & planks
        lefts, rights = left(lefts | along) & planks, right(rights | along) & planks
    return ups | downs | lefts | rights, before


@kernel
def append_sparse(fields: Fields, base: int, actions: Any, count: int) -> int:
    """Append `base` + field for all fields of a set, ascending, to `actions`; the new count.

    The first two fields of a word are written whether they are there or not, and only counted if they are: a branch
    that cannot be foreseen costs more than they do.
    """
    for index in range(WORDS):
        word = word_of(fields, index)
        for _ in range(2):
            actions[count] = base + index * WORD_BITS + lowest_bit(word)
            count += word != 0
            word &= word - 1
        while word != 0:
            actions[count] = base + index * WORD_BITS + lowest_bit(word)
            count += 1
            word &= word - 1
    return count


@kernel
def append_dense(fields: Fields, base: int, actions: Any, count: int) -> int:
    """The same as `append_sparse`, faster for large sets; up to eight values of no meaning follow the last field."""
    for index in range(WORDS):
        word = word_of(fields, index)
        for first in range(0, WORD_BITS, BYTE):
            bits = word >> first & _ALL_BITS
            write_byte(actions, count, base + index * WORD_BITS + first, bits)
            count += count_bits(bits)
    return count


# Single fields of a set that a state keeps


@kernel
def has(words: Any, field: int) -> bool:
    """Whether a field is in a set."""
    return words[field // WORD_BITS] >> field % WORD_BITS & 1 != 0  # type: ignore[no-any-return]


@kernel
def flip(words: Any, field: int) -> None:
    """Put a field into a set, or take it out if it is there."""
    words[field // WORD_BITS] ^= _ONE << field % WORD_BITS
