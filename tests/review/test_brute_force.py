"""The solver equals brute force wherever brute force can do it."""

import random
from collections import Counter

import pytest

from review.brute import Tail, best_end, eager_play, play_eagerly, random_tail, remaining_cards, score_of
from threespan.core.game import Position
from threespan.games.hashi.scoring import SOLO_LIMIT
from threespan.games.hashi.state import Bonus, Phase, SeatStep
from threespan.review.hashi.solver import solve

SEEDS = range(90)


@pytest.fixture(scope="module")
def tails() -> list[Tail]:
    return [tail for seed in SEEDS if (tail := random_tail(seed))]


def test_the_best_score_is_that_of_brute_force(tails: list[Tail]) -> None:
    for tail in tails:
        solution = solve(tail.position, tail.cards)
        assert solution.is_proved
        assert solution.score == score_of(tail.best), (tail.position.text(), tail.cards)


def test_in_some_of_them_each_race_is_won_in_time_or_late_or_never(tails: list[Tail]) -> None:
    """The comparison above is about something."""
    assert len(tails) > 50
    assert {tail.position.options.side for tail in tails} == {"A", "B"}  # type: ignore[attr-defined]
    for bonus in Bonus:
        rounds = [int(tail.best.state.won_in[0, bonus]) for tail in tails if not tail.position.state.won_in[0, bonus]]
        assert sum(won_in == 0 for won_in in rounds) >= 5
        assert sum(0 < won_in <= SOLO_LIMIT[bonus] for won_in in rounds) >= 3
        assert sum(won_in > SOLO_LIMIT[bonus] for won_in in rounds) >= 3


def moment(position: Position) -> tuple[SeatStep, int, int]:
    state = position.state
    return SeatStep(state.step[0]), int(state.card_bridges), int(state.bridges_left[0])


def test_in_the_middle_of_a_turn(tails: list[Tail]) -> None:
    moments: Counter[tuple[SeatStep, int, int]] = Counter()
    for seed, tail in enumerate(tails):
        chooser = random.Random(seed)
        position, cards = tail.position.copy(), list(tail.cards)
        on_the_way = []
        while not position.is_over:
            play_eagerly(chooser, position, cards)
            if position.state.phase == Phase.ROUND:
                on_the_way.append((position.copy(), list(cards)))
        position, cards = min(on_the_way, key=lambda here: moments[moment(here[0])])  # what was seen least
        moments[moment(position)] += 1
        best = best_end(position, cards)
        assert best
        assert solve(position, cards).score == score_of(best), (position.text(), cards)
    for bridges in (1, 2, 3):
        assert moments[SeatStep.WRITE, bridges, bridges] >= 2
        assert all(moments[SeatStep.BRIDGE, bridges, left] >= 2 for left in range(1, bridges + 1)), moments


@pytest.mark.parametrize("side", ["A", "B"])
def test_the_last_cards_of_matches(side: str) -> None:
    tried = 0
    for seed in range(20):
        chooser = random.Random(seed)
        position = eager_play(chooser, side, chooser.choice((15, 16)))
        cards = remaining_cards(chooser, position)
        if best := best_end(position, cards):
            tried += 1
            assert solve(position, cards).score == score_of(best), (position.text(), cards)
    assert tried >= 8
