"""What a seat may know as a flat row of small numbers: pieces of its observation, read from the state's own fields.

A piece names a field and how its values are spelt out. Pieces become a plan, a table that one kernel carries out on the
memory of any game's state, so what is written and what is documented come from the same lines.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from threespan.core.kernel import kernel
from threespan.core.layout import Field, Layout

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


class Run(NamedTuple):
    """Values that lie side by side in a state and are spelt out side by side in the tensor; a row of the plan."""

    log_bytes: int  # of one value: 0, 1 or 3
    first: int  # index of the first value, counted in values of that size
    values: int  # how many
    spelling: int
    size: int  # what one value (COUNTS: all together) becomes
    low: int  # the lowest value; of SEAT the number of players


class TensorPlan:
    """The tensor of a game with a number of players."""

    def __init__(self, layout: Layout, pieces: tuple[Piece, ...], players: int) -> None:
        """Lay the pieces out one after the other."""
        self.players = players
        self.sections: list[Section] = []
        self.size = 0
        for piece in pieces:
            shape, low, high = _shape(layout, piece, players)
            self.sections.append(Section(piece.name, self.size, shape, low, high))
            self.size += int(np.prod(shape))
        by_viewer = [
            [run for piece in pieces for run in _runs(layout, piece, players, viewer)] for viewer in range(players)
        ]
        self.runs = np.array(by_viewer, np.int64)

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
        shape, _, _ = _shape(layout, piece, _PLAYERS_IN_TABLE)
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


def _spelt_size(field: Field, piece: Piece, players: int) -> int:
    """How many numbers a value becomes."""
    return {
        Spelling.VALUE: 1,
        Spelling.HOT: field.high - field.low + 1,
        Spelling.SEAT: players,
        Spelling.BITS: piece.bits,
        Spelling.COUNTS: field.high - field.low + 1,
    }[piece.spelling]


def _columns(field: Field, piece: Piece) -> int:
    """How many values a seat has, or all seats together."""
    return int(np.prod(field.shape[1:] if piece.by_seat else field.shape, dtype=int))


def _shape(layout: Layout, piece: Piece, players: int) -> tuple[tuple[int, ...], int, int]:
    """The shape of a piece, and the lowest and highest of its numbers."""
    field = layout.fields[piece.field]
    columns = _columns(field, piece)
    is_counted = piece.spelling is Spelling.COUNTS
    seats = (players,) if piece.by_seat else ()
    per_seat = () if is_counted or columns == 1 else (columns,)
    if piece.spelling is Spelling.VALUE:
        return seats + per_seat or (1,), field.low, field.high
    spelt = (_spelt_size(field, piece, players),)
    return seats + per_seat + spelt, 0, columns if is_counted else 1


def _runs(layout: Layout, piece: Piece, players: int, viewer: int) -> list[Run]:
    """How a viewer's tensor shows a piece: seats from the viewer on, then those before; as many runs for everybody."""
    field = layout.fields[piece.field]
    kind, place = dict(layout.dtype.fields or {})[piece.field][:2]
    columns = _columns(field, piece)
    if not piece.by_seat:
        seats = [(0, 1)]
    elif piece.spelling is Spelling.COUNTS:
        seats = [((viewer + index) % players, 1) for index in range(players)]
    else:
        seats = [(viewer, players - viewer), (0, viewer)]
    return [
        Run(
            log_bytes=kind.base.itemsize.bit_length() - 1,
            first=place // kind.base.itemsize + seat * columns,
            values=count * columns,
            spelling=piece.spelling,
            size=_spelt_size(field, piece, players),
            low=players if piece.spelling is Spelling.SEAT else field.low,
        )
        for seat, count in seats
    ]


def memory_of(states: Any) -> Any:
    """The memory of an array of states: the same bytes as numbers of one, two and eight bytes, whatever the fields are.

    One record for all three, since kernels get at the fields of a record for free.
    """
    size = states.dtype.itemsize
    kinds = [(np.int8, (size,)), (np.int16, (size // 2,)), (np.int64, (size // 8,))]
    both = np.dtype({"names": ["ones", "twos", "eights"], "formats": kinds, "offsets": [0, 0, 0]})
    return np.ndarray(states.shape, np.dtype((np.record, both)), states)


@kernel
def write_tensor(memory: Any, runs: Any, viewer: int, tensors: Any, row: int) -> None:
    """Write the tensor of a state's memory, as a seat looks at it, into a row of `tensors`.

    Places are unsigned: an index that may be negative counts from the end, and such loops are not vectorised.
    """
    at, lane = np.uint64(0), np.uint64(row)
    for line in range(runs.shape[1]):
        log_bytes, first, count = runs[viewer, line, 0], np.uint64(runs[viewer, line, 1]), runs[viewer, line, 2]
        spelling, size, low = runs[viewer, line, 3], runs[viewer, line, 4], runs[viewer, line, 5]
        if spelling == Spelling.VALUE:
            if log_bytes == 0:
                for index in range(np.uint64(count)):
                    tensors[lane, at + index] = memory.ones[first + index]
            elif log_bytes == 1:
                for index in range(np.uint64(count)):
                    tensors[lane, at + index] = memory.twos[first + index]
            else:
                for index in range(np.uint64(count)):
                    tensors[lane, at + index] = memory.eights[first + index]
            at += np.uint64(count)
            continue
        if spelling == Spelling.BITS:
            for index in range(np.uint64(count)):
                word = memory_value(memory, log_bytes, first + index)
                for bit in range(size):
                    tensors[lane, at + np.uint64(bit)] = word >> bit & 1
                at += np.uint64(size)
            continue
        together = spelling == Spelling.COUNTS
        for index in range(np.uint64(size if together else count * size)):
            tensors[lane, at + index] = 0
        for index in range(np.uint64(count)):
            value = memory_value(memory, log_bytes, first + index)
            found = (value - viewer + low) % low if spelling == Spelling.SEAT else value - low
            tensors[lane, at + np.uint64(found)] += 1
            at += np.uint64(0 if together else size)
        at += np.uint64(size if together else 0)


@kernel
def memory_value(memory: Any, log_bytes: int, index: Any) -> int:
    """A number of a state's memory."""
    if log_bytes == 0:
        return np.int64(memory.ones[index])  # type: ignore[return-value]
    if log_bytes == 1:
        return np.int64(memory.twos[index])  # type: ignore[return-value]
    return memory.eights[index]  # type: ignore[no-any-return]
