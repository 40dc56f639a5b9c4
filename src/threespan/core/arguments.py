"""Validation of numbers and arrays before they are passed to kernels.

Kernels trust their arguments: given a seat that does not exist or an array that is too small, they corrupt memory.
"""

from collections.abc import Callable
from numbers import Real
from operator import index
from typing import Any, TypeVar

import numpy as np

from threespan.core.errors import UserError

T = TypeVar("T")

_INTEGER_KINDS = "iu"  # NumPy's codes of signed and unsigned integers
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


def whole_numbers(name: str, values: Any, count: int, dtype: type[np.signedinteger[Any]]) -> Any:
    """Convert values to an array of `count` whole numbers for a kernel; raises ArgumentError."""
    found = _array_of(name, values)
    if found.shape != (count,) or found.dtype.kind not in _INTEGER_KINDS:
        raise ArgumentError(f"{name}: {count} whole numbers are needed, not {describe(found)}")
    if found.dtype == dtype and found.flags.carray:  # for any other array the kernel would be compiled again
        return found
    converted = found.astype(dtype, "C")  # may truncate silently, so compare
    if (converted != found).any():
        raise ArgumentError(f"{name}: a number is too large for {np.dtype(dtype)}")
    return converted


def within(name: str, numbers: Any, low: int, high: int) -> Any:
    """Check that all numbers lie between `low` and `high`, inclusive; raises ArgumentError."""
    if len(numbers) and (numbers.min() < low or numbers.max() > high):
        lane = int(np.flatnonzero((numbers < low) | (numbers > high))[0])
        raise ArgumentError(f"{name}: numbers go from {low} to {high}, but number {lane} is {numbers[lane]}")
    return numbers


def selection_mask(name: str, values: Any, count: int) -> Any:
    """A boolean mask of `count` items from such a mask or from item numbers; raises ArgumentError.

    Numbers may be repeated and come in any order; negative ones are refused.
    """
    found = _array_of(name, values)
    if found.ndim == 1 and found.dtype == np.bool_ and len(found) == count:
        return found if found.flags.carray else found.copy()
    is_empty = found.shape == (0,)  # NumPy makes [] an array of floats
    if found.ndim != 1 or (found.dtype.kind not in _INTEGER_KINDS and not is_empty):
        expected = f"a mask of {count} booleans or numbers from 0 to {count - 1} are needed"
        raise ArgumentError(f"{name}: {expected}, not {describe(found)}")
    mask = np.zeros(count, np.bool_)
    if not is_empty:
        mask[within(name, found, 0, count - 1)] = True
    return mask


def writable(name: str, out: Any, shape: tuple[int, ...], dtype: type[np.signedinteger[Any]]) -> Any:
    """Check that a kernel can write to an array; raises ArgumentError."""
    if not is_plain_array(out) or out.shape != shape or out.dtype != dtype or not out.flags.carray:
        expected = f"{name}: an array of {np.dtype(dtype)} with the shape {shape} is needed"
        raise ArgumentError(f"{expected}, contiguous and writable, not {describe(out)}")
    return out


def is_plain_array(values: Any) -> bool:
    """Whether a value is an array all of whose elements count: a masked array hides some."""
    return isinstance(values, np.ndarray) and not isinstance(values, np.ma.MaskedArray)


def _array_of(name: str, values: Any) -> Any:
    if isinstance(values, np.ma.MaskedArray):
        raise ArgumentError(f"{name}: masked arrays are not supported; fill it first")
    try:
        return np.asarray(values)
    except (ValueError, TypeError) as error:
        raise ArgumentError(f"{name}: it cannot be converted to an array: {error}") from None


def describe(found: Any) -> str:
    """What was given instead, for an error message."""
    if not is_plain_array(found):
        return type(found).__name__
    flags = found.flags
    lacks = [word for word, has in (("contiguous", flags.c_contiguous), ("writable", flags.writeable)) if not has]
    kind = found.dtype if found.dtype.names is None else "records"
    return f"{kind} with the shape {found.shape}" + "".join(f", not {word}" for word in lacks)


def _quoted(value: object) -> str:
    text = repr(value).replace("\n", " ")
    return text if len(text) <= _MAX_REPR_LENGTH else type(value).__name__
