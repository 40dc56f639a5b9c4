"""The games for OpenSpiel: OpenSpiel's own tests and Shimmy's wrapper, and what those do not cover."""

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import make_observation
from pettingzoo.test import api_test
from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0

import threespan.research.open_spiel as games
from research.oracle import OPTION_IDS, OPTIONS, tensor_of
from threespan.core.errors import UserError
from threespan.core.game import Position
from threespan.core.rules import CHANCE

every_option = pytest.mark.parametrize(("code", "options"), OPTIONS, ids=OPTION_IDS)
SPECS = ["hashi(players=2,side=A)", "elfer(players=3,symbols=true)", "stege()"]
SKIP = 261  # Hashi: skip a number or bridges
every_spec = pytest.mark.parametrize("spec", SPECS)


def load(code: str, options: dict[str, Any]) -> Any:
    known = games.TYPES[code].parameter_specification
    return pyspiel.load_game(games.PREFIX + code, {name: type(known[name])(options[name]) for name in options})


def act(state: Any, chooser: random.Random) -> None:
    if state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes(), strict=True)
        assert sum(chances) == pytest.approx(1)
        state.apply_action(chooser.choices(actions, chances)[0])
    else:
        state.apply_action(chooser.choice(state.legal_actions()))


def position_of(state: Any) -> Position:
    setting = state.get_game().setting
    return Position(setting.game, setting.options, setting.material, state.states()[0])


@pytest.mark.parametrize("spec", ["hashi(players=3)", "hashi()", "elfer(rounds=match)"])
def test_openspiel_accepts_it(spec: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(games.PREFIX + spec), num_sims=1, serialize=True, verbose=False)


def test_openspiel_accepts_stege_in_a_short_match() -> None:
    game = pyspiel.load_game(games.PREFIX + "stege(jetties_each=1,board=small)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.filterwarnings("ignore")  # Shimmy's own, of all kinds
@pytest.mark.parametrize(
    ("code", "options"), [("hashi", {"players": 2}), ("stege", {}), ("elfer", {"players": 3, "symbols": True})]
)
def test_shimmy_makes_it_a_pettingzoo_environment(code: str, options: dict[str, Any]) -> None:
    env = OpenSpielCompatibilityV0(
        game_name=games.PREFIX + code, config=options
    )  # with `env`, it would lose the options
    assert len(env.possible_agents) == options.get("players", 2)
    api_test(env, num_cycles=50)


@every_option
def test_play_follows_the_rules(code: str, options: dict[str, Any]) -> None:
    state, chooser = load(code, options).new_initial_state(), random.Random(1)
    setting = state.get_game().setting
    assert setting.players == options["players"]
    position = setting.game.start(setting.options)
    while not state.is_terminal() and len(state.history()) < 500:
        seat = state.current_player()
        acting = position.acting()
        assert seat == (pyspiel.PlayerId.CHANCE if acting == [CHANCE] else acting[0])
        assert state.legal_actions() == position.legal(acting[0])
        act(state, chooser)
        position.play(acting[0], state.history()[-1])
        assert str(state) == position.text()
    if state.is_terminal():
        assert state.returns() == position.outcome()[0]


@every_option
def test_nobody_can_tell_a_resampled_state_from_the_true_one(code: str, options: dict[str, Any]) -> None:
    state, chooser = load(code, options).new_initial_state(), random.Random(2)
    while not state.is_terminal() and len(state.history()) < 200:
        if not state.is_chance_node() and len(state.history()) % 5 == 0:
            player = state.current_player()
            sample = state.resample_from_infostate(player, chooser.random)
            assert sample.information_state_string(player) == state.information_state_string(player)
            assert sample.observation_string(player) == state.observation_string(player)
            assert sample.observation_tensor(player) == state.observation_tensor(player)
            assert sample.legal_actions() == state.legal_actions()
        act(state, chooser)


@every_spec
def test_observers_show_what_a_seat_may_know(spec: str) -> None:
    game, chooser = pyspiel.load_game(games.PREFIX + spec), random.Random(3)
    state, observation = game.new_initial_state(), make_observation(game)
    for _ in range(80):
        act(state, chooser)
    for seat in range(game.num_players()):
        observation.set_from(state, seat)
        assert observation.tensor.tolist() == tensor_of(position_of(state), seat, game.setting)
        assert observation.dict.keys() == {section.name for section in game.setting.plan.sections}


def test_information_states_hide_a_round_until_it_ends() -> None:
    game = pyspiel.load_game(games.PREFIX + "hashi(players=2)")
    states = [game.new_initial_state() for _ in range(2)]
    for state, start in zip(states, (8, 14), strict=True):
        state.apply_action(start)
    assert states[0].information_state_string(1) == states[1].information_state_string(1)
    assert states[0].information_state_string(0) != states[1].information_state_string(0)
    for state in states:
        state.apply_action(8)
    assert states[0].information_state_string(1) != states[1].information_state_string(1)


def test_information_states_recall_what_observations_forget() -> None:
    game = pyspiel.load_game(games.PREFIX + "hashi(players=1)")
    orders = []
    for cards in ((0, 4), (4, 0)):
        state = game.new_initial_state()
        state.apply_action(8)  # a 3 on the island 03
        for card in cards:
            state.apply_action(state.legal_actions()[card])
            state.apply_action(SKIP)
            state.apply_action(SKIP)
        orders.append(state)
    assert orders[0].information_state_string(0) != orders[1].information_state_string(0)


@pytest.mark.parametrize("spec", ["hashi(players=2)", "elfer()"])
def test_the_python_ismcts_plays_it(spec: str) -> None:
    game, chooser = pyspiel.load_game(games.PREFIX + spec), np.random.RandomState(0)
    state = game.new_initial_state()
    while state.is_chance_node():
        act(state, random.Random(0))
    evaluator = mcts.RandomRolloutEvaluator(1, chooser)
    bot = ismcts.ISMCTSBot(game, evaluator, uct_c=2.0, max_simulations=10, random_state=chooser)
    assert bot.step(state) in state.legal_actions()


@every_spec
def test_bots_in_cpp_play_it(spec: str) -> None:
    """In a subprocess, because some releases of OpenSpiel crash here."""
    code = f"""
import pyspiel
import threespan.research.open_spiel
game = pyspiel.load_game("{games.PREFIX + spec}")
state = game.new_initial_state()
while state.is_chance_node():
    state.apply_action(state.legal_actions()[0])
bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 3, 100, False, 1, False)
assert bot.step(state) in state.legal_actions()
"""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1] / "games")}  # all registered games
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_winners_share_the_return() -> None:
    state, chooser = (
        pyspiel.load_game(games.PREFIX + "hashi(players=2,reward=win)").new_initial_state(),
        random.Random(0),
    )
    while not state.is_terminal():
        act(state, chooser)
    assert sum(state.returns()) == 1


def test_options_are_checked() -> None:
    with pytest.raises(UserError, match="option players"):
        games.GAMES["hashi"]({"players": 9})
    with pytest.raises(ValueError, match="observers take no parameters"):
        games.GAMES["hashi"]().make_py_observer(None, {"colour": 1})
