"""The state of a game as a table of named fields: memory layout, bounds, text form and documentation."""

import hashlib
from collections import namedtuple
from enum import Enum
from operator import itemgetter
from typing import Annotated, Any, NamedTuple

import numpy as np

from threespan.core.errors import UserError
from threespan.core.kernel import IS_PLAIN

# A state is a NumPy record: fields by name, also inside kernels. NumPy types such attributes as Any.
State = Annotated[Any, "a state"]
# An array of one state: to hand one to a kernel costs a quarter of a microsecond, to hand over a record five.
States = Annotated[Any, "states"]


class Kind(Enum):
    """What a field is there for."""

    PLAY = "play"  # what play changes
    DERIVED = "derived"  # follows from the other fields; kept because it makes the rules fast
    MATERIAL = "material"  # the board and the deck: the same from the first to the last action


class Field(NamedTuple):
    """One field of a state: its values lie between `low` and `high`, both included."""

    name: str
    type: type[np.signedinteger[Any]]
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str
    kind: Kind = Kind.PLAY


class PositionError(UserError):
    """A position's text cannot be read."""


class Layout:
    """The fields of a game's state."""

    def __init__(self, *fields: Field) -> None:
        """Lay out `fields` in memory, aligned as C would."""
        self.fields = {field.name: field for field in fields}
        for name in self.fields:
            if hasattr(np.record, name):
                raise ValueError(f"'{name}' means something else on a NumPy record")
        # Kernels compute with 64 bits whatever a field's type; uncompiled, NumPy does so only if the fields are wide.
        wide = np.int64 if IS_PLAIN else None
        plain = np.dtype([(f.name, wide or f.type, f.shape) for f in fields], align=True)
        self.dtype = np.dtype((np.record, plain))
        self.record = _record_class(plain)
        self._single = np.dtype((self.record, plain))
        self._values: Any = namedtuple("Values", self.fields)  # type: ignore[misc]

    def new(self) -> State:
        """An empty state."""
        return np.zeros(1, self._single)[0]

    def batch(self, size: int) -> Any:
        """An array of empty states."""
        return np.zeros(size, self.dtype).view(np.recarray)

    def copy(self, state: State) -> State:
        """A state of its own with the same values."""
        return self.hold(state)[0]

    def hold(self, state: State) -> Any:
        """An array of one state, a copy of this one to the last byte (NumPy would leave the padding to chance)."""
        return np.frombuffer(bytearray(state.tobytes()), self._single)

    def array_of(self, state: State) -> Any:
        """A state as an array of one, which kernels take far quicker than a record; the memory is the same."""
        return np.frombuffer(state, self._single)

    def from_bytes(self, values: bytes) -> State:
        """The state of what `tobytes` of a state has given."""
        state: State = np.frombuffer(bytearray(values), self._single)[0]
        return state

    def read(self, state: State) -> Any:
        """All fields by name, as Python numbers and arrays: far quicker than asking a record for one at a time."""
        return self._values._make(state.item())

    def c_struct(self, name: str) -> str:
        """The same layout as a declaration in C."""
        members = "".join(
            f"    int{8 * np.dtype(f.type).itemsize}_t {f.name}{''.join(f'[{n}]' for n in f.shape)};\n"
            for f in self.fields.values()
        )
        return f"typedef struct {{\n{members}}} {name};\n"

    def out_of_bounds(self, state: State) -> list[str]:
        """The fields of a state with a value that its table does not allow."""
        return [
            name
            for name, field in self.fields.items()
            if np.min(state[name]) < field.low or np.max(state[name]) > field.high
        ]

    def to_text(self, state: State) -> str:
        """The position as one line: `field=values` for every played field that is not all zero."""
        words = []
        for name, field in self.fields.items():
            values = np.asarray(state[name])
            if field.kind is Kind.PLAY and values.any():
                rows = values.reshape(-1, field.shape[-1]) if field.shape else values.reshape(1, 1)
                words.append(f"{name}={'/'.join(_row_text(row) for row in rows)}")
        return " ".join(words)

    def from_text(self, text: str, state: State) -> None:
        """Fill the played fields of `state` from a text; raises PositionError."""
        for name, field in self.fields.items():
            if field.kind is Kind.PLAY:
                state[name] = 0
        for word in text.split():
            name, equals, values = word.partition("=")
            known = self.fields.get(name)
            if not equals or known is None or known.kind is not Kind.PLAY:
                raise PositionError(f"'{word}' is not a field of a position")
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
    """A class of records whose fields are attributes. NumPy's own class looks them up in Python, ten times slower."""

    def field(name: str) -> property:
        return property(itemgetter(name), lambda state, value: state.__setitem__(name, value))

    sign = hashlib.sha256(str(plain).encode()).hexdigest()[:12]
    return type(f"State_{sign}", (np.void,), {"__slots__": ()} | {name: field(name) for name in plain.names or ()})


def _row_text(row: Any) -> str:
    """Digits side by side where every value is one digit, else values with commas; no trailing zeros."""
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
            try:
                value = int(cell)
            except ValueError:
                raise PositionError(f"{field.name}: '{cell}' is not a number") from None
            if not field.low <= value <= field.high:
                raise PositionError(f"{field.name}: {value} is not within {field.low}..{field.high}")
            table[index, column] = value
    return table.reshape(field.shape) if field.shape else table[0, 0]
