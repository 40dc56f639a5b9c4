"""Calling kernels in libraries that were linked beforehand: plain functions that take addresses and numbers."""

import ctypes
import hashlib
from collections.abc import Callable, Iterable
from functools import cache, wraps
from typing import Annotated, Any, TypeVar, get_origin, get_type_hints

from threespan.core.buffers import Cells
from threespan.core.errors import UserError
from threespan.core.kernel import LIBRARIES
from threespan.core.layout import State, States
from threespan.core.libraries import PACKAGE, PARTS, is_packed, this_machine

F = TypeVar("F", bound=Callable[..., Any])

_MAX_PARAMETERS = 3


class EntryError(UserError):
    """An entry has a parameter or result that a library does not support, or a kernel that is called is no entry."""

    def __init__(self, function: Callable[..., Any], reason: str) -> None:
        """Report a kernel with its file and line."""
        place = f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}"
        super().__init__(f"{place}: {function.__name__} {reason}")


def parameter_kinds(function: Callable[..., Any]) -> list[Any]:
    """The kinds of an entry's parameters: `State`, `States`, `int`, or the type of an array; raises EntryError."""
    hints = get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    if len(hints) != function.__code__.co_argcount or not hints:
        raise EntryError(function, "is an @entry, so its parameters must be annotated, starting with a State or States")
    if len(hints) > _MAX_PARAMETERS:
        raise EntryError(function, f"is an @entry, which can have {_MAX_PARAMETERS} parameters at most")
    kinds = [_kind_of(function, name, hint) for name, hint in hints.items()]
    if kinds[0] not in (State, States):
        raise EntryError(function, "is an @entry, so its first parameter must be a State or States")
    return kinds


def returned_kind(function: Callable[..., Any]) -> Any:
    """The type of an entry's result: `int`, `bool` or NoneType; raises EntryError."""
    returned = get_type_hints(function).get("return")
    if returned not in (int, bool, type(None)):
        raise EntryError(function, "is an @entry, so its return value must be annotated as int, bool or None")
    return returned


def _kind_of(function: Callable[..., Any], name: str, hint: Any) -> Any:
    if hint in (State, States, int):
        return hint
    if get_origin(hint) is Annotated and hasattr(hint.__metadata__[0], "shape"):
        return hint.__metadata__[0]
    raise EntryError(
        function, f"is an @entry, but its parameter '{name}' is neither a state, an int nor an array with its type"
    )


def symbol(function: Callable[..., Any], fields: Iterable[str]) -> str:
    """The symbol of an entry in its library, for states with these fields."""
    game = hashlib.sha256(" ".join(fields).encode()).hexdigest()[:12]
    return f"{function.__module__}.{function.__name__}.{game}"


def linked_entry(function: F, is_long: bool) -> F:
    """A Python function that calls an entry in a library."""
    functions = _Functions(function, is_long)

    @wraps(function)
    def call(state: Any, *rest: Any) -> Any:
        return functions[type(state)](state, *rest)

    return call  # type: ignore[return-value]


class _Functions(dict[type[Any], Callable[..., Any]]):
    """The library functions of an entry, by the class of the state."""

    def __init__(self, function: Callable[..., Any], is_long: bool) -> None:
        """Look up functions that keep Python's lock unless they take long."""
        super().__init__()
        self._function, self._is_long = function, is_long
        self._arguments = [_argument_type(kind) for kind in parameter_kinds(function)]
        returned = returned_kind(function)
        self._result = None if returned is type(None) else ctypes.c_bool if returned is bool else ctypes.c_int64

    def __missing__(self, record: type[Any]) -> Callable[..., Any]:
        found: Any = _find(symbol(self._function, record.fields), self._is_long)
        if found is None:
            found = self._function
        else:
            found.argtypes, found.restype = self._arguments, self._result
        self[record] = found
        return found  # type: ignore[no-any-return]


def _argument_type(kind: Any) -> Any:
    """What ctypes needs to know of a parameter; the class of a state has been checked by then."""
    if kind is int:
        return ctypes.c_int64
    return ctypes.c_void_p if kind in (State, States) else _Array(kind.base)


class _Array:
    """A ctypes argument type: an array of numbers, or a record."""

    def __init__(self, kind: Any) -> None:
        """Accept what holds this kind."""
        self._kind = kind

    def from_param(self, value: Any) -> Any:
        """The address of an array; raises TypeError for anything else."""
        is_right = (
            value.kind_code == getattr(self._kind, "code", "")
            if isinstance(value, Cells)
            else type(value) is self._kind
        )
        if is_right:
            return ctypes.c_void_p(value._as_parameter_)
        raise TypeError(f"{type(value).__name__}: an array of {getattr(self._kind, 'name', 'records')} is needed")


def _find(name: str, is_long: bool) -> Any:
    """A function of the libraries; None for a game from elsewhere that runs uncompiled; raises MissingLibrary."""
    for part in PARTS:
        if (library := _library(part, is_long)) is not None and (found := getattr(library, name, None)) is not None:
            return found
    if is_packed(LIBRARIES):
        return None
    raise MissingLibrary(f"the libraries in {LIBRARIES} do not contain {name}, or not yet")


class MissingLibrary(UserError):
    """A kernel has not been linked, or not yet."""


def unlinked_kernel(function: F) -> F:
    """A kernel that is no entry: it raises EntryError if it takes a state, because that would need the compiler.

    In games from elsewhere that are not linked, it runs uncompiled.
    """
    is_uncompiled = is_packed(LIBRARIES) and not function.__module__.startswith(f"{PACKAGE.name}.")
    if is_uncompiled or not {State, States} & set(function.__annotations__.values()):
        return function

    @wraps(function)
    def refuse(*_: Any) -> Any:
        raise EntryError(function, "is called from Python, but it is not linked; make it an @entry")

    return refuse  # type: ignore[return-value]


def are_bots_linked() -> bool:
    """Whether the library of the bots is there."""
    return LIBRARIES is not None and (LIBRARIES / this_machine().file_name("bots")).is_file()


@cache
def _loaded(part: str, is_long: bool) -> Any:
    assert LIBRARIES is not None
    return (ctypes.CDLL if is_long else ctypes.PyDLL)(str(LIBRARIES / this_machine().file_name(part)))


def _library(part: str, is_long: bool) -> Any:
    """The library of a part, if it is there."""
    assert LIBRARIES is not None
    return _loaded(part, is_long) if (LIBRARIES / this_machine().file_name(part)).is_file() else None
