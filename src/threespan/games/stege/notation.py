"""Text forms of Stege: actions as they stand in records.

Rows and columns are counted from 1, from the top left.
"""

import re

from threespan.core.game import NotationError
from threespan.core.layout import State
from threespan.core.rules import MAX_SEATS
from threespan.core.words import load_words
from threespan.games.stege.material import FOLDER
from threespan.games.stege.state import (
    AGAIN,
    ENDS,
    FIELDS,
    HOME,
    ISLAND,
    KEEP,
    LAY,
    MOVE,
    PASS,
    PIPS,
    ROLL,
    START,
    TAKE,
    WIDTH,
)

WORDS = load_words(FOLDER)
STONE_NAMES = "abcd"
_SINGLE = {"keep": KEEP, "roll again": AGAIN, "pass": PASS}
_SINGLE_TEXT = {action: text for text, action in _SINGLE.items()}
_EXAMPLES = ("lay 3,7 down", "take 3,7 across", "keep", "move a island>2,4", "move b 5,9>home", "roll again", "pass")
_FIELD = r"[0-9]{1,2},[0-9]{1,2}"


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
            raise NotationError(WORDS, "notation.stone_elsewhere", text=words, stone=found[1], begin=begin, spot=spot)
        return MOVE + stone * ENDS + (HOME if found[3] == "home" else _field(found[3]))
    if found := re.fullmatch(rf"start ([0-{MAX_SEATS - 1}])", words):
        return START + int(found[1])
    if found := re.fullmatch(rf"roll ([1-{PIPS}])", words):
        return ROLL + int(found[1]) - 1
    raise NotationError.unknown(text, *_EXAMPLES)


def _field(text: str) -> int:
    """The field of `row,column`."""
    row, column = map(int, text.split(","))
    if not (1 <= row <= WIDTH and 1 <= column <= WIDTH):
        raise NotationError(WORDS, "notation.no_field", field=text, size=WIDTH)
    return (row - 1) * WIDTH + column - 1
