"""Validation of NumPy arrays before they are passed to kernels; see arguments.py."""

from typing import Any

import numpy as np

from threespan.core.arguments import ArgumentError

_INTEGER_KINDS = "iu"  # NumPy's codes of signed and unsigned integers


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
