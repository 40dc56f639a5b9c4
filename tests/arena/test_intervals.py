"""Intervals compared with known values, and their coverage."""

import random

import pytest

from threespan.arena.intervals import DealSum, by_deal, mean_interval, share_interval, student_95, wilson_interval


@pytest.mark.parametrize(
    ("wins", "played", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (50, 100, 0.4038, 0.5962), (0, 0, 0, 1)],
)
def test_wilson(wins: int, played: int, low: float, high: float) -> None:
    share = wins / played if played else 0.0
    assert wilson_interval(share, played) == pytest.approx((low, high), abs=5e-5)
    alone = [DealSum(1.0, 1)] * wins + [DealSum(0.0, 1)] * (played - wins)
    assert share_interval(alone) == pytest.approx((low, high), abs=5e-5)


def test_a_deal_with_equal_results_counts_as_one_match() -> None:
    alike = [DealSum(2.0, 2)] * 500 + [DealSum(0.0, 2)] * 500
    assert share_interval(alike) == pytest.approx(wilson_interval(0.5, 1000), abs=2e-4)


def test_matches_that_even_out_are_never_worth_more_than_they_are() -> None:
    assert share_interval([DealSum(1.0, 2)] * 50) == wilson_interval(0.5, 100)


def test_one_deal_is_one_trial() -> None:
    assert share_interval([DealSum(2.0, 2)]) == wilson_interval(1.0, 1)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (9, 2.2622), (30, 2.0423), (1000, 1.9623)],
)
def test_student(freedom: int, quantile: float) -> None:
    assert student_95(freedom) == pytest.approx(quantile, rel=1e-3)


def test_mean_interval() -> None:
    assert mean_interval([DealSum(value, 1) for value in (1, 2, 3, 4, 5)]) == pytest.approx((1.0368, 4.9632), abs=2e-3)
    assert mean_interval([DealSum(value, 1) for value in (1, 3)] * 1) == pytest.approx((-10.706, 14.706), abs=1e-2)
    assert mean_interval([DealSum(7, 2)]) is None


def test_values_are_added_up_by_deal() -> None:
    assert sorted(by_deal([(0, 1.0), (1, 5.0), (0, 2.0)])) == [DealSum(3.0, 2), DealSum(5.0, 1)]


@pytest.mark.parametrize("alike", [0.0, 0.5, 1.0])
def test_nineteen_of_twenty_intervals_contain_the_true_value(alike: float) -> None:
    rng = random.Random(1)
    truth, held, tries = 0.6, 0, 600
    for _ in range(tries):
        deals = []
        for _ in range(40):
            first = rng.random() < truth
            second = first if rng.random() < alike else rng.random() < truth
            deals.append(DealSum(float(first + second), 2))
        low, high = share_interval(deals)
        held += low <= truth <= high
    assert held / tries > 0.93
