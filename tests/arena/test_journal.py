"""The folder of a tournament: its contents are reliable, and foreign contents are refused."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.conftest import timeless
from threespan.arena.journal import JOURNAL, Journal, JournalError
from threespan.arena.play import play_match
from threespan.arena.tournament import Tournament


@pytest.fixture
def folder(solo: Tournament, tmp_path: Path) -> Path:
    """A folder with the first five matches."""
    with Journal(tmp_path, solo, resume=False) as journal:
        for index in range(5):
            journal.add(play_match(solo, index), seconds=index + 1.5)
    return tmp_path


def test_finished_matches_are_found_again(solo: Tournament, folder: Path) -> None:
    with Journal(folder, solo, resume=True) as journal:
        assert [timeless(result) for result in journal.done.values()] == [
            timeless(play_match(solo, index).result) for index in range(5)
        ]
        assert journal.seconds == 5.5
        assert len(list(folder.glob("*.jsonl"))) == 5


@pytest.mark.parametrize("cut", [1, 30, 150])
def test_a_line_that_was_cut_off_is_played_again(solo: Tournament, folder: Path, cut: int) -> None:
    file = folder / JOURNAL
    file.write_bytes(file.read_bytes()[:-cut])
    with Journal(folder, solo, resume=True) as journal:
        assert list(journal.done) == [0, 1, 2, 3]
        journal.add(play_match(solo, 4), 9.0)
    with Journal(folder, solo, resume=True) as journal:
        assert list(journal.done) == [0, 1, 2, 3, 4]


def test_a_crash_before_the_first_line_leaves_nothing(solo: Tournament, tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_bytes(b'{"arena":1,"ga')
    with Journal(tmp_path, solo, resume=False) as journal:
        assert not journal.done


def test_a_line_written_twice_counts_once(solo: Tournament, folder: Path) -> None:
    file = folder / JOURNAL
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines, lines[2]]))
    with Journal(folder, solo, resume=True) as journal:
        assert sorted(journal.done) == [0, 1, 2, 3, 4]


def test_a_match_without_its_whole_record_is_played_again(solo: Tournament, folder: Path) -> None:
    (folder / "match-000001.jsonl").unlink()
    (folder / "match-000003.jsonl").write_text("half")
    with Journal(folder, solo, resume=True) as journal:
        assert list(journal.done) == [0, 2, 4]


def test_damage_in_the_middle_is_named(solo: Tournament, folder: Path) -> None:
    file = folder / JOURNAL
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:3], b"{}\n", *lines[3:]]))
    with pytest.raises(JournalError, match=rf"{JOURNAL}, line 4: "):
        Journal(folder, solo, resume=True)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda solo: replace(solo, seed=4), "was played with seed 3, not 4"),
        (lambda solo: replace(solo, game="stege"), "game hashi, not stege"),
        (lambda solo: replace(solo, bots=("random", "random")), r'bots \["random"\], not \["random","random"\]'),
        (lambda solo: replace(solo, options=solo.options | {"side": "B"}), 'options .*"side":"A".*, not .*"side":"B"'),
        (lambda solo: replace(solo, code="another"), "was played with a different version of the code"),
        (lambda solo: replace(solo, material={"board": "another"}), "material"),
        (lambda solo: replace(solo, games=4), "contains more than 4 matches per table"),
    ],
)
def test_another_tournament_is_refused(
    solo: Tournament, folder: Path, change: Callable[[Tournament], Tournament], reason: str
) -> None:
    before = (folder / JOURNAL).read_bytes()
    with pytest.raises(JournalError, match=reason):
        Journal(folder, change(solo), resume=True)
    assert (folder / JOURNAL).read_bytes() == before


def test_a_resumed_tournament_can_have_more_matches(solo: Tournament, folder: Path) -> None:
    with Journal(folder, replace(solo, games=99), resume=True) as journal:
        assert len(journal.done) == 5


def test_nothing_is_overwritten_unasked(solo: Tournament, folder: Path) -> None:
    with pytest.raises(JournalError, match="add --resume to continue it"):
        Journal(folder, solo, resume=False)


def test_two_cannot_write_at_once(solo: Tournament, tmp_path: Path) -> None:
    with (
        Journal(tmp_path, solo, resume=False),
        pytest.raises(JournalError, match="another process is using this folder"),
    ):
        Journal(tmp_path, solo, resume=True)
