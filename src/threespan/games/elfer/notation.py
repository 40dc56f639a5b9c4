"""Text forms of Elfer: actions as they stand in records."""

import re

from threespan.core.errors import shortened
from threespan.core.game import NotationError
from threespan.core.layout import State
from threespan.core.rules import MAX_SEATS
from threespan.core.words import load_words
from threespan.games.elfer.material import FOLDER
from threespan.games.elfer.state import (
    COLOURED_A_ROW,
    COLOURED_NUMBERS,
    COLOURS,
    DRAW,
    DRAWN,
    ENDS,
    FIELDS,
    HAND,
    JOKER,
    JOKER_NUMBERS,
    KEEP,
    KINDS,
    LAY,
    LEAVE,
    NUMBER_FIELDS,
    NUMBERS,
    OPEN,
    PASS,
    SKIP,
    STARTS,
    STOP,
    SYMBOL,
    SYMBOLS,
    tile_for,
)

WORDS = load_words(FOLDER)
_PLAIN_ACTIONS = {
    STOP: "stop",
    KEEP: "keep",
    DRAW: "draw",
    PASS: "pass",
    SKIP: "skip",
    OPEN: "open",
    LEAVE: "leave",
}
_PLAIN_TEXTS = {text: action for action, text in _PLAIN_ACTIONS.items()}
_EXAMPLES = ("lay red5", "lay joker13 yellow", "lay star 20", "hand red5", "stop", "keep", "draw", "pass", "skip")


def action_text(state: State, action: int) -> str:
    """`lay red5`, `lay joker13 yellow`, `lay star 20`, `hand red5`, `stop`; of chance `draw red5` and `start 1`."""
    if action < HAND:
        return f"lay {field_text(state, action - LAY)}"
    if action < STOP:
        return f"hand {tile_text(state, action - HAND)}"
    if action in _PLAIN_ACTIONS:
        return _PLAIN_ACTIONS[action]
    return f"draw {tile_text(state, action - DRAWN)}" if action < STARTS else f"start {action - STARTS}"


def tile_text(state: State, kind: int) -> str:
    """`red5`, `joker13` or `star`."""
    if kind >= SYMBOL:
        return SYMBOLS[state.symbol[kind - SYMBOL]]
    if kind >= JOKER:
        return f"joker{JOKER_NUMBERS[kind - JOKER]}"
    return f"{COLOURS[state.colour[kind // COLOURED_A_ROW]]}{COLOURED_NUMBERS[kind % COLOURED_A_ROW]}"


def field_text(state: State, field: int) -> str:
    """A field as the tile that goes there, with the row of a joker or the number beside a symbol."""
    text = tile_text(state, tile_for(field))
    if field >= NUMBER_FIELDS:
        return f"{text} {ENDS[(field - NUMBER_FIELDS) % len(ENDS)]}"
    return f"{text} {COLOURS[state.colour[field // NUMBERS]]}" if tile_for(field) >= JOKER else text


def parse_action(state: State, text: str) -> int:
    """The action of a text form; raises NotationError."""
    words = text.split()
    match words:
        case [word] if word in _PLAIN_TEXTS:
            return _PLAIN_TEXTS[word]
        case ["lay", *place]:
            return LAY + _parse_field(state, " ".join(place), shortened(text))
        case ["hand", tile]:
            return HAND + _parse_tile(state, tile)
        case ["draw", tile]:
            return DRAWN + _parse_tile(state, tile)
        case ["start", seat] if re.fullmatch(rf"[0-{MAX_SEATS - 1}]", seat):
            return STARTS + int(seat)
    raise NotationError.unknown(text, *_EXAMPLES)


def _parse_field(state: State, place: str, text: str) -> int:
    for field in range(FIELDS):
        if field_text(state, field) == place:
            return field
    tile = place.split()[0] if place else ""
    _parse_tile(state, tile)
    if tile.startswith("joker"):
        raise NotationError(WORDS, "notation.which_row", text=text, tile=tile)
    if tile in SYMBOLS:
        raise NotationError(WORDS, "notation.which_end", text=text, tile=tile)
    raise NotationError(WORDS, "notation.one_field", text=text, tile=tile)


def _parse_tile(state: State, tile: str) -> int:
    for kind in range(KINDS):
        if tile_text(state, kind) == tile:
            return kind
    found = re.fullmatch(rf"({'|'.join(COLOURS)})([0-9]{{1,2}})", tile)
    if found and int(found[2]) in JOKER_NUMBERS:
        raise NotationError(WORDS, "notation.is_joker", tile=tile, number=found[2])
    raise NotationError(WORDS, "notation.no_tile", tile=shortened(tile))
