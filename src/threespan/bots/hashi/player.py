"""The bots of Hashi: they choose whole rounds, by the learnt values alone or by simulations on top of them."""

import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from threespan.bots.bot import Alternative, Budget, Decision
from threespan.bots.hashi.net import Values, find_net, no_net
from threespan.bots.hashi.simulate import add_rollouts
from threespan.bots.hashi.turns import board_value, new_desk, rate_turns, turn_actions
from threespan.bots.hashi.value import load_weights, race_pay, solo_pay
from threespan.core.chance import RNG_DTYPE, below, new_rng
from threespan.core.game import Position
from threespan.games.hashi.rules import Rule, points, write
from threespan.games.hashi.state import BONUSES, MAX_NUMBER, ROUNDS, Phase

_PILES_PER_LOOK = 4  # sampled piles between two looks at the clock
_PLANS_KEPT = 256


@dataclass(frozen=True)
class Skill:
    """How well a bot plays: the share of turns it notices, what it knows, and how it decides between them."""

    attention: float = 1.0
    minds_races: bool = True
    knows_boards: bool = False  # rates by the network of the board where there is one
    candidates: int = 1  # turns that are tried by simulation; with 1 the best-rated turn is taken
    horizon: int = ROUNDS  # rounds that simulations by a network last; by the weights they go to the end
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
        self._plans: OrderedDict[bytes, Decision] = OrderedDict()

    def decide(self, seen: Position, seat: int, budget: Budget | None, seed: int) -> Decision:
        """The start number, or the next step of the turn that was planned, or of a new plan."""
        if seen.state.phase == Phase.START:
            return self._choose_start(seen, seat)
        planned = self._plans.get(seen.state.tobytes())
        decision = planned or self._plan_turn(seen, seat, budget or self.skill.budget, seed)
        if len(decision.line) > 1:
            after = seen.copy()
            after.play(seat, decision.action)
            rest = Decision(decision.line[1], decision.line[1:], decision.value, (), decision.simulations)
            self._plans[after.state.tobytes()] = rest
            if len(self._plans) > _PLANS_KEPT:
                self._plans.popitem(last=False)
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
        noticed = turns[: rate_turns(state, seat, values, turns, desks[0])]
        if self.skill.attention < 1:
            rng = new_rng(seed)
            kept = [below(rng, 1000) < 1000 * self.skill.attention for _ in noticed]
            kept[below(rng, len(noticed))] = True
            noticed = noticed[np.array(kept)]
        order = np.argsort(-noticed.value, kind="stable")[: self.skill.candidates]
        candidates = noticed[order].copy().view(np.recarray)
        means, visits = candidates.value.copy(), np.zeros(len(candidates), np.int64)
        if len(candidates) > 1 and state.round_number < ROUNDS:  # in the last round ratings are exact
            horizon = self.skill.horizon if len(values.net) else ROUNDS
            race = Halving(seen, seat, candidates, values, horizon, seed)
            race.run(budget)
            means, visits = race.means(), race.visits
        best = sorted(range(len(candidates)), key=lambda index: (-int(visits[index]), -means[index], index))
        paid = sum(int(points(state, seat, Rule.RED_FLAGS + bonus)) for bonus in range(BONUSES))
        lines = [turn_actions(state, seat, candidates[index]) for index in best]
        alternatives: dict[int, Alternative] = {}
        for index, line in zip(best, lines, strict=True):
            alternatives.setdefault(line[0], Alternative(line[0], int(visits[index]), float(means[index] + paid)))
        value = float(means[best[0]] + paid)
        return Decision(lines[0][0], lines[0], value, tuple(alternatives.values()), int(visits.sum()))


class Halving:
    """Sequential halving: simulate all candidates on the same piles, drop the worse half, and so on."""

    def __init__(self, seen: Position, seat: int, candidates: Any, values: Values, horizon: int, seed: int) -> None:
        """A race between turns that begin in an observation."""
        self.start = seen.game.layout.batch(1)
        self.start[0] = seen.state
        self.seat, self.candidates, self.values, self.horizon = seat, candidates, values, horizon
        self.seed = new_rng(seed).word
        self.alive = np.ones(len(candidates), np.bool_)
        self.sums = np.zeros(len(candidates))
        self.visits = np.zeros(len(candidates), np.int64)
        self.piles = 0

    def means(self) -> Any:
        """The mean points of each candidate from here on."""
        return self.sums / np.maximum(self.visits, 1)

    def run(self, budget: Budget) -> None:
        """Halve until one is left; each stage gets an equal part of the budget."""
        stages = len(self.candidates).bit_length() - 1
        begin = time.monotonic()
        for stage in range(stages):
            while not self._is_stage_over(budget, stage, stages, begin):
                self._simulate(_PILES_PER_LOOK * budget.threads, budget.threads)
            living = np.flatnonzero(self.alive)
            order = living[np.argsort(-self.means()[living], kind="stable")]
            self.alive[:] = False
            self.alive[order[: max(1, len(living) // 2)]] = True

    def _is_stage_over(self, budget: Budget, stage: int, stages: int, begin: float) -> bool:
        share = (stage + 1) / stages
        if self.piles and budget.seconds is not None and time.monotonic() - begin >= share * budget.seconds:
            return True
        return budget.simulations is not None and int(self.visits.sum()) >= share * budget.simulations

    def _simulate(self, piles: int, threads: int) -> None:
        first = self.piles
        edges = [first + piles * index // threads for index in range(threads + 1)]

        def part(span: tuple[int, int]) -> Any:
            turns, desks = new_desk()
            sums = np.zeros(len(self.candidates))
            work, rng = np.empty_like(self.start), np.zeros(1, RNG_DTYPE).view(np.recarray)
            arguments = (self.seed, self.values, self.horizon, work, turns, desks, rng)
            add_rollouts(self.start, self.seat, self.candidates, sums, self.alive, *span, *arguments)
            return sums

        spans = list(pairwise(edges))
        if threads == 1:
            self.sums += part(spans[0])
        else:
            with ThreadPoolExecutor(threads) as pool:
                for sums in pool.map(part, spans):
                    self.sums += sums
        self.visits[self.alive] += piles
        self.piles += piles


SKILLS = {
    "beginner": Skill(attention=0.05, minds_races=False),
    "easy": Skill(attention=0.25),
    "medium": Skill(),
    "hard": Skill(candidates=4, budget=Budget(seconds=0.9, simulations=40)),
    "expert": Skill(knows_boards=True, candidates=8, horizon=5, budget=Budget(seconds=1.9, simulations=320)),
}

HASHI_LEVELS = {level: HashiPlayer(skill) for level, skill in SKILLS.items()}
