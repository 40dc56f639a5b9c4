"""Sequential halving: try all candidates on the same chances, drop the worse half, try the rest again, and so on."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from time import monotonic
from typing import Any

import numpy as np

from threespan.bots.bot import Budget

# Called with a mask of candidates, a first and a stop: the sums of what each of them gained by those simulations.
Simulate = Callable[[Any, int, int], Any]


class Halving:
    """A race between candidates, which are numbers; simulations are numbered too, and all candidates meet the same."""

    def __init__(self, candidates: int, batch: int, simulate: Simulate, keeps_middle: bool = False) -> None:
        """A race with so many simulations of each candidate between two looks at the clock.

        Of an odd number of candidates the middle one is dropped, unless the race keeps it.
        """
        self._batch, self._simulate, self._spare = batch, simulate, int(keeps_middle)
        self._alive = np.ones(candidates, np.bool_)
        self._sums = np.zeros(candidates)
        self._done = 0
        self.visits = np.zeros(candidates, np.int64)

    def means(self) -> Any:
        """What each candidate was worth on average."""
        return self._sums / np.maximum(self.visits, 1)

    def run(self, budget: Budget) -> None:
        """Halve until one is left; each stage gets an equal part of the budget. A single candidate is the choice."""
        keeps = self._stages()
        begin = monotonic()
        for stage, keep in enumerate(keeps, start=1):
            while not self._is_over(budget, stage / len(keeps), begin):
                self._go_on(budget.threads)
            living = np.flatnonzero(self._alive)
            order = living[np.argsort(-self.means()[living], kind="stable")]
            self._alive[:] = False
            self._alive[order[:keep]] = True

    def best(self) -> list[int]:
        """All candidates, best first: those that stayed longer, then those worth more."""
        means = self.means()
        return sorted(range(len(means)), key=lambda index: (-int(self.visits[index]), -means[index], index))

    def _stages(self) -> list[int]:
        """How many candidates are kept after each stage."""
        keeps, left = [], len(self._alive)
        while left > 1:
            left = (left + self._spare) // 2
            keeps.append(left)
        return keeps

    def _is_over(self, budget: Budget, share: float, begin: float) -> bool:
        if self._done and budget.seconds is not None and monotonic() - begin >= share * budget.seconds:
            return True
        return budget.simulations is not None and int(self.visits.sum()) >= share * budget.simulations

    def _go_on(self, threads: int) -> None:
        """One batch of simulations on every thread."""

        def part(span: tuple[int, int]) -> Any:
            with np.errstate(over="ignore"):  # uncompiled, the generator wraps; the setting belongs to a thread
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
