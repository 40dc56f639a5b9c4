"""Text forms: refusals give advice, positions cannot contradict themselves, and pictures show what may be seen."""

import pytest

from elfer.drawing import drawn, fields_of, play
from threespan.core.game import NotationError, Position
from threespan.core.layout import PositionError
from threespan.core.options import read_options
from threespan.core.picture import picture_of
from threespan.core.rules import WATCHER
from threespan.games.elfer.game import GAME

START = """
        1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18  19  20
yellow  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
red     .   .   ?   .   .   .   ?   .   .   .   11  12  13  .   .   .   ?   .   .   .
blue    .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
green   .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
"""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("lay red3", "there is no tile red3: every 3 is a joker, written 'joker3'"),
        ("lay red21", "there is no tile 'red21'; tiles are written like red5, joker13 or star"),
        ("lay", "there is no tile ''"),
        ("lay joker13", "'lay joker13': say which row, for example 'lay joker13 yellow'"),
        ("lay joker13 pink", "'lay joker13 pink': say which row"),
        ("lay joker5 red", "there is no tile 'joker5'"),
        ("lay star", "'lay star': say beside which number, 'lay star 1' or 'lay star 20'"),
        ("lay red5 red", "'lay red5 red': a coloured tile has just one field, so write 'lay red5'"),
        ("hand", "'hand' is not an action; write for example 'lay red5'"),
        ("hand pink4", "there is no tile 'pink4'"),
        ("start 4", "'start 4' is not an action"),
        ("stop now", "'stop now' is not an action"),
    ],
)
def test_what_is_no_action_is_refused_with_advice(text: str, reason: str) -> None:
    state = GAME.start(read_options(GAME.options, {})).state
    with pytest.raises(NotationError) as refused:
        GAME.parse_action(state, text)
    assert str(refused.value).startswith(reason)


def test_the_picture_can_be_read_back() -> None:
    position = play(drawn(START, "red10 red9 star", "blue5", symbols=True), "lay red10", "lay red9")
    picture = picture_of(GAME, position.observe(0).state, 0, "en").plain
    fields = sorted(field for field, _ in fields_of(picture))
    assert fields == [field for field in range(88) if position.state.board[field]]
    assert sum(is_fresh for _, is_fresh in fields_of(picture)) == 2
    board = picture.splitlines()[:8]
    assert max(map(len, board)) <= 80


def test_the_picture_shows_own_tiles_and_hides_the_others() -> None:
    position = drawn(START, "red10 joker7 joker7 star", "blue5 green2", symbols=True)
    own = picture_of(GAME, position.observe(0).state, 0, "en").plain
    assert own.endswith("\nseat 1: 2 tiles.\nYour rack, 4 tiles: red 10; joker 7, 7; star.\n")
    assert "blue 5" not in own
    german = picture_of(GAME, position.observe(1).state, 1, "de").plain
    assert german.endswith("\nPlatz 0: 4 Plättchen.\nDein Halter, 2 Plättchen: Blau 5; Grün 2.\n")
    watched = picture_of(GAME, position.observe(WATCHER).state, WATCHER, "en").plain
    assert "joker 7" not in watched


def test_the_picture_shows_what_a_seat_knows_of_another_rack() -> None:
    position = drawn(START, "red10 red9 green1 blue2", "blue5", "green5")
    play(position, "lay red10", "lay red9", "stop", "hand green1")
    assert "seat 1: 2 tiles. You know: green 1." in picture_of(GAME, position.observe(0).state, 0, "en").plain
    assert "green 1" not in picture_of(GAME, position.observe(2).state, 2, "en").plain


def test_a_used_bonus_is_shown_as_a_plain_bridge() -> None:
    fresh = picture_of(GAME, drawn(START.replace("13", "? "), "red1", "red2").state, WATCHER, "en").plain
    used = picture_of(GAME, drawn(START, "red1", "red2").state, WATCHER, "en").plain
    assert fresh.count("◆") == 4
    assert used.count("◆") == 3


@pytest.mark.parametrize(
    ("moves", "prompt"),
    [
        ([], "Lay one to three tiles."),
        (["lay red10"], "You may lay up to 2 more tiles, or stop."),
        (["lay red10", "lay red9", "lay red14"], "You have laid three tiles. More are not allowed in one turn."),
        (["lay red10", "lay red9", "stop"], "You laid two neighbours: hand a tile to the left, or keep them all."),
        (["lay red10", "stop"], "Nothing fits: draw a tile (up to 3)."),
        (["lay red10", "stop", "draw", "draw red14"], "The tile you drew fits: lay it."),
    ],
)
def test_prompts(moves: list[str], prompt: str) -> None:
    racks = ("red10 red9 green1", "green2 green4") if "draw" in moves else ("red10 red9 red14 green1", "green2 green4")
    position = play(drawn(START, *racks), *moves)
    seat = int(position.state.turn)
    assert GAME.prompt(position.observe(seat).state, seat, "en") == prompt


def test_whoever_passes_is_told_why() -> None:
    before = play(drawn(START, "red10 red9 green1", "green2 green4"), "lay red10", "stop")
    drew = ["draw", "draw green6", "draw", "draw green8", "draw", "draw green9"]
    state = play(before, *drew).observe(1).state
    assert int(state.bag_size) > 0
    assert GAME.prompt(state, 1, "en") == "You drew three tiles and none fits: pass."
    assert GAME.prompt(state, 1, "de") == "Du hast drei Plättchen gezogen, und keines passt: Du musst passen."
    state.bag_size, state.drawn = 0, 1
    assert GAME.prompt(state, 1, "en") == "Nothing fits and the bag is empty: pass."
    assert GAME.prompt(state, 1, "de") == "Es passt nichts, und der Beutel ist leer: Du musst passen."


@pytest.mark.parametrize(
    ("bonus", "english", "german"),
    [
        ("yellow9", "Lay the bonus tile yellow 9 on its field.", "Lege das Bonusplättchen Gelb 9 auf sein Feld."),
        ("joker17", "Lay the bonus tile joker 17 on its field.", "Lege das Bonusplättchen Joker 17 auf sein Feld."),
        ("star", "Lay the bonus tile star on its field.", "Lege das Bonusplättchen Stern auf sein Feld."),
    ],
)
def test_a_bonus_tile_is_named_in_plain_words(bonus: str, english: str, german: str) -> None:
    before = drawn(START.replace("13", "? "), "joker13 green1 green2", "blue5", symbols=True)
    state = play(before, "lay joker13 red", f"draw {bonus}").observe(0).state
    assert (GAME.prompt(state, 0, "en"), GAME.prompt(state, 0, "de")) == (english, german)


GOOD = drawn(START, "red10 green1", "blue5").text()


def test_positions_and_observations_can_be_read() -> None:
    options = read_options(GAME.options, {})
    position = Position.from_text(GAME, options, GOOD)
    assert position.text() == GOOD
    for seat in (WATCHER, 0, 1):
        seen = position.observe(seat)
        again = Position.from_text(GAME, options, seen.text())
        assert again.state.tobytes() == seen.state.tobytes()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("players=2", "", "at least two players are needed"),
        ("round_number=1", "round_number=2", "the match has 1 rounds"),
        ("rack_size=21", "rack_size=31", "the bag does not fit its size"),
        ("rack_size=21", "rack_size=11", "a rack has more tiles than its size says"),
        ("bag_size=", "turn=3 bag_size=", "there are only 2 seats"),
        ("bag_size=", "laid_count=1 bag_size=", "more tiles are counted in this turn than have been laid"),
        ("bag_size=", "fresh=1, bag_size=", "a tile of this turn does not lie on the board"),
        ("bag_size=", "fresh=0,1073741824 bag_size=", "a tile of this turn does not lie on the board"),
        ("bag_size=", "fresh=0,0,256 bag_size=", "there is a tile of this turn beside the board"),
        ("phase=6", "phase=7", "a bonus tile is there just while it is to be laid"),
        ("phase=6", "phase=5", "the board is empty until the opening 11 is laid"),
        ("phase=6", "phase=8", "this comes after a tile has been laid"),
        ("bonus_tile=-1,", "bonus_tile=5,", "there are 2 tiles of kind 5 instead of 1"),
        ("rack=", "handed=1 rack=", "seat 1 has not got what it was handed"),
        ("rack=", "minus=0,0,3 rack=", "minus: there are only 2 seats"),
    ],
)
def test_positions_that_contradict_themselves_are_refused(old: str, new: str, reason: str) -> None:
    assert old in GOOD
    with pytest.raises(PositionError) as refused:
        Position.from_text(GAME, read_options(GAME.options, {}), GOOD.replace(old, new, 1))
    assert reason in str(refused.value)


def test_an_opening_that_cannot_be_is_refused() -> None:
    """Else imagination would deal for ever."""
    options = read_options(GAME.options, {"starts": 0})
    text = Position.text(GAME.start(options)).replace("phase=1", "phase=5")
    for sizes, bag_size in (("60,20", 0), ("19,20", 41), ("22,57", 1)):
        size = f"bag_size={bag_size}, " if bag_size else ""
        before, after = text.split("bag_size=80, ")
        with pytest.raises(PositionError):
            Position.from_text(GAME, options, f"{before}{size}rack_size={sizes} {after}")
    before, after = text.split("bag_size=80, ")
    seen = Position.from_text(GAME, options, f"{before}bag_size=40, rack_size=20,20 {after}")
    assert seen.imagine(WATCHER, 1).acting() == [0]
