"""Text forms of Stege: actions as they stand in records, walks to show, and the board drawn for a terminal.

Rows and columns are counted from 1, from the top left.
"""

import re

from rich.text import Text as Picture

from threespan.core.game import NotationError
from threespan.core.layout import State
from threespan.core.rulebook import Language, RuleBook
from threespan.core.rules import MAX_SEATS
from threespan.games.stege.jetties import has_jetty, jetty_field
from threespan.games.stege.state import (
    AGAIN,
    CORNERS,
    ENDS,
    FIELDS,
    HOME,
    ISLAND,
    JETTY,
    KEEP,
    LAY,
    MOVE,
    PASS,
    PIPS,
    PLACES,
    ROLL,
    START,
    STONES,
    TAKE,
    WIDTH,
    Step,
)
from threespan.games.stege.stones import is_on_island, stones_home

STONE_NAMES = "abcd"
_SINGLE = {"keep": KEEP, "roll again": AGAIN, "pass": PASS}
_SINGLE_TEXT = {action: text for text, action in _SINGLE.items()}
_FIELD = r"\d{1,2},\d{1,2}"


def action_text(state: State, action: int) -> str:
    """`lay 3,7 down`, `take 3,7 across`, `move a 3,7>5,9`, `keep`, ... or, of chance, `start 2` and `roll 6`."""
    if action < TAKE:
        return f"lay {place_text(action - LAY)}"
    if action < MOVE:
        return f"take {place_text(action - TAKE)}"
    if action < KEEP:
        stone, end = divmod(action - MOVE, ENDS)
        spot = int(state.stone[mover(state), stone])
        return f"move {STONE_NAMES[stone]} {spot_text(spot)}>{spot_text(end)}"
    if action < START:
        return _SINGLE_TEXT[action]
    return f"start {action - START}" if action < ROLL else f"roll {action - ROLL + 1}"


def mover(state: State) -> int:
    """The seat whose stones a move means."""
    return int(state.turn)


def place_text(place: int) -> str:
    """Where a jetty lies: its top or left field and its direction."""
    return f"{spot_text(place % FIELDS)} {'down' if place >= FIELDS else 'across'}"


def spot_text(spot: int) -> str:
    """Where a stone stands."""
    if spot == ISLAND:
        return "island"
    return "home" if spot == HOME else f"{spot // WIDTH + 1},{spot % WIDTH + 1}"


def parse_action(state: State, text: str) -> int:
    """The action of a text form; raises NotationError."""
    words = " ".join(text.split())
    if words in _SINGLE:
        return _SINGLE[words]
    if found := re.fullmatch(rf"(lay|take) ({_FIELD}) (across|down)", words):
        place = _field(found[2]) + FIELDS * (found[3] == "down")
        return (LAY if found[1] == "lay" else TAKE) + place
    if found := re.fullmatch(rf"move ([{STONE_NAMES}]) (island|home|{_FIELD})>(home|{_FIELD})", words):
        stone = STONE_NAMES.index(found[1])
        spot = spot_text(int(state.stone[mover(state), stone]))
        begin = found[2] if found[2] in ("island", "home") else spot_text(_field(found[2]))
        if begin != spot:
            raise NotationError(f"'{text}': stone {found[1]} is not at {begin} but at {spot}")
        return MOVE + stone * ENDS + (HOME if found[3] == "home" else _field(found[3]))
    if found := re.fullmatch(rf"start ([0-{MAX_SEATS - 1}])", words):
        return START + int(found[1])
    if found := re.fullmatch(rf"roll ([1-{PIPS}])", words):
        return ROLL + int(found[1]) - 1
    raise NotationError(
        f"'{text}' is not an action; write for example 'lay 3,7 down', 'take 3,7 across', 'keep', "
        "'move a island>2,4', 'move b 5,9>home', 'roll again' or 'pass'"
    )


def _field(text: str) -> int:
    """The field of `row,column`."""
    row, column = map(int, text.split(","))
    if not (1 <= row <= WIDTH and 1 <= column <= WIDTH):
        raise NotationError(f"there is no field {text}; rows and columns go from 1 to {WIDTH}")
    return (row - 1) * WIDTH + column - 1


# The drawing: islands are shaded, water is a dot, and a jetty has a border around its three fields. A stone is
# its letter and its seat: `b1` is stone b of seat 1.

_CELL = 4
_LEFT = 4
_ACROSS = ("╞═══", "════", "═══╡")
_DOWN = ("╓──╖", "║  ║", "╙──╜")
_SEAT_STYLES = ("bold red", "bold bright_blue", "bold green", "bold magenta")
_JETTY_STYLE = "yellow"


def draw_board(state: State) -> Picture:
    """The sea with islands, jetties and stones."""
    cells = {field: ("░░░░", "dim") if is_on_island(state, field) else (" ·  ", "dim") for field in range(FIELDS)}
    for place in range(PLACES):
        if has_jetty(state, place):
            for index in range(JETTY):
                parts = _DOWN if place >= FIELDS else _ACROSS
                cells[jetty_field(place, index)] = (parts[index], _JETTY_STYLE)
    stones = {int(state.stone[seat, stone]): (seat, stone) for seat in range(state.players) for stone in range(STONES)}
    size = int(state.board_size)
    numbers = "".join(f"{column:<{_CELL}}" for column in range(1, size + 1)).rstrip()
    picture = Picture(" " * (_LEFT + 1) + numbers + "\n")
    for row in range(size):
        picture.append(f"{row + 1:>{_LEFT - 1}} ", "dim")
        for column in range(size):
            field = row * WIDTH + column
            chars, style = cells[field]
            if field in stones:
                seat, stone = stones[field]
                picture.append(chars[0], style)
                picture.append(f"{STONE_NAMES[stone]}{seat}", _SEAT_STYLES[seat])
                picture.append(chars[3], style)
            else:
                picture.append(chars, style)
        picture.append("\n")
    return picture


def draw_match(state: State, seat: int, language: Language, book: RuleBook) -> Picture:
    """The board, where everybody goes, and what stones and jetties are not on it."""
    picture = draw_board(state)
    for shown in range(state.players):
        start, goal = int(state.corner[shown]), (int(state.corner[shown]) + CORNERS // 2) % CORNERS
        waiting = [STONE_NAMES[stone] for stone in range(STONES) if state.stone[shown, stone] == ISLAND]
        line = book.word("own_stones" if shown == seat else "stones", language).format(
            seat=shown,
            start=book.word(f"corner_{start}", language),
            goal=book.word(f"corner_{goal}", language),
            home=stones_home(state, shown),
            waiting=" ".join(waiting) or "-",
        )
        picture.append(("> " if shown == state.turn and state.step != Step.START else "  ") + line, _SEAT_STYLES[shown])
        if state.step <= Step.LAY:
            picture.append(book.word("in_hand", language).format(jetties=int(state.in_hand[shown])))
        picture.append("\n")
    if state.die:
        picture.append(book.word("die", language).format(die=int(state.die), rolls=int(state.rolls)) + "\n")
    return picture
