"""Batches of matches follow the rules and depend only on the seed and the actions."""

import copy
from typing import Any

import numba
import numpy as np
import pytest

from research.oracle import OPTION_IDS, OPTIONS, tensor_of
from threespan.core.chance import below, new_rng, stream
from threespan.core.game import IllegalAction, Position
from threespan.core.rules import CHANCE, OVER
from threespan.research.vector import WAIT, VectorGame

pytestmark = pytest.mark.kernels

UNCOMPILED = bool(numba.config.DISABLE_JIT)
LANES = 2 if UNCOMPILED else 6
STEPS = 40 if UNCOMPILED else 400
every_option = pytest.mark.parametrize(("code", "options"), OPTIONS, ids=OPTION_IDS)


def position_of(matches: VectorGame, lane: int) -> Position:
    setting = matches.setting
    return Position(setting.game, setting.options, setting.material, matches.states[lane])


class Shadow:
    """The same match played with a Position and the same random generator."""

    def __init__(self, matches: VectorGame, seed: int, lane: int) -> None:
        self.setting = matches.setting
        self.rng = new_rng(0)
        with np.errstate(over="ignore"):
            self.rng.word = stream(new_rng(seed).word, lane)
        self.start()

    def start(self) -> None:
        self.position = self.setting.game.start(self.setting.options)
        self.let_chance_act()

    def let_chance_act(self) -> None:
        while self.position.acting() == [CHANCE]:
            with np.errstate(over="ignore"):
                ticket = below(self.rng, self.position.tickets())
            self.position.play(CHANCE, self.position.draw(ticket))

    def play(self, action: int) -> list[int] | None:
        """The scores, if the match has ended; then it restarts."""
        self.position.play(self.position.acting()[0], action)
        self.let_chance_act()
        if not self.position.is_over:
            return None
        scores, _ = self.position.outcome()
        self.start()
        return scores


@every_option
def test_matches_are_what_the_rules_make_of_their_actions(code: str, options: dict[str, Any]) -> None:
    matches = VectorGame(code, LANES, seed=5, **options)
    shadows = [Shadow(matches, 5, lane) for lane in range(LANES)]
    ends = 0
    for _ in range(STEPS):
        assert [shadow.position.text() for shadow in shadows] == [
            position_of(matches, lane).text() for lane in range(LANES)
        ]
        assert matches.seats.tolist() == [shadow.position.acting()[0] for shadow in shadows]
        actions = matches.sample()
        rewards, ended = matches.step(actions)
        for lane, shadow in enumerate(shadows):
            scores = shadow.play(int(actions[lane]))
            assert ended[lane] == (scores is not None)
            assert rewards[lane].tolist() == (scores or [0] * matches.setting.players)
            ends += scores is not None
    assert ends > 0 or code == "stege" or UNCOMPILED


@every_option
def test_masks_and_observations_are_those_of_the_seat_that_acts(code: str, options: dict[str, Any]) -> None:
    matches = VectorGame(code, LANES, seed=6, **options)
    for step in range(STEPS // 4):
        if step % 5 == 0:
            masks, tensors = matches.masks(), matches.observations()
            for lane, seat in enumerate(matches.seats.tolist()):
                position = position_of(matches, lane)
                assert np.flatnonzero(masks[lane]).tolist() == position.legal(seat)
                assert tensors[lane].tolist() == tensor_of(position, seat, matches.setting)
        matches.step(matches.sample())


def test_observations_of_other_seats() -> None:
    matches = VectorGame("elfer", LANES, players=3)
    viewers = [2, 0, 1, 1, 0, 2][:LANES]
    tensors = matches.observations(viewers)
    for lane, seat in enumerate(viewers):
        assert tensors[lane].tolist() == tensor_of(position_of(matches, lane), seat, matches.setting)


def test_arrays_to_write_into() -> None:
    matches = VectorGame("hashi", 3)
    masks = np.full((3, matches.action_count), 7, np.int8)
    assert matches.masks(masks) is masks
    assert set(np.unique(masks)) == {0, 1}


def test_results_depend_on_the_seed_and_not_on_threads() -> None:
    lanes = 8 if UNCOMPILED else 600

    def states_after(seed: int, threads: int) -> bytes:
        matches = VectorGame("elfer", lanes, seed=seed, threads=threads)
        for _ in range(20):
            matches.step(matches.sample())
        return b"".join(part.tobytes() for part in (matches.observations(), matches.masks(), matches.states))

    assert states_after(1, 1) == states_after(1, 2)
    assert states_after(1, 1) != states_after(2, 1)


def test_a_reset_with_the_same_seed_gives_the_same_matches() -> None:
    matches = VectorGame("stege", LANES, seed=3)
    before = matches.observations()
    for _ in range(5):
        matches.step(matches.sample())
    matches.reset(3)
    assert (matches.observations() == before).all()
    matches.reset()
    assert matches.seats.tolist() == [position_of(matches, lane).acting()[0] for lane in range(LANES)]


def test_an_illegal_action_is_refused_and_nothing_changes() -> None:
    matches = VectorGame("hashi", 3, players=2)
    actions, before = matches.sample(), matches.states.tobytes()
    actions[1] = 261  # to skip the start number
    with pytest.raises(IllegalAction, match="match 1, seat 0, skip: START_NUMBER"):
        matches.step(actions)
    for outside in (262, -2):
        actions[1] = outside
        with pytest.raises(IllegalAction, match=f"match 1, action {outside}: NOT_NOW"):
            matches.step(actions)
    assert matches.states.tobytes() == before


def test_an_illegal_action_in_the_second_thread_is_named_by_its_match() -> None:
    if UNCOMPILED:
        pytest.skip("so many matches take too long")
    matches = VectorGame("hashi", 600, threads=2)
    actions = matches.sample()
    actions[450] = 261
    with pytest.raises(IllegalAction, match="match 450"):
        matches.step(actions)


def test_waiting_leaves_a_match_alone() -> None:
    matches = VectorGame("stege", 2)
    actions, before = matches.sample(), position_of(matches, 0).text()
    actions[0] = WAIT
    matches.step(actions)
    assert position_of(matches, 0).text() == before
    assert position_of(matches, 1).text() != before


def test_without_auto_reset_matches_stay_over_until_reset() -> None:
    matches = VectorGame("hashi", 2, auto_reset=False)
    while (matches.seats != OVER).any():
        matches.step(matches.sample())
    assert matches.masks().sum() == 0
    assert (matches.sample() == WAIT).all()
    scores, ranks = matches.outcomes()
    assert scores.tolist() == [position_of(matches, lane).outcome()[0] for lane in range(2)]
    assert ranks.tolist() == [[1], [1]]
    with pytest.raises(IllegalAction):
        matches.step([261, WAIT])
    matches.reset(lanes=[True, False])
    assert matches.seats.tolist() == [0, OVER]


def test_winners_share_the_reward() -> None:
    matches = VectorGame("hashi", LANES, players=2, reward="win")
    seen = []
    for _ in range(120 if not UNCOMPILED else 100):
        rewards, ended = matches.step(matches.sample())
        _, ranks = matches.outcomes()
        for lane in np.flatnonzero(ended):
            winners = (ranks[lane] == 1).sum()
            seen.append(rewards[lane].tolist())
            assert seen[-1] == [1 / winners if rank == 1 else 0 for rank in ranks[lane]]
    assert seen


def test_a_copy_is_independent() -> None:
    matches = VectorGame("elfer", LANES, seed=9)
    matches.step(matches.sample())
    twin = copy.deepcopy(matches)
    before = matches.states.tobytes()
    twin.step(twin.sample())
    assert matches.states.tobytes() == before
    matches.step(matches.sample())
    assert matches.observations().tobytes() == twin.observations().tobytes()
