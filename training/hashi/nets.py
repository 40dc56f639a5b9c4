"""Train the networks of the boards by playing (see trainee.py): `python -m training.hashi.nets`.

The stages follow each other by themselves; each begins with fresh moments of Adagrad and takes smaller steps than the
one before. Every sweep is kept in the work folder, so a run that was stopped goes on where it was when the same command
is given again, and ends with the same networks. What the bots use is replaced at the very end.
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from threespan.bots.hashi.learnt import NETS
from threespan.bots.hashi.net import STEP, board_text
from threespan.core.options import read_options
from threespan.core.registry import find_game
from training.common import argument_parser, command_line, scaled
from training.hashi.trainee import Trainee, first_net

SIDES = ("A", "B")
WORK = Path(__file__).parents[2] / "build" / "training" / "hashi-nets"


class Stage(NamedTuple):
    """Some sweeps with the same settings."""

    name: str
    sweeps: int
    matches: int  # a sweep
    passes: int  # boards to learn from again, for each new one
    memory: int  # sweeps whose boards are remembered
    pace: float  # the first step of Adagrad
    last_pace: float
    warm_up: int = 0  # sweeps in which only Adagrad's moments grow


STAGES = (
    Stage("broad", sweeps=64, matches=2000, passes=2, memory=10, pace=0.2, last_pace=0.05),
    Stage("often", sweeps=36, matches=2000, passes=4, memory=15, pace=0.05, last_pace=0.02, warm_up=1),
    Stage("fine", sweeps=20, matches=2000, passes=6, memory=15, pace=0.03, last_pace=0.002, warm_up=1),
)


class Plan:
    """The sweeps of a whole run, one after the other."""

    def __init__(self, scale: float, seed: int) -> None:
        self.sweeps = [
            (stage._replace(sweeps=sweeps, matches=scaled(stage.matches, scale)), sweep)
            for stage in STAGES
            for sweeps in [scaled(stage.sweeps, scale, least=1 + stage.warm_up)]
            for sweep in range(sweeps)
        ]
        self.seed = seed

    def train(self, trainee: Trainee, number: int) -> str:
        """Let a trainee do one sweep of the plan; what came of it."""
        stage, sweep = self.sweeps[number]
        if sweep == 0:
            trainee.begin_stage()
        pace = stage.pace + (stage.last_pace - stage.pace) * sweep / stage.sweeps if sweep >= stage.warm_up else 0.0
        seed = self.seed * len(self.sweeps) + number
        score, error = trainee.sweep(stage.matches, stage.passes, stage.memory, pace, seed)
        return f"{stage.name}, sweep {sweep + 1} of {stage.sweeps}: score {score:.2f}, error {error:.3f}"


class Run:
    """The training of one side, kept on disk."""

    def __init__(self, side: str, plan: Plan, made_by: str, work: Path) -> None:
        self._side = side
        self._plan = plan
        self._made_by = made_by
        self._file = work / f"{side}.npz"
        game = find_game("hashi")
        start = game.layout.batch(1)
        start[:] = game.start(read_options(game.options, {"side": side})).state
        self.trainee = Trainee(start, first_net(plan.seed))
        self._done = 0
        if self._file.exists():
            self._load()

    @property
    def is_over(self) -> bool:
        """Whether all sweeps are done."""
        return self._done == len(self._plan.sweeps)

    def train(self) -> None:
        """Do the next sweep, keep what came of it and tell it."""
        begin = time.monotonic()
        told = self._plan.train(self.trainee, self._done)
        self._done += 1
        self._save()
        sys.stderr.write(f"{self._side}: {told}, {time.monotonic() - begin:.0f} s\n")  # at once: sides tell in turns

    def forget(self) -> None:
        """Remove what was kept on disk."""
        self._file.unlink()

    def _save(self) -> None:
        trainee = self.trainee
        parts = (np.concatenate(parts) for parts in zip(*trainee.memory, strict=True))
        kept: dict[str, Any] = dict(zip(("slots", "rounds", "targets"), parts, strict=True))
        kept |= {"lengths": [len(targets) for _, _, targets in trainee.memory], "means": trainee.means}
        kept |= {"net": trainee.net, "moments": trainee.moments, "mean": trainee.mean, "met": trainee.met}
        unfinished = self._file.with_suffix(".part.npz")
        np.savez(unfinished, done=self._done, made_by=self._made_by, **kept)
        unfinished.replace(self._file)

    def _load(self) -> None:
        with np.load(self._file) as kept:
            if (made_by := str(kept["made_by"])) != self._made_by:
                raise SystemExit(
                    f"{self._file.parent} holds a run of `{made_by}`: finish that one, or remove the folder"
                )
            self._done = int(kept["done"])
            trainee, ends = self.trainee, np.cumsum(kept["lengths"])[:-1]
            trainee.net, trainee.moments, trainee.mean = kept["net"], kept["moments"], kept["mean"]
            trainee.met, trainee.means = kept["met"], int(kept["means"])
            parts = (np.split(kept[name], ends) for name in ("slots", "rounds", "targets"))
            trainee.memory = list(zip(*parts, strict=True))


def packed(nets: Any) -> Any:
    """Networks as bytes that are easily compressed: whole steps, their signs last, low bytes and high bytes apart."""
    steps = np.rint(nets / STEP).astype(np.int32)
    signed = np.where(steps < 0, -2 * steps - 1, 2 * steps)
    return np.stack([signed & 0xFF, signed >> 8]).astype(np.uint8)


def main() -> None:
    """Train the networks of both sides, each on a core of its own, and write them."""
    parser = argument_parser("Train the networks of Hashi's boards by playing.", NETS)
    parser.add_argument("--work", type=Path, default=WORK, help="where the run is kept until it is finished")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    made_by = command_line("training.hashi.nets", arguments)
    plan = Plan(arguments.scale, arguments.seed)
    runs = [Run(side, plan, made_by, arguments.work) for side in SIDES]
    with ThreadPoolExecutor(len(runs)) as pool:
        while waiting := [run for run in runs if not run.is_over]:
            list(pool.map(Run.train, waiting))
    nets = np.array([run.trainee.learnt() for run in runs])
    boards = [board_text(run.trainee.start[0]) for run in runs]
    with arguments.out.open("wb") as file:
        np.savez_compressed(file, nets=packed(nets), boards=boards, made_by=made_by)
    for run in runs:
        run.forget()


if __name__ == "__main__":
    main()
