"""Where stones can walk, exactly: compiled rules against brute force on random seas of all sizes."""

import random
from itertools import pairwise
from typing import Any

import numba
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stege.drawing import draw, drawn
from stege.oracle import PlainSea, beside
from threespan.core.game import Position
from threespan.core.options import read_options
from threespan.games.stege.fields import flip
from threespan.games.stege.game import GAME
from threespan.games.stege.state import AGAIN, ENDS, FIELDS, HOME, ISLAND, KEEP, LAY, MOVE, PASS, TAKE, WIDTH, TurnStep
from threespan.games.stege.stones import is_at_the_door
from threespan.games.stege.walks import path_of_move

pytestmark = pytest.mark.kernels

UNCOMPILED = bool(numba.config.DISABLE_JIT)
EXAMPLES = settings(max_examples=15 if UNCOMPILED else 300)


@st.composite
def seas(draw: Any, step: TurnStep = TurnStep.STONE) -> Position:
    """A random moment: jetties crowded around some field, stones on jetties, on islands and home."""
    size, island, players = draw(st.integers(11, 16)), draw(st.integers(1, 3)), draw(st.integers(2, 4))
    die = draw(st.sampled_from([1, 6]) if step is TurnStep.JETTY else st.integers(1, 6))
    jetties = draw(st.integers(1, 20))
    chooser = random.Random(draw(st.integers(0, 2**32)))
    options = read_options(GAME.options, {"players": players, "jetties_each": 20 // players})
    material = {"board": {"size": size, "island": island}}
    state = GAME.setup(options, material)
    middle = (chooser.randrange(size), chooser.randrange(size))
    reach = chooser.choice([3, 5, 16])
    for _ in range(min(jetties, players * (20 // players))):
        places = [
            place
            for place in sorted(PlainSea(state, 0).places())
            if max(abs(place[1][0] - middle[0]), abs(place[1][1] - middle[1])) <= reach
        ]
        if places:
            place = chooser.choice(places)
            words = state.across if place[0][0] == place[1][0] else state.down
            flip(words, place[0][0] * WIDTH + place[0][1])
    free = [row * WIDTH + column for row, column in sorted(PlainSea(state, 0).planks)]
    chooser.shuffle(free)
    for seat in range(players):
        for stone in range(4 - (chooser.random() < 0.5)):
            spot = chooser.choice([ISLAND, HOME, "field", "field"]) if stone < 3 else "field"
            state.stone[seat, stone] = (free.pop() if free else ISLAND) if spot == "field" else spot
    state.in_hand[:] = 0
    state.step, state.die, state.rolls, state.turn = step, die, 1, chooser.randrange(players)
    for seat in range(players):
        if (state.stone[seat] == HOME).all():
            state.stone[seat, 0] = ISLAND
    GAME.refresh(state)
    return Position(GAME, options, material, state)


@given(seas())
@EXAMPLES
def test_the_ends_of_all_walks_are_those_of_brute_force(position: Position) -> None:
    seat = int(position.state.turn)
    sea = PlainSea(position.state, seat)
    expected = [MOVE + stone * ENDS + end for stone in range(4) for end in sorted(sea.ends(stone))]
    if not expected:
        can_roll = 1 < sea.die < 6 and not sea.is_at_the_door()
        expected = [AGAIN, PASS] if can_roll else [PASS]
    assert position.legal(seat) == expected, draw(position)


@given(seas(), st.data())
@EXAMPLES
def test_every_refused_move_names_its_clause(position: Position, data: Any) -> None:
    seat = int(position.state.turn)
    sea = PlainSea(position.state, seat)
    stone = data.draw(st.integers(0, 3))
    planks = [row * WIDTH + column for row, column in sorted(sea.planks)]
    for end in (data.draw(st.integers(0, FIELDS - 1)), HOME, *planks):
        rule = position.check(seat, MOVE + stone * ENDS + end)
        assert rule.name == sea.verdict(stone, end), (stone, divmod(end, WIDTH), draw(position))


@given(seas())
@EXAMPLES
def test_the_door_is_that_of_brute_force(position: Position) -> None:
    for seat in position.seats:
        assert is_at_the_door(position.state, seat) == PlainSea(position.state, seat).is_at_the_door(), draw(position)


@given(seas(TurnStep.JETTY))
@EXAMPLES
def test_jetties_are_taken_and_laid_as_in_brute_force(position: Position) -> None:
    seat = int(position.state.turn)
    sea = PlainSea(position.state, seat)
    takes = []
    for jetty in sea.jetties:
        sea.planks -= set(jetty)
        if not sea.stones & set(jetty) and sea.places() - {tuple(jetty)}:
            takes.append(TAKE + place_number(tuple(jetty)))
        sea.planks |= set(jetty)
    assert position.legal(seat) == [*sorted(takes), KEEP], draw(position)
    if takes:
        position.play(seat, takes[0])
        after = PlainSea(position.state, seat).places()
        lays = {LAY + place_number(place) for place in after} - {takes[0] - TAKE + LAY}
        assert position.legal(seat) == sorted(lays), draw(position)


def place_number(jetty: tuple[tuple[int, int], ...]) -> int:
    (row, column), (next_row, _), _ = jetty
    return row * WIDTH + column + FIELDS * (next_row > row)


@given(seas())
@EXAMPLES
def test_the_shown_walk_is_a_walk_and_needs_no_more_loops_than_any_other(position: Position) -> None:
    state, seat = position.state, int(position.state.turn)
    sea = PlainSea(state, seat)
    for stone in range(4):
        for end in sea.ends(stone):
            walk = path_of_move(state, seat, stone, end)
            assert walk[0] == state.stone[seat, stone]
            assert walk[-1] == end
            assert len(walk) == sea.die + 1
            spots = [divmod(spot, WIDTH) for spot in walk]
            inner = spots[walk[0] == ISLAND : len(spots) - (end == HOME)]
            assert all(b in beside(a) for a, b in pairwise(inner))
            assert all(a != c for a, c in zip(inner, inner[2:], strict=False))
            goal = sea.target if end == HOME else {divmod(end, WIDTH)}
            others = [other for other in sea.walks(stone, sea.die) if other[-1] in goal]
            fewest = min(len(other) - len(set(other)) for other in others)
            assert len(walk) - len(set(walk)) == fewest


def test_there_is_no_walk_to_show_for_an_illegal_move() -> None:
    position = drawn(" # #a< - >", die=3, home="b")
    for stone, end in ((0, 3), (0, 9), (0, HOME), (1, 2)):
        with pytest.raises(ValueError, match="no walk"):
            path_of_move(position.state, 0, stone, end)


def test_the_shown_walk_goes_straight_where_it_can() -> None:
    position = drawn(
        """
 # #a< - > < - > . # #
 # # < - > < - > . # #
""",
        die=5,
    )
    assert [spot % WIDTH for spot in path_of_move(position.state, 0, 0, 7)] == [2, 3, 4, 5, 6, 7]
    # Three steps lead to the field below; five need a detour, and the shortest-looking one turns back at once.
    assert path_of_move(position.state, 0, 0, WIDTH + 2) == [2, 3, 4, WIDTH + 4, WIDTH + 3, WIDTH + 2]


def test_the_same_legal_moves_in_a_sea_and_in_its_mirror() -> None:
    position = drawn(" # #a< - > . . . . # #\n # # . .A< - > . . # #", die=4)
    mirror = drawn(" # # . . . . < -A> # #\n # # . . < -a> . . # #", die=4, turn=1)
    moves = [divmod(action - MOVE, ENDS) for action in position.legal(0)]
    mirrored = {(stone, end // WIDTH, 10 - end % WIDTH) for stone, end in moves}
    found = [divmod(action - MOVE, ENDS) for action in mirror.legal(1)]
    assert {(stone, end // WIDTH, end % WIDTH) for stone, end in found} == mirrored
    assert mirrored


def test_clauses_of_walks_are_all_met_in_random_seas() -> None:
    """The oracle and the rules agree above; here they are seen to have had something to agree on."""
    met: set[str] = set()

    @given(seas())
    @settings(max_examples=40)
    def look(position: Position) -> None:
        seat = int(position.state.turn)
        planks = [row * WIDTH + column for row, column in PlainSea(position.state, seat).planks]
        for end in (0, WIDTH - 1, *planks):
            met.update(position.check(seat, MOVE + stone * ENDS + end).name for stone in range(4))

    look()
    walk_clauses = {"OWN_ISLAND", "ON_JETTIES", "NO_GAP", "NO_DIAGONAL", "FULL_COUNT", "FIELD_TAKEN", "NO_SHUTTLE"}
    assert met >= walk_clauses | {"LEGAL"}
