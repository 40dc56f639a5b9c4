"""Options: defaults, texts from the command line, dependencies, and helpful errors."""

from pathlib import Path

import pytest

from threespan.core.game import Game
from threespan.core.material import MATERIAL_VARIABLE
from threespan.core.options import OptionError, Value, option_specs, read_options, split_settings
from threespan.core.registry import UnknownGame, codes, find_game
from threespan.core.words import LANGUAGES, LocalizedError
from threespan.games.elfer.game import ElferOptions
from threespan.games.hashi.game import HashiOptions
from threespan.games.stege.game import StegeOptions


@pytest.fixture(params=codes())
def game(request: pytest.FixtureRequest) -> Game:
    return find_game(request.param)


def test_defaults_and_texts() -> None:
    assert read_options(HashiOptions, {}) == HashiOptions(players=1, side="A", deck="base")
    assert read_options(HashiOptions, {"players": "3", "side": "B"}).players == 3


@pytest.mark.parametrize(
    ("values", "english", "german"),
    [
        (
            {"players": 5},
            "option players: 5 is not allowed; choose a number from 1 to 4",
            "Option players: 5 geht nicht; möglich ist 1 bis 4",
        ),
        (
            {"players": "many"},
            "option players: many is not allowed; choose a number from 1 to 4",
            "Option players: many geht nicht; möglich ist 1 bis 4",
        ),
        (
            {"side": 3},
            "option side: 3 is not allowed; choose one of A, B",
            "Option side: 3 geht nicht; möglich ist A, B",
        ),
        (
            {"sides": "A"},
            "there is no option 'sides'; the options are players, side, deck, pen",
            "die Option „sides“ gibt es nicht; es gibt players, side, deck, pen",
        ),
        (
            {"side": "A,B"},
            "All players use the same side. Choose one side for everybody.",
            "Alle spielen auf derselben Seite. Wählt eine Seite für alle.",
        ),
    ],
)
def test_bad_options_are_refused(values: dict[str, object], english: str, german: str) -> None:
    with pytest.raises(LocalizedError) as refused:
        read_options(HashiOptions, values)
    assert (str(refused.value), refused.value.text("en"), refused.value.text("de")) == (english, english, german)


def test_a_long_value_is_cut_off() -> None:
    with pytest.raises(OptionError, match=r"option players: 9{40}… is not allowed"):
        read_options(HashiOptions, {"players": "9" * 1000})


def test_a_bad_choice_is_refused_with_the_good_ones() -> None:
    with pytest.raises(OptionError, match="option seating: round is not allowed; choose one of crossing, opposite"):
        read_options(StegeOptions, {"seating": "round"})
    with pytest.raises(
        OptionError, match="option rounds: x is not allowed; choose a number from 1 to 4, or one of match"
    ):
        read_options(ElferOptions, {"rounds": "x"})


@pytest.mark.parametrize(
    ("values", "english", "german"),
    [
        (
            {"players": 2, "head_start": True},
            "option head_start can only be changed if players is 3; otherwise it must be false",
            "Option head_start lässt sich nur ändern, wenn players den Wert 3 hat; sonst muss sie false sein",
        ),
        (
            {"players": 3, "seating": "opposite"},
            "option seating can only be changed if players is 2; otherwise it must be crossing",
            "Option seating lässt sich nur ändern, wenn players den Wert 2 hat; sonst muss sie crossing sein",
        ),
        (
            {"players": 3, "jetties_each": 7},
            "option jetties_each: with players 3 it can be 6 at most",
            "Option jetties_each: Bei players 3 ist höchstens 6 möglich",
        ),
        (
            {"players": 2, "starts": 2},
            "option starts: with players 2 it can be 1 at most",
            "Option starts: Bei players 2 ist höchstens 1 möglich",
        ),
    ],
)
def test_options_that_contradict_each_other_are_refused(values: dict[str, object], english: str, german: str) -> None:
    with pytest.raises(OptionError) as refused:
        read_options(StegeOptions, values)
    assert (refused.value.text("en"), refused.value.text("de")) == (english, german)


def test_options_at_their_limits_are_taken() -> None:
    assert read_options(StegeOptions, {"players": 3, "jetties_each": 6, "head_start": "true", "starts": 2}).head_start
    assert read_options(StegeOptions, {"players": 2, "jetties_each": 10, "seating": "opposite"}).jetties_each == 10


def test_settings_from_the_command_line() -> None:
    assert split_settings(["side=B", "deck=a=b"]) == {"side": "B", "deck": "a=b"}
    with pytest.raises(OptionError, match="'side' is not of the form name=value"):
        split_settings(["side"])


def test_specs_describe_all_choices() -> None:
    specs = {spec.name: spec for spec in option_specs(StegeOptions)}
    readings = ["door", "extra_rolls", "must_move"]
    assert list(specs) == ["players", "board", "seating", "head_start", "jetties_each", "starts", *readings]
    assert (specs["players"].kind, specs["players"].low, specs["players"].high) == ("range", 2, 4)
    assert (specs["board"].kind, specs["board"].values) == ("choice", ["base", "large", "small"])
    assert specs["door"].values == ["reach", "beside"], "what is usual comes first, not by the alphabet"
    assert specs["starts"].is_seat
    others: dict[str, Value] = {"players": 3}
    assert specs["starts"].all_values(others) == [0, 1, 2, "random"]
    assert specs["seating"].all_values(others) == ["crossing"]
    assert specs["jetties_each"].maximum(others) == 6
    assert specs["head_start"].all_values(others) == [False, True]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_and_every_value_has_a_title(game: Game, language: str) -> None:
    for spec in game.option_specs():
        if spec.name == "players":
            continue  # the number of players is not chosen in a list
        assert game.option_title(spec.name, language)
        for value in spec.values:
            key = f"option.{spec.name}.{str(value).lower() if isinstance(value, bool) else value}"
            assert game.value_title(spec.name, value, language) == game.words.text(key, language)


def test_boards_of_users_are_called_by_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stege = find_game("stege")
    folder = tmp_path / "stege" / "boards"
    folder.mkdir(parents=True)
    (folder / "lagoon.toml").write_text("size = 12\nisland = 2\n", "utf-8")
    monkeypatch.setenv(MATERIAL_VARIABLE, str(tmp_path))
    [board] = [spec for spec in stege.option_specs() if spec.name == "board"]
    titles = [stege.value_title("board", value, "de") for value in board.values]
    assert titles == ["Standard", "Groß", "Klein", "lagoon"]


def test_an_unknown_game_is_refused_with_a_list_of_games() -> None:
    with pytest.raises(UnknownGame, match=r"there is no game 'go'; choose one of .*hashi"):
        find_game("go")
