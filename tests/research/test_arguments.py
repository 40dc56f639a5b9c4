"""Arguments from users are checked before they are passed to kernels, with errors of one line."""

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pyspiel
import pytest

import threespan.research.gymnasium
import threespan.research.open_spiel
from threespan.core.arguments import ArgumentError
from threespan.core.errors import UserError
from threespan.core.game import IllegalAction, Position
from threespan.core.layout import PositionError
from threespan.core.playout import playouts
from threespan.core.registry import codes, find_game
from threespan.core.rules import OVER
from threespan.research.episode import Episode
from threespan.research.pettingzoo import hashi_v0
from threespan.research.spaces import Setting
from threespan.research.tensor import TENSOR_TYPE
from threespan.research.vector import WAIT, VectorGame

pytestmark = pytest.mark.kernels

LANES = 4


@pytest.fixture
def matches() -> VectorGame:
    return VectorGame("hashi", LANES, players=2)


def unchanged(matches: VectorGame, work: Callable[[], object], says: str) -> None:
    """Check that a call is refused and changes nothing."""
    before = matches.states.tobytes(), matches.seats.tobytes(), matches.sample().tobytes()
    generators = matches._generators.tobytes()
    with pytest.raises(ArgumentError, match=says) as caught:
        work()
    assert "\n" not in str(caught.value)
    assert (matches.states.tobytes(), matches.seats.tobytes()) == before[:2]
    assert matches._generators.tobytes() == generators


BAD_ACTIONS = {
    "too few": ([0, 0, 0], r"4 whole numbers are needed, not int64 with the shape \(3,\)"),
    "too many": ([0] * 5, r"\(5,\)"),
    "a single one": (0, r"\(\)"),
    "a table": ([[0], [0], [0], [0]], r"\(4, 1\)"),
    "floats": ([0.0, 1.0, 2.0, 3.0], "not float64"),
    "booleans": ([True] * 4, "not bool"),
    "texts": (["a"] * 4, "not <U1"),
    "nothing": (None, "not object"),
    "ragged": ([[0], [0, 1]], "cannot be converted to an array"),
    "masked": (np.ma.array([0] * 4, mask=True), "masked arrays are not supported"),
    "too large": (np.full(4, 2**63, np.uint64), "too large for int64"),
}


@pytest.mark.parametrize(("actions", "says"), BAD_ACTIONS.values(), ids=BAD_ACTIONS)
@pytest.mark.parametrize("checks", [True, False])
def test_actions_of_another_shape_or_type(actions: Any, says: str, checks: bool) -> None:
    matches = VectorGame("hashi", LANES, checks=checks)
    unchanged(matches, lambda: matches.step(actions), f"actions: .*{says}")


@pytest.mark.parametrize("action", [-2, 262, 2**40, -(2**40)])
def test_numbers_that_are_no_actions_are_refused_without_checks_too(action: int) -> None:
    matches = VectorGame("hashi", LANES, checks=False)
    actions, before = matches.sample(), matches.states.tobytes()
    actions[2] = action
    with pytest.raises(IllegalAction, match=f"match 2, action {action}: NOT_NOW"):
        matches.step(actions)
    assert matches.states.tobytes() == before


def test_a_match_that_is_over_takes_no_action_without_checks_either() -> None:
    matches = VectorGame("hashi", 2, checks=False, auto_reset=False)
    while (matches.seats != OVER).any():
        matches.step(matches.sample())
    with pytest.raises(IllegalAction, match="match 1"):
        matches.step([WAIT, 0])


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.uint32, np.uint64])
def test_actions_of_any_whole_type(kind: type[np.integer[Any]]) -> None:
    matches, twin = VectorGame("stege", LANES), VectorGame("stege", LANES)
    actions = matches.sample()
    twin.sample()
    if actions.max() <= np.iinfo(kind).max:
        matches.step(actions)
        twin.step(actions.astype(kind))
    assert matches.states.tobytes() == twin.states.tobytes()


def test_actions_in_arrays_that_are_not_contiguous_or_not_writable(matches: VectorGame) -> None:
    twin = VectorGame("hashi", LANES, players=2)
    twice = np.repeat(matches.sample(), 2)
    twice.flags.writeable = False
    matches.step(twice[::2])
    twin.step(twice[::2].copy())
    assert matches.states.tobytes() == twin.states.tobytes()


def test_lanes_by_number_and_by_mask() -> None:
    for lanes in ([0, 3], np.array([0, 3], np.uint8), [3, 0, 3], [True, False, False, True]):
        matches = VectorGame("hashi", LANES, auto_reset=False)
        while (matches.seats != OVER).any():
            matches.step(matches.sample())
        matches.reset(lanes=lanes)
        assert matches.seats.tolist() == [0, OVER, OVER, 0]


def test_no_lanes(matches: VectorGame) -> None:
    matches.step(matches.sample())
    before = matches.states.tobytes()
    matches.reset(lanes=[])
    matches.reset(lanes=np.zeros(LANES, np.bool_))
    assert matches.states.tobytes() == before


BAD_LANES = {
    "a mask that is too short": ([True, False], "a mask of 4 booleans or numbers from 0 to 3 are needed, not bool"),
    "a mask that is too long": ([True] * 5, r"\(5,\)"),
    "a number too large": ([0, 4], "numbers go from 0 to 3, but number 1 is 4"),
    "from the end": ([-1], "number 0 is -1"),
    "floats": ([0.0], "not float64"),
    "a single one": (1, r"\(\)"),
    "a table": ([[0, 1]], r"\(1, 2\)"),
}


@pytest.mark.parametrize(("lanes", "says"), BAD_LANES.values(), ids=BAD_LANES)
def test_unknown_lanes_are_refused(matches: VectorGame, lanes: Any, says: str) -> None:
    matches.step(matches.sample())
    unchanged(matches, lambda: matches.reset(7, lanes=lanes), f"lanes: .*{says}")


@pytest.mark.parametrize("seed", [1.5, "1", [1]])
def test_seeds_are_whole_numbers(matches: VectorGame, seed: Any) -> None:
    unchanged(matches, lambda: matches.reset(seed), "seed: a whole number is needed")


@pytest.mark.parametrize("n", [0, -3, 2.0, "4", 2**50, 2**62, 2**63, 10**30])
def test_a_batch_has_a_match(n: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^n: "):
        VectorGame("hashi", n)


BAD_SEATS = {
    "too large": ([0, 1, 2, 0], "numbers go from -1 to 1, but number 2 is 2"),
    "too small": ([0, 1, -2, 0], "number 2 is -2"),
    "would be cut off": ([0, 256, 0, 0], "too large for int8"),
    "too few": ([0, 1], r"4 whole numbers are needed, not int64 with the shape \(2,\)"),
    "floats": ([0.0] * 4, "not float64"),
    "one for all": (1, r"\(\)"),
}


@pytest.mark.parametrize(("seats", "says"), BAD_SEATS.values(), ids=BAD_SEATS)
def test_unknown_seats_are_refused(matches: VectorGame, seats: Any, says: str) -> None:
    unchanged(matches, lambda: matches.observations(seats), f"seats: .*{says}")


def test_states_and_who_acts_can_be_looked_at_but_not_written(matches: VectorGame) -> None:
    for kept in (matches, pickle.loads(pickle.dumps(matches))):
        for looked_at in (kept.states, kept.seats):
            with pytest.raises(ValueError, match="read-only"):
                looked_at[0] = looked_at[1]
            with pytest.raises(ValueError, match="cannot set WRITEABLE flag to True"):
                looked_at.flags.writeable = True
            assert looked_at.tobytes() == (kept.states if looked_at is kept.states else kept.seats).tobytes()
    before = matches.states.tobytes()
    matches.step(matches.sample())
    assert matches.states.tobytes() != before, "they show what happens"


@pytest.mark.parametrize("threads", [0, -2, 1.5, "2"])
def test_a_batch_has_a_thread(threads: Any) -> None:
    with pytest.raises(ArgumentError, match="threads"):
        VectorGame("hashi", LANES, threads=threads)


def outs(size: int, dtype: Any, other: Any) -> dict[str, Any]:
    locked = np.empty((LANES, size), dtype)
    locked.flags.writeable = False
    return {
        "too few rows": np.empty((LANES - 1, size), dtype),
        "too many rows": np.empty((LANES + 1, size), dtype),
        "too narrow": np.empty((LANES, size - 1), dtype),
        "flat": np.empty(LANES * size, dtype),
        "another type": np.empty((LANES, size), other),
        "the other order": np.empty((size, LANES), dtype).T,
        "with gaps": np.empty((LANES, 2 * size), dtype)[:, ::2],
        "locked": locked,
        "a list": [[0] * size] * LANES,
        "masked": np.ma.zeros((LANES, size), dtype),
    }


def test_arrays_that_cannot_be_written_into(matches: VectorGame) -> None:
    for out in outs(matches.action_count, np.int8, np.int16).values():
        says = rf"out: an array of int8 with the shape \(4, {matches.action_count}\) is needed"
        unchanged(matches, partial(matches.masks, out), says)
    for out in outs(matches.observation_size, TENSOR_TYPE, np.int8).values():
        says = rf"out: an array of int16 with the shape \(4, {matches.observation_size}\) is needed"
        unchanged(matches, partial(matches.observations, out=out), says)


def test_playouts_need_an_array_of_states() -> None:
    game = find_game("hashi")
    states = Setting(game, {}).new_states(2)
    for wrong in (states[0], states.reshape(2, 1), np.zeros(3), [1, 2], None):
        with pytest.raises(ArgumentError, match="states: a one-dimensional array of states is needed"):
            playouts(wrong, 1)
    for repeats in (-1, 1.5, 10**30, 2**62):
        with pytest.raises(ArgumentError, match="repeats: "):
            playouts(states, repeats)  # type: ignore[arg-type]
    for threads in (0, -1, 1.0, "2", float("nan")):
        with pytest.raises(ArgumentError, match="threads: "):
            playouts(states, 1, threads=threads)  # type: ignore[arg-type]
    for seed in (1.5, "1", None):
        with pytest.raises(ArgumentError, match="seed: a whole number is needed"):
            playouts(states, 1, seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", codes())
def test_random_play_begins_with_states_that_there_can_be(code: str) -> None:
    """Values out of their bounds are indices out of theirs."""
    game = find_game(code)
    size = game.layout.dtype.itemsize
    for memory in (bytes(size), b"\xff" * size, b"\x7f" * size, np.random.default_rng(1).bytes(size)):
        with pytest.raises(PositionError, match="is not within"):
            playouts(np.frombuffer(memory, game.layout.dtype), 1)
    others = [np.dtype([("x", np.int64)]), game.layout.dtype.newbyteorder()]
    for states in (np.zeros(2, other) for other in others if other != game.layout.dtype):  # bytes have no order
        with pytest.raises(ArgumentError, match="a one-dimensional array of states is needed, not records"):
            playouts(states, 1)


@pytest.mark.parametrize("code", codes())
def test_playouts_accept_states_in_any_memory_layout(code: str) -> None:
    states = Setting(code, {}).new_states(4)
    expected = playouts(states[:2], 2, seed=3).scores
    locked = states[:2].copy()
    locked.flags.writeable = False
    for same in (states[::2], states[1::-1], locked):
        assert np.array_equal(playouts(same, 2, seed=3).scores, expected)
    assert playouts(states[:0], 2).scores.shape == (0, 2, 4)


@pytest.mark.parametrize("code", codes())
def test_states_of_another_size_are_refused(code: str) -> None:
    game = find_game(code)
    setting, size = Setting(game, {}), game.layout.dtype.itemsize
    for count in (0, 1, size - 1, size + 1, 2 * size):
        with pytest.raises(PositionError, match=f"has {size} bytes, not {count}"):
            game.layout.from_bytes(bytes(count))
        with pytest.raises(PositionError, match=f"has {size} bytes, not {count}"):
            Position(game, setting.options, setting.material, np.zeros(count, np.uint8))
    with pytest.raises(PositionError, match="is not within"):
        game.layout.from_bytes(b"\xff" * size)
    assert game.layout.from_bytes(setting.start.tobytes()).tobytes() == setting.start.tobytes()


@pytest.mark.parametrize("code", codes())
def test_options_made_by_hand_are_checked_before_a_match_begins(code: str) -> None:
    game = find_game(code)
    wrong: list[Any] = [0, -1, 5, 100, 128, 2.0, "2", True]
    for players in wrong:
        with pytest.raises(UserError, match=r"option players: .* is not allowed"):
            game.start(game.options(players=players))
        with pytest.raises(UserError, match=r"option players: .* is not allowed"):
            Setting(game, game.options(players=players))
    other: Any = find_game(next(one for one in codes() if one != code))
    for begin in (game.start, partial(Setting, game)):
        with pytest.raises(ArgumentError, match=f"the options of {code} are "):
            begin(other.options(players=2))


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    episode = Episode(Setting("stege", {"players": 2}))
    episode.begin()
    position, seat = episode.position(), episode.seat
    action = position.legal(seat)[0]
    kinds: list[Any] = [np.int8, np.uint8, np.int64, np.uint64]
    small: Any = np.int16(action)
    for kind in kinds:
        assert position.legal(kind(seat)) == position.legal(seat)
        assert position.check(kind(seat), small) == 0
        assert position.observe(kind(seat)).text() == position.observe(seat).text()
        imagined = position.observe(seat).imagine(seat, kind(1))
        assert imagined.text() == position.observe(seat).imagine(seat, 1).text()
        assert VectorGame("stege", kind(2)).n == 2
        copy = position.copy()
        copy.play(kind(seat), small)
    episode.play(kinds[0](seat), small)


def test_positions_take_whole_numbers_only() -> None:
    game = find_game("hashi")
    position = game.start(game.options(players=2))
    wrong_numbers: list[Any] = [None, 0.0, "0", [0], float("nan"), np.float64(0), np.zeros(1)]
    for wrong in wrong_numbers:
        works: list[Callable[[], object]] = [
            partial(position.check, wrong, 0),
            partial(position.check, 0, wrong),
            partial(position.play, wrong, 0),
            partial(position.play, 0, wrong),
            partial(position.legal, wrong),
            partial(position.observe, wrong),
            partial(position.imagine, wrong, 1),
            partial(position.imagine, 0, wrong),
            partial(position.draw, wrong),
        ]
        for work in works:
            with pytest.raises(ArgumentError, match="a whole number is needed"):
                work()


def test_an_episode_refuses_unknown_seats_and_actions() -> None:
    episode = Episode(Setting("hashi", {"players": 2}))
    episode.begin()
    before = episode.states.tobytes()
    for work in (episode.observe, episode.mask):
        for seat in (-1, 2, 4, 200):
            with pytest.raises(ArgumentError, match=f"there is no seat {seat}; seats go from 0 to 1"):
                work(seat)
    with pytest.raises(ArgumentError, match="spare: it must be at least 0"):
        episode.mask(0, -5)
    wrong_numbers: list[Any] = [None, 0.0, "0", float("nan")]
    for wrong in wrong_numbers:
        for refused in (
            partial(episode.play, wrong, 0),
            partial(episode.play, 0, wrong),
            partial(episode.refusal, 0, wrong),
        ):
            with pytest.raises(ArgumentError, match="a whole number is needed"):
                refused()
    for seed in (-1, 1.5, "1"):
        with pytest.raises(ArgumentError, match="seed: "):
            episode.seed(seed)  # type: ignore[arg-type]
    for seat, action in ((0, 261), (0, -1), (0, 10**6), (2, 0), (-1, 0), (4, 0)):
        with pytest.raises(IllegalAction):
            episode.play(seat, action)
    assert episode.states.tobytes() == before
    assert episode.events == []


def test_gymnasium_takes_whole_numbers_only() -> None:
    env = threespan.research.gymnasium.AgainstBots("hashi", "random", players=2)
    env.reset(seed=1)
    with pytest.raises(ArgumentError, match=r"action: a whole number is needed, not 1\.5"):
        env.step(1.5)  # type: ignore[arg-type]
    many = threespan.research.gymnasium.VectorMatches(3, "hashi")
    many.reset(seed=1)
    for actions in ([0, 0], [0.0, 0.0, 0.0], 0):
        with pytest.raises(ArgumentError, match="actions: 3 whole numbers are needed"):
            many.step(actions)


@pytest.mark.parametrize("action", [-1, -262, 262, 2**40])
def test_a_number_that_is_no_action_ends_a_match_of_many(action: int) -> None:
    many = threespan.research.gymnasium.VectorMatches(2, "hashi")
    observations, _ = many.reset(seed=1)
    legal = int(np.flatnonzero(observations["action_mask"][0])[0])
    _, rewards, terminations, _, _ = many.step([legal, action])
    assert terminations.tolist() == [False, True]
    assert rewards[1] == many.matches.setting.forfeit


def test_pettingzoo_takes_an_action_of_every_agent() -> None:
    env = hashi_v0.parallel_env(players=2)
    env.reset(seed=1)
    for actions in ({"player_0": 3}, {"player_0": 3, "player_1": 4, "player_2": 5}, {}):
        with pytest.raises(ArgumentError, match="actions: one is needed for each of player_0, player_1, not for"):
            env.step(actions)
    with pytest.raises(ArgumentError, match=r"player_1: a whole number is needed, not 3\.5"):
        env.step({"player_0": 3, "player_1": 3.5})


def test_illegal_actions_are_refused_in_open_spiel() -> None:
    game = pyspiel.load_game("python_threespan_hashi(players=2)")
    state = game.new_initial_state()
    before = str(state)
    for action in (261, 262, -7, 10**6):
        with pytest.raises(IllegalAction):
            state._apply_action(action)
    for work in (state._legal_actions, state.observation_text, state.information_state):
        with pytest.raises((ArgumentError, IndexError)):
            work(7)
    with pytest.raises(ArgumentError):
        state.resample_from_infostate(2, lambda: 0.5)
    observer = game.make_py_observer()
    for seat in (2, 7, -3):
        with pytest.raises(ArgumentError, match=f"there is no seat {seat}"):
            observer.set_from(state, seat)
    assert str(state) == before


def test_a_match_of_open_spiel_that_is_over_takes_no_action() -> None:
    state = pyspiel.load_game("python_threespan_hashi(players=1)").new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    with pytest.raises(IllegalAction):
        state._apply_action(0)


def test_positions_refuse_unknown_seats_tickets_and_actions() -> None:
    game = find_game("elfer")
    position = game.start(game.options(players=2))
    for seat in (-2, 2, 4, 100):
        for work in (
            position.observe,
            partial(position.imagine, seed=1),
            lambda seat: [*position.score_sheet(seat)],
        ):
            with pytest.raises(ArgumentError, match=f"there is no seat {seat}"):
                work(seat)
    for ticket in (-1, position.tickets(), 10**9):
        with pytest.raises(ArgumentError, match=f"there is no chance event now with a ticket {ticket}"):
            position.draw(ticket)
    for action in (-1, game.action_count, 10**6):
        with pytest.raises(IllegalAction, match=f"^{action}: NOT_NOW"):
            position.play(0, action)
