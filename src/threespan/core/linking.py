"""Link kernels into libraries that run without the compiler: `python -m threespan.core.linking [FOLDER] [TARGET...]`.

Numba turns every entry into LLVM code for no particular processor, which LLVM then optimises for each target. So all
targets are made from the same code, and a machine can make the libraries of another. Every game is translated in a
process of its own, and so is the code of each part for each target, on all cores. The same sources give the same
libraries, byte for byte, if the linkers are the same.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from queue import Queue
from typing import NamedTuple

from threespan.core.errors import UserError
from threespan.core.libraries import (
    FINGERPRINT_FILE,
    LIBRARY_VARIABLE,
    PACKAGE,
    PARTS,
    Target,
    cache_home,
    cache_of_libraries,
    find_libraries,
    fingerprint,
    hash_sources,
    this_machine,
)
from threespan.core.targets import LLVM_CODE, MACHINES, SYMBOLS, target_named

# For processes that compile kernels for libraries: nothing depends on this machine or on chance.
_ENVIRONMENT = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_OPT": "0",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "NUMBA_DISABLE_JIT": "0",
    "NUMBA_BOUNDSCHECK": "0",
    "PYTHONHASHSEED": "0",
    "THREESPAN_LINKING": "1",
}
Report = Callable[[str], None]
Folders = dict[str, Path]  # by the codes of games


class LinkError(UserError):
    """The libraries cannot be made here, or not from these sources."""


def can_link(target: Target) -> bool:
    """Whether libraries for a target can be made on this machine."""
    return target in MACHINES and _linker(target) is not None


def _linker(target: Target) -> str | None:
    """A linker for a target: this machine's own one knows no others."""
    own = ("ld",) if target.platform == this_machine().platform else ()
    return next((found for name in (*MACHINES[target].linkers, *own) if (found := shutil.which(name))), None)


class Piece(NamedTuple):
    """What one object file is made of: a game's part, for a target."""

    part: str
    code: str
    target: Target

    def object_file(self, folder: Path) -> Path:
        """The object file."""
        return folder / f"{self.part}-{self.code}-{'-'.join(self.target)}.o"

    def source(self, folder: Path) -> Path:
        """The LLVM code that it is made from."""
        return folder / f"{self.part}-{self.code}{LLVM_CODE}"


def link_libraries(folder: Path, targets: list[Target], chosen: list[str], report: Report) -> Iterator[str]:
    """Compile all entries of some games and link them; yields each part when its libraries are there.

    Raises LinkError.
    """
    for target in targets:
        if not can_link(target):
            raise LinkError(f"there is no linker for {target.platform}; install one of {MACHINES[target].linkers}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LinkError(f"{folder}: {error.strerror}") from None
    folders = {code: _objects_of(code) for code in chosen}
    for part in _compile_parts(folders, targets, report):
        for target in targets:
            _link_objects([Piece(part, code, target) for code in chosen], folders, folder / target.file_name(part))
        (folder / FINGERPRINT_FILE).write_text(fingerprint() + "\n", "utf-8")
        yield part


def _objects_of(code: str) -> Path:
    """The folder in the cache for what a game is compiled to, whichever other games there are; raises UserError."""
    from threespan.core.registry import find_game

    sources = [PACKAGE / "core", PACKAGE / "bots", find_game(code).folder]
    digest = hash_sources(sources, sys.version, *(version(package) for package in ("numba", "llvmlite", "numpy")))
    folder = cache_home() / f"objects-{digest[:16]}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _compile_parts(folders: Folders, targets: list[Target], report: Report) -> Iterator[str]:
    """Make the object files of all parts, on all cores; yields each part when it is complete; raises LinkError."""
    pieces = [Piece(part, code, target) for part in PARTS for code in folders for target in targets]
    missing = [piece for piece in pieces if not piece.object_file(folders[piece.code]).exists()]
    events: Queue[Piece | LinkError] = Queue()
    cores = len(os.sched_getaffinity(0))
    # One translator more than there are cores, so that no rules have to wait for the bots of two other games.
    with ThreadPoolExecutor(cores + 1) as translators, ThreadPoolExecutor(cores) as makers:

        def make(piece: Piece) -> None:
            try:
                _make_object(piece, folders[piece.code])
            except LinkError as error:
                events.put(error)
            else:
                events.put(piece)

        def translate(code: str) -> None:
            try:
                for part in _translate(code, folders[code]):
                    report(f"{code}: {part}")
                    for piece in missing:
                        if (piece.part, piece.code) == (part, code):
                            makers.submit(make, piece)
            except LinkError as error:
                events.put(error)

        for code in dict.fromkeys(piece.code for piece in missing):
            translators.submit(translate, code)
        unfinished = set(missing)
        for part in PARTS:
            while any(piece.part == part for piece in unfinished):
                event = events.get()
                if isinstance(event, LinkError):
                    raise event
                unfinished.remove(event)
            yield part


def _translate(code: str, folder: Path) -> Iterator[str]:
    """Translate a game into LLVM code, unless that was kept; yields each part when it is there; raises LinkError."""
    if all((folder / f"{part}-{code}{LLVM_CODE}").exists() for part in PARTS):
        yield from PARTS
        return
    with _start("object_code", code, str(folder)) as process:
        assert process.stdout is not None
        for line in process.stdout:
            yield line.strip()
        _check(process, code)


def _make_object(piece: Piece, folder: Path) -> None:
    """Make the object file of a piece from its LLVM code; raises LinkError."""
    files = str(piece.source(folder)), "-".join(piece.target), str(piece.object_file(folder))
    with _start("machine_code", *files) as process:
        _check(process, f"{piece.code}: {piece.part}")


def _start(module: str, *arguments: str) -> "subprocess.Popen[str]":
    """Run a module in a process of its own, so that nothing depends on what was compiled before."""
    command = [sys.executable, "-P", "-m", f"{__spec__.parent}.{module}", *arguments]
    return subprocess.Popen(command, env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _check(process: "subprocess.Popen[str]", what: str) -> None:
    """Wait for the end of a process; raises LinkError if it has failed."""
    said = process.communicate()[1].strip()
    if process.returncode:
        raise LinkError(said or f"{what} could not be compiled: {process.returncode}")


def _link_objects(pieces: list[Piece], folders: Folders, library: Path) -> None:
    """Link the object files of a target into a library; raises LinkError."""
    target = pieces[0].target
    linker = _linker(target)
    assert linker is not None
    with tempfile.NamedTemporaryFile(dir=library.parent, delete=False) as file:
        unfinished = Path(file.name)
    command = [linker, *MACHINES[target].link_options, "-o", str(unfinished)]
    command += [str(piece.object_file(folders[piece.code])) for piece in pieces]
    if target.platform == "wasm32":
        command += [f"--export={name}" for piece in pieces for name in _symbols(piece, folders[piece.code])]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        unfinished.unlink()
        raise LinkError(f"{linker}: {done.stderr.strip() or done.returncode}")
    unfinished.chmod(0o755)
    unfinished.replace(library)


def _symbols(piece: Piece, folder: Path) -> list[str]:
    """The symbols that an object file defines for others."""
    return piece.source(folder).with_suffix(SYMBOLS).read_text("utf-8").split()


def link_in_background() -> "subprocess.Popen[bytes]":
    """Start linking for this machine in a process of its own, whose memory is freed when it ends."""
    # Without -P, a module in the current folder could shadow one of ours.
    return subprocess.Popen([sys.executable, "-P", "-m", __spec__.name], env=_environment(), start_new_session=True)


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != LIBRARY_VARIABLE}
    return kept | _ENVIRONMENT


def main(arguments: list[str]) -> None:
    """Link the libraries of some targets into a folder, or those of this machine into the cache if they are missing.

    `--game CODE` links those of one game only.
    """
    from threespan.core.registry import codes

    chosen = codes()
    if arguments[:1] == ["--game"]:
        chosen, arguments = [arguments[1]], arguments[2:]
    if arguments:
        _link_and_tell(Path(arguments[0]), [target_named(name) for name in arguments[1:]] or [this_machine()], chosen)
        return
    folder = cache_of_libraries()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # if another process is linking, wait for it
        if find_libraries("bots") is None:
            _link_and_tell(folder, [this_machine()], chosen)


def _link_and_tell(folder: Path, targets: list[Target], chosen: list[str]) -> None:
    for part in link_libraries(folder, targets, chosen, _tell):
        _tell(f"linked: {part}")


def _tell(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except UserError as error:
        raise SystemExit(f"threespan: {error}") from None
