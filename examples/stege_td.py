"""Learn to play Stege by temporal differences, and meet a greedy player: `python examples/stege_td.py`.

The value of a sea to the first player is sigmoid(weights @ x): x is what the ways of the first player have, less what
those of the second have (nine features, see `threespan.bots.stege.value`). Both players take the turn after which the
sea is worth most to them, now and then a random one, and TD(lambda) moves every value towards the value one turn later,
and the last one towards who has won.

Learning begins with the greedy player's weights, which want nothing but short ways home.
"""

import argparse
import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from threespan.bots.planning import best_turn
from threespan.bots.stege.turns import SCRATCH_DTYPE, TURN_BUFFER_SIZE, TURN_DTYPE, rate_turns
from threespan.bots.stege.value import DETOUR, FEATURES, STRAIGHT, strength
from threespan.core.chance import below, new_rng, stream
from threespan.core.kernel import kernel
from threespan.core.rules import OVER
from threespan.games.stege.state import NONE
from threespan.research.vector import WAIT, VectorGame

TAKES, PLACES = 3, 3  # how many jetties, and how many places for each, a player thinks of with a 1 or a 6
RANDOM_TURNS = 0.1
DECAY = 0.9  # lambda: how far an error reaches back
TELL = 2000  # matches between two lines of the report
GREEDY = np.zeros(FEATURES)
GREEDY[[STRAIGHT, DETOUR]] = -0.5


@kernel
def choose_all(states: Any, seats: Any, weights: Any, is_random: Any, turns: Any, scratches: Any, actions: Any) -> None:
    """The first action of the best-rated turn in every match, or of a random one; `weights` by match and seat."""
    scratch = scratches[0]
    for lane in range(len(states)):
        actions[lane] = WAIT
        if seats[lane] == OVER:
            continue
        count = rate_turns(states[lane], seats[lane], weights[lane, seats[lane]], turns, scratch, TAKES, PLACES, False)
        turn = turns[below(scratch, count) if is_random[lane] else best_turn(turns, count)]
        actions[lane] = turn.jetty if turn.jetty != NONE else turn.place if turn.place != NONE else turn.last


@kernel
def describe_all(states: Any, seats: Any, units: Any, chosen: Any, features: Any) -> None:
    """The features of the chosen matches: the first player's less the second's."""
    for lane in range(len(states)):
        if chosen[lane]:
            for index in range(len(units)):
                own = strength(states[lane], 0, seats[lane], units[index])
                features[lane, index] = own - strength(states[lane], 1, seats[lane], units[index])


class Players:
    """Chooses the actions and computes the features of a batch of matches, on all cores."""

    def __init__(self, matches: VectorGame, seed: int) -> None:
        """Share the matches out."""
        self.matches = matches
        cores = min(os.cpu_count() or 1, matches.n)
        self._lanes = [slice(matches.n * i // cores, matches.n * (i + 1) // cores) for i in range(cores)]
        self._turns = [np.zeros(TURN_BUFFER_SIZE, TURN_DTYPE) for _ in range(cores)]
        self._scratches = [np.zeros(1, SCRATCH_DTYPE) for _ in range(cores)]
        for index, scratch in enumerate(self._scratches):
            scratch["word"] = stream(new_rng(seed).word, index)
        self._pool = ThreadPoolExecutor(cores)

    def choose(self, weights: Any, is_random: Any) -> Any:
        """An action in every match."""
        matches, actions = self.matches, np.empty(self.matches.n, np.int64)

        def part(lanes: slice, turns: Any, scratches: Any) -> None:
            states, seats = matches.states[lanes], matches.seats[lanes]
            choose_all(states, seats, weights[lanes], is_random[lanes], turns, scratches, actions[lanes])

        list(self._pool.map(part, self._lanes, self._turns, self._scratches))
        return actions

    def describe(self, chosen: Any, features: Any) -> None:
        """Write the features of the chosen matches."""
        matches, units = self.matches, np.eye(FEATURES)

        def part(lanes: slice) -> None:
            describe_all(matches.states[lanes], matches.seats[lanes], units, chosen[lanes], features[lanes])

        list(self._pool.map(part, self._lanes))


def learn(wanted: int, lanes: int, rate: float, seed: int) -> Any:
    """Play and learn until so many matches have ended; the mean of the weights in the second half of them."""
    matches = VectorGame("stege", lanes, seed=seed, reward="win")
    players, chance = Players(matches, seed), np.random.default_rng(seed)
    weights, traces, features = GREEDY.copy(), np.zeros((lanes, FEATURES)), np.zeros((lanes, FEATURES))
    players.describe(np.ones(lanes, np.bool_), features)
    count, kept = 0, []
    while count < wanted:
        before = matches.seats.copy()
        everywhere = np.ascontiguousarray(np.broadcast_to(weights, (lanes, 2, FEATURES)))
        rewards, ended = matches.step(players.choose(everywhere, chance.random(lanes) < RANDOM_TURNS))
        passed_on = (matches.seats != before) | ended
        value = sigmoid(features @ weights)
        traces[passed_on] = DECAY * traces[passed_on] + features[passed_on]
        players.describe(passed_on, features)
        target = np.where(ended, rewards[:, 0], sigmoid(features @ weights))
        error = np.where(passed_on, target - value, 0.0)
        weights = weights + rate * (error @ traces) / lanes
        traces[ended] = 0.0
        if count // TELL < (count + ended.sum()) // TELL:
            print(
                f"{count + ended.sum()} matches:", np.array2string(weights, precision=2, max_line_width=120), flush=True
            )
        count += int(ended.sum())
        if count >= wanted / 2:
            kept.append(weights)
    return np.mean(kept, axis=0)


def sigmoid(strengths: Any) -> Any:
    """The chance to win of a player that is so much stronger."""
    return 1 / (1 + np.exp(-strengths))


def meet(weights: Any, other: Any, count: int, seed: int) -> tuple[float, int]:
    """The share of matches that `weights` win against `other`, seats exchanged after every match, and how many."""
    lanes = min(count, 256)
    matches = VectorGame("stege", lanes, seed=seed, reward="win", auto_reset=False)
    players, is_random = Players(matches, seed), np.zeros(lanes, np.bool_)
    by_seat = np.empty((lanes, 2, FEATURES))
    by_seat[0::2] = weights, other
    by_seat[1::2] = other, weights
    won = np.zeros(lanes)
    own_seat = np.arange(lanes) % 2
    total, played = 0.0, 0
    while played < count:
        matches.reset()
        while (matches.seats != OVER).any():
            rewards, ended = matches.step(players.choose(by_seat, is_random))
            won[ended] = rewards[ended, own_seat[ended]]
        total, played = total + float(won.sum()), played + lanes
    return total / played, played


def main() -> None:
    """Learn, then play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learn", type=int, default=20000, help="matches to learn from")
    parser.add_argument("--lanes", type=int, default=256, help="matches at the same time")
    parser.add_argument("--rate", type=float, default=0.5)
    parser.add_argument("--matches", type=int, default=4096, help="against the greedy player afterwards")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    begin = time.monotonic()
    weights = learn(options.learn, options.lanes, options.rate, options.seed)
    print(f"learnt in {time.monotonic() - begin:.0f} s ({time.process_time():.0f} s of all cores):")
    print(np.array2string(weights, precision=3, max_line_width=120))
    share, played = meet(weights, GREEDY, options.matches, options.seed + 1)
    spread = 1.96 * (share * (1 - share) / played) ** 0.5
    print(f"wins against the greedy player: {share:.1%} +- {spread:.1%} of {played}")


if __name__ == "__main__":
    main()
