"""Sequential halving with artificial candidates."""

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np
import pytest

from threespan.bots.deciding import UNLIMITED
from threespan.bots.halving import (
    HALVING_DTYPE,
    MAX_CANDIDATES,
    begin_halving,
    drop_worse_half,
    mean_value,
    needs_batch,
    note_batch,
    rank_candidates,
)

pytestmark = pytest.mark.kernels

BATCH = 4


class Race:
    """Candidates of known worth; simulation n adds n to each of them. `elapsed` tells the time after some batches."""

    def __init__(self, *worths: float, keeps_middle: bool = False) -> None:
        self.worths = worths
        self.batches = 0
        self.left: list[int] = []  # candidates in each batch
        self.halving: Any = np.zeros(1, HALVING_DTYPE)[0]
        self.halving.sums = 99.0  # what an earlier race may have left
        self.halving.visits = self.halving.order = self.halving.stage = self.halving.done = 9
        begin_halving(self.halving, len(worths), keeps_middle)

    def run(self, simulations: int, elapsed: Callable[[int], float] = lambda _: 0.0) -> "Race":
        while needs_batch(self.halving, simulations, elapsed(self.batches)):
            first = self.halving.done
            for index, worth in enumerate(self.worths):
                if self.halving.is_alive[index]:
                    self.halving.sums[index] += worth * BATCH + sum(range(first, first + BATCH))
            self.left.append(int(self.halving.left))
            note_batch(self.halving, BATCH)
            self.batches += 1
        rank_candidates(self.halving)
        return self

    @property
    def visits(self) -> list[int]:
        return [int(visits) for visits in self.halving.visits[: len(self.worths)]]

    @property
    def best(self) -> list[int]:
        return [int(index) for index in self.halving.order[: len(self.worths)]]


def test_the_best_stays_longest() -> None:
    race = Race(1, 8, 3, 4, 5, 6, 7, 2).run(240)
    assert race.best == [1, 6, 5, 4, 3, 2, 7, 0]
    assert race.visits[1] == race.visits[6] == max(race.visits)
    assert race.visits[5] == race.visits[4] < race.visits[6]
    assert 240 <= sum(race.visits) < 240 + 3 * 8 * BATCH  # at most one batch more in each stage


@pytest.mark.parametrize(
    ("count", "keeps_middle", "stages"),
    [
        (2, False, [2]),
        (3, False, [3]),
        (3, True, [3, 2]),
        (5, False, [5, 2]),
        (5, True, [5, 3, 2]),
        (8, False, [8, 4, 2]),
        (8, True, [8, 4, 2]),
        (16, True, [16, 8, 4, 2]),
        (MAX_CANDIDATES, False, [32, 16, 8, 4, 2]),
    ],
)
def test_each_stage_has_half_of_the_candidates_and_an_equal_part_of_the_budget(
    count: int, keeps_middle: bool, stages: list[int]
) -> None:
    race = Race(*range(count), keeps_middle=keeps_middle).run(10_000)
    assert list(dict.fromkeys(race.left)) == stages
    for left in stages:
        part = left * BATCH * race.left.count(left)
        assert abs(part - 10_000 / len(stages)) <= MAX_CANDIDATES * BATCH
    assert race.best == list(range(count))[::-1]


def test_each_stage_goes_on_where_the_last_one_ended() -> None:
    race = Race(1, 2, 3, 4).run(64)
    assert race.halving.done == race.visits[3] == BATCH * race.batches
    assert mean_value(race.halving, 3) == pytest.approx(4 + (race.visits[3] - 1) / 2)


@pytest.mark.parametrize(("keeps_middle", "visits"), [(False, [8, 8, 8]), (True, [8, 8, 4])])
def test_the_middle_one_of_three_is_dropped_or_kept(keeps_middle: bool, visits: list[int]) -> None:
    assert Race(3, 2, 1, keeps_middle=keeps_middle).run(20).visits == visits


@pytest.mark.parametrize("keeps_middle", [False, True])
def test_a_single_candidate_needs_no_simulation(keeps_middle: bool) -> None:
    race = Race(1, keeps_middle=keeps_middle).run(100)
    assert (race.batches, race.best, race.visits) == (0, [0], [0])
    assert mean_value(race.halving, 0) == 0.0


@pytest.mark.parametrize("simulations", [1, UNLIMITED])
def test_without_time_every_candidate_is_tried_in_one_batch(simulations: int) -> None:
    assert Race(1, 2, 3, 4).run(simulations, lambda _: inf).visits == [BATCH] * 4


def test_each_stage_has_an_equal_part_of_the_time() -> None:
    race = Race(*range(8)).run(UNLIMITED, lambda batches: batches / 30)
    assert race.left == [8] * 10 + [4] * 10 + [2] * 10


def test_a_stage_that_comes_late_is_left_out() -> None:
    assert Race(*range(8)).run(UNLIMITED, lambda batches: (0.0, 0.7, 1.0)[batches]).left == [8, 2]


def test_the_first_limit_counts() -> None:
    by_time = Race(*range(4)).run(10_000, lambda batches: batches / 6)
    assert by_time.left == [4] * 3 + [2] * 3
    assert Race(*range(4)).run(32, lambda batches: batches / 1000).left == [4, 2, 2]


def test_of_equals_the_first_stay_and_come_first() -> None:
    assert Race(5, 7, 5, 7, 7, 5).run(120).best == [1, 3, 4, 0, 2, 5]
    race = Race(*[1] * 6)
    note_batch(race.halving, BATCH)
    drop_worse_half(race.halving)
    assert race.halving.is_alive.tolist()[:6] == [1, 1, 1, 0, 0, 0]


def test_who_stayed_longer_is_better_than_who_was_worth_more() -> None:
    race = Race(1, 2, 3)
    race.halving.visits[:3] = 4, 8, 8
    race.halving.sums[:3] = 40.0, 8.0, 16.0
    rank_candidates(race.halving)
    assert race.best == [2, 1, 0]
