"""Text forms of Hashi: actions as they stand in records, and the board drawn for a terminal."""

import re
from functools import lru_cache
from itertools import combinations

from rich.text import Text as Picture

from threespan.core.game import NotationError
from threespan.core.layout import State
from threespan.core.rulebook import Language, RuleBook
from threespan.core.rules import WATCHER
from threespan.games.hashi.material import card_kind, pair_index
from threespan.games.hashi.rules import Rule, points
from threespan.games.hashi.state import (
    BRIDGE,
    CARD,
    CARD_KINDS,
    GRID,
    ISLANDS,
    LAYOUT,
    MAX_CARD_BRIDGES,
    MAX_NUMBER,
    SKIP,
    WRITE,
    Bonus,
    Flag,
)

_PAIRS = list(combinations(range(ISLANDS), 2))
_KEPT_BOARDS = 16


def action_text(state: State, action: int) -> str:
    """`write 21 5`, `bridge 21-25`, `skip` or, of chance, `card 5/3`."""
    return texts_of(state)[action]


def texts_of(state: State) -> list[str]:
    """The text forms of all actions on the board of a state, by action."""
    return _action_texts(tuple(state.place.tolist()))


@lru_cache(_KEPT_BOARDS)
def _action_texts(places: tuple[int, ...]) -> list[str]:
    """The text forms of all actions on a board."""
    writes = [f"write {place:02} {number}" for place in places for number in range(1, MAX_NUMBER + 1)]
    bridges = [f"bridge {places[first]:02}-{places[second]:02}" for first, second in _PAIRS]
    return [*writes, *bridges, "skip", *(f"card {card_text(kind)}" for kind in range(CARD_KINDS))]


@lru_cache(_KEPT_BOARDS)
def _actions(places: tuple[int, ...]) -> dict[str, int]:
    return {text: action for action, text in enumerate(_action_texts(places))}


def card_text(kind: int) -> str:
    """Number and bridges of a kind of card."""
    return f"{kind // MAX_CARD_BRIDGES + 1}/{kind % MAX_CARD_BRIDGES + 1}"


def parse_action(state: State, text: str) -> int:
    """The action of a text form; raises NotationError."""
    action = _actions(tuple(state.place.tolist())).get(text)
    return _read_loosely(state, text) if action is None else action


def _read_loosely(state: State, text: str) -> int:
    """An action with its islands the other way round or more blanks than need be; or what is wrong with it."""
    words = " ".join(text.split())
    if words == "skip":
        return SKIP
    if found := re.fullmatch(rf"write (\d\d) ([1-{MAX_NUMBER}])", words):
        return WRITE + _island_at(state, found[1]) * MAX_NUMBER + int(found[2]) - 1
    if found := re.fullmatch(r"bridge (\d\d)-(\d\d)", words):
        first, second = sorted((_island_at(state, found[1]), _island_at(state, found[2])))
        if first == second:
            raise NotationError(f"'{text}': a bridge joins two islands")
        return BRIDGE + pair_index(first, second)
    if found := re.fullmatch(rf"card ([1-{MAX_NUMBER}])/([1-{MAX_CARD_BRIDGES}])", words):
        return CARD + card_kind(int(found[1]), int(found[2]))
    raise NotationError(f"'{text}' is not an action; write for example 'write 21 5', 'bridge 21-25' or 'skip'")


def _island_at(state: State, place: str) -> int:
    places: list[int] = state.place.tolist()
    if int(place) not in places:
        raise NotationError(f"there is no island at {place} (row {place[0]}, column {place[1]})")
    return places.index(int(place))


# The drawing: an island is `(5)`, `[5]` once finished, with `R` or `B` before it for a flag.
# Row and column labels stand at the edges, so 21 is row 2, column 1.

_CELL = 6
_LEFT = 4
_ACROSS = ("┄", "─", "═")
_DOWN = ("┊", "│", "║")
_SEA_STYLE = "dim"
_BRIDGE_STYLE = "bold yellow"
_FLAG_STYLES = {Flag.NO: "", Flag.RED: "red", Flag.BLUE: "bright_blue"}


def draw_board(state: State, seat: int) -> Picture:
    """The board of a seat."""
    rows = max(state.place) // GRID + 1
    columns = max(state.place % GRID) + 1
    width = _LEFT + _CELL * columns
    sea = [[(" ", "")] * width for _ in range(2 * rows)]
    for line in range(state.lines):
        _draw_line(sea, state, seat, line)
    for island in range(ISLANDS):
        _draw_island(sea, state, seat, island)
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


def _draw_island(sea: list[list[tuple[str, str]]], state: State, seat: int, island: int) -> None:
    y, x = _spot(state.place[island])
    flag = Flag(state.flag[island])
    number = int(state.number[seat, island])
    is_finished = bool(state.finished[seat] >> island & 1)
    style = "bold green" if is_finished else f"bold {_FLAG_STYLES[flag]}".strip()
    if flag is not Flag.NO:
        sea[y][x - 2] = (flag.name[0], f"bold {_FLAG_STYLES[flag]}")
    sea[y][x - 1] = ("[" if is_finished else "(", style)
    sea[y][x] = (str(number) if number else " ", style)
    sea[y][x + 1] = ("]" if is_finished else ")", style)


def draw_match(state: State, seat: int, language: Language, book: RuleBook) -> Picture:
    """Everything a seat sees: the card, the info strip, the own board, then the others'."""
    picture = Picture()
    if state.card_number:
        card = f"{state.card_number}/{state.card_bridges}"
        picture.append(book.word("round", language).format(round=state.round_number, card=card) + "\n", "bold")
    picture.append(book.word("strip", language) + " ")
    for kind in range(CARD_KINDS):
        if state.pile[kind]:
            count = f"×{state.pile[kind]}" if state.pile[kind] > 1 else ""
            picture.append(f"{card_text(kind)}{count} ")
    picture.append("\n\n")
    order = [seat] if seat != WATCHER else []
    order += [other for other in range(state.players) if other != seat]
    for shown in order:
        if state.players > 1:
            title = book.word("own_board" if shown == seat else "other_board", language)
            picture.append(title.format(seat=shown) + "\n", "bold")
        picture.append_text(draw_board(state, shown))
        picture.append(_bonus_line(state, shown, language, book) + "\n\n")
    return picture


def _bonus_line(state: State, seat: int, language: Language, book: RuleBook) -> str:
    """The three score boxes: what was paid, or what would be paid if the race were complete now."""
    parts = []
    for bonus in Bonus:
        won_in = int(state.won_in[seat, bonus])
        trial = LAYOUT.copy(state)
        trial.won_in[seat, bonus] = won_in or max(1, int(state.round_number))
        paid = points(trial, seat, Rule[bonus.name].value)
        box = book.word("paid" if won_in else "pays", language).format(points=paid, round=won_in)
        parts.append(f"{book.clauses[bonus.name].title.in_(language)}: {box}")
    return "   ".join(parts)
