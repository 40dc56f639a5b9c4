"""The one decorator that turns plain functions into compiled kernels."""

import hashlib
import os
import sys
import time
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba.extending import intrinsic, overload

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).resolve().parents[1]
GAMES_VARIABLE = "THREESPAN_GAMES"  # names of packages with further games, by commas
_STALE_AFTER_DAYS = 30

if numba.config.DISABLE_JIT:
    # Uncompiled, the random generator's 64-bit sums wrap as they do in machine code.
    np.seterr(over="ignore")


def cache_home() -> Path:
    """The folder that holds compiled kernels: `THREESPAN_CACHE`, else the user's cache folder."""
    if own := os.environ.get("THREESPAN_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "threespan"


def kernel(function: F) -> F:
    """Compile `function` with Numba: no GIL, no object mode, kept on disk between runs.

    Kernels are inlined into the kernels that call them, which is worth a quarter of the speed. They may not call
    themselves: Numba crashes when it loads such a function from its cache.
    """
    return _compile(function, forceinline=True)


def called_kernel(function: F) -> F:
    """A kernel that is called rather than inlined: for long work asked for in many places, to compile it once."""
    return _compile(function, forceinline=False)


def _compile(function: F, forceinline: bool) -> F:
    code = function.__code__
    if function.__name__ in code.co_names + code.co_freevars:
        raise TypeError(f"the kernel {function.__name__} calls itself; use a loop")
    folder = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(Path(function.__code__.co_filename).parent))
    try:
        compile_ = numba.njit(nogil=True, cache=True, error_model="numpy", forceinline=forceinline)
        compiled: F = compile_(function)
    finally:
        numba.config.CACHE_DIR = folder
    return compiled


@cache
def cache_folder(source_folder: Path) -> Path:
    """The cache folder of kernels written in `source_folder`, named by a hash of all they may use."""
    digest = hashlib.sha256()
    for part in (sys.version, numba.__version__, np.__version__, str(numba.config.BOUNDSCHECK)):
        digest.update(part.encode())
    for folder in _folders_used_by(source_folder.resolve()):
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.name.encode())
            digest.update(file.read_bytes())
    path = cache_home() / f"kernels-{digest.hexdigest()[:16]}"
    if not path.exists():
        _remove_stale_caches(path.parent)
    return path


def _folders_used_by(source_folder: Path) -> list[Path]:
    """All folders whose sources may end up in the machine code of a kernel written in `source_folder`.

    Numba itself looks only at the file of the outermost function, never at what it calls. A game's kernels use the
    core; generic kernels of the core are compiled with the rules of the games; those of the bots with everything.
    """
    core, games = _PACKAGE / "core", _PACKAGE / "games"
    if not source_folder.is_relative_to(_PACKAGE) or source_folder.is_relative_to(games):
        return [core, source_folder]
    further = [folder for name in further_games() for folder in package_folders(name)]
    layers = [core, games, *further]
    return (
        layers
        if source_folder.is_relative_to(core)
        else [*layers, _PACKAGE / source_folder.relative_to(_PACKAGE).parts[0]]
    )


def further_games() -> list[str]:
    """The packages that the user names beside the built-in games."""
    return [name.strip() for name in os.environ.get(GAMES_VARIABLE, "").split(",") if name.strip()]


def package_folders(name: str) -> list[Path]:
    """Where a package lies; nowhere if there is none of that name."""
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:  # the package that it should be part of is missing
        return []
    return [Path(folder) for folder in (spec.submodule_search_locations or [])] if spec else []


def _remove_stale_caches(home: Path) -> None:
    """Drop kernels of sources that have not been in use for a month."""
    oldest = time.time() - _STALE_AFTER_DAYS * 86400
    for folder in home.glob("kernels-*"):
        for file in folder.rglob("*.nb?"):
            if file.stat().st_mtime < oldest:
                file.unlink(missing_ok=True)


def is_compiled(source_folder: Path) -> bool:
    """Whether kernels of a folder have been compiled on this machine before, as its sources are now."""
    indexes = cache_folder(source_folder).glob(f"{source_folder.name}_*/*.nbi")
    return bool(numba.config.DISABLE_JIT) or next(indexes, None) is not None


# Bits: masks are signed 64-bit integers with at most 63 bits in use.

# One instruction finds the nth bit, where the processor has it and Numba may use all that the processor has.
_HAS_PDEP = bool(
    numba.config.CPU_NAME is None and numba.config.CPU_FEATURES is None and get_host_cpu_features().get("bmi2")
)
_WORD = ir.IntType(64)
_PDEP_TYPE = ir.FunctionType(_WORD, [_WORD, _WORD])


def lowest_bit(mask: int) -> int:
    """The index of the lowest bit set in a mask that is not empty."""
    return (int(mask) & -int(mask)).bit_length() - 1


def count_bits(mask: int) -> int:
    """How many bits of a mask are set."""
    return int(mask).bit_count()


def nth_bit(mask: int, index: int) -> int:
    """The index of the bit that has `index` set bits below it; there must be one."""
    for _ in range(index):
        mask &= mask - 1
    return lowest_bit(mask)


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
