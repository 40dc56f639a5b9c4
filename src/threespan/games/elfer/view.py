"""What a page draws of Elfer.

Fields and tiles are known by their texts in the notation: `lay joker13 yellow` lays the tile `joker13` on the field
`joker13 yellow`, `hand red5` hands on the tile `red5`.
"""

from functools import lru_cache
from types import SimpleNamespace
from typing import Any, NamedTuple

import msgspec

from threespan.core.layout import State
from threespan.games.elfer.notation import field_text, tile_text
from threespan.games.elfer.state import (
    AREA_NUMBERS,
    COLOURED_A_ROW,
    COLOURS,
    ENDS,
    FIELDS,
    JOKER,
    KINDS,
    LAYOUT,
    MAX_DRAWN,
    MAX_LAID,
    NONE,
    NUMBER_FIELDS,
    NUMBER_PARTS,
    NUMBERS,
    ROWS,
    SYMBOL,
    SYMBOLS,
    VALUE,
    Phase,
    fields_in,
    is_in,
    tile_for,
)


def has_bonus_left(state: State, upper: int, lower: int) -> bool:
    """Whether a bridge still offers its bonus."""
    return is_in(state.bonus_fields, upper) and not state.board[upper] and not state.board[lower]


class Row(msgspec.Struct, frozen=True):
    """A row of the board."""

    colour: str  # "yellow", "red", "blue" or "green"
    symbol: str  # "square", "triangle", "star" or "circle"


class Field(msgspec.Struct, frozen=True):
    """A field of the board."""

    text: str  # "red5", "joker13 yellow" or "star 20"
    row: int
    column: int  # its number; the symbol field beside the 1 has the column 0, the one beside the 20 has 21
    tile: str  # the one kind of tile that goes there


class Tile(msgspec.Struct, frozen=True):
    """A kind of tile."""

    text: str  # "red5", "joker13" or "star"
    kind: str  # "colour", "joker" or "symbol"
    colour: str | None  # of a coloured tile
    number: int | None  # of a coloured tile or a joker
    value: int  # minus points, if it is left over


class Bridge(msgspec.Struct, frozen=True):
    """A bridge down from a row to the next one, at the same number."""

    row: int  # the upper one
    column: int
    has_bonus: bool


class Scene(msgspec.Struct, frozen=True):
    """What never changes in a match."""

    players: int
    rounds: int
    has_symbols: bool
    rows: list[Row]
    fields: list[Field]  # symbol fields only if the symbols are in play
    tiles: list[Tile]  # every kind that is in play
    bridges: list[Bridge]
    areas: list[int]  # the columns of the connection areas
    max_laid: int  # in one turn
    max_drawn: int  # in one turn, if nothing fits


class Rack(msgspec.Struct, frozen=True):
    """The rack of a seat, as far as the viewer knows it: the own one, what was handed on, all after the match."""

    size: int
    tiles: list[str]  # those that are known, by colour, then jokers and symbols
    minus: int  # minus points of the finished rounds


class View(msgspec.Struct, frozen=True):
    """What changes."""

    # "start", "deal", "search" (for an 11), "drawing" (as nothing fits), "bonus_drawing": chance is due;
    # "ask" (who opens), "open" (with an 11), "lay", "bonus" (lay the bonus tile), "free" (lay a free tile),
    # "hand" (on a tile), "over"
    phase: str
    round: int  # from 1
    starter: int | None  # seat that starts this round, once that is known
    turn: int | None  # seat whose turn it is, or that tiles are drawn for
    left_opening: list[int]  # the seats that have left the opening to others, until the first 11 is laid
    laid_count: int  # tiles laid in this turn, bonus and free tiles aside
    drawn: int  # tiles drawn in this turn because nothing fits
    bonus_tile: str | None  # the tile that must be laid now
    laid: list[str]  # the fields on which a tile lies
    fresh: list[str]  # those of them laid in this turn
    inviting: list[str]  # empty fields that adjoin a tile, and the 11s
    bonuses: list[int]  # bridges whose bonus is still to be had
    bag_size: int
    racks: list[Rack]  # by seat


class _Texts(NamedTuple):
    fields: list[str]
    tiles: list[str]


_PHASES = [phase.name.lower() for phase in Phase]


def scene_of(state: State) -> Scene:
    """The rows, their fields, bridges and tiles."""
    values = LAYOUT.read(state)
    texts = _texts_of(values)
    kinds = [SYMBOL, KINDS][values.has_symbols]
    return Scene(
        players=values.players,
        rounds=values.rounds,
        has_symbols=bool(values.has_symbols),
        rows=[Row(COLOURS[values.colour[row]], SYMBOLS[values.symbol[row]]) for row in range(ROWS)],
        fields=[_field(texts, field) for field in range(FIELDS) if tile_for(field) < kinds],
        tiles=[_tile(values, texts, kind) for kind in range(kinds)],
        bridges=[
            Bridge(upper // NUMBERS, upper % NUMBERS + 1, is_in(values.bonus_fields, upper))
            for upper, _ in _bridges_of(values)
        ],
        areas=list(AREA_NUMBERS),
        max_laid=MAX_LAID,
        max_drawn=MAX_DRAWN,
    )


def _field(texts: _Texts, field: int) -> Field:
    if field < NUMBER_FIELDS:
        row, column = field // NUMBERS, field % NUMBERS + 1
    else:
        row, end = divmod(field - NUMBER_FIELDS, len(ENDS))
        column = end * (NUMBERS + 1)
    return Field(texts.fields[field], row, column, texts.tiles[tile_for(field)])


def _tile(values: Any, texts: _Texts, kind: int) -> Tile:
    text, value = texts.tiles[kind], int(VALUE[kind])
    if kind >= SYMBOL:
        return Tile(text, "symbol", None, None, value)
    if kind >= JOKER:
        return Tile(text, "joker", None, value, value)
    return Tile(text, "colour", COLOURS[values.colour[kind // COLOURED_A_ROW]], value, value)


def view_of(state: State) -> View:
    """The tiles on the board, and the racks as far as they are known."""
    values = LAYOUT.read(state)
    texts = _texts_of(values)
    is_started = values.phase != Phase.START
    return View(
        phase=_PHASES[values.phase],
        round=values.round_number,
        starter=values.starter if is_started else None,
        turn=values.turn if is_started else None,
        left_opening=[(values.starter + index) % values.players for index in range(values.leaves)],
        laid_count=values.laid_count,
        drawn=values.drawn,
        bonus_tile=None if values.bonus_tile == NONE else texts.tiles[values.bonus_tile],
        laid=_fields_in(values.laid.tolist(), texts),
        fresh=_fields_in(values.fresh.tolist(), texts),
        inviting=_fields_in(values.inviting.tolist()[: None if values.has_symbols else NUMBER_PARTS], texts),
        bonuses=[index for index, ends in enumerate(_bridges_of(values)) if has_bonus_left(values, *ends)],
        bag_size=values.bag_size,
        racks=[_rack(values, texts, seat) for seat in range(values.players)],
    )


def _rack(values: Any, texts: _Texts, seat: int) -> Rack:
    tiles = [tile for tile, count in zip(texts.tiles, values.rack[seat].tolist(), strict=True) for _ in range(count)]
    return Rack(values.rack_size.item(seat), tiles, values.minus.item(seat))


def _bridges_of(values: Any) -> list[tuple[int, int]]:
    """The upper and the lower field of every bridge."""
    return _bridges(tuple(values.bridge_to.tolist()))


@lru_cache
def _bridges(bridge_to: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(field, across) for field, across in enumerate(bridge_to) if across > field]


def _fields_in(parts: list[int], texts: _Texts) -> list[str]:
    """The texts of the fields in a mask."""
    return [texts.fields[field] for field in fields_in(parts)]


def _texts_of(values: Any) -> _Texts:
    return _texts(tuple(values.colour.tolist()), tuple(values.symbol.tolist()))


@lru_cache
def _texts(colour: tuple[int, ...], symbol: tuple[int, ...]) -> _Texts:
    """The texts of all fields and tiles of a board, which is known by the colours and symbols of its rows."""
    board = SimpleNamespace(colour=colour, symbol=symbol)
    return _Texts(
        [field_text(board, field) for field in range(FIELDS)], [tile_text(board, kind) for kind in range(KINDS)]
    )
