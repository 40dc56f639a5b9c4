"""Environments of games outside the package: they need one file, and an error says if it is missing."""

import importlib
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path

import gymnasium
import pyspiel
import pytest

import threespan.research.gymnasium as environments
import threespan.research.open_spiel as games
import threespan.research.pettingzoo as pettingzoo_games
from bots.external_games import run_with_game
from threespan.core.chance import MatchSeed
from threespan.core.game import Hidden
from threespan.core.registry import built_in_codes, codes, find_game
from threespan.research.description import ActionRange, Description, NoEnvironment, find_description
from threespan.research.spaces import Setting
from threespan.research.tensor import TensorField
from threespan.research.vector import VectorGame

RESEARCH = """
from pebbles.state import HEAP, HEAPS, LARGEST
from threespan.research.description import Description, ActionRange
from threespan.research.tensor import TensorField, Encoding

DESCRIPTION = Description(
    ranges=(ActionRange("`take`", HEAP, "9 * heap + count - 1"),),
    tensor_fields=(TensorField("heap"), TensorField("turn", Encoding.SEAT)),
    score_bounds=lambda start: (0.0, 1.0),
    max_chance_actions=lambda players: HEAPS,
    max_seat_actions=lambda start: HEAPS * LARGEST,
)
"""
DRAWING = """
from rich.text import Text

def draw(state, seat, names, language):
    return Text("\\n".join("o" * stones for stones in state.heap))
"""
PLAY_EVERYWHERE = """
import gymnasium
import numpy as np
import pyspiel
from pettingzoo.test import render_test

import threespan.research.gymnasium
import threespan.research.open_spiel
import threespan.research.pettingzoo.pebbles_v0
from threespan.research.pettingzoo import pebbles_v0
from threespan.research.vector import VectorGame

assert threespan.research.pettingzoo.pebbles_v0 is pebbles_v0
env = pebbles_v0.env(players=3)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, is_over, *_ = env.last()
    env.step(None if is_over else int(np.flatnonzero(observation["action_mask"])[0]))
render_test(pebbles_v0.env)
together = pebbles_v0.parallel_env(players=2, render_mode="rgb_array")
together.reset(seed=1)
print(together.render().shape, len(np.unique(together.render())) > 20)

env = gymnasium.make("threespan/Pebbles-v0", bot="random").unwrapped
observation, _ = env.reset(seed=1)
print(env.setting.players, observation["observation"].shape, observation["action_mask"].shape)
assert "threespan/PebblesSolo-v0" not in gymnasium.registry  # at least two players

state = pyspiel.load_game("python_threespan_pebbles(players=2)").new_initial_state()
while not state.is_terminal():
    state.apply_action(state.legal_actions()[0])
print(sorted(state.returns()))

print(VectorGame("pebbles", 3, players=2).masks().shape)
"""


def test_an_external_game_has_all_environments(tmp_path: Path) -> None:
    files = {"research.py": RESEARCH, "drawing.py": DRAWING}
    *_, picture, shapes, returns, masks = run_with_game(tmp_path, "pebbles", files, PLAY_EVERYWHERE).splitlines()
    assert [picture, shapes, returns, masks] == ["(640, 720, 3) True", "2 (5,) (27,)", "[0.0, 1.0]", "(3, 27)"]


MISSING = {
    "setting": lambda: Setting("nim", {}),
    "vector": lambda: VectorGame("nim", 2),
    "pettingzoo": lambda: importlib.import_module("threespan.research.pettingzoo.nim_v0").env(),
    "pettingzoo parallel": lambda: importlib.import_module("threespan.research.pettingzoo.nim_v0").parallel_env(),
    "gymnasium": lambda: gymnasium.make("threespan/Nim-v0"),
    "gymnasium batch": lambda: gymnasium.make_vec("threespan/Nim-v0", num_envs=2),
    "openspiel": lambda: games.GAMES["nim"](),
}


@pytest.fixture(autouse=True)
def _forget_descriptions() -> Iterator[None]:
    """Clear the caches, since tests change the registered games."""
    find_description.cache_clear()
    yield
    find_description.cache_clear()


@pytest.mark.parametrize("make", MISSING.values(), ids=MISSING)
def test_a_game_without_a_description_gets_a_helpful_error(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[], object]
) -> None:
    monkeypatch.setattr("threespan.research.description.find_game_module", lambda *_: None)
    with pytest.raises(
        NoEnvironment, match=r"^'nim' has no environments yet; write nim/research\.py with its DESCRIPTION"
    ):
        make()


def test_every_game_has_its_names() -> None:
    for code in codes():
        assert games.PREFIX + code in pyspiel.registered_names()
        assert f"threespan/{code.capitalize()}-v0" in gymnasium.registry
        assert hasattr(pettingzoo_games, f"{code}_v0")
    with pytest.raises(AttributeError, match="has no chess_v0; it has elfer_v0"):
        pettingzoo_games.chess_v0  # noqa: B018
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("threespan.research.pettingzoo.chess_v0")


@pytest.mark.parametrize("code", built_in_codes())
def test_solo_games_have_a_daily_deal(code: str) -> None:
    for kind in ("Solo", "Daily"):
        is_there = f"threespan/{code.capitalize()}{kind}-v0" in gymnasium.registry
        assert is_there == (1 in find_game(code).seat_counts)


def test_the_deal_of_the_day_keeps_its_seed() -> None:
    env = environments.DailyEnv("hashi", "2026-02-28")
    env.reset()
    assert env.episode.match_seed == MatchSeed.of("hashi daily 2026-02-28")


@pytest.mark.parametrize("code", built_in_codes())
def test_openspiel_knows_whether_a_game_has_hidden_information(code: str) -> None:
    kinds = pyspiel.GameType.Information
    hides = find_game(code).hidden is not Hidden.NOTHING
    assert games.TYPES[code].information == (kinds.IMPERFECT_INFORMATION if hides else kinds.PERFECT_INFORMATION)


def test_environment_factories_can_be_pickled() -> None:
    for name in ("env", "raw_env", "parallel_env"):
        make = pickle.loads(pickle.dumps(getattr(pettingzoo_games.hashi_v0, name)))
        assert make(players=2).possible_agents == ["player_0", "player_1"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ("tensor_fields=(TensorField('hat'),)", "has a tensor field 'hat', but the state's fields are players, filled"),
        (
            "ranges=(ActionRange('take', 9), ActionRange('give', 5))",
            r"has ranges that end at \[9, 5\]; they must be increasing, up to 36",
        ),
        ("ranges=(ActionRange('take', 99),)", r"has ranges that end at \[99\]; they must be increasing, up to 36"),
    ],
)
def test_an_invalid_description_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, changes: str, reason: str
) -> None:
    usual = "tensor_fields=(TensorField('heap'),)" if "ranges" in changes else "ranges=(ActionRange('take', 27),)"
    module = module_of(tmp_path, f"DESCRIPTION = Description({usual}, {changes}, **REST)")
    monkeypatch.setattr("threespan.research.description.find_game_module", lambda *_: module)
    with pytest.raises(NoEnvironment, match=f"research.py: the DESCRIPTION of 'nim' {reason}"):
        find_description("nim")


def test_a_file_without_a_description_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = module_of(tmp_path, "description = None")
    monkeypatch.setattr("threespan.research.description.find_game_module", lambda *_: module)
    with pytest.raises(NoEnvironment, match=r"research\.py: there is no DESCRIPTION of 'nim'; add one"):
        find_description("nim")


def module_of(folder: Path, text: str) -> object:
    """A module with this source, like one of a game."""
    names: dict[str, object] = {"Description": Description, "TensorField": TensorField, "ActionRange": ActionRange}
    names["REST"] = dict.fromkeys(("score_bounds", "max_chance_actions", "max_seat_actions"))
    exec(text, names)
    return type("Module", (), {**names, "__file__": str(folder / "research.py")})
