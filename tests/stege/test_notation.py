"""Texts and pictures: what is written can be read, and what is drawn shows what is there."""

import pytest

from asking import play, texts
from stege.drawing import drawn
from threespan.core.game import NotationError, Position
from threespan.core.layout import PositionError
from threespan.core.options import OptionError, read_options
from threespan.core.picture import picture_of
from threespan.core.rules import CHANCE
from threespan.core.words import LANGUAGES
from threespan.games.stege.game import GAME
from threespan.games.stege.state import TurnStep

SEA = """
 # #a< - > . . . . # #
 # # . ^ . . . . . # #
 . . .B| . . . . . . .
 . . . v . . . . . . .
"""


def test_actions_are_written_with_rows_and_columns_from_1() -> None:
    position = drawn(SEA, die=2)
    assert [text for text in texts(position) if text[5] in "ab"] == [
        "move a 1,3>1,5",
        "move a 1,3>2,4",
        "move b island>1,4",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("move a 1,4>1,5", "stone a is not at 1,4 but at 1,3"),
        ("move b 1,3>1,5", "stone b is not at 1,3 but at island"),
        ("move e island>1,3", "is not an action"),
        ("move ab island>1,3", "is not an action"),
        ("move a 1,3>1,17", "there is no field 1,17"),
        ("lay 0,3 down", "there is no field 0,3"),
        ("lay 1,3 up", "is not an action"),
        ("roll 7", "is not an action"),
        ("start 4", "is not an action"),
    ],
)
def test_a_text_that_is_no_action_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        GAME.parse_action(drawn(SEA, die=2).state, text)


def test_the_picture_shows_islands_jetties_and_stones() -> None:
    lines = picture_of(GAME, drawn(SEA, die=2, home="c").state, 0, "en").plain.split("\n")
    assert lines[0].split() == [str(number) for number in range(1, 12)]
    assert lines[1] == "  1 ░░░░░░░░╞a0════════╡ ·   ·   ·   ·  ░░░░░░░░"
    assert lines[2] == "  2 ░░░░░░░░ ·  ╓──╖ ·   ·   ·   ·   ·  ░░░░░░░░"
    assert lines[3].startswith("  3  ·   ·   ·  ║b1║ ·  ")
    assert lines[4].startswith("  4  ·   ·   ·  ╙──╜ ·  ")
    assert lines[12:] == [
        "> seat 0 (you): from the top left island to the bottom right one. Home: 1. Waiting: b d.",
        "  seat 1: from the top right island to the bottom left one. Home: 0. Waiting: a c d.",
        "You rolled a 2 (roll 1 of at most 3).",
        "",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_moment_has_its_prompt(language: str) -> None:
    prompts = {
        GAME.prompt(position.state, 0, language)
        for position in (
            drawn(SEA.replace("a", " ").replace("B", " "), step=TurnStep.LAY),
            drawn(SEA, die=6, step=TurnStep.JETTY),
            play(drawn(SEA.replace("B", " "), die=6, step=TurnStep.JETTY), "take 2,4 down"),
            drawn(SEA, die=2),
            drawn(SEA.replace("a< - >", " . . ."), die=4),
            drawn(SEA.replace("a< - >", " . . ."), die=6),
        )
    }
    assert len(prompts) == 6


def test_whoever_cannot_move_is_told_why() -> None:
    stuck = SEA.replace("a< - >", " . . .")
    first, second = drawn(stuck, die=4), drawn(stuck, die=5, step=TurnStep.AGAIN, rolls=2)
    third, jetty = drawn(stuck, die=3, step=TurnStep.AGAIN, rolls=3), drawn(stuck, die=6)
    assert [GAME.prompt(position.state, 0, "en") for position in (first, second, third, jetty)] == [
        "First roll: 4. No stone can move. Roll again, or pass.",
        "Second roll: 5. Only a 1 or a 6 would have counted. Roll again, or pass.",
        "Third roll: 3. Only a 1 or a 6 would have counted. You have to pass.",
        "First roll: 6. No stone can move. You have to pass.",
    ]
    assert GAME.prompt(first.state, 0, "de") == "Erster Wurf: 4. Kein Stein kann ziehen. Würfle noch einmal oder passe."


def test_a_position_can_be_written_and_read() -> None:
    good = drawn(SEA, die=2)
    options = read_options(GAME.options, {"board": "small", "jetties_each": 10})
    again = Position.from_text(GAME, options, good.text())
    assert again.text() == good.text()
    assert again.state.tobytes() == good.state.tobytes()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("players=3", "3 players, but the match has 2"),
        ("turn=2", "there is no seat 2"),
        ("stone=2,-1,-1,-1/-1,51,-1,-1/-1,", "seat 2 is empty"),
        ("stone=4,-1,-1,-1/-1,52,-1,-1", "stone b of seat 1 stands at 4,5, where no jetty lies"),
        ("stone=4,-1,-1,-1/-1,4,-1,-1", "stone b of seat 1 stands on another stone at 1,5"),
        ("across=1,", "the jetty 1,1 across does not lie in the water"),
        ("across=512,", "the jetty 1,10 across does not lie in the water"),
        ("across=524292,", "the jetty 2,4 down lies on another one"),
        ("in_hand=1", "nobody moves before all jetties lie"),
        ("die=0", "there is a roll exactly when a player is to use it"),
        ("rolls=0", "their number does not fit the step"),
        ("rolls=2", "of the extra rolls only a 1 or a 6 counts"),
        ("step=1", "the jetties are not laid in turn"),
        ("step=1 in_hand=11", "stones leave their island only when all jetties lie"),
        ("step=2", "there is a roll exactly when a player is to use it"),
        ("step=3", "only a 1 or a 6 moves a jetty"),
        ("step=4 die=6", "a jetty is taken and then laid"),
        ("step=6", "a roll that counts cannot be rolled again"),
        ("step=7 die=0 rolls=0", "the match is over exactly when"),
        ("turns=800,", "the match is over exactly when"),
        ("taken=70,", "a jetty is taken and then laid"),
        ("taken=0", "the jetty 1,1 across does not lie in the water"),
        ("step=0 die=0 rolls=0 in_hand=11 stone=-1,-1,-1,-1/-1,-1,-1,-1", "everybody has all jetties in hand"),
        ("step=1 die=0 rolls=0 in_hand=11 stone=-1,-1,-1,-1/-1,-1,-1,-1 turns=5", "nobody has moved yet"),
        ("step=1 die=0 rolls=0 in_hand=31 stone=-1,-1,-1,-1/-1,-1,-1,-1", "the jetties are not laid in turn"),
    ],
)
def test_a_position_that_cannot_be_is_refused(change: str, reason: str) -> None:
    options = read_options(GAME.options, {"board": "small", "jetties_each": 10})
    good = drawn(SEA, die=2).text()
    fields = dict(word.split("=") for word in good.split()) | dict(word.split("=") for word in change.split())
    with pytest.raises(PositionError, match=reason):
        Position.from_text(GAME, options, " ".join(f"{name}={value}" for name, value in fields.items()))


def test_more_jetties_than_there_are_are_refused() -> None:
    options = read_options(GAME.options, {"board": "small", "jetties_each": 1})
    with pytest.raises(PositionError, match="more than 2 jetties"):
        Position.from_text(GAME, options, drawn(SEA + " . . .\n < - > .", die=2).text())
    with pytest.raises(PositionError, match="nobody has more than 1 jetties"):
        Position.from_text(GAME, options, "players=2 step=1 taken=-1, in_hand=2 stone=-1,-1,-1,-1/-1,-1,-1,-1")


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"players": 1}, "players"),
        ({"players": 5}, "players"),
        ({"players": 3, "jetties_each": 7}, "option jetties_each: with players 3 it can be 6 at most"),
        ({"jetties_each": 0}, "jetties_each"),
        ({"seating": "round"}, "seating"),
        ({"starts": 2}, "option starts: with players 2 it can be 1 at most"),
        ({"starts": "nobody"}, "starts"),
        ({"stones": 5}, "there is no option 'stones'"),
    ],
)
def test_options_that_cannot_be_are_refused(settings: dict[str, object], reason: str) -> None:
    with pytest.raises(OptionError, match=reason):
        read_options(GAME.options, settings)


def test_a_roll_is_chances_alone() -> None:
    position = drawn(SEA, step=TurnStep.ROLL)
    assert texts(position, CHANCE) == [f"roll {pips}" for pips in range(1, 7)]
    assert texts(position, 0) == []
