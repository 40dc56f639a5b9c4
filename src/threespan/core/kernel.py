"""The decorators that turn plain functions into compiled kernels.

They run in three ways. Whoever plays calls the `entry` kernels in libraries that were linked beforehand (libraries.py,
linked.py); that needs neither a compiler nor NumPy. Development and research compile kernels at run time with Numba.
With NUMBA_DISABLE_JIT=1 nothing is compiled, so that kernels can be debugged.
"""

import inspect
import os
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from threespan.core.libraries import (
    PACKAGE,
    cache_home,
    chosen_libraries,
    further_games,
    hash_sources,
    package_folders,
)

F = TypeVar("F", bound=Callable[..., Any])

_STALE_AFTER_DAYS = 30

LIBRARIES = chosen_libraries()  # the folder of the linked kernels, if they are used
IS_LINKED = LIBRARIES is not None
IS_UNCOMPILED = not IS_LINKED and os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
ENTRIES: list[Callable[..., Any]] = []  # of all modules loaded so far


def kernel(function: F) -> F:
    """Compile `function` with Numba: without the GIL, without object mode, cached on disk.

    Kernels are inlined into the kernels that call them, which saves a quarter of the time. They must not be recursive:
    Numba crashes when it loads a recursive function from its cache.
    """
    return _prepare(function, is_inlined=True)


def called_kernel(function: F) -> F:
    """A kernel that is called instead of inlined: for large kernels with many callers, to compile them only once."""
    return _prepare(function, is_inlined=False)


def entry(function: F) -> F:
    """A kernel that Python code may call wherever kernels are linked; only these are in the libraries.

    It takes annotated parameters: a `State` or `States`, whole numbers, and arrays annotated with their `array_type`.
    It must neither allocate nor raise (indexing a tuple can raise, indexing an array cannot).
    """
    return _prepare_entry(function, is_long=False)


def long_entry(function: F) -> F:
    """An entry that may take long, so that other threads go on meanwhile."""
    return _prepare_entry(function, is_long=True)


def _prepare_entry(function: F, is_long: bool) -> F:
    if IS_LINKED:
        from threespan.core.linked import linked_entry

        return linked_entry(function, is_long)
    ENTRIES.append(compiled := kernel(function))
    return compiled


def source_of(prepared: Callable[..., Any]) -> Path:
    """The source file of a kernel."""
    return Path(inspect.unwrap(getattr(prepared, "py_func", prepared)).__code__.co_filename)


def _prepare(function: F, is_inlined: bool) -> F:
    code = function.__code__
    if function.__name__ in code.co_names + code.co_freevars:
        raise TypeError(f"the kernel {function.__name__} is recursive; use a loop instead")
    if IS_LINKED:
        from threespan.core.linked import unlinked_kernel

        return unlinked_kernel(function)
    from threespan.core.compiling import compile_kernel

    return compile_kernel(function, is_inlined, cache_folder(Path(code.co_filename).parent))


@cache
def cache_folder(source_folder: Path) -> Path:
    """The cache folder of the kernels in `source_folder`, named by a hash of all sources they may use."""
    versions = [sys.version, *(version(package) for package in ("numba", "llvmlite", "numpy"))]
    digest = hash_sources(_folders_used_by(source_folder.resolve()), *versions, os.environ.get("NUMBA_BOUNDSCHECK", ""))
    path = cache_home() / f"kernels-{digest[:16]}"
    if not path.exists():
        _remove_stale_caches(path.parent)
    return path


def _folders_used_by(source_folder: Path) -> list[Path]:
    """All folders whose sources may be compiled into a kernel in `source_folder`.

    Numba's own cache only notices changes in the file of the outermost function, not in what it calls. A game's kernels
    use the core; generic kernels of the core are compiled together with the games' rules; those of the bots with all
    of these. A game outside this package may have kernels for bots in its own folder. Training, examples and tests may
    use anything.
    """
    core, games = PACKAGE / "core", PACKAGE / "games"
    further = [folder.resolve() for name in further_games() for folder in package_folders(name)]
    for folder in further:
        if folder in source_folder.parents:
            return [core, folder, PACKAGE / "bots"]
    if source_folder in further or source_folder.is_relative_to(games):
        return [core, source_folder]
    layers = [core, games, *further]
    if source_folder.is_relative_to(core):
        return layers
    if source_folder.is_relative_to(PACKAGE):
        return [*layers, PACKAGE / source_folder.relative_to(PACKAGE).parts[0]]
    return [*layers, PACKAGE / "bots", source_folder]


def _remove_stale_caches(home: Path) -> None:
    """Delete cached kernels that have not been used for a month."""
    oldest = time.time() - _STALE_AFTER_DAYS * 86400
    for folder in (found for kind in ("kernels", "libraries", "objects") for found in home.glob(f"{kind}-*")):
        for file in folder.rglob("*"):
            if file.is_file() and file.stat().st_mtime < oldest:
                file.unlink(missing_ok=True)


def is_compiled(source_folder: Path) -> bool:
    """Whether the kernels of a folder, with its current sources, have been compiled on this machine."""
    indexes = cache_folder(source_folder).glob(f"{source_folder.name}_*/*.nbi")
    return IS_UNCOMPILED or next(indexes, None) is not None


if IS_UNCOMPILED:
    import numpy as np

    # The random generator's 64-bit sums wrap around, as in machine code.
    np.seterr(over="ignore")


def wrapping_around() -> AbstractContextManager[Any]:
    """For threads in which kernels may run uncompiled: the same, since NumPy has this setting per thread."""
    return np.errstate(over="ignore") if IS_UNCOMPILED else nullcontext()


# Bits: masks are signed 64-bit integers with at most 63 bits in use.


def lowest_bit(mask: int) -> int:
    """The index of the lowest bit set in a mask that is not empty."""
    return (int(mask) & -int(mask)).bit_length() - 1


def count_bits(mask: int) -> int:
    """How many bits of a mask are set."""
    return int(mask).bit_count()


def bits_of(mask: int) -> list[int]:
    """The indices of all set bits, ascending, for masks of any width. Not for kernels."""
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)  # calling lowest_bit would take twice as long
        mask &= mask - 1
    return found


def nth_bit(mask: int, index: int) -> int:
    """The index of the bit that has `index` set bits below it; there must be one."""
    for _ in range(index):
        mask &= mask - 1
    return lowest_bit(mask)
