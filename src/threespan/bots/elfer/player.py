"""The bots of Elfer: by the learnt policy alone, or whole turns chosen by simulations on top of it."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from threespan.bots.bot import Budget, Decision
from threespan.bots.elfer.features import Feature
from threespan.bots.elfer.simulate import RolloutBuffers, add_rollouts
from threespan.bots.elfer.turns import SCRATCH_DTYPE, TurnBuffers, likeliest_turns, score_actions
from threespan.bots.elfer.weights import WEIGHTS
from threespan.bots.halving import SequentialHalving
from threespan.bots.planning import PlannedTurns, decide_between
from threespan.core.chance import below, new_rng
from threespan.core.game import Position
from threespan.core.layout import State
from threespan.games.elfer.state import ELEVEN_KINDS, LEAVE, OPEN, Phase

_WORLDS_PER_LOOK = 4  # imagined worlds between two looks at the clock
_FINE = 1 << 20  # how finely chances are told apart

# What somebody overlooks who thinks of the own rack only.
ABOUT_OTHERS = (
    Feature.UNSEEN_FIT,
    Feature.UNSEEN_JOKERS_FIT,
    Feature.NOTHING_UNSEEN_FITS,
    Feature.ONE_UNSEEN_FITS,
    Feature.UNSEEN_NEXT,
    Feature.UNSEEN_FIT_LATE,
    Feature.GIFT_FITS,
    Feature.GIFT_STEPS,
    Feature.GIFT_GUARDS,
)
SELFISH_WEIGHTS = WEIGHTS.copy()
SELFISH_WEIGHTS[:, :, ABOUT_OTHERS] = 0.0


@dataclass(frozen=True)
class Skill:
    """How well a bot plays: what it notices, and how it decides."""

    attention: float = 1.0  # the share of actions that it notices
    considers_others: bool = True
    infers_from_play: bool = False  # what the others have laid or not tells of their racks
    candidates: int = 1  # turns that are tried by simulation; with 1 the policy decides, action by action
    budget: Budget = field(default_factory=Budget)


class ElferPlayer:
    """Plays Elfer with a given skill; values are shares of a win.

    With simulations a turn is planned as a whole and then carried out step by step, until chance has its say.
    """

    def __init__(self, skill: Skill) -> None:
        """A player of so much skill."""
        self.skill = skill
        self._weights = WEIGHTS if skill.considers_others else SELFISH_WEIGHTS
        self._plans = PlannedTurns()

    def decide(self, seen: Position, seat: int, budget: Budget | None, seed: int) -> Decision:
        """The action at first sight, or the next step of the turn that was planned, or of a new plan."""
        if seen.state.phase == Phase.ASK:
            return _answer(seen.state, seat)
        decision = self._plans.take(seen)
        if decision is None:
            legal = seen.legal(seat)
            if len(legal) == 1:
                return Decision(legal[0], (legal[0],))
            if self.skill.candidates == 1:
                return self._glance(seen.state, seat, seed)
            decision = self._plan_turn(seen, seat, budget or self.skill.budget, seed)
        self._plans.keep(seen, seat, decision)
        return decision

    def _glance(self, state: State, seat: int, seed: int) -> Decision:
        """The action that scores best among those that are noticed; any, if none is."""
        scratch = np.zeros(1, SCRATCH_DTYPE).view(np.recarray)[0]
        count = score_actions(state, seat, self._weights, scratch)
        rng = new_rng(seed)
        with np.errstate(over="ignore"):
            noticed = [index for index in range(count) if below(rng, _FINE) < self.skill.attention * _FINE]
            best = max(noticed or [below(rng, count)], key=lambda index: float(scratch.scores[index]))
        action = int(scratch.actions[best])
        return Decision(action, (action,))

    def _plan_turn(self, seen: Position, seat: int, budget: Budget, seed: int) -> Decision:
        """Simulate the turns that look best at first sight and take the best of them."""
        view = seen.game.layout.batch(1)
        view[0] = seen.state
        turns = likeliest_turns(view, seat, self._weights, self.skill.candidates, TurnBuffers())
        trial = race(view, seat, turns, self._weights, self.skill.infers_from_play, seed)
        trial.run(budget)
        means, visits = trial.means(), trial.visits
        best = trial.best()
        lines = [tuple(int(action) for action in turns[index].actions[: turns[index].length]) for index in best]
        return decide_between(lines, means[best], visits[best])


def _answer(state: State, seat: int) -> Decision:
    """Open with an 11 that another tile of the rack can follow, else leave it to others.

    Simulated rounds find no difference between the two, so it is not worth thinking about; and a bot that thinks longer
    with an 11 than without would tell everybody that it has one.
    """
    rack = state.rack[seat]
    opens = any(rack[eleven] and (rack[eleven - 1] or rack[eleven + 1]) for eleven in ELEVEN_KINDS)
    action = OPEN if opens else LEAVE
    return Decision(action, (action,))


def race(seen: Any, seat: int, turns: Any, weights: Any, infers_from_play: bool, seed: int) -> SequentialHalving:
    """A race between turns that begin in an observation, on imagined worlds."""
    word = new_rng(seed).word

    def simulate(alive: Any, first: int, stop: int) -> Any:
        sums, buffers = np.zeros(len(turns)), RolloutBuffers()
        arrays = (buffers.worlds, buffers.works, buffers.orders, buffers.scratches, buffers.workspaces)
        add_rollouts(seen, seat, turns, alive, sums, first, stop, word, weights, infers_from_play, *arrays)
        return sums

    return SequentialHalving(len(turns), _WORLDS_PER_LOOK, simulate)
