"""Layouts: text forms, bounds, C declarations."""

import numpy as np
import pytest

from threespan.core.layout import Field, Kind, Layout, PositionError

LAYOUT = Layout(
    Field("turn", np.int8, (), 0, 3, "whose turn"),
    Field("heaps", np.int16, (3,), -1, 300, "stones in each heap"),
    Field("grid", np.int8, (2, 4), 0, 9, "a small board"),
    Field("total", np.int32, (), 0, 900, "all stones", Kind.DERIVED),
)


def test_text_forms_are_short_and_round_trip() -> None:
    state = LAYOUT.new()
    state.turn, state.heaps[:], state.grid[1, 2] = 2, (-1, 0, 300), 7
    text = LAYOUT.to_text(state)
    assert text == "turn=2 heaps=-1,0,300 grid=/007"
    again = LAYOUT.new()
    LAYOUT.from_text(text, again)
    assert again.tobytes() == state.tobytes()


def test_all_fields_are_read_at_once() -> None:
    state = LAYOUT.new()
    state.turn, state.heaps[:], state.grid[1, 2] = 2, (-1, 0, 300), 7
    values = LAYOUT.read(state)
    assert (values.turn, values.heaps.tolist(), values.total) == (2, [-1, 0, 300], 0)
    assert values.grid.tolist() == [[0, 0, 0, 0], [0, 0, 7, 0]]
    some = LAYOUT.reader("grid", "turn")(state)
    assert some._fields == ("grid", "turn")
    assert (some.turn, some.grid.tolist()) == (2, values.grid.tolist())


@pytest.mark.parametrize("values", [(0, 0, 0), (5, 0, 0), (12, 0, 0), (0, 12, 0), (1, 2, 3), (-1, 0, 0)])
def test_rows_of_all_kinds_round_trip(values: tuple[int, ...]) -> None:
    state, again = LAYOUT.new(), LAYOUT.new()
    state.heaps[:] = values
    LAYOUT.from_text(LAYOUT.to_text(state), again)
    assert tuple(again.heaps) == values


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("heaps=301,", "heaps: 301 is not within -1..300"),
        ("heaps=1234", "heaps: 4 values in a row of 3"),
        ("grid=1/2/3", "grid: 3 rows, but there are 2"),
        ("grid=x", "grid: 'x' is not a number"),
        ("turn=\u0663", "turn: '\u0663' is not a number"),
        ("heaps=1_0,", "heaps: '1_0' is not a number"),
        (f"heaps={'9' * 5000},", f"^heaps: '{'9' * 64}…' is not a number$"),
        ("x" * 5000, f"^'{'x' * 64}…' is not a field"),
        ("total=3", "'total=3' is not a field"),
        ("turn", "'turn' is not a field"),
    ],
)
def test_bad_texts_are_refused(text: str, reason: str) -> None:
    with pytest.raises(PositionError, match=reason):
        LAYOUT.from_text(text, LAYOUT.new())


def test_names_that_numpy_uses_are_refused() -> None:
    with pytest.raises(ValueError, match="'round' is an attribute of every NumPy record"):
        Layout(Field("round", np.int8, (), 0, 1, "never"))


def test_bounds() -> None:
    state = LAYOUT.new()
    assert LAYOUT.out_of_bounds(state) == []
    state.turn = 4
    assert LAYOUT.out_of_bounds(state) == ["turn"]


def test_the_table_documents_every_field() -> None:
    table = LAYOUT.table()
    assert "| `grid` | 2 x 4 | 0..9 | a small board |" in table
    assert "all stones (derived)" in table


def test_the_declaration_in_c() -> None:
    assert "int16_t heaps[3];" in LAYOUT.c_struct("State")
    assert "int8_t grid[2][4];" in LAYOUT.c_struct("State")
