"""Boards and decks of Hashi: reading data files, checking them, and putting them into a state."""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from threespan.core.layout import State
from threespan.core.material import DataFile, MaterialError, find_material, load_material
from threespan.games.hashi.state import (
    BRIDGE,
    CARDS,
    GRID,
    ISLANDS,
    MAX_CARD_BRIDGES,
    MAX_NUMBER,
    NONE,
    Flag,
)

FOLDER = Path(__file__).parent
FLAG_COUNTS = {Flag.RED: 4, Flag.BLUE: 3}
_FLAG_NAMES = {"": Flag.NO, "red": Flag.RED, "blue": Flag.BLUE}


class Board(NamedTuple):
    """The islands in reading order, and the dotted lines as pairs of islands."""

    places: list[int]
    flags: list[Flag]
    lines: list[tuple[int, int]]

    def to_material(self) -> dict[str, Any]:
        """The form in which files and records hold a board."""
        names = {flag: name for name, flag in _FLAG_NAMES.items()}
        islands = zip(self.places, self.flags, strict=True)
        return {
            "islands": [f"{place:02} {names[flag]}".strip() for place, flag in islands],
            "lines": [f"{self.places[a]:02}-{self.places[b]:02}" for a, b in self.lines],
        }


def board_names() -> list[str]:
    """The sides that can be played."""
    return list(find_material(FOLDER, "hashi", "boards"))


def deck_names() -> list[str]:
    """The decks that can be played."""
    return list(find_material(FOLDER, "hashi", "decks"))


def load_board(name: str) -> Board:
    """The board of a name; raises MaterialError."""
    return load_material(FOLDER, "hashi", "boards", name, read_board)


def load_deck(name: str) -> list[str]:
    """The deck of a name; raises MaterialError."""
    return load_material(FOLDER, "hashi", "decks", name, read_deck)


def read_board(file: DataFile) -> Board:
    """A board from its data file; raises MaterialError with the line that is wrong."""
    file.only("islands", "lines")
    islands: dict[int, Flag] = {}
    for word in file.texts("islands"):
        found = re.fullmatch(r"([0-9][0-9])(?: +(\S+))?", word)
        if not found:
            file.refuse(f"'{word}' is not an island; write row and column and perhaps a flag: \"21 blue\"", word)
        place, flag = int(found[1]), found[2] or ""
        if flag not in _FLAG_NAMES:
            file.refuse(f"the flag '{flag}' is not known; flags are red and blue", word)
        if place in islands:
            file.refuse(f"there is already an island at {place:02}; islands may not overlap", found[1], 2)
        islands[place] = _FLAG_NAMES[flag]
    if len(islands) != ISLANDS:
        file.refuse(f"there are {len(islands)} islands; a board has {ISLANDS}", "islands")
    for flag, count in FLAG_COUNTS.items():
        if (found_count := list(islands.values()).count(flag)) != count:
            file.refuse(f"{found_count} islands have a {flag.name.lower()} flag; it must be {count}", "islands")
    places = sorted(islands)
    lines = _read_lines(file, places)
    return Board(places, [islands[place] for place in places], lines)


def _read_lines(file: DataFile, places: list[int]) -> list[tuple[int, int]]:
    nearest = [pair for pair in combinations(range(ISLANDS), 2) if _are_nearest(places, *pair)]
    if file.values.get("lines", "nearest") == "nearest":
        return nearest
    lines = set()
    words = file.texts("lines")
    for index, word in enumerate(words):
        found = re.fullmatch(r"([0-9][0-9])-([0-9][0-9])", word)
        if not found:
            file.refuse(f"'{word}' is not a line; write two islands: \"01-03\"", word)
        ends = sorted((int(found[1]), int(found[2])))
        for end in ends:
            if end not in places:
                file.refuse(f"the line {word} leads nowhere: there is no island at {end:02}", word)
        pair = (places.index(ends[0]), places.index(ends[1]))
        if pair not in nearest:
            file.refuse(f"the line {word} does not join neighbours in one row or column", word)
        if pair in lines:
            file.refuse(f"the line {word} is there twice", word, words[: index + 1].count(word))
        lines.add(pair)
    return sorted(lines)


def _are_nearest(places: list[int], first: int, second: int) -> bool:
    """Whether two islands see each other along a row or a column."""
    (row1, column1), (row2, column2) = divmod(places[first], GRID), divmod(places[second], GRID)
    if row1 == row2:
        between = [row1 * GRID + column for column in range(column1 + 1, column2)]
    elif column1 == column2:
        between = [row * GRID + column1 for row in range(row1 + 1, row2)]
    else:
        return False
    return not any(place in places for place in between)


def read_deck(file: DataFile) -> list[str]:
    """A deck from its data file; raises MaterialError with the line that is wrong."""
    file.only("cards")
    cards = file.texts("cards")
    for card in cards:
        if not re.fullmatch(rf"[1-{MAX_NUMBER}]/[1-{MAX_CARD_BRIDGES}]", card):
            file.refuse(f"'{card}' is not a card; write number and bridges: \"5/3\"", card)
    if len(cards) != CARDS:
        file.refuse(f"there are {len(cards)} cards; a deck has {CARDS}", "cards")
    return sorted(cards)


def put_into(state: State, material: dict[str, Any]) -> None:
    """Fill the material fields of a state, and the pile; raises MaterialError."""
    for part in ("board", "cards"):
        if part not in material:
            raise MaterialError(f"the material has no {part}")
    _put_board(state, read_board(DataFile.of_values("the board", material["board"])))
    deck = read_deck(DataFile.of_values("the deck", {"cards": material["cards"]}))
    for card, count in Counter(deck).items():
        state.pile[card_kind(int(card[0]), int(card[2]))] = count


def _put_board(state: State, board: Board) -> None:
    state.place[:] = board.places
    state.flag[:] = board.flags
    for island, flag in enumerate(board.flags):
        state.flagged[flag] |= 1 << island
    state.lines = len(board.lines)
    state.line_of_pair[:] = NONE
    for line, (first, second) in enumerate(board.lines):
        state.line_from[line], state.line_to[line] = first, second
        state.line_of_pair[pair_index(first, second)] = line
        state.line_action[line] = BRIDGE + pair_index(first, second)
        for island in (first, second):
            state.touching[island] |= 1 << line
        for other, ends in enumerate(board.lines):
            if _cross(board.places, (first, second), ends):
                state.crossing[line] |= 1 << other


def _cross(places: list[int], one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether two lines cross between their ends."""
    for across, down in ((one, other), (other, one)):
        row, column1 = divmod(places[across[0]], GRID)
        row1, column = divmod(places[down[0]], GRID)
        end_row, column2 = divmod(places[across[1]], GRID)
        row2, end_column = divmod(places[down[1]], GRID)
        is_crossed = row == end_row and column == end_column
        if is_crossed and column1 < column < column2 and row1 < row < row2:
            return True
    return False


def pair_index(first: int, second: int) -> int:
    """The index of a pair of islands, `first` below `second`, among all pairs in order."""
    return first * (2 * ISLANDS - first - 1) // 2 + second - first - 1


def card_kind(number: int, bridges: int) -> int:
    """The index of a kind of card."""
    return (number - 1) * MAX_CARD_BRIDGES + bridges - 1
