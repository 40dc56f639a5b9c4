"""Options: defaults, texts from the command line, and errors that say what would be right."""

import pytest

from threespan.core.options import OptionError, option_choices, read_options, split_settings
from threespan.core.registry import UnknownGame, find_game
from threespan.games.elfer.game import ElferOptions
from threespan.games.hashi.game import HashiOptions
from threespan.games.stege.game import StegeOptions


def test_defaults_and_texts() -> None:
    assert read_options(HashiOptions, {}) == HashiOptions(players=1, side="A", deck="base")
    assert read_options(HashiOptions, {"players": "3", "side": "B"}).players == 3


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"players": 5}, "option players: Expected `int` <= 4"),
        ({"players": 0}, "option players: Expected `int` >= 1"),
        ({"players": "many"}, "option players: Expected `int`"),
        ({"side": 3}, "option side: Expected `str`"),
        ({"sides": "A"}, "there is no option 'sides'; there are players, side, deck"),
    ],
)
def test_bad_options_are_refused(values: dict[str, object], reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        read_options(HashiOptions, values)


def test_a_bad_choice_is_refused_with_the_good_ones() -> None:
    with pytest.raises(OptionError, match="option seating: Invalid enum value 'round'; try one of crossing, opposite"):
        read_options(StegeOptions, {"seating": "round"})
    with pytest.raises(OptionError, match=r"option rounds: .*; try one of 1, 4, match"):
        read_options(ElferOptions, {"rounds": "x"})


def test_settings_from_the_command_line() -> None:
    assert split_settings(["side=B", "deck=a=b"]) == {"side": "B", "deck": "a=b"}
    with pytest.raises(OptionError, match="'side' is not of the form name=value"):
        split_settings(["side"])


def test_choices() -> None:
    assert option_choices(HashiOptions) == {"players": [1, 4], "side": ["A"], "deck": ["base"]}


def test_an_unknown_game_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownGame, match=r"there is no game 'go'; there are .*hashi"):
        find_game("go")
