"""The bots of Elfer: what they see, which turns they find, how they simulate, and that each level beats weaker play."""

from typing import Any

import numba
import numpy as np
import pytest

from bots.matches import Player, positions_to_decide, winners
from elfer.drawing import REST, drawn
from elfer.test_knowledge import dealt
from threespan.bots.bot import Bot, Budget, RandomBot
from threespan.bots.elfer.beliefs import imagine_likely, long_open
from threespan.bots.elfer.decide import WORLDS_PER_BATCH, decide
from threespan.bots.elfer.features import FEATURES, MOMENTS, Feature, Moment, board_after, features, moment_after
from threespan.bots.elfer.learnt import new_learnt
from threespan.bots.elfer.levels import SKILLS
from threespan.bots.elfer.player import ElferPlayer, Skill, new_workspaces
from threespan.bots.elfer.turns import find_turns, keep_likeliest
from threespan.bots.elfer.weights import WEIGHTS
from threespan.bots.evaluation import rate
from threespan.bots.halving import MAX_CANDIDATES, begin_halving
from threespan.bots.levels import level_bots
from threespan.core.arguments import ArgumentError
from threespan.core.chance import new_rng
from threespan.core.game import Position
from threespan.core.layout import State
from threespan.core.options import read_options
from threespan.games.elfer.game import GAME
from threespan.games.elfer.state import COLOURED_NUMBERS, HAND, LAY, NUMBER_FIELDS, STOP, Phase, field_at, tile_for
from threespan.games.elfer.tiles import can_lay
from training.elfer.weights import improve, source

compiled_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="a search takes too long uncompiled")

TWO_LAID = """
yellow  .   .   .   .   .   .   .   .   .   .   11  .   .   .   .   .   .   .   .   .
red     .   .   .   .   .   .   .   .   9*  10* 11  .   .   .   .   .   .   .   .   .
blue    .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
green   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
"""
ONE_LAID = TWO_LAID.replace("9* ", ".  ")
RACK = "red8 red12 red14 red15 yellow12 green1 green20 joker3"


def action(position: Position, text: str) -> int:
    return GAME.parse_action(position.state, text)


def seen_after(text: str, rack: str = RACK, phase: Phase = Phase.LAY, drawing: str = TWO_LAID) -> dict[Feature, float]:
    position = drawn(drawing, rack, "blue2", phase=phase)
    counted = features(position.state, 0, action(position, text))
    return {feature: float(counted[feature]) for feature in Feature}


def some_positions(players: int, symbols: bool) -> list[tuple[Position, int]]:
    options = read_options(GAME.options, {"players": players, "symbols": symbols})
    return [found for seed in range(3) for found in positions_to_decide(GAME, options, seed, every=3)]


# What they see


def test_what_is_counted_after_a_tile_is_laid() -> None:
    # red12 makes red13 and, with it, red14 and red15 reachable only for whoever has the joker 13.
    seen = seen_after("lay red12")
    assert seen[Feature.FITS] == pytest.approx(2 / 4)  # yellow12, red8
    assert seen[Feature.OWN_REACH] == pytest.approx(2 / 8)
    assert seen[Feature.ONE_AWAY] == pytest.approx(1 / 4)  # red14
    assert seen[Feature.FAR_AWAY] == pytest.approx(7 / 8)  # red15, green1, green20, joker3 on its four fields
    assert seen[Feature.RACK] == pytest.approx(7 / 10)
    assert seen[Feature.PAIR] == seen[Feature.PAIR_AND_BLOCKED] == 1


def test_a_pair_is_seen_when_it_is_made() -> None:
    assert seen_after("lay red12", drawing=ONE_LAID)[Feature.PAIR] == 0
    assert seen_after("lay red8", rack="red8 green1 red9", drawing=ONE_LAID.replace("10*", "10 "))[Feature.PAIR] == 0
    assert seen_after("lay red9", rack="red9 green1", drawing=ONE_LAID)[Feature.PAIR] == 1


def test_who_thinks_of_the_own_rack_only_overlooks_unseen_tiles_and_gifts() -> None:
    selfish = new_learnt()[0].selfish_weights
    about_others = {feature for feature in Feature if "UNSEEN" in feature.name or "GIFT" in feature.name}
    overlooked = {feature for feature in Feature if (selfish != WEIGHTS)[:, :, feature].any()}
    assert len(about_others) == 9
    assert about_others == overlooked
    assert not selfish[:, :, sorted(overlooked)].any()


def test_a_gift_is_judged_by_its_way_to_an_open_field() -> None:
    near, guarded, far = (seen_after(f"hand {tile}", phase=Phase.HAND) for tile in ("red12", "red15", "green20"))
    assert (near[Feature.GIFT_FITS], near[Feature.GIFT_STEPS], near[Feature.GIFT_GUARDS]) == (1, 0, 0)
    assert guarded[Feature.GIFT_STEPS] == pytest.approx(3 / 4)
    assert guarded[Feature.GIFT_GUARDS] == 1  # red12 and red14 are the giver's
    assert far[Feature.GIFT_STEPS] == pytest.approx(6 / 4)
    assert far[Feature.GIFT_GUARDS] == 0


def test_every_action_leads_to_one_moment() -> None:
    position = drawn(TWO_LAID, RACK, "blue2")
    assert moment_after(position.state, action(position, "lay red12")) == Moment.LAYING_ENDS
    assert moment_after(position.state, action(position, "stop")) == Moment.LAYING_ENDS
    assert moment_after(drawn(ONE_LAID, RACK, "blue2").state, action(position, "lay red12")) == Moment.LAYING
    handing = drawn(TWO_LAID, RACK, "blue2", phase=Phase.HAND)
    assert moment_after(handing.state, action(handing, "hand red12")) == Moment.HANDING_DECIDED
    assert moment_after(handing.state, action(handing, "keep")) == Moment.HANDING_DECIDED


@pytest.mark.kernels
@pytest.mark.parametrize(("players", "symbols"), [(2, False), (3, True), (4, True)])
def test_the_board_after_an_action_is_the_one_that_the_rules_make(players: int, symbols: bool) -> None:
    for position, seat in some_positions(players, symbols):
        for choice in position.legal(seat):
            masks = board_after(position.state, choice)
            counted = features(position.state, seat, choice)
            after = position.copy()
            after.play(seat, choice)
            if after.is_over:
                continue
            assert list(masks[:2]) == after.state.laid[:2].tolist()
            assert list(masks[2:4]) == after.state.inviting[:2].tolist()
            assert counted[Feature.RACK] == pytest.approx(int(after.state.rack_size[seat]) / 10)
            if choice < LAY + NUMBER_FIELDS or HAND <= choice <= STOP:
                assert (counted[Feature.NOTHING_FITS] == 0) == can_lay(after.state, seat)


@pytest.mark.kernels
@pytest.mark.parametrize(("players", "symbols"), [(2, True), (3, False)])
def test_only_what_a_seat_knows_is_counted(players: int, symbols: bool) -> None:
    for position, seat in some_positions(players, symbols):
        observed = position.observe(seat)
        for choice in position.legal(seat):
            assert features(position.state, seat, choice) == features(observed.state, seat, choice)


# Which turns they find


def seen_by(position: Position, seat: int) -> Any:
    return GAME.layout.array_copy(position.observe(seat).state)


def turns_of(position: Position, seat: int, wanted: int) -> Any:
    workspace = new_workspaces(Skill())[0]
    turns, candidates = workspace.turns, workspace.candidates
    count = find_turns(seen_by(position, seat), seat, WEIGHTS, turns, workspace.states, workspace.scratch)
    return candidates[: keep_likeliest(turns, count, wanted, candidates)]


def played(position: Position, seat: int, turn: Any) -> Position:
    after = position.copy()
    for step in turn["actions"][: turn["length"]]:
        after.play(seat, int(step))
    return after


@pytest.mark.kernels
def test_planned_turns_are_lawful_complete_and_all_different() -> None:
    for position, seat in some_positions(3, symbols=True)[::12]:
        turns = turns_of(position, seat, MAX_CANDIDATES)
        ends = [played(position, seat, turn) for turn in turns]
        assert all(end.acting() != [seat] for end in ends)
        assert len({end.state.tobytes() for end in ends}) == len(ends)
        assert list(turns["chance"]) == sorted(turns["chance"], reverse=True)


@pytest.mark.kernels
def test_the_likeliest_turns_are_kept_and_the_first_of_equals_comes_first() -> None:
    workspace = new_workspaces(Skill())[0]
    chances = [0.1, 0.4, 0.2, 0.4, 0.2, 0.5, 0.4]
    for index, chance in enumerate(chances):
        turn = workspace.turns[index]
        turn.chance, turn.length, turn.is_complete = chance, index, chance != 0.5
    assert keep_likeliest(workspace.turns, len(chances), 4, workspace.candidates) == 4
    assert workspace.candidates["length"][:4].tolist() == [1, 3, 6, 2]
    assert keep_likeliest(workspace.turns, len(chances), 20, workspace.candidates) == 6
    assert workspace.candidates["length"][:6].tolist() == [1, 3, 6, 2, 4, 0]


def test_the_chances_of_all_turns_make_a_whole() -> None:
    position = drawn(TWO_LAID, "red8 red12 yellow12", "blue2 blue4")
    workspace = new_workspaces(Skill())[0]
    weights = np.zeros_like(WEIGHTS)
    count = find_turns(seen_by(position, 0), 0, weights, workspace.turns, workspace.states, workspace.scratch)
    turns = workspace.turns[:count]
    complete = turns[turns["is_complete"] != 0]
    assert complete["chance"].sum() == pytest.approx(1.0)
    # Stop and keep, or hand on one of three; or lay one of three and then keep or hand on one of two.
    assert len(complete) == 4 + 3 * 3


# What they believe


def imagined(position: Position, seat: int, seed: int) -> State:
    world = GAME.layout.batch(1)
    world[0] = position.observe(seat).state
    imagine_likely(world[0], seat, new_rng(seed))
    return world[0]


@pytest.mark.kernels
@pytest.mark.parametrize(("players", "symbols"), [(2, True), (4, False)])
def test_imagined_racks_are_possible_ones(players: int, symbols: bool) -> None:
    for position, seat in some_positions(players, symbols)[::3]:
        true, seen, world = position.state, position.observe(seat).state, imagined(position, seat, 1)
        assert world.rack_size.tolist() == true.rack_size.tolist()
        assert world.bag_size == true.bag_size == world.bag.sum()
        assert (world.rack[seat] == true.rack[seat]).all()
        assert (world.rack >= seen.rack).all()  # what was handed on is still there
        assert (world.rack.sum(axis=0) + world.bag == true.rack.sum(axis=0) + true.bag).all()


@pytest.mark.kernels
def test_tiles_that_could_have_been_laid_are_rarely_imagined_on_a_rack() -> None:
    position = drawn(TWO_LAID.replace("*", " "), RACK, "red2 blue4 blue5 green6 yellow2 blue16 green4 red18")
    open_kind, closed_kind = tile_for(field_at(2, 11)), tile_for(field_at(2, 16))
    racks = [imagined(position, 0, seed).rack[1] for seed in range(300)]
    assert 4 * sum(rack[open_kind] for rack in racks) < sum(rack[closed_kind] for rack in racks)


@pytest.mark.kernels
def test_what_opened_in_this_turn_tells_nothing() -> None:
    long_ago, just_now = (drawn(TWO_LAID.replace("*", mark), RACK, "blue2") for mark in (" ", "*"))
    red8 = field_at(1, 8)
    assert long_open(long_ago.state)[0] >> red8 & 1 == 1
    assert long_open(just_now.state)[0] >> red8 & 1 == 0


# How they simulate


def asked(skill: Skill, seat: int, simulations: int) -> Any:
    workspaces = new_workspaces(skill)
    query = workspaces[0].query
    query.seat, query.simulations, query.word = seat, simulations, 1
    return workspaces


def raced(states: Any, seat: int, turns: Any, simulations: int) -> Any:
    """The workspace after a race between some turns."""
    workspaces = asked(Skill(infers_from_play=True), seat, simulations)
    workspace = workspaces[0]
    workspace.candidates[: len(turns)] = turns
    begin_halving(workspace.halving, len(turns), False)
    workspace.query.is_begun = 1
    while not decide(states, workspaces, new_learnt()):
        pass
    return workspace


@compiled_only
def test_equal_turns_are_worth_the_same_on_the_same_worlds() -> None:
    position, seat = some_positions(2, symbols=False)[8]
    turns = turns_of(position, seat, 2)[[0, 0, 1]]
    once, twice = (raced(seen_by(position, seat), seat, turns, 48).halving for _ in range(2))
    assert once.sums[0] == once.sums[1]
    assert once.visits[:3].tolist() == [16, 16, 16]
    assert twice.tobytes() == once.tobytes()


@pytest.mark.kernels
def test_a_decision_goes_on_batch_by_batch() -> None:
    position = drawn(TWO_LAID, "red8 green1 green2", "red6 blue4")
    states, workspaces = seen_by(position, 0), asked(Skill(candidates=4), 0, 4 * WORLDS_PER_BATCH)
    before, visits = states.tobytes(), []
    while not decide(states, workspaces, new_learnt()):
        visits.append(int(workspaces[0].halving.visits.sum()))
    choices = workspaces[0].choices
    assert visits == [4 * WORLDS_PER_BATCH]
    assert choices.count == 4
    assert choices.values[0] == choices.values[:4].max()
    assert 0 < choices.values[0] < 1
    assert played(position, 0, {"actions": choices.lines[0], "length": choices.lengths[0]}).acting() != [0]
    assert states.tobytes() == before


@compiled_only
def test_time_ends_a_decision() -> None:
    position = drawn(TWO_LAID, RACK, "red2 blue4 blue5 green6 yellow2")
    player = ElferPlayer(Skill(candidates=4))
    assert player.decide(position.observe(0), 0, Budget(seconds=0.0), 1).simulations == 4 * WORLDS_PER_BATCH


@compiled_only
def test_where_every_turn_is_unlikely_an_action_is_chosen_at_first_sight() -> None:
    others = [f"{colour}{number}" for colour in ("yellow", "blue", "green") for number in COLOURED_NUMBERS[:-1]]
    rack = " ".join([*others, "red8", "red12"]).replace("yellow11 ", "")
    position = drawn(TWO_LAID, rack, REST, bag="", phase=Phase.FREE, laid=1)  # no bonus tile can end a turn
    workspaces = asked(Skill(candidates=4), 0, 100)
    assert decide(seen_by(position, 0), workspaces, new_learnt(np.zeros_like(WEIGHTS)))
    choices = workspaces[0].choices
    assert (choices.count, choices.lengths[0]) == (1, 1)
    assert choices.lines[0, 0] in position.legal(0)


def test_there_is_room_for_so_many_candidates_only() -> None:
    for candidates in (0, MAX_CANDIDATES + 1):
        with pytest.raises(ArgumentError, match=f"from 1 to {MAX_CANDIDATES}"):
            Skill(candidates=candidates)


@compiled_only
def test_finds_the_turn_that_empties_the_rack() -> None:
    position = drawn(TWO_LAID, "red8 green1", "red2 blue4 blue5 green6 yellow2")
    player = ElferPlayer(Skill(candidates=8, budget=Budget(simulations=300)))
    while not position.is_over:
        assert position.acting() == [0]
        position.play(0, player.decide(position.observe(0), 0, None, 1).action)
    assert position.outcome()[1] == [1, 2]


@compiled_only
def test_a_planned_turn_is_played_without_thinking_again() -> None:
    position = drawn(TWO_LAID.replace("*", " "), RACK, "red2 blue4 blue5 green6 yellow2")
    player = ElferPlayer(Skill(candidates=4, budget=Budget(simulations=64)))
    plan = player.decide(position.observe(0), 0, None, 1)
    assert len(plan.line) > 1
    position.play(0, plan.action)
    for step in plan.line[1:]:
        decision = player.decide(position.observe(0), 0, Budget(simulations=1), 2)
        assert decision.action == step
        assert decision.simulations == plan.simulations
        position.play(0, step)


def test_an_inattentive_player_plays_all_sorts_and_an_attentive_one_the_best() -> None:
    seen = drawn(TWO_LAID, RACK, "red2 blue4 blue5").observe(0)
    careless, careful = ElferPlayer(Skill(attention=0.2)), ElferPlayer(Skill())
    assert len({careless.decide(seen, 0, None, seed).action for seed in range(40)}) > 3
    best = max(seen.legal(0), key=lambda choice: float(rate(seen.state, 0, choice)))
    assert {careful.decide(seen, 0, None, seed).action for seed in range(5)} == {best}


# What is learnt


def test_the_learnt_policy_hands_on_what_is_hard_to_lay() -> None:
    position = drawn(TWO_LAID, RACK, "blue2", phase=Phase.HAND)
    ratings = {tile: float(rate(position.state, 0, action(position, f"hand {tile}"))) for tile in RACK.split()}
    assert max(ratings, key=ratings.__getitem__) in ("green20", "green1")
    assert ratings["red12"] < ratings["red15"]


def test_learning_makes_likelier_what_wins() -> None:
    rng = np.random.default_rng(1)
    pulls = rng.normal(size=(2000, MOMENTS * FEATURES))
    weights = np.zeros((MOMENTS, FEATURES))
    improve(weights, pulls, 0.3 * pulls[:, 5] - 0.1 * pulls[:, 40], step=0.5)
    moved = weights.reshape(-1)
    assert moved.argmax() == 5
    assert moved.argmin() == 40


def test_weights_are_written_as_they_are_read() -> None:
    room: dict[str, np.ndarray] = {}
    exec(source(WEIGHTS, "a test"), room)
    assert room["WEIGHTS"] == pytest.approx(WEIGHTS)


# How strong they are


def level(name: str) -> Player:
    bots: list[Bot] = [RandomBot(), *level_bots()]
    bot = next(bot for bot in bots if bot.name == name)
    return lambda seen, seat, seed: bot.decide(seen, seat, bot.budget, seed)


@compiled_only
@pytest.mark.parametrize(("better", "worse"), [("easy", "random"), ("medium", "random"), ("hard", "beginner")])
def test_levels_rise(better: str, worse: str) -> None:
    options = read_options(GAME.options, {"players": 2})
    players = [level(better), level(worse)]
    wins = 0
    for index in range(40):
        seated = players if index % 2 == 0 else players[::-1]
        wins += winners(GAME, options, seated, index // 2) == [index % 2]
    assert wins >= 24


# House rules


@pytest.mark.parametrize(
    ("elevens", "answer"),
    [([], "leave"), (["red11"], "leave"), (["red11", "red12"], "open"), (["blue11", "blue10"], "open")],
)
def test_a_bot_opens_if_another_tile_can_follow(elevens: list[str], answer: str) -> None:
    position = dealt({0: [*elevens, "red1"]}, opening="may")
    assert decided(position, Skill()) == answer


@pytest.mark.parametrize("elevens", [[], ["red11"]])
def test_no_bot_thinks_longer_about_opening_with_an_eleven_than_without(elevens: list[str]) -> None:
    """The speed of an answer would tell everybody: so nothing is weighed or simulated."""
    position = dealt({0: elevens}, opening="may")
    for skill in SKILLS.values():
        assert decided(position, skill) in ("open", "leave")
        before, workspaces = asked(skill, 0, 100), asked(skill, 0, 100)
        assert decide(seen_by(position, 0), workspaces, new_learnt())
        used = {name for name in before.dtype.names if workspaces[name].tobytes() != before[name].tobytes()}
        assert used == {"query", "choices"}


def decided(position: Position, skill: Skill) -> str:
    chosen = ElferPlayer(skill).decide(position.observe(0), 0, None, 1).action
    return GAME.action_text(position.state, chosen)


@compiled_only
@pytest.mark.parametrize("players", [2, 3])
def test_bots_play_whole_matches_by_other_readings(players: int) -> None:
    values = {"players": players, "symbols": True, "opening": "may", "bonus_symbol": "adjoining"}
    options = read_options(GAME.options, values)
    seated = [level("random"), *[level("medium")] * (players - 1)]
    wins = [winners(GAME, options, seated, seed) for seed in range(12)]
    assert wins.count([0]) <= 4
