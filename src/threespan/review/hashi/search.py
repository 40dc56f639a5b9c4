"""A run of CP-SAT over the model: one worker, so that the same position always gets the same answer.

Measured on 80 deals from the very start, both sides (`bench/hashi/solver.py`): all proved, median 0.5 s, worst 3.2 s.
On 11 of the harder deals, two seeds each, the mean was 0.7 s; 1.2 s with `optimize_with_lb_tree_search`; 17 s with
linear relaxations, which are therefore off: the model is mostly logic. Asking "60? 58? 56?" from above took as long and
has no play to show meanwhile. Plays of 50 points appear after 0.2 s, so a first play from elsewhere would not pay.
"""

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import NamedTuple

from ortools.sat.python import cp_model

from threespan.review.hashi.model import HashiModel, Plan

RANDOM_SEED = 0
_TOLERANCE = 1e-6  # CP-SAT hands whole numbers out as floats
_STOP_SECONDS = 0.05  # between two requests to stop; one alone could come before the run begins


class Interval(NamedTuple):
    """The best score lies between these two, both included."""

    low: int
    high: int

    def narrowed(self, other: "Interval") -> "Interval":
        """What both agree on."""
        return Interval(max(self.low, other.low), min(self.high, other.high))


class Found(NamedTuple):
    """A plan, if there was time for any, its score, and what is known of the best one."""

    plan: Plan | None
    score: int
    interval: Interval


class _Listener(cp_model.CpSolverSolutionCallback):
    """Hands what CP-SAT finds over to another thread."""

    def __init__(self, known: Interval) -> None:
        super().__init__()
        self._known = known
        self.news: SimpleQueue[Interval | None] = SimpleQueue()

    def on_solution_callback(self) -> None:
        """A better play."""
        self.news.put(self._known._replace(low=round(self.objective_value)))

    def on_bound(self, bound: float) -> None:
        """A proof that no play scores more."""
        self.news.put(self._known._replace(high=_whole(bound)))

    def on_end(self, _: object) -> None:
        """The run is over."""
        self.news.put(None)


def search(model: HashiModel, seconds: float | None, known: Interval, on_progress: Callable[[int, int], None]) -> Found:
    """The best plan; `on_progress` gets the interval whenever it becomes smaller than what is `known`.

    CP-SAT has a thread of its own, so that reports, errors in them and Ctrl-C belong to the caller's.
    """
    solver = _new_solver(seconds)
    listener = _Listener(known)
    solver.best_bound_callback = listener.on_bound
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(solver.solve, model.cp, listener)
        run.add_done_callback(listener.on_end)
        try:
            for found in iter(listener.news.get, None):
                known = _report(known, found, on_progress)
        except BaseException:
            while wait([run], _STOP_SECONDS).not_done:
                solver.stop_search()
            raise
    status = run.result()
    if status == cp_model.UNKNOWN:
        return Found(None, known.low, known)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise RuntimeError(f"{solver.status_name(status)}: no play at all; could lawful play lead to this position?")
    score = round(solver.objective_value)
    known = _report(known, Interval(score, _whole(solver.best_objective_bound)), on_progress)
    return Found(model.plan(solver), score, known)


def _new_solver(seconds: float | None) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = RANDOM_SEED
    solver.parameters.linearization_level = 0
    solver.parameters.catch_sigint_signal = False
    if seconds is not None:
        solver.parameters.max_time_in_seconds = seconds
    return solver


def _report(known: Interval, found: Interval, on_progress: Callable[[int, int], None]) -> Interval:
    narrowed = known.narrowed(found)
    if narrowed != known:
        on_progress(*narrowed)
    return narrowed


def _whole(bound: float) -> int:
    return math.floor(bound + _TOLERANCE)
