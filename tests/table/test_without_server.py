"""A table needs no server: it runs wherever Python, msgspec and the linked rules do."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from libraries import link_libraries
from threespan.core.libraries import LIBRARY_VARIABLE
from threespan.core.registry import codes, find_game

TESTS = Path(__file__).parents[1]


def run(*arguments: str, **environment: str) -> list[str]:
    """The lines that a new process prints; it can import this folder and Nim."""
    paths = os.pathsep.join(map(str, (TESTS, TESTS / "games")))
    done = subprocess.run(
        [sys.executable, *arguments],
        env=os.environ | {"PYTHONPATH": paths} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="needs linked rules")
def test_whole_matches_of_all_games_are_played_with_nothing_else_loaded() -> None:
    *matches, loaded = run("-m", "table.whole_matches", **{LIBRARY_VARIABLE: link_libraries()})
    assert [match.split()[:2] for match in matches] == [
        [code, str(players)] for code in codes() for players in find_game(code).seat_counts
    ]
    assert loaded == "loaded:"
