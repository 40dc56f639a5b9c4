"""The state of a game as named fields: their memory layout, bounds, text form and documentation."""

import hashlib
import re
from collections import namedtuple
from collections.abc import Callable, Iterator
from enum import Enum
from operator import itemgetter
from typing import Annotated, Any, NamedTuple

import numpy as np

from threespan.core.errors import UserError, shortened
from threespan.core.kernel import IS_UNCOMPILED

# A state is a NumPy record whose fields are attributes, also inside kernels. NumPy types such attributes as Any.
State = Annotated[Any, "a state"]
# An array of one state: passing it to a kernel takes a quarter of a microsecond, passing a record takes five.
States = Annotated[Any, "states"]


class Kind(Enum):
    """What kind of information a field holds."""

    PLAY = "play"  # changed by play
    DERIVED = "derived"  # computed from other fields, stored to make the rules fast
    MATERIAL = "material"  # the board and the deck: constant during a match


class Field(NamedTuple):
    """One field of a state; its values lie between `low` and `high`, inclusive."""

    name: str
    type: type[np.signedinteger[Any]]
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


class LayoutError(UserError):
    """The fields of a state are invalid."""


class Layout:
    """The fields of a game's state."""

    def __init__(self, *fields: Field) -> None:
        """Lay out `fields` in memory, aligned as C would."""
        self.fields = {field.name: field for field in fields}
        for name in self.fields:
            if hasattr(np.record, name):
                raise LayoutError(
                    f"'{name}' is an attribute of every NumPy record; choose another name for this field of the state"
                )
        # Kernels compute with 64 bits whatever the type of a field; NumPy does so only if the fields are that wide.
        wide = np.int64 if IS_UNCOMPILED else None
        plain = np.dtype([(f.name, wide or f.type, f.shape) for f in fields], align=True)
        self.dtype = np.dtype((np.record, plain))
        self.record = _record_class(plain)
        self._record_dtype = np.dtype((self.record, plain))
        self._values: Any = namedtuple("Values", self.fields)  # type: ignore[misc]

    def new(self) -> State:
        """An empty state."""
        return np.zeros(1, self._record_dtype)[0]

    def batch(self, size: int) -> Any:
        """An array of empty states."""
        return np.zeros(size, self.dtype).view(np.recarray)

    def copy(self, state: State) -> State:
        """An independent copy of a state."""
        return self.array_copy(state)[0]

    def array_copy(self, state: State) -> Any:
        """An array with a byte-for-byte copy of a state (NumPy's own copy leaves padding bytes undefined)."""
        return self._array_from(state.tobytes())

    def array_of(self, state: State) -> Any:
        """An array that shares a state's memory; passing it to a kernel is much faster than passing the record."""
        return np.frombuffer(state, self._record_dtype)

    def from_bytes(self, values: bytes) -> State:
        """The state from the result of `state.tobytes()`; raises PositionError for anything else."""
        states = self._array_from(values)
        self.check_bounds(states)
        state: State = states[0]
        return state

    def _array_from(self, values: bytes) -> Any:
        if len(values) != self.dtype.itemsize:
            raise PositionError(f"a state of this game has {self.dtype.itemsize} bytes, not {len(values)}")
        return np.frombuffer(bytearray(values), self._record_dtype)

    def check_bounds(self, states: Any) -> None:
        """Refuse an array of states with a value outside its field's bounds; raises PositionError."""
        for name in self.out_of_bounds(states):
            field, values = self.fields[name], np.asarray(states[name])
            wrong = values[(values < field.low) | (values > field.high)].flat[0]
            raise PositionError(f"{name}: {wrong} is not within {field.low}..{field.high}")

    def read(self, state: State) -> Any:
        """All fields as a named tuple of Python numbers and arrays: much faster than reading them one by one."""
        return self._values._make(state.item())

    def reader(self, *names: str) -> Callable[[State], Any]:
        """A function like `read` for some fields only, which is faster still."""
        fields: Any = self.dtype.fields
        formats, offsets = zip(*(fields[name] for name in names), strict=True)
        part = {"names": names, "formats": formats, "offsets": offsets, "itemsize": self.dtype.itemsize}
        dtype: Any = np.dtype(part)  # type: ignore[call-overload]
        values: Any = namedtuple("Values", names)  # type: ignore[misc]
        return lambda state: values._make(np.frombuffer(state, dtype).item())

    def c_struct(self, name: str) -> str:
        """The layout as a C struct declaration."""
        members = "".join(
            f"    int{8 * np.dtype(f.type).itemsize}_t {f.name}{''.join(f'[{n}]' for n in f.shape)};\n"
            for f in self.fields.values()
        )
        return f"typedef struct {{\n{members}}} {name};\n"

    def out_of_bounds(self, state: State) -> list[str]:
        """The names of the fields of a state (or of an array of states) that have a value outside their bounds."""
        return [
            name
            for name, field in self.fields.items()
            if np.min(state[name]) < field.low or np.max(state[name]) > field.high
        ]

    def to_text(self, state: State) -> str:
        """The position as one line: `field=values` for every PLAY field that is not all zero."""
        words = []
        for name, field in self.fields.items():
            values = np.asarray(state[name])
            if field.kind is Kind.PLAY and values.any():
                rows = values.reshape(-1, field.shape[-1]) if field.shape else values.reshape(1, 1)
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


def _record_class(plain: np.dtype[Any]) -> type[np.void]:
    """A record class whose fields are properties: ten times faster than NumPy's own, which looks them up in Python."""

    def field(name: str) -> property:
        return property(itemgetter(name), lambda state, value: state.__setitem__(name, value))

    fingerprint = hashlib.sha256(str(plain).encode()).hexdigest()[:12]
    return type(
        f"State_{fingerprint}", (np.void,), {"__slots__": ()} | {name: field(name) for name in plain.names or ()}
    )


def _row_text(row: Any) -> str:
    """Adjacent digits if every value is one digit, otherwise comma-separated values; no trailing zeros."""
    values = [int(value) for value in row]
    while values and values[-1] == 0:
        values.pop()
    if all(0 <= value <= 9 for value in values):
        return "".join(map(str, values))
    return ",".join(map(str, values)) + ("," if len(values) == 1 else "")


def _parse_field(field: Field, text: str) -> Any:
    columns = field.shape[-1] if field.shape else 1
    rows = text.split("/")
    table = np.zeros((int(np.prod(field.shape[:-1], dtype=int)), columns), np.int64)
    if len(rows) > len(table):
        raise PositionError(f"{field.name}: {len(rows)} rows, but there are {len(table)}")
    for index, row in enumerate(rows):
        cells = row.rstrip(",").split(",") if "," in row else list(row)
        if len(cells) > columns:
            raise PositionError(f"{field.name}: {len(cells)} values in a row of {columns}")
        for column, cell in enumerate(cells):
            if not _NUMBER.fullmatch(cell):
                raise PositionError(f"{field.name}: '{shortened(cell)}' is not a number")
            value = int(cell)
            if not field.low <= value <= field.high:
                raise PositionError(f"{field.name}: {value} is not within {field.low}..{field.high}")
            table[index, column] = value
    return table.reshape(field.shape) if field.shape else table[0, 0]
