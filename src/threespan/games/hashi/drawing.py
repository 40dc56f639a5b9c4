"""Hashi drawn for a terminal."""

from collections.abc import Sequence

from rich.text import Text as Picture

from threespan.core.layout import State
from threespan.core.words import Language
from threespan.games.hashi.speech import board_title, describe_race, describe_round
from threespan.games.hashi.state import GRID, ISLANDS, Bonus, Flag
from threespan.games.hashi.view import Board, view_of

# The drawing: an island is `(5)`, `[5]` once finished, `×5×` once struck out, with `R` or `B` before it for a flag.
# Row and column labels stand at the edges, so 21 is row 2, column 1.

_CELL = 6
_LEFT = 4
_ACROSS = ("┄", "─", "═")
_DOWN = ("┊", "│", "║")
_SEA_STYLE = "dim"
_BRIDGE_STYLE = "bold yellow"
_FLAG_STYLES = {Flag.NO: "", Flag.RED: "red", Flag.BLUE: "bright_blue"}


def draw_board(state: State, board: Board, seat: int) -> Picture:
    """The board of a seat, given as a view shows it, too."""
    rows = max(state.place) // GRID + 1
    columns = max(place % GRID for place in state.place) + 1
    width = _LEFT + _CELL * columns
    sea = [[(" ", "")] * width for _ in range(2 * rows)]
    for line in range(state.lines):
        _draw_line(sea, state, seat, line)
    for island in range(ISLANDS):
        _draw_island(sea, state, board, island)
    picture = Picture(" " * _LEFT + "".join(f"{column:<{_CELL}}" for column in range(columns)).rstrip() + "\n")
    for y, cells in enumerate(sea[:-1]):
        cells[0] = (" " if y % 2 else str(y // 2), "dim")
        for char, style in cells:
            picture.append(char, style)
        picture.append("\n")
    return picture


def _spot(place: int) -> tuple[int, int]:
    """Where the number of an island is drawn."""
    row, column = divmod(int(place), GRID)
    return 2 * row, _LEFT + _CELL * column


def _draw_line(sea: list[list[tuple[str, str]]], state: State, seat: int, line: int) -> None:
    bridges = int(state.bridges[seat, line])
    (y1, x1), (y2, x2) = _spot(state.place[state.line_from[line]]), _spot(state.place[state.line_to[line]])
    style = _BRIDGE_STYLE if bridges else _SEA_STYLE
    across, down = _ACROSS[bridges], _DOWN[bridges]
    spots = [(y1, x, across) for x in range(x1 + 2, x2 - 1)] if y1 == y2 else [(y, x1, down) for y in range(y1 + 1, y2)]
    for y, x, char in spots:
        if bridges or sea[y][x][1] != _BRIDGE_STYLE:
            sea[y][x] = (char, style)


def _draw_island(sea: list[list[tuple[str, str]]], state: State, board: Board, island: int) -> None:
    y, x = _spot(state.place[island])
    flag = Flag(state.flag[island])
    number = board.numbers[island]
    left, right, style = "(", ")", f"bold {_FLAG_STYLES[flag]}".strip()
    if island in board.finished:
        left, right, style = "[", "]", "bold green"
    if island in [struck.island for struck in board.struck]:
        left, right, style = "×", "×", "dim"
    if flag is not Flag.NO:
        sea[y][x - 2] = (flag.name[0], f"bold {_FLAG_STYLES[flag]}")
    sea[y][x - 1] = (left, style)
    sea[y][x] = (str(number) if number else " ", style)
    sea[y][x + 1] = (right, style)


def draw(state: State, seat: int, names: Sequence[str], language: Language) -> Picture:
    """Everything a seat sees: the card, the info strip, the own board, then the others'."""
    view = view_of(state)
    counts = {card: view.pile.count(card) for card in view.pile}
    cards = [card if count == 1 else f"{card}×{count}" for card, count in counts.items()]
    picture = Picture("\n".join(describe_round(view, cards, language)) + "\n\n")
    for shown in sorted(range(len(names)), key=lambda other: other != seat):
        if len(names) > 1:
            picture.append(board_title(view, shown, seat, names, language) + "\n", "bold")
        picture.append_text(draw_board(state, view.boards[shown], shown))
        races = [describe_race(state, view.boards[shown], bonus, language) for bonus in Bonus]
        picture.append("\n".join(races) + "\n\n")
    return picture
