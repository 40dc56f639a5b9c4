"""Whole deals, intervals, limits of time, and what the solver refuses."""

import random
import sys
import threading
import time
from collections.abc import Callable
from itertools import pairwise

import pytest

from review.brute import play_eagerly, score_of
from threespan.core.chance import MatchSeed
from threespan.core.errors import UserError
from threespan.core.match import Match
from threespan.core.record import read_record, replay, write_record
from threespan.core.rules import CHANCE
from threespan.games.hashi.game import GAME, HashiOptions
from threespan.review.hashi import model
from threespan.review.hashi.solver import MAX_SCORE, Solution, SolverMismatch, cards_of, solve

DEALS = [(side, seed) for side in "AB" for seed in range(3)]
Progress = list[tuple[int, int]]
Solved = dict[tuple[str, int], tuple[Solution, Progress]]


def new_match(side: str = "A", seed: int = 0, players: int = 1) -> Match:
    return Match.new(GAME, HashiOptions(side=side, players=players), MatchSeed.of(f"solver test {seed}"))


def play_texts(match: Match, actions: list[str]) -> None:
    for action in actions:
        match.play(0, GAME.parse_action(match.position.state, action))


@pytest.fixture(scope="module")
def solved() -> Solved:
    found = {}
    for side, seed in DEALS:
        match = new_match(side, seed)
        progress: Progress = []
        solution = solve(match.position, cards_of(match), on_progress=lambda *bounds: progress.append(bounds))  # noqa: B023
        found[side, seed] = solution, progress
    return found


@pytest.mark.parametrize(("side", "seed"), DEALS)
def test_the_play_gives_its_score_in_a_real_match(side: str, seed: int, solved: Solved) -> None:
    solution, _ = solved[side, seed]
    match = new_match(side, seed)
    play_texts(match, solution.actions)
    assert match.position.is_over
    assert score_of(match.position) == solution.score == solution.bound
    assert solution.is_proved


@pytest.mark.parametrize(("side", "seed"), DEALS)
def test_no_playout_on_the_same_cards_scores_more(side: str, seed: int, solved: Solved) -> None:
    chooser = random.Random(seed)
    cards = cards_of(new_match(side, seed))
    scores = []
    for _ in range(50):
        position, rest = GAME.start(HashiOptions(side=side)), list(cards)
        while not position.is_over:
            play_eagerly(chooser, position, rest)
        scores.append(score_of(position))
    assert 10 < max(scores) <= solved[side, seed][0].score


@pytest.mark.parametrize(("side", "seed"), DEALS)
def test_the_interval_shrinks_to_the_score(side: str, seed: int, solved: Solved) -> None:
    solution, progress = solved[side, seed]
    assert progress[0] == (0, MAX_SCORE)
    assert progress[-1] == (solution.score, solution.score)
    assert len(progress) > 5
    for (low, high), (next_low, next_high) in pairwise(progress):
        assert low <= next_low <= solution.score <= next_high <= high
        assert (low, high) != (next_low, next_high)


def test_the_best_score_stays_the_same_along_the_best_play_and_never_rises(solved: Solved) -> None:
    solution, _ = solved["B", 1]
    match = new_match("B", 1)
    chooser = random.Random(0)
    for index, action in enumerate(solution.actions):
        if index % 7 == 3:
            assert solve(match.position, cards_of(match)).score == solution.score
            other = match.replayed_to(len(match.events))
            other.play(0, chooser.choice(other.position.legal(0)))
            assert solve(other.position, cards_of(other)).score <= solution.score
        play_texts(match, [action])


def test_the_same_position_gets_the_same_play(solved: Solved) -> None:
    match = new_match("A", 1)
    assert solve(match.position, cards_of(match)) == solved["A", 1][0]


def test_solving_changes_nothing() -> None:
    match = new_match()
    before = match.position.state.tobytes()
    solve(match.position, cards_of(match), seconds=0.2)
    assert match.position.state.tobytes() == before


def test_cards_of_a_match_are_those_that_come() -> None:
    match = new_match()
    announced = cards_of(match)
    assert len(announced) == 17
    while not match.position.is_over:
        turned = [event.action_text.removeprefix("card ") for event in match.events if event.seat == CHANCE]
        assert turned + cards_of(match) == announced
        match.play(0, match.position.legal(0)[0])


def test_cards_of_a_match_without_its_seed_are_not_known() -> None:
    match = replay(read_record(write_record(new_match(), reveal=False)))
    with pytest.raises(UserError, match="seed of this match is not known"):
        cards_of(match)


def test_after_the_end_there_is_nothing_to_do() -> None:
    match = new_match()
    while not match.position.is_over:
        match.play(0, match.position.legal(0)[-1])
    score = score_of(match.position)
    progress: Progress = []
    solution = solve(match.position, [], on_progress=lambda *bounds: progress.append(bounds))
    assert solution == Solution(score, score, [])
    assert progress == [(score, score)]


def test_when_time_is_over_the_best_play_so_far_is_returned() -> None:
    for seconds in (0, 0.01, 0.15, 0.3):
        match = new_match("A", 1)
        started = time.monotonic()
        solution = solve(match.position, cards_of(match), seconds=seconds)
        assert time.monotonic() - started < seconds + 2
        assert 0 <= solution.score <= solution.bound <= MAX_SCORE
        play_texts(match, solution.actions)
        assert score_of(match.position) == solution.score
        if seconds == 0:
            assert (solution.score, solution.is_proved) == (0, False)


def test_without_time_a_turn_that_has_begun_is_completed() -> None:
    match, chooser = new_match(), random.Random(0)
    position, cards = match.position.copy(), cards_of(match)
    while not 0 < position.state.bridges_left[0] < position.state.card_bridges:
        play_eagerly(chooser, position, cards)
    solution = solve(position, cards, seconds=0)
    assert solution.actions[0].startswith("bridge")


def test_an_error_in_a_report_stops_the_search() -> None:
    match = new_match("A", 1)

    def give_up(low: int, _: int) -> None:
        if low > 20:
            raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        solve(match.position, cards_of(match), on_progress=give_up)
    assert threading.active_count() == before


def test_other_threads_run_meanwhile() -> None:
    """CP-SAT lets go of the interpreter: a server that solves stays awake."""
    match = new_match("A", 1)
    cards = cards_of(match)
    run = threading.Thread(target=solve, args=(match.position, cards, 1.0))
    run.start()
    naps = 0
    while run.is_alive():
        time.sleep(0.005)
        naps += 1
    assert naps > 20


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda cards: cards[1:], "16 cards are given, but 17 are still to come"),
        (lambda cards: [*cards[1:], "7/1"], "'card 7/1' is not an action"),
        (lambda _: ["5/3"] * 17, "the card 5/3 comes 17 times, but the pile has 1 of it"),
    ],
)
def test_cards_that_cannot_come_are_refused(change: Callable[[list[str]], list[str]], reason: str) -> None:
    match = new_match()
    with pytest.raises(UserError, match=reason):
        solve(match.position, change(cards_of(match)))


def test_more_players_are_refused() -> None:
    match = new_match(players=2)
    with pytest.raises(UserError, match="one player"):
        solve(match.position, cards_of(match))


def test_without_or_tools_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "ortools"]:
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("model", "search"):
        monkeypatch.delitem(sys.modules, f"threespan.review.hashi.{name}")
    match = new_match()
    with pytest.raises(UserError, match=r'pip install "threespan\[study\]"'):
        solve(match.position, cards_of(match))


def test_a_play_that_does_not_hold_what_the_model_promises_is_never_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    match = new_match()
    monkeypatch.setattr(model, "POINTS_PER_ISLAND", 3)
    with pytest.raises(SolverMismatch, match="promised"):
        solve(match.position, cards_of(match))


def test_a_play_against_the_rules_is_never_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    match = new_match()
    monkeypatch.setattr(model, "MAX_ON_LINE", 3)
    monkeypatch.setattr(
        model.HashiModel, "_pay", lambda self, _: sum(self.built[self.end, 0, copy] for copy in range(3))
    )
    with pytest.raises(SolverMismatch, match="LINE_FULL"):
        solve(match.position, cards_of(match))
