"""The statistics of artificial results."""

import pytest

from arena.conftest import made_up, tournament_of
from threespan.arena.summary import bins, meetings, quantile, rate, summarise


def test_wins_scores_and_pairs() -> None:
    tournament = tournament_of(["a", "b", "c"], 2, games=2)
    points = {0: 30, 1: 20, 2: 20}
    summary = summarise(tournament, [made_up(tournament, index, points) for index in tournament.indices()], 1.0)
    assert summary["games"] == summary["planned"] == 6
    assert [(bot["played"], bot["wins"], bot["win_rate"]) for bot in summary["bots"]] == [
        (4, 4, 1.0),
        (4, 1, 0.25),  # of two shared wins
        (4, 1, 0.25),
    ]
    assert [bot["mean_score"] for bot in summary["bots"]] == [30, 20, 20]
    assert summary["bots"][0]["scores"] == [(30, 4)]
    assert [(pair["bots"], pair["met"], pair["ahead_rate"]) for pair in summary["pairs"]] == [
        (["a", "b"], 2, 1.0),
        (["a", "c"], 2, 1.0),
        (["b", "c"], 2, 0.5),
    ]
    assert [pair["score_difference"] for pair in summary["pairs"]] == [10, 10, 0]


def test_ratings_put_the_stronger_bot_first_and_grow_sure() -> None:
    tournament = tournament_of(["weak", "strong"], 2, games=40)
    results = [made_up(tournament, index, {0: 1, 1: 2}) for index in tournament.indices()]
    few, many = (rate(2, meetings(tournament, results[:count])) for count in (4, 40))
    assert many[1][0] > few[1][0] > 25 > few[0][0] > many[0][0]
    assert many[0][1] < few[0][1] < 25 / 3


def test_the_order_in_which_matches_end_does_not_matter() -> None:
    tournament = tournament_of(["a", "b"], 2, games=10)
    results = [made_up(tournament, index, {0: index % 3, 1: 1}) for index in tournament.indices()]
    assert summarise(tournament, results, 1.0) == summarise(tournament, results[::-1], 1.0)


def test_bots_that_play_alone_meet_on_the_deals_that_all_have_played() -> None:
    tournament = tournament_of(["a", "b"], 1, games=3)
    points = {0: {0: 40, 1: 50}, 1: {0: 44, 1: 44}, 2: {0: 60, 1: 0}}
    results = [made_up(tournament, index, points[tournament.fixture(index).deal]) for index in range(5)]
    summary = summarise(tournament, results, 1.0)
    assert summary["games"] == 5
    assert [(bot["played"], bot["wins"], bot["mean_score"]) for bot in summary["bots"]] == [(2, 0.5, 42), (2, 1.5, 47)]
    assert summary["pairs"][0]["ahead_rate"] == 0.25
    assert summary["seats"] == []
    assert summary["starter"] is None


def test_seats_and_who_starts() -> None:
    tournament = tournament_of(["a", "b"], 2, games=8)
    results = []
    for index in tournament.indices():
        first, second = tournament.fixture(index).bots
        results.append(made_up(tournament, index, {first: 9, second: 1}, starter=index % 2))
    summary = summarise(tournament, results, 1.0)
    assert [(seat["win_rate"], seat["mean_score"]) for seat in summary["seats"]] == [(1.0, 9), (0.0, 1)]
    assert summary["starter"]["win_rate"] == 0.5
    assert [bot["win_rate"] for bot in summary["bots"]] == [0.5, 0.5]


def test_decision_times_and_length() -> None:
    tournament = tournament_of(["a", "b"], 2, games=2)
    results = [
        made_up(tournament, 0, {0: 1, 1: 2}, decisions=(10, 30), thinking=(1.0, 6.0), slowest=(0.3, 0.9)),
        made_up(tournament, 1, {0: 1, 1: 2}, decisions=(10, 20), thinking=(1.5, 3.0), slowest=(0.2, 0.7)),
    ]
    summary = summarise(tournament, results, 1.0)
    assert [tuple(times.values()) for times in summary["decision_times"]] == [
        ("a", 30, pytest.approx(4.0 / 30, abs=1e-6), 0.7),  # on seat 0, then on seat 1
        ("b", 40, pytest.approx(7.5 / 40, abs=1e-6), 0.9),
    ]
    assert summary["length"] == {"mean": 35.0, "min": 30, "tenth": 30, "median": 30, "ninetieth": 40, "max": 40}


def test_nothing_played_yet() -> None:
    summary = summarise(tournament_of(["a", "b"], 2), [], 0.0)
    assert [(bot["played"], bot["win_rate"], bot["win_rate_95"]) for bot in summary["bots"]] == [(0, None, [0, 1])] * 2
    assert summary["length"] is None


def test_quantiles_and_bins() -> None:
    counts = [(1, 5), (2, 4), (9, 1)]
    assert [quantile(counts, share) for share in (0, 0.5, 0.51, 0.9, 1)] == [1, 1, 2, 2, 9]
    assert bins(counts, 1, 9, 30) == (1, [5, 4, 0, 0, 0, 0, 0, 0, 1])
    assert bins(counts, 1, 9, 4) == (3, [9, 0, 1])
