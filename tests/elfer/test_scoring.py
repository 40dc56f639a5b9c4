"""Minus points, rounds with a moving start, and shared places."""

import random

import pytest

from elfer.drawing import chance_acts, drawn, play
from threespan.core.chance import MatchSeed
from threespan.core.game import Position
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.rules import CHANCE
from threespan.games.elfer.game import GAME
from threespan.games.elfer.rules import Rule
from threespan.games.elfer.state import Phase

pytestmark = pytest.mark.kernels

START = """
        1   2   3   4   5   6   7   8   9   10  11  12  13  14  15  16  17  18  19  20
yellow  .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
red     .   .   ?   .   .   .   ?   .   .   .   11  12  13  .   .   .   ?   .   .   .
blue    .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
green   .   .   ?   .   .   .   ?   .   .   .   .   .   ?   .   .   .   ?   .   .   .
"""


def score_texts(position: Position, seat: int) -> list[str]:
    """What the one line of a score sheet says, in English and German."""
    return [GAME.score_text(position.state, seat, Rule.RACK_EMPTY, language) for language in ("en", "de")]


def test_every_tile_left_costs_its_number() -> None:
    position = drawn(START, "red10", "yellow1 green20 joker17 joker17", "star circle joker3", symbols=True)
    play(position, "lay red10")
    assert position.is_over
    assert position.outcome() == ([0, -55, -25], [1, 3, 2])
    assert list(position.score_sheet(0)) == []
    assert list(position.score_sheet(1)) == [(Rule.RACK_EMPTY, -55)]
    assert score_texts(position, 1) == [
        "Left on the rack, each tile costs its number: yellow 1; green 20; joker 17, 17",
        "Auf dem Halter übrig, jedes Plättchen kostet seine Zahl: Gelb 1; Grün 20; Joker 17, 17",
    ]
    assert score_texts(position, 2) == [
        "Left on the rack, each tile costs its number and a symbol 11: joker 3; star; circle",
        "Auf dem Halter übrig, jedes Plättchen kostet seine Zahl und ein Symbol 11: Joker 3; Stern; Kreis",
    ]


def test_the_tiles_of_earlier_rounds_are_not_on_the_racks_any_more() -> None:
    position = drawn(START, "red10", "yellow9", "green9")
    position.state.rounds, position.state.round_number = 2, 2
    position.state.minus[0] = 7
    play(position, "lay red10")
    assert score_texts(position, 0)[0] == "Left on the rack in earlier rounds"
    assert score_texts(position, 1)[0] == "Left on the rack in all rounds; in the last one: yellow 9"


def test_equal_minus_points_share_a_place() -> None:
    position = play(drawn(START, "red10", "yellow9", "green9"), "lay red10")
    assert position.outcome() == ([0, -9, -9], [1, 2, 2])


def test_points_are_written_down_when_the_round_ends() -> None:
    position = drawn(START, "red10 red9", "yellow9")
    assert position.outcome() == ([0, 0], [1, 1])
    play(position, "lay red10", "lay red9")
    assert position.outcome() == ([0, -9], [1, 2])


def test_the_next_round_starts_one_seat_further_left() -> None:
    position = play(drawn(START, "red10", "yellow9", "green9", rounds=2, starts=2), "lay red10")
    state = position.state
    assert (state.round_number, state.starter, state.turn, state.phase) == (2, 0, 0, Phase.DEAL)
    assert not state.board.any()
    assert state.bag_size == 80
    assert not state.rack.any()
    assert state.minus.tolist() == [0, 9, 9, 0]
    assert chance_acts(position)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_match_has_as_many_rounds_as_players(players: int) -> None:
    chooser = random.Random(players)
    match = Match.new(GAME, read_options(GAME.options, {"players": players, "rounds": "match"}), MatchSeed.of("rounds"))
    starters: list[int] = []
    minus = [0] * players
    while not match.position.is_over:
        state = match.position.state
        if state.round_number > len(starters):
            starters.append(int(state.starter))
            winners = [seat for seat in range(players) if state.minus[seat] == minus[seat]]
            assert len(starters) == 1 or winners  # whoever had no tile left got no minus points
            minus = state.minus.tolist()
        (seat,) = match.position.acting()
        match.play(seat, chooser.choice(match.position.legal(seat)))
    assert starters == [(starters[0] + step) % players for step in range(players)]


def test_the_starting_seat_is_drawn_by_lot() -> None:
    position = GAME.start(read_options(GAME.options, {"players": 3}))
    rules, state = GAME.kernels, position.state
    assert position.acting() == [CHANCE]
    assert rules.tickets(state) == 3
    texts = [GAME.action_text(state, action) for action in position.legal(CHANCE)]
    assert texts == ["start 0", "start 1", "start 2"]
    assert [rules.draw(state, ticket) for ticket in range(3)] == position.legal(CHANCE)
    assert {rules.weight(state, action) for action in position.legal(CHANCE)} == {1}
    play(position, "start 2")
    assert (state.starter, state.turn, state.phase) == (2, 2, Phase.DEAL)
