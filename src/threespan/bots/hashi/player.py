"""The bots of Hashi: they choose whole rounds, by the learnt values alone or by simulations on top of them."""

from dataclasses import dataclass, field
from typing import Any

from threespan.bots.bot import Budget, Decision
from threespan.bots.deciding import run_decision
from threespan.bots.halving import MAX_CANDIDATES
from threespan.bots.hashi.ahead import MAX_CARDS
from threespan.bots.hashi.decide import WORKSPACE_DTYPE, decide
from threespan.bots.hashi.learnt import find_learnt, learnt_weights
from threespan.bots.planning import PlannedTurns
from threespan.core.arguments import ArgumentError
from threespan.core.game import Position
from threespan.core.memory import new_record


@dataclass(frozen=True)
class Skill:
    """How well a bot plays: the share of turns it notices, what it knows, and how it decides between them."""

    attention: float = 1.0
    minds_races: bool = True
    minds_others: bool = True  # expects less of a race the likelier another is first
    knows_boards: bool = False  # rates by the network of the board where there is one
    candidates: int = 1  # turns that are tried by simulation; with 1 the best-rated turn is taken
    looks: tuple[int, ...] = ()  # on boards with a network, instead: turns that are looked at one, two... cards ahead
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        """Check that a workspace has room for it; raises ArgumentError."""
        if len(self.looks) > MAX_CARDS:
            raise ArgumentError(f"looks: turns are looked at {MAX_CARDS} cards ahead at most")
        if max(self.candidates, *self.looks, 1) > MAX_CANDIDATES:
            raise ArgumentError(f"candidates and looks: at most {MAX_CANDIDATES} turns are compared")


class HashiPlayer:
    """Plays Hashi with a given skill; values are points at the end of the match.

    A turn is planned as a whole and then carried out step by step.
    """

    def __init__(self, skill: Skill) -> None:
        """A player of so much skill."""
        self.skill = skill
        self._plans = PlannedTurns()

    def decide(self, seen: Position, seat: int, budget: Budget | None, seed: int) -> Decision:
        """The start number, or the next step of the turn that was planned, or of a new plan."""
        decision = self._plans.take(seen) or self._plan(seen, seat, budget or self.skill.budget, seed)
        self._plans.keep(seen, seat, decision)
        return decision

    def _plan(self, seen: Position, seat: int, budget: Budget, seed: int) -> Decision:
        states = seen.game.layout.array_of(seen.state)
        learnt = find_learnt(seen.state) if self.skill.knows_boards else learnt_weights()
        return run_decision(decide, states, new_workspaces(self.skill), learnt, seat, budget, seed)


def new_workspaces(skill: Skill) -> Any:
    """Room for one decision with so much skill."""
    workspaces = new_record(WORKSPACE_DTYPE)
    needed = workspaces[0].skill
    needed.attention, needed.candidates = skill.attention, skill.candidates
    needed.minds_races, needed.minds_others = int(skill.minds_races), int(skill.minds_others)
    needed.knows_boards = int(skill.knows_boards)
    for cards, count in enumerate(skill.looks):
        needed.looks[cards] = count
    return workspaces
