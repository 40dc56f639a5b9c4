"""Hashi's bots: they know all turns, plan whole ones, see only what they may, and keep to their budget."""

import time

import numpy as np
import pytest

from hashi.drawing import drawn
from hashi.test_knowledge import SMALL, turns
from threespan.bots.bot import Budget
from threespan.bots.hashi.learn import first_weights
from threespan.bots.hashi.player import SKILLS, HashiPlayer, Skill
from threespan.bots.hashi.turns import new_desk, rate_turns, turn_actions
from threespan.bots.hashi.value import load_weights, race_pay, solo_pay
from threespan.core.chance import MatchSeed
from threespan.core.game import Position
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.rules import CHANCE
from threespan.games.hashi.game import GAME
from threespan.games.hashi.state import Phase, Step

QUICK = Budget(simulations=48)


def quick_player() -> HashiPlayer:
    return HashiPlayer(Skill(candidates=6))


def play_match(players: int, side: str, bots: list[HashiPlayer], seed: int, budget: Budget = QUICK) -> Match:
    match = Match.new(GAME, read_options(GAME.options, {"players": players, "side": side}), MatchSeed.of(str(seed)))
    while acting := match.position.acting():
        seat = acting[0]
        decision = bots[seat].decide(match.position.observe(seat), seat, budget, seed + len(match.events))
        assert decision.line[0] == decision.action
        match.play(seat, decision.action)
    return match


@pytest.mark.parametrize("card", ["1/1", "3/2", "4/3", "6/3"])
def test_every_turn_is_known_and_rated_once(card: str) -> None:
    position = drawn(SMALL, card=card, players=2)
    found = {key for key, is_done in turns(position, 0).items() if is_done}
    listed, desks = new_desk()
    before = position.state.tobytes()
    count = rate_turns(position.state, 0, first_weights(), solo_pay(), listed, desks[0])
    assert position.state.tobytes() == before
    reached = set()
    for turn in listed[:count]:
        played = position.copy()
        for action in turn_actions(position.state, 0, turn):
            played.play(0, action)
        reached.add(played.state.tobytes())
    assert len(reached) == count
    assert reached == found


def test_what_is_left_of_a_turn_is_known_too() -> None:
    position = drawn(SMALL, card="4/3", players=2)
    position.play(0, position.legal(0)[0])
    position.play(0, position.legal(0)[0])
    assert position.state.step[0] == Step.BRIDGE
    found = {key for key, is_done in turns(position, 0).items() if is_done}
    listed, desks = new_desk()
    count = rate_turns(position.state, 0, first_weights(), solo_pay(), listed, desks[0])
    reached = set()
    for turn in listed[:count]:
        played = position.copy()
        for action in turn_actions(position.state, 0, turn):
            played.play(0, action)
        reached.add(played.state.tobytes())
    assert reached == found


@pytest.mark.parametrize(("players", "side"), [(1, "A"), (2, "B"), (3, "A"), (4, "B")])
def test_decisions_are_legal_to_the_end(players: int, side: str) -> None:
    bots = [HashiPlayer(SKILLS[level]) for level in ("medium", "easy", "beginner", "medium")]
    assert play_match(players, side, bots, seed=3).position.is_over


def test_the_same_seed_and_simulations_give_the_same_match() -> None:
    one, two = (play_match(1, "A", [quick_player()], seed=5) for _ in range(2))
    assert one.events == two.events


def test_decisions_do_not_depend_on_what_is_hidden() -> None:
    match = Match.new(GAME, read_options(GAME.options, {"players": 3}), MatchSeed.of("hidden"))
    for seat, action in enumerate(("write 03 3", "write 10 4", "write 14 3")):
        match.play(seat, GAME.parse_action(match.position.state, action))
    for seat in (0, 2):
        while seat in match.position.acting() and match.position.state.phase == Phase.ROUND:
            match.play(seat, match.position.legal(seat)[0])
    seen = match.position.observe(1)
    decisions = {quick_player().decide(seen.imagine(1, deal).observe(1), 1, QUICK, 7) for deal in range(4)}
    assert len(decisions) == 1


def test_a_planned_turn_is_carried_out() -> None:
    match = Match.new(GAME, read_options(GAME.options, {}), MatchSeed.of("plan"))
    match.play(0, GAME.parse_action(match.position.state, "write 03 4"))
    bot = quick_player()
    plan = bot.decide(match.position.observe(0), 0, QUICK, 1)
    match.position.play(0, plan.action)
    for action in plan.line[1:]:
        assert bot.decide(match.position.observe(0), 0, QUICK, 99).action == action
        match.position.play(0, action)
    assert match.position.acting() == [CHANCE]


def test_a_decision_gives_its_reasons() -> None:
    match = Match.new(GAME, read_options(GAME.options, {}), MatchSeed.of("reasons"))
    match.play(0, GAME.parse_action(match.position.state, "write 03 4"))
    decision = quick_player().decide(match.position.observe(0), 0, Budget(simulations=120), 1)
    assert decision.alternatives[0].action == decision.action
    assert decision.simulations >= 120
    assert 20 < decision.value < 60
    assert all(other.visits <= decision.alternatives[0].visits for other in decision.alternatives)


def test_the_time_budget_is_kept() -> None:
    match = Match.new(GAME, read_options(GAME.options, {}), MatchSeed.of("time"))
    match.play(0, GAME.parse_action(match.position.state, "write 03 4"))
    bot = HashiPlayer(SKILLS["expert"])
    seen = match.position.observe(0)
    bot.decide(seen, 0, Budget(simulations=24), 1)
    bot = HashiPlayer(SKILLS["expert"])
    start = time.monotonic()
    bot.decide(seen, 0, Budget(seconds=0.5), 1)
    assert time.monotonic() - start < 1.5  # a look at the clock comes after each step of simulations


def test_more_skill_scores_more() -> None:
    means = {}
    for level in ("beginner", "easy", "medium"):
        scores = [
            play_match(1, "A", [HashiPlayer(SKILLS[level])], seed=seed).position.outcome()[0][0] for seed in range(30)
        ]
        means[level] = float(np.mean(scores))
    assert 20 < means["beginner"] < means["easy"] < means["medium"]
    assert means["medium"] > 40


def test_races_pay_less_the_likelier_another_is_first() -> None:
    _, completed_by = load_weights()
    position = drawn(SMALL, players=3)
    pay = race_pay(position.state, 0, completed_by)
    assert (np.diff(pay[5:], axis=0) <= 0).all()
    assert (pay[5] == [9, 7, 8]).all()
    position.state.won_in[1, 0] = 3
    assert (race_pay(position.state, 0, completed_by)[5:, 0] == 5).all()
    position.state.won_in[1, 0] = 5  # in this very round: both get the higher value
    assert race_pay(position.state, 0, completed_by)[5, 0] == 9


def test_the_start_number_is_chosen_for_oneself_or_against_the_neighbour() -> None:
    alone, together = (
        quick_player().decide(GAME.start(read_options(GAME.options, {"players": n})).observe(0), 0, QUICK, 1)
        for n in (1, 2)
    )
    assert alone.value > together.value


def test_the_weights_say_how_they_were_made() -> None:
    with np.load(GAME.folder.parents[1] / "bots" / "hashi" / "weights.npz") as learnt:
        assert str(learnt["made_by"]).startswith("python -m threespan.bots.hashi.learn")


def test_positions_are_left_alone() -> None:
    position: Position = drawn(SMALL, card="3/2", players=2).observe(0)
    before = position.state.tobytes()
    quick_player().decide(position, 0, QUICK, 1)
    assert position.state.tobytes() == before
