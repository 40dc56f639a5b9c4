"""The bots of Elfer: by the learnt policy alone, or whole turns chosen by simulations on top of it."""

from dataclasses import dataclass, field
from typing import Any

from threespan.bots.bot import Budget, Decision
from threespan.bots.deciding import run_decision
from threespan.bots.elfer.decide import WORKSPACE_DTYPE, decide
from threespan.bots.elfer.learnt import new_learnt
from threespan.bots.halving import MAX_CANDIDATES
from threespan.bots.planning import PlannedTurns
from threespan.core.arguments import ArgumentError
from threespan.core.game import Position
from threespan.core.memory import new_record

_LEARNT = new_learnt()


@dataclass(frozen=True)
class Skill:
    """How well a bot plays: what it notices, and how it decides."""

    attention: float = 1.0  # the share of actions that it notices
    considers_others: bool = True
    infers_from_play: bool = False  # what the others have laid or not tells of their racks
    candidates: int = 1  # turns that are tried by simulation; with 1 the policy decides, action by action
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        """Check the number of candidates, which kernels have room for; raises ArgumentError."""
        if not 1 <= self.candidates <= MAX_CANDIDATES:
            raise ArgumentError(f"candidates: a number from 1 to {MAX_CANDIDATES} is needed, not {self.candidates}")


class ElferPlayer:
    """Plays Elfer with a given skill; values are shares of a win.

    With simulations a turn is planned as a whole and then carried out step by step, until chance has its say.
    """

    def __init__(self, skill: Skill) -> None:
        """A player of so much skill."""
        self.skill = skill
        self._plans = PlannedTurns()

    def decide(self, seen: Position, seat: int, budget: Budget | None, seed: int) -> Decision:
        """The next step of the turn that was planned, or of a new plan, or the action at first sight."""
        decision = self._plans.take(seen)
        if decision is None:
            states, workspaces = seen.game.layout.array_of(seen.state), new_workspaces(self.skill)
            decision = run_decision(decide, states, workspaces, _LEARNT, seat, budget or self.skill.budget, seed)
        self._plans.keep(seen, seat, decision)
        return decision


def new_workspaces(skill: Skill) -> Any:
    """An array of one workspace for decisions with a given skill."""
    workspaces = new_record(WORKSPACE_DTYPE)
    needed = workspaces[0].skill
    needed.attention, needed.candidates = skill.attention, skill.candidates
    needed.considers_others, needed.infers_from_play = int(skill.considers_others), int(skill.infers_from_play)
    return workspaces
