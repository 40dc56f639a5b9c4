"""The other readings of the booklet, each beside the usual one."""

from typing import Any

import numba
import pytest

from elfer.drawing import EMPTY, ask, drawn, play, rack, texts
from elfer.test_clauses import SYMBOLS, TWELVE
from elfer.test_knowledge import dealt, elevens_on, kind_of
from threespan.core.game import Game, IllegalAction, Position
from threespan.core.layout import PositionError
from threespan.core.options import OptionError, read_options
from threespan.core.rules import CHANCE, WATCHER
from threespan.games.elfer.game import GAME
from threespan.games.elfer.rules import Rule
from threespan.games.elfer.state import Phase
from threespan.testing.leaks import check_uncovering

pytestmark = pytest.mark.kernels

UNCOMPILED = bool(numba.config.DISABLE_JIT)
WORLDS = 5 if UNCOMPILED else 200

# The yellow 1 and the red 11 and 12 lie, so the other 1s fit; red 13 is the first at a bonus bridge.
ONE = TWELVE.replace("yellow  .", "yellow  1")


# opening


def test_everybody_is_asked_in_turn_with_an_eleven_or_without() -> None:
    position = dealt({1: ["red11"], 2: ["blue11", "green11"]}, opening="may")
    assert (position.state.phase, position.acting()) == (Phase.ASK, [0])
    assert texts(position) == ["leave"]  # seat 0 has no 11
    assert ask(position, "open") is Rule.START_ELEVEN
    for action in ("lay red11", "lay red5", "stop", "draw", "pass", "keep", "skip", "hand red5"):
        assert ask(position, action) is Rule.NOT_NOW
    assert ask(position, "leave", seat=1) is Rule.NOT_NOW  # not asked yet
    play(position, "leave")
    assert position.acting() == [1]
    assert texts(position) == ["open", "leave"]
    play(position, "leave")
    assert texts(position) == ["open", "leave"]
    play(position, "open")
    assert texts(position) == ["lay blue11", "lay green11"]  # an 11 of its choice
    assert ask(position, "leave") is ask(position, "open") is ask(position, "stop") is Rule.START_ELEVEN
    play(position, "lay green11")
    assert (position.state.laid_count, position.state.leaves, position.state.phase) == (1, 0, Phase.LAY)
    assert ask(position, "leave") is Rule.NOT_NOW


def test_the_asking_ends_at_the_first_who_opens() -> None:
    position = play(dealt({0: ["red11"], 1: ["blue11"]}, opening="may"), "open")
    assert (position.state.phase, position.acting()) == (Phase.OPEN, [0])
    assert texts(position) == ["lay red11"]


def test_if_all_leave_it_the_first_with_an_eleven_must_open() -> None:
    position = dealt({1: ["red11"], 2: ["blue11"]}, opening="may", starts=2)
    play(position, "leave", "leave", "leave")
    # Dealt from seat 2 on: seat 0 of `dealt` sits at 2.
    assert (position.state.phase, position.acting()) == (Phase.OPEN, [0])
    assert texts(position) == ["lay red11"]
    assert ask(position, "leave") is Rule.START_ELEVEN
    assert GAME.prompt(position.state, 0, "en").startswith("All have left it to the others")


def test_if_nobody_has_one_all_draw_as_usual_and_a_drawn_eleven_must_open() -> None:
    position = play(dealt({}, players=2, opening="may"), "leave")
    assert position.acting() == [1]
    play(position, "leave")
    assert (position.state.phase, position.acting()) == (Phase.SEARCH, [CHANCE])
    play(position, "draw joker7", "draw green11")
    assert (position.state.phase, position.acting()) == (Phase.OPEN, [1])
    assert texts(position) == ["lay green11"]
    assert GAME.prompt(position.state, 1, "en") == "You begin: lay one of your 11s."


def test_usually_nobody_is_asked() -> None:
    position = dealt({1: ["red11"]})
    assert (position.state.phase, position.acting()) == (Phase.OPEN, [1])
    assert ask(position, "open") is Rule.START_ELEVEN
    later = play(position, "lay red11")
    assert ask(later, "open") is ask(later, "leave") is Rule.NOT_NOW


def test_the_second_round_asks_from_the_next_seat_on() -> None:
    position = dealt({0: ["red11"]}, players=2, opening="may", rounds=2)
    play(position, "open", "lay red11")
    while position.state.round_number == 1 or position.acting() == [CHANCE]:
        seat = position.acting()[0]
        position.play(seat, position.legal(seat)[-1])
    assert (position.state.phase, position.state.turn, position.state.leaves) == (Phase.ASK, 1, 0)


def test_what_a_seat_is_told_and_can_do_gives_nothing_away() -> None:
    """The same question, whoever has an 11; only the seat itself sees what it can answer."""
    with_eleven, without = dealt({0: ["red11"]}, opening="may"), dealt({1: ["red11"]}, opening="may")
    for viewer in (WATCHER, 1, 2):
        for position in (with_eleven, without):
            seen = position.observe(viewer)
            assert seen.acting() == [0]
            names = ["a", "b", "c"]
            assert GAME.describe(seen.state, viewer, names, "en")[0] == "It is a's turn."
            assert seen.state.leaves == 0
    assert GAME.prompt(with_eleven.observe(0).state, 0, "en").startswith("Do you want to open with an 11")
    assert GAME.prompt(without.observe(0).state, 0, "en") == "You have no 11, so leave the opening to the others."


def test_who_has_left_the_opening_may_have_an_eleven_or_not() -> None:
    position = play(dealt({0: ["red11"], 1: ["blue11"]}, opening="may"), "leave", "open")
    assert position.state.phase == Phase.OPEN
    found = set()
    for seed in range(WORLDS):
        imagined = position.observe(2).imagine(2, seed)
        assert imagined.observe(2).state.tobytes() == position.observe(2).state.tobytes()
        assert elevens_on(imagined, 1)
        found.add(bool(elevens_on(imagined, 0)))
    assert UNCOMPILED or found == {True, False}


def test_nothing_is_known_of_elevens_while_everybody_is_asked() -> None:
    position = play(dealt({1: ["blue11"]}, opening="may"), "leave")
    found = set()
    for seed in range(WORLDS):
        imagined = position.observe(2).imagine(2, seed)
        found.add((bool(elevens_on(imagined, 0)), bool(elevens_on(imagined, 1))))
    assert UNCOMPILED or found == {(False, False), (False, True), (True, False), (True, True)}


def test_after_all_have_left_it_nobody_before_the_opener_has_one() -> None:
    position = play(dealt({1: ["blue11"], 2: ["red11"]}, opening="may"), "leave", "leave", "leave")
    assert position.acting() == [1]
    for seed in range(WORLDS):
        imagined = position.observe(2).imagine(2, seed)
        assert not elevens_on(imagined, 0)
        assert elevens_on(imagined, 1)


@pytest.mark.parametrize("own", [[], ["blue11"]])
def test_the_last_to_leave_cannot_try_out_who_must_open(own: list[str]) -> None:
    """In its own observation the seat finds chance to act, whatever the racks of the others hold."""
    for elevens in ({0: ["red11"], 2: own}, {2: own}):
        position = play(dealt(elevens, opening="may"), "leave", "leave")
        seen = position.observe(2)
        assert GAME.uncovers(seen.state, 2, GAME.parse_action(seen.state, "leave"))
        assert play(seen, "leave").acting() == [CHANCE]
    first = dealt({}, opening="may")
    assert not GAME.uncovers(first.state, 0, GAME.parse_action(first.state, "leave"))


def test_the_conformance_suite_notices_that_something_is_uncovered(monkeypatch: pytest.MonkeyPatch) -> None:
    position = play(dealt({1: ["blue11"], 2: ["red11"]}, opening="may"), "leave", "leave")
    check_uncovering(position, 2)
    monkeypatch.setattr(type(GAME), "uncovers", Game.uncovers)
    with pytest.raises(AssertionError, match="could undo 'leave' after it has learned something"):
        check_uncovering(position, 2)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("leaves=1", "leaves=2", "the seats are asked in turn"),
        ("leaves=1", "", "the seats are asked in turn"),
        ("phase=11,", "phase=5", "the opening seat has no 11"),
        ("phase=11,", "phase=2", "first everybody is asked who opens"),
        ("phase=11,", "phase=1", "nobody has been asked who opens"),
    ],
)
def test_positions_that_no_asking_leads_to_are_refused(old: str, new: str, reason: str) -> None:
    position = play(dealt({0: ["red11"]}, opening="may"), "leave")
    text = position.text()
    assert old in text
    assert Position.from_text(GAME, position.options, text).text() == text
    with pytest.raises(PositionError, match=reason):
        Position.from_text(GAME, position.options, text.replace(old, new))


def test_nobody_is_asked_in_a_match_in_which_the_first_must_open() -> None:
    position = dealt({1: ["red11"]})
    with pytest.raises(PositionError, match="nobody is asked who opens"):
        Position.from_text(
            GAME, position.options, position.text().replace("phase=5", "phase=11,").replace("turn=1", "")
        )


# bonus_symbol


def adjoining(board: str, *racks: str, **options: Any) -> Position:
    """A turn in a match in which bonus symbols need their number beside them."""
    return drawn(board, *racks, symbols=True, bonus_symbol="adjoining", **options)


def test_a_bonus_symbol_without_its_number_goes_to_the_rack() -> None:
    position = play(adjoining(TWELVE, "joker13 green2", "red9"), "lay joker13 red", "draw star")
    assert (position.state.phase, position.state.bonus_tile, position.acting()) == (Phase.LAY, -1, [0])
    assert rack(position, 0) == ["green2", "star"]
    assert position.state.laid_count == 1
    assert texts(position) == ["stop"]  # there is no second draw
    usual = play(drawn(TWELVE, "joker13 green2", "red9", symbols=True), "lay joker13 red", "draw star")
    assert texts(usual) == ["lay star 1", "lay star 20"]


def test_it_may_be_laid_later_in_the_turn_as_one_of_the_three() -> None:
    position = play(adjoining(ONE, "joker13 blue1 green2", "red9"), "lay joker13 red", "draw star")
    assert ask(position, "lay star 1") is Rule.SYMBOL_PLACE
    play(position, "lay blue1", "lay star 1")
    assert (position.state.laid_count, position.state.phase) == (3, Phase.FREE)
    assert texts(position) == ["lay green2", "skip"]
    assert not position.state.shown.any()
    assert not position.state.shown_left.any()


def test_with_its_number_it_must_be_laid_there_with_its_free_tile() -> None:
    board = SYMBOLS.replace("11  .   ?", "11  12  ?")
    position = play(adjoining(board, "joker13 green2", "red9"), "lay joker13 red", "draw triangle")
    assert texts(position) == ["lay triangle 1"]
    assert ask(position, "lay triangle 20") is Rule.SYMBOL_PLACE  # the red 20 does not lie
    assert ask(position, "lay green2") is Rule.BONUS_DRAW
    assert ask(position, "stop") is Rule.BONUS_DRAW
    play(position, "lay triangle 1")
    assert texts(position) == ["lay green2", "skip"]
    assert position.state.laid_count == 1


def test_with_both_numbers_the_player_chooses_the_end() -> None:
    ends = SYMBOLS.replace("11  .   ?", "11  12  ?").split("\n")
    ends[3] = ends[3].removesuffix(".  .") + "20 ."
    position = play(adjoining("\n".join(ends), "joker13 green2", "red9"), "lay joker13 red", "draw triangle")
    assert texts(position) == ["lay triangle 1", "lay triangle 20"]


def test_a_taken_end_does_not_count() -> None:
    """The red 1 lies, but its symbol field is taken; the 20 does not lie."""
    taken = SYMBOLS.replace("red    .", "red    x").replace("11  .   ?", "11  12  ?")
    position = play(adjoining(taken, "joker13 green2", "red9"), "lay joker13 red", "draw triangle")
    assert rack(position, 0) == ["green2", "triangle"]


def test_other_bonus_tiles_go_where_they_always_go() -> None:
    position = play(adjoining(TWELVE, "joker13 green2", "red9"), "lay joker13 red", "draw green20")
    assert texts(position) == ["lay green20"]


def test_everybody_knows_the_symbol_until_one_like_it_is_laid() -> None:
    position = play(adjoining(ONE, "joker13 blue1 star", "red9", "red8"), "lay joker13 red", "draw star")
    for viewer in (WATCHER, 1, 2):
        seen = position.observe(viewer)
        assert rack(seen, 0) == ["star"]
        for seed in range(WORLDS):
            imagined = seen.imagine(viewer, seed)
            assert "star" in rack(imagined, 0)
            assert imagined.observe(viewer).state.tobytes() == seen.state.tobytes()
    play(position, "lay blue1", "lay star 1", "skip")
    assert "star" in rack(position, 0)  # the other one, of which nobody knows whether it is the one that was shown
    for viewer in (WATCHER, 1, 2):
        assert rack(position.observe(viewer), 0) == []


@pytest.mark.parametrize(("tile", "left_knows"), [("green2", ["star"]), ("star", [])])
def test_a_tile_handed_on_may_be_the_symbol_to_all_but_the_one_who_gets_it(tile: str, left_knows: list[str]) -> None:
    racks = ("joker13 green2 green4", "red9", "red8")
    position = play(adjoining(TWELVE.replace("12  ?", "12* ?"), *racks), "lay joker13 red", "draw star")
    play(position, "stop")
    assert position.state.phase == Phase.HAND  # 12 and 13 are neighbours of this turn
    play(position, f"hand {tile}")
    assert rack(position.observe(1), 0) == left_knows
    assert rack(position.observe(2), 0) == rack(position.observe(WATCHER), 0) == []
    assert rack(position.observe(0), 1) == [tile]


def test_a_symbol_shown_and_a_symbol_handed_on_are_two() -> None:
    """Seat 0 has handed a star to seat 1, and all see another one going there: seat 0 knows of both."""
    position = adjoining(ONE, "red9", "joker13 blue1 star green2", "red8", turn=1)
    position.state.handed[0, kind_of("star")] = 1
    play(position, "lay joker13 red", "draw star")
    assert rack(position.observe(0), 1) == ["star", "star"]
    assert rack(position.observe(2), 1) == ["star"]
    play(position, "lay blue1", "lay star 1", "skip")
    assert rack(position.observe(0), 1) == ["star"]
    assert rack(position.observe(2), 1) == []


def test_what_was_shown_is_forgotten_with_the_round() -> None:
    position = adjoining(ONE, "joker13 blue1 green2", "red9", rounds=2)
    play(position, "lay joker13 red", "draw star", "lay blue1")
    position.state.laid_count = 1
    assert position.state.shown[0].sum() == 1
    while position.state.round_number == 1:
        seat = position.acting()[0]
        position.play(seat, position.legal(seat)[0])
    assert not position.state.shown.any()
    assert not position.state.shown_left.any()


@pytest.mark.parametrize(
    ("field", "options", "reason"),
    [
        ("shown_left", {"bonus_symbol": "free"}, "every bonus symbol is laid"),
        ("shown", {}, "everybody knows more than the left neighbour"),
    ],
)
def test_positions_with_symbols_that_cannot_have_been_shown_are_refused(
    field: str, options: dict[str, Any], reason: str
) -> None:
    position = (
        adjoining(ONE, "star blue1 green2", "red9", **options)
        if not options
        else drawn(ONE, "star blue1 green2", "red9", symbols=True, **options)
    )
    position.state[field][0, 2] = 1
    with pytest.raises(PositionError, match=reason):
        GAME.refresh(position.state)


def test_a_symbol_that_is_not_on_the_rack_was_not_shown() -> None:
    position = adjoining(ONE, "blue1 green2", "red9")
    position.state.shown_left[0, 2] = 1
    with pytest.raises(PositionError, match="a symbol is not on the rack that it went to"):
        GAME.refresh(position.state)


def test_a_bonus_symbol_that_cannot_lie_anywhere_is_not_to_be_laid() -> None:
    with pytest.raises(PositionError, match="a bonus symbol without a number beside its fields goes to the rack"):
        adjoining(TWELVE.replace("12  ?", "12* ?"), "green2", "red9", phase=Phase.BONUS, bonus="star")


# Options and words


def test_without_symbols_bonus_symbol_must_have_its_default() -> None:
    with pytest.raises(OptionError) as refused:
        read_options(GAME.options, {"bonus_symbol": "adjoining"})
    english = "option bonus_symbol can only be changed if symbols is true; otherwise it must be free"
    german = "Option bonus_symbol lässt sich nur ändern, wenn symbols den Wert true hat; sonst muss sie free sein"
    assert (refused.value.text("en"), refused.value.text("de")) == (english, german)


def test_the_sentences_are_true_under_the_options() -> None:
    asked = dealt({1: ["red11"]}, opening="may")
    with pytest.raises(IllegalAction, match="only somebody who has one can open"):
        play(asked, "open")
    with pytest.raises(IllegalAction, match=r"START_ELEVEN: The game begins with an 11. Lay one of yours first."):
        play(dealt({0: ["red11"]}), "stop")
    board = GAME.start(read_options(GAME.options, {"opening": "may"})).state
    assert "says in turn whether to open" in GAME.report(board, "start 0", CHANCE, ["Ann", "Bob"], "en")
    assert GAME.report(board, "leave", 0, ["Ann", "Bob"], "de") == "Ann überlässt das Eröffnen den anderen."
    shown = adjoining(ONE, "green2", "red9")
    assert "goes to the rack" in GAME.report(shown.state, "draw star", CHANCE, ["Ann", "Bob"], "en")
    assert "goes to" not in GAME.report(shown.state, "draw red5", CHANCE, ["Ann", "Bob"], "en")
    assert "all see it go to your rack" in shown.rule_book[Rule.BONUS_DRAW].text.in_("en")
    assert "rack" not in drawn(EMPTY, "", "", phase=Phase.DEAL).rule_book[Rule.BONUS_DRAW].text.in_("en")


def test_text_mode_names_those_who_left_the_opening() -> None:
    position = play(dealt({}, opening="may"), "leave", "leave")
    lines = GAME.describe(position.observe(2).state, 2, ["Ann", "Bob", "Cem"], "en")
    assert "These have left the opening to the others: Ann, Bob." in lines
