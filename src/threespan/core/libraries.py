"""Which library of linked kernels fits this machine and these sources, and where it is.

A wheel contains the libraries for its platform. In a source tree they are linked once per machine (linking.py), into
the cache folder. There are two: one for the rules and one for the bots, so that people can play before the second is
there. This module imports nothing else of the package, since the way kernels run is chosen before anything is loaded.
"""

import hashlib
import os
import platform
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

LIBRARY_VARIABLE = "THREESPAN_LIBRARY"  # the folder of the libraries to use
COMPILE = "compile"  # instead of a folder: compile kernels, though there may be libraries
GAMES_VARIABLE = "THREESPAN_GAMES"  # comma-separated packages of additional games
PACKAGE = Path(__file__).resolve().parents[1]
_PACKED = PACKAGE / "kernels"  # in a wheel
FINGERPRINT_FILE = "fingerprint.txt"
PARTS = ("rules", "bots")  # in the order in which they are linked

# What a processor must have for the levels of x86-64, as Linux names it; the others have only one level.
_LEVEL_3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}


class Target(NamedTuple):
    """A platform and the level of its processors."""

    platform: str
    level: str

    def file_name(self, part: str) -> str:
        """The name of the library of a part."""
        name = f"kernels-{self.platform}-{self.level}.so"
        return name if part == "rules" else f"{part}-{name}"


def cache_home() -> Path:
    """The folder for compiled kernels: `THREESPAN_CACHE`, or else the user's cache folder."""
    if own := os.environ.get("THREESPAN_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "threespan"


@cache
def this_machine() -> Target:
    """The target that runs best on this machine."""
    system = f"{platform.system().lower()}-{platform.machine().lower()}"
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return Target(system, "generic")
    return Target(system, "v3" if _processor_flags() >= _LEVEL_3 else "v2")


def _processor_flags() -> set[str]:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return set()
    return next((set(line.partition(":")[2].split()) for line in lines if line.startswith("flags")), set())


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


@cache
def fingerprint() -> str:
    """A hash of all sources that kernels are made of; libraries of other sources are not used."""
    return _fingerprint_with([folder for name in further_games() for folder in package_folders(name)])


def _fingerprint_with(folders_of_games: list[Path]) -> str:
    return hash_sources([PACKAGE / "core", PACKAGE / "games", PACKAGE / "bots", *folders_of_games])[:16]


def hash_sources(folders: list[Path], *more: str) -> str:
    """A hash of the Python files in some folders, and of more texts."""
    digest = hashlib.sha256()
    for text in more:
        digest.update(text.encode())
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.name.encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


def cache_of_libraries() -> Path:
    """The folder in the cache for libraries of the current sources."""
    return cache_home() / f"libraries-{fingerprint()}"


def find_libraries(part: str = "rules") -> Path | None:
    """The folder with the libraries for this machine and these sources, if a part has been linked.

    Those of a wheel do not contain games from elsewhere, so they are used with such games only without the compiler.
    """
    is_linked_here = bool(further_games()) and has_compiler()
    for folder in (cache_of_libraries(),) if is_linked_here else (_PACKED, cache_of_libraries()):
        if (folder / this_machine().file_name(part)).is_file() and is_current(folder):
            return folder
    return None


def is_current(folder: Path) -> bool:
    """Whether the libraries in a folder were made from the current sources."""
    file = folder / FINGERPRINT_FILE
    expected = _fingerprint_with([]) if is_packed(folder) else fingerprint()
    return file.is_file() and file.read_text("utf-8").strip() == expected


def is_packed(folder: Path | None) -> bool:
    """Whether a folder is that of a wheel, whose libraries contain only the games that come with Threespan."""
    return folder == _PACKED


def uncompiled_notice(game: str) -> str:
    """What to say of a game from elsewhere where there is no compiler."""
    return f"{game} runs uncompiled, with bots that play at random; threespan[build] makes a library of it"


def prefer_libraries() -> None:
    """Run kernels from libraries in this process, if there are any and nothing else was asked for.

    Must be called before anything else of the package is imported.
    """
    is_chosen = LIBRARY_VARIABLE in os.environ or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
    needs_compiler = bool(further_games()) and has_compiler()  # bots of games from elsewhere search
    if not is_chosen and not needs_compiler and (folder := find_libraries("bots")) is not None:
        os.environ[LIBRARY_VARIABLE] = str(folder)


def can_run() -> bool:
    """Whether there is any way to run kernels here."""
    return has_compiler() or find_libraries() is not None


def has_compiler() -> bool:
    """Whether kernels can be compiled here."""
    return find_spec("numba") is not None


def chosen_libraries() -> Path | None:
    """The libraries that kernels run from in this process, if they do: named, or the only way there is."""
    named = os.environ.get(LIBRARY_VARIABLE)
    if named == COMPILE:
        return None
    if named:
        folder = Path(named)
        if (folder / this_machine().file_name("rules")).is_file() and is_current(folder):
            return folder
        print(f"threespan: {named} was not made from these sources; the rules are compiled instead", file=sys.stderr)
        return None
    return None if has_compiler() else find_libraries()
