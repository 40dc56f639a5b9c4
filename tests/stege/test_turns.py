"""A 1 or a 6, extra rolls and the end: drawn positions where a clause bites and where it does not."""

from itertools import permutations

import pytest

from asking import ask, play, texts
from stege.drawing import drawn
from stege.test_moving import ALONE, DOOR
from threespan.core.game import Position
from threespan.core.options import read_options
from threespan.core.rules import CHANCE
from threespan.games.stege.game import GAME
from threespan.games.stege.rules import Rule
from threespan.games.stege.state import FIELDS, HOME, MAX_TURNS, WIDTH, TurnStep
from threespan.games.stege.stones import distance

pytestmark = pytest.mark.kernels

TWO = """
 # # . . . . . . . # #
 # # . . . . . . . # #
 . . . .a< - > . . . .
 . . . . . . . . . . .
 . . . . < - > . . . .
"""

# Nineteen jetties, no place for another, and three of them fit nowhere but where they lie.
WEDGED = """
 # # # . ^ . ^ . # # #
 # # # . | ^ | . # # #
 # # # ^ v | v ^ # # #
 < - > | . v . | . . ^
 ^ . . v < - > v . . |
 | < - > . . < - > ^ v
 v . . ^ . ^ . ^ . | .
 < - > | ^ | . | . v .
 # # # v | v ^ v # # #
 # # # . v . | . # # #
 # # # < - > v . # # #
"""


def test_move_jetty() -> None:
    position = drawn(TWO, die=6, step=TurnStep.JETTY)
    assert texts(position) == ["take 5,5 across", "keep"]
    assert ask(position, "take 5,5 down") is Rule.MOVE_JETTY  # none lies like that
    assert ask(position, "take 5,6 across") is Rule.MOVE_JETTY
    assert ask(position, "take 8,8 across") is Rule.MOVE_JETTY
    assert ask(position, "lay 8,8 across") is Rule.NOT_NOW  # take one first
    assert ask(position, "pass") is Rule.NOT_NOW
    assert ask(drawn(TWO, die=3), "take 5,5 across") is Rule.MOVE_JETTY
    assert ask(drawn(TWO, die=3, step=TurnStep.AGAIN, rolls=2), "take 5,5 across") is Rule.MOVE_JETTY


@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_only_a_1_and_a_6_move_a_jetty(die: int) -> None:
    position = play(drawn(TWO, step=TurnStep.ROLL), f"roll {die}", seat=CHANCE)
    assert (ask(position, "take 5,5 across") is Rule.LEGAL) == (die in (1, 6))


def test_a_jetty_taken_must_be_laid() -> None:
    position = play(drawn(TWO, die=6, step=TurnStep.JETTY), "take 5,5 across")
    for action in ("pass", "keep", "take 3,5 across"):
        assert ask(position, action) is Rule.MOVE_JETTY
    assert ask(position, "move a 3,5>3,7") is Rule.NOT_NOW
    play(position, "lay 3,8 across")
    assert texts(position) == ["pass"]  # six fields end to end are five steps
    assert ask(position, "take 3,8 across") is Rule.MOVE_JETTY  # one jetty a turn
    play(position, "pass")
    assert position.state.turn == 1


def test_the_jetty_comes_before_the_stone_and_makes_its_way() -> None:
    position = play(drawn(TWO, die=1, step=TurnStep.JETTY), "take 5,5 across", "lay 4,5 across")
    assert ask(position, "move a 3,5>4,5") is Rule.LEGAL
    assert ask(position, "pass") is Rule.MUST_MOVE


def test_keeping_all_jetties_is_said() -> None:
    position = play(drawn(TWO, die=1, step=TurnStep.JETTY), "keep")
    assert texts(position) == ["move a 3,5>3,6"]
    assert texts(drawn(ALONE, die=1, step=TurnStep.JETTY)) == ["keep"]  # also when none can be taken


def test_jetty_occupied() -> None:
    for stone in "aA":
        position = drawn(TWO.replace("a", stone), die=6, step=TurnStep.JETTY)
        assert ask(position, "take 3,5 across") is Rule.JETTY_OCCUPIED
        assert ask(position, "take 5,5 across") is Rule.LEGAL
    last = drawn(TWO.replace("a< - >", " < -a>"), die=6, step=TurnStep.JETTY)
    assert ask(last, "take 3,5 across") is Rule.JETTY_OCCUPIED


def test_same_place() -> None:
    position = play(drawn(TWO, die=6, step=TurnStep.JETTY), "take 5,5 across")
    assert ask(position, "lay 5,5 across") is Rule.SAME_PLACE
    assert ask(position, "lay 5,6 across") is Rule.LEGAL  # the new place may cover part of the old one
    assert ask(position, "lay 5,6 down") is Rule.LEGAL
    assert ask(position, "lay 3,6 down") is Rule.OVERLAP
    down = play(drawn(" # # . .\n # # . .\n . . . ^\n . . . |\n . . . v", die=1, step=TurnStep.JETTY), "take 3,4 down")
    assert ask(down, "lay 3,4 down") is Rule.SAME_PLACE
    assert ask(down, "lay 3,4 across") is Rule.LEGAL


def test_same_place_a_jetty_that_fits_nowhere_else_cannot_be_taken() -> None:
    position = drawn(WEDGED, die=6, step=TurnStep.JETTY, island=3)
    for jetty in ("4,1 across", "8,1 across", "11,4 across"):
        assert ask(position, f"take {jetty}") is Rule.SAME_PLACE
    for jetty in ("6,2 across", "5,5 across", "4,11 down"):  # these can go one field aside
        assert ask(position, f"take {jetty}") is Rule.LEGAL
        lifted = play(position.copy(), f"take {jetty}")
        assert texts(lifted)
        assert f"lay {jetty}" not in texts(lifted)
    one_less = WEDGED.replace("v < - > v", "v . . . v")
    assert ask(drawn(one_less, die=6, step=TurnStep.JETTY, island=3), "take 4,1 across") is Rule.LEGAL


def test_three_rolls() -> None:
    position = play(drawn(ALONE, step=TurnStep.ROLL), "roll 4", seat=CHANCE)
    assert texts(position) == ["roll again", "pass"]
    play(play(position, "roll again"), "roll 2", seat=CHANCE)
    assert ask(position, "move a 3,5>3,7") is Rule.THREE_ROLLS  # the 2 would do, but only a 1 or a 6 counts now
    assert texts(position) == ["roll again", "pass"]
    play(play(position, "roll again"), "roll 2", seat=CHANCE)
    assert ask(position, "roll again") is Rule.THREE_ROLLS  # these were three
    assert texts(position) == ["pass"]
    assert play(position, "pass").state.turn == 1


def test_three_rolls_a_1_or_a_6_gives_the_jetty_and_the_move() -> None:
    position = play(drawn(TWO, die=4), "roll again")
    play(position, "roll 1", seat=CHANCE)
    assert texts(position) == ["take 5,5 across", "keep"]
    assert ask(position, "roll again") is Rule.THREE_ROLLS
    play(position, "keep")
    assert texts(position) == ["move a 3,5>3,6"]
    assert ask(position, "roll again") is Rule.THREE_ROLLS


def test_three_rolls_only_for_those_who_cannot_move() -> None:
    assert ask(drawn(ALONE, die=2), "roll again") is Rule.THREE_ROLLS
    assert ask(drawn(ALONE, die=3), "roll again") is Rule.LEGAL
    assert ask(drawn(ALONE, die=6), "roll again") is Rule.THREE_ROLLS  # a first 6 gives the jetty instead
    assert texts(drawn(ALONE, die=6)) == ["pass"]


def test_not_at_the_door() -> None:
    position = drawn(DOOR, die=4)
    assert ask(position, "roll again") is Rule.NOT_AT_THE_DOOR
    assert texts(position) == ["pass"]
    gap = DOOR.replace(" .a< - > # #", "a< - > . # #")
    assert texts(drawn(gap, die=4)) == ["roll again", "pass"]
    assert ask(drawn(DOOR.replace("a", "A"), die=4), "roll again") is Rule.LEGAL  # not this player's door


def test_at_the_door_stones_in_the_way_do_not_matter() -> None:
    assert ask(drawn(DOOR.replace("a< - >", "a<A-B>"), die=4), "roll again") is Rule.NOT_AT_THE_DOOR


def test_all_home_ends_the_match_at_once() -> None:
    position = play(drawn(DOOR, die=3, home="bcdA"), "move a 11,7>home")
    assert position.is_over
    assert position.outcome() == ([4, 1], [1, 2])
    assert dict(position.score_sheet(0)) == {Rule.ALL_HOME: 4}
    assert dict(position.score_sheet(1)) == {Rule.ALL_HOME: 1}
    assert ask(position, "pass") is Rule.NOT_NOW
    assert ask(position, "roll 1", CHANCE) is Rule.NOT_NOW
    three = play(drawn(DOOR, die=3, home="bc"), "move a 11,7>home")
    assert not three.is_over


def test_ranks_by_stones_home_then_by_distance() -> None:
    near = drawn(DOOR, step=TurnStep.ROLL)
    assert near.outcome() == ([0, 0], [1, 2])
    assert drawn(DOOR, step=TurnStep.ROLL, home="B").outcome() == ([0, 1], [2, 1])
    assert drawn(ALONE.replace("a", " "), step=TurnStep.ROLL).outcome() == ([0, 0], [1, 1])
    # Of seat 0 a stone in row 3, column 5 has 7 + 5 steps to go; of seat 1, which goes to the bottom left, 7 + 3.
    assert drawn(ALONE.replace("a< ", "a<A"), step=TurnStep.ROLL).outcome() == ([0, 0], [2, 1])


def test_the_match_is_stopped_after_400_turns_each() -> None:
    position = drawn(ALONE, die=6)
    position.state.turns = 2 * MAX_TURNS - 2
    play(position, "pass")
    assert position.acting() == [CHANCE]
    play(position, "roll 6", seat=CHANCE)
    play(position, "keep", "pass", seat=1)
    assert position.acting() == []
    assert position.state.turns == 2 * MAX_TURNS
    assert "400" in GAME.verdict(position.state, 0, "en")
    assert GAME.verdict(drawn(ALONE, die=6).state, 0, "en") == ""
    assert position.outcome() == ([0, 0], [1, 2])


def test_a_match_with_no_moves_at_all_comes_to_its_end() -> None:
    position = drawn(" # # . . .\n # # . . .\n . . . < - >", step=TurnStep.ROLL, jetties_each=1)
    for _ in range(2 * MAX_TURNS):
        assert not position.is_over
        play(position, "roll 3", seat=CHANCE)
        [seat] = position.acting()
        assert texts(position, seat) == ["roll again", "pass"]
        play(position, "pass", seat=seat)
    assert position.is_over


def steps_over_water(position: Position, corner: int, field: int) -> int:
    """The distance to an island by breadth-first search."""
    state = position.state
    size, island = int(state.board_size), int(state.island_size)
    rows = range(size - island, size) if corner in (2, 3) else range(island)
    columns = range(size - island, size) if corner in (1, 2) else range(island)
    frontier, steps, seen = {divmod(field, WIDTH)}, 0, set()
    while not any(row in rows and column in columns for row, column in frontier):
        seen |= frontier
        near = {(r + dr, c + dc) for r, c in frontier for dr, dc in permutations((0, 1), 2)}
        near |= {(r - dr, c - dc) for r, c in frontier for dr, dc in permutations((0, 1), 2)}
        frontier = {(r, c) for r, c in near if 0 <= r < size and 0 <= c < size} - seen
        steps += 1
    return steps


@pytest.mark.parametrize(("size", "island"), [(11, 1), (13, 2), (16, 3)])
def test_the_distance_left_is_that_of_a_search(size: int, island: int) -> None:
    options = read_options(GAME.options, {"players": 4})
    state = GAME.setup(options, {"board": {"size": size, "island": island}})
    position = Position(GAME, options, {}, state)
    for seat in range(4):
        goal = (seat + 2) % 4
        for field in range(FIELDS):
            row, column = divmod(field, WIDTH)
            inner = range(island, size - island)
            if row < size and column < size and (row in inner or column in inner):
                assert distance(state, seat, field) == steps_over_water(position, goal, field)
        assert distance(state, seat, HOME) == 0
        assert distance(state, seat, -1) == 2 * (size - 2 * island + 1)
