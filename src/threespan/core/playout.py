"""Many random matches at once, on all cores, for any game; with NumPy and the compiler."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from threespan.core.arguments import ArgumentError, allocate, whole_number
from threespan.core.array_arguments import describe, is_plain_array
from threespan.core.chance import new_rng, stream
from threespan.core.kernel import kernel
from threespan.core.random_play import SCRATCH_DTYPE, play_out
from threespan.core.rules import MAX_SEATS, layout_of, outcome


class Playouts(NamedTuple):
    """The results of random play: one row per state, one column per playout."""

    scores: Any
    ranks: Any
    actions: int


@kernel
def _play_many(
    states: Any, first: int, repeats: int, seed: Any, works: Any, scratches: Any, scores: Any, ranks: Any
) -> int:
    work, scratch = works[0], scratches[0]
    count = 0
    for row in range(len(states)):
        for column in range(repeats):
            works[0] = states[row]
            scratch.word = stream(seed, (first + row) * repeats + column)
            count += play_out(work, scratch)
            outcome(work, scores[row, column], ranks[row, column])
    return count


def playouts(states: Any, repeats: int, seed: int = 0, threads: int | None = None) -> Playouts:
    """Play every state `repeats` times at random, on all cores and without the GIL.

    The results depend only on the seed, not on the number of threads.
    """
    layout = layout_of(states) if is_plain_array(states) and states.ndim == 1 else None
    if layout is None:
        raise ArgumentError(f"states: a one-dimensional array of states is needed, not {describe(states)}")
    if len(states):
        layout.check_bounds(states)
    repeats = whole_number("repeats", repeats, minimum=0)
    max_workers = os.cpu_count() or 1 if threads is None else whole_number("threads", threads, minimum=1)
    shape = (len(states), repeats, MAX_SEATS)
    scores, ranks = allocate("repeats", repeats, lambda: (np.zeros(shape, np.int32), np.zeros(shape, np.int32)))
    word = new_rng(seed).word

    def part(start: int, stop: int) -> int:
        work, scratch = np.empty_like(states, shape=1), np.empty(1, SCRATCH_DTYPE).view(np.recarray)
        rows = slice(start, stop)
        with np.errstate(over="ignore"):  # uncompiled, the generator overflows; the setting is per thread
            return _play_many(states[rows], start, repeats, word, work, scratch, scores[rows], ranks[rows])

    workers = max(1, min(max_workers, len(states)))
    edges = [len(states) * index // workers for index in range(workers + 1)]
    if workers == 1:
        return Playouts(scores, ranks, part(0, len(states)))
    with ThreadPoolExecutor(workers) as pool:
        counts = pool.map(part, edges, edges[1:])
    return Playouts(scores, ranks, sum(counts))
