"""How Numba compiles kernels, and what some plain functions are replaced by inside kernels."""

import os
import re
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import numba
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba.extending import intrinsic, overload

from threespan.core.errors import UserError
from threespan.core.kernel import count_bits, lowest_bit, nth_bit

F = TypeVar("F", bound=Callable[..., Any])

IS_LINKING = bool(os.environ.get("THREESPAN_LINKING"))  # whether kernels are compiled for libraries (object_code.py)


def compile_kernel(function: F, is_inlined: bool, folder: Path) -> F:
    """A function that is compiled on its first call and cached in a folder."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        compile_ = numba.njit(nogil=True, cache=not IS_LINKING, error_model="numpy", forceinline=is_inlined)
        compiled: F = compile_(function)
    finally:
        numba.config.CACHE_DIR = before
    if compiled is not function:
        _explain_failures(compiled, function)
    return compiled


class KernelError(UserError):
    """A kernel cannot be compiled; the message says what is wrong in which line."""


def _explain_failures(compiled: Any, function: Callable[..., Any]) -> None:
    """Make a kernel that cannot be compiled raise a one-line KernelError instead of Numba's long message."""
    _kernels[id(function)] = function
    compile_for_arguments = compiled._compile_for_args

    def compile_or_explain(*args: Any, **kwargs: Any) -> Any:
        try:
            return compile_for_arguments(*args, **kwargs)
        except Exception as error:
            raise explained(error, function) from None

    compiled._compile_for_args = compile_or_explain


def explained(error: Exception, function: Callable[..., Any]) -> UserError:
    """A one-line error for a kernel that could not be compiled, with the file and the line."""
    if isinstance(error, UserError):
        return error
    if isinstance(error, KeyError):  # raised by Numba for a field that the record does not have
        reason, place = _unknown_field(error)
    else:
        reason, place = _innermost_reason(_COLOURS.sub("", str(error)))
    file, line = place or _place_of_kernel(function)
    return KernelError(
        f"{file}:{line}: {reason} (kernels are compiled by Numba; NUMBA_DISABLE_JIT=1 runs them uncompiled)"
    )


Place = tuple[str, int]  # a file and a line


def _unknown_field(error: KeyError) -> tuple[str, Place | None]:
    """Which field is missing, which one may be meant, and where; found in the local variables of Numba's frames."""
    name, place = str(error.args[0]), None
    fields: list[str] = []
    trace = error.__traceback__
    while trace is not None:
        known = trace.tb_frame.f_locals
        fields = next((list(value.fields) for value in known.values() if isinstance(value, numba.types.Record)), fields)
        seen = getattr(known.get("self"), "loc", None)
        place = (seen.filename, seen.line) if isinstance(seen, numba.core.ir.Loc) else place
        trace = trace.tb_next
    close = get_close_matches(name, fields, 1)
    hint = f"did you mean '{close[0]}'?" if close else f"its fields are {', '.join(fields)}"
    return f"a state has no field '{name}'; {hint}", place


_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_BEGINNING = re.compile(r"Failed in nopython mode pipeline \(step: .*?\)\s*")
_TYPING = re.compile(r"During: typing of .*? at (\S.*?) \((\d+)\)")
_CULPRIT = re.compile(r"CPUDispatcher\(<function \w+ at 0x([0-9a-f]+)>\)")


def _innermost_reason(message: str) -> tuple[str, Place | None]:
    """The reason and place of the innermost failure in Numba's message, which nests kernel in kernel."""
    inner = _BEGINNING.split(message)[-1]
    lines = [line.strip() for line in inner.splitlines() if line.strip()]
    reason = " ".join(lines[:2]) if lines[0].endswith(":") else lines[0]
    typing, culprit = _TYPING.search(inner), _CULPRIT.search(inner)
    if typing and typing[1] != __file__:
        return reason, (typing[1], int(typing[2]))
    kernel = _kernels.get(int(culprit[1], 16)) if culprit else None
    return reason, _place_of_kernel(kernel) if kernel else None


_kernels: dict[int, Callable[..., Any]] = {}  # by id, as Numba's messages print it


def _place_of_kernel(function: Callable[..., Any]) -> Place:
    return function.__code__.co_filename, function.__code__.co_firstlineno


def choose_by_state(function: Callable[..., Any], find: Callable[[tuple[str, ...], int], Callable[..., Any]]) -> None:
    """Inside kernels, replace calls of `function` by the kernel that `find` returns for the type of the state."""

    @overload(function)
    def choose(state, *args):  # type: ignore[no-untyped-def]
        if isinstance(state, numba.types.Record):
            chosen = find(tuple(state.fields), state.size)
            return lambda state, *args: chosen(state, *args)
        return None


# Bits: with BMI2 one instruction (PDEP) finds the nth bit, if Numba may use all features of this processor.

_HAS_PDEP = bool(
    numba.config.CPU_NAME is None and numba.config.CPU_FEATURES is None and get_host_cpu_features().get("bmi2")
)
_WORD = ir.IntType(64)
_PDEP_TYPE = ir.FunctionType(_WORD, [_WORD, _WORD])


@intrinsic  # type: ignore[untyped-decorator]
def _cttz(_context: Any, mask: Any) -> Any:
    def generate(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], numba.core.cgutils.true_bit)

    return numba.types.int64(numba.types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _ctpop(_context: Any, mask: Any) -> Any:
    def generate(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return numba.types.int64(numba.types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _pdep(_context: Any, bits: Any, _mask: Any) -> Any:
    def generate(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.call(builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), _PDEP_TYPE), args)

    return numba.types.int64(numba.types.int64, numba.types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def _nth_bit_of_target(_context: Any, mask: Any, _index: Any) -> Any:
    """A function that every target of a library has its own version of (targets.py)."""

    def generate(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        function = numba.core.cgutils.get_or_insert_function(builder.module, _PDEP_TYPE, "threespan_nth_bit")
        return builder.call(function, args)

    return numba.types.int64(numba.types.int64, numba.types.int64), generate


@overload(lowest_bit)
def _lowest_bit(mask):  # type: ignore[no-untyped-def]
    return lambda mask: _cttz(mask)


@overload(count_bits)
def _count_bits(mask):  # type: ignore[no-untyped-def]
    return lambda mask: _ctpop(mask)


@overload(nth_bit)
def _nth_bit(mask, index):  # type: ignore[no-untyped-def]
    if IS_LINKING:
        return lambda mask, index: _nth_bit_of_target(mask, index)
    if _HAS_PDEP:
        return lambda mask, index: _cttz(_pdep(1 << index, mask))

    def drop_lower_bits(mask, index):  # type: ignore[no-untyped-def]
        for _ in range(index):
            mask &= mask - 1
        return _cttz(mask)

    return drop_lower_bits
