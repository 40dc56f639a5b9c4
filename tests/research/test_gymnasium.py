"""The Gymnasium environments: Gymnasium's own check, and what it does not cover."""

import copy
import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import threespan.research.gymnasium as environments
from threespan.core.errors import UserError
from threespan.core.record import read_record, verify

NAMES = ("HashiSolo", "HashiDaily", "Hashi", "Stege", "Elfer")
BATCHES = ("HashiSolo", "Hashi", "Stege", "Elfer")
SKIP = 261  # Hashi's last action of a seat


def make(name: str, **options: Any) -> Any:
    return gymnasium.make(f"threespan/{name}-v0", **options).unwrapped


def play(env: Any, seed: int) -> float:
    """Play a random match; returns the reward."""
    chooser = random.Random(seed)
    observation, _ = env.reset(seed=seed)
    is_over, reward = False, 0.0
    while not is_over:
        assert env.observation_space.contains(observation)
        legal = np.flatnonzero(observation["action_mask"]).tolist()
        assert legal == env.episode.position().legal(env.seat)
        observation, reward, is_over, is_cut_off, _ = env.step(chooser.choice(legal))
        assert not is_cut_off
    return reward


@pytest.mark.parametrize("name", NAMES)
def test_gymnasium_accepts_it(name: str) -> None:
    check_env(make(name, render_mode="rgb_array", **({"bot": "random"} if name in ("Hashi", "Stege", "Elfer") else {})))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("HashiSolo", {"side": "B"}),
        ("HashiDaily", {"day": "2026-02-28"}),
        ("Hashi", {"players": 3, "bot": "random", "seat": 2}),
        ("Stege", {"bot": "beginner", "seat": 1}),
        ("Elfer", {"bot": "easy", "symbols": True}),
    ],
)
def test_the_reward_is_the_score_of_the_record(name: str, options: dict[str, Any]) -> None:
    env = make(name, **options)
    reward = play(env, 1)
    record = read_record(env.record())
    verify(record)
    assert record.outcome is not None
    assert reward == record.outcome.scores[env.seat]


def test_the_daily_deal_is_the_same_for_everybody_and_every_day_another() -> None:
    def cards(day: str, seed: int, side: str = "A") -> list[str]:
        env = make("HashiDaily", day=day, side=side)
        play(env, seed)
        return [event.do for event in read_record(env.record()).events if event.seat == "chance"]

    assert cards("2026-02-28", 1) == cards("2026-02-28", 2) == cards("2026-02-28", 3, "B")
    assert cards("2026-03-01", 1) != cards("2026-02-28", 1)
    assert make("HashiDaily").day.year > 2000


def test_matches_follow_from_the_seed() -> None:
    one, other = make("Elfer", bot="beginner"), make("Elfer", bot="beginner")
    assert play(one, 5) == play(other, 5)
    assert one.record() == other.record()


def test_an_illegal_action_ends_the_match() -> None:
    env = make("HashiSolo")
    env.reset(seed=0)
    _, reward, is_over, _, info = env.step(SKIP)
    assert (reward, is_over, info) == (-1.0, True, {"illegal": "START_NUMBER"})


def test_unknown_seats_and_bots_are_refused() -> None:
    with pytest.raises(UserError, match="there is no seat 2; seats go from 0 to 1"):
        make("Stege", seat=2)
    with pytest.raises(UserError, match="there is no bot 'deep'"):
        make("Stege", bot="deep")
    with pytest.raises(UserError, match="the others play at random, not as 'easy'"):
        environments.VectorMatches(2, "stege", bot="easy")


def make_batch(name: str, lanes: int, **options: Any) -> Any:
    mode = gymnasium.VectorizeMode.VECTOR_ENTRY_POINT
    return gymnasium.make_vec(f"threespan/{name}-v0", num_envs=lanes, vectorization_mode=mode, **options)


def random_actions(masks: Any, chooser: random.Random) -> Any:
    return np.array([chooser.choice(np.flatnonzero(mask).tolist() or [0]) for mask in masks])


@pytest.mark.parametrize("name", BATCHES)
def test_a_batch_plays_by_the_rules(name: str) -> None:
    env = make_batch(name, 8, **({} if name == "HashiSolo" else {"seat": 1}))
    chooser = random.Random(0)
    observations, _ = env.reset(seed=0)
    before = np.zeros(8, np.bool_)
    for _ in range(60):
        assert env.observation_space.contains(observations)
        observations, rewards, is_over, is_cut_off, _ = env.step(random_actions(observations["action_mask"], chooser))
        assert not is_cut_off.any()
        assert not (is_over & before).any()  # ended matches restart with the next step
        scores, _ = env.matches.outcomes()
        assert (rewards == np.where(is_over, scores[:, env.seat], 0)).all()
        seats = env.matches.seats
        assert (seats[~is_over] == env.seat).all()
        before = is_over


def test_a_batch_follows_from_its_seed() -> None:
    def play_batch(seed: int) -> list[list[float]]:
        env = make_batch("Elfer", 16)
        chooser = random.Random(1)
        observations, _ = env.reset(seed=seed)
        found = []
        for _ in range(80):
            observations, rewards, *_ = env.step(random_actions(observations["action_mask"], chooser))
            found.append(rewards.tolist())
        return found

    assert play_batch(1) == play_batch(1)
    assert play_batch(1) != play_batch(2)


def test_an_illegal_action_ends_one_match_of_a_batch() -> None:
    env = make_batch("HashiSolo", 3)
    observations, _ = env.reset(seed=0)
    actions = random_actions(observations["action_mask"], random.Random(0))
    actions[1] = SKIP
    observations, rewards, is_over, _, _ = env.step(actions)
    assert rewards.tolist() == [0, -1, 0]
    assert is_over.tolist() == [False, True, False]
    assert observations["action_mask"][1].sum() == 0
    observations, rewards, is_over, _, _ = env.step(random_actions(observations["action_mask"], random.Random(0)))
    assert not is_over.any()
    assert observations["action_mask"][1].sum() == 22  # a 3 or a 4 on eleven islands


def test_a_batch_has_one_seed() -> None:
    with pytest.raises(UserError, match="pass a number, not a list"):
        make_batch("Stege", 2).reset(seed=[1, 2])


def test_a_copy_is_independent() -> None:
    env = make("Elfer", bot="beginner")
    observation, _ = env.reset(seed=3)
    twin = copy.deepcopy(env)
    for one in (env, twin):
        one.step(np.flatnonzero(observation["action_mask"])[0])
    assert env.record() == twin.record()
