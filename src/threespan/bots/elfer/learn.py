"""Learn the policy of Elfer by playing: `python -m threespan.bots.elfer.learn --out FILE`.

All seats of a match play the same policy: an action is chosen with a chance that grows with its score (softmax), half
of the matches with symbols. What the winners did becomes more likely and what the others did less, by a step of fixed
size along the natural gradient (Kakade 2001), so that weights of rare and of frequent features learn alike.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from threespan.bots.elfer.features import FEATURES, MOMENTS, features, moment_after
from threespan.bots.elfer.turns import PAPER_DTYPE, score_actions, turn_scores_into_chances
from threespan.core.chance import below, stream
from threespan.core.kernel import called_kernel, kernel, lowest_bit
from threespan.core.options import read_options
from threespan.core.registry import find_game
from threespan.core.rules import CHANCE, MAX_SEATS
from threespan.games.elfer.rules import acting, apply, draw, outcome, tickets

_FINE = 1 << 30  # how finely chances are told apart
_LEAST_SIZE = 0.05  # of a gradient: a smaller one is mostly noise, and gets a shorter step
_DAMPING = 1e-3
_SIZE = MOMENTS * FEATURES


@called_kernel
def draw_action(state: Any, seat: int, weights: Any, paper: Any, pull: Any) -> int:
    """An action by chance; `pull` gets what would make it more likely."""
    choices = score_actions(state, seat, weights, paper)
    if choices == 1:
        return paper.actions[0]  # type: ignore[no-any-return]
    turn_scores_into_chances(paper, choices)
    left = below(paper, _FINE) / _FINE
    chosen = 0
    while chosen < choices - 1 and left >= paper.scores[chosen]:
        left -= paper.scores[chosen]
        chosen += 1
    for index in range(choices):
        share = (index == chosen) - paper.scores[index]
        seen = features(state, seat, paper.actions[index])
        first = moment_after(state, paper.actions[index]) * FEATURES
        for at in range(FEATURES):
            pull[first + at] += share * seen[at]
    return paper.actions[chosen]  # type: ignore[no-any-return]


@kernel
def play_matches(
    starts: Any, weights: Any, seed: Any, works: Any, papers: Any, scores: Any, ranks: Any, pulls: Any, gains: Any
) -> None:
    """Play matches; for each seat of each, the sum of its pulls and how much more than its share it has won."""
    state, paper = works[0], papers[0]
    for match in range(len(pulls)):
        works[0] = starts[match % len(starts)]
        paper.word = stream(seed, match)
        seats = acting(state)
        while seats != 0:
            seat = lowest_bit(seats)
            if seat == CHANCE:
                action = draw(state, below(paper, tickets(state)))
            else:
                action = draw_action(state, seat, weights, paper, pulls[match, seat])
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
    papers = np.zeros(1, PAPER_DTYPE).view(np.recarray)
    scores, ranks = np.zeros(MAX_SEATS, np.int32), np.zeros(MAX_SEATS, np.int32)
    play_matches(starts, weights, np.uint64(seed), np.empty_like(starts[:1]), papers, scores, ranks, pulls, gains)
    return pulls.reshape(-1, _SIZE), gains.reshape(-1)


def improve(weights: Any, pulls: Any, gains: Any, step: float) -> float:
    """Move the weights of one number of players along the natural gradient; its size."""
    gradient = pulls.T @ gains / len(gains)
    fisher = pulls.T @ pulls / len(gains)
    fisher += np.eye(_SIZE) * _DAMPING * (1.0 + np.trace(fisher) / _SIZE)
    move = np.linalg.solve(fisher, gradient)
    size = float(np.sqrt(move @ fisher @ move))
    weights += (step / max(size, _LEAST_SIZE) * move).reshape(MOMENTS, FEATURES)
    return size


def source(weights: Any, made_by: str) -> str:
    """The weights as a module: kernels take them in as constants."""
    lines = [
        '"""The weights of the policy of Elfer, by players, moment and feature.',
        "",
        f"Made by `{made_by}`.",
        '"""',
        "",
        "import numpy as np",
        "",
        "# fmt: off",
        "WEIGHTS = np.array([",
    ]
    for table in weights:
        lines.append("    [")
        for row in table:
            numbers = [f"{number:.2f}" for number in row]
            lines.append("        [" + ", ".join(numbers[:14]) + ",")
            lines.append("         " + ", ".join(numbers[14:]) + "],")
        lines.append("    ],")
    return "\n".join([*lines, "])", ""])


def main() -> None:
    """Learn and write the weights."""
    parser = argparse.ArgumentParser(description="Learn the policy of Elfer by playing.")
    parser.add_argument("--sweeps", type=int, default=25)
    parser.add_argument("--matches", type=int, default=12_000, help="matches a sweep")
    parser.add_argument("--step", type=float, default=0.4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    made_by = f"python -m threespan.bots.elfer.learn --sweeps {options.sweeps} --matches {options.matches}"
    made_by += f" --step {options.step} --seed {options.seed}"
    weights = np.zeros((MAX_SEATS + 1, MOMENTS, FEATURES))
    for players in range(2, MAX_SEATS + 1):
        for sweep in range(options.sweeps):
            begin = time.monotonic()
            pulls, gains = meet(players, weights, options.matches, options.seed + sweep)
            size = improve(weights[players], pulls, gains, options.step)
            seconds = time.monotonic() - begin
            print(f"{players} players, sweep {sweep + 1}: gradient {size:.3f}, {seconds:.0f} s", file=sys.stderr)
    options.out.write_text(source(weights, made_by))


if __name__ == "__main__":
    main()
