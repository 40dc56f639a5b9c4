"""The examples run, with a tiny budget."""

import re
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_learning_stege_by_temporal_differences() -> None:
    words = ["--learn", "40", "--lanes", "16", "--matches", "16"]
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "stege_td.py"), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    *_, weights, result = done.stdout.splitlines()
    assert len(re.findall(r"-?[0-9.]+", weights)) == 9
    assert re.fullmatch(r"wins against the greedy player: [0-9.]+% \+- [0-9.]+% of 16", result)
