"""Sequential halving: simulate all candidates with the same random numbers, drop the worse half, and repeat."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from time import monotonic
from typing import Any

import numpy as np

from threespan.bots.bot import Budget

# Called with a mask of candidates and a range of simulations (first, stop); returns the sum of values per candidate.
Simulate = Callable[[Any, int, int], Any]


class SequentialHalving:
    """Finds the best of several candidates. Simulations are numbered, and all candidates get the same ones."""

    def __init__(self, candidates: int, batch: int, simulate: Simulate, keeps_middle: bool = False) -> None:
        """Simulate each candidate `batch` times between two looks at the clock.

        Of an odd number of candidates the middle one is dropped, unless `keeps_middle` is set.
        """
        self._batch, self._simulate, self._spare = batch, simulate, int(keeps_middle)
        self._alive = np.ones(candidates, np.bool_)
        self._sums = np.zeros(candidates)
        self._done = 0
        self.visits = np.zeros(candidates, np.int64)

    def means(self) -> Any:
        """The mean value of each candidate."""
        return self._sums / np.maximum(self.visits, 1)

    def run(self, budget: Budget) -> None:
        """Halve until one candidate is left; each stage gets an equal part of the budget."""
        keeps = self._stages()
        start = monotonic()
        for stage, keep in enumerate(keeps, start=1):
            while not self._is_over(budget, stage / len(keeps), start):
                self._simulate_batch(budget.threads)
            living = np.flatnonzero(self._alive)
            order = living[np.argsort(-self.means()[living], kind="stable")]
            self._alive[:] = False
            self._alive[order[:keep]] = True

    def best(self) -> list[int]:
        """All candidates, best first: by how long they stayed, then by value."""
        means = self.means()
        return sorted(range(len(means)), key=lambda index: (-int(self.visits[index]), -means[index], index))

    def _stages(self) -> list[int]:
        """The number of candidates left after each stage."""
        keeps, left = [], len(self._alive)
        while left > 1:
            left = (left + self._spare) // 2
            keeps.append(left)
        return keeps

    def _is_over(self, budget: Budget, share: float, start: float) -> bool:
        if self._done and budget.seconds is not None and monotonic() - start >= share * budget.seconds:
            return True
        return budget.simulations is not None and int(self.visits.sum()) >= share * budget.simulations

    def _simulate_batch(self, threads: int) -> None:
        """Run one batch of simulations on every thread."""

        def part(span: tuple[int, int]) -> Any:
            with np.errstate(over="ignore"):  # uncompiled, the generator overflows; the setting is per thread
                return self._simulate(self._alive, *span)

        spans = list(pairwise(self._done + self._batch * index for index in range(threads + 1)))
        if threads == 1:
            self._sums += part(spans[0])
        else:
            with ThreadPoolExecutor(threads) as pool:
                for sums in pool.map(part, spans):
                    self._sums += sums
        self.visits[self._alive] += self._batch * threads
        self._done += self._batch * threads
