"""Deals are complete, teams are seated fairly, and the time limit does not cut deals off."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from arena.conftest import made_up
from threespan.arena.play import play_match
from threespan.arena.tournament import Tournament

Script = Callable[[str], ModuleType]
GAMES = {2: "stege", 3: "elfer", 4: "hashi"}


def team(contests: Any, players: int, matches: int) -> Tournament:
    found = contests.team_tournament(GAMES[players], {"players": players}, "easy", "random", 0, matches)
    assert isinstance(found, Tournament)
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_teams_have_half_of_every_seat(script: Script, players: int) -> None:
    tournament = team(script("contests"), players, 48)
    seats = Counter(
        (seat, tournament.bots[bot])
        for index in tournament.indices()
        for seat, bot in enumerate(fixture(tournament, index))
    )
    assert tournament.matches == 48
    assert set(seats.values()) == {24}


def fixture(tournament: Tournament, index: int) -> tuple[int, ...]:
    return tournament.fixture(index).bots


@pytest.mark.parametrize(("players", "matches"), [(2, 2), (3, 12), (4, 4)])
def test_there_are_whole_deals_only(script: Script, players: int, matches: int) -> None:
    assert team(script("contests"), players, 1).matches == matches
    assert team(script("contests"), players, matches + 1).matches == 2 * matches


def test_a_started_deal_is_finished(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    contests = script("contests")
    tournament = team(contests, 4, 12)
    clock = iter(range(100))  # only checked before the first match of a deal
    monkeypatch.setattr(contests.time, "monotonic", lambda: next(clock))
    begun = list(contests.begun_until(tournament, tournament.indices(), 2))
    assert begun == list(range(8))


def test_deals_that_are_not_whole_do_not_count(script: Script) -> None:
    contests = script("contests")
    tournament = team(contests, 2, 8)
    results = [made_up(tournament, index, {0: 1, 1: 0}) for index in (0, 1, 3, 4, 5)]
    assert [result.index for result in contests.whole_deals(tournament, range(8), results)] == [0, 1, 4, 5]
    assert [result.index for result in contests.whole_deals(tournament, [0, 3, 6], results)] == [0, 3]


def test_the_first_half_wins_with_all_its_seats(script: Script) -> None:
    contests = script("contests")
    tournament = team(contests, 4, 8)
    won = [made_up(tournament, index, {0: 0, 1: 9, 2: 8, 3: 8}) for index in range(4)]
    shared = [made_up(tournament, index, {0: 5, 1: 1, 2: 5, 3: 1}) for index in range(4, 8)]
    wins = contests.first_half_wins(tournament, won + shared)
    assert wins == [(0, 1.0)] * 4 + [(1, 0.5)] * 4
    estimate = contests.share_of(wins)
    assert estimate.value == 0.75
    assert estimate.low < 0.75 < estimate.high
    assert estimate.matches == 8


def test_differences_are_taken_deal_by_deal(script: Script) -> None:
    contests = script("contests")
    assert contests.differences([(0, 5.0), (1, 9.0), (1, 7.0)], [(1, 3.0), (2, 4.0)]) == [(1, 5.0)]
    assert contests.mean_of([(0, 1.0)]) is None
    assert contests.share_of([]) is None


def test_times_are_those_of_one_bot(script: Script) -> None:
    contests = script("contests")
    tournament = team(contests, 2, 4)
    results = [made_up(tournament, index, {0: 1, 1: 0}, thinking=(2.0, 4.0), slowest=(0.5, 0.7)) for index in (0, 1)]
    times = contests.times_of([(tournament, results)], "easy")
    assert times == (21, 6 / 21, 0.7)  # once on the first seat with ten decisions, once on the second with eleven
    assert contests.times_of([(tournament, results)], "expert") is None


def test_the_time_is_up_before_it_begins(script: Script, tmp_path: Path) -> None:
    contests = script("contests")
    tournament = Tournament.of("hashi", {}, ["random"], 0, 4)
    run_options = contests.RunOptions(tmp_path, 1, float("inf"), float("inf"))
    assert contests.play(tournament, "solo", run_options.without_time) == []
    played = contests.play(tournament, "solo", run_options)
    assert [result.scores for result in played] == [play_match(tournament, index).result.scores for index in range(4)]
    assert contests.play(tournament, "solo", run_options.without_time) == played


def test_titles_and_folders(script: Script) -> None:
    contests = script("contests")
    settings = {"players": 3, "symbols": True, "board": "base"}
    assert contests.title_of("elfer", settings) == "Elfer, 3 players, symbols, board base"
    assert contests.title_of("elfer", {"players": 3, "symbols": False}) == "Elfer, 3 players"
    assert contests.folder_name("elfer", settings) == "elfer-board_base-players_3-symbols_True"
