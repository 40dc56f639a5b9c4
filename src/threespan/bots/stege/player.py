"""The bots of Stege: they choose whole turns, by their values alone or by simulations on top of them."""

from dataclasses import dataclass, field
from typing import Any

from threespan.bots.bot import Budget, Decision
from threespan.bots.deciding import run_decision
from threespan.bots.halving import MAX_CANDIDATES
from threespan.bots.planning import PlannedTurns
from threespan.bots.stege.decide import LEARNT_DTYPE, WORKSPACE_DTYPE, decide
from threespan.bots.stege.weights import WEIGHTS
from threespan.core.arguments import ArgumentError
from threespan.core.game import Position
from threespan.core.memory import new_record


@dataclass(frozen=True)
class Skill:
    """How well a bot plays: what it overlooks, and how it decides between the turns it notices."""

    overlooked: float = 0.0  # the share of turns
    candidates: int = 1  # turns that are tried by simulation; with 1 the best-rated turn is taken
    horizon: int = 1  # turns that a simulation plays before the sea is weighed
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        """Check that there is room for the candidates; raises ArgumentError."""
        if not 1 <= self.candidates <= MAX_CANDIDATES:
            raise ArgumentError(f"candidates: it must be from 1 to {MAX_CANDIDATES}, not {self.candidates}")


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
        decision = self._plans.take(seen) or self._plan_turn(seen, seat, budget or self.skill.budget, seed)
        self._plans.keep(seen, seat, decision)
        return decision

    def _plan_turn(self, seen: Position, seat: int, budget: Budget, seed: int) -> Decision:
        states = seen.game.layout.array_of(seen.state)
        return run_decision(decide, states, new_workspaces(self.skill), _LEARNT, seat, budget, seed)


def new_workspaces(skill: Skill) -> Any:
    """The workspace for a decision with a skill; one that is in use by another thread must not be used."""
    workspaces = new_record(WORKSPACE_DTYPE)
    needed = workspaces[0].skill
    needed.overlooked, needed.candidates, needed.horizon = skill.overlooked, skill.candidates, skill.horizon
    return workspaces


def new_learnt(weights: Any) -> Any:
    """What a bot has learnt, for `decide`."""
    learnt = new_record(LEARNT_DTYPE)
    learnt[0].weights = weights
    return learnt


_LEARNT = new_learnt(WEIGHTS)
