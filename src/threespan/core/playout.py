"""Random play inside kernels, for any game."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from threespan.core.chance import below, new_rng, stream
from threespan.core.kernel import kernel, lowest_bit
from threespan.core.rules import CHANCE, MAX_SEATS, acting, apply, draw, legal, outcome, tickets

MAX_LEGAL = 1024  # no game has more choices in one decision


class Playouts(NamedTuple):
    """The results of random play: one row a state, one column a playout."""

    scores: Any
    ranks: Any
    actions: int


@kernel
def random_action(state: Any, seat: int, rng: Any, actions: Any) -> int:
    """A legal action of a seat, or an outcome of chance, at random."""
    if seat == CHANCE:
        return draw(state, below(rng, tickets(state)))
    return actions[below(rng, legal(state, seat, actions))]  # type: ignore[no-any-return]


@kernel
def play_out(state: Any, rng: Any, actions: Any) -> int:
    """Play a state at random to its end; the number of actions of seats (chance aside) that took."""
    count = 0
    seats = acting(state)
    while seats != 0:
        seat = lowest_bit(seats)
        apply(state, seat, random_action(state, seat, rng, actions))
        count += seat != CHANCE
        seats = acting(state)
    return count


@kernel
def _play_many(states: Any, first: int, repeats: int, seed: Any, work: Any, scores: Any, ranks: Any) -> int:
    actions = np.empty(MAX_LEGAL, np.int16)
    rng = np.empty(1, np.uint64)
    count = 0
    for row in range(len(states)):
        for column in range(repeats):
            work[0] = states[row]
            rng[0] = stream(seed, (first + row) * repeats + column)
            count += play_out(work[0], rng, actions)
            outcome(work[0], scores[row, column], ranks[row, column])
    return count


def playouts(states: Any, repeats: int, seed: int = 0, threads: int | None = None) -> Playouts:
    """Play every state `repeats` times at random, on all cores and without the GIL.

    The result depends on the seed alone, not on the number of threads.
    """
    shape = (len(states), repeats, MAX_SEATS)
    scores, ranks = np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    word = new_rng(seed)[0]

    def part(start: int, stop: int) -> int:
        return _play_many(
            states[start:stop],
            start,
            repeats,
            word,
            np.empty_like(states[:1]),
            scores[start:stop],
            ranks[start:stop],
        )

    workers = max(1, min(threads or os.cpu_count() or 1, len(states)))
    edges = [len(states) * index // workers for index in range(workers + 1)]
    if workers == 1:
        return Playouts(scores, ranks, part(0, len(states)))
    with ThreadPoolExecutor(workers) as pool:
        counts = pool.map(part, edges, edges[1:])
    return Playouts(scores, ranks, sum(counts))
