"""Boards are data files: good ones can be added, bad ones are refused with file, line and reason."""

from pathlib import Path

import pytest

from threespan.core.material import MATERIAL_VARIABLE, MaterialError
from threespan.core.options import read_options
from threespan.games.stege import material
from threespan.games.stege.game import GAME
from threespan.games.stege.sets import load


def own_board(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> Path:
    file = folder / "stege" / "boards" / "mine.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    monkeypatch.setenv(MATERIAL_VARIABLE, str(folder))
    return file


def test_the_usual_board_is_as_described() -> None:
    board = material.load_board("base")
    assert (board.size, board.island) == (13, 2)
    state = GAME.start(read_options(GAME.options, {})).state
    assert load(state.water).bit_count() == 13 * 13 - 4 * 4
    assert [load(state.island[corner]).bit_count() for corner in range(4)] == [4, 4, 4, 4]
    assert [load(state.shore[corner]).bit_count() for corner in range(4)] == [4, 4, 4, 4]


@pytest.mark.parametrize("size", range(11, 17))
@pytest.mark.parametrize("island", [1, 2, 3])
def test_boards_of_all_sizes_can_be_played(
    size: int, island: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own_board(tmp_path, monkeypatch, f"size = {size}\nisland = {island}\n")
    state = GAME.start(read_options(GAME.options, {"board": "mine"})).state
    assert material.board_names() == ["base", "large", "small", "mine"]
    assert load(state.water).bit_count() == size * size - 4 * island * island
    assert load(state.shore[2]).bit_count() == 2 * island


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("size = 10\nisland = 2\n", 1, "'size' must be a whole number from 11 to 16"),
        ("size = 17\nisland = 2\n", 1, "'size' must be a whole number from 11 to 16"),
        ("size = 13\nisland = 4\n", 2, "'island' must be a whole number from 1 to 3"),
        ('size = "13"\nisland = 2\n', 1, "'size' must be a whole number from 11 to 16"),
        ("size = 13\nisland = 2\nharbour = 1\n", 3, "'harbour' is not a known key; known keys are size, island"),
    ],
)
def test_a_bad_board_is_refused(
    text: str, line: int, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = own_board(tmp_path, monkeypatch, text)
    with pytest.raises(MaterialError) as refused:
        GAME.start(read_options(GAME.options, {"board": "mine"}))
    assert str(refused.value) == f"{file}, line {line}: {reason}"


def test_a_board_that_is_not_there_is_refused() -> None:
    with pytest.raises(MaterialError, match="there is no stege file 'atlantis' among the boards; choose one of base"):
        GAME.start(read_options(GAME.options, {"board": "atlantis"}))


@pytest.mark.parametrize("carried", [{}, {"board": 13}, {"board": {"size": 13}}, {"board": {"size": 99, "island": 2}}])
def test_a_record_with_a_bad_board_is_refused(carried: dict[str, object]) -> None:
    with pytest.raises(MaterialError):
        GAME.setup(read_options(GAME.options, {}), carried)
