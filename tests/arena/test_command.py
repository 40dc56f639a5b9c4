"""The command from outside: interrupted, killed, resumed, reported."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.test_pool import is_running
from cli.conftest import Run, run
from threespan.arena.journal import JOURNAL

__all__ = ["run"]

GAMES = 480  # enough that even a slow test can interrupt them
THREESPAN = (sys.executable, "-c", "from threespan.cli import main; main()")
ARENA = ("arena", "hashi", "random", "--games", str(GAMES), "--seed", "5", "--json", "--workers", "2")
ENOUGH = 20  # matches before the interruption


def start(*arguments: object) -> subprocess.Popen[str]:
    command = [*THREESPAN, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def lines_in(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def wait_for_matches(journal: Path, process: subprocess.Popen[str]) -> None:
    while lines_in(journal) <= ENOUGH:
        assert process.poll() is None, process.stderr and process.stderr.read()
        time.sleep(0.01)


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


def figures(document: dict[str, Any]) -> dict[str, Any]:
    return {key: document[key] for key in ("game", "options", "games", "bots", "pairs", "length")}


@pytest.fixture(scope="module")
def undisturbed() -> dict[str, Any]:
    """The results of an undisturbed tournament."""
    done = subprocess.run([*THREESPAN, *ARENA], capture_output=True, text=True, check=True)
    return figures(json.loads(done.stdout))


@pytest.fixture
def process(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A running tournament with some finished matches."""
    started = start(*ARENA, "--record", tmp_path / "matches")
    try:
        wait_for_matches(tmp_path / "matches" / JOURNAL, started)
        yield started
    finally:
        started.kill()
        started.communicate()


def resumed(run: Run, folder: Path) -> dict[str, Any]:
    answer = run(*ARENA, "--record", folder, "--resume")
    assert answer.code == 0, answer.err
    return figures(json.loads(answer.out))


def test_ctrl_c_keeps_and_shows_finished_matches(
    process: subprocess.Popen[str], run: Run, tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    os.killpg(process.pid, signal.SIGINT)  # a terminal also sends it to the workers
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    document = json.loads(out)
    folder = tmp_path / "matches"
    assert document["interrupted"] is True
    assert ENOUGH <= document["games"] == lines_in(folder / JOURNAL) - 1 < GAMES
    assert f"Stopped after {document['games']} of {GAMES} matches; --resume continues." in err
    assert resumed(run, folder) == undisturbed
    assert run("record", "check", *sorted(folder.glob("*.jsonl"))[:: GAMES // 8]).code == 0


def test_a_tournament_survives_kill_9(
    process: subprocess.Popen[str], run: Run, tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    workers = children(process.pid)
    process.kill()
    process.wait()
    deadline = time.monotonic() + 20
    while any(is_running(pid) for pid in workers):
        assert time.monotonic() < deadline, "workers outlive their tournament"
        time.sleep(0.05)
    assert resumed(run, tmp_path / "matches") == undisturbed
    assert len(list((tmp_path / "matches").glob("*.jsonl"))) == GAMES


def test_a_killed_worker_changes_nothing(
    process: subprocess.Popen[str], tmp_path: Path, undisturbed: dict[str, Any]
) -> None:
    victims = [pid for pid in children(process.pid) if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()]
    os.kill(victims[0], signal.SIGKILL)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert figures(json.loads(out)) == undisturbed
    assert lines_in(tmp_path / "matches" / JOURNAL) == GAMES + 1


def test_a_report_is_resumed_with_more_matches(run: Run, tmp_path: Path) -> None:
    command = ("arena", "hashi", "random", "random", "--workers", 1, "--json")
    first = run(*command, "--games", 4, "--report", tmp_path)
    assert first.code == 0
    assert "The report is" in first.err
    assert sorted(file.name for file in tmp_path.iterdir() if file.name != "state") == [
        "index.html",
        "records",
        "summary.json",
    ]
    assert len(list((tmp_path / "records").glob("*.jsonl"))) == 4
    assert run(*command, "--games", 8, "--report", tmp_path).code == 2
    prolonged = json.loads(run(*command, "--games", 8, "--report", tmp_path, "--resume").out)
    whole = json.loads(run(*command, "--games", 8).out)
    assert figures(prolonged) == figures(whole)
    assert json.loads((tmp_path / "summary.json").read_text())["games"] == 8


def test_a_round_robin_has_a_matrix(run: Run) -> None:
    command = ("arena", "hashi", *["random"] * 3, "--games", 2, "-o", "players=2", "--workers", 1)
    summary = json.loads(run(*command, "--json").out)
    assert summary["games"] == 6
    assert [bot["played"] for bot in summary["bots"]] == [4, 4, 4]
    assert [pair["met"] for pair in summary["pairs"]] == [2, 2, 2]
    text = run(*command).out
    assert "ahead of" in text
    assert "A match has" in text
    assert max(len(line) for line in text.splitlines()) <= 80


def test_uneven_numbers_of_matches_are_pointed_out(run: Run) -> None:
    answer = run("arena", "hashi", "random", "random", "--games", 3, "--workers", 1, "--json")
    assert "With 3 matches, bots do not play every seat equally often; use a multiple of 2." in answer.err
    assert json.loads(answer.out)["games"] == 3


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--resume",), "--resume needs the folder of the tournament"),
        (("--report", "/dev/null/x"), "/dev/null/x/records: Not a directory"),
    ],
)
def test_bad_input_gets_one_clear_line(run: Run, arguments: tuple[str, ...], reason: str) -> None:
    answer = run("arena", "hashi", "random", "--games", 2, *arguments)
    assert answer.code == 2
    assert reason in answer.err
    assert "Traceback" not in answer.err


def test_a_terminal_shows_progress_and_an_interim_table(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    command = [*THREESPAN, *ARENA[:3], "random", *ARENA[3:], "--record", str(tmp_path)]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=slave, env=environment, start_new_session=True
    )
    os.close(slave)
    shown = b""
    while b"win rate" not in shown or b"/s" not in shown:
        shown += os.read(master, 4096)
    process.send_signal(signal.SIGINT)
    while process.poll() is None:
        try:
            shown += os.read(master, 4096)
        except OSError:  # the other end is closed
            process.wait()
    os.close(master)
    assert process.returncode == 130
    assert b"random 2" in shown
    assert f"/{GAMES}".encode() in shown
