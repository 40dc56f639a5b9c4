"""What a page draws of Stege says what the state says, in the words of the notation."""

from itertools import pairwise

import numba
import pytest

from asking import play, texts
from stege.drawing import drawn
from threespan.core.game import Position
from threespan.core.options import read_options
from threespan.core.rules import CHANCE
from threespan.games.stege.game import GAME
from threespan.games.stege.jetties import has_jetty
from threespan.games.stege.state import PLACES, TurnStep
from threespan.games.stege.view import View
from threespan.testing.matches import some_positions, variants

pytestmark = pytest.mark.kernels

POSITIONS = 5 if numba.config.DISABLE_JIT else 40

SEA = """
 # #a< - > ^ . . . # #
 # # . . . | . . . # #
 . . . . .Av . . . . .
"""


def view_of(position: Position) -> View:
    return GAME.view(position.state, 0)


@pytest.mark.parametrize(("board", "far"), [("small", 10), ("base", 12), ("large", 14)])
def test_islands_lie_in_the_corners(board: str, far: int) -> None:
    position = GAME.start(read_options(GAME.options, {"board": board, "players": 4}))
    scene = GAME.scene(position.state, position.material)
    assert [(island.row, island.column) for island in scene.islands] == [(1, 1), (1, far), (far, far), (far, 1)]
    assert far + scene.island_size - 1 == scene.size
    assert [(seat.start, seat.target) for seat in scene.seats] == [(0, 2), (1, 3), (2, 0), (3, 1)]


@pytest.mark.parametrize(("seating", "starts"), [("crossing", [0, 1]), ("opposite", [0, 2])])
def test_two_players_sit_where_they_chose(seating: str, starts: list[int]) -> None:
    position = GAME.start(read_options(GAME.options, {"seating": seating}))
    scene = GAME.scene(position.state, position.material)
    assert [seat.start for seat in scene.seats] == starts


def test_a_sea_as_it_is_drawn() -> None:
    view = view_of(drawn(SEA, die=3, home="dBC"))
    assert [(jetty.place, jetty.fields) for jetty in view.jetties] == [
        ("1,3 across", [(1, 3), (1, 4), (1, 5)]),
        ("1,6 down", [(1, 6), (2, 6), (3, 6)]),
    ]
    assert view.stones == [["1,3", "island", "island", "home"], ["3,6", "home", "home", "island"]]
    assert (view.step, view.turn, view.die, view.rolls, view.taken) == ("stone", 0, 3, 1, None)


def test_a_jetty_that_was_taken_shows_where_it_lay() -> None:
    sea = """
 # # < - > ^ . . . # #
 # # . . . | . . . # #
 . . . . .Av . . . . .
"""
    position = drawn(sea, die=6, step=TurnStep.JETTY)
    view = view_of(play(position, "take 1,3 across"))
    assert view.step == "place"
    assert view.taken is not None
    assert view.taken.place == "1,3 across"
    assert [jetty.place for jetty in view.jetties] == ["1,6 down"]


def test_jetties_lie_where_they_were_laid() -> None:
    position = GAME.start(read_options(GAME.options, {"starts": 0}))
    play(position, "lay 5,5 down")
    play(position, "lay 13,9 across", seat=1)
    view = view_of(position)
    assert [jetty.place for jetty in view.jetties] == ["13,9 across", "5,5 down"]
    assert view.in_hand == [4, 4]


def test_nobody_has_the_turn_before_the_start() -> None:
    position = GAME.start(read_options(GAME.options, {"starts": "random"}))
    assert (view_of(position).step, view_of(position).turn) == ("start", None)
    play(position, "start 1", seat=CHANCE)
    assert (view_of(position).step, view_of(position).turn) == ("lay", 1)


def test_every_jetty_and_every_stone_is_shown() -> None:
    for seed, options in enumerate(variants(GAME)):
        for position in some_positions(GAME, options, seed, POSITIONS):
            view, state = view_of(position), position.state
            lying = [GAME.action_text(state, place) for place in range(PLACES) if has_jetty(state, place)]
            assert [f"lay {jetty.place}" for jetty in view.jetties] == lying
            if view.step == "stone":
                names = GAME.scene(state, position.material).stones
                spots = dict(zip(names, view.stones[int(state.turn)], strict=True))
                for text in texts(position, int(state.turn)):
                    if text.startswith("move"):
                        _, name, walk = text.split()
                        assert spots[name] == walk.partition(">")[0]


def test_a_move_lights_up_its_walk() -> None:
    position = drawn(SEA, die=4)
    move = GAME.parse_action(position.state, "move a 1,3>2,6")
    assert GAME.path(position.state, 0, move) == ["1,3", "1,4", "1,5", "1,6", "2,6"]
    from_island = GAME.parse_action(position.state, "move b island>1,6")
    assert GAME.path(position.state, 0, from_island) == ["island", "1,3", "1,4", "1,5", "1,6"]


def test_only_moves_light_something_up() -> None:
    position = drawn(SEA, die=6, step=TurnStep.JETTY)
    assert texts(position) == ["keep"]
    assert GAME.path(position.state, 0, GAME.parse_action(position.state, "keep")) == []


def test_walks_go_field_by_field_with_all_pips() -> None:
    for position in some_positions(GAME, read_options(GAME.options, {"players": 4}), 7, POSITIONS):
        for seat in set(position.acting()) & set(position.seats):
            for action in position.legal(seat)[:5]:
                if spots := GAME.path(position.state, seat, action):
                    assert GAME.action_text(position.state, action).endswith(f" {spots[0]}>{spots[-1]}")
                    assert len(spots) == position.state.die + 1
                    fields = [tuple(map(int, spot.split(","))) for spot in spots if "," in spot]
                    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(fields))
