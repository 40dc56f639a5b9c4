"""The PettingZoo environments: PettingZoo's own tests, and what those do not cover."""

import copy
import pickle
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

from research.oracle import OPTION_IDS, OPTIONS
from threespan.core.errors import UserError
from threespan.core.game import IllegalAction, Position
from threespan.core.record import read_record, verify
from threespan.core.rules import CHANCE
from threespan.research.pettingzoo import elfer_v0, hashi_v0, stege_v0
from threespan.research.pettingzoo.aec import AecMatch

MODULES = {"hashi": hashi_v0, "stege": stege_v0, "elfer": elfer_v0}
SKIP = 261  # Hashi's last action of a seat
STARTS = (8, 14)  # a 3 on the islands 03 and 04

every_game = pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)
every_option = pytest.mark.parametrize(("code", "options"), OPTIONS, ids=OPTION_IDS)
# Masks are part of the observation, as in PettingZoo's own board games; its test warns about that.
masks_in_observations = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


class TestConformance:
    pytestmark = masks_in_observations

    @every_game
    def test_api(self, module: ModuleType) -> None:
        api_test(module.env(), num_cycles=400)
        api_test(module.raw_env(players=4), num_cycles=400)

    @every_game
    def test_parallel_api(self, module: ModuleType) -> None:
        parallel_api_test(module.parallel_env(players=3), num_cycles=400)

    @every_game
    def test_seeds(self, module: ModuleType) -> None:
        seed_test(module.env, num_cycles=100)
        parallel_seed_test(module.parallel_env, num_cycles=100)

    @every_game
    def test_render(self, module: ModuleType) -> None:
        render_test(module.env)


def choose(mask: Any, chooser: random.Random) -> int:
    return int(chooser.choice(np.flatnonzero(mask).tolist()))


def play_in_turns(env: Any, seed: int, seeds_of_actions: int = 0) -> dict[str, float]:
    """Play a random match; returns the rewards."""
    chooser = random.Random(seeds_of_actions)
    env.reset(seed=seed)
    rewards = {}
    for agent in env.agent_iter():
        observation, reward, is_over, _, _ = env.last()
        if is_over:
            rewards[agent] = reward
        env.step(None if is_over else choose(observation["action_mask"], chooser))
    return rewards


def play_together(env: Any, seed: int) -> dict[str, float]:
    chooser = random.Random(seed)
    observations, _ = env.reset(seed=seed)
    while env.agents:
        actions = {agent: choose(observations[agent]["action_mask"], chooser) for agent in env.agents}
        observations, rewards, *_ = env.step(actions)
    return dict(rewards)


@every_option
def test_rewards_are_the_scores_of_the_record(code: str, options: dict[str, Any]) -> None:
    for env, play in ((MODULES[code].raw_env, play_in_turns), (MODULES[code].parallel_env, play_together)):
        environment = env(**options)
        rewards = play(environment, 7)
        record = read_record(environment.record())
        verify(record)
        assert record.outcome is not None
        assert [rewards[agent] for agent in environment.possible_agents] == record.outcome.scores


@every_option
def test_masks_are_the_legal_actions(code: str, options: dict[str, Any]) -> None:
    env = MODULES[code].raw_env(**options)
    chooser = random.Random(8)
    env.reset(seed=8)
    for _ in range(150):
        position = env.match.episode.position()
        for agent, seat in env.match.seat_of.items():
            assert np.flatnonzero(env.observe(agent)["action_mask"]).tolist() == legal_in_turn(position, seat)
        if env.terminations[env.agent_selection]:
            break
        env.step(choose(env.observe(env.agent_selection)["action_mask"], chooser))


def legal_in_turn(position: Position, seat: int) -> list[int]:
    return position.legal(seat) if seat in position.acting() else []


def test_masks_of_seats_that_wait_their_turn_in_a_parallel_environment() -> None:
    env = stege_v0.parallel_env(players=3)
    observations, _ = env.reset(seed=1)
    [acting] = env.match.episode.acting
    for agent, seat in env.match.seat_of.items():
        is_waiting = seat != acting
        assert observations[agent]["action_mask"][env.wait] == is_waiting
        assert (observations[agent]["action_mask"].sum() == 1) == is_waiting


def test_a_round_of_hashi_is_played_together() -> None:
    env = hashi_v0.parallel_env(players=2)
    env.reset(seed=1)
    env.step(dict(zip(env.agents, STARTS, strict=True)))
    events = env.match.episode.events
    assert [seat for seat, _ in events] == [0, 1, CHANCE]
    env.step({"player_0": SKIP, "player_1": SKIP})
    observations, *_ = env.step({"player_0": SKIP, "player_1": SKIP})
    assert [seat for seat, _ in events[3:]] == [0, 1, 0, 1, CHANCE]
    assert all(observation["action_mask"][env.wait] == 0 for observation in observations.values())


def test_in_turns_nobody_sees_what_others_did_in_this_round() -> None:
    env = hashi_v0.raw_env(players=2)
    seen = []
    for first in STARTS:
        env.reset(seed=1)
        env.step(first)
        assert env.agent_selection == "player_1"
        seen.append(env.observe("player_1")["observation"].tobytes())
    assert seen[0] == seen[1]


@every_game
def test_observations_do_not_depend_on_what_is_hidden(module: ModuleType) -> None:
    env = module.raw_env(players=3)
    chooser = random.Random(3)
    env.reset(seed=3)
    episode = env.match.episode
    for step in range(60):
        if step % 6 == 0:
            for agent, seat in env.match.seat_of.items():
                before, kept = env.observe(agent), episode.position().state
                dealt = episode.position().observe(seat).imagine(seat, step)
                episode.states[0] = dealt.state
                after = env.observe(agent)
                episode.states[0] = kept
                assert after["observation"].tobytes() == before["observation"].tobytes()
                assert after["action_mask"].tobytes() == before["action_mask"].tobytes()
        env.step(choose(env.observe(env.agent_selection)["action_mask"], chooser))


@every_game
def test_a_seed_determines_all_following_matches(module: ModuleType) -> None:
    one, other = module.raw_env(), module.raw_env()
    play_in_turns(one, 4)
    play_in_turns(other, 4)
    assert one.record() == other.record()
    one.reset()
    other.reset()
    assert one.record() == other.record()
    other.reset(seed=5)
    play_in_turns(other, 5)
    assert one.match.episode.match_seed != other.match.episode.match_seed


def test_the_state_shows_what_observations_hide() -> None:
    env = elfer_v0.raw_env()
    env.reset(seed=2)
    plan = env.match.setting.plan
    whole, seen = plan.named(env.state()), plan.named(env.observe("player_0")["observation"])
    assert whole["rack"].sum(1).tolist() == [20, 20]
    assert seen["rack"].sum(1).tolist() == [20, 0]
    assert env.state_space.contains(env.state())


def test_an_illegal_action_ends_the_match_and_says_why() -> None:
    env = hashi_v0.raw_env(players=2)
    env.reset(seed=1)
    env.step(SKIP)
    assert env.infos["player_0"] == {"illegal": "START_NUMBER"}
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0}
    assert all(env.terminations.values())
    together = hashi_v0.parallel_env(players=2)
    together.reset(seed=1)
    _, rewards, terminations, _, infos = together.step({"player_0": STARTS[0], "player_1": together.wait})
    assert rewards == {"player_0": 0.0, "player_1": -1.0}
    assert infos["player_1"] == {"illegal": "NOT_NOW"}
    assert all(terminations.values())
    assert together.agents == []


def test_an_illegal_action_raises_if_it_should() -> None:
    env = hashi_v0.raw_env(illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalAction, match="START_NUMBER"):
        env.step(SKIP)
    with pytest.raises(IllegalAction, match="NOT_NOW"):
        env.step(SKIP + 1)


def test_winners_share_the_reward() -> None:
    rewards = play_in_turns(stege_v0.raw_env(reward="win"), 1)
    assert sorted(rewards.values()) == [0, 1]


def test_options_are_checked() -> None:
    with pytest.raises(UserError, match="there is no option 'colour'"):
        hashi_v0.env(colour="red")
    with pytest.raises(UserError, match="render_mode is one of human, ansi, rgb_array, not 'oil'"):
        hashi_v0.env(render_mode="oil")


def test_nothing_is_rendered_without_a_mode() -> None:
    env = AecMatch("stege")
    env.reset(seed=0)
    assert env.render() is None


@every_game
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_copy_is_independent(module: ModuleType, copied: Callable[[Any], Any]) -> None:
    env = module.raw_env(players=2)
    env.reset(seed=6)
    chooser = random.Random(6)
    for _ in range(40):
        env.step(choose(env.observe(env.agent_selection)["action_mask"], chooser))
    twin, before = copied(env), env.record()
    for _ in range(10):
        twin.step(choose(twin.observe(twin.agent_selection)["action_mask"], random.Random(7)))
    assert env.record() == before
    for _ in range(10):
        env.step(choose(env.observe(env.agent_selection)["action_mask"], random.Random(7)))
    assert env.record() == twin.record()
    assert env.observe("player_1")["observation"].tobytes() == twin.observe("player_1")["observation"].tobytes()
    assert env.state().tobytes() == twin.state().tobytes()
