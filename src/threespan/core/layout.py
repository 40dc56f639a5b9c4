"""The state of a game as named fields: their memory layout, bounds, text form and documentation."""

import re
from collections.abc import Callable, Iterator
from enum import Enum
from math import prod
from typing import Annotated, Any, NamedTuple

from threespan.core.errors import UserError, shortened
from threespan.core.memory import lay_out

# A state is a record whose fields are attributes, also inside kernels (memory.py); type checkers know nothing of them.
State = Annotated[Any, "a state"]
# An array of one state: passing it to a kernel of Numba takes a quarter of a microsecond, passing a record takes five.
States = Annotated[Any, "states"]


class Kind(Enum):
    """What kind of information a field holds."""

    PLAY = "play"  # changed by play
    DERIVED = "derived"  # computed from other fields, stored to make the rules fast
    MATERIAL = "material"  # the board and the deck: constant during a match


class Field(NamedTuple):
    """One field of a state; its values lie between `low` and `high`, inclusive."""

    name: str
    type: Any  # int8, int16, int32 or int64
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str
    kind: Kind = Kind.PLAY


_NUMBER = re.compile(r"-?[0-9]{1,19}")


class PositionError(UserError):
    """A position's text or bytes cannot be read."""


def refuse(complaints: Iterator[str]) -> None:
    """Raise PositionError for the first complaint, if there is one."""
    for complaint in complaints:
        raise PositionError(complaint)


class Layout:
    """The fields of a game's state."""

    def __init__(self, *fields: Field) -> None:
        """Lay out `fields` in memory."""
        self.fields = {field.name: field for field in fields}
        self.states = lay_out(*((field.name, field.type, field.shape) for field in fields))
        # Of all fields, or of some only, which is faster still; both are much faster than reading them one by one.
        self.read: Callable[[State], Any] = self.states.read
        self.reader: Callable[..., Callable[[State], Any]] = self.states.reader
        # An array that shares a state's memory.
        self.array_of: Callable[[State], Any] = self.states.array_of
        self.new: Callable[[], State] = self.states.new

    @property
    def key(self) -> tuple[tuple[str, ...], int]:
        """The names of the fields and the size: what states of this layout are known by."""
        return tuple(self.fields), self.states.size

    @property
    def kind(self) -> Any:
        """The type of a state that is a field of another record (memory.py)."""
        return self.states.kind

    @property
    def dtype(self) -> Any:
        """The NumPy type of a state; there is none where kernels are linked."""
        return self.states.dtype

    def batch(self, size: int) -> Any:
        """A NumPy array of empty states."""
        import numpy as np

        return np.zeros(size, self.dtype).view(np.recarray)

    def copy(self, state: State) -> State:
        """An independent copy of a state."""
        return self.array_copy(state)[0]

    def array_copy(self, state: State) -> Any:
        """An array with a byte-for-byte copy of a state (NumPy's own copy leaves padding bytes undefined)."""
        return self._array_from(state.tobytes())

    def _array_from(self, values: bytes) -> Any:
        if len(values) != self.states.size:
            raise PositionError(f"a state of this game has {self.states.size} bytes, not {len(values)}")
        return self.states.array_from(values)

    def from_bytes(self, values: bytes) -> State:
        """The state from the result of `state.tobytes()`; raises PositionError for anything else."""
        state: State = self._array_from(values)[0]
        for name in self.out_of_bounds(state):
            field = self.fields[name]
            wrong = next(number for number in numbers_of(state[name]) if not field.low <= number <= field.high)
            raise PositionError(f"{name}: {wrong} is not within {field.low}..{field.high}")
        return state

    def check_bounds(self, states: Any) -> None:
        """Refuse a NumPy array of states with a value outside its field's bounds; raises PositionError."""
        from threespan.core.arrays import outside

        for name, field in self.fields.items():
            if (wrong := outside(states[name], field.low, field.high)) is not None:
                raise PositionError(f"{name}: {wrong} is not within {field.low}..{field.high}")

    def c_struct(self, name: str) -> str:
        """The layout as a C struct declaration."""
        members = "".join(
            f"    {_name_of(f.type)}_t {f.name}{''.join(f'[{n}]' for n in f.shape)};\n" for f in self.fields.values()
        )
        return f"typedef struct {{\n{members}}} {name};\n"

    def out_of_bounds(self, state: State) -> list[str]:
        """The names of the fields of a state that have a value outside their bounds."""
        return [
            name
            for name, field in self.fields.items()
            if min(numbers := numbers_of(state[name])) < field.low or max(numbers) > field.high
        ]

    def to_text(self, state: State) -> str:
        """The position as one line: `field=values` for every PLAY field that is not all zero."""
        words = []
        for name, field in self.fields.items():
            if field.kind is Kind.PLAY and any(numbers := numbers_of(state[name])):
                width = field.shape[-1] if field.shape else 1
                rows = [numbers[start : start + width] for start in range(0, len(numbers), width)]
                words.append(f"{name}={'/'.join(_row_text(row) for row in rows)}")
        return " ".join(words)

    def from_text(self, text: str, state: State) -> None:
        """Set the PLAY fields of `state` from a text; raises PositionError."""
        for name, field in self.fields.items():
            if field.kind is Kind.PLAY:
                state[name] = 0
        for word in text.split():
            name, equals, values = word.partition("=")
            known = self.fields.get(name)
            if not equals or known is None or known.kind is not Kind.PLAY:
                raise PositionError(f"'{shortened(word)}' is not a field of a position")
            state[name] = _parse_field(known, values)

    def table(self) -> str:
        """The layout as a Markdown table."""
        lines = ["| field | shape | values | meaning |", "|---|---|---|---|"]
        for field in self.fields.values():
            shape = " x ".join(map(str, field.shape)) or "1"
            meaning = field.meaning if field.kind is Kind.PLAY else f"{field.meaning} ({field.kind.value})"
            lines.append(f"| `{field.name}` | {shape} | {field.low}..{field.high} | {meaning} |")
        return "\n".join(lines)


def numbers_of(value: Any) -> list[int]:
    """The numbers of a field, row by row."""
    return _flat(value.tolist() if hasattr(value, "tolist") else value)


def _flat(value: Any) -> list[int]:
    return [number for row in value for number in _flat(row)] if isinstance(value, list) else [value]


def _row_text(row: list[int]) -> str:
    """Adjacent digits if every value is one digit, otherwise comma-separated values; no trailing zeros."""
    values = row.copy()
    while values and values[-1] == 0:
        values.pop()
    if all(0 <= value <= 9 for value in values):
        return "".join(map(str, values))
    return ",".join(map(str, values)) + ("," if len(values) == 1 else "")


def _parse_field(field: Field, text: str) -> Any:
    columns = field.shape[-1] if field.shape else 1
    texts = text.split("/")
    rows = [[0] * columns for _ in range(prod(field.shape[:-1]))]
    if len(texts) > len(rows):
        raise PositionError(f"{field.name}: {len(texts)} rows, but there are {len(rows)}")
    for row, row_text in zip(rows, texts, strict=False):
        cells = row_text.rstrip(",").split(",") if "," in row_text else list(row_text)
        if len(cells) > columns:
            raise PositionError(f"{field.name}: {len(cells)} values in a row of {columns}")
        for column, cell in enumerate(cells):
            if not _NUMBER.fullmatch(cell):
                raise PositionError(f"{field.name}: '{shortened(cell)}' is not a number")
            value = int(cell)
            if not field.low <= value <= field.high:
                raise PositionError(f"{field.name}: {value} is not within {field.low}..{field.high}")
            row[column] = value
    if not field.shape:
        return rows[0][0]
    nested: list[Any] = rows
    for size in reversed(field.shape[1:-1]):
        nested = [nested[start : start + size] for start in range(0, len(nested), size)]
    return nested if len(field.shape) > 1 else nested[0]


def _name_of(kind: Any) -> str:
    """The name of a type of number, of NumPy or of buffers.py."""
    return str(kind.__name__ if isinstance(kind, type) else kind.name)
