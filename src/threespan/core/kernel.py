"""The decorators that turn plain functions into compiled kernels.

There are three ways to run them. Numba compiles them, and that is what everything uses but servers. A server's workers
have no compiler in their memory: they call the kernels that Python needs (`entry`) in a library that has been linked
before (see linking.py). With NUMBA_DISABLE_JIT=1 nothing is compiled, to look at what kernels do.
"""

import hashlib
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
GAMES_VARIABLE = "THREESPAN_GAMES"  # names of packages with further games, by commas
LIBRARY_VARIABLE = "THREESPAN_LIBRARY"  # the file of the linked kernels
_STALE_AFTER_DAYS = 30

ENTRIES: list[Callable[..., Any]] = []  # those whose modules are loaded


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
    return _prepare(function, is_inlined=True)


def called_kernel(function: F) -> F:
    """A kernel that is called rather than inlined: for long work asked for in many places, to compile it once."""
    return _prepare(function, is_inlined=False)


def entry(function: F) -> F:
    """A kernel that Python may call on a server, where only such kernels are linked.

    Its annotations say what it takes, three things at most: a `State` or `States`, whole numbers, and arrays annotated
    with their dtype. It may neither raise anything (an index of a tuple may, one of an array does not) nor allocate.
    """
    if LIBRARY:
        from threespan.core.linked import linked_entry

        return linked_entry(function)
    ENTRIES.append(compiled := kernel(function))
    return compiled


def _prepare(function: F, is_inlined: bool) -> F:
    code = function.__code__
    if function.__name__ in code.co_names + code.co_freevars:
        raise TypeError(f"the kernel {function.__name__} calls itself; use a loop")
    if LIBRARY:
        from threespan.core.linked import unlinked_kernel

        return unlinked_kernel(function)
    from threespan.core.compiling import compile_kernel

    return compile_kernel(function, is_inlined, cache_folder(Path(code.co_filename).parent))


@cache
def cache_folder(source_folder: Path) -> Path:
    """The cache folder of kernels written in `source_folder`, named by a hash of all they may use."""
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
        for file in folder.rglob("*"):
            if file.is_file() and file.stat().st_mtime < oldest:
                file.unlink(missing_ok=True)


def is_compiled(source_folder: Path) -> bool:
    """Whether kernels of a folder have been compiled on this machine before, as its sources are now."""
    indexes = cache_folder(source_folder).glob(f"{source_folder.name}_*/*.nbi")
    return IS_PLAIN or next(indexes, None) is not None


def _library_in_use() -> str:
    """The library that this process was told to use, if it was made from the sources as they are now."""
    told = os.environ.get(LIBRARY_VARIABLE, "")
    if not told or (Path(told).is_file() and Path(told).parent == cache_folder(Path(__file__).parent)):
        return told
    warnings.warn(f"{told} is not a library of these rules; they are compiled instead", RuntimeWarning, stacklevel=2)
    return ""


LIBRARY = _library_in_use()
IS_PLAIN = not LIBRARY and os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
if IS_PLAIN:
    # The random generator's 64-bit sums wrap as they do in machine code.
    np.seterr(over="ignore")


# Bits: masks are signed 64-bit integers with at most 63 bits in use.


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
