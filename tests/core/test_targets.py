"""Libraries for all targets: the same sources give the same files, and all of them the same results to the last bit."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from libraries import without_games
from threespan.core.libraries import GAMES_VARIABLE, LIBRARY_VARIABLE, PARTS, Target
from threespan.core.linking import can_link
from threespan.core.targets import AARCH64, MACHINES, WASM32, X86_64_V2, X86_64_V3, UnknownTarget, target_named

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SOURCES = ROOT / "src"
COMPILERS = {X86_64_V2: "gcc", X86_64_V3: "gcc", AARCH64: "aarch64-linux-gnu-gcc"}
EMULATORS = {AARCH64: ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]}
FLAGS = ["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"]
# Entries that the matches of a digest may not need.
RARELY_CALLED = {"is_open_after_search", "looks_finished"}
_LEB_MORE = 0x80

# Prints the folder for the libraries of all targets, and whether they are there.
FIND = """
from threespan.core.libraries import PARTS, cache_of_libraries, is_current
from threespan.core.targets import MACHINES
folder = cache_of_libraries() / "all"
print(folder)
print(is_current(folder) and all((folder / t.file_name(part)).is_file() for t in MACHINES for part in PARTS))
"""


def run(*command: str | Path, **variables: str) -> list[str]:
    """Run a command with the games that come with Threespan only; returns the lines that it prints."""
    done = subprocess.run(command, env=without_games() | variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def folder() -> Path:
    """The libraries of all targets, which are made if the sources have changed."""
    name, is_there = run(sys.executable, "-c", FIND)
    if is_there != "True":
        targets = ["-".join(target) for target in MACHINES]
        run(sys.executable, "-m", "threespan.core.linking", name, *targets)
    return Path(name)


@pytest.fixture(scope="module")
def digest(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A file of calls, and how many there are."""
    file = tmp_path_factory.mktemp("digest") / "calls"
    first, *counts = run(sys.executable, HERE / "digest.py", file, **{LIBRARY_VARIABLE: str(folder)})
    called = {line.split()[1] for line in counts}
    linked = {name for part in PARTS for name in exports(folder / WASM32.file_name(part))}
    assert called <= linked
    assert {name.split(".")[-2] for name in linked - called} <= RARELY_CALLED
    return file, int(first.split()[0])


def exports(module: Path) -> list[str]:
    """The kernels that a WebAssembly module exports, from its section 7."""
    content = module.read_bytes()
    assert content.startswith(b"\0asm\1\0\0\0")
    at, names = 8, []
    while at < len(content):
        section = content[at]
        size, at = _number(content, at + 1)
        if section == 7:
            count, place = _number(content, at)
            for _ in range(count):
                length, place = _number(content, place)
                names.append(content[place : place + length].decode())
                _, place = _number(content, place + length + 1)
        at += size
    return [name for name in names if name.startswith("threespan.")]


def _number(content: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    value = shift = 0
    while content[at] >= _LEB_MORE:
        value |= (content[at] - _LEB_MORE) << shift
        at, shift = at + 1, shift + 7
    return value | content[at] << shift, at + 1


def find_node() -> str:
    """Node, which is installed if it is missing."""
    script = f"import sys; sys.path.insert(0, {str(ROOT / 'web')!r}); import build; print(build.find_node().node)"
    return run(sys.executable, "-c", script)[-1]


def libraries(folder: Path, target: Target) -> list[Path]:
    return [folder / target.file_name(part) for part in PARTS]


@pytest.mark.parametrize("target", COMPILERS, ids="-".join)
def test_every_processor_gives_the_same_results(
    target: Target, folder: Path, digest: tuple[Path, int], tmp_path: Path
) -> None:
    file, calls = digest
    replay = tmp_path / "replay"
    run(COMPILERS[target], *FLAGS, "-o", replay, HERE / "replay.c", "-ldl")
    said = run(*EMULATORS.get(target, []), replay, file, *libraries(folder, target))
    assert said == [f"{calls} of {calls} calls agree"]


def test_web_assembly_gives_the_same_results(folder: Path, digest: tuple[Path, int]) -> None:
    file, calls = digest
    said = run(find_node(), HERE / "replay.mjs", file, *libraries(folder, WASM32))
    assert said == [f"{calls} of {calls} calls agree"]


def test_a_replay_notices_a_single_wrong_byte(folder: Path, digest: tuple[Path, int], tmp_path: Path) -> None:
    content = bytearray(digest[0].read_bytes())
    content[-1] ^= 1
    (tmp_path / "wrong").write_bytes(content)
    run("gcc", *FLAGS, "-o", tmp_path / "replay", HERE / "replay.c", "-ldl")
    command = [tmp_path / "replay", tmp_path / "wrong", *libraries(folder, X86_64_V2)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"{digest[1] - 1} of {digest[1]} calls agree" in done.stdout


def test_the_same_sources_give_the_same_code_wherever_they_are(tmp_path: Path) -> None:
    """A game of the tests stands for all, since it is small."""
    elsewhere = tmp_path / "another" / "place"
    shutil.copytree(SOURCES, elsewhere / "src", ignore=shutil.ignore_patterns("__pycache__", "page", "kernels"))
    shutil.copytree(ROOT / "tests" / "games", elsewhere / "games", ignore=shutil.ignore_patterns("__pycache__"))
    first = link_nim(tmp_path / "first", SOURCES, ROOT / "tests" / "games")
    second = link_nim(tmp_path / "second", elsewhere / "src", elsewhere / "games")
    assert len(first) == len(MACHINES) * len(PARTS)
    assert first == second


def link_nim(folder: Path, *sources: Path) -> list[bytes]:
    """Nim's libraries for all targets, made from nothing."""
    path, targets = os.pathsep.join(map(str, sources)), ["-".join(target) for target in MACHINES]
    variables = {"PYTHONPATH": path, "THREESPAN_CACHE": str(folder / "cache"), GAMES_VARIABLE: "nim"}
    run(sys.executable, "-m", "threespan.core.linking", "--game", "nim", folder, *targets, **variables)
    return [(folder / target.file_name(part)).read_bytes() for target in MACHINES for part in PARTS]


def test_targets_have_names_and_linkers() -> None:
    for target in MACHINES:
        assert target_named("-".join(target)) == target
        assert can_link(target), f"`make cross` installs a linker for {target.platform}"
    with pytest.raises(UnknownTarget, match="there is no target 'pdp-11'; choose one of linux-x86_64-v2, "):
        target_named("pdp-11")
