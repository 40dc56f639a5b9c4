"""Sequential halving with artificial candidates."""

from typing import Any

import numpy as np
import pytest

from threespan.bots.bot import Budget
from threespan.bots.halving import SequentialHalving


class Worth:
    """Candidates of known value; simulation n adds n to each of them."""

    def __init__(self, *worths: float) -> None:
        self.worths = np.array(worths)
        self.spans: list[tuple[int, int]] = []

    def __call__(self, alive: Any, first: int, stop: int) -> Any:
        self.spans.append((first, stop))
        return np.where(alive, self.worths * (stop - first) + sum(range(first, stop)), 0.0)


def race(worth: Worth, budget: Budget, batch: int = 4, keeps_middle: bool = False) -> SequentialHalving:
    halving = SequentialHalving(len(worth.worths), batch, worth, keeps_middle)
    halving.run(budget)
    return halving


def test_the_best_stays_longest() -> None:
    halving = race(Worth(1, 8, 3, 4, 5, 6, 7, 2), Budget(simulations=240))
    assert halving.best()[:2] == [1, 6]
    assert set(halving.best()[2:4]) == {5, 4}
    assert halving.visits[1] == halving.visits.max()
    assert 240 <= halving.visits.sum() < 240 + 3 * 32  # at most one batch more in each stage


def test_each_stage_goes_on_where_the_last_one_ended() -> None:
    worth = Worth(1, 2, 3, 4)
    halving = race(worth, Budget(simulations=64))
    assert worth.spans == [(first, first + 4) for first in range(0, 4 * len(worth.spans), 4)]
    assert halving.means()[3] == pytest.approx(4 + (halving.visits[3] - 1) / 2)


@pytest.mark.parametrize(("keeps_middle", "visits"), [(False, [8, 8, 8]), (True, [8, 8, 4])])
def test_the_middle_one_of_three_is_dropped_or_kept(keeps_middle: bool, visits: list[int]) -> None:
    halving = race(Worth(3, 2, 1), Budget(simulations=20), keeps_middle=keeps_middle)
    assert halving.visits.tolist() == visits


def test_results_do_not_depend_on_threads() -> None:
    alone, together = (race(Worth(1, 2, 3, 4), Budget(simulations=128, threads=threads)) for threads in (1, 2))
    assert alone.best()[0] == together.best()[0]
    assert (alone.means() - together.means()).max() < 8


def test_a_single_candidate_needs_no_simulation() -> None:
    worth = Worth(1)
    assert race(worth, Budget(simulations=100)).best() == [0]
    assert worth.spans == []


def test_without_time_every_candidate_is_tried_once() -> None:
    assert race(Worth(1, 2, 3, 4), Budget(seconds=0.0)).visits.tolist() == [4, 4, 4, 4]
