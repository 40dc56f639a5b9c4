"""The decorators that turn plain functions into compiled kernels.

They run in three ways. Numba compiles them at run time; everything but servers does that. Workers of a server do not
load the compiler, to save memory: they call the `entry` kernels in a library that was linked beforehand (linking.py).
With NUMBA_DISABLE_JIT=1 nothing is compiled, so that kernels can be debugged.
"""

import hashlib
import inspect
import os
import sys
import time
import warnings
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = Path(__file__).resolve().parents[1]
GAMES_VARIABLE = "THREESPAN_GAMES"  # comma-separated packages of additional games
LIBRARY_VARIABLE = "THREESPAN_LIBRARY"  # the file with the linked kernels
_STALE_AFTER_DAYS = 30

ENTRIES: list[Callable[..., Any]] = []  # of all modules loaded so far


def cache_home() -> Path:
    """The folder for compiled kernels: `THREESPAN_CACHE`, or else the user's cache folder."""
    if own := os.environ.get("THREESPAN_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "threespan"


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
    """A kernel that Python code may call on a server; only these are linked into the library.

    It takes at most three annotated parameters: a `State` or `States`, whole numbers, and arrays annotated with their
    dtype. It must neither allocate nor raise (indexing a tuple can raise, indexing an array cannot).
    """
    if LIBRARY:
        from threespan.core.linked import linked_entry

        return linked_entry(function)
    ENTRIES.append(compiled := kernel(function))
    return compiled


def source_of(prepared: Callable[..., Any]) -> Path:
    """The source file of a kernel."""
    return Path(inspect.unwrap(getattr(prepared, "py_func", prepared)).__code__.co_filename)


def _prepare(function: F, is_inlined: bool) -> F:
    code = function.__code__
    if function.__name__ in code.co_names + code.co_freevars:
        raise TypeError(f"the kernel {function.__name__} is recursive; use a loop instead")
    if LIBRARY:
        from threespan.core.linked import unlinked_kernel

        return unlinked_kernel(function)
    from threespan.core.compiling import compile_kernel

    return compile_kernel(function, is_inlined, cache_folder(Path(code.co_filename).parent))


@cache
def cache_folder(source_folder: Path) -> Path:
    """The cache folder of the kernels in `source_folder`, named by a hash of all sources they may use."""
    digest = hashlib.sha256()
    versions = [sys.version, *(version(package) for package in ("numba", "llvmlite", "numpy"))]
    for part in (*versions, os.environ.get("NUMBA_BOUNDSCHECK", "")):
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
    """All folders whose sources may be compiled into a kernel in `source_folder`.

    Numba's own cache only notices changes in the file of the outermost function, not in what it calls. A game's kernels
    use the core; generic kernels of the core are compiled together with the games' rules; those of the bots with all
    of these. A game outside this package may have kernels for bots in its own folder. Training, examples and tests may
    use anything.
    """
    core, games = _PACKAGE / "core", _PACKAGE / "games"
    further = [folder.resolve() for name in further_games() for folder in package_folders(name)]
    for folder in further:
        if folder in source_folder.parents:
            return [core, folder, _PACKAGE / "bots"]
    if source_folder in further or source_folder.is_relative_to(games):
        return [core, source_folder]
    layers = [core, games, *further]
    if source_folder.is_relative_to(core):
        return layers
    if source_folder.is_relative_to(_PACKAGE):
        return [*layers, _PACKAGE / source_folder.relative_to(_PACKAGE).parts[0]]
    return [*layers, _PACKAGE / "bots", source_folder]


def further_games() -> list[str]:
    """The packages of additional games that the user has named."""
    return [name.strip() for name in os.environ.get(GAMES_VARIABLE, "").split(",") if name.strip()]


def package_folders(name: str) -> list[Path]:
    """The folders of a package; empty if there is no such package."""
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:  # its parent package does not exist
        return []
    return [Path(folder) for folder in (spec.submodule_search_locations or [])] if spec else []


def _remove_stale_caches(home: Path) -> None:
    """Delete cached kernels that have not been used for a month."""
    oldest = time.time() - _STALE_AFTER_DAYS * 86400
    for folder in home.glob("kernels-*"):
        for file in folder.rglob("*"):
            if file.is_file() and file.stat().st_mtime < oldest:
                file.unlink(missing_ok=True)


def is_compiled(source_folder: Path) -> bool:
    """Whether the kernels of a folder, with its current sources, have been compiled on this machine."""
    indexes = cache_folder(source_folder).glob(f"{source_folder.name}_*/*.nbi")
    return IS_UNCOMPILED or next(indexes, None) is not None


def _library_in_use() -> str:
    """The library that the environment names, if it was made from the current sources."""
    named = os.environ.get(LIBRARY_VARIABLE, "")
    if not named or (Path(named).is_file() and Path(named).parent == cache_folder(Path(__file__).parent)):
        return named
    warnings.warn(
        f"{named} was not made from these sources; the rules are compiled instead", RuntimeWarning, stacklevel=2
    )
    return ""


LIBRARY = _library_in_use()
IS_UNCOMPILED = not LIBRARY and os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
if IS_UNCOMPILED:
    # The random generator's 64-bit sums wrap around, as in machine code.
    np.seterr(over="ignore")


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
