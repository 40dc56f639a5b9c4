"""A small version of `bench/digest.py`: compiled, linked and uncompiled kernels play alike."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from libraries import without_games

DIGEST = Path(__file__).parents[2] / "bench" / "digest.py"


def test_all_ways_to_run_kernels_play_alike() -> None:
    command = [sys.executable, str(DIGEST), "--matches", "2"]
    done = subprocess.run(command, env=without_games(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        line
        for game in ("elfer", "hashi", "stege")
        for line in (
            f"{game}: 2 matches (whole matches) are the same with Numba, linked v2, linked v3",
            f"{game}: 2 matches (the first 30 events) are the same with Numba, linked v2, linked v3, uncompiled",
        )
    ]


def test_a_match_that_differs_is_named(script: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    digest = script("digest")
    answers = iter(["a b c", "a x c"])

    def play(*_: object, **__: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([], 0, next(answers), "")

    monkeypatch.setattr(digest.subprocess, "run", play)
    monkeypatch.setattr(digest.os, "cpu_count", lambda: 1)
    with pytest.raises(SystemExit, match=r"hashi: match 1 differs: \{'one': 'b', 'two': 'x'\}"):
        digest.compare("hashi", 3, digest.WHOLE, {"one": {}, "two": {}})
