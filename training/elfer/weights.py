"""Learn the policy of Elfer by playing: `python -m training.elfer.weights`.

All seats of a match play the same policy: an action is chosen with a chance that grows with its score (softmax), half
of the matches with symbols. What the winners did becomes more likely and what the others did less, by a step of fixed
size along the natural gradient (Kakade 2001), so that weights of rare and of frequent features learn alike.
"""

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from threespan.bots import elfer
from threespan.bots.elfer.features import FEATURES, MOMENTS, features, moment_after
from threespan.bots.elfer.turns import SCRATCH_DTYPE, score_actions, turn_scores_into_chances
from threespan.core.chance import below, stream
from threespan.core.kernel import called_kernel, kernel, lowest_bit
from threespan.core.options import read_options
from threespan.core.registry import find_game
from threespan.core.rules import CHANCE, MAX_SEATS
from threespan.games.elfer.rules import acting, apply, draw, outcome, tickets
from training.common import argument_parser, command_line, scaled

WEIGHTS_FILE = Path(elfer.__file__).parent / "weights.py"
SWEEPS = 25  # for each number of players
MATCHES = 12_000  # a sweep
STEP = 0.4  # the size of a step along the gradient

_FINE = 1 << 30  # how finely chances are told apart
_MIN_SIZE = 0.05  # of a gradient: a smaller one is mostly noise, and gets a shorter step
_DAMPING = 1e-3
_SIZE = MOMENTS * FEATURES


@called_kernel
def draw_action(state: Any, seat: int, weights: Any, scratch: Any, pull: Any) -> int:
    """An action by chance; `pull` gets what would make it more likely."""
    choices = score_actions(state, seat, weights, scratch)
    if choices == 1:
        return scratch.actions[0]  # type: ignore[no-any-return]
    turn_scores_into_chances(scratch, choices)
    left = below(scratch, _FINE) / _FINE
    chosen = 0
    while chosen < choices - 1 and left >= scratch.scores[chosen]:
        left -= scratch.scores[chosen]
        chosen += 1
    for index in range(choices):
        share = (index == chosen) - scratch.scores[index]
        seen = features(state, seat, scratch.actions[index])
        first = moment_after(state, scratch.actions[index]) * FEATURES
        for at in range(FEATURES):
            pull[first + at] += share * seen[at]
    return scratch.actions[chosen]  # type: ignore[no-any-return]


@kernel
def play_matches(
    starts: Any, weights: Any, seed: Any, works: Any, scratches: Any, scores: Any, ranks: Any, pulls: Any, gains: Any
) -> None:
    """Play matches; for each seat of each, the sum of its pulls and how much more than its share it has won."""
    state, scratch = works[0], scratches[0]
    for match in range(len(pulls)):
        works[0] = starts[match % len(starts)]
        scratch.word = stream(seed, match)
        seats = acting(state)
        while seats != 0:
            seat = lowest_bit(seats)
            if seat == CHANCE:
                action = draw(state, below(scratch, tickets(state)))
            else:
                action = draw_action(state, seat, weights, scratch, pulls[match, seat])
            apply(state, seat, action)
            seats = acting(state)
        outcome(state, scores, ranks)
        for seat in range(state.players):
            gains[match, seat] = (ranks[seat] == 1) - 1.0 / state.players


def meet(players: int, weights: Any, matches: int, seed: int) -> tuple[Any, Any]:
    """The pulls and gains of all seats of so many matches."""
    game = find_game("elfer")
    starts = game.layout.batch(2)
    for index, symbols in enumerate((False, True)):
        starts[index] = game.start(read_options(game.options, {"players": players, "symbols": symbols})).state
    pulls, gains = np.zeros((matches, players, _SIZE)), np.zeros((matches, players))
    scratches = np.zeros(1, SCRATCH_DTYPE).view(np.recarray)
    scores, ranks = np.zeros(MAX_SEATS, np.int32), np.zeros(MAX_SEATS, np.int32)
    play_matches(starts, weights, np.uint64(seed), np.empty_like(starts[:1]), scratches, scores, ranks, pulls, gains)
    return pulls.reshape(-1, _SIZE), gains.reshape(-1)


def improve(weights: Any, pulls: Any, gains: Any, step: float) -> float:
    """Move the weights of one number of players along the natural gradient; its size."""
    gradient = pulls.T @ gains / len(gains)
    fisher = pulls.T @ pulls / len(gains)
    fisher += np.eye(_SIZE) * _DAMPING * (1.0 + np.trace(fisher) / _SIZE)
    move = np.linalg.solve(fisher, gradient)
    size = float(np.sqrt(move @ fisher @ move))
    weights += (step / max(size, _MIN_SIZE) * move).reshape(MOMENTS, FEATURES)
    return size


def source(weights: Any, made_by: str) -> str:
    """The weights as a module: kernels take them in as constants."""
    lines = [
        '"""The weights of the policy of Elfer, by players, moment and feature.',
        "",
        f"Made by `{made_by}`.",
        '"""',
        "",
        "from threespan.core.memory import constant, float64",
        "",
        "# fmt: off",
        "WEIGHTS = constant([",
    ]
    for table in weights:
        lines.append("    [")
        for row in table:
            numbers = [f"{number:.2f}" for number in np.round(row, 2) + 0.0]  # a zero has no sign
            lines.append("        [" + ", ".join(numbers[:14]) + ",")
            lines.append("         " + ", ".join(numbers[14:]) + "],")
        lines.append("    ],")
    return "\n".join([*lines, "], float64)", ""])


def main() -> None:
    """Learn and write the weights."""
    arguments = argument_parser("Learn the policy of Elfer by playing.", WEIGHTS_FILE).parse_args()
    weights = np.zeros((MAX_SEATS + 1, MOMENTS, FEATURES))
    for players in range(2, MAX_SEATS + 1):
        for sweep in range(scaled(SWEEPS, arguments.scale)):
            begin = time.monotonic()
            pulls, gains = meet(players, weights, scaled(MATCHES, arguments.scale), arguments.seed + sweep)
            size = improve(weights[players], pulls, gains, STEP)
            took = time.monotonic() - begin
            text = f"{players} players, sweep {sweep + 1}: gradient {size:.3f}, {took:.0f} s"
            print(text, file=sys.stderr, flush=True)
    arguments.out.write_text(source(weights, command_line("training.elfer.weights", arguments)), "utf-8")


if __name__ == "__main__":
    main()
