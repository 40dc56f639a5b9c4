"""Positions of Hashi from drawings: what the terminal shows can be read back. Dotted lines may be left out."""

import re
from typing import Any

from threespan.core.game import Position
from threespan.core.options import read_options
from threespan.games.hashi.game import GAME
from threespan.games.hashi.state import GRID, ISLANDS, Phase, SeatStep

_ACROSS = {"─": 1, "═": 2}
_DOWN = {"│": 1, "║": 2}

# Side A, without a mark. Lines that cross: 01-21 and 10-13, 21-25 and 14-34, 21-41 and 30-34, 34-54 and 42-45.
EMPTY = """
    0     1     2     3     4     5
0       R( )        ( )   ( )

1  ( )              B( )  ( ) R( )

2       B( )                    ( )

3  ( )                    B( )

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
"""
# The same with a 3 at 03 and one bridge each to 13 (blue) and 04.
HARBOUR = """
    0     1     2     3     4     5
0       R( )         (3)───( )
                      │
1  ( )              B( )  ( ) R( )

2       B( )                    ( )

3  ( )                    B( )

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
"""


def drawn(drawing: str, card: str = "5/3", step: SeatStep = SeatStep.WRITE, left: int = 0, **options: Any) -> Position:
    """A round with a card on the table; seat 0 has the drawn board and `left` bridges still to draw."""
    position = GAME.start(read_options(GAME.options, options))
    state = position.state
    state.phase, state.round_number = Phase.ROUND, 5
    state.card_number, state.card_bridges = int(card[0]), int(card[2])
    for seat in position.seats:
        state.step[seat] = SeatStep.WRITE
        state.bridges_left[seat] = state.card_bridges
    state.step[0] = step
    if left:
        state.bridges_left[0] = left
    put_on_board(state, 0, drawing)
    GAME.refresh(state)
    return position


def put_on_board(state: Any, seat: int, drawing: str) -> None:
    """Copy numbers and bridges from a drawing whose first line has the column numbers.

    Islands are read in their order within a row; a vertical bridge belongs to the nearest column.
    """
    rows = drawing.strip("\n").split("\n")[1:]
    rows += [""] * (2 * GRID - len(rows))
    islands = [re.split(r"[(\[](.)[)\]]", row) for row in rows[::2]]
    signs = [{round((x - 4) / 6): _DOWN[char] for x, char in enumerate(row) if char in _DOWN} for row in rows[1::2]]
    found = [number for row in islands for number in row[1::2]]
    gaps = [gap for row in islands for gap in row[2::2]]  # what follows each island in its row
    assert len(found) == ISLANDS, f"{len(found)} islands are drawn"
    state.number[seat] = [int(number) if number.strip() else 0 for number in found]
    for line in range(state.lines):
        first, second = int(state.line_from[line]), int(state.line_to[line])
        (row, column), (other_row, _) = (divmod(int(state.place[island]), GRID) for island in (first, second))
        if row == other_row:
            state.bridges[seat, line] = max((_ACROSS.get(char, 0) for char in gaps[first]), default=0)
        else:
            state.bridges[seat, line] = signs[row].get(column, 0)
