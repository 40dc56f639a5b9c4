"""How the networks of Hashi are trained: play gets better, and a run that was stopped ends like one that was not."""

from pathlib import Path

import numpy as np
import pytest

from threespan.bots.hashi.learnt import unpacked
from threespan.bots.hashi.net import OUTPUT, WIDTH
from threespan.core.options import read_options
from threespan.games.hashi.game import GAME
from training.hashi import weights
from training.hashi.nets import Plan, Run, packed
from training.hashi.trainee import Trainee, first_net


def test_training_improves_play() -> None:
    game_start = GAME.layout.batch(1)
    game_start[0] = GAME.start(read_options(GAME.options, {})).state
    trainee = Trainee(game_start, first_net(1))
    scores = [trainee.play(150, 0.2, seed) for seed in range(4)]
    assert scores[-1] > scores[0] + 4
    assert trainee.learn(1, 0.2, np.random.default_rng(1)) < 5
    assert trainee.net.shape[1] == WIDTH
    assert np.isfinite(trainee.net[:OUTPUT]).all()


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    plan = Plan(0.001, 5)
    runs = {name: Run("A", plan, "a test", tmp_path / name) for name in ("whole", "stopped")}
    for name, run in runs.items():
        (tmp_path / name).mkdir()
        while not run.is_over:
            run.train()
            if name == "stopped":
                run = Run("A", plan, "a test", tmp_path / name)
        runs[name] = run
    whole, stopped = (run.trainee.learnt() for run in runs.values())
    assert len(plan.sweeps) > 3
    assert (whole == stopped).all()


def test_a_run_is_not_continued_as_another(tmp_path: Path) -> None:
    Run("B", Plan(0.001, 5), "the first command", tmp_path).train()
    with pytest.raises(SystemExit, match="holds a run of `the first command`: finish that one, or remove the folder"):
        Run("B", Plan(0.001, 6), "the second command", tmp_path)


def test_every_stage_takes_smaller_steps_than_the_one_before() -> None:
    paces = [(stage.pace, stage.last_pace) for stage, sweep in Plan(1, 1).sweeps if sweep == 0]
    assert paces == sorted(paces, reverse=True)
    assert all(first > last for first, last in paces)


def test_networks_are_packed_closely() -> None:
    nets = np.array([[[0.0, 1.0, -1.0], [-7.25, 0.0133, 40.0]]])
    low, high = (plane.tobytes() for plane in packed(nets))
    assert list(unpacked(low, high)) == pytest.approx(nets.ravel().tolist(), abs=0.0021)


def test_boards_are_the_same_with_one_thread_and_with_many(monkeypatch: pytest.MonkeyPatch) -> None:
    met = []
    for cores in (1, 4):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        met.append(weights.meet_boards(weights.start_states()[0], weights.first_weights(), 600, 0.1, 7))
    assert (met[0][0] == met[1][0]).all()
    assert (met[0][1] == met[1][1]).all()
