"""Learn the weights by playing: `python -m training.stege.weights`.

An evolution strategy: in every generation, variants of the weights play the same matches against the weights that the
generation began with, each taking its best-rated turns; the better half becomes the next mean and spread.
Weights fitted to who won, which were tried first, foretell winners and make bad moves.
"""

import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from threespan.bots import stege
from threespan.bots.stege.simulate import play_best
from threespan.bots.stege.turns import SCRATCH_DTYPE, TURN_BUFFER_SIZE, TURN_DTYPE
from threespan.bots.stege.value import (
    ASHORE,
    DETOUR,
    FEATURES,
    HOME_ROLLS,
    IN_TURN,
    LACKING,
    MISSING,
    MOVING_ROLLS,
    OUTSIDE,
    STRAIGHT,
)
from threespan.core.chance import below, new_rng, stream
from threespan.core.kernel import kernel
from threespan.core.options import read_options
from threespan.core.registry import find_game
from threespan.core.rules import CHANCE
from threespan.games.stege.rules import apply, draw, outcome, tickets
from threespan.games.stege.state import TurnStep
from training.common import argument_parser, command_line, scaled

WEIGHTS_FILE = Path(stege.__file__).parent / "weights.py"
_PLAYERS = 2
_TRIAL, _TRIAL_SEED = 400, 12345  # matches of the result against the first weights
_SEEDS_OF_A_STAGE = 100  # one for each generation


class Stage(NamedTuple):
    """Some generations of the same size."""

    generations: int
    variants: int  # an even number: each has its mirror image
    matches: int  # of each variant

    def scaled(self, scale: float) -> "Stage":
        """A smaller stage of the same kind."""
        pairs = scaled(self.variants // 2, scale)
        return Stage(scaled(self.generations, scale), 2 * pairs, scaled(self.matches, scale, least=_PLAYERS))


STAGES = (Stage(generations=8, variants=16, matches=120), Stage(generations=10, variants=24, matches=300))


@kernel
def challenge(
    start: Any, challenger: Any, holder: Any, seed: Any, matches: int, work: Any, turns: Any, scratches: Any
) -> float:
    """The wins of a challenger in matches of two players; each pair of matches has the same dice, seats exchanged."""
    state, scratch = work[0], scratches[0]
    wins = 0.0
    for match in range(matches):
        work[0] = start[0]
        scratch.word = stream(seed, match // _PLAYERS)
        while state.step != TurnStep.OVER:
            if state.step == TurnStep.ROLL or state.step == TurnStep.START:
                apply(state, CHANCE, draw(state, below(scratch, tickets(state))))
            elif state.turn == match % _PLAYERS:
                play_best(state, state.turn, challenger, turns, scratch)
            else:
                play_best(state, state.turn, holder, turns, scratch)
        outcome(state, scratch.scores, scratch.ranks)
        if scratch.ranks[match % _PLAYERS] == 1:
            wins += 1.0 if scratch.ranks[1 - match % _PLAYERS] > 1 else 0.5
    return wins


def first_weights() -> Any:
    """Weights to begin with, set by hand: a lead of 19 steps makes a win e times as likely as a loss."""
    steps = np.zeros(FEATURES)
    steps[[STRAIGHT, OUTSIDE, DETOUR, LACKING, IN_TURN]] = -10, -4, -2, -25, 4
    return steps / 19


def first_spread() -> Any:
    """How far variants stray at first. The distance is the measure of everything else."""
    spread = np.full(FEATURES, 0.1)
    spread[[STRAIGHT, IN_TURN]] = 0.0
    spread[DETOUR] = 0.15
    spread[LACKING] = 0.5
    spread[[MISSING, OUTSIDE, ASHORE]] = 0.15
    spread[[MOVING_ROLLS, HOME_ROLLS]] = 0.08
    return spread


class Table:
    """Where matches of weights against weights are played."""

    def __init__(self) -> None:
        """The usual match of two."""
        game = find_game("stege")
        self._start = game.layout.batch(1)
        self._start[0] = game.start(read_options(game.options, {"players": _PLAYERS})).state
        self._work = np.empty_like(self._start)
        self._turns = np.zeros(TURN_BUFFER_SIZE, TURN_DTYPE).view(np.recarray)
        self._scratches = np.zeros(1, SCRATCH_DTYPE).view(np.recarray)

    def wins(self, challenger: Any, holder: Any, matches: int, seed: int) -> float:
        """The share of matches that a challenger wins."""
        word = new_rng(seed).word
        won = challenge(self._start, challenger, holder, word, matches, self._work, self._turns, self._scratches)
        return float(won) / matches


def evolve(mean: Any, spread: Any, stage: Stage, seed: int) -> Any:
    """The weights after the generations of a stage, each shown as it ends."""
    table, chance = Table(), np.random.default_rng(seed)
    for generation in range(stage.generations):
        begin = time.monotonic()
        noise = chance.standard_normal((stage.variants // 2, FEATURES))
        tried = mean + spread * np.concatenate([noise, -noise])
        wins = np.array([table.wins(weights, mean, stage.matches, seed + generation) for weights in tried])
        better = tried[np.argsort(-wins, kind="stable")[: stage.variants // 2]]
        mean = better.mean(0)
        spread = 0.5 * spread + 0.5 * better.std(0)
        text = f"generation {generation + 1}: wins {wins.mean():.3f} on average, {wins.max():.3f} at best"
        print(f"{text}, {time.monotonic() - begin:.0f} s", file=sys.stderr, flush=True)
    return mean


def source(weights: Any, made_by: str) -> str:
    """The weights as a module: kernels that were compiled with other weights must not be used again."""
    numbers = ", ".join(f"{weight:.4f}" for weight in weights)
    return f'''"""The weights of `value.py`, in the order of its features.

Made by `{made_by}`. A Python file, because
kernels that were compiled with other weights must not be used again.
"""

from threespan.core.memory import constant, float64

WEIGHTS = constant([{numbers}], float64)
'''


def main() -> None:
    """Learn and write the weights."""
    arguments = argument_parser("Learn what a sea of Stege is worth by playing.", WEIGHTS_FILE).parse_args()
    weights = first_weights()
    for number, stage in enumerate(STAGES):
        seed = (arguments.seed * len(STAGES) + number) * _SEEDS_OF_A_STAGE
        weights = evolve(weights, first_spread(), stage.scaled(arguments.scale), seed)
    arguments.out.write_text(source(weights, command_line("training.stege.weights", arguments)), "utf-8")
    trial = scaled(_TRIAL, arguments.scale, least=_PLAYERS)
    wins = Table().wins(weights, first_weights(), trial, _TRIAL_SEED)
    print(f"wins against the first weights: {wins:.3f} of {trial}", file=sys.stderr)


if __name__ == "__main__":
    main()
