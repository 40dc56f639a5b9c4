"""`python -m threespan.testing`: its output and the golden records that it writes."""

import os
import subprocess
import sys
from pathlib import Path

GAMES = Path(__file__).parents[1] / "games"
WITHOUT_PYTEST = "import sys; sys.modules['pytest'] = None; from threespan.testing.__main__ import main; "


def python(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    own = {"PYTHONPATH": str(GAMES), "THREESPAN_GAMES": "nim", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=os.environ | own, capture_output=True, text=True, check=False)


def test_golden_records_are_written_once_and_replayed(tmp_path: Path) -> None:
    write = ("-m", "threespan.testing", "nim", "--write-golden", "records")
    written = python(tmp_path, *write).stdout.split()
    assert "records/players-3.jsonl" in written
    assert python(tmp_path, *write).stdout == ""
    replay = ("-m", "threespan.testing", "nim", "--golden", "records", "-q", "-k", "golden")
    assert python(tmp_path, *replay).returncode == 0
    record = tmp_path / "records" / "players-3.jsonl"
    record.write_text(record.read_text("utf-8").replace("take 1", "take 2"), "utf-8")
    done = python(tmp_path, *replay)
    assert done.returncode == 1
    assert "RecordError" in done.stdout


def test_an_unknown_game_is_refused(tmp_path: Path) -> None:
    done = python(tmp_path, "-m", "threespan.testing", "chess")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "python -m threespan.testing: there is no game 'chess'; choose one of elfer, hashi, nim, stege"
    ]


def test_without_pytest(tmp_path: Path) -> None:
    done = python(tmp_path, "-c", WITHOUT_PYTEST + "sys.exit(main(['nim']))")
    assert done.returncode == 2
    assert (
        done.stderr
        == "python -m threespan.testing: the suite needs pytest; install it: pip install 'threespan[testing]'\n"
    )
