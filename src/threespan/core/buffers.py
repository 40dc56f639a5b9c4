"""Numbers in plain buffers, without NumPy: what memory.py offers where kernels are linked."""

import ctypes
from collections import namedtuple
from collections.abc import Callable, Iterator
from math import prod
from operator import attrgetter
from typing import Any, NamedTuple


class Word(int):
    """A number of 64 bits with a sign: what is shifted beyond them is lost, as in machine code."""

    def __lshift__(self, bits: int) -> "Word":
        return Word(((int(self) << bits) + _SIGN & _WORD) - _SIGN)


class UnsignedWord(int):
    """A number of 64 bits without a sign: sums and products wrap around, as in machine code."""

    def __add__(self, other: int) -> "UnsignedWord":
        return UnsignedWord(int(self) + int(other) & _WORD)

    def __mul__(self, other: int) -> "UnsignedWord":
        return UnsignedWord(int(self) * int(other) & _WORD)

    __radd__, __rmul__ = __add__, __mul__


_SIGN, _WORD = 2**63, 2**64 - 1


class Kind(NamedTuple):
    """A type of number. Kernels call it to convert a number; small kernels also run as plain Python functions."""

    name: str
    code: Any  # as the modules struct and memoryview name it
    size: int

    def __call__(self, number: Any) -> Any:
        """The number, in Python a plain one or a word."""
        return Word(number) if self.code == "q" else UnsignedWord(number) if self.code == "Q" else number

    @property
    def alignment(self) -> int:
        """Where it may begin in memory: at multiples of this."""
        return self.size


int8, int16 = Kind("int8", "b", 1), Kind("int16", "h", 2)
int32, int64 = Kind("int32", "i", 4), Kind("int64", "q", 8)
uint64 = Kind("uint64", "Q", 8)
float32, float64 = Kind("float32", "f", 4), Kind("float64", "d", 8)
_KINDS = {kind.name: kind for kind in (int8, int16, int32, int64, uint64, float32, float64)}


class Cells:
    """An array of numbers: a view of a buffer with a shape."""

    __slots__ = ("_cells", "shape")

    def __init__(self, cells: memoryview, shape: tuple[int, ...]) -> None:
        """View `cells`, all in one row, in the given shape."""
        self._cells, self.shape = cells, shape

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._cells) if len(self.shape) == 1 else (self[index] for index in range(self.shape[0]))

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, tuple):
            first, *rest = at
            return self[first][rest[0] if len(rest) == 1 else tuple(rest)]
        if len(self.shape) > 1:
            return self._rows(at)
        if isinstance(at, slice):
            cells = self._cells[at]
            return Cells(cells, (len(cells),))
        return self._cells[at]

    def _rows(self, at: Any) -> "Cells":
        """A row, or some rows in a row."""
        width = len(self._cells) // self.shape[0]
        if isinstance(at, slice):
            start, stop, _ = at.indices(self.shape[0])
            return Cells(self._cells[start * width : stop * width], (max(0, stop - start), *self.shape[1:]))
        row = at if at >= 0 else at + self.shape[0]
        if not 0 <= row < self.shape[0]:
            raise IndexError(f"row {at} of {self.shape[0]}")
        return Cells(self._cells[row * width : (row + 1) * width], self.shape[1:])

    def __setitem__(self, at: Any, value: Any) -> None:
        if isinstance(at, tuple):
            first, *rest = at
            self[first][rest[0] if len(rest) == 1 else tuple(rest)] = value
        elif len(self.shape) == 1 and not isinstance(at, slice):
            self._cells[at] = value
        else:
            self[at].fill(value)

    def fill(self, value: Any) -> None:
        """Write one number everywhere, or the numbers of a sequence in order."""
        cells = self._cells
        numbers = list(_flat(value)) if hasattr(value, "__iter__") else [value] * len(cells)
        if len(numbers) != len(cells):
            raise ValueError(f"{len(numbers)} numbers do not fit into {len(cells)}")
        for index, number in enumerate(numbers):
            cells[index] = number

    def item(self, index: int) -> Any:
        """A number of a one-dimensional array."""
        return self._cells[index]

    def tolist(self) -> list[Any]:
        """All numbers, as nested lists."""
        return self._cells.tolist() if len(self.shape) == 1 else [row.tolist() for row in self]

    def tobytes(self) -> bytes:
        """The memory as it is."""
        return self._cells.tobytes()

    def any(self) -> bool:
        """Whether a number is not zero."""
        return any(self._cells)

    def sum(self) -> Any:
        """All numbers together."""
        return sum(self._cells)

    @property
    def kind_code(self) -> str:
        """The code of the kind of number."""
        return self._cells.format

    @property
    def _as_parameter_(self) -> int:
        """The address, for ctypes."""
        return ctypes.addressof(ctypes.c_char.from_buffer(self._cells))


def _flat(values: Any) -> Iterator[Any]:
    for value in values:
        if hasattr(value, "__iter__"):
            yield from _flat(value)
        else:
            yield value


class Record:
    """A record: a buffer whose fields are attributes. `record_type` makes a subclass for each type."""

    __slots__ = ("_as_parameter_", "_memory", "_offset", "_views")

    size: int
    alignment: int
    codes: tuple[Any, ...]  # of the numbers in it
    fields: dict[str, "Place"]

    def __init__(self, memory: Any = None, offset: int = 0) -> None:
        """A record in `memory`, which is shared, or in zeroed memory of its own."""
        self._memory, self._offset = bytearray(self.size) if memory is None else memory, offset
        self._as_parameter_ = ctypes.addressof(ctypes.c_char.from_buffer(self._memory, offset))
        whole = memoryview(self._memory)[offset : offset + self.size]
        self._views = {code: whole.cast("B").cast(code) for code in self.codes}

    def __getitem__(self, at: Any) -> Any:
        """A field by its name; a record also serves as an array of one record."""
        return self if at == 0 else getattr(self, at)

    def __setitem__(self, at: Any, value: Any) -> None:
        if at == 0:
            memoryview(self._memory)[self._offset : self._offset + self.size] = value.tobytes()
        else:
            setattr(self, at, value)

    def tobytes(self) -> bytes:
        """The memory as it is."""
        memory: bytes = next(iter(self._views.values())).tobytes()
        return memory


class BufferStates:
    """The states of a layout in plain buffers."""

    def __init__(self, *fields: tuple[str, Any, tuple[int, ...]]) -> None:
        """Lay out fields in memory."""
        self.record = record_type(*fields)
        self.kind, self.size = self.record, self.record.size
        self._values: Any = namedtuple("Values", self.record.fields)  # type: ignore[misc]

    def new(self) -> Record:
        """An empty state."""
        return self.record()

    def array_from(self, values: bytes) -> Record:
        """An array of one state from the bytes of another."""
        return self.record(bytearray(values))

    def array_of(self, state: Record) -> Record:
        """An array that shares a state's memory."""
        return state

    def read(self, state: Record) -> Any:
        """All fields as a named tuple."""
        return self._values._make(getattr(state, name) for name in self._values._fields)

    def reader(self, *names: str) -> Callable[[Record], Any]:
        """A function that reads some fields only."""
        values: Any = namedtuple("Values", names)  # type: ignore[misc]
        fields = attrgetter(*names)
        return lambda state: values._make(fields(state))


def lay_out(*fields: tuple[str, Any, tuple[int, ...]]) -> BufferStates:
    """The states of a layout with these fields."""
    return BufferStates(*fields)


class Place(NamedTuple):
    """Where a field of a record is."""

    kind: Any
    offset: int
    shape: tuple[int, ...]


def record_type(*fields: tuple[Any, ...]) -> type[Record]:
    """A record with named fields, aligned as C would."""
    places: dict[str, Place] = {}
    offset = 0
    for name, named_kind, *rest in fields:
        kind = _KINDS.get(getattr(named_kind, "__name__", ""), named_kind)  # a game may name NumPy's types
        shape = tuple(rest[0]) if rest else ()
        offset = -(-offset // kind.alignment) * kind.alignment
        places[name] = Place(kind, offset, shape)
        offset += kind.size * prod(shape)
    alignment = max(place.kind.alignment for place in places.values())
    codes = {place.kind.code for place in places.values() if isinstance(place.kind, Kind)}
    body: dict[str, Any] = {
        "__slots__": (),
        "size": -(-offset // alignment) * alignment,
        "alignment": alignment,
        "codes": tuple(sorted(codes)) or ("b",),
        "fields": places,
    }
    return type("RecordOfFields", (Record,), body | {name: _field(place) for name, place in places.items()})


def _field(place: Place) -> property:
    """The attribute of a record for one of its fields."""
    kind, offset, shape = place
    if not isinstance(kind, Kind):
        return property(lambda record: kind(record._memory, record._offset + offset))
    code, at, count = kind.code, offset // kind.size, prod(shape)
    if not shape:
        return property(
            lambda record: record._views[code][at], lambda record, value: record._views[code].__setitem__(at, value)
        )

    def cells(record: Any) -> Cells:
        return Cells(record._views[code][at : at + count], shape)

    return property(cells, lambda record, value: cells(record).fill(value))


class Table(tuple[Any, ...]):
    """A table of constants: nested tuples with the indices of arrays."""

    __slots__ = ()

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, tuple):
            first, *rest = at
            return self[first][rest[0] if len(rest) == 1 else tuple(rest)]
        return super().__getitem__(at)

    def tolist(self) -> list[Any]:
        """As nested lists."""
        return [row.tolist() if isinstance(row, Table) else row for row in self]


def constant(values: Any, kind: Any = None) -> Any:  # noqa: ARG001 # kernels were compiled with the type
    """A table of constants."""
    return Table(constant(value) if hasattr(value, "__iter__") else value for value in values)


class ArrayType(NamedTuple):
    """The type of an array, for the parameters of entries."""

    base: Any
    shape: tuple[int, ...]


def array_type(kind: Any, *shape: int) -> ArrayType:
    """The type of an array, for the parameters of entries."""
    return ArrayType(kind, shape)


def new_array(shape: int | tuple[int, ...], kind: Kind) -> Cells:
    """An array of zeros."""
    sizes = (shape,) if isinstance(shape, int) else shape
    return Cells(memoryview(bytearray(kind.size * prod(sizes))).cast(kind.code), sizes)


def array_of(array_type: ArrayType) -> Cells:
    """An array of zeros that an entry accepts."""
    return new_array(array_type.shape, array_type.base)


def new_records(count: int, kind: type[Record]) -> list[Record]:
    """Some records, whose fields are zero; kernels cannot take them as an array."""
    return [kind() for _ in range(count)]


def record_from(kind: type[Record], values: bytes) -> Record:
    """An array of one record with this memory."""
    return kind(bytearray(values))


def new_record(kind: type[Record]) -> Record:
    """An array of one record, whose fields are zero: the record itself."""
    return kind()
