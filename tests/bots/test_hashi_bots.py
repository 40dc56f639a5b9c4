"""Hashi's bots: they know all turns, plan whole ones, see only what they may, and keep to their budget."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hashi.drawing import drawn
from hashi.test_knowledge import SMALL, turns
from hashi.test_material import SIDE_A, own_board
from threespan.bots.bot import Budget
from threespan.bots.deciding import MAX_STEPS, run_decision
from threespan.bots.halving import MAX_CANDIDATES
from threespan.bots.hashi.ahead import LEVEL_DTYPE, MARGIN, MAX_CARDS, MAX_TURNS, look_ahead
from threespan.bots.hashi.decide import decide
from threespan.bots.hashi.learnt import NETS, WEIGHTS, find_learnt, find_net, load_weights
from threespan.bots.hashi.levels import SKILLS
from threespan.bots.hashi.net import Values, no_net
from threespan.bots.hashi.player import HashiPlayer, Skill, new_workspaces
from threespan.bots.hashi.simulate import end_board_round
from threespan.bots.hashi.turns import board_value, new_desk, play_turn, rate_turns, turn_actions
from threespan.bots.hashi.value import solo_pay, write_race_pay
from threespan.core.arguments import ArgumentError
from threespan.core.chance import MatchSeed
from threespan.core.game import Position
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.rules import CHANCE
from threespan.games.hashi.game import GAME
from threespan.games.hashi.rules import turn_up
from threespan.games.hashi.scoring import FULL_PAY, LATE_PAY, award
from threespan.games.hashi.state import BONUSES, MAX_CARD_BRIDGES, ROUNDS, Phase, SeatStep
from training.hashi.trainee import first_net
from training.hashi.weights import first_weights

QUICK = Budget(simulations=48)
FINISHED_COUNT = Values(first_weights(), no_net(), solo_pay())


def quick_player() -> HashiPlayer:
    return HashiPlayer(Skill(knows_boards=True, candidates=6, looks=(6, 2)))


def solo_scores(skill: Skill, side: str, matches: int) -> list[int]:
    return [play_match(1, side, [HashiPlayer(skill)], seed).position.outcome()[0][0] for seed in range(matches)]


def actions_of(position: Position, turn: Any) -> list[int]:
    actions = np.zeros(MAX_STEPS, np.int16)
    listed: list[int] = actions[: turn_actions(position.state, 0, turn, actions)].tolist()
    return listed


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
    count = rate_turns(position.state, 0, FINISHED_COUNT, listed, desks[0])
    assert position.state.tobytes() == before
    reached = set()
    for turn in listed[:count]:
        played = position.copy()
        for action in actions_of(position, turn):
            played.play(0, action)
        reached.add(played.state.tobytes())
    assert len(reached) == count
    assert reached == found


def test_what_is_left_of_a_turn_is_known_too() -> None:
    position = drawn(SMALL, card="4/3", players=2)
    position.play(0, position.legal(0)[0])
    position.play(0, position.legal(0)[0])
    assert position.state.step[0] == SeatStep.BRIDGE
    found = {key for key, is_done in turns(position, 0).items() if is_done}
    listed, desks = new_desk()
    count = rate_turns(position.state, 0, FINISHED_COUNT, listed, desks[0])
    reached = set()
    for turn in listed[:count]:
        played = position.copy()
        for action in actions_of(position, turn):
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


def test_a_planned_turn_is_played() -> None:
    match = Match.new(GAME, read_options(GAME.options, {}), MatchSeed.of("plan"))
    match.play(0, GAME.parse_action(match.position.state, "write 03 4"))
    bot = quick_player()
    plan = bot.decide(match.position.observe(0), 0, QUICK, 1)
    match.position.play(0, plan.action)
    for action in plan.line[1:]:
        assert bot.decide(match.position.observe(0), 0, QUICK, 99).action == action
        match.position.play(0, action)
    assert match.position.acting() == [CHANCE]


def test_a_decision_has_alternatives() -> None:
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
    means = {level: float(np.mean(solo_scores(SKILLS[level], "A", 30))) for level in ("beginner", "easy", "medium")}
    assert 20 < means["beginner"] < means["easy"] < means["medium"]
    assert means["medium"] > 40


@pytest.mark.parametrize("side", ["A", "B"])
def test_knowing_the_board_scores_more(side: str) -> None:
    knowing, ignorant = (np.mean(solo_scores(Skill(knows_boards=knows), side, 40)) for knows in (True, False))
    assert knowing > ignorant + 2


def board_before_card(side: str, rounds: int) -> Position:
    """A board of a match by the network after some rounds, the next card not yet turned up."""
    match = Match.new(GAME, read_options(GAME.options, {"side": side}), MatchSeed.of("ahead"))
    player = HashiPlayer(Skill(knows_boards=True))
    while match.position.state.round_number < rounds or match.position.state.step[0] != SeatStep.WRITE:
        match.play(0, player.decide(match.position.observe(0), 0, QUICK, 1).action)
    before = match.position.copy()
    before.state.pile[(before.state.card_number - 1) * MAX_CARD_BRIDGES + before.state.card_bridges - 1] += 1
    before.state.round_number -= 1
    return before


def best_by_definition(position: Position, values: Values, cards: int) -> float:
    """What a look ahead finds, by recursion."""
    total = 0.0
    for kind in np.flatnonzero(position.state.pile):
        turned = position.copy()
        turn_up(turned.state, int(kind))
        listed, desks = new_desk()
        rated = listed[: rate_turns(turned.state, 0, values, listed, desks[0])]
        rated = rated[np.argsort(-rated.value, kind="stable")].copy()
        best = rated[0].value
        if cards > 1 and turned.state.round_number < ROUNDS:
            worths = []
            for turn in rated[:MAX_TURNS][rated[:MAX_TURNS].value >= best - MARGIN]:
                after = turned.copy()
                play_turn(after.state, 0, turn)
                paid = end_board_round(after.state, 0, values.pay)
                worths.append(paid + best_by_definition(after, values, cards - 1))
            best = max(worths)
        total += best * position.state.pile[kind]
    return float(total / position.state.pile.sum())


@pytest.mark.parametrize(("rounds", "cards"), [(6, 1), (12, 2), (14, 3), (16, 3)])
def test_a_look_ahead_is_the_mean_over_all_cards_of_the_best_turns(rounds: int, cards: int) -> None:
    position = board_before_card("A", rounds)
    values = Values(first_weights(), find_net(position.state), solo_pay())
    works = GAME.layout.batch(2 * MAX_CARDS + 1)
    works[0] = position.state
    levels = np.zeros(MAX_CARDS, LEVEL_DTYPE).view(np.recarray)
    listed, desks = new_desk()
    value, ratings = look_ahead(works, 0, values, cards, levels, listed, desks[0])
    assert value == pytest.approx(best_by_definition(position, values, cards), abs=1e-4)
    assert ratings >= np.count_nonzero(position.state.pile)
    assert works[0].tobytes() == position.state.tobytes()


def first_turn(players: int = 1) -> Position:
    """What the first player sees in the first round."""
    match = Match.new(GAME, read_options(GAME.options, {"players": players}), MatchSeed.of("looks"))
    for seat in range(players):
        match.play(seat, GAME.parse_action(match.position.state, "write 03 4"))
    return match.position.observe(0)


def workspace_after(skill: Skill, seen: Position, budget: Budget) -> Any:
    """What a decision leaves in its workspace."""
    workspaces = new_workspaces(skill)
    run_decision(decide, GAME.layout.array_of(seen.state), workspaces, find_learnt(seen.state), 0, budget, 1)
    return workspaces[0]


def test_looks_go_farther_for_the_better_turns() -> None:
    skill, seen = Skill(knows_boards=True, looks=(5, 2)), first_turn()
    calm, hurried = (workspace_after(skill, seen, budget).choices for budget in (Budget(), Budget(simulations=1)))
    assert calm.count == hurried.count == 5
    assert calm.visits[:2].min() > calm.visits[2:5].max()
    assert calm.visits[:5].min() > 0
    assert np.count_nonzero(hurried.visits) == 1


def test_looks_at_a_single_turn_are_not_needed() -> None:
    choices = workspace_after(Skill(knows_boards=True, candidates=5, looks=(1, 3, 1)), first_turn(), Budget()).choices
    assert np.count_nonzero(choices.visits[:3]) == np.count_nonzero(choices.visits) > 1
    assert (np.diff(choices.values[:3]) <= 0).all()


@pytest.mark.parametrize(("skill", "tried"), [(Skill(candidates=4), 4), (Skill(knows_boards=True, looks=(5, 2)), 1)])
def test_without_time_every_turn_is_tried_once_or_one_is_looked_at(skill: Skill, tried: int) -> None:
    choices = workspace_after(skill, first_turn(), Budget(seconds=0.0)).choices
    assert np.count_nonzero(choices.visits) == tried
    assert len(set(choices.visits.tolist()) - {0}) == 1


@pytest.mark.parametrize("skill", [Skill(candidates=4), Skill(knows_boards=True, looks=(5, 2))])
def test_a_decision_goes_on_in_small_steps(skill: Skill) -> None:
    """Whoever waits for it can look at the clock after each of them."""
    seen, workspaces = first_turn(), new_workspaces(skill)
    states, learnt = GAME.layout.array_of(seen.state), find_learnt(seen.state)
    query = workspaces[0].query
    query.simulations = 120
    steps = 0
    while not decide(states, workspaces, learnt):
        steps += 1
    assert steps >= 5
    query.is_begun, query.elapsed = 0, 0.0
    assert not decide(states, workspaces, learnt)
    query.elapsed = 1.0
    assert decide(states, workspaces, learnt)


def test_only_so_many_turns_are_compared() -> None:
    Skill(candidates=MAX_CANDIDATES, looks=(MAX_CANDIDATES,) * MAX_CARDS)
    for wrong in (Skill(looks=(4,)), Skill(candidates=4)):
        with pytest.raises(ArgumentError, match=f"candidates and looks: at most {MAX_CANDIDATES} turns are compared"):
            replace(wrong, candidates=MAX_CANDIDATES + 1)
    with pytest.raises(ArgumentError, match=f"at most {MAX_CANDIDATES} turns are compared"):
        Skill(looks=(2, MAX_CANDIDATES + 1))
    with pytest.raises(ArgumentError, match="looks: turns are looked at 3 cards ahead at most"):
        Skill(looks=(4, 3, 2, 1))


def test_a_player_expects_what_races_pay_in_its_eyes() -> None:
    seen, (_, completed_by) = first_turn(players=3), load_weights()
    skills = (Skill(), Skill(minds_others=False), Skill(minds_races=False))
    minding, alone, careless = (workspace_after(skill, seen, QUICK).pay for skill in skills)
    assert (minding == race_pay(seen.state, completed_by)).all()
    assert (alone == solo_pay()).all()
    assert (careless == 0).all()


def race_pay(state: Any, completed_by: Any) -> Any:
    pay = np.full((ROUNDS + 1, BONUSES), np.nan)
    write_race_pay(state, 0, completed_by, pay)
    return pay


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.kernels
def test_a_race_pays_in_full_if_nobody_else_has_completed_it(players: int) -> None:
    _, completed_by = load_weights()
    position = drawn(SMALL, players=players)
    now = int(position.state.round_number)
    pay = race_pay(position.state, completed_by)
    for bonus, (full, late) in enumerate(zip(FULL_PAY, LATE_PAY, strict=True)):
        still_open = (1 - completed_by[now - 1 : -1, bonus]) / (1 - completed_by[now - 1, bonus])
        assert pay[now:, bonus] == pytest.approx(late + (full - late) * still_open ** (players - 1))
    assert (pay[:now] == 0).all()


@pytest.mark.parametrize(
    "skill", [Skill(attention=0.3), Skill(candidates=3), Skill(knows_boards=True, looks=(2,))], ids=str
)
@pytest.mark.kernels
def test_a_decision_is_the_best_of_its_choices(skill: Skill) -> None:
    position = drawn(SMALL, card="3/1", players=2)
    position.state.round_number = ROUNDS - 1
    position.state.pile[:] = 0
    position.state.pile[:2] = 1
    decision = HashiPlayer(skill).decide(position.observe(0), 0, Budget(simulations=12), 1)
    assert decision.line[0] == decision.action == decision.alternatives[0].action
    assert decision.value == decision.alternatives[0].value
    for action in decision.line:
        position.play(0, action)
    assert position.acting() == [1]


def test_races_pay_less_the_likelier_another_is_first() -> None:
    _, completed_by = load_weights()
    position = drawn(SMALL, players=3)
    pay = race_pay(position.state, completed_by)
    assert (np.diff(pay[5:], axis=0) <= 0).all()
    assert (pay[5] == [9, 7, 8]).all()
    position.state.won_in[1, 0] = 3
    assert (race_pay(position.state, completed_by)[5:, 0] == 5).all()
    position.state.won_in[1, 0] = 5  # in this very round: both get the higher value
    assert race_pay(position.state, completed_by)[5, 0] == 9


def test_the_start_number_is_chosen_for_oneself_or_against_the_neighbour() -> None:
    alone, together = (
        quick_player().decide(GAME.start(read_options(GAME.options, {"players": n})).observe(0), 0, QUICK, 1)
        for n in (1, 2)
    )
    assert alone.value > together.value


@pytest.mark.parametrize("file", [WEIGHTS, NETS], ids=lambda file: file.name)
def test_learnt_files_name_the_command_that_made_them(file: Path) -> None:
    with np.load(file) as learnt:
        assert str(learnt["made_by"]).startswith("python -m ")


def test_nets_are_only_used_on_their_boards() -> None:
    nets = [find_net(GAME.start(read_options(GAME.options, {"side": side})).state) for side in ("A", "B")]
    assert [len(net) for net in nets] == [len(first_net(1))] * 2
    assert (nets[0] != nets[1]).any()


def test_a_board_of_your_own_is_played_by_the_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_board(tmp_path, monkeypatch, SIDE_A.replace('"04"', '"05"'))
    assert len(find_net(GAME.start(read_options(GAME.options, {"side": "mine"})).state)) == 0
    knowing, ignorant = (
        play_match(1, "mine", [HashiPlayer(Skill(knows_boards=knows, candidates=3))], 1, Budget(simulations=12))
        for knows in (True, False)
    )
    assert knowing.position.is_over
    assert knowing.events == ignorant.events


@pytest.mark.parametrize("side", ["A", "B"])
def test_a_turn_is_rated_as_the_board_it_leads_to(side: str) -> None:
    match = Match.new(GAME, read_options(GAME.options, {"side": side}), MatchSeed.of("rated"))
    values = Values(first_weights(), find_net(match.position.state), np.zeros_like(solo_pay()))
    player = HashiPlayer(Skill(knows_boards=True))
    turns, desks = new_desk()
    for seed in range(40):
        seen = match.position.observe(0)
        if seen.state.step[0] == SeatStep.WRITE:
            count = rate_turns(seen.state, 0, values, turns, desks[0])
            for turn in turns[: count : max(1, count // 20)].copy():
                after = seen.copy().state
                play_turn(after, 0, turn)
                award(after, 0)
                assert board_value(after, 0, values, new_desk()[1][0]) == pytest.approx(turn.value, abs=1e-3)
        match.play(0, player.decide(seen, 0, QUICK, seed).action)


def test_positions_are_left_alone() -> None:
    position: Position = drawn(SMALL, card="3/2", players=2).observe(0)
    before = position.state.tobytes()
    quick_player().decide(position, 0, QUICK, 1)
    assert position.state.tobytes() == before
