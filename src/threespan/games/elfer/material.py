"""Boards of Elfer: reading data files, checking them, and putting them into a state."""

import re
from pathlib import Path
from typing import Any, NamedTuple

from threespan.core.layout import State
from threespan.core.material import DataFile, MaterialError, find_material, load_material
from threespan.games.elfer.state import (
    BONUS_BRIDGES,
    COLOURS,
    NUMBER_FIELDS,
    NUMBERS,
    PART,
    ROWS,
    SYMBOLS,
    field_at,
)

FOLDER = Path(__file__).parent


class Bridge(NamedTuple):
    """A bridge between a row and the next one below, at the same number."""

    row: int
    number: int
    has_bonus: bool


class Board(NamedTuple):
    """The rows from top to bottom, with the colour and the symbol of each, and the bridges."""

    colours: list[str]
    symbols: list[str]
    bridges: list[Bridge]

    def to_material(self) -> dict[str, Any]:
        """The form in which files and records hold a board."""
        return {
            "rows": [f"{colour} {symbol}" for colour, symbol in zip(self.colours, self.symbols, strict=True)],
            "bridges": [
                f"{self.colours[b.row]}-{self.colours[b.row + 1]} {b.number}{' bonus' * b.has_bonus}"
                for b in self.bridges
            ],
        }


def board_names() -> list[str]:
    """The boards that can be played."""
    return list(find_material(FOLDER, "elfer", "boards"))


def load_board(name: str) -> Board:
    """The board of a name; raises MaterialError."""
    return load_material(FOLDER, "elfer", "boards", name, read_board)


def read_board(file: DataFile) -> Board:
    """A board from its data file; raises MaterialError with the line that is wrong."""
    file.only("rows", "bridges")
    colours, symbols = _read_rows(file)
    bridges: dict[tuple[int, int], Bridge] = {}
    words = file.texts("bridges")
    for index, word in enumerate(words):
        bridge = _read_bridge(file, word, colours)
        for row in (bridge.row, bridge.row + 1):
            if any((end, bridge.number) in bridges for end in (row - 1, row)):
                reason = f"{colours[row]} {bridge.number} has two bridges; a field has one at most"
                file.refuse(reason, f'"{word}"', words[: index + 1].count(word))
        bridges[bridge.row, bridge.number] = bridge
    with_bonus = sum(bridge.has_bonus for bridge in bridges.values())
    if with_bonus != BONUS_BRIDGES:
        file.refuse(f"{with_bonus} bridges have a bonus; it must be {BONUS_BRIDGES}", "bridges")
    return Board(colours, symbols, [bridges[place] for place in sorted(bridges)])


def _read_rows(file: DataFile) -> tuple[list[str], list[str]]:
    words = file.texts("rows")
    rows = [word.split() for word in words]
    for word, parts in zip(words, rows, strict=True):
        if len(parts) != 2 or parts[0] not in COLOURS or parts[1] not in SYMBOLS:
            file.refuse(
                f"'{word}' is not a row; write its colour ({', '.join(COLOURS)}) and its symbol ({', '.join(SYMBOLS)}):"
                ' "yellow square"',
                word,
            )
    for kind, what in ((0, "the colour"), (1, "the symbol")):
        names = [parts[kind] for parts in rows]
        for name in names:
            if names.count(name) > 1:
                file.refuse(f"{what} {name} belongs to two rows; each belongs to one", name, 2)
    if len(rows) != ROWS:
        file.refuse(f"there are {len(rows)} rows; a board has {ROWS}", "rows")
    return [parts[0] for parts in rows], [parts[1] for parts in rows]


def _read_bridge(file: DataFile, word: str, colours: list[str]) -> Bridge:
    place = f'"{word}"'  # with its quotes, since "yellow-red 1" is also the beginning of "yellow-red 13"
    found = re.fullmatch(r"([a-z]+)-([a-z]+) +([0-9]{1,3})( +bonus)?", word)
    if not found:
        file.refuse(f"'{word}' is not a bridge; write two rows and a number: \"yellow-red 13 bonus\"", place)
    for colour in found.group(1, 2):
        if colour not in colours:
            file.refuse(f"the bridge {word} leads nowhere: there is no row {colour}", place)
    upper, lower = sorted(colours.index(colour) for colour in found.group(1, 2))
    if lower - upper != 1:
        file.refuse(f"the bridge {word} does not join neighbouring rows", place)
    number = int(found[3])
    if not 1 <= number <= NUMBERS:
        file.refuse(f"the bridge {word} leads nowhere: numbers go from 1 to {NUMBERS}", place)
    return Bridge(upper, number, bool(found[4]))


def put_into(state: State, material: dict[str, Any]) -> None:
    """Fill the board's material fields of a state; raises MaterialError."""
    if "board" not in material:
        raise MaterialError("the material has no board")
    board = read_board(DataFile.of_values("the board", material["board"]))
    state.colour[:] = [COLOURS.index(colour) for colour in board.colours]
    state.symbol[:] = [SYMBOLS.index(symbol) for symbol in board.symbols]
    state.bridge_to[:] = range(NUMBER_FIELDS)
    for bridge in board.bridges:
        ends = field_at(bridge.row, bridge.number), field_at(bridge.row + 1, bridge.number)
        for end, across in (ends, ends[::-1]):
            state.bridge_to[end] = across
            if bridge.has_bonus:
                state.bonus_fields[end // PART] |= 1 << end % PART
