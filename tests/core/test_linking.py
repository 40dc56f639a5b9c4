"""Linked kernels give the same results as compiled ones, without the compiler and NumPy in memory."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest

from libraries import PLAY, link_libraries
from threespan.core import linked
from threespan.core.layout import State, States
from threespan.core.libraries import FINGERPRINT_FILE, LIBRARY_VARIABLE
from threespan.core.registry import codes

# Lets bots of all levels decide in matches of the games that have bots of their own, and prints hashes of decisions.
DECIDE = """
import hashlib, sys
from threespan.bots.bot import Budget
from threespan.bots.levels import find_bot
from threespan.bots.names import LEVELS
from threespan.core.chance import MatchSeed
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.registry import built_in_codes, find_game

for code in built_in_codes():
    game = find_game(code)
    for players in (2, 4):
        options, digest = read_options(game.options, {"players": players}), hashlib.sha256()
        match = Match.new(game, options, MatchSeed.of(code))
        for number in range(100):
            if match.is_over:
                break
            seat = match.acting()[0]
            bot, seen = find_bot(LEVELS[number % len(LEVELS)]), match.position.observe(seat)
            decision = bot.decide(seen, seat, Budget(simulations=60), number)
            digest.update(repr(decision).encode())
            match.play(seat, decision.action)
        print(code, players, digest.hexdigest())
print([name for name in ("numba", "llvmlite", "numpy") if name in sys.modules])
"""


def run(script: str, **environment: str) -> list[str]:
    with_nim = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1] / "games")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=with_nim | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def library() -> str:
    return link_libraries()


def test_linked_rules_play_as_compiled_ones(library: str) -> None:
    *compiled, loaded = run(PLAY)
    assert loaded == "['numba', 'llvmlite', 'numpy']"
    *linked_, loaded = run(PLAY, **{LIBRARY_VARIABLE: library})
    assert loaded == "[]"
    assert len(compiled) == len(codes())
    assert linked_ == compiled


def test_a_kernel_that_is_not_linked_says_so(library: str) -> None:
    script = """
from threespan.core.errors import UserError
from threespan.core.registry import find_game
from threespan.core.options import read_options
from threespan.games.hashi.board import buildable
game = find_game("hashi")
try:
    buildable(game.start(read_options(game.options, {})).state, 0)
except UserError as error:
    print(error)
"""
    (said,) = run(script, **{LIBRARY_VARIABLE: library})
    assert "hashi/board.py:" in said
    assert "buildable is called from Python, but it is not linked; make it an @entry" in said


def test_the_parameters_of_entries_are_checked() -> None:
    table = np.dtype((np.int32, (2, 4)))

    def fine(state: State, seat: int, table: Annotated[Any, table]) -> None: ...

    def also_fine(states: States) -> None: ...

    def wrong(state: State, name: str) -> None: ...

    def bare(state, seat): ...  # type: ignore[no-untyped-def]

    def long(state: State, one: int, two: int, three: int) -> None: ...

    assert linked.parameter_kinds(fine) == [State, int, table]
    assert linked.parameter_kinds(also_fine) == [States]
    for function, reason in (
        (wrong, "wrong is an @entry, but its parameter 'name' is neither a state, an int nor an array with its type"),
        (bare, "bare is an @entry, so its parameters must be annotated"),
        (long, "long is an @entry, which can have 3 parameters at most"),
    ):
        with pytest.raises(linked.EntryError, match=reason):
            linked.parameter_kinds(function)
    with pytest.raises(linked.EntryError, match="bare is an @entry, so its return value must be annotated"):
        linked.returned_kind(bare)


def test_without_a_linker_nothing_can_be_linked() -> None:
    script = "from threespan.core import libraries, linking; print(linking.can_link(libraries.this_machine()))"
    assert run(script) == ["True"]
    assert run(script, PATH="/nowhere") == ["False"]


def test_a_target_or_a_folder_that_does_not_exist_is_refused_in_one_line(tmp_path: Path) -> None:
    for arguments, said in (
        (
            (str(tmp_path), "linux-vax-v1"),
            "threespan: there is no target 'linux-vax-v1'; choose one of linux-",
        ),
        (("/proc/nothing",), "threespan: /proc/nothing: "),
    ):
        command = [sys.executable, "-m", "threespan.core.linking", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr.startswith(said)
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("kind", ["of other sources", "missing"])
def test_libraries_made_from_other_sources_are_not_used(tmp_path: Path, library: str, kind: str) -> None:
    """A worker may be restarted after an update, while the server still names the old library."""
    if kind != "missing":
        shutil.copytree(library, tmp_path, dirs_exist_ok=True)
        (tmp_path / FINGERPRINT_FILE).write_text("0123456789abcdef\n", "utf-8")
    script = "from threespan.core import kernel; print(kernel.LIBRARIES)"
    assert run(script, **{LIBRARY_VARIABLE: str(tmp_path)}) == ["None"]
    assert run(script, **{LIBRARY_VARIABLE: library}) == [library]


def test_arrays_that_a_library_cannot_use_are_refused(library: str) -> None:
    script = """
from threespan.core import calls
from threespan.core.memory import float64, int16, int64, new_array
from threespan.core.options import read_options
from threespan.core.registry import find_game
game = find_game("hashi")
position = game.start(read_options(game.options, {}))
print(calls.list_legal(position._states, 0, new_array(4096, int16)))
for array in (new_array(4096, int64), new_array(4096, float64), b"1234", [0] * 4096, position.state, None):
    try:
        calls.list_legal(position._states, 0, array)
    except Exception as error:
        print("array of int16 is needed" in str(error))
"""
    count, *refused = run(script, **{LIBRARY_VARIABLE: library})
    assert int(count) > 0
    assert refused == ["True"] * 6


def test_the_library_of_the_bots_decides_as_compiled_kernels_do(library: str) -> None:
    *compiled, loaded = run(DECIDE)
    assert "numba" in loaded
    *linked_, loaded = run(DECIDE, **{LIBRARY_VARIABLE: library})
    assert loaded == "[]"
    assert linked_ == compiled
