"""What a seat may know as a flat row of small numbers: pieces of its observation, read from the state's own fields.

A piece names a field and how its values are spelt out. Pieces become a plan, a table that one kernel carries out on the
memory of any game's state, so what is written and what is documented come from the same lines.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from threespan.core.kernel import kernel
from threespan.core.layout import Layout

TENSOR_TYPE = np.int16


class Spelling(IntEnum):
    """How a value is spelt out."""

    VALUE = 0  # as it is
    HOT = 1  # a 1 at its place among all possible values, 0 elsewhere
    SEAT = 2  # likewise; a seat, counted from the viewer on
    BITS = 3  # a mask: 0 or 1 for each bit
    COUNTS = 4  # for each possible value, how many of the row's values are equal to it


class Piece(NamedTuple):
    """A field of an observation."""

    field: str
    spelling: Spelling = Spelling.VALUE
    by_seat: bool = False  # one row a seat: the viewer's first, then the others clockwise
    bits: int = 0  # of a mask

    @property
    def name(self) -> str:
        """The field's name; where its values are counted, with `_at`."""
        return f"{self.field}_at" if self.spelling is Spelling.COUNTS else self.field


class Section(NamedTuple):
    """Where a piece lies in the tensor."""

    name: str
    start: int
    shape: tuple[int, ...]
    low: int
    high: int


class Reading(NamedTuple):
    """How the kernel reads a piece; a row of the plan."""

    log_bytes: int  # of one value: 0, 1 or 3
    first: int  # index of the field's first value, counted in values of that size
    rows: int
    columns: int
    by_seat: int
    spelling: int
    size: int  # what one value (COUNTS: one row) becomes
    low: int


class TensorPlan:
    """The tensor of a game with a number of players."""

    def __init__(self, layout: Layout, pieces: tuple[Piece, ...], players: int) -> None:
        """Lay the pieces out one after the other."""
        self.players = players
        self.sections: list[Section] = []
        readings = []
        self.size = 0
        for piece in pieces:
            reading, shape, bounds = _read(layout, piece, players)
            readings.append(reading)
            self.sections.append(Section(piece.name, self.size, shape, *bounds))
            self.size += int(np.prod(shape))
        self.table = np.array(readings, np.int64)

    def bounds(self) -> tuple[Any, Any]:
        """The lowest and the highest value of every number of the tensor."""
        low, high = np.empty(self.size, TENSOR_TYPE), np.empty(self.size, TENSOR_TYPE)
        for section in self.sections:
            numbers = slice(section.start, section.start + int(np.prod(section.shape)))
            low[numbers], high[numbers] = section.low, section.high
        return low, high

    def named(self, tensor: Any) -> dict[str, Any]:
        """The parts of a tensor (or of a batch of them) by field, in their own shapes; views, not copies."""
        return {
            section.name: tensor[..., section.start : section.start + int(np.prod(section.shape))].reshape(
                *tensor.shape[:-1], *section.shape
            )
            for section in self.sections
        }


def tensor_table(layout: Layout, pieces: tuple[Piece, ...]) -> str:
    """The tensor as a Markdown table."""
    lines = ["| part | shape | numbers | meaning |", "|---|---|---|---|"]
    for piece in pieces:
        field = layout.fields[piece.field]
        _, shape, _ = _read(layout, piece, _PLAYERS_IN_TABLE)
        words = ["players" if size == _PLAYERS_IN_TABLE else str(size) for size in shape]
        numbers = _SPELLINGS[piece.spelling].format(low=field.low, high=field.high)
        lines.append(f"| `{piece.name}` | {' x '.join(words)} | {numbers} | {field.meaning} |")
    return "\n".join(lines)


_PLAYERS_IN_TABLE = 1_000_003  # no other size of a shape
_SPELLINGS = {
    Spelling.VALUE: "{low}..{high}",
    Spelling.HOT: "one-hot: {low}..{high}",
    Spelling.SEAT: "one-hot: the viewer, then the seats to the left",
    Spelling.BITS: "0..1, lowest bit first",
    Spelling.COUNTS: "how many there are of {low}..{high}",
}


def _read(layout: Layout, piece: Piece, players: int) -> tuple[Reading, tuple[int, ...], tuple[int, int]]:
    """How a piece is read, its shape, and the bounds of its numbers."""
    field = layout.fields[piece.field]
    place = layout.dtype.fields[piece.field]  # type: ignore[index]
    item_bytes = place[0].base.itemsize
    shape = field.shape or (1,)
    rows, columns = (shape[0], int(np.prod(shape[1:]))) if piece.by_seat else (1, int(np.prod(shape)))
    spelling, low, high = piece.spelling, field.low, field.high
    size = {
        Spelling.VALUE: 1,
        Spelling.HOT: high - low + 1,
        Spelling.SEAT: players,
        Spelling.BITS: piece.bits,
        Spelling.COUNTS: high - low + 1,
    }[spelling]
    per_row = () if spelling is Spelling.COUNTS or columns == 1 else (columns,)
    spelt = () if spelling is Spelling.VALUE else (size,)
    seats = (players,) if piece.by_seat else ()
    reading = Reading(
        log_bytes=item_bytes.bit_length() - 1,
        first=place[1] // item_bytes,
        rows=players if piece.by_seat else rows,
        columns=columns,
        by_seat=piece.by_seat,
        spelling=spelling,
        size=size,
        low=low,
    )
    bounds = (low, high) if spelling is Spelling.VALUE else (0, columns if spelling is Spelling.COUNTS else 1)
    return reading, seats + per_row + spelt or (1,), bounds


def memory_of(states: Any) -> tuple[Any, Any, Any]:
    """The memory of an array of states as numbers of one, two and eight bytes, a row for each state."""
    flat = np.ndarray((*states.shape, states.dtype.itemsize), np.int8, states)
    return flat, flat.view(np.int16), flat.view(np.int64)


@kernel
def write_tensor(bytes_: Any, shorts: Any, longs: Any, plan: Any, seat: int, players: int, tensor: Any) -> None:
    """Write the tensor of one state's memory as `seat` looks at it."""
    at = 0
    for line in range(len(plan)):
        log_bytes, first, rows, columns = plan[line, 0], plan[line, 1], plan[line, 2], plan[line, 3]
        for row in range(rows):
            turned = row + seat if plan[line, 4] else row
            source = first + (turned - players if turned >= players else turned) * columns
            if log_bytes == 0:
                at = spell_out(bytes_[source : source + columns], plan[line], seat, players, tensor, at)
            elif log_bytes == 1:
                at = spell_out(shorts[source : source + columns], plan[line], seat, players, tensor, at)
            else:
                at = spell_out(longs[source : source + columns], plan[line], seat, players, tensor, at)


@kernel
def spell_out(values: Any, reading: Any, seat: int, players: int, tensor: Any, at: int) -> int:
    """Write a row of values from the place `at` on; the place after them."""
    spelling, size, low = reading[5], reading[6], reading[7]
    if spelling == Spelling.VALUE:
        for index in range(len(values)):
            tensor[at + index] = values[index]
        return at + len(values)
    if spelling == Spelling.BITS:
        for index in range(len(values)):
            word = np.int64(values[index])
            for bit in range(size):
                tensor[at + bit] = word >> bit & 1
            at += size
        return at
    copies = 1 if spelling == Spelling.COUNTS else len(values)
    for index in range(copies * size):
        tensor[at + index] = 0
    for index in range(len(values)):
        value = np.int64(values[index])
        place = (value - seat + players) % players if spelling == Spelling.SEAT else value - low
        tensor[at + place] += 1
        if spelling != Spelling.COUNTS:
            at += size
    return at + size if spelling == Spelling.COUNTS else at
