"""Boards of Stege: reading data files, checking them, and putting them into a state."""

from pathlib import Path
from typing import Any, NamedTuple

from threespan.core.kernel import bits_of
from threespan.core.layout import State
from threespan.core.material import DataFile, MaterialError, find_material, load_material
from threespan.games.stege.fields import flip
from threespan.games.stege.sets import down, left, load, right, up
from threespan.games.stege.state import (
    BOTTOM_LEFT,
    BOTTOM_RIGHT,
    CORNERS,
    MAX_ISLAND,
    MIN_SIZE,
    TOP_LEFT,
    TOP_RIGHT,
    WIDTH,
)

FOLDER = Path(__file__).parent


class Board(NamedTuple):
    """A square sea with a square island in each corner; the bounds leave room for a jetty between any two."""

    size: int
    island: int

    def to_material(self) -> dict[str, Any]:
        """The form in which files and records hold a board."""
        return self._asdict()


def board_names() -> list[str]:
    """The boards that can be played."""
    return list(find_material(FOLDER, "stege", "boards"))


def load_board(name: str) -> Board:
    """The board of a name; raises MaterialError."""
    return load_material(FOLDER, "stege", "boards", name, read_board)


def read_board(file: DataFile) -> Board:
    """A board from its data file; raises MaterialError with the line that is wrong."""
    file.only("size", "island")
    return Board(file.integer("size", MIN_SIZE, WIDTH), file.integer("island", 1, MAX_ISLAND))


def put_into(state: State, material: dict[str, Any]) -> None:
    """Fill the material fields of a state that describe the board; raises MaterialError."""
    if "board" not in material:
        raise MaterialError("the material has no board")
    board = read_board(DataFile.of_values("the board", material["board"]))
    state.board_size, state.island_size = board
    far = board.size - board.island
    for row in range(board.size):
        for column in range(board.size):
            is_corner = (row < board.island or row >= far) and (column < board.island or column >= far)
            left_corner, right_corner = (BOTTOM_LEFT, BOTTOM_RIGHT) if row >= far else (TOP_LEFT, TOP_RIGHT)
            corner = right_corner if column >= far else left_corner
            flip(state.island[corner] if is_corner else state.water, row * WIDTH + column)
    for corner in range(CORNERS):
        island = load(state.island[corner])
        touching = (up(island) | down(island) | left(island) | right(island)) & load(state.water)
        for field in bits_of(touching):
            flip(state.shore[corner], field)
