"""Learn the weights by playing: `python -m threespan.bots.stege.learn`.

An evolution strategy: in every generation, variants of the weights play the same matches against the weights that the
generation began with, each taking its best-rated turns; the better half becomes the next mean and spread.
Weights fitted to who won, which were tried first, foretell winners and make bad moves.
"""

import argparse
import time
from typing import Any

import numpy as np

from threespan.bots.stege.simulate import play_best
from threespan.bots.stege.turns import MAX_TURNS, SHOP_DTYPE, TURN_DTYPE
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
from threespan.games.stege.state import Step

_PLAYERS = 2
_TRIAL, _TRIAL_SEED = 400, 12345  # matches of the result against the first weights


@kernel
def challenge(
    start: Any, challenger: Any, holder: Any, seed: Any, matches: int, work: Any, turns: Any, shops: Any
) -> float:
    """The wins of a challenger in matches of two players; each pair of matches has the same dice, seats exchanged."""
    state, shop = work[0], shops[0]
    wins = 0.0
    for match in range(matches):
        work[0] = start[0]
        shop.word = stream(seed, match // _PLAYERS)
        while state.step != Step.OVER:
            if state.step == Step.ROLL or state.step == Step.START:
                apply(state, CHANCE, draw(state, below(shop, tickets(state))))
            elif state.turn == match % _PLAYERS:
                play_best(state, state.turn, challenger, turns, shop)
            else:
                play_best(state, state.turn, holder, turns, shop)
        outcome(state, shop.scores, shop.ranks)
        if shop.ranks[match % _PLAYERS] == 1:
            wins += 1.0 if shop.ranks[1 - match % _PLAYERS] > 1 else 0.5
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
        self._turns = np.zeros(MAX_TURNS, TURN_DTYPE).view(np.recarray)
        self._shops = np.zeros(1, SHOP_DTYPE).view(np.recarray)

    def wins(self, challenger: Any, holder: Any, matches: int, seed: int) -> float:
        """The share of matches that a challenger wins."""
        word = new_rng(seed).word
        won = challenge(self._start, challenger, holder, word, matches, self._work, self._turns, self._shops)
        return float(won) / matches


def evolve(mean: Any, spread: Any, generations: int, variants: int, matches: int, seed: int) -> Any:
    """The weights after some generations, each shown as it ends."""
    table, chance = Table(), np.random.default_rng(seed)
    for generation in range(generations):
        begin = time.monotonic()
        noise = chance.standard_normal((variants // 2, FEATURES))
        tried = mean + spread * np.concatenate([noise, -noise])
        wins = np.array([table.wins(weights, mean, matches, seed + generation) for weights in tried])
        better = tried[np.argsort(-wins, kind="stable")[: variants // 2]]
        mean = better.mean(0)
        spread = 0.5 * spread + 0.5 * better.std(0)
        print(f"{generation}: {wins.mean():.3f} on average, best {wins.max():.3f}, {time.monotonic() - begin:.0f} s")
        print("   ", np.array2string(mean, precision=3, max_line_width=200), flush=True)
    return mean


def main() -> None:
    """Learn the weights and print them."""
    parser = argparse.ArgumentParser(description="Learn what a sea of Stege is worth by playing.")
    parser.add_argument("--generations", type=int, default=12)
    parser.add_argument("--variants", type=int, default=20)
    parser.add_argument("--matches", type=int, default=240, help="matches of each variant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=float, nargs=FEATURES, help="weights to begin with")
    options = parser.parse_args()
    start = first_weights() if options.start is None else np.array(options.start)
    mean = evolve(start, first_spread(), options.generations, options.variants, options.matches, options.seed)
    print(", ".join(f"{weight:.4f}" for weight in mean))
    print(f"wins against the first weights: {Table().wins(mean, first_weights(), _TRIAL, _TRIAL_SEED):.3f} of {_TRIAL}")


if __name__ == "__main__":
    main()
