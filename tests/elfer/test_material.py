"""Boards are data files: good ones can be added, bad ones are refused with file, line and reason."""

from pathlib import Path

import pytest

from threespan.core.material import MATERIAL_VARIABLE, MaterialError
from threespan.core.options import OptionError, read_options
from threespan.games.elfer import material
from threespan.games.elfer.game import GAME
from threespan.games.elfer.state import NUMBER_FIELDS, field_at, is_in

BASE = (material.FOLDER / "boards" / "base.toml").read_text("utf-8")


def own_board(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> Path:
    file = folder / "elfer" / "boards" / "mine.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    monkeypatch.setenv(MATERIAL_VARIABLE, str(folder))
    return file


def test_the_base_board_has_what_is_known_of_it() -> None:
    board = material.load_board("base")
    assert board.colours[:2] == ["yellow", "red"]
    assert material.Bridge(0, 18, False) in board.bridges
    assert material.Bridge(0, 13, True) in board.bridges
    assert sum(bridge.has_bonus for bridge in board.bridges) == 4


def test_the_base_board_looks_the_same_when_it_is_turned() -> None:
    state = GAME.start(read_options(GAME.options, {})).state
    for field in range(NUMBER_FIELDS):
        turned = NUMBER_FIELDS - 1 - field
        assert state.bridge_to[turned] == NUMBER_FIELDS - 1 - state.bridge_to[field]
        assert is_in(state.bonus_fields, field) == is_in(state.bonus_fields, turned)


def test_a_board_of_your_own_can_be_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = BASE.replace('"yellow square", "red triangle"', '"red star", "yellow square"')
    text = text.replace('"blue star"', '"blue triangle"').replace('"red-blue', '"blue-yellow').replace("18", "12")
    own_board(tmp_path, monkeypatch, text)
    state = GAME.start(read_options(GAME.options, {"board": "mine"})).state
    assert material.board_names() == ["base", "mine"]
    assert state.bridge_to[field_at(1, 6)] == field_at(2, 6)
    assert state.bridge_to[field_at(0, 12)] == field_at(1, 12)
    assert GAME.action_text(state, field_at(0, 5)) == "lay red5"  # the red row is the first one here
    assert GAME.parse_action(state, "lay joker3 yellow") == field_at(1, 3)
    assert GAME.parse_action(state, "lay star 1") == NUMBER_FIELDS


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        (', "green circle"', "", 4, "there are 3 rows; a board has 4"),
        ("red triangle", "red square", 4, "the symbol square belongs to two rows; each belongs to one"),
        ("red triangle", "yellow triangle", 4, "the colour yellow belongs to two rows; each belongs to one"),
        ("red triangle", "pink triangle", 4, "'pink triangle' is not a row"),
        ("red triangle", "red", 4, "'red' is not a row"),
        ("yellow-red 3", "yellow-red", 6, "'yellow-red' is not a bridge"),
        ("yellow-red 3", "yellow-red 0", 6, "the bridge yellow-red 0 leads nowhere: numbers go from 1 to 20"),
        ("yellow-red 3", "yellow-red 21", 6, "the bridge yellow-red 21 leads nowhere: numbers go from 1 to 20"),
        ("yellow-red 3", "yellow-pink 3", 6, "the bridge yellow-pink 3 leads nowhere: there is no row pink"),
        ("yellow-red 3", "yellow-blue 3", 6, "the bridge yellow-blue 3 does not join neighbouring rows"),
        ("yellow-red 3", "yellow-yellow 3", 6, "the bridge yellow-yellow 3 does not join neighbouring rows"),
        ("yellow-red 3", "yellow-red 6", 7, "red 6 has two bridges; a field has one at most"),
        ("blue-green 13", "blue-green 3", 8, "blue 3 has two bridges; a field has one at most"),
        ("yellow-red 18", "yellow-blue 1", 6, "the bridge yellow-blue 1 does not join neighbouring rows"),
        ("red-blue 6 bonus", "red-blue 6", 5, "3 bridges have a bonus; it must be 4"),
        ("yellow-red 3", "yellow-red 3 bonus", 5, "5 bridges have a bonus; it must be 4"),
        ("bridges = [", "briges = [", 5, "'briges' is not a known key; known keys are rows, bridges"),
    ],
)
def test_a_bad_board_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, line: int, reason: str
) -> None:
    assert old in BASE
    file = own_board(tmp_path, monkeypatch, BASE.replace(old, new, 1))
    with pytest.raises(MaterialError) as refused:
        GAME.start(read_options(GAME.options, {"board": "mine"}))
    assert str(refused.value).startswith(f"{file}, line {line}: {reason}")


def test_material_from_a_record_is_checked_too() -> None:
    options = read_options(GAME.options, {})
    good = GAME.material(options)
    GAME.setup(options, good)
    for bad in (
        {},
        {"board": 3},
        {"board": good["board"] | {"bridges": []}},
        {"board": good["board"] | {"rows": None}},
    ):
        with pytest.raises(MaterialError):
            GAME.setup(options, bad)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"players": 1}, "option players: 1 is not allowed; choose a number from 2 to 4"),
        ({"players": 5}, "option players: 5 is not allowed; choose a number from 2 to 4"),
        ({"rounds": 0}, "option rounds: 0 is not allowed; choose a number from 1 to 4, or one of match"),
        ({"rounds": 5}, "option rounds: 5 is not allowed"),
        ({"starts": 2}, "option starts: with players 2 it can be 1 at most"),
        ({"starts": 4}, "option starts: 4 is not allowed; choose a number from 0 to 3, or one of random"),
        ({"symbols": "maybe"}, "option symbols"),
        ({"jokers": 1}, "there is no option 'jokers'"),
    ],
)
def test_wrong_options_are_refused(settings: dict[str, object], reason: str) -> None:
    with pytest.raises(OptionError) as refused:
        read_options(GAME.options, settings)
    assert str(refused.value).startswith(reason)


def test_options_can_be_texts() -> None:
    options = read_options(GAME.options, {"players": "3", "rounds": "match", "symbols": "true", "starts": "2"})
    state = GAME.start(options).state
    assert (state.players, state.rounds, state.has_symbols, state.starter) == (3, 3, 1, 2)
    assert GAME.start(read_options(GAME.options, {"rounds": "2"})).state.rounds == 2
