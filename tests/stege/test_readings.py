"""The other readings of the booklet, each beside the usual one."""

from typing import Any

import pytest

from asking import ask, play, texts
from stege.drawing import drawn
from stege.test_moving import ALONE, DOOR
from stege.test_turns import TWO
from threespan.core.game import IllegalAction, Position
from threespan.core.layout import PositionError
from threespan.core.rules import CHANCE
from threespan.games.stege.game import GAME
from threespan.games.stege.rules import Rule
from threespan.games.stege.state import WIDTH, TurnStep

pytestmark = pytest.mark.kernels

# Both seats have a stone that can walk two fields.
BOTH = """
 # # . . . . . . . # #
 # # . . . . . . . # #
 . . . .a< - > . . . .
 . . . . . . . . . . .
 . . . .A< - > . . . .
"""


def passed(position: Position, times: int) -> Position:
    """Everybody in turn rolls a 2 and passes."""
    for _ in range(times):
        play(position, "roll 2", seat=CHANCE)
        play(position, "pass", seat=int(position.state.turn))
    return position


# door


@pytest.mark.parametrize(("column", "reach", "beside"), [(7, False, True), (8, False, True), (9, False, False)])
def test_the_door_is_one_roll_away_or_right_beside_the_target(column: int, reach: bool, beside: bool) -> None:
    """The jetty leads from column 7 to 9 of the last row, the target begins in column 10."""
    row = " # # . . . . < - > # #"
    stone = DOOR.replace(" # # . . . .a< - > # #", row[: 2 * column - 2] + "a" + row[2 * column - 1 :])
    assert (ask(drawn(stone, die=5), "roll again") is Rule.LEGAL) == reach
    assert (ask(drawn(stone, die=5, door="beside"), "roll again") is Rule.LEGAL) == beside
    if not beside:
        assert ask(drawn(stone, die=5, door="beside"), "roll again") is Rule.NOT_AT_THE_DOOR


def test_a_stone_above_the_target_shares_an_edge_with_it_but_not_one_at_its_corner() -> None:
    rows = [" # # . . . . . . . # #"] * 2 + [" . . . . . . . . . . ."] * 6
    above = [*rows, " . . . . . . . .a< - >", " # # . . . . . . . # #"]
    assert ask(drawn("\n".join(above), die=5, door="beside"), "roll again") is Rule.LEGAL
    above[-2] = " . . . . . . . . <a- >"
    assert ask(drawn("\n".join(above), die=5, door="beside"), "roll again") is Rule.NOT_AT_THE_DOOR


def test_only_the_own_stones_and_the_own_target_count_beside_it() -> None:
    assert ask(drawn(DOOR.replace("a< - >", " < -A>"), die=5, door="beside"), "roll again") is Rule.LEGAL
    start = drawn(" # #a< - > . . . . # #", die=5, door="beside")
    assert ask(start, "roll again") is Rule.LEGAL  # beside the island where it comes from


# extra_rolls


def test_three_more_rolls_are_four_in_all() -> None:
    position = play(drawn(ALONE, step=TurnStep.ROLL, extra_rolls="three"), "roll 4", seat=CHANCE)
    for die in (2, 3, 5):
        assert texts(position) == ["roll again", "pass"]
        play(play(position, "roll again"), f"roll {die}", seat=CHANCE)
        assert ask(position, "move a 3,5>3,7") is Rule.THREE_ROLLS
    assert position.state.rolls == 4
    assert ask(position, "roll again") is Rule.THREE_ROLLS
    assert texts(position) == ["pass"]
    assert play(position, "pass").state.turn == 1


def test_the_fourth_roll_counts_if_it_is_a_1_or_a_6() -> None:
    position = drawn(TWO, die=5, step=TurnStep.AGAIN, rolls=3, extra_rolls="three")
    play(play(position, "roll again"), "roll 1", seat=CHANCE)
    assert texts(position) == ["take 5,5 across", "keep"]
    with pytest.raises(PositionError, match="a turn has 3 at most"):
        drawn(TWO, die=5, step=TurnStep.AGAIN, rolls=4)


# must_move


def test_a_player_may_pass_instead_of_a_possible_move() -> None:
    position = drawn(ALONE, die=2, must_move=False)
    assert texts(position) == ["move a 3,5>3,7", "pass"]
    assert ask(position, "roll again") is Rule.THREE_ROLLS  # a move is possible, so there are no extra rolls
    play(position, "pass")
    assert (position.state.turn, position.state.turns, position.state.step) == (1, 1, TurnStep.ROLL)
    assert ask(drawn(ALONE, die=2), "pass") is Rule.MUST_MOVE


def test_a_roll_without_a_full_move_keeps_the_extra_rolls() -> None:
    assert texts(drawn(ALONE, die=4, must_move=False)) == ["roll again", "pass"]


@pytest.mark.parametrize("die", [1, 6])
def test_a_pass_is_possible_after_a_1_or_a_6_but_a_jetty_taken_must_be_laid(die: int) -> None:
    position = drawn(TWO, die=die, step=TurnStep.JETTY, must_move=False)
    assert ask(position, "pass") is Rule.NOT_NOW  # take a jetty or keep all first
    kept = play(position.copy(), "keep")
    assert "pass" in texts(kept)
    assert ask(kept, "roll again") is Rule.THREE_ROLLS
    play(position, "take 5,5 across")
    assert ask(position, "pass") is Rule.MOVE_JETTY
    play(position, "lay 4,5 across")
    assert texts(position)[-1] == "pass"
    assert play(position, "pass").state.turn == 1


def test_laying_is_unaffected() -> None:
    position = drawn(ALONE.replace("a", " "), step=TurnStep.LAY, must_move=False)
    assert ask(position, "pass") is Rule.EXACT_FIT


def test_three_full_rounds_of_passes_stop_and_rank_the_match() -> None:
    position = passed(drawn(BOTH, step=TurnStep.ROLL, must_move=False), 5)
    assert not position.is_over
    assert "5 passes in a row; after 6 the match is stopped." in GAME.describe(position.state, 0, ["x", "y"], "en")
    assert passed(position, 1).acting() == []
    assert position.state.turns == 6
    # Of seat 0 the stone has 7 + 5 steps to go, of seat 1, which goes to the bottom left, 5 + 3.
    assert position.outcome() == ([0, 0], [2, 1])
    assert GAME.verdict(position.state, 0, "en") == "The match was stopped: for three rounds everybody passed."


def test_with_more_players_three_rounds_are_longer() -> None:
    third = " . . . . . . . . . . .\n . . . . < - > . . . ."
    position = drawn(BOTH + third, step=TurnStep.ROLL, must_move=False, players=3, jetties_each=6)
    position.state.stone[2, 0] = 6 * WIDTH + 4
    GAME.refresh(position.state)
    passed(position, 8)
    assert not position.is_over
    assert passed(position, 1).is_over


@pytest.mark.parametrize(
    ("die", "actions"),
    [
        (2, ["move a 3,5>3,7"]),
        (4, ["pass"]),  # nothing can move: the turn is lost, and that is no pass
        (1, ["take 5,5 across", "lay 4,5 across", "pass"]),  # a jetty was moved
    ],
)
def test_anything_but_a_pass_interrupts_the_rounds_of_passes(die: int, actions: list[str]) -> None:
    position = passed(drawn(TWO, step=TurnStep.ROLL, must_move=False), 0)
    position.state.passes, position.state.turns = 4, 4
    play(position, f"roll {die}", seat=CHANCE)
    play(position, *actions)
    assert position.state.passes == 0
    assert not position.is_over


def test_keeping_all_jetties_and_passing_is_a_pass() -> None:
    position = drawn(TWO, die=1, step=TurnStep.JETTY, must_move=False)
    position.state.passes, position.state.turns = 4, 4
    assert play(position, "keep", "pass").state.passes == 5


def test_usually_nobody_counts_passes() -> None:
    position = drawn(ALONE, die=6)
    assert play(position, "pass").state.passes == 0


@pytest.mark.parametrize(
    ("text", "reason", "options"),
    [
        ("passes=2", "nobody may pass who can move", {}),
        ("passes=2", "there were not so many turns", {"must_move": False}),
        ("passes=-1,", "this turn cannot have moved a jetty", {"must_move": False}),
        ("passes=6 turns=6", "the match is over exactly when", {"must_move": False}),
    ],
)
def test_positions_that_no_match_can_have_are_refused(text: str, reason: str, options: dict[str, Any]) -> None:
    position = drawn(BOTH, step=TurnStep.ROLL, **options)
    with pytest.raises(PositionError, match=reason):
        Position.from_text(GAME, position.options, f"{position.text()} {text}")


# What players read


def test_the_sentences_are_true_under_the_options() -> None:
    stop = play(drawn(ALONE, step=TurnStep.ROLL, extra_rolls="three"), "roll 4", seat=CHANCE)
    assert GAME.describe(stop.state, 0, ["x", "y"], "en")[-1] == "You rolled a 4 (roll 1 of at most 4)."
    assert GAME.prompt(drawn(ALONE, die=2, must_move=False).state, 0, "en") == "Move a stone by 2, or pass."
    assert GAME.prompt(drawn(ALONE, die=2).state, 0, "de") == "Zieh einen Stein um 2."
    fourth = drawn(ALONE, die=5, step=TurnStep.AGAIN, rolls=4, extra_rolls="three")
    assert GAME.prompt(fourth.state, 0, "en").startswith("Fourth roll: 5.")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "One of your stones is so near its target that one roll can bring it home"),
        ({"door": "beside"}, "One of your stones stands right beside its target island"),
    ],
)
def test_a_refusal_follows_the_option(options: dict[str, Any], sentence: str) -> None:
    beside = drawn(DOOR.replace("a< - >", " < -a>"), die=5, **options)
    with pytest.raises(IllegalAction, match=sentence):
        play(beside, "roll again")


def test_the_rule_book_follows_the_options() -> None:
    book = drawn(ALONE, die=2, must_move=False, extra_rolls="three").rule_book
    assert book[Rule.MUST_MOVE].title.in_("en") == "You may pass"
    assert "four rolls in all" in book[Rule.THREE_ROLLS].text.in_("en")
    assert "three full rounds" in book.markdown("en")
    assert "three full rounds" not in drawn(ALONE, die=2).rule_book.markdown("en")
