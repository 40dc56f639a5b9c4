"""Validation of numbers and arrays before they are passed to kernels.

Kernels trust their arguments: given a seat that does not exist or an array that is too small, they corrupt memory.
"""

from collections.abc import Callable
from numbers import Real
from operator import index
from typing import Any, TypeVar

from threespan.core.errors import UserError

T = TypeVar("T")

_MAX_REPR_LENGTH = 60


class ArgumentError(UserError):
    """A number or an array has the wrong shape, type or range; the message says what is expected."""


def whole_number(name: str, value: Any, minimum: int | None = None) -> int:
    """Convert a whole number of any type to an int; raises ArgumentError."""
    try:
        number = index(value)
    except TypeError:
        raise ArgumentError(f"{name}: a whole number is needed, not {_quoted(value)}") from None
    if minimum is not None and number < minimum:
        raise ArgumentError(f"{name}: it must be at least {minimum}, not {number}")
    return number


def real_number(name: str, value: Any, minimum: float) -> float:
    """Convert a number that is at least `minimum`, and not NaN, to a float; raises ArgumentError."""
    if isinstance(value, Real) and float(value) >= minimum:
        return float(value)
    raise ArgumentError(f"{name}: a number that is at least {minimum:g} is needed, not {_quoted(value)}")


def seat_number(seat: Any, players: int, *others: int) -> int:
    """Check that a seat exists in a match of `players`, or is one of `others`; raises ArgumentError."""
    number = whole_number("seat", seat)
    if not 0 <= number < players and number not in others:
        raise ArgumentError(f"there is no seat {number}; seats go from 0 to {players - 1}")
    return number


def allocate(name: str, count: int, create: Callable[[], T]) -> T:
    """The arrays that `create` returns; raises ArgumentError if memory cannot hold `count` of what they are for."""
    try:
        return create()
    except (MemoryError, ValueError, OverflowError):  # NumPy raises any of them, depending on how much is too much
        raise ArgumentError(f"{name}: there is not enough memory for {count}") from None


def _quoted(value: object) -> str:
    text = repr(value).replace("\n", " ")
    return text if len(text) <= _MAX_REPR_LENGTH else type(value).__name__
