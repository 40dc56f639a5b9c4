"""Link kernels into libraries that run without the compiler: `python -m threespan.core.linking [FOLDER] [TARGET...]`.

Numba turns every entry into LLVM code for no particular processor, which LLVM then optimises for each target. So all
targets are made from the same code, and a machine can make the libraries of another. Every game and part is translated
in a process of its own, and so is its code for each target, on all cores. The same sources give the same libraries,
byte for byte, if the linkers are the same.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from importlib.metadata import version
from pathlib import Path
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
from threespan.core.targets import MACHINES, SYMBOLS, target_named

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


class LinkError(UserError):
    """The libraries cannot be made here, or not from these sources."""


def can_link(target: Target) -> bool:
    """Whether libraries for a target can be made on this machine."""
    return target in MACHINES and _linker(target) is not None


def _linker(target: Target) -> str | None:
    """A linker for a target: this machine's own one knows no others."""
    own = ("ld",) if target.platform == this_machine().platform else ()
    return next((found for name in (*MACHINES[target].linkers, *own) if (found := shutil.which(name))), None)


class Step(NamedTuple):
    """What one process does: translate a game's part into LLVM code or, for a target, that into an object file."""

    part: str
    code: str
    target: Target | None = None

    def file(self, folder: Path) -> Path:
        """The file that is made."""
        name = f"{self.part}-{self.code}"
        return folder / (f"{name}-{'-'.join(self.target)}.o" if self.target else f"{name}.ll")


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
    # Of the games that come with Threespan, the last takes longest, so it comes first.
    todo = [Step(part, code) for part in PARTS for code in reversed(chosen)]
    folders = {code: _objects_of(code) for code in chosen}
    for part in _compile_parts(todo, targets, folders, report):
        for target in targets:
            steps = [Step(part, code, target) for code in chosen]
            _link_objects(target, steps, folders, folder / target.file_name(part))
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


Folders = dict[str, Path]  # by the codes of games


def _compile_parts(todo: list[Step], targets: list[Target], folders: Folders, report: Report) -> Iterator[str]:
    """Make the object files of all parts, on all cores; yields each part when it is complete."""
    waiting, unfinished = todo.copy(), list(PARTS)
    running: dict[Future[None], Step] = {}
    workers = len(os.sched_getaffinity(0))
    with ThreadPoolExecutor(workers) as threads:
        while waiting or running:
            while waiting and len(running) < workers:
                step = waiting.pop(0)
                running[threads.submit(_run_if_needed, step, folders[step.code])] = step
            for job in wait(running, return_when=FIRST_COMPLETED).done:
                step = running.pop(job)
                job.result()
                if step.target is None:
                    report(f"{step.code}: {step.part}")
                    waiting += [step._replace(target=target) for target in targets]
                    waiting.sort(key=lambda step: (PARTS.index(step.part), step.target is not None))
            while unfinished and all(step.part != unfinished[0] for step in (*waiting, *running.values())):
                yield unfinished.pop(0)


def _run_if_needed(step: Step, folder: Path) -> None:
    """Do a step, unless it has been done from these sources; raises LinkError."""
    if not step.file(folder).exists():
        _run_step(step, folder)


def _run_step(step: Step, folder: Path) -> None:
    """Do a step in a process of its own, so that nothing depends on what was compiled before; raises LinkError."""
    code = str(step._replace(target=None).file(folder))
    arguments = ["object_code", step.code, step.part, code]
    if step.target is not None:
        arguments = ["machine_code", code, "-".join(step.target), str(step.file(folder))]
    command = [sys.executable, "-P", "-m", f"{__spec__.parent}.{arguments[0]}", *arguments[1:]]
    done = subprocess.run(command, env=_environment(), stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise LinkError(done.stderr.strip() or f"{step.code}: {step.part} could not be compiled: {done.returncode}")


def _link_objects(target: Target, steps: list[Step], folders: Folders, library: Path) -> None:
    """Link the object files that steps have made into a library."""
    linker = _linker(target)
    assert linker is not None
    with tempfile.NamedTemporaryFile(dir=library.parent, delete=False) as file:
        unfinished = Path(file.name)
    command = [linker, *MACHINES[target].link_options, "-o", str(unfinished)]
    command += [str(step.file(folders[step.code])) for step in steps]
    if target.platform == "wasm32":
        command += [f"--export={name}" for step in steps for name in _symbols(step, folders[step.code])]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        unfinished.unlink()
        raise LinkError(f"{linker}: {done.stderr.strip() or done.returncode}")
    unfinished.chmod(0o755)
    unfinished.replace(library)


def _symbols(step: Step, folder: Path) -> list[str]:
    """The symbols that an object file defines for others."""
    file = step._replace(target=None).file(folder).with_suffix(SYMBOLS)
    return file.read_text("utf-8").split()


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
