"""The bots of Hashi: they choose whole rounds, by the learnt values alone or by simulations on top of them."""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from threespan.bots.bot import Budget, Decision
from threespan.bots.halving import SequentialHalving
from threespan.bots.hashi.ahead import Ahead
from threespan.bots.hashi.net import Values, find_net, no_net
from threespan.bots.hashi.simulate import add_rollouts
from threespan.bots.hashi.turns import board_value, new_desk, rate_turns, turn_actions
from threespan.bots.hashi.value import load_weights, race_pay, solo_pay
from threespan.bots.planning import PlannedTurns, decide_between
from threespan.core.chance import RNG_DTYPE, below, new_rng
from threespan.core.game import Position
from threespan.games.hashi.board import write
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.scoring import points
from threespan.games.hashi.state import BONUSES, DONE, ERASE_NUMBER, MAX_NUMBER, ROUNDS, Pen, Phase, SeatStep

_PILES_PER_LOOK = 4  # sampled piles between two looks at the clock


@dataclass(frozen=True)
class Skill:
    """How well a bot plays: the share of turns it notices, what it knows, and how it decides between them."""

    attention: float = 1.0
    minds_races: bool = True
    knows_boards: bool = False  # rates by the network of the board where there is one
    candidates: int = 1  # turns that are tried by simulation; with 1 the best-rated turn is taken
    looks: tuple[int, ...] = ()  # on boards with a network, instead: turns that are looked at one, two... cards ahead
    budget: Budget = field(default_factory=Budget)


@cache
def _learnt() -> tuple[Any, Any]:
    return load_weights()


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
        if seen.state.phase == Phase.START:
            return self._choose_start(seen, seat)
        decision = (
            self._plans.take(seen)
            or _mend(seen, seat)
            or self._plan_turn(seen, seat, budget or self.skill.budget, seed)
        )
        self._plans.keep(seen, seat, decision)
        return decision

    def _choose_start(self, seen: Position, seat: int) -> Decision:
        """The start number that is best for the own board or, passed to the left, worst for the neighbour's."""
        values = self._values(seen.state, solo_pay())
        _, desks = new_desk()
        rated = []
        for action in seen.legal(seat):
            board = seen.copy().state
            write(board, seat, action // MAX_NUMBER, action % MAX_NUMBER + 1)
            rated.append((float(board_value(board, seat, values, desks[0])), action))
        value, action = max(rated) if seen.options.players == 1 else min(rated)
        return Decision(action, (action,), value)

    def expected_pay(self, state: Any, seat: int) -> Any:
        """What completing each race in each round pays in the eyes of this player."""
        _, completed_by = _learnt()
        pay = race_pay(state, seat, completed_by)
        return pay if self.skill.minds_races else np.zeros_like(pay)

    def _values(self, state: Any, pay: Any) -> Values:
        weights, _ = _learnt()
        return Values(weights, find_net(state) if self.skill.knows_boards else no_net(), pay)

    def _plan_turn(self, seen: Position, seat: int, budget: Budget, seed: int) -> Decision:
        state = seen.copy().state
        values = self._values(state, self.expected_pay(state, seat))
        turns, desks = new_desk()
        paid = sum(int(points(state, seat, Rule.RED_FLAGS + bonus)) for bonus in range(BONUSES))
        can_build = state.step[seat] == SeatStep.WRITE or state.bridges_left[seat] > 0
        noticed = turns[: rate_turns(state, seat, values, turns, desks[0]) if can_build else 0]
        if not len(noticed):  # with the free pen somebody else may have begun what cannot be completed by the rules
            return Decision(DONE, (DONE,), paid + float(board_value(state, seat, values, desks[0])))
        if self.skill.attention < 1:
            rng = new_rng(seed)
            kept = [below(rng, 1000) < 1000 * self.skill.attention for _ in noticed]
            kept[below(rng, len(noticed))] = True
            noticed = noticed[np.array(kept)]
        looks = self.skill.looks if len(values.net) else ()
        order = np.argsort(-noticed.value, kind="stable")[: max(self.skill.candidates, *looks, 1)]
        candidates = noticed[order].copy().view(np.recarray)
        means, visits = candidates.value.copy(), np.zeros(len(candidates), np.int64)
        best = list(range(len(candidates)))
        if len(candidates) > 1 and state.round_number < ROUNDS:  # in the last round ratings are exact
            race: Ahead | SequentialHalving
            if looks:
                race = Ahead(seen, seat, candidates, values, looks)
            else:
                race = _race(seen, seat, candidates, values, seed)
            race.run(budget)
            means, visits, best = race.means(), race.visits, race.best()
        lines = [turn_actions(state, seat, candidates[index]) for index in best]
        return decide_between(lines, means[best] + paid, visits[best])


def _mend(seen: Position, seat: int) -> Decision | None:
    """Erase a mistake that somebody has made for whom a bot plays now, if there is one."""
    if seen.state.pen == Pen.STRICT:
        return None
    erasing = [action for action in seen.legal(seat) if action >= ERASE_NUMBER]
    return Decision(erasing[-1], (erasing[-1],)) if erasing else None


def _race(seen: Position, seat: int, candidates: Any, values: Values, seed: int) -> SequentialHalving:
    """A race between turns that begin in an observation, on sampled piles."""
    start = seen.game.layout.batch(1)
    start[0] = seen.state
    word = new_rng(seed).word

    def simulate(alive: Any, first: int, stop: int) -> Any:
        turns, desks = new_desk()
        sums = np.zeros(len(candidates))
        work, rng = np.empty_like(start), np.zeros(1, RNG_DTYPE).view(np.recarray)
        add_rollouts(
            start, seat, candidates, sums, alive, first, stop, word, values, work, turns, desks, rng
        )  # fmt: skip
        return sums

    return SequentialHalving(len(candidates), _PILES_PER_LOOK, simulate)
