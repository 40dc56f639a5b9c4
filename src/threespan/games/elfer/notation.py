"""Text forms of Elfer: actions as they stand in records, and the board drawn for a terminal."""

import re
from typing import Any

from rich.text import Text as Picture

from threespan.core.game import NotationError
from threespan.core.layout import State
from threespan.core.rulebook import Language, RuleBook
from threespan.core.rules import MAX_SEATS
from threespan.games.elfer.state import (
    AREA_NUMBERS,
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
    NONE,
    NUMBER_FIELDS,
    NUMBERS,
    PART,
    PASS,
    ROWS,
    SKIP,
    STARTS,
    STOP,
    SYMBOL,
    SYMBOLS,
    Phase,
    field_at,
    symbol_field,
    tile_for,
)

_PLAIN_ACTIONS = {STOP: "stop", KEEP: "keep", DRAW: "draw", PASS: "pass", SKIP: "skip"}
_PLAIN_TEXTS = {text: action for action, text in _PLAIN_ACTIONS.items()}
_EXAMPLES = "'lay red5', 'lay joker13 yellow', 'lay star 20', 'hand red5', 'stop', 'keep', 'draw', 'pass' or 'skip'"


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


def tile_name(state: State, kind: int, language: Language, book: RuleBook) -> str:
    """A tile in plain words: `red 5`, `joker 13` or `star`."""
    text = tile_text(state, kind)
    word = text.rstrip("0123456789")
    return f"{book.word(word, language)} {text.removeprefix(word)}".rstrip()


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
            return LAY + _parse_field(state, " ".join(place), text)
        case ["hand", tile]:
            return HAND + _parse_tile(state, tile)
        case ["draw", tile]:
            return DRAWN + _parse_tile(state, tile)
        case ["start", seat] if re.fullmatch(rf"[0-{MAX_SEATS - 1}]", seat):
            return STARTS + int(seat)
    raise NotationError(f"'{text}' is not an action; write for example {_EXAMPLES}")


def _parse_field(state: State, place: str, text: str) -> int:
    for field in range(FIELDS):
        if field_text(state, field) == place:
            return field
    tile = place.split()[0] if place else ""
    _parse_tile(state, tile)
    if tile.startswith("joker"):
        raise NotationError(f"'{text}': say which row, for example 'lay {tile} yellow'")
    if tile in SYMBOLS:
        raise NotationError(f"'{text}': say beside which number, 'lay {tile} 1' or 'lay {tile} 20'")
    raise NotationError(f"'{text}': a coloured tile has just one field, so write 'lay {tile}'")


def _parse_tile(state: State, tile: str) -> int:
    for kind in range(KINDS):
        if tile_text(state, kind) == tile:
            return kind
    found = re.fullmatch(rf"({'|'.join(COLOURS)})(\d+)", tile)
    if found and int(found[2]) in JOKER_NUMBERS:
        raise NotationError(f"there is no tile {tile}: every {found[2]} is a joker, written 'joker{found[2]}'")
    raise NotationError(f"there is no tile '{tile}'; tiles are written like red5, joker13 or star")


# The drawing: numbers are laid tiles, `5*` those of this turn, `·` empty fields, `?` empty ones for jokers; symbols
# are full or hollow.
# Between the rows `│` is a bridge, `◆` one whose bonus is still to be had, `:` a connection area.

_CELL = 3  # two signs and a mark, so that the whole board fits 80 columns
_LEFT = 7
_STYLES = {"yellow": "yellow", "red": "red", "blue": "bright_blue", "green": "green"}
_SIGNS = {"square": "■", "triangle": "▲", "star": "★", "circle": "●"}
_EMPTY_SIGNS = {"square": "□", "triangle": "△", "star": "☆", "circle": "○"}


def draw_board(state: State, language: Language, book: RuleBook) -> Picture:
    """The four rows with their bridges."""
    heading = " " * _LEFT + " " * _CELL + "".join(f"{number:>2} " for number in range(1, NUMBERS + 1))
    picture = Picture(heading.rstrip() + "\n", "dim")
    for row in range(ROWS):
        colour = COLOURS[state.colour[row]]
        picture.append(f"{book.word(colour, language):<{_LEFT}}", f"bold {_STYLES[colour]}")
        fields = [symbol_field(row, 0), *(field_at(row, n) for n in range(1, NUMBERS + 1)), symbol_field(row, 1)]
        for field in fields:
            _draw_field(picture, state, field, row)
        picture.append("\n")
        if row < ROWS - 1:
            picture.append_text(_draw_bridges(state, row))
    return picture


def _draw_field(picture: Picture, state: State, field: int, row: int) -> None:
    symbol = SYMBOLS[state.symbol[row]]
    if field < NUMBER_FIELDS:
        value, empty = str(field % NUMBERS + 1), "?" if tile_for(field) >= JOKER else "·"
    elif state.has_symbols:
        value, empty = _SIGNS[symbol], _EMPTY_SIGNS[symbol]
    else:
        value = empty = " "
    style = _STYLES[COLOURS[state.colour[row]]]
    if not state.board[field]:
        picture.append(f"{empty:>2} ", "dim")
    elif is_in(state.fresh, field):
        picture.append(f"{value:>2}*", f"bold reverse {style}")
    else:
        picture.append(f"{value:>2} ", f"bold {style}")


def _draw_bridges(state: State, row: int) -> Picture:
    """What joins a row and the next one."""
    line = Picture(" " * (_LEFT + _CELL))
    for number in range(1, NUMBERS + 1):
        upper, lower = field_at(row, number), field_at(row + 1, number)
        sign = ":" if number in AREA_NUMBERS else " "
        if state.bridge_to[upper] == lower:
            sign = "◆" if has_bonus_left(state, upper, lower) else "│"
        line.append(f"{sign:>2} ", "bold magenta" if sign == "◆" else "")
    line.rstrip()
    line.append("\n")
    return line


def has_bonus_left(state: State, upper: int, lower: int) -> bool:
    """Whether a bridge still offers its bonus."""
    return is_in(state.bonus_fields, upper) and not state.board[upper] and not state.board[lower]


def is_in(mask: Any, field: int) -> bool:
    """Whether a mask of fields has a field."""
    return bool(mask[field // PART] >> field % PART & 1)


def draw_match(state: State, seat: int, language: Language, book: RuleBook) -> Picture:
    """Everything a seat sees: the board, the sizes, what it knows of the others, its own rack."""
    picture = Picture()
    if state.rounds > 1:
        words = book.word("round", language).format(round=state.round_number, rounds=state.rounds)
        picture.append(words + "\n", "bold")
    picture.append_text(draw_board(state, language, book))
    picture.append("\n" + book.word("bag", language).format(count=state.bag_size) + "\n")
    if state.bonus_tile != NONE:
        bonus = book.word("bonus_tile", language).format(tile=tile_name(state, state.bonus_tile, language, book))
        picture.append(bonus + "\n", "bold")
    others = [other for other in range(state.players) if other != seat]
    for shown in others + [seat] * (seat in range(state.players)):
        title = "own_rack" if shown == seat else "other_rack"
        words = book.word(title, language).format(seat=shown, count=state.rack_size[shown], minus=state.minus[shown])
        picture.append(words, "bold" if shown == seat else "")
        tiles = _rack_text(state, shown, language, book)
        if tiles and shown != seat and state.phase != Phase.OVER:
            tiles = book.word("known", language).format(tiles=tiles)
        picture.append(f"  {tiles}\n" if tiles else "\n")
    return picture


def _rack_text(state: State, seat: int, language: Language, book: RuleBook) -> str:
    """The tiles of a rack by colour, then jokers and symbols: `red 4 5  joker 13 13  star`."""
    rack = [int(count) for count in state.rack[seat]]
    groups = [
        (book.word(COLOURS[state.colour[row]], language), COLOURED_NUMBERS, rack[row * COLOURED_A_ROW :])
        for row in range(ROWS)
    ]
    groups.append((book.word("joker", language), JOKER_NUMBERS, rack[JOKER:]))
    texts = []
    for name, numbers, counts in groups:
        tiles = [str(n) for n, count in zip(numbers, counts, strict=False) for _ in range(count)]
        if tiles:
            texts.append(" ".join([name, *tiles]))
    for row in range(ROWS):
        symbol = SYMBOLS[state.symbol[row]]
        texts += [f"{book.word(symbol, language)} {_SIGNS[symbol]}"] * rack[SYMBOL + row]
    return "   ".join(texts)
