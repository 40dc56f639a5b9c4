"""Matches on processes: the same as in one process, even if processes die."""

import os
import signal
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from arena.conftest import Outcome, outcomes
from arena.faulty import Broken, Deadly, Mistaken
from threespan.arena.pool import MatchFailed, Pool, WorkersDied, play_here, play_on_pool
from threespan.arena.tournament import Tournament
from threespan.core.errors import UserError


def is_running(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_here_and_on_processes(solo: Tournament, solo_outcomes: list[Outcome]) -> None:
    assert outcomes(play_here(solo, solo.indices())) == solo_outcomes
    assert outcomes(play_on_pool(solo, solo.indices(), 2)) == solo_outcomes


def test_a_worker_that_is_killed_is_replaced_and_nothing_counts_twice(
    solo: Tournament, solo_outcomes: list[Outcome]
) -> None:
    pool = Pool(solo, solo.indices())
    try:
        pool.start_workers(2)
        results = pool.results()
        played = [next(results)]
        victim = pool.pids()[0]
        os.kill(victim, signal.SIGKILL)
        played += results
        assert victim not in pool.pids()
        assert len(pool.pids()) == 2
    finally:
        pool.stop()
    assert outcomes(played) == solo_outcomes


def test_a_worker_that_dies_in_a_match_is_replaced(
    solo: Tournament, solo_outcomes: list[Outcome], tmp_path: Path
) -> None:
    deadly = Deadly(**asdict(solo), marker=tmp_path / "died")
    assert outcomes(play_on_pool(deadly, deadly.indices(), 2)) == solo_outcomes
    assert (tmp_path / "died").exists()


def test_a_match_that_always_ends_its_worker_ends_the_tournament(solo: Tournament) -> None:
    deadly = Deadly(**asdict(solo), deadly=0)
    with pytest.raises(WorkersDied, match="match 0 has crashed 3 workers"):
        list(play_on_pool(deadly, [0], 1))


def test_a_bug_comes_with_its_traceback(solo: Tournament) -> None:
    with pytest.raises(MatchFailed, match=r"(?s)match 0 failed.*Traceback.*OSError: a bug in a bot"):
        list(play_on_pool(Broken(**asdict(solo)), [0], 1))


def test_a_user_error_in_a_worker_stays_a_user_error(solo: Tournament) -> None:
    with pytest.raises(UserError, match="no weights"):
        list(play_on_pool(Mistaken(**asdict(solo)), [0], 1))


def test_a_worker_of_another_version_is_refused(solo: Tournament) -> None:
    with pytest.raises(UserError, match="is not the one that the tournament was started with"):
        list(play_on_pool(replace(solo, code="another"), [0], 1))


def test_no_worker_keeps_running(solo: Tournament) -> None:
    pool = Pool(solo, solo.indices())
    pool.start_workers(2)
    next(pool.results())
    pids = pool.pids()
    pool.stop()
    assert not any(is_running(pid) for pid in pids)
