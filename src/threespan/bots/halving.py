"""Sequential halving in kernels: simulate all candidates with the same random numbers, drop the worse half, and repeat.

Simulations are numbered, and all candidates get the same ones. A race goes on in batches, so that whoever runs it can
look at the clock in between (deciding.py):

    begin_halving(halving, count, keeps_middle)
    while needs_batch(halving, simulations, elapsed):
        ...                           # add the values of the next simulations of every living candidate to its sum
        note_batch(halving, batch)
"""

from typing import Any

from threespan.core.kernel import kernel
from threespan.core.memory import float64, int8, int64, record_type

MAX_CANDIDATES = 32

HALVING_DTYPE = record_type(
    ("count", int64),  # candidates
    ("left", int64),  # of these, alive
    ("keeps_middle", int64),  # of an odd number of candidates the middle one is dropped, unless this is 1
    ("stage", int64),  # halvings so far
    ("stages", int64),
    ("done", int64),  # simulations of every living candidate
    ("is_alive", int8, (MAX_CANDIDATES,)),
    ("sums", float64, (MAX_CANDIDATES,)),
    ("visits", int64, (MAX_CANDIDATES,)),
    ("order", int64, (MAX_CANDIDATES,)),
)


@kernel
def begin_halving(halving: Any, count: int, keeps_middle: bool) -> None:
    """Start a race of `count` candidates."""
    halving.count = halving.left = count
    halving.keeps_middle = 1 if keeps_middle else 0
    halving.stage = halving.stages = halving.done = 0
    for index in range(count):
        halving.is_alive[index] = 1
        halving.sums[index] = 0.0
        halving.visits[index] = 0
    left = count
    while left > 1:
        left = (left + halving.keeps_middle) // 2
        halving.stages += 1


@kernel
def mean_value(halving: Any, index: int) -> float:
    """The mean value of a candidate."""
    return halving.sums[index] / max(halving.visits[index], 1)  # type: ignore[no-any-return]


@kernel
def needs_batch(halving: Any, simulations: int, elapsed: float) -> bool:
    """Whether the race goes on; drops candidates when a stage has had its equal part of the budget.

    The budget is a number of simulations, all candidates together, and the time of which the share `elapsed` is over.
    """
    while halving.stage < halving.stages:
        share = (halving.stage + 1) / halving.stages
        visits = 0
        for index in range(halving.count):
            visits += halving.visits[index]
        is_late = halving.done > 0 and elapsed >= share
        if not is_late and visits < share * simulations:
            return True
        drop_worse_half(halving)
        halving.stage += 1
    return False


@kernel
def drop_worse_half(halving: Any) -> None:
    """Keep the candidates with the best means; among equals the first."""
    halving.left = (halving.left + halving.keeps_middle) // 2
    for place in range(halving.left):
        best = -1
        for index in range(halving.count):
            if halving.is_alive[index] != 0 and (best < 0 or mean_value(halving, index) > mean_value(halving, best)):
                best = index
        halving.order[place] = best
        halving.is_alive[best] = 0
    for index in range(halving.count):
        halving.is_alive[index] = 0
    for place in range(halving.left):
        halving.is_alive[halving.order[place]] = 1


@kernel
def note_batch(halving: Any, batch: int) -> None:
    """Count a batch of simulations of all living candidates."""
    for index in range(halving.count):
        if halving.is_alive[index] != 0:
            halving.visits[index] += batch
    halving.done += batch


@kernel
def rank_candidates(halving: Any) -> None:
    """Write all candidates into `order`, best first: by how long they stayed, then by value, then by number."""
    for index in range(halving.count):
        place = index
        while place > 0 and _is_better(halving, index, halving.order[place - 1]):
            halving.order[place] = halving.order[place - 1]
            place -= 1
        halving.order[place] = index


@kernel
def _is_better(halving: Any, index: int, other: int) -> bool:
    if halving.visits[index] != halving.visits[other]:
        return halving.visits[index] > halving.visits[other]  # type: ignore[no-any-return]
    return mean_value(halving, index) > mean_value(halving, other)
