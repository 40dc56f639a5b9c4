"""Elfer in plain words: actions as sentences, positions line by line, and nothing that a seat may not know."""

import pytest

from elfer.drawing import drawn, play
from threespan.core.game import Role
from threespan.core.options import read_options
from threespan.core.rules import CHANCE, WATCHER
from threespan.core.words import LANGUAGES
from threespan.games.elfer.game import GAME
from threespan.games.elfer.state import ACTIONS, Phase

NAMES = ["Ann", "Bob", "Cid"]
SEA = """
        1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18  19  20
yellow  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
red     .   .   ?   .   .   .   ?   .   .   .   11  12  13  .   .   .   ?   .   .   .
blue    .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
green   .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
"""
# The same with blue from 18 to 20 and its star beside the 20.
STARRED = """
yellow  o  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .   o
red     o  .   .   ?   .   .   .   ?   .   .   .   11  12  13  .   .   .   ?   .   .   .   o
blue    o  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   18  19  20  x
green   o  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .   o
"""


@pytest.mark.parametrize(
    ("text", "english", "german"),
    [
        ("lay red5", "Lay red 5", "Rot 5 legen"),
        ("lay joker13 yellow", "Lay joker 13 on yellow 13", "Joker 13 auf Gelb 13 legen"),
        ("lay star 20", "Lay the star beside blue 20", "Stern neben Blau 20 legen"),
        ("hand green1", "Hand green 1 to the left", "Grün 1 nach links weitergeben"),
        ("hand circle", "Hand circle to the left", "Kreis nach links weitergeben"),
        ("stop", "Stop laying", "Aufhören"),
        ("keep", "Keep all tiles", "Alle behalten"),
        ("draw", "Draw a tile", "Ein Plättchen ziehen"),
        ("pass", "Pass", "Passen"),
        ("skip", "Skip the free tile", "Darauf verzichten"),
        ("draw blue20", "Blue 20 comes out of the bag", "Blau 20 kommt aus dem Beutel"),
        ("draw joker7", "Joker 7 comes out of the bag", "Joker 7 kommt aus dem Beutel"),
        ("start 1", "Player 2 comes first", "Person 2 kommt zuerst"),
    ],
)
def test_sentences(text: str, english: str, german: str) -> None:
    state = GAME.start(read_options(GAME.options, {})).state
    assert (GAME.sentence(state, text, "en"), GAME.sentence(state, text, "de")) == (english, german)


@pytest.mark.parametrize(
    ("text", "seat", "english", "to_you", "german", "zu_dir"),
    [
        ("lay red5", 0, "Ann lays the red 5.", "You lay the red 5.", "Ann legt die rote 5.", "Du legst die rote 5."),
        (
            "lay joker13 blue",
            0,
            "Ann lays a joker on blue 13.",
            "You lay a joker on blue 13.",
            "Ann legt einen Joker auf Blau 13.",
            "Du legst einen Joker auf Blau 13.",
        ),
        (
            "hand star",
            0,
            "Ann hands a star on to Bob.",
            "You hand a star on to Bob.",
            "Ann gibt einen Stern an Bob weiter.",
            "Du gibst einen Stern an Bob weiter.",
        ),
        (
            "hand joker7",
            2,
            "Cid hands a joker 7 on to Ann.",
            "Cid hands you a joker 7.",
            "Cid gibt einen Joker 7 an Ann weiter.",
            "Cid gibt dir einen Joker 7.",
        ),
        ("draw", 1, "Bob draws a tile.", "Bob draws a tile.", "Bob zieht ein Plättchen.", "Bob zieht ein Plättchen."),
        ("stop", 0, "Ann stops laying.", "You stop laying.", "Ann legt nichts mehr.", "Du legst nichts mehr."),
        (
            "draw red5",
            CHANCE,
            "Red 5 comes out of the bag.",
            "Red 5 comes out of the bag.",
            "Rot 5 kommt aus dem Beutel.",
            "Rot 5 kommt aus dem Beutel.",
        ),
        (
            "start 0",
            CHANCE,
            "The lot falls on Ann. From there on, the first player with an 11 begins.",
            "The lot falls on you. From you on, the first player with an 11 begins.",
            "Das Los fällt auf Ann. Von dort aus beginnt, wer als Erstes eine 11 hat.",
            "Das Los fällt auf dich. Von dir aus beginnt, wer als Erstes eine 11 hat.",
        ),
    ],
)
def test_reports(text: str, seat: int, english: str, to_you: str, german: str, zu_dir: str) -> None:
    state = GAME.start(read_options(GAME.options, {"players": 3})).state
    to_ann = ["", *NAMES[1:]]
    assert [GAME.report(state, text, seat, names, "en") for names in (NAMES, to_ann)] == [english, to_you]
    assert [GAME.report(state, text, seat, names, "de") for names in (NAMES, to_ann)] == [german, zu_dir]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_action_has_a_sentence_of_its_own(language: str) -> None:
    state = GAME.start(read_options(GAME.options, {})).state
    texts = GAME.action_texts(state, range(ACTIONS))
    sentences = [GAME.sentence(state, text, language) for text in texts]
    assert len(set(sentences)) == ACTIONS
    assert not set(sentences) & set(texts)


def test_a_symbol_belongs_to_the_row_that_the_board_gives_it() -> None:
    state = GAME.start(read_options(GAME.options, {})).state
    state.symbol[:] = state.symbol[::-1].copy()
    assert GAME.sentence(state, "lay star 1", "en") == "Lay the star beside red 1"


def test_what_has_no_place_is_a_button() -> None:
    texts = ["stop", "pass", "skip", "keep", "draw", "lay red5", "hand red5", "draw red5"]
    finishers, buttons, places = [Role.FINISHER] * 3, [Role.BUTTON] * 2, [Role.PLACE] * 3
    assert [GAME.role(text) for text in texts] == finishers + buttons + places


def test_a_position() -> None:
    state = drawn(SEA, "red10 red9 joker7 joker7", "blue5").observe(0).state
    assert GAME.describe(state, 0, NAMES, "en") == [
        "It is your turn.",
        "Row yellow: empty; fits next: 11, 13.",
        "Row red: 11–13; fits next: 10, 14.",
        "Row blue: empty; fits next: 11.",
        "Row green: empty; fits next: 11.",
        "These bridges still bring a bonus: red–blue 6, red–blue 15, blue–green 8.",
        "In the bag: 72.",
        "Your rack, 4 tiles: red 9, 10; joker 7, 7.",
        "Bob: 1 tile.",
    ]
    assert GAME.describe(state, WATCHER, NAMES, "de") == [
        "Ann ist dran.",
        "Reihe Gelb: leer; als Nächstes passt: 11, 13.",
        "Reihe Rot: 11–13; als Nächstes passt: 10, 14.",
        "Reihe Blau: leer; als Nächstes passt: 11.",
        "Reihe Grün: leer; als Nächstes passt: 11.",
        "Diese Brücken bringen noch einen Bonus: Rot–Blau 6, Rot–Blau 15, Blau–Grün 8.",
        "Im Beutel: 72.",
        "Ann: 4 Plättchen. Du kennst: Rot 9, 10; Joker 7, 7.",
        "Bob: 1 Plättchen.",
    ]


def test_racks_are_told_to_nobody_else() -> None:
    one, other = (drawn(SEA, "red10 red9", rack).observe(0).state for rack in ("blue5 green5", "joker3 yellow2"))
    assert GAME.describe(one, 0, NAMES, "en") == GAME.describe(other, 0, NAMES, "en")


def test_a_tile_that_was_handed_on_is_known() -> None:
    position = drawn(SEA, "red10 red9 green1 blue2", "blue5", "green5")
    play(position, "lay red10", "lay red9")
    assert "Laid in this turn: 2 of 3." in GAME.describe(position.observe(2).state, 2, NAMES, "en")
    assert "In diesem Zug gelegt: 2 von 3." in GAME.describe(position.observe(2).state, 2, NAMES, "de")
    play(position, "stop")
    assert "A tile may be handed to the left now." in GAME.describe(position.observe(0).state, 0, NAMES, "en")
    assert "Jetzt darf ein Plättchen nach links weitergegeben werden." in GAME.describe(
        position.observe(0).state, 0, NAMES, "de"
    )
    play(position, "hand green1")
    assert "Bob: 2 tiles. You know: green 1." in GAME.describe(position.observe(0).state, 0, NAMES, "en")
    assert "Bob: 2 Plättchen. Du kennst: Grün 1." in GAME.describe(position.observe(0).state, 0, NAMES, "de")
    assert "Bob: 2 tiles." in GAME.describe(position.observe(2).state, 2, NAMES, "en")


def test_symbols_and_the_free_tile() -> None:
    position = drawn(STARRED, "square square star red10", "blue5", symbols=True, phase=Phase.LAY)
    lines = GAME.describe(position.observe(0).state, 0, NAMES, "en")
    assert "Row blue: 18–20; fits next: 11, 17." in lines
    assert "Symbols on the board: star beside blue 20." in lines
    assert "Your rack, 4 tiles: red 10; square (2); star." in lines
    german = GAME.describe(position.observe(0).state, 0, NAMES, "de")
    assert "Symbole auf dem Plan: Stern neben Blau 20." in german
    assert "Dein Halter, 4 Plättchen: Rot 10; Quadrat (2); Stern." in german
    free = drawn(STARRED.replace("20  x", "20  x*"), "square star red10", "blue5", symbols=True, phase=Phase.FREE)
    assert "A free tile may be laid now." in GAME.describe(free.state, 0, NAMES, "en")
    assert "Jetzt darf ein Gratisplättchen gelegt werden." in GAME.describe(free.state, 0, NAMES, "de")


def test_bonus_and_drawn_tiles() -> None:
    before = drawn(SEA.replace("13", "? "), "joker13 green1 green2", "blue5")
    state = play(before, "lay joker13 red", "draw yellow9").observe(1).state
    assert "Bonus tile to be laid now: yellow 9." in GAME.describe(state, 1, NAMES, "en")
    assert "Bonusplättchen, das jetzt gelegt wird: Gelb 9." in GAME.describe(state, 1, NAMES, "de")
    drawing = play(drawn(SEA, "green1 green2", "blue5"), "draw", "draw green4").observe(1).state
    assert "Drawn in this turn: 1 of 3." in GAME.describe(drawing, 1, NAMES, "en")
    assert "In diesem Zug gezogen: 1 von 3." in GAME.describe(drawing, 1, NAMES, "de")
    assert "green 4" not in " ".join(GAME.describe(drawing, 1, NAMES, "en"))


def test_rounds_and_the_end() -> None:
    position = drawn(SEA, "red10", "blue5 joker3", rounds=2)
    assert GAME.describe(position.observe(0).state, 0, NAMES, "en")[0] == "Round 1 of 2."
    position.state.round_number = 2
    position.state.minus[0] = 12
    play(position, "lay red10")
    lines = GAME.describe(position.observe(WATCHER).state, WATCHER, NAMES, "en")
    assert lines[:2] == ["Round 2 of 2.", "The match is over."]
    assert lines[-2:] == [
        "Ann: 0 tiles. Minus points of finished rounds: 12.",
        "Bob: 2 tiles. Left over: blue 5; joker 3. Minus points of finished rounds: 8.",
    ]
    german = GAME.describe(position.observe(0).state, 0, NAMES, "de")
    assert german[:2] == ["Runde 2 von 2.", "Die Partie ist zu Ende."]
    assert german[-2:] == [
        "Dein Halter, 0 Plättchen: nichts. Minuspunkte aus fertigen Runden: 12.",
        "Bob: 2 Plättchen. Übrig: Blau 5; Joker 3. Minuspunkte aus fertigen Runden: 8.",
    ]


def test_no_bonus_is_left() -> None:
    state = drawn(SEA, "red10", "blue5").state
    state.bonus_fields[:] = 0
    assert "No bridge brings a bonus any more." in GAME.describe(state, 0, NAMES, "en")
    assert "Keine Brücke bringt mehr einen Bonus." in GAME.describe(state, 0, NAMES, "de")
