"""Hashi in plain words: actions as sentences, positions line by line, and nothing that a seat may not know."""

import pytest

from asking import play
from hashi.drawing import drawn
from threespan.core.game import Role
from threespan.core.options import read_options
from threespan.core.rules import CHANCE, WATCHER
from threespan.core.words import LANGUAGES
from threespan.games.hashi.game import GAME
from threespan.games.hashi.state import ACTIONS, Phase, SeatStep

NAMES = ["Ann", "Bob"]
# Side A with a 3 at 03, two bridges to 13 (blue) and one to 04 (finished).
HARBOUR = """
    0     1     2     3     4     5
0       R( )         (3)───(1)
                      ║
1  ( )              B( )  ( ) R( )

2       B( )                    ( )

3  ( )                    B( )

4 R( )   ( )   ( )              ( )

5        ( )   ( )        R( )
"""


@pytest.mark.parametrize(
    ("text", "english", "german"),
    [
        ("write 10 5", "Write 5 on the island in row 2, column 1", "5 auf die Insel in Reihe 2, Spalte 1 schreiben"),
        (
            "write 13 6",
            "Write 6 on the island in row 2, column 4 (blue flag)",
            "6 auf die Insel in Reihe 2, Spalte 4 schreiben (blaue Fahne)",
        ),
        (
            "write 01 1",
            "Write 1 on the island in row 1, column 2 (red flag)",
            "1 auf die Insel in Reihe 1, Spalte 2 schreiben (rote Fahne)",
        ),
        (
            "bridge 10-13",
            "Draw a bridge in row 2 from column 1 to 4",
            "Brücke zeichnen in Reihe 2 von Spalte 1 bis 4",
        ),
        (
            "bridge 03-13",
            "Draw a bridge in column 4 from row 1 to 2",
            "Brücke zeichnen in Spalte 4 von Reihe 1 bis 2",
        ),
        (
            "bridge 03-10",  # no line joins them, but a player may ask why not
            "Draw a bridge from row 1, column 4 to row 2, column 1",
            "Brücke zeichnen von Reihe 1, Spalte 4 nach Reihe 2, Spalte 1",
        ),
        ("skip", "Skip", "Auslassen"),
        ("card 5/1", "Card: 5 with 1 bridge", "Karte: 5 mit 1 Brücke"),
        ("card 2/3", "Card: 2 with 3 bridges", "Karte: 2 mit 3 Brücken"),
    ],
)
def test_sentences(text: str, english: str, german: str) -> None:
    state = drawn(HARBOUR).state
    assert (GAME.sentence(state, text, "en"), GAME.sentence(state, text, "de")) == (english, german)


@pytest.mark.parametrize(
    ("text", "seat", "english", "to_you", "german", "zu_dir"),
    [
        (
            "write 10 4",
            0,
            "Ann writes a 4 on the island in row 2, column 1.",
            "You write a 4 on the island in row 2, column 1.",
            "Ann schreibt eine 4 auf die Insel in Reihe 2, Spalte 1.",
            "Du schreibst eine 4 auf die Insel in Reihe 2, Spalte 1.",
        ),
        (
            "write 13 2",
            0,
            "Ann writes a 2 on the island with a blue flag in row 2, column 4.",
            "You write a 2 on the island with a blue flag in row 2, column 4.",
            "Ann schreibt eine 2 auf die Insel mit blauer Fahne in Reihe 2, Spalte 4.",
            "Du schreibst eine 2 auf die Insel mit blauer Fahne in Reihe 2, Spalte 4.",
        ),
        (
            "bridge 10-13",
            1,
            "Bob draws a bridge in row 2 from column 1 to 4.",
            "Bob draws a bridge in row 2 from column 1 to 4.",
            "Bob zeichnet eine Brücke in Reihe 2 von Spalte 1 bis 4.",
            "Bob zeichnet eine Brücke in Reihe 2 von Spalte 1 bis 4.",
        ),
        ("skip", 0, "Ann skips.", "You skip.", "Ann verzichtet.", "Du verzichtest."),
        (
            "card 2/3",
            CHANCE,
            "The new card: 2 with 3 bridges.",
            "The new card: 2 with 3 bridges.",
            "Die neue Karte: 2 mit 3 Brücken.",
            "Die neue Karte: 2 mit 3 Brücken.",
        ),
    ],
)
def test_reports(text: str, seat: int, english: str, to_you: str, german: str, zu_dir: str) -> None:
    state = drawn(HARBOUR).state
    to_ann = ["", *NAMES[1:]]
    assert [GAME.report(state, text, seat, names, "en") for names in (NAMES, to_ann)] == [english, to_you]
    assert [GAME.report(state, text, seat, names, "de") for names in (NAMES, to_ann)] == [german, zu_dir]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_has_a_sentence_of_its_own(language: str) -> None:
    state = drawn(HARBOUR).state
    texts = GAME.action_texts(state, range(ACTIONS))
    sentences = [GAME.sentence(state, text, language) for text in texts]
    assert len(set(sentences)) == ACTIONS
    assert not set(sentences) & set(texts)


def test_sentences_know_the_flags_of_their_board() -> None:
    side_b = GAME.start(read_options(GAME.options, {"side": "B"})).state
    for state in (drawn(HARBOUR).state, side_b):
        with_flag = sum("flag" in GAME.sentence(state, f"write {place:02} 1", "en") for place in state.place.tolist())
        assert with_flag == 7


def test_skipping_is_a_finisher_and_done_ends_the_round() -> None:
    roles = {text: GAME.role(text) for text in ("skip", "done", "write 10 5", "bridge 03-13", "erase 10")}
    places = dict.fromkeys(["write 10 5", "bridge 03-13", "erase 10"], Role.PLACE)
    assert roles == {"skip": Role.FINISHER, "done": Role.DONE} | places


def test_a_position_alone() -> None:
    state = drawn(HARBOUR, card="5/3").state
    state.pile = [2, *[0] * 16, 1]
    assert GAME.describe(state, 0, ["Ann"], "en")[2:11] == [
        "Cards not yet turned up: 1 with 1 bridge, 1 with 1 bridge, 6 with 3 bridges.",
        "Your board:",
        "Island in row 1, column 2, red flag, no number.",
        "Island in row 1, column 4, number 3, 3 of 3 bridges, finished; bridges to row 1, column 5; "
        "row 2, column 4 (2).",
        "Island in row 1, column 5, number 1, 1 of 1 bridges, finished; bridges to row 1, column 4.",
        "Island in row 2, column 1, no number.",
        "Island in row 2, column 4, blue flag, no number, 2 bridges; bridges to row 1, column 4 (2).",
        "Island in row 2, column 5, no number.",
        "Island in row 2, column 6, red flag, no number.",
    ]
    german = GAME.describe(state, 0, ["Ann"], "de")
    assert german[:2] == ["Runde 5 von 17.", "Karte: 5 mit 3 Brücken."]
    assert german[3:6] == [
        "Deine Tafel:",
        "Insel in Reihe 1, Spalte 2, rote Fahne, ohne Zahl.",
        "Insel in Reihe 1, Spalte 4, Zahl 3, 3 von 3 Brücken, fertig; Brücken nach Reihe 1, Spalte 5; "
        "Reihe 2, Spalte 4 (2).",
    ]
    assert german[-4:] == [
        "Rote Fahnen: 0 von 4, bringt 9 Punkte bis Runde 12.",
        "Blaue Fahnen: 0 von 3, bringt 7 Punkte bis Runde 7.",
        "Sechs verbunden: 2 von 6, bringt 8 Punkte bis Runde 12.",
        "2 fertige Inseln: 4 Punkte.",
    ]


def test_of_the_others_only_what_was_done_before_this_round() -> None:
    position = drawn(HARBOUR, card="5/3", players=2)
    before = GAME.describe(position.observe(1).state, 1, NAMES, "en")
    play(position, "write 10 5")
    assert GAME.describe(position.observe(1).state, 1, NAMES, "en") == before
    own = GAME.describe(position.observe(0).state, 0, NAMES, "en")
    assert "Island in row 2, column 1, number 5, 0 of 5 bridges." in own
    assert own[-5:] == [
        "Board of Bob (is thinking):",
        "Red flags: 0 of 4, worth 9 points.",
        "Blue flags: 0 of 3, worth 7 points.",
        "Six connected: 0 of 6, worth 8 points.",
        "0 finished islands: 0 points.",
    ]
    play(position, "skip")
    watched = GAME.describe(position.observe(WATCHER).state, WATCHER, NAMES, "de")
    assert "Tafel von Ann (ist mit der Runde fertig):" in watched
    assert "Tafel von Bob (überlegt):" in watched
    assert len([line for line in watched if line.startswith("Insel")]) == 3


def test_races_that_are_won_or_late() -> None:
    position = drawn(HARBOUR, players=2)
    position.state.won_in[1] = [3, 0, 0]
    lines = GAME.describe(position.observe(0).state, 0, NAMES, "en")
    assert "Red flags: 0 of 4, now worth 5 points instead of 9." in lines
    assert "Red flags: 9 points, complete in round 3." in lines
    german = GAME.describe(position.observe(0).state, 0, NAMES, "de")
    assert "Rote Fahnen: 0 von 4, bringt nur noch 5 Punkte statt 9." in german
    assert "Rote Fahnen: 9 Punkte, vollständig in Runde 3." in german


def test_the_start_number_is_told_to_the_one_who_wrote_it() -> None:
    position = play(GAME.start(read_options(GAME.options, {"players": 2})), "write 03 4")
    line = "Start number 4, row 1, column 4, this board goes to Bob."
    own, other = (GAME.describe(position.observe(seat).state, seat, NAMES, "en") for seat in (0, 1))
    assert own[:3] == ["Before the first round: everybody writes a start number.", "Your board:", line]
    assert line not in other


def test_between_and_after_the_rounds() -> None:
    position = drawn(HARBOUR)
    position.state.phase = Phase.CARD
    assert position.acting() == [CHANCE]
    assert GAME.describe(position.state, 0, NAMES, "en")[1].startswith("Cards not yet turned up: 1 with")
    position.state.phase = Phase.OVER
    position.state.pile = 0
    assert GAME.describe(position.state, 0, NAMES, "en")[:2] == ["The match is over.", "All cards have been turned up."]
    assert GAME.describe(position.state, 0, NAMES, "de")[:2] == [
        "Die Partie ist zu Ende.",
        "Alle Karten sind aufgedeckt.",
    ]


@pytest.mark.parametrize(
    ("left", "english", "german"),
    [
        (3, "Draw 3 bridges, or skip.", "Zeichne 3 Brücken oder lass sie aus."),
        (2, "Draw 2 more bridges, or skip.", "Zeichne noch 2 Brücken oder lass sie aus."),
        (1, "Draw 1 more bridge, or skip.", "Zeichne noch 1 Brücke oder lass sie aus."),
    ],
)
def test_the_prompt_counts_the_bridges(left: int, english: str, german: str) -> None:
    state = drawn(HARBOUR, step=SeatStep.BRIDGE, left=left).state
    assert (GAME.prompt(state, 0, "en"), GAME.prompt(state, 0, "de")) == (english, german)
