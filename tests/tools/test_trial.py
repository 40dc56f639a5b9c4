"""What `make release` does with an installed package works with the one at hand."""

import os
import subprocess
import sys
from pathlib import Path

import threespan

TRIAL = Path(__file__).parents[2] / "tools" / "trial.py"


def try_out(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(TRIAL), str(folder)]
    environment = {name: value for name, value in os.environ.items() if name != "THREESPAN_GAMES"}  # no games of tests
    return subprocess.run(command, cwd=folder.parent, env=environment, capture_output=True, text=True, check=False)


def test_the_trial_plays_in_the_terminal_and_at_a_table(tmp_path: Path) -> None:
    done = try_out(tmp_path / "trial")
    assert done.returncode == 0, done.stderr
    told = f"{threespan.__version__}: played in the terminal and at a table; both records are right"
    assert done.stderr.strip() == told
    assert (tmp_path / "trial" / "table.jsonl").read_text("utf-8").count("\n") > 5
