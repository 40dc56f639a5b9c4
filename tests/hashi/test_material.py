"""Boards and decks are data files: good ones can be added, bad ones are refused with file, line and reason."""

from pathlib import Path

import pytest

from threespan.core.material import MATERIAL_VARIABLE, MaterialError
from threespan.core.options import read_options
from threespan.games.hashi import material
from threespan.games.hashi.game import GAME

SIDE_A = (material.FOLDER / "boards" / "A.toml").read_text("utf-8")
DECK = (material.FOLDER / "decks" / "base.toml").read_text("utf-8")


def test_side_a_and_b_are_as_published() -> None:
    crossings = {}
    for side in ("A", "B"):
        state = GAME.start(read_options(GAME.options, {"side": side})).state
        assert state.lines == 24
        crossings[side] = sum(int(state.crossing[line]).bit_count() for line in range(24)) // 2
    assert crossings == {"A": 4, "B": 8}


def test_the_deck_adds_up() -> None:
    cards = material.load_deck("base")
    assert sum(int(card[0]) for card in cards) == 63
    assert sum(int(card[2]) for card in cards) == 34


def own_board(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str, kind: str = "boards") -> Path:
    file = folder / "hashi" / kind / "mine.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    monkeypatch.setenv(MATERIAL_VARIABLE, str(folder))
    return file


def test_a_board_of_your_own_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_board(tmp_path, monkeypatch, SIDE_A.replace('"04"', '"05"').replace('lines = "nearest"', ""))
    position = GAME.start(read_options(GAME.options, {"side": "mine"}))
    assert 5 in position.state.place.tolist()
    assert material.board_names() == ["A", "B", "mine"]


def test_lines_can_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_board(tmp_path, monkeypatch, SIDE_A.replace('"nearest"', '["01-03", "04-03"]'))
    state = GAME.start(read_options(GAME.options, {"side": "mine"})).state
    assert state.lines == 2


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('"52", ', "", 4, "there are 17 islands; a board has 18"),
        ('"03"', '"04"', 5, "there is already an island at 04; islands may not overlap"),
        ("13 blue", "13 green", 6, "the flag 'green' is not known; flags are red and blue"),
        ("13 blue", "13", 4, "2 islands have a blue flag; it must be 3"),
        ('"03"', '"3"', 5, "'3' is not an island"),
        (
            'lines = "nearest"',
            'lines = [\n "01-03",\n "01-99"]',
            14,
            "the line 01-99 leads nowhere: there is no island at 99",
        ),
        ('lines = "nearest"', 'lines = ["01-04"]', 12, "the line 01-04 does not join neighbours"),
        ('lines = "nearest"', 'lines = ["01-03",\n"03-01"]', 13, "the line 03-01 is there twice"),
        ('lines = "nearest"', 'lines = "farthest"', 12, "'lines' must be a list of texts"),
        ('lines = "nearest"', 'bridges = "nearest"', 12, "'bridges' is not a known key; known keys are islands, lines"),
        ("islands = [", "islands = [[", 0, "Unclosed array"),
        ("islands = [", "isles = [", 4, "'isles' is not a known key; known keys are islands, lines"),
    ],
)
def test_a_bad_board_is_refused_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, line: int, reason: str
) -> None:
    assert old in SIDE_A
    file = own_board(tmp_path, monkeypatch, SIDE_A.replace(old, new))
    with pytest.raises(MaterialError) as refused:
        GAME.start(read_options(GAME.options, {"side": "mine"}))
    message = str(refused.value)
    assert str(file) in message
    assert reason in message
    assert f"line {line}:" in message or not line


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"6/3", "6/3"', '"6/3"', "line 4: there are 17 cards; a deck has 18"),
        ('"5/3"', '"7/3"', "line 9: '7/3' is not a card"),
        ('"5/3"', '"5/4"', "line 9: '5/4' is not a card"),
        ('"5/3"', "5", "must be a list of texts"),
    ],
)
def test_a_bad_deck_is_refused_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, reason: str
) -> None:
    assert old in DECK
    own_board(tmp_path, monkeypatch, DECK.replace(old, new), "decks")
    with pytest.raises(MaterialError, match=reason):
        GAME.start(read_options(GAME.options, {"deck": "mine"}))


def test_a_name_that_is_taken_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = own_board(tmp_path, monkeypatch, SIDE_A)
    file.rename(file.with_name("A.toml"))
    with pytest.raises(MaterialError, match="taken by a built-in file"):
        GAME.start(read_options(GAME.options, {}))


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MATERIAL_VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(MaterialError, match="there is no folder"):
        GAME.start(read_options(GAME.options, {}))


def test_an_unknown_side_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(MaterialError, match="choose one of A, B"):
        GAME.start(read_options(GAME.options, {"side": "C"}))
