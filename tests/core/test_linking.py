"""Linked rules, as servers use them, give the same results as compiled ones, without the compiler in memory."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest

from threespan.core import linked
from threespan.core.kernel import LIBRARY_VARIABLE
from threespan.core.layout import State, States
from threespan.core.registry import codes

# Plays random matches of every game and prints a hash of everything that players would see, and the loaded modules.
PLAY = """
import hashlib, random, sys
import msgspec
from threespan.core.chance import MatchSeed
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.registry import codes, find_game
from threespan.core.rules import WATCHER

for code in codes():
    game, digest = find_game(code), hashlib.sha256()
    for players in (2, 3, 4):
        match = Match.new(game, read_options(game.options, {"players": players}), MatchSeed.of(code))
        choose = random.Random(players).choice
        while not match.position.is_over:
            seat = match.position.acting()[0]
            action = choose(match.position.legal(seat))
            for viewer in (WATCHER, seat):
                seen = match.position.observe(viewer)
                digest.update(seen.state.tobytes() + msgspec.json.encode(game.view(seen.state, viewer)))
            digest.update(repr(game.path(seen.state, seat, action)).encode())
            digest.update(game.prompt(seen.state, seat, "de").encode())
            digest.update(bytes(int(match.position.check(seat, other)) for other in range(0, game.action_count, 7)))
            digest.update(bytes(game.sees(seen.state, seat, action, viewer) for viewer in range(players)))
            match.play(seat, action)
        sheets = [[(rule.name, points) for rule, points in match.position.score_sheet(seat)] for seat in range(players)]
        said = [game.verdict(match.position.state, seat, "en") for seat in range(players)]
        digest.update(repr((match.position.outcome(), sheets, said)).encode())
    solo = read_options(game.options, {"players": 1}) if code == "hashi" else None
    print(code, digest.hexdigest(), solo and game.start(solo).outcome())
print("numba" in sys.modules or "llvmlite" in sys.modules)
"""
LINK = """
from threespan.core.linking import library_file, link_in_subprocess
file = library_file()
assert file.exists() or link_in_subprocess(file)
print(file)
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
    return run(LINK)[-1]


def test_linked_rules_play_as_compiled_ones(library: str) -> None:
    *compiled, has_compiler = run(PLAY)
    assert has_compiler == "True"
    *linked_, has_compiler = run(PLAY, **{LIBRARY_VARIABLE: library})
    assert has_compiler == "False"
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
    assert "buildable is called from Python, but it is not linked for servers; make it an @entry" in said


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
        (wrong, "wrong is an @entry, but its parameter 'name' is neither a state, an int nor an array with a dtype"),
        (bare, "bare is an @entry, so its parameters must be annotated"),
        (long, "long is an @entry, which can have 3 parameters at most"),
    ):
        with pytest.raises(linked.EntryError, match=reason):
            linked.parameter_kinds(function)
    with pytest.raises(linked.EntryError, match="bare is an @entry, so its return value must be annotated"):
        linked.returned_kind(bare)


@pytest.mark.parametrize("without", [{"PATH": "/nowhere"}, {"NUMBA_DISABLE_JIT": "1"}])
def test_no_library_without_a_linker_or_a_compiler(without: dict[str, str]) -> None:
    assert run("from threespan.core.linking import library_file; print(library_file())", **without) == ["None"]


def test_linking_to_an_unwritable_file_returns_false() -> None:
    script = "from threespan.core import linking; print(linking.link_in_subprocess(linking.Path('/proc/no/rules.so')))"
    assert run(script) == ["False"]


@pytest.mark.parametrize("name", ["rules-of-other-sources.so", "missing.so"])
def test_a_library_made_from_other_sources_is_not_used(tmp_path: Path, library: str, name: str) -> None:
    """A worker may be restarted after an update, while the server still names the old library."""
    if name != "missing.so":
        (tmp_path / name).write_bytes(Path(library).read_bytes())
    script = "from threespan.core import kernel; print(repr(kernel.LIBRARY))"
    assert run(script, **{LIBRARY_VARIABLE: str(tmp_path / name)}) == ["''"]
    assert run(script, **{LIBRARY_VARIABLE: library}) == [repr(library)]


def test_arrays_that_a_library_cannot_use_are_refused(library: str) -> None:
    script = """
import numpy as np
from threespan.core import calls
from threespan.core.registry import find_game
from threespan.core.options import read_options
game = find_game("hashi")
position = game.start(read_options(game.options, {}))
whole = np.empty(4096, np.int16)
frozen = whole.copy()
frozen.flags.writeable = False
print(calls.list_legal(position._states, 0, whole))
for array in (whole[::2], whole.astype(float), frozen, None):
    try:
        calls.list_legal(position._states, 0, array)
    except Exception as error:
        print("array of int16 is needed" in str(error))
"""
    count, *refused = run(script, **{LIBRARY_VARIABLE: library})
    assert int(count) > 0
    assert refused == ["True"] * 4
