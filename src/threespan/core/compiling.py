"""Kernels by Numba: how they are compiled, and what plain functions become inside them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba.extending import intrinsic, overload

from threespan.core.kernel import count_bits, lowest_bit, nth_bit

F = TypeVar("F", bound=Callable[..., Any])


def compile_kernel(function: F, is_inlined: bool, folder: Path) -> F:
    """A function compiled when it is first called, and kept in a folder."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        compile_ = numba.njit(nogil=True, cache=True, error_model="numpy", forceinline=is_inlined)
        compiled: F = compile_(function)
    finally:
        numba.config.CACHE_DIR = before
    return compiled


def choose_by_state(function: Callable[..., Any], find: Callable[[tuple[str, ...], int], Callable[..., Any]]) -> None:
    """Let kernels that call a function call what `find` finds by the names and the size of the state's fields."""

    @overload(function)
    def choose(state, *args):  # type: ignore[no-untyped-def]
        if isinstance(state, numba.types.Record):
            chosen = find(tuple(state.fields), state.size)
            return lambda state, *args: chosen(state, *args)
        return None


# Bits: one instruction finds the nth bit, where the processor has it and Numba may use all that the processor has.

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


@overload(lowest_bit)
def _lowest_bit(mask):  # type: ignore[no-untyped-def]
    return lambda mask: _cttz(mask)


@overload(count_bits)
def _count_bits(mask):  # type: ignore[no-untyped-def]
    return lambda mask: _ctpop(mask)


@overload(nth_bit)
def _nth_bit(mask, index):  # type: ignore[no-untyped-def]
    if _HAS_PDEP:
        return lambda mask, index: _cttz(_pdep(1 << index, mask))

    def drop_lower_bits(mask, index):  # type: ignore[no-untyped-def]
        for _ in range(index):
            mask &= mask - 1
        return _cttz(mask)

    return drop_lower_bits
