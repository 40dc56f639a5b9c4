"""Faults in a game are reported in one line with the file and what to do, never with a traceback."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

GAMES = Path(__file__).parents[1] / "games"

# Plays the first actions of a match, as commands do.
PLAY = """
from threespan.core.errors import UserError
from threespan.core.match import Match
from threespan.core.chance import MatchSeed
from threespan.core.options import read_options
from threespan.core.registry import find_game
try:
    game = find_game("nim")
    match = Match.new(game, read_options(game.options, {}), MatchSeed.of("1"))
    match.play(0, match.position.legal(0)[0])
except UserError as error:
    print(error)
"""

Play = Callable[..., str]


def change(folder: Path, name: str, old: str, new: str) -> None:
    file = folder / "nim" / name
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def nim(tmp_path: Path) -> Path:
    """A folder with a copy of Nim."""
    shutil.copytree(GAMES / "nim", tmp_path / "nim", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Play the game in a subprocess; returns the error message."""

    def run(script: str = PLAY, **environment: str) -> str:
        own = {"PYTHONPATH": str(tmp_path), "THREESPAN_GAMES": "nim", "THREESPAN_CACHE": str(tmp_path / "cache")}
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, env=os.environ | own | environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        (line,) = done.stdout.splitlines()
        return line

    return run


def line_of(file: Path, words: str) -> int:
    lines = file.read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if words in line)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("state.heap[0] + ", "state.heapp[0] + ", "a state has no field 'heapp'; did you mean 'heap'?"),
        ("state.last = seat", "state.lasst = seat", "a state has no field 'lasst'; did you mean 'last'?"),
        ("state.last = seat", "state.last = seat.number", "Unknown attribute 'number' of type int64"),
    ],
)
def test_a_misspelt_field_is_found_by_file_and_line(nim: Path, play: Play, old: str, new: str, reason: str) -> None:
    change(nim, "rules.py", old, new)
    file = nim / "nim" / "rules.py"
    assert play().startswith(f"{file}:{line_of(file, new)}: {reason}")


def test_a_misspelt_name_is_found_by_its_kernel(nim: Path, play: Play) -> None:
    change(nim, "rules.py", "state.last = seat", "state.last = saet")
    file = nim / "nim" / "rules.py"
    said = play()
    assert said.startswith(f"{file}:{line_of(file, 'def apply') - 1}: ")
    assert "'saet' is not defined" in said


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        (
            "rules.py",
            "def weight(",
            "def waight(",
            "the kernel 'weight' is missing in {folder}/rules.py; core/rules.py says what it has to do",
        ),
        (
            "game.py",
            "register_kernels(LAYOUT, GAME.kernels)",
            "",
            "{folder}/game.py: register_kernels(LAYOUT, GAME.kernels) is missing at the end",
        ),
        (
            "game.py",
            "GAME = Nim()\nregister_kernels(LAYOUT, GAME.kernels)",
            "",
            "{folder}/game.py: there is no GAME; add GAME = ... and register_kernels(LAYOUT, GAME.kernels) at the end",
        ),
        (
            "game.py",
            'code = "nim"',
            'code = "nym"',
            "{folder}/game.py: the code is 'nym', but the package is called 'nim'; make them the same",
        ),
        ("game.py", "    minutes = 5\n", "", "{folder}/game.py: Nim has no `minutes`"),
        (
            "game.py",
            "msgspec.Meta(ge=2, le=4)",
            "msgspec.Meta(ge=2, le=6)",
            "{folder}/game.py: the option `players` must be a range from 1 to 4 at most: "
            "players: Annotated[int, msgspec.Meta(ge=2, le=4)] = 2, for example",
        ),
        (
            "game.py",
            "players: Annotated[int, msgspec.Meta(ge=2, le=4)] = 2",
            "players: int = 2",
            "{folder}/game.py: the option `players` must be a range from 1 to 4 at most: "
            "players: Annotated[int, msgspec.Meta(ge=2, le=4)] = 2, for example",
        ),
        (
            "game.py",
            "action_count = ACTIONS",
            "action_count = 5000",
            "{folder}/game.py: action_count is 5000; a game has 1 to 4096 actions",
        ),
        (
            "state.py",
            'Field("limit"',
            'Field("sort"',
            "'sort' is an attribute of every NumPy record; choose another name for this field of the state",
        ),
    ],
)
def test_what_is_missing_is_reported(nim: Path, play: Play, file: str, old: str, new: str, reason: str) -> None:
    change(nim, file, old, new)
    assert play(NUMBA_DISABLE_JIT="1") == reason.format(folder=nim / "nim")


def test_a_missing_method_is_reported(nim: Path, play: Play) -> None:
    change(nim, "game.py", "def prompt(", "def promt(")
    said = play(NUMBA_DISABLE_JIT="1")
    assert said.startswith(f"{nim / 'nim' / 'game.py'}: ")
    assert "prompt" in said


def test_a_folder_without_a_game_is_reported(nim: Path, play: Play) -> None:
    (nim / "nim" / "game.py").unlink()
    said = play(NUMBA_DISABLE_JIT="1")
    assert said == f"{nim / 'nim' / 'game.py'} is missing; `threespan new-game CODE` writes a game with all its files"


TWO_GAMES = """
from threespan.core.errors import UserError
from threespan.core.registry import find_game
find_game("nim")
try:
    find_game("nam")
except UserError as error:
    print(error)
"""


def test_two_games_with_the_same_fields(nim: Path, play: Play) -> None:
    shutil.copytree(nim / "nim", nim / "nam")
    for file in (nim / "nam").rglob("*.py"):
        file.write_text(file.read_text("utf-8").replace("nim", "nam"), "utf-8")
    assert play(TWO_GAMES, THREESPAN_GAMES="nim,nam", NUMBA_DISABLE_JIT="1") == (
        f"the states of {nim / 'nim'} and {nim / 'nam'} have the same fields; rename a field in one state.py"
    )


NOT_REGISTERED = """
from threespan.core import calls
from threespan.core.errors import UserError
from threespan.core.layout import Field, Layout
import numpy as np
layout = Layout(Field("alone", np.int8, (), 0, 1, "a state of no game"))
try:
    calls.who_acts(layout.array_copy(layout.new()))
except UserError as error:
    print(error)
"""


@pytest.mark.parametrize("environment", [{}, {"NUMBA_DISABLE_JIT": "1"}])
def test_states_without_rules(play: Play, environment: dict[str, str]) -> None:
    assert play(NOT_REGISTERED, THREESPAN_GAMES="", **environment) == (
        "no kernels are registered for a state with the fields alone; "
        "the game.py of its game must end with register_kernels(LAYOUT, GAME.kernels)"
    )


def test_linking_says_what_is_wrong(nim: Path) -> None:
    change(nim, "rules.py", "state.last = seat", "state.lasst = seat")
    own = {"PYTHONPATH": str(nim), "THREESPAN_GAMES": "nim", "THREESPAN_CACHE": str(nim / "cache")}
    command = [sys.executable, "-m", "threespan.core.linking", "--game", "nim", str(nim / "libraries")]
    done = subprocess.run(command, env=os.environ | own, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    line = done.stderr.splitlines()[-1]
    assert line.startswith(f"threespan: {nim / 'nim' / 'rules.py'}:")
    assert "a state has no field 'lasst'; did you mean 'last'?" in line
