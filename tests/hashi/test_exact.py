"""The fast rules equal brute force, on random positions of random boards."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hashi.oracle import PlainBoard, connected_groups
from threespan.core.game import Position
from threespan.core.material import MaterialError
from threespan.games.hashi.board import build, buildable, write
from threespan.games.hashi.game import GAME, HashiOptions
from threespan.games.hashi.scoring import connected_islands
from threespan.games.hashi.state import Phase, SeatStep

DECK = ["1/1"] * 18


def random_board(chooser: random.Random) -> dict[str, Any]:
    """18 islands anywhere on a grid, any lines between neighbours or only some of them."""
    size = chooser.randint(5, 8)
    places = chooser.sample([10 * row + column for row in range(size) for column in range(size)], 18)
    flags = [" red"] * 4 + [" blue"] * 3 + [""] * 11
    return {"islands": [f"{place:02}{flag}" for place, flag in zip(places, flags, strict=True)], "lines": "nearest"}


def random_position(seed: int, density: float) -> Position:
    """A board that has been written and built on at random, at the bridges of a round."""
    chooser = random.Random(seed)
    options = HashiOptions()
    if seed % 3:
        position = GAME.start(HashiOptions(side="AB"[seed % 2]))
    else:
        material = {"board": random_board(chooser), "cards": DECK}
        position = Position(GAME, options, material, GAME.setup(options, material))
    state = position.state
    if state.lines and chooser.random() < 0.5:  # two small neighbours: so little room that the choice matters
        line = chooser.randrange(state.lines)
        for island in (state.line_from[line], state.line_to[line]):
            write(state, 0, island, chooser.choice((1, 1, 2)))
        density = 0.0
    for _ in range(int(60 * density)):
        island = chooser.randrange(18)
        number = min(6, max(1, int(state.degree[0, island])) + chooser.choice((0, 0, 1, 1, 2, 4)))
        if (
            chooser.random() < 0.6
            and not state.number[0, island]
            and (state.degree[0, island] or not state.flag[island])
        ):
            write(state, 0, island, number)
        state.bridges_left[0] = 1
        lines = [line for line in range(state.lines) if buildable(state, 0) >> line & 1]
        if lines and chooser.random() < 0.3:
            build(state, 0, chooser.choice(lines))
    state.phase, state.step[0] = Phase.ROUND, SeatStep.BRIDGE
    state.card_number = chooser.randint(1, 6)
    state.card_bridges = state.bridges_left[0] = 1 + seed % 3
    return position


@settings(max_examples=400)
@given(st.integers(0, 10**9), st.floats(0.05, 1))
def test_bridges_are_offered_exactly_if_the_rest_can_follow(seed: int, density: float) -> None:
    position = random_position(seed, density)
    state = position.state
    for left in (1, 2, 3):
        state.bridges_left[0] = state.card_bridges = left
        lines = [line for line in range(state.lines) if buildable(state, 0) >> line & 1]
        offered = {(int(state.line_from[line]), int(state.line_to[line])) for line in lines}
        assert offered == PlainBoard(state, 0).first_bridges(left), position.text()


def test_positions_exist_in_which_only_some_first_bridges_leave_room_for_the_rest() -> None:
    """The property above is about something: all-or-nothing bites in the middle, not only at the ends."""
    found = 0
    for seed in range(400):
        board = PlainBoard(random_position(seed, 0.1 + seed / 400).state, 0)
        found += 0 < len(board.first_bridges(2)) < len(board.first_bridges(1))
    assert found > 20


@pytest.mark.kernels
@settings(max_examples=30)
@given(st.integers(0, 10**9))
def test_a_turn_once_begun_can_always_be_completed(seed: int) -> None:
    position = random_position(seed, 0.8)
    chooser = random.Random(seed)
    while position.acting() == [0]:
        bridges = [action for action in position.legal(0) if GAME.action_text(position.state, action) != "skip"]
        begun = position.state.bridges_left[0] < position.state.card_bridges
        assert bridges or not begun
        if not bridges:
            break
        position.play(0, chooser.choice(bridges))


@settings(max_examples=300)
@given(st.integers(0, 10**9), st.floats(0.3, 1))
def test_six_connected_equals_merging_groups(seed: int, density: float) -> None:
    state = random_position(seed, density).state
    largest = max((len(group) for group in connected_groups(state, 0)), default=0)
    assert bool(connected_islands(state, 0, state.finished[0])) == (largest >= 6)


def test_random_boards_can_be_played() -> None:
    """Boards are data: anything with the right islands works."""
    for seed in range(30):
        material = {"board": random_board(random.Random(seed)), "cards": DECK}
        position = Position(GAME, HashiOptions(), material, GAME.setup(HashiOptions(), material))
        assert len(position.legal(0)) == 22


def test_material_of_a_record_is_checked_like_a_file() -> None:
    with pytest.raises(MaterialError, match="17 islands"):
        GAME.setup(HashiOptions(), {"board": {"islands": [f"{n:02}" for n in range(17)]}, "cards": DECK})
    with pytest.raises(MaterialError, match="no board"):
        GAME.setup(HashiOptions(), {"cards": DECK})
    with pytest.raises(MaterialError, match="'islands' is missing"):
        GAME.setup(HashiOptions(), {"board": 7, "cards": DECK})
