"""Sets of fields: what the compiler makes of them is what their definitions say."""

from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from threespan.core.kernel import kernel
from threespan.games.stege.fields import append_dense, append_sparse, around, beside, flip, flood, has
from threespan.games.stege.sets import down, is_empty, left, load, right, single, up, word_of
from threespan.games.stege.state import FIELDS, WIDTH, WORDS

pytestmark = pytest.mark.kernels

EXAMPLES = settings(max_examples=50 if numba.config.DISABLE_JIT else 300)
SETS = st.one_of(
    st.integers(0, 2**FIELDS - 1),
    st.sets(st.integers(0, FIELDS - 1), max_size=12).map(lambda fields: sum(1 << field for field in fields)),
    st.sampled_from([0, 1, 2**63, 2**64, 2**255, 2**256 - 1]),
)


def words_of(fields: int) -> Any:
    return np.array([word_of(fields, index) for index in range(WORDS)], np.uint64).view(np.int64)


def plain(fields: int) -> set[tuple[int, int]]:
    return {divmod(field, WIDTH) for field in range(FIELDS) if fields >> field & 1}


@kernel
def store(fields: Any, words: Any) -> None:
    for index in range(WORDS):
        words[index] = word_of(fields, index)


@kernel
def work_out(a_words: Any, b_words: Any, field: int, results: Any) -> bool:
    a, b = load(a_words), load(b_words)
    store(up(a), results[0])
    store(down(a), results[1])
    store(left(a), results[2])
    store(right(a), results[3])
    store(a & b, results[4])
    store(a | b, results[5])
    store(a & ~b, results[6])
    store(single(field), results[7])
    store(beside(a), results[8])
    store(around(a), results[9])
    store(flood(single(field), a, False), results[10])
    store(flood(single(field), a, True), results[11])
    return is_empty(a)


@given(SETS, SETS, st.integers(0, FIELDS - 1))
@EXAMPLES
def test_sets_are_sets(a: int, b: int, field: int) -> None:
    results = np.zeros((12, WORDS), np.uint64)
    assert work_out(words_of(a), words_of(b), field, results) == (a == 0)
    ups, downs, lefts, rights, both, either, without, one, near, ring, flooded, flooded_diagonally = (
        plain(load(words)) for words in results
    )
    fields, others, grid = plain(a), plain(b), plain(2**FIELDS - 1)
    assert ups == {(row - 1, column) for row, column in fields} & grid
    assert downs == {(row + 1, column) for row, column in fields} & grid
    assert lefts == {(row, column - 1) for row, column in fields} & grid
    assert rights == {(row, column + 1) for row, column in fields} & grid
    assert (both, either, without) == (fields & others, fields | others, fields - others)
    assert one == {divmod(field, WIDTH)}
    assert near == ups | downs | lefts | rights
    steps = (-1, 0, 1)
    assert ring == {(row + r, column + c) for row, column in fields for r in steps for c in steps} & grid
    assert flooded == spread(one, fields, diagonal=False)
    assert flooded_diagonally == spread(one, fields, diagonal=True)


def spread(origin: set[tuple[int, int]], ground: set[tuple[int, int]], diagonal: bool) -> set[tuple[int, int]]:
    found, todo = set(origin), list(origin)
    while todo:
        row, column = todo.pop()
        for r, c in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
            spot = (row + r, column + c)
            if (diagonal or r == 0 or c == 0) and spot in ground - found:
                found.add(spot)
                todo.append(spot)
    return found


@kernel
def write_both_ways(words: Any, base: int, few: Any, many: Any) -> bool:
    first = append_sparse(load(words), base, few, 1)
    second = append_dense(load(words), base, many, 1)
    few[0] = first
    many[0] = second
    return first == second


@given(SETS, st.integers(0, 1000))
@EXAMPLES
def test_the_two_ways_of_writing_fields_agree(fields: int, base: int) -> None:
    few, many = np.zeros(FIELDS + 16, np.int16), np.zeros(FIELDS + 16, np.int16)
    assert write_both_ways(words_of(fields), base, few, many)
    expected = [base + field for field in range(FIELDS) if fields >> field & 1]
    assert few[1 : few[0]].tolist() == expected
    assert many[1 : many[0]].tolist() == expected


@given(SETS, st.integers(0, FIELDS - 1))
@EXAMPLES
def test_a_field_is_put_in_and_taken_out(fields: int, field: int) -> None:
    words = words_of(fields)
    assert has(words, field) == bool(fields >> field & 1)
    flip(words, field)
    assert load(words) == fields ^ 1 << field
