"""Stege in plain words: actions as sentences, and positions line by line."""

import pytest

from asking import play, texts
from stege.drawing import drawn
from threespan.core.game import Role
from threespan.core.options import read_options
from threespan.core.rules import CHANCE, WATCHER
from threespan.core.words import LANGUAGES
from threespan.games.stege.game import GAME
from threespan.games.stege.state import ACTIONS, HOME, TurnStep

NAMES = ["Ann", "Bob"]
SEA = """
 # #a< - > . . . . # #
 # # . ^ . . . . . # #
 . . .B| . . . . . . .
 . . . v . . . . . . .
"""


@pytest.mark.parametrize(
    ("text", "english", "german"),
    [
        (
            "lay 3,7 across",
            "Lay a jetty in row 3, columns 7 to 9",
            "Steg legen: Reihe 3, Spalten 7 bis 9",
        ),
        (
            "take 2,4 down",
            "Take the jetty in column 4, rows 2 to 4",
            "Steg nehmen: Spalte 4, Reihen 2 bis 4",
        ),
        (
            "move a 1,3>2,4",
            "Move stone a from row 1, column 3 to row 2, column 4",
            "Stein a ziehen: von Reihe 1, Spalte 3 nach Reihe 2, Spalte 4",
        ),
        (
            "move b island>1,4",
            "Move stone b from its island to row 1, column 4",
            "Stein b ziehen: von seiner Insel nach Reihe 1, Spalte 4",
        ),
        (
            "move c 9,11>home",
            "Move stone c from row 9, column 11 home",
            "Stein c ziehen: von Reihe 9, Spalte 11 ins Ziel",
        ),
        (
            "move d home>1,4",
            "Move stone d from its target to row 1, column 4",
            "Stein d ziehen: aus dem Ziel nach Reihe 1, Spalte 4",
        ),
        ("keep", "Leave all jetties", "Alle Stege liegen lassen"),
        ("roll again", "Roll again", "Noch einmal würfeln"),
        ("pass", "Pass", "Passen"),
        ("start 0", "Player 1 starts", "Person 1 beginnt"),
        ("roll 6", "The die shows 6", "Der Würfel zeigt 6"),
    ],
)
def test_sentences(text: str, english: str, german: str) -> None:
    state = drawn(SEA, die=2).state
    assert (GAME.sentence(state, text, "en"), GAME.sentence(state, text, "de")) == (english, german)


@pytest.mark.parametrize(
    ("text", "seat", "english", "to_you", "german", "zu_dir"),
    [
        (
            "lay 3,7 down",
            0,
            "Ann lays a jetty in column 7, rows 3 to 5.",
            "You lay a jetty in column 7, rows 3 to 5.",
            "Ann legt einen Steg in Spalte 7, Reihen 3 bis 5.",
            "Du legst einen Steg in Spalte 7, Reihen 3 bis 5.",
        ),
        (
            "move a 1,3>home",
            0,
            "Ann moves stone a from row 1, column 3 home.",
            "You move stone a from row 1, column 3 home.",
            "Ann zieht Stein a von Reihe 1, Spalte 3 ins Ziel.",
            "Du ziehst Stein a von Reihe 1, Spalte 3 ins Ziel.",
        ),
        (
            "keep",
            0,
            "Ann leaves all jetties where they are.",
            "You leave all jetties where they are.",
            "Ann lässt alle Stege liegen.",
            "Du lässt alle Stege liegen.",
        ),
        (
            "roll again",
            1,
            "Bob rolls again.",
            "Bob rolls again.",
            "Bob würfelt noch einmal.",
            "Bob würfelt noch einmal.",
        ),
        ("start 0", CHANCE, "Ann starts.", "You start.", "Ann beginnt.", "Du beginnst."),
        ("roll 4", CHANCE, "The die shows 4.", "The die shows 4.", "Der Würfel zeigt 4.", "Der Würfel zeigt 4."),
    ],
)
def test_reports(text: str, seat: int, english: str, to_you: str, german: str, zu_dir: str) -> None:
    state = drawn(SEA, die=2).state
    to_ann = ["", *NAMES[1:]]
    assert [GAME.report(state, text, seat, names, "en") for names in (NAMES, to_ann)] == [english, to_you]
    assert [GAME.report(state, text, seat, names, "de") for names in (NAMES, to_ann)] == [german, zu_dir]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("home", ["", "abc"])
def test_every_action_has_a_sentence_of_its_own(language: str, home: str) -> None:
    state = drawn(SEA.replace("a", " "), die=2, home=home).state
    written = GAME.action_texts(state, range(ACTIONS))
    sentences = [GAME.sentence(state, text, language) for text in written]
    assert len(set(sentences)) == ACTIONS
    assert {text for text in written if text in sentences} == set()


def test_a_sentence_does_not_depend_on_where_the_stones_are() -> None:
    before, after = drawn(SEA, die=2), drawn(SEA, die=2)
    [text] = [text for text in texts(before) if text == "move a 1,3>2,4"]
    play(after, text)
    assert GAME.sentence(before.state, text, "en") == GAME.sentence(after.state, text, "en")


def test_what_has_no_place_is_a_button() -> None:
    roles = {text: GAME.role(text) for text in ("keep", "roll again", "pass", "lay 3,7 down", "move a 1,3>2,4")}
    assert roles == {
        "keep": Role.BUTTON,
        "roll again": Role.BUTTON,
        "pass": Role.FINISHER,
        "lay 3,7 down": Role.PLACE,
        "move a 1,3>2,4": Role.PLACE,
    }


def test_a_position() -> None:
    state = drawn(SEA, die=2, home="c").state
    assert GAME.describe(state, 0, NAMES, "en") == [
        "The sea has 11 rows of 11 fields, with an island in each corner.",
        "Ann (you), red circle: from the top left island to the bottom right one. "
        "Stones: a at row 1, column 3; b on its island; c home; d on its island.",
        "Bob, blue square: from the top right island to the bottom left one. "
        "Stones: a on its island; b at row 3, column 4; c on its island; d on its island.",
        "Jetties lie in: row 1, columns 3 to 5; column 4, rows 2 to 4.",
        "You rolled a 2 (roll 1 of at most 3).",
    ]
    assert GAME.describe(state, 1, NAMES, "de") == [
        "Das Meer hat 11 Reihen mit je 11 Feldern und eine Insel in jeder Ecke.",
        "Ann, roter Kreis: von der Insel oben links zur Insel unten rechts. "
        "Steine: a auf Reihe 1, Spalte 3; b auf seiner Insel; c im Ziel; d auf seiner Insel.",
        "Bob (du), blaues Quadrat: von der Insel oben rechts zur Insel unten links. "
        "Steine: a auf seiner Insel; b auf Reihe 3, Spalte 4; c auf seiner Insel; d auf seiner Insel.",
        "Stege liegen in: Reihe 1, Spalten 3 bis 5; Spalte 4, Reihen 2 bis 4.",
        "Ann hat eine 2 gewürfelt (Wurf 1 von höchstens 3).",
    ]


def test_a_jetty_that_is_taken() -> None:
    position = play(drawn(SEA.replace("B", " "), die=6, step=TurnStep.JETTY), "take 2,4 down")
    assert "The jetty from column 4, rows 2 to 4 is taken up and must be laid somewhere else." in GAME.describe(
        position.state, WATCHER, NAMES, "en"
    )
    assert "Der Steg aus Spalte 4, Reihen 2 bis 4 ist aufgenommen und muss woandershin." in GAME.describe(
        position.state, WATCHER, NAMES, "de"
    )


def test_the_first_and_the_last_moment() -> None:
    first = GAME.start(read_options(GAME.options, {})).state
    lines = GAME.describe(first, 0, NAMES, "en")
    assert lines[1].endswith("Jetties in hand: 5.")
    assert lines[-1] == "No jetty lies in the water yet."  # who starts is not drawn yet
    laying = GAME.start(read_options(GAME.options, {"starts": 1})).state
    assert GAME.describe(laying, 0, NAMES, "en")[-1] == "It is Bob's turn."
    assert GAME.describe(laying, 1, NAMES, "de")[-1] == "Du bist dran."
    over = drawn(SEA.replace("a", " "), step=TurnStep.OVER, home="abcd").state
    assert (over.stone[0] == HOME).all()
    assert [GAME.describe(over, 0, NAMES, language)[-1] for language in ("en", "de")] == [
        "The match is over.",
        "Die Partie ist vorbei.",
    ]
