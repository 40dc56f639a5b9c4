"""The state of Elfer, and the numbers that fields, tiles and actions have.

Fields: 0..79 are the number fields in reading order (20 * row + number - 1), 80..87 the symbol fields
(80 + 2 * row, + 1 for the one beside the 20). Every field takes exactly one kind of tile, so to lay a tile is to name
a field. Masks of fields come in three parts of 40 bits: rows 0 and 1, rows 2 and 3, symbol fields.

Kinds of tile: 0..63 are coloured (16 a row, ascending), 64..67 the jokers 3, 7, 13, 17, 68..71 the symbols by row.
"""

from enum import IntEnum
from typing import Any

from threespan.core.kernel import bits_of
from threespan.core.layout import Field, Kind, Layout
from threespan.core.memory import constant, int8, int16, int64
from threespan.core.rules import MAX_SEATS

ROWS = 4
NUMBERS = 20
ELEVEN = 11
AREA_NUMBERS = (1, ELEVEN, NUMBERS)  # the numbers of the connection areas
JOKER_NUMBERS = (3, 7, 13, 17)
COLOURED_NUMBERS = tuple(n for n in range(1, NUMBERS + 1) if n not in JOKER_NUMBERS)
ENDS = (1, NUMBERS)  # the numbers that symbol fields lie beside
COLOURS = ("yellow", "red", "blue", "green")
SYMBOLS = ("square", "triangle", "star", "circle")
BONUS_BRIDGES = 4
MAX_ROUNDS = MAX_SEATS
MAX_LAID = 3  # LIMIT_THREE
MAX_DRAWN = 3  # DRAW_THREE
NONE = -1

# Fields, and their masks.
NUMBER_FIELDS = ROWS * NUMBERS
SYMBOL_FIELDS = ROWS * len(ENDS)
FIELDS = NUMBER_FIELDS + SYMBOL_FIELDS
PART = 2 * NUMBERS  # bits in a part of a mask
NUMBER_PARTS = NUMBER_FIELDS // PART
SYMBOL_PART = NUMBER_PARTS
PARTS = NUMBER_PARTS + 1

# Kinds of tile.
COLOURED_A_ROW = len(COLOURED_NUMBERS)
JOKER = ROWS * COLOURED_A_ROW  # + index of the number
SYMBOL = JOKER + len(JOKER_NUMBERS)  # + row
KINDS = SYMBOL + ROWS
JOKERS_OF_A_NUMBER = 4
SYMBOLS_OF_A_ROW = 2
SYMBOL_VALUE = 11
MASKED = JOKER - 1  # all coloured kinds but the last: as many as a mask has bits
TILES = JOKER + JOKERS_OF_A_NUMBER * len(JOKER_NUMBERS) + SYMBOLS_OF_A_ROW * ROWS

# The dense space of actions.
LAY = 0  # + field
HAND = LAY + FIELDS  # + kind
STOP = HAND + KINDS
KEEP = STOP + 1
DRAW = KEEP + 1
PASS = DRAW + 1
SKIP = PASS + 1
OPEN = SKIP + 1
LEAVE = OPEN + 1
DRAWN = LEAVE + 1  # + kind; actions of chance from here on
STARTS = DRAWN + KINDS  # + seat
ACTIONS = STARTS + MAX_SEATS


class Phase(IntEnum):
    """What the match is waiting for: first the moments of chance, then those of the seat whose turn it is.

    The texts of positions name them by their numbers, so what came later stands at the end.
    """

    START = 0  # chance chooses the starting seat
    DEAL = 1  # a tile is dealt to the seat `turn`
    SEARCH = 2  # nobody has an 11: the seat `turn` draws a tile
    DRAWING = 3  # nothing fits: the seat draws a tile
    BONUS_DRAWING = 4  # a bonus tile is drawn openly
    OPEN = 5  # the seat lays the opening 11
    LAY = 6  # the seat lays, stops, draws or passes
    BONUS = 7  # the seat lays the bonus tile
    FREE = 8  # the seat lays its free tile or skips it
    HAND = 9  # the seat hands on a tile or keeps all
    OVER = 10
    ASK = 11  # the seat says whether it opens, where nobody must


_SEAT = (MAX_SEATS,)
_SEAT_SYMBOLS = (MAX_SEATS, ROWS)
_MASK = 2**PART - 1
_MAX_MINUS = MAX_ROUNDS * (ROWS * NUMBERS * (NUMBERS + 1) // 2 + SYMBOL_FIELDS * SYMBOL_VALUE)

LAYOUT = Layout(
    Field("players", int8, (), 2, MAX_SEATS, "number of players"),
    Field("phase", int8, (), 0, max(Phase), "what the match is waiting for, see `Phase`"),
    Field("round_number", int8, (), 1, MAX_ROUNDS, "round of the match"),
    Field("starter", int8, (), 0, MAX_SEATS - 1, "seat that starts this round"),
    Field("turn", int8, (), 0, MAX_SEATS - 1, "seat whose turn it is, or that tiles are drawn for"),
    Field("leaves", int8, (), 0, MAX_SEATS, "seats that have left the opening to others, until the 11 is laid"),
    Field("laid_count", int8, (), 0, MAX_LAID, "tiles laid in this turn, bonus and free tiles aside"),
    Field("drawn", int8, (), 0, MAX_DRAWN, "tiles drawn in this turn because nothing fits"),
    Field("bonus_tile", int8, (), NONE, KINDS - 1, "kind of the bonus tile to be laid, -1 for none"),
    Field("board", int8, (FIELDS,), 0, 1, "each field: 0 empty, 1 a tile lies"),
    Field("fresh", int64, (PARTS,), 0, _MASK, "mask of fields laid in this turn"),
    Field("bag_size", int8, (), 0, TILES, "tiles in the bag"),
    Field("rack_size", int8, _SEAT, 0, TILES, "tiles on each rack"),
    Field("bag", int8, (KINDS,), 0, JOKERS_OF_A_NUMBER, "tiles in the bag by kind; observed: all unseen tiles"),
    Field("rack", int8, (MAX_SEATS, KINDS), 0, JOKERS_OF_A_NUMBER, "tiles on each rack by kind; observed: known ones"),
    Field("handed", int8, (MAX_SEATS, KINDS), 0, JOKERS_OF_A_NUMBER, "handed to the left and surely still there"),
    Field(
        "shown",
        int8,
        _SEAT_SYMBOLS,
        0,
        SYMBOLS_OF_A_ROW,
        "symbols that all saw go to a rack and that all know to be still there, by row",
    ),
    Field(
        "shown_left",
        int8,
        _SEAT_SYMBOLS,
        0,
        SYMBOLS_OF_A_ROW,
        "those of them that the left neighbour, who gets what is handed on, knows to be still there",
    ),
    Field("minus", int16, _SEAT, 0, _MAX_MINUS, "minus points of the finished rounds"),
    Field("laid", int64, (PARTS,), 0, _MASK, "mask of fields with a tile", Kind.DERIVED),
    Field("inviting", int64, (PARTS,), 0, _MASK, "mask of empty fields that a tile may go to", Kind.DERIVED),
    Field("holds", int64, (MAX_SEATS, PARTS), 0, _MASK, "mask of fields that a rack has tiles for", Kind.DERIVED),
    Field("bag_mask", int64, (), 0, 2**MASKED - 1, "mask of the first 63 kinds in the bag", Kind.DERIVED),
    Field("rounds", int8, (), 1, MAX_ROUNDS, "rounds of the match", Kind.MATERIAL),
    Field("has_symbols", int8, (), 0, 1, "whether the symbols are in play", Kind.MATERIAL),
    Field("may_leave", int8, (), 0, 1, "whether the seats are asked who opens", Kind.MATERIAL),
    Field("symbols_adjoin", int8, (), 0, 1, "whether a bonus symbol needs its 1 or 20 beside it", Kind.MATERIAL),
    Field("colour", int8, (ROWS,), 0, ROWS - 1, "colour of each row, see `COLOURS`", Kind.MATERIAL),
    Field("symbol", int8, (ROWS,), 0, ROWS - 1, "symbol of each row, see `SYMBOLS`", Kind.MATERIAL),
    Field(
        "bridge_to",
        int8,
        (NUMBER_FIELDS,),
        0,
        NUMBER_FIELDS - 1,
        "field across a bridge, else itself",
        Kind.MATERIAL,
    ),
    Field("bonus_fields", int64, (NUMBER_PARTS,), 0, _MASK, "mask of fields at a bonus bridge", Kind.MATERIAL),
)


def field_at(row: int, number: int) -> int:
    """The field of a number in a row."""
    return row * NUMBERS + number - 1


def symbol_field(row: int, end: int) -> int:
    """The symbol field beside the 1 (`end` 0) or the 20 (`end` 1) of a row."""
    return NUMBER_FIELDS + row * len(ENDS) + end


def tile_for(field: int) -> int:
    """The one kind of tile that goes on a field."""
    if field >= NUMBER_FIELDS:
        return SYMBOL + (field - NUMBER_FIELDS) // len(ENDS)
    row, number = field // NUMBERS, field % NUMBERS + 1
    if number in JOKER_NUMBERS:
        return JOKER + JOKER_NUMBERS.index(number)
    return row * COLOURED_A_ROW + COLOURED_NUMBERS.index(number)


def full_count(kind: int, has_symbols: bool) -> int:
    """How many tiles of a kind there are."""
    if kind >= SYMBOL:
        return SYMBOLS_OF_A_ROW if has_symbols else 0
    return JOKERS_OF_A_NUMBER if kind >= JOKER else 1


def _neighbours(field: int) -> list[int]:
    """The fields that a tile on `field` opens on every board: in its row, in its area, the symbol field beside it."""
    row, number = field // NUMBERS, field % NUMBERS + 1
    near = [field_at(row, n) for n in (number - 1, number + 1) if 1 <= n <= NUMBERS]
    if number in AREA_NUMBERS:
        near += [field_at(other, number) for other in range(ROWS) if other != row]
    if number in ENDS:
        near.append(symbol_field(row, ENDS.index(number)))
    return near


def mask_of(fields: list[int]) -> list[int]:
    """A mask of fields, part by part."""
    parts = [0] * PARTS
    for field in fields:
        parts[field // PART] |= 1 << field % PART
    return parts


def fields_in(parts: list[int]) -> list[int]:
    """The fields of a mask, ascending."""
    return [part * PART + bit for part, mask in enumerate(parts) for bit in bits_of(mask)]


def is_in(mask: Any, field: int) -> bool:
    """Whether a mask has a field."""
    return bool(mask[field // PART] >> field % PART & 1)


# Tables for kernels.
PART_OF = constant([field // PART for field in range(FIELDS)], int64)
BIT_OF = constant([1 << field % PART for field in range(FIELDS)], int64)
NEIGHBOURS = constant([mask_of(_neighbours(field)) for field in range(NUMBER_FIELDS)], int64)
TILE_FOR = constant([tile_for(field) for field in range(FIELDS)], int64)
FIELDS_FOR = constant([mask_of([f for f in range(FIELDS) if tile_for(f) == kind]) for kind in range(KINDS)], int64)
VALUE = constant(
    [next(f % NUMBERS + 1 if f < NUMBER_FIELDS else SYMBOL_VALUE for f in range(FIELDS) if tile_for(f) == kind)
     for kind in range(KINDS)],
    int64,
)  # fmt: skip
FULL_BAG = constant([[full_count(kind, bool(variant)) for kind in range(KINDS)] for variant in (0, 1)], int64)

ELEVENS = mask_of([field_at(row, ELEVEN) for row in range(ROWS)])[0]  # the same in both parts of the rows
JOKER_FIELDS = mask_of([f for f in range(NUMBER_FIELDS) if tile_for(f) >= JOKER])[0]  # likewise
# A pair of neighbours in a row begins anywhere but on a 20.
PAIR_STARTS = _MASK & ~mask_of([field_at(row, NUMBERS) for row in range(ROWS)])[0]
ELEVEN_KINDS = constant([tile_for(field_at(row, ELEVEN)) for row in range(ROWS)], int64)
