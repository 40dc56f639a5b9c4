"""The bots of Stege: what they make of a position, and that each level beats weaker play."""

from collections import Counter
from itertools import islice, pairwise
from typing import Any

import numba
import numpy as np
import pytest

from bots.matches import Player, positions_to_decide, winners
from stege.drawing import drawn
from threespan.bots.bot import Alternative, Bot, Budget, Decision, RandomBot
from threespan.bots.deciding import run_decision
from threespan.bots.halving import MAX_CANDIDATES
from threespan.bots.levels import level_bots
from threespan.bots.search import SearchStyle, search
from threespan.bots.stege.decide import decide
from threespan.bots.stege.player import Skill, StegePlayer, new_learnt, new_workspaces
from threespan.bots.stege.turns import SCRATCH_DTYPE, TURN_DTYPE, play_turn, rate_turns, win_chance_after
from threespan.bots.stege.value import strength
from threespan.bots.stege.ways import MAX_COST, WATER_STEP, open_ways, way_home
from threespan.bots.stege.weights import WEIGHTS
from threespan.core.arguments import ArgumentError
from threespan.core.game import Position
from threespan.core.kernel import kernel
from threespan.core.layout import State
from threespan.core.options import read_options
from threespan.games.stege.fields import has
from threespan.games.stege.game import GAME
from threespan.games.stege.sets import word_of
from threespan.games.stege.state import HOME, ISLAND, NONE, PIPS, STONES, WIDTH, WORDS, TurnStep
from threespan.games.stege.stones import stones_home, target
from training.stege.weights import Stage, Table, evolve, first_spread, first_weights

compiled_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="a search takes too long uncompiled")

WAY = """
 # # . . . . . . . # #
 # # < - >a^ . . . # #
 . . . . . | . . . . .
 . . . . . v . < - > .
"""

DOOR_OF_THE_OTHER = """
 # # < - > . . . . # #
 # # . . . . . . . # #
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 # # . . . . . . . # #
 # # < - >D< - > . # #
"""


@kernel
def write_open_ways(state: State, seat: int, levels: Any, words: Any) -> None:
    ways = open_ways(state, seat, levels)
    for index in range(WORDS):
        words[index] = word_of(ways, index)


STYLE = SearchStyle(exploration=0.2, widening=1.5)
HASTY = Skill(candidates=2, horizon=1, budget=Budget(simulations=12))
SIMULATING = Skill(candidates=4, horizon=3, budget=Budget(simulations=48))


def all_turns(state: State, seat: int, places: int = 3, is_thorough: bool = True, weights: Any = WEIGHTS) -> Any:
    turns = np.zeros(1 << 16, TURN_DTYPE).view(np.recarray)
    return turns[: rate_turns(state, seat, weights, turns, new_scratch(), 20, places, is_thorough)]


def line_of(turn: Any) -> tuple[int, ...]:
    return tuple(int(action) for action in (turn.jetty, turn.place, turn.last) if action != NONE)


def new_scratch() -> Any:
    return np.zeros(1, SCRATCH_DTYPE).view(np.recarray)[0]


def level(name: str) -> Player:
    bots: list[Bot] = [RandomBot(), *level_bots()]
    bot = next(bot for bot in bots if bot.name == name)
    return lambda seen, seat, seed: bot.decide(seen, seat, bot.budget, seed)


def costs_home(state: State, seat: int) -> tuple[dict[int, int], dict[int, int]]:
    """By definition, what entering each field costs, and what the cheapest way home from it does (1 for the island)."""
    fields = [field for field in range(16 * WIDTH) if has(state.water, field)]
    price = {field: 1 if has(state.planks, field) else WATER_STEP for field in fields}
    cost = {field: 1 if has(state.shore[target(state, seat)], field) else 10**6 for field in fields}
    for _ in range(2 * WIDTH):
        for field in fields:
            cost[field] = min(cost[field], *(price[f] + cost[f] for f in beside(field) if f in cost))
    return price, cost


def beside(field: int) -> list[int]:
    return [field - 1, field + 1, field - WIDTH, field + WIDTH]


def start_fields(state: State, seat: int) -> list[int]:
    return [field for field in range(16 * WIDTH) if has(state.shore[state.corner[seat]], field)]


def cheapest_way(state: State, seat: int, spot: int) -> int:
    price, cost = costs_home(state, seat)
    return min(price[field] + cost[field] for field in start_fields(state, seat)) if spot == ISLAND else cost[spot]


def open_fields_on_the_way(state: State, seat: int, spot: int) -> set[int]:
    """The open fields on all cheapest ways from a spot, step by step."""
    price, cost = costs_home(state, seat)
    left = {spot}
    passed: set[int] = set()
    while left:
        here = left.pop()
        nearby = start_fields(state, seat) if here == ISLAND else beside(here)
        reached = {f for f in nearby if f in cost and price[f] + cost[f] == cheapest_way(state, seat, here)}
        left |= reached - passed
        passed |= reached
    return {field for field in passed if not has(state.planks, field)}


def test_ways_are_the_cheapest() -> None:
    state = drawn(WAY, die=3).state
    for seat in range(2):
        for spot in (ISLAND, 18, 20, 37, 53, 68, 90, 165):
            assert way_home(state, seat, spot) == cheapest_way(state, seat, spot)
    assert way_home(state, 0, HOME) == 0


@pytest.mark.parametrize("home", ["", "bcd"])
def test_open_ways_are_all_that_the_cheapest_ways_cross(home: str) -> None:
    state = drawn(WAY, die=3, home=home).state
    for seat in range(2):
        wanted = [open_fields_on_the_way(state, seat, int(spot)) for spot in state.stone[seat] if spot != HOME]
        words = np.zeros(WORDS, np.int64)
        write_open_ways(state, seat, np.zeros((MAX_COST, WORDS), np.int64), words)
        assert {field for field in range(16 * WIDTH) if has(words, field)} == set().union(*wanted)


def test_jetties_on_the_way_and_stones_at_home_make_strong() -> None:
    def stands(drawing: str, home: str = "") -> float:
        return float(strength(drawn(drawing, die=3, home=home).state, 0, 1, WEIGHTS))

    assert stands(WAY) > stands(WAY.replace("< - > .", ". . . ."))
    assert stands(WAY, home="b") > stands(WAY)


# Whole turns


@compiled_only
@pytest.mark.parametrize("players", [2, 4])
def test_turns_are_rated_by_what_they_lead_to(players: int) -> None:
    options = read_options(GAME.options, {"players": players})
    steps = set()
    for position, seat in islice(positions_to_decide(GAME, options, players, 3), 80):
        turns = all_turns(position.state, seat)
        steps.add(int(position.state.step))
        for turn in turns[:: max(1, len(turns) // 5)]:
            after = position.copy().state
            play_turn(after, seat, turn)
            following = (seat + 1) % players  # rolling again is rated as if the turn ended
            wins = stones_home(after, seat) == STONES
            assert turn.value == pytest.approx(
                1.0 if wins else win_chance_after(after, seat, following, WEIGHTS, new_scratch())
            )
    assert steps >= {TurnStep.LAY, TurnStep.JETTY, TurnStep.PLACE, TurnStep.STONE}


@compiled_only
def test_a_hasty_look_finds_some_of_the_turns_of_a_careful_one() -> None:
    options = read_options(GAME.options, {"players": 2})
    for position, seat in islice(positions_to_decide(GAME, options, 10, 3), 60):
        careful = {turn.tobytes() for turn in all_turns(position.state, seat, places=400)}
        hasty = [turn.tobytes() for turn in all_turns(position.state, seat, places=3, is_thorough=False)]
        assert hasty
        assert set(hasty) <= careful


@compiled_only
def test_rating_turns_leaves_the_state_as_it_was() -> None:
    options = read_options(GAME.options, {"players": 3})
    for position, seat in islice(positions_to_decide(GAME, options, 8, 3), 60):
        before = position.state.tobytes()
        all_turns(position.state, seat)
        assert position.state.tobytes() == before


@compiled_only
def test_every_first_action_but_passing_has_a_turn() -> None:
    options = read_options(GAME.options, {"players": 2})
    for position, seat in islice(positions_to_decide(GAME, options, 9, 3), 60):
        if position.state.step in (TurnStep.LAY, TurnStep.JETTY):
            turns = all_turns(position.state, seat)
            first = turns.place if position.state.step == TurnStep.LAY else turns.jetty
            assert set(first.tolist()) == set(position.legal(seat))


# Players


@compiled_only
def test_takes_the_last_jetty_away_from_under_the_nose() -> None:
    position = drawn(DOOR_OF_THE_OTHER, die=1, step=TurnStep.JETTY, home="ABC")
    by_search = search(position.observe(0), 0, Budget(simulations=1000), 1, STYLE)
    by_turns = StegePlayer(SIMULATING).decide(position.observe(0), 0, None, 1)
    for decision in (by_search, by_turns):
        assert GAME.action_text(position.state, decision.action) == "take 11,3 across"
        assert len(decision.line) >= 2  # it knows where to lay it


@compiled_only
def test_a_turn_is_played_as_planned() -> None:
    position = drawn(DOOR_OF_THE_OTHER, die=1, step=TurnStep.JETTY, home="ABC")
    player = StegePlayer(SIMULATING)
    plan = player.decide(position.observe(0), 0, None, 1).line
    assert len(plan) > 1
    for done, planned in pairwise(plan):
        position.play(0, done)
        assert player.decide(position.observe(0), 0, None, 99).action == planned


@compiled_only
def test_same_seed_and_simulations_give_the_same_turn() -> None:
    options = read_options(GAME.options, {"players": 2})
    budget = Budget(simulations=48)
    workspaces = new_workspaces(SIMULATING)  # what an earlier decision leaves there does not matter
    for position, seat in list(positions_to_decide(GAME, options, 3, 20))[:6]:
        seen = position.observe(seat)
        before = seen.state.tobytes()
        first, second = (StegePlayer(SIMULATING).decide(seen, seat, budget, 5) for _ in range(2))
        states = GAME.layout.array_of(seen.state)
        third = run_decision(decide, states, workspaces, new_learnt(WEIGHTS), seat, budget, 5)
        assert first == second == third
        assert seen.state.tobytes() == before


@compiled_only
def test_simulations_are_counted_and_the_best_turn_has_most() -> None:
    options = read_options(GAME.options, {"players": 2})
    position, seat = next(positions_to_decide(GAME, options, 4, 1))
    decision = StegePlayer(SIMULATING).decide(position.observe(seat), seat, Budget(simulations=480), 5)
    visits = [tried.visits for tried in decision.alternatives]
    assert decision.action == decision.alternatives[0].action
    assert visits == sorted(visits, reverse=True)
    assert len(visits) == SIMULATING.candidates
    assert 480 <= decision.simulations == sum(visits) <= 600


@compiled_only
@pytest.mark.parametrize(("simulations", "candidates"), [(1, 1), (11, 1), (12, 2), (18, 3), (24, 4), (600, 4)])
def test_a_small_budget_makes_for_few_candidates(simulations: int, candidates: int) -> None:
    options = read_options(GAME.options, {"players": 2})
    position, seat = next(positions_to_decide(GAME, options, 4, 1))
    decision = StegePlayer(SIMULATING).decide(position.observe(seat), seat, Budget(simulations=simulations), 5)
    assert len(decision.alternatives) == candidates
    assert (decision.simulations > 0) == (candidates > 1)


@compiled_only
def test_without_time_every_candidate_meets_every_roll_once() -> None:
    options = read_options(GAME.options, {"players": 2})
    position, seat = next(positions_to_decide(GAME, options, 4, 1))
    decision = StegePlayer(SIMULATING).decide(position.observe(seat), seat, Budget(seconds=0.0), 5)
    assert [tried.visits for tried in decision.alternatives] == [PIPS] * SIMULATING.candidates


@compiled_only
def test_a_bot_that_overlooks_nothing_takes_a_best_rated_turn() -> None:
    options = read_options(GAME.options, {"players": 3})
    for position, seat in islice(positions_to_decide(GAME, options, 5, 3), 30):
        decision = StegePlayer(Skill()).decide(position.observe(seat), seat, None, 3)
        values = {line_of(turn): turn.value for turn in all_turns(position.state, seat, places=6)}
        assert decision.value == values[decision.line] == max(values.values())


@compiled_only
def test_a_bot_notices_the_share_of_turns_that_it_does_not_overlook() -> None:
    options = read_options(GAME.options, {"players": 2})
    position, seat = next(positions_to_decide(GAME, options, 4, 1))
    ranked = sorted((turn.value for turn in all_turns(position.state, seat)), reverse=True)
    for overlooked in (0.3, 0.9):
        player = StegePlayer(Skill(overlooked=overlooked))
        chosen = [player.decide(position.observe(seat), seat, None, seed).value for seed in range(400)]
        worse = sum(value < ranked[0] for value in chosen) / len(chosen)
        assert worse == pytest.approx(overlooked ** ranked.count(ranked[0]), abs=0.08)
    blind = StegePlayer(Skill(overlooked=1.0))  # the turn that is noticed in any case
    assert {blind.decide(position.observe(seat), seat, None, seed).value for seed in range(400)} > set(ranked[:5])


@compiled_only
def test_among_equal_turns_none_is_preferred() -> None:
    position = drawn("", step=TurnStep.LAY)  # a symmetric sea
    ratings = all_turns(position.state, 0)
    equal = {int(turn.place) for turn in ratings if turn.value == ratings.value.max()}
    chosen = Counter(StegePlayer(Skill()).decide(position, 0, None, seed).action for seed in range(100 * len(equal)))
    assert len(equal) > 1
    assert set(chosen) == equal
    assert min(chosen.values()) > 60


@compiled_only
def test_what_was_learnt_is_passed_to_the_decision() -> None:
    options = read_options(GAME.options, {"players": 2})
    position, seat = next(positions_to_decide(GAME, options, 4, 1))
    states = GAME.layout.array_of(position.state)
    for weights in (WEIGHTS, -WEIGHTS):
        decision = run_decision(decide, states, new_workspaces(Skill()), new_learnt(weights), seat, Budget(), 1)
        assert decision.value == pytest.approx(
            max(turn.value for turn in all_turns(position.state, seat, weights=weights))
        )


@pytest.mark.kernels
def test_the_only_action_is_taken_without_a_thought() -> None:
    decision = StegePlayer(SIMULATING).decide(drawn(BACK, die=2), 0, None, 1)
    assert decision == Decision(decision.action, (decision.action,), 0.0, (Alternative(decision.action, 0, 0.0),))
    assert GAME.action_text(drawn(BACK, die=2).state, decision.action) == "move a 3,7>3,5"


@pytest.mark.parametrize("candidates", [0, MAX_CANDIDATES + 1])
def test_there_is_room_for_so_many_candidates(candidates: int) -> None:
    with pytest.raises(ArgumentError, match="candidates"):
        Skill(candidates=candidates)


# Learning


@compiled_only
def test_weights_that_want_to_go_back_lose() -> None:
    assert Table().wins(-first_weights(), first_weights(), 4, 1) < 0.5


@compiled_only
def test_learning_is_repeatable_and_keeps_the_measure() -> None:
    first, second = (evolve(first_weights(), first_spread(), Stage(1, 4, 2), 7) for _ in range(2))
    assert first.tolist() == second.tolist()
    assert first[0] == first_weights()[0]
    assert first.tolist() != first_weights().tolist()


@compiled_only
@pytest.mark.parametrize(
    ("better", "worse", "matches", "wanted"),
    [
        ("beginner", "random", 10, 10),
        ("medium", "random", 10, 10),
        ("easy", "beginner", 40, 24),
        ("medium", "easy", 40, 22),
    ],
)
def test_levels_rise(better: str, worse: str, matches: int, wanted: int) -> None:
    options = read_options(GAME.options, {"players": 2})
    players = [level(better), level(worse)]
    wins = 0
    for index in range(matches):
        seated = players if index % 2 == 0 else players[::-1]
        wins += winners(GAME, options, seated, index // 2) == [index % 2]
    assert wins >= wanted


# House rules

# The only move of stone a goes two fields back; seat 1 has no stone on a jetty.
BACK = """
 # # . . . . . . . # #
 # # . . . . . . . # #
 . . . . < -a> . . . .
"""


def decided(position: Position, skill: Skill, seat: int = 0) -> str:
    action = StegePlayer(skill).decide(position, seat, None, 1).action
    return GAME.action_text(position.state, action)


@pytest.mark.kernels
@pytest.mark.parametrize("skill", [Skill(), Skill(overlooked=0.9), HASTY, SIMULATING])
def test_a_bot_passes_when_every_move_hurts(skill: Skill) -> None:
    if skill is SIMULATING and numba.config.DISABLE_JIT:
        pytest.skip("so many simulations take too long uncompiled")
    assert decided(drawn(BACK, die=2), skill) == "move a 3,7>3,5"
    assert decided(drawn(BACK, die=2, must_move=False), skill) == "pass"
    assert decided(drawn(BACK.replace(" < -a>", "a< - >"), die=2, must_move=False), skill) == "move a 3,5>3,7"


@pytest.mark.kernels
def test_a_pass_that_stops_the_match_is_worth_its_rank() -> None:
    """With the sixth pass in a row it ends. Seat 0 is ahead or not; its only move would keep the match going."""
    for home, wanted in (("bcd", "pass"), ("ABC", "move a 3,7>3,5")):
        position = drawn(BACK, die=2, must_move=False, home=home)
        position.state.passes, position.state.turns = 5, 5
        assert decided(position, Skill()) == wanted


@compiled_only
@pytest.mark.parametrize("must_move", [True, False])
@pytest.mark.parametrize("extra_rolls", ["two", "three"])
def test_bots_play_whole_matches_by_other_readings(must_move: bool, extra_rolls: str) -> None:
    values = {"must_move": must_move, "extra_rolls": extra_rolls, "door": "beside", "board": "small"}
    options = read_options(GAME.options, values)
    wins = [winners(GAME, options, [level("random"), level("medium")], seed) for seed in range(6)]
    assert wins.count([1]) >= 5
