"""Kernels of a library that was linked before: for servers, which so have no compiler in their memory.

The library takes arrays as NumPy's own objects and finds their data by itself, which is the quickest way there is.
"""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, TypeVar, get_origin, get_type_hints

import numpy as np

from threespan.core.kernel import LIBRARY
from threespan.core.layout import State, States

F = TypeVar("F", bound=Callable[..., Any])

# Where NumPy keeps the address of an array's data: right behind what every Python object begins with.
DATA_OFFSET = object.__basicsize__
_MOST_PARAMETERS = 3


def parameter_kinds(function: Callable[..., Any]) -> list[Any]:
    """What an entry takes: `State`, `States`, `int`, or the dtype of an array; raises TypeError."""
    hints = get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    if len(hints) > _MOST_PARAMETERS:
        raise TypeError(f"{function.__module__}.{function.__name__}: an entry takes {_MOST_PARAMETERS} things at most")
    return [_kind_of(function, name, hint) for name, hint in hints.items()]


def _kind_of(function: Callable[..., Any], name: str, hint: Any) -> Any:
    if hint in (State, States, int):
        return hint
    if get_origin(hint) is Annotated and isinstance(hint.__metadata__[0], np.dtype):
        return hint.__metadata__[0]
    raise TypeError(f"{function.__module__}.{function.__name__}: {name} is nothing that a library can be handed")


def symbol(function: Callable[..., Any], record: type[np.void]) -> str:
    """The name that an entry has in a library, for one kind of state."""
    return f"{function.__module__}.{function.__name__}.{record.__name__}"


def linked_entry(function: F) -> F:
    """A function of the library."""
    takes_record, *others = parameter_kinds(function)
    functions = _Functions(function, others)

    def call(states: Any, *rest: Any) -> Any:
        return functions[states.dtype.type](states, *rest)

    def call_with_record(state: Any, *rest: Any) -> Any:
        kind = type(state)
        return functions[kind](np.frombuffer(state, state.dtype), *rest)

    return call_with_record if takes_record is State else call  # type: ignore[return-value]


class _Array:
    """An argument that has to be an array whose data a library can write to."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        """An array of the elements that `dtype` consists of."""
        self._element = dtype.base

    def from_param(self, value: Any) -> Any:
        """The argument as ctypes hands it over; raises TypeError."""
        if type(value) is np.ndarray and value.dtype == self._element and value.flags.carray:
            return ctypes.py_object(value)
        raise TypeError(f"a whole array of {self._element} is needed")


class _Functions(dict[type[np.void], Callable[..., Any]]):
    """An entry's functions by the class of the state's records."""

    def __init__(self, function: Callable[..., Any], others: list[Any]) -> None:
        """An entry that takes a state and others."""
        super().__init__()
        self._function = function
        self._arguments: list[Any] = [ctypes.c_int64 if kind is int else _Array(kind) for kind in others]
        returned = get_type_hints(function)["return"]
        self._result = None if returned is type(None) else ctypes.c_bool if returned is bool else ctypes.c_int64

    def __missing__(self, record: type[np.void]) -> Callable[..., Any]:
        found = _library()[symbol(self._function, record)]
        found.argtypes = [ctypes.py_object, *self._arguments]
        found.restype = self._result
        self[record] = found
        return found


def unlinked_kernel(function: F) -> F:
    """What Python may call of a kernel that is no entry: nothing that works on a state, which would need compiling."""
    if not {State, States} & set(function.__annotations__.values()):
        return function

    def refuse(*_: Any) -> Any:
        raise TypeError(f"{function.__module__}.{function.__name__} is not linked; @entry would do so")

    return refuse  # type: ignore[return-value]


@cache
def _library() -> ctypes.PyDLL:
    probe = np.zeros(1)
    if ctypes.c_void_p.from_address(id(probe) + DATA_OFFSET).value != probe.ctypes.data:
        raise RuntimeError(
            f"this NumPy ({np.__version__}) keeps the data of arrays elsewhere than the linked rules expect"
        )
    return ctypes.PyDLL(LIBRARY)
