"""Walks of stones: one drawn position a clause where it bites, and the nearest one where it does not."""

from collections.abc import Callable
from enum import IntEnum

import pytest

from asking import ask, play, texts
from stege.drawing import drawn, ends
from threespan.core.rules import CHANCE
from threespan.games.stege.game import GAME
from threespan.games.stege.rules import Rule
from threespan.games.stege.state import TurnStep

pytestmark = pytest.mark.kernels

ALONE = """
 # # . . . . . . . # #
 # # . . . . . . . # #
 . . . .a< - > . . . .
"""

DOOR = """
 # # . . . . . . . # #
 # # . . . . . . . # #
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 # # . . . . . . . # #
 # # . . . .a< - > # #
"""


def test_own_island_is_never_entered_again() -> None:
    position = drawn(" # #a< - >", die=1)
    assert ask(position, "move a 1,3>1,2") is Rule.OWN_ISLAND
    assert ask(position, "move a 1,3>2,1") is Rule.OWN_ISLAND
    assert ask(position, "move b island>2,2") is Rule.OWN_ISLAND
    assert ask(position, "move a 1,3>1,4") is Rule.LEGAL


def test_own_island_is_the_only_island_to_come_home_to() -> None:
    position = drawn(" # # . . . .a< - > # #", die=3)
    assert ask(position, "move a 1,7>1,10") is Rule.OWN_ISLAND  # where seat 1 started
    assert ask(position, "move a 1,7>home") is Rule.NO_GAP
    assert ask(drawn(DOOR, die=3), "move a 11,7>11,10") is Rule.OWN_ISLAND  # it is written 'home'
    assert ask(drawn(DOOR, die=3), "move a 11,7>home") is Rule.LEGAL
    assert ends(drawn(DOOR, die=3)) == {"home"}


def test_a_stone_leaves_its_island_over_every_jetty_that_touches_it() -> None:
    position = drawn(
        """
 # # ^ . . . . . . # #
 # # | . . . . . . # #
 ^ . v . . . . . . . .
 | . . . . . . . . . .
 v . . . . . . . . . .
""",
        die=1,
    )
    assert ends(position) == {"1,3", "2,3", "3,1"}
    assert ends(position, "d") == {"1,3", "2,3", "3,1"}
    position.state.die = 2
    assert ends(position) == {"1,3", "2,3", "3,3", "4,1"}


def test_on_jetties() -> None:
    position = drawn(ALONE, die=2)
    assert ask(position, "move a 3,5>4,6") is Rule.ON_JETTIES
    assert ask(position, "move a 3,5>3,3") is Rule.ON_JETTIES
    assert ask(position, "move a 3,5>12,12") is Rule.ON_JETTIES  # not even on the board
    assert ask(position, "move a 3,5>3,7") is Rule.LEGAL


def test_no_gap() -> None:
    gap = " # #a< - > . < - > # #"
    assert ask(drawn(gap, die=4), "move a 1,3>1,7") is Rule.NO_GAP
    assert ask(drawn(gap, die=2), "move a 1,3>1,5") is Rule.LEGAL
    assert ask(drawn(gap.replace("> . <", "> <").replace("> #", "> . #"), die=4), "move a 1,3>1,7") is Rule.LEGAL


def test_no_diagonal() -> None:
    corner = """
 # #a< - > . . . . # #
 # # . . . < - > . # #
"""
    edge = """
 # #a< - > . . . . # #
 # # . . < - > . . # #
"""
    assert ask(drawn(corner, die=3), "move a 1,3>2,6") is Rule.NO_DIAGONAL
    assert ask(drawn(edge, die=3), "move a 1,3>2,5") is Rule.LEGAL
    assert ask(drawn(edge, die=4), "move a 1,3>2,6") is Rule.LEGAL
    assert ask(drawn(edge, die=3), "move a 1,3>2,6") is Rule.FULL_COUNT  # the short cut would be diagonal


def test_no_diagonal_onto_the_target() -> None:
    corner = DOOR.replace(".a< - > # #", ". . . . # #").replace(
        " . . . . . . . . . . .\n # # . . . . . . . # #", " . . . . . .a< - > . .\n # # . . . . . . . # #"
    )
    assert ask(drawn(corner, die=3), "move a 9,7>home") is Rule.NO_DIAGONAL
    edge = corner.replace(".a< - > . .", ". .a< - > .")
    assert ask(drawn(edge, die=3), "move a 9,8>home") is Rule.LEGAL


def test_full_count() -> None:
    assert ask(drawn(ALONE, die=1), "move a 3,5>3,6") is Rule.LEGAL
    assert ask(drawn(ALONE, die=2), "move a 3,5>3,6") is Rule.FULL_COUNT
    assert ask(drawn(ALONE, die=1), "move a 3,5>3,7") is Rule.FULL_COUNT
    assert ask(drawn(ALONE, die=1), "move a 3,5>3,5") is Rule.FULL_COUNT
    assert ask(drawn(DOOR, die=2), "move a 11,7>home") is Rule.FULL_COUNT


def test_field_taken() -> None:
    row = " # #a<A-b> < - > . # #"
    assert ask(drawn(row, die=1), "move a 1,3>1,4") is Rule.FIELD_TAKEN  # by another player
    assert ask(drawn(row, die=2), "move a 1,3>1,5") is Rule.FIELD_TAKEN  # by a stone of one's own
    assert ask(drawn(row, die=3), "move a 1,3>1,6") is Rule.LEGAL  # stones are passed over, each field counts
    assert ask(drawn(row.replace("A", " "), die=1), "move a 1,3>1,4") is Rule.LEGAL


def test_any_number_of_stones_comes_home() -> None:
    assert ask(drawn(DOOR, die=3, home="bc"), "move a 11,7>home") is Rule.LEGAL


def test_no_shuttle() -> None:
    assert ask(drawn(ALONE, die=3), "move a 3,5>3,6") is Rule.NO_SHUTTLE
    assert ask(drawn(ALONE, die=2), "move a 3,5>3,5") is Rule.NO_SHUTTLE
    assert ask(drawn(DOOR, die=5), "move a 11,7>home") is Rule.NO_SHUTTLE
    two_wide = """
 # # . . . . . . . # #
 # # . . . . . . . # #
 . . . .a< - > . . . .
 . . . . < - > . . . .
"""
    assert ask(drawn(two_wide, die=3), "move a 3,5>3,6") is Rule.LEGAL  # down, right, up
    assert ask(drawn(two_wide, die=2), "move a 3,5>3,5") is Rule.NO_SHUTTLE


def test_a_walk_may_go_round_and_end_where_it_began() -> None:
    two_wide = """
 # # . . . . . . . # #
 # # . . . . . . . # #
 . . . .a< - > . . . .
 . . . . < - > . . . .
"""
    assert ends(drawn(two_wide, die=4)) == {"3,5", "3,7", "4,6"}
    position = play(drawn(two_wide, die=4), "move a 3,5>3,5")
    assert position.state.turns == 1
    assert ask(drawn(two_wide, die=6), "move a 3,5>3,5") is Rule.LEGAL


def test_a_walk_that_ends_where_it_began_must_be_made_if_there_is_no_other() -> None:
    square = """
 # # . . . . . . . # #
 # # . . . . . . . # #
 . . . .a<b-c> . . . .
 . . . .A<B-C> . . . .
"""
    position = drawn(square, die=4)
    assert [text for text in texts(position) if text.startswith("move")] == texts(position)
    assert ends(position) == {"3,5"}
    assert ask(position, "pass") is Rule.MUST_MOVE


def test_exact_home() -> None:
    assert ask(drawn(DOOR, die=3), "move a 11,7>home") is Rule.LEGAL
    assert ask(drawn(DOOR, die=4), "move a 11,7>home") is Rule.EXACT_HOME
    assert ask(drawn(DOOR, die=6), "move a 11,7>home") is Rule.EXACT_HOME


def test_exact_home_stones_stay() -> None:
    position = drawn(DOOR, die=2, home="b")
    assert ask(position, "move b home>11,8") is Rule.EXACT_HOME
    assert ask(position, "move b home>home") is Rule.EXACT_HOME
    assert ask(position, "move b home>11,7") is Rule.FIELD_TAKEN
    assert ask(position, "move b home>6,6") is Rule.ON_JETTIES
    assert ask(position, "move b home>11,10") is Rule.OWN_ISLAND
    assert ask(position, "move a 11,7>11,9") is Rule.LEGAL


def test_must_move() -> None:
    assert ask(drawn(ALONE, die=2), "pass") is Rule.MUST_MOVE
    assert ask(drawn(ALONE, die=3), "pass") is Rule.LEGAL
    assert ask(drawn(ALONE.replace("- >", "-A>"), die=2), "pass") is Rule.LEGAL


def test_one_stone(shows: Callable[[IntEnum], None]) -> None:
    position = drawn(" # # < -a> . .", die=2)
    second = GAME.parse_action(position.state, "move b island>1,4")
    assert position.check(0, second) is Rule.LEGAL
    play(position, "move a 1,5>1,3")
    assert position.acting() == [CHANCE]
    assert position.check(0, second) is Rule.NOT_NOW
    assert position.state.turn == 1
    play(position, "roll 2", seat=CHANCE)
    assert position.check(0, second) is Rule.NOT_NOW
    shows(Rule.ONE_STONE)


def test_a_move_has_its_moment() -> None:
    for step in (TurnStep.JETTY, TurnStep.ROLL, TurnStep.OVER):
        position = drawn(
            ALONE, die=6 if step is TurnStep.JETTY else 0, step=step, home="ABCD" if step is TurnStep.OVER else ""
        )
        assert ask(position, "move a 3,5>3,7") is Rule.NOT_NOW
    assert ask(drawn(ALONE, die=2), "lay 5,5 down") is Rule.NOT_NOW
    assert ask(drawn(ALONE, die=2), "keep") is Rule.NOT_NOW
    assert ask(drawn(ALONE, die=2), "move a 3,5>3,7", seat=1) is Rule.NOT_NOW
