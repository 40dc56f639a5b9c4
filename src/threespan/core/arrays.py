"""States as NumPy records, for kernels that Numba compiles or that run uncompiled."""

import hashlib
from collections import namedtuple
from collections.abc import Callable
from operator import itemgetter
from typing import Any

import numpy as np

from threespan.core.errors import UserError
from threespan.core.kernel import IS_UNCOMPILED


class LayoutError(UserError):
    """The fields of a state are invalid."""


class ArrayStates:
    """The states of a layout as NumPy records."""

    def __init__(self, *fields: tuple[str, Any, tuple[int, ...]]) -> None:
        """Lay out fields in memory, aligned as C would."""
        for name, *_ in fields:
            if hasattr(np.record, name):
                raise LayoutError(
                    f"'{name}' is an attribute of every NumPy record; choose another name for this field of the state"
                )
        # Kernels compute with 64 bits whatever the type of a field; NumPy does so only if the fields are that wide.
        wide = np.int64 if IS_UNCOMPILED else None
        plain = np.dtype([(name, wide or kind, shape) for name, kind, shape in fields], align=True)
        self.kind = self.dtype = np.dtype((np.record, plain))
        self.record = _record_class(plain)
        self.size = plain.itemsize
        self._record_dtype = np.dtype((self.record, plain))
        self._values: Any = namedtuple("Values", plain.names or ())  # type: ignore[misc]

    def new(self) -> Any:
        """An empty state."""
        return np.zeros(1, self._record_dtype)[0]

    def array_from(self, values: bytes) -> Any:
        """An array of one state from the bytes of another."""
        return np.frombuffer(bytearray(values), self._record_dtype)

    def array_of(self, state: Any) -> Any:
        """An array that shares a state's memory."""
        return np.frombuffer(state, self._record_dtype)

    def read(self, state: Any) -> Any:
        """All fields as a named tuple of Python numbers and arrays."""
        return self._values._make(state.item())

    def reader(self, *names: str) -> Callable[[Any], Any]:
        """A function that reads some fields only."""
        fields: Any = self.dtype.fields
        formats, offsets = zip(*(fields[name] for name in names), strict=True)
        part = {"names": names, "formats": formats, "offsets": offsets, "itemsize": self.size}
        dtype: Any = np.dtype(part)  # type: ignore[call-overload]
        values: Any = namedtuple("Values", names)  # type: ignore[misc]
        return lambda state: values._make(np.frombuffer(state, dtype).item())


def _record_class(plain: np.dtype[Any]) -> type[np.void]:
    """A record class whose fields are properties: ten times faster than NumPy's own, which looks them up in Python."""

    def field(name: str) -> property:
        return property(itemgetter(name), lambda state, value: state.__setitem__(name, value))

    fingerprint = hashlib.sha256(str(plain).encode()).hexdigest()[:12]
    return type(
        f"State_{fingerprint}", (np.void,), {"__slots__": ()} | {name: field(name) for name in plain.names or ()}
    )


def outside(states: Any, low: int, high: int) -> Any:
    """The first number of an array outside bounds, or None."""
    values = np.asarray(states)
    if values.min() >= low and values.max() <= high:
        return None
    return values[(values < low) | (values > high)].flat[0]
