"""Observations as flat tensors of small numbers, made from the fields of a state.

A TensorField names a field and how its values are encoded. All of them are turned into a plan: a table that a single
kernel executes on the memory of any game's state. The documentation is generated from the same TensorFields.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from threespan.core.kernel import kernel
from threespan.core.layout import Field, Layout
from threespan.core.options import Value

TENSOR_TYPE = np.int16


class Encoding(IntEnum):
    """How the values of a field are encoded."""

    VALUE = 0  # unchanged
    HOT = 1  # one-hot over all possible values
    SEAT = 2  # one-hot; seats are counted from the viewer on
    BITS = 3  # for a mask: 0 or 1 for each bit
    COUNTS = 4  # for each possible value, how often it occurs in the row


class TensorField(NamedTuple):
    """A field of a state, and how it becomes part of the tensor."""

    field: str
    encoding: Encoding = Encoding.VALUE
    by_seat: bool = False  # one row per seat: first the viewer's, then the others clockwise
    bits: int = 0  # of a mask
    only_with: Mapping[str, Value] = {}  # it only exists if these options have these values

    @property
    def name(self) -> str:
        """The name of the tensor's section: the field's, with `_at` appended for COUNTS."""
        return f"{self.field}_at" if self.encoding is Encoding.COUNTS else self.field


class TensorSection(NamedTuple):
    """The place of a TensorField in the tensor."""

    name: str
    start: int
    shape: tuple[int, ...]
    low: int
    high: int


class Run(NamedTuple):
    """A row of the plan: adjacent values of a state that are encoded next to each other in the tensor."""

    log_bytes: int  # logarithm of the bytes per value: 0, 1 or 3
    first: int  # index of the first value, in values of that size
    values: int  # their number
    encoding: int
    size: int  # numbers in the tensor per value (for COUNTS, for all values together)
    low: int  # the lowest value; for SEAT, the number of players


class TensorPlan:
    """The tensor layout of a game for a number of players."""

    def __init__(self, layout: Layout, parts: tuple[TensorField, ...], players: int) -> None:
        """Lay out the parts one after the other."""
        self.players = players
        self.sections: list[TensorSection] = []
        self.size = 0
        for part in parts:
            shape, low, high = _shape(layout, part, players)
            self.sections.append(TensorSection(part.name, self.size, shape, low, high))
            self.size += int(np.prod(shape))
        by_viewer = [
            [run for part in parts for run in _runs(layout, part, players, viewer)] for viewer in range(players)
        ]
        self.runs = np.array(by_viewer, np.int64)

    def bounds(self) -> tuple[Any, Any]:
        """The lowest and the highest value of every number in the tensor."""
        low, high = np.empty(self.size, TENSOR_TYPE), np.empty(self.size, TENSOR_TYPE)
        for section in self.sections:
            numbers = slice(section.start, section.start + int(np.prod(section.shape)))
            low[numbers], high[numbers] = section.low, section.high
        return low, high

    def named(self, tensor: Any) -> dict[str, Any]:
        """Views of a tensor (or a batch of tensors) by section, in their own shapes."""
        return {
            section.name: tensor[..., section.start : section.start + int(np.prod(section.shape))].reshape(
                *tensor.shape[:-1], *section.shape
            )
            for section in self.sections
        }


def tensor_table(layout: Layout, parts: tuple[TensorField, ...]) -> str:
    """The layout as a Markdown table."""
    lines = ["| part | shape | numbers | meaning |", "|---|---|---|---|"]
    for part in parts:
        field = layout.fields[part.field]
        shape, _, _ = _shape(layout, part, _PLAYERS_IN_TABLE)
        words = ["players" if size == _PLAYERS_IN_TABLE else str(size) for size in shape]
        numbers = _ENCODING_TEXTS[part.encoding].format(low=field.low, high=field.high)
        name = f"`{part.name}`{options_note(part.only_with)}"
        lines.append(f"| {name} | {' x '.join(words)} | {numbers} | {field.meaning} |")
    return "\n".join(lines)


def options_note(only_with: Mapping[str, Value]) -> str:
    """The note in a table about something that only exists with certain options."""
    values = ", ".join(f"{name}={value}" for name, value in only_with.items())
    return f" (only with {values})" if values else ""


_PLAYERS_IN_TABLE = 1_000_003  # larger than any other dimension
_ENCODING_TEXTS = {
    Encoding.VALUE: "{low}..{high}",
    Encoding.HOT: "one-hot: {low}..{high}",
    Encoding.SEAT: "one-hot: the viewer, then the seats to the left",
    Encoding.BITS: "0..1, lowest bit first",
    Encoding.COUNTS: "how many there are of {low}..{high}",
}


def _encoded_size(field: Field, part: TensorField, players: int) -> int:
    """How many numbers encode a value."""
    return {
        Encoding.VALUE: 1,
        Encoding.HOT: field.high - field.low + 1,
        Encoding.SEAT: players,
        Encoding.BITS: part.bits,
        Encoding.COUNTS: field.high - field.low + 1,
    }[part.encoding]


def _columns(field: Field, part: TensorField) -> int:
    """The number of values per seat, or of all seats together."""
    return int(np.prod(field.shape[1:] if part.by_seat else field.shape, dtype=int))


def _shape(layout: Layout, part: TensorField, players: int) -> tuple[tuple[int, ...], int, int]:
    """The shape of a part, and its lowest and highest number."""
    field = layout.fields[part.field]
    columns = _columns(field, part)
    is_counted = part.encoding is Encoding.COUNTS
    seats = (players,) if part.by_seat else ()
    per_seat = () if is_counted or columns == 1 else (columns,)
    if part.encoding is Encoding.VALUE:
        return seats + per_seat or (1,), field.low, field.high
    encoded = (_encoded_size(field, part, players),)
    return seats + per_seat + encoded, 0, columns if is_counted else 1


def _runs(layout: Layout, part: TensorField, players: int, viewer: int) -> list[Run]:
    """The runs of a part for a viewer: first the seats from the viewer on, then those before it."""
    field = layout.fields[part.field]
    kind, place = dict(layout.dtype.fields or {})[part.field][:2]
    columns = _columns(field, part)
    if not part.by_seat:
        seats = [(0, 1)]
    elif part.encoding is Encoding.COUNTS:
        seats = [((viewer + index) % players, 1) for index in range(players)]
    else:
        seats = [(viewer, players - viewer), (0, viewer)]
    return [
        Run(
            log_bytes=kind.base.itemsize.bit_length() - 1,
            first=place // kind.base.itemsize + seat * columns,
            values=count * columns,
            encoding=part.encoding,
            size=_encoded_size(field, part, players),
            low=players if part.encoding is Encoding.SEAT else field.low,
        )
        for seat, count in seats
    ]


def memory_of(states: Any) -> Any:
    """Views of an array of states as integers of one, two and eight bytes.

    They are fields of one record, because kernels access those for free.
    """
    size = states.dtype.itemsize
    kinds = [(np.int8, (size,)), (np.int16, (size // 2,)), (np.int64, (size // 8,))]
    both = np.dtype({"names": ["ones", "twos", "eights"], "formats": kinds, "offsets": [0, 0, 0]})
    return np.ndarray(states.shape, np.dtype((np.record, both)), states)


@kernel
def write_tensor(memory: Any, runs: Any, viewer: int, tensors: Any, row: int) -> None:
    """Write the tensor of a state, from the view of a seat, into a row of `tensors`.

    Indices are unsigned: loops over indices that might be negative are not vectorised.
    """
    at, lane = np.uint64(0), np.uint64(row)
    for line in range(runs.shape[1]):
        log_bytes, first, count = runs[viewer, line, 0], np.uint64(runs[viewer, line, 1]), runs[viewer, line, 2]
        encoding, size, low = runs[viewer, line, 3], runs[viewer, line, 4], runs[viewer, line, 5]
        if encoding == Encoding.VALUE:
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
        if encoding == Encoding.BITS:
            for index in range(np.uint64(count)):
                word = memory_value(memory, log_bytes, first + index)
                for bit in range(size):
                    tensors[lane, at + np.uint64(bit)] = word >> bit & 1
                at += np.uint64(size)
            continue
        together = encoding == Encoding.COUNTS
        for index in range(np.uint64(size if together else count * size)):
            tensors[lane, at + index] = 0
        for index in range(np.uint64(count)):
            value = memory_value(memory, log_bytes, first + index)
            found = (value - viewer + low) % low if encoding == Encoding.SEAT else value - low
            tensors[lane, at + np.uint64(found)] += 1
            at += np.uint64(0 if together else size)
        at += np.uint64(size if together else 0)


@kernel
def memory_value(memory: Any, log_bytes: int, index: Any) -> int:
    """A value in the memory of a state."""
    if log_bytes == 0:
        return np.int64(memory.ones[index])  # type: ignore[return-value]
    if log_bytes == 1:
        return np.int64(memory.twos[index])  # type: ignore[return-value]
    return memory.eights[index]  # type: ignore[no-any-return]
