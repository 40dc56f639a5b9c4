"""The bots of Stege: they choose whole turns, by their values alone or by simulations on top of them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from threespan.bots.bot import Budget, Decision
from threespan.bots.halving import SequentialHalving
from threespan.bots.planning import PlannedTurns, decide_between
from threespan.bots.stege.simulate import add_rollouts
from threespan.bots.stege.turns import SCRATCH_DTYPE, TURN_BUFFER_SIZE, TURN_DTYPE, rate_turns
from threespan.bots.stege.weights import WEIGHTS
from threespan.core.chance import below, new_rng
from threespan.core.game import Position
from threespan.games.stege.state import NONE, PIPS

_TAKES, _PLACES = 20, 6  # how many jetties and places to look at with a 1 or a 6


@dataclass(frozen=True)
class Skill:
    """How well a bot plays: what it overlooks, and how it decides between the turns it notices."""

    overlooked: float = 0.0  # the share of turns
    candidates: int = 1  # turns that are tried by simulation; with 1 the best-rated turn is taken
    horizon: int = 1  # turns that a simulation plays before the sea is weighed
    budget: Budget = field(default_factory=Budget)


class StegePlayer:
    """Plays Stege with a given skill; values are shares of a win.

    A turn is planned as a whole and then carried out step by step.
    """

    def __init__(self, skill: Skill) -> None:
        """A player of so much skill."""
        self.skill = skill
        self._plans = PlannedTurns()

    def decide(self, seen: Position, seat: int, budget: Budget | None, seed: int) -> Decision:
        """The next step of the turn that was planned, or of a new plan."""
        legal = seen.legal(seat)
        if len(legal) == 1:
            return Decision(legal[0], (legal[0],))
        decision = self._plans.take(seen) or self._plan_turn(seen, seat, budget or self.skill.budget, seed)
        self._plans.keep(seen, seat, decision)
        return decision

    def _plan_turn(self, seen: Position, seat: int, budget: Budget, seed: int) -> Decision:
        noticed = self._notice(_rated_turns(seen, seat), seed)
        most = self.skill.candidates
        if budget.simulations is not None:
            most = max(1, min(most, budget.simulations // PIPS))
        noticed = noticed[_shuffled(len(noticed), seed)]  # among equals none is preferred, whichever way it points
        candidates = noticed[np.argsort(-noticed.value, kind="stable")[:most]].copy().view(np.recarray)
        means, visits = candidates.value.copy(), np.zeros(len(candidates), np.int64)
        best = list(range(len(candidates)))
        if len(candidates) > 1:
            race = _race(seen, seat, candidates, self.skill.horizon, seed)
            race.run(budget)
            means, visits, best = race.means(), race.visits, race.best()
        lines = [_actions(candidates[index]) for index in best]
        return decide_between(lines, means[best], visits[best])

    def _notice(self, turns: Any, seed: int) -> Any:
        """The turns that are not overlooked; never none at all."""
        if self.skill.overlooked == 0:
            return turns
        rng = new_rng(seed)
        kept = [below(rng, 1000) >= 1000 * self.skill.overlooked for _ in turns]
        kept[below(rng, len(turns))] = True
        return turns[np.array(kept)]


def _rated_turns(seen: Position, seat: int) -> Any:
    """All turns worth a look."""
    turns, scratches = _new_buffers()
    state = seen.copy().state
    return turns[: rate_turns(state, seat, WEIGHTS, turns, scratches[0], _TAKES, _PLACES, True)]


def _shuffled(count: int, seed: int) -> Any:
    """The numbers below `count` in random order."""
    return np.random.default_rng(seed).permutation(count)


def _new_buffers() -> tuple[Any, Any]:
    """Room for turns and for what rating them needs."""
    return np.zeros(TURN_BUFFER_SIZE, TURN_DTYPE).view(np.recarray), np.zeros(1, SCRATCH_DTYPE).view(np.recarray)


def _actions(turn: Any) -> tuple[int, ...]:
    return tuple(int(action) for action in (turn.jetty, turn.place, turn.last) if action != NONE)


def _race(seen: Position, seat: int, candidates: Any, horizon: int, seed: int) -> SequentialHalving:
    """A race between turns that begin in an observation, each simulated once for each side of the die."""
    start = seen.game.layout.batch(1)
    start[0] = seen.state
    word = new_rng(seed).word

    def simulate(alive: Any, first: int, stop: int) -> Any:
        turns, scratches = _new_buffers()
        sums = np.zeros(len(candidates))
        work = np.empty_like(start)
        add_rollouts(start, seat, candidates, sums, alive, first, stop, horizon, word, WEIGHTS, work, turns, scratches)
        return sums

    return SequentialHalving(len(candidates), PIPS, simulate, keeps_middle=True)
