"""The first phase: one drawn position a clause where it bites, and the nearest one where it does not."""

import numpy as np
import pytest

from asking import ask, play, texts
from stege.drawing import drawn
from threespan.core.game import NotationError, Position
from threespan.core.layout import PositionError
from threespan.core.options import read_options
from threespan.core.rules import CHANCE
from threespan.games.stege.game import GAME
from threespan.games.stege.rules import Rule
from threespan.games.stege.state import HOME, ISLAND, TurnStep

pytestmark = pytest.mark.kernels

SOME = """
 # # . . . . . . . # #
 # # . < - > . . . # #
 . . . . . . . . < - >
 . . ^ . . . . . . . .
 . . | . . . . . . . .
 . . v . . . . . . . .
 . . . . . . . . . . .
"""

# Seventeen jetties in a small sea with large islands leave no three free fields in a row or column.
FULL = """
 # # # < - > . . # # #
 # # # < - > . . # # #
 # # # . . < - > # # #
 . . < - > . . ^ . . ^
 . . < - > . . | . ^ |
 < - > . . ^ ^ v ^ | v
 . . < - > | | . | v .
 . < - > . v v . v . .
 # # # . . < - > # # #
 # # # < - > . . # # #
 # # # < - > . . # # #
"""


def test_overlap() -> None:
    position = drawn(SOME, step=TurnStep.LAY)
    assert ask(position, "lay 2,4 across") is Rule.OVERLAP  # fully
    assert ask(position, "lay 2,6 across") is Rule.OVERLAP  # with one end
    assert ask(position, "lay 1,5 down") is Rule.OVERLAP  # across the middle
    assert ask(position, "lay 4,1 across") is Rule.OVERLAP  # with the last field
    assert ask(position, "lay 3,4 across") is Rule.LEGAL  # side by side
    assert ask(position, "lay 2,7 across") is Rule.LEGAL  # end to end
    assert ask(position, "lay 7,3 down") is Rule.LEGAL  # end to end
    assert ask(position, "lay 9,4 across") is Rule.LEGAL  # alone


def test_off_board() -> None:
    position = drawn(SOME, step=TurnStep.LAY)
    assert ask(position, "lay 6,9 across") is Rule.LEGAL
    assert ask(position, "lay 6,10 across") is Rule.OFF_BOARD
    assert ask(position, "lay 6,11 across") is Rule.OFF_BOARD
    assert ask(position, "lay 6,12 across") is Rule.OFF_BOARD
    assert ask(position, "lay 9,5 down") is Rule.LEGAL
    assert ask(position, "lay 10,5 down") is Rule.OFF_BOARD
    assert ask(position, "lay 16,16 down") is Rule.OFF_BOARD
    assert ask(position, "lay 16,16 across") is Rule.OFF_BOARD


def test_off_the_largest_board_a_jetty_does_not_come_back_at_the_other_side() -> None:
    position = GAME.start(read_options(GAME.options, {"board": "large", "starts": 0}))
    assert ask(position, "lay 8,14 across") is Rule.LEGAL
    assert ask(position, "lay 8,15 across") is Rule.OFF_BOARD
    assert ask(position, "lay 13,8 down") is Rule.LEGAL
    assert ask(position, "lay 14,8 down") is Rule.LEGAL
    assert ask(position, "lay 15,8 down") is Rule.OFF_BOARD
    assert ask(play(position, "lay 4,14 across"), "lay 4,16 down", seat=1) is Rule.OVERLAP


def test_on_island() -> None:
    position = drawn(SOME, step=TurnStep.LAY)
    assert ask(position, "lay 1,2 across") is Rule.ON_ISLAND
    assert ask(position, "lay 1,3 across") is Rule.LEGAL  # it may touch the island
    assert ask(position, "lay 1,8 across") is Rule.ON_ISLAND
    assert ask(position, "lay 1,7 across") is Rule.LEGAL
    assert ask(position, "lay 8,11 down") is Rule.ON_ISLAND
    assert ask(position, "lay 7,11 down") is Rule.LEGAL


def test_an_action_that_breaks_several_clauses_names_the_first() -> None:
    position = drawn(SOME, step=TurnStep.LAY)
    assert ask(position, "lay 3,10 across") is Rule.OVERLAP  # and over the edge
    assert ask(position, "lay 1,11 down") is Rule.OVERLAP  # and on an island
    assert ask(position, "lay 1,11 across") is Rule.OFF_BOARD  # and on an island


def test_exact_fit_a_jetty_that_fits_must_be_laid() -> None:
    assert ask(drawn(SOME, step=TurnStep.LAY), "pass") is Rule.EXACT_FIT
    assert ask(drawn(FULL, step=TurnStep.LAY, island=3), "pass") is Rule.LEGAL


@pytest.mark.parametrize("text", ["lay 3,4", "lay 3,4 up", "lay 3,4 3,5 3,6", "lay 0,4 across", "lay 3,17 down"])
def test_exact_fit_three_fields_in_a_row_or_column_is_all_that_can_be_written(text: str) -> None:
    with pytest.raises(NotationError):
        ask(drawn(SOME, step=TurnStep.LAY), text)


def test_a_jetty_without_a_place_stays_out_of_the_game() -> None:
    position = drawn(FULL, step=TurnStep.LAY, island=3)
    assert texts(position) == ["pass"]
    play(position, "pass")
    assert position.acting() == [1]
    assert texts(position, 1) == ["pass"]
    play(position, "pass", seat=1)
    assert position.acting() == [CHANCE]
    assert position.state.step == TurnStep.ROLL
    assert position.state.turn == 0


def test_jetties_are_laid_in_turn_and_then_the_first_player_rolls() -> None:
    position = GAME.start(read_options(GAME.options, {"players": 3, "jetties_each": 2, "starts": 1}))
    order = []
    while position.state.step == TurnStep.LAY:
        [seat] = position.acting()
        order.append(seat)
        for other in position.seats:
            if other != seat:
                assert ask(position, "lay 13,4 across", other) is Rule.NOT_NOW
        position.play(seat, position.legal(seat)[0])
    assert order == [1, 2, 0, 1, 2, 0]
    assert position.acting() == [CHANCE]
    assert position.state.turn == 1


def test_the_same_sea_is_the_same_state_in_whatever_order_it_was_laid() -> None:
    one, other = (drawn(SOME, step=TurnStep.LAY) for _ in range(2))
    play(one, "lay 9,4 across")
    play(one, "lay 5,8 down", seat=1)
    play(other, "lay 5,8 down")
    play(other, "lay 9,4 across", seat=1)
    assert one.state.tobytes() == other.state.tobytes()


def test_who_starts_is_drawn_or_agreed() -> None:
    position = GAME.start(read_options(GAME.options, {"players": 3}))
    assert position.acting() == [CHANCE]
    assert texts(position, CHANCE) == ["start 0", "start 1", "start 2"]
    assert ask(position, "start 3", CHANCE) is Rule.NOT_NOW
    assert ask(position, "roll 3", CHANCE) is Rule.NOT_NOW
    assert ask(position, "lay 6,6 down", 0) is Rule.NOT_NOW
    play(position, "start 2", seat=CHANCE)
    assert position.acting() == [2]
    assert ask(position, "start 2", CHANCE) is Rule.NOT_NOW
    assert ask(position, "start 2", 2) is Rule.NOT_NOW
    assert GAME.start(read_options(GAME.options, {"players": 3, "starts": "1"})).acting() == [1]


def test_nothing_but_laying_belongs_to_the_first_phase() -> None:
    position = drawn(SOME, step=TurnStep.LAY)
    for action in ("take 2,4 across", "keep", "roll again", "move a island>2,4"):
        assert ask(position, action) is Rule.NOT_NOW
    assert all(text.startswith("lay ") for text in texts(position))


@pytest.mark.parametrize(
    ("options", "corners"),
    [
        ({"players": 2}, [0, 1]),
        ({"players": 2, "seating": "opposite"}, [0, 2]),
        ({"players": 3}, [0, 1, 2]),
        ({"players": 4}, [0, 1, 2, 3]),
    ],
)
def test_own_island_corners_go_clockwise(options: dict[str, object], corners: list[int]) -> None:
    position = GAME.start(read_options(GAME.options, options))
    assert position.state.corner[: len(corners)].tolist() == corners


def test_of_three_players_the_one_alone_on_a_diagonal_may_have_a_head_start() -> None:
    position = GAME.start(read_options(GAME.options, {"players": 3, "head_start": True}))
    assert np.argwhere(position.state.stone[:3] == HOME).tolist() == [[1, 0]]
    assert Position.from_text(GAME, position.options, position.text()).text() == position.text()


def test_without_a_head_start_no_stone_is_home_before_the_jetties_lie() -> None:
    position = GAME.start(read_options(GAME.options, {"players": 3}))
    assert (position.state.stone[:3] == ISLAND).all()
    position.state.stone[0, 0] = HOME
    with pytest.raises(PositionError, match="stones leave their island"):
        GAME.refresh(position.state)
