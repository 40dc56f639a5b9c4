"""Calling kernels in a library that was linked beforehand, so that servers need not load the compiler.

The library receives NumPy array objects and finds their data itself, which is the fastest way to call it.
"""

import ctypes
from collections.abc import Callable
from functools import cache, wraps
from typing import Annotated, Any, TypeVar, get_origin, get_type_hints

import numpy as np

from threespan.core.errors import UserError
from threespan.core.kernel import LIBRARY
from threespan.core.layout import State, States

F = TypeVar("F", bound=Callable[..., Any])

# Where an array object stores the address of its data: right after the common header of Python objects.
DATA_OFFSET = object.__basicsize__
_MAX_PARAMETERS = 3


class EntryError(UserError):
    """An entry has a parameter or result that the library does not support, or a kernel that is called is no entry."""

    def __init__(self, function: Callable[..., Any], reason: str) -> None:
        """Report a kernel with its file and line."""
        place = f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"
        super().__init__(f"{place}: {function.__name__} {reason}")


def parameter_kinds(function: Callable[..., Any]) -> list[Any]:
    """The kinds of an entry's parameters: `State`, `States`, `int`, or the dtype of an array; raises EntryError."""
    hints = get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    if len(hints) != function.__code__.co_argcount or not hints:
        raise EntryError(function, "is an @entry, so its parameters must be annotated, starting with a State or States")
    if len(hints) > _MAX_PARAMETERS:
        raise EntryError(function, f"is an @entry, which can have {_MAX_PARAMETERS} parameters at most")
    return [_kind_of(function, name, hint) for name, hint in hints.items()]


def returned_kind(function: Callable[..., Any]) -> Any:
    """The type of an entry's result: `int`, `bool` or NoneType; raises EntryError."""
    returned = get_type_hints(function).get("return")
    if returned not in (int, bool, type(None)):
        raise EntryError(function, "is an @entry, so its return value must be annotated as int, bool or None")
    return returned


def _kind_of(function: Callable[..., Any], name: str, hint: Any) -> Any:
    if hint in (State, States, int):
        return hint
    if get_origin(hint) is Annotated and isinstance(hint.__metadata__[0], np.dtype):
        return hint.__metadata__[0]
    raise EntryError(
        function, f"is an @entry, but its parameter '{name}' is neither a state, an int nor an array with a dtype"
    )


def symbol(function: Callable[..., Any], record: type[np.void]) -> str:
    """The symbol of an entry in the library, for one type of state."""
    return f"{function.__module__}.{function.__name__}.{record.__name__}"


def linked_entry(function: F) -> F:
    """A Python function that calls an entry in the library."""
    takes_record, *others = parameter_kinds(function)
    functions = _Functions(function, others)

    def call(states: Any, *rest: Any) -> Any:
        return functions[states.dtype.type](states, *rest)

    def call_with_record(state: Any, *rest: Any) -> Any:
        kind = type(state)
        return functions[kind](np.frombuffer(state, state.dtype), *rest)

    return call_with_record if takes_record is State else call  # type: ignore[return-value]


class _Array:
    """A ctypes argument type: an array that the library can write to."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        """Accept arrays with the element type of `dtype`."""
        self._element = dtype.base

    def from_param(self, value: Any) -> Any:
        """Convert an argument for ctypes; raises TypeError."""
        if type(value) is np.ndarray and value.dtype == self._element and value.flags.carray:
            return ctypes.py_object(value)
        raise TypeError(f"a contiguous, writable array of {self._element} is needed")


class _Functions(dict[type[np.void], Callable[..., Any]]):
    """The library functions of an entry, by the record class of the state."""

    def __init__(self, function: Callable[..., Any], others: list[Any]) -> None:
        """Look up functions of an entry that takes a state and `others`."""
        super().__init__()
        self._function = function
        self._arguments: list[Any] = [ctypes.c_int64 if kind is int else _Array(kind) for kind in others]
        returned = returned_kind(function)
        self._result = None if returned is type(None) else ctypes.c_bool if returned is bool else ctypes.c_int64

    def __missing__(self, record: type[np.void]) -> Callable[..., Any]:
        found = _library()[symbol(self._function, record)]
        found.argtypes = [ctypes.py_object, *self._arguments]
        found.restype = self._result
        self[record] = found
        return found


def unlinked_kernel(function: F) -> F:
    """A kernel that is no entry: it raises EntryError if it takes a state, because that would need the compiler."""
    if not {State, States} & set(function.__annotations__.values()):
        return function

    @wraps(function)
    def refuse(*_: Any) -> Any:
        raise EntryError(function, "is called from Python, but it is not linked for servers; make it an @entry")

    return refuse  # type: ignore[return-value]


@cache
def _library() -> ctypes.PyDLL:
    probe = np.zeros(1)
    if ctypes.c_void_p.from_address(id(probe) + DATA_OFFSET).value != probe.ctypes.data:
        raise RuntimeError(
            f"NumPy {np.__version__} stores the data of arrays in another place than the linked rules expect"
        )
    return ctypes.PyDLL(LIBRARY)
