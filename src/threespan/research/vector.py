"""Many matches at once: arrays of states that one kernel call steps, masks and observes.

```python
from threespan.research.vector import VectorGame

matches = VectorGame("hashi", 4096, players=2)
while True:
    actions = policy(matches.observations(), matches.masks())
    rewards, ended = matches.step(actions)
```
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from threespan.core import calls
from threespan.core.chance import RNG_DTYPE, below, new_rng, stream
from threespan.core.game import Game, IllegalAction
from threespan.core.kernel import kernel, lowest_bit
from threespan.core.playout import SCRATCH_DTYPE, random_action
from threespan.core.rules import (
    CHANCE,
    LEGAL,
    MAX_SEATS,
    OVER,
    acting,
    apply,
    check,
    draw,
    hide,
    legal,
    outcome,
    tickets,
)
from threespan.research.spaces import Reward, Setting
from threespan.research.tensor import TENSOR_TYPE, memory_of, write_tensor

WAIT = -1  # instead of an action: leave this match as it is
_LANES_A_THREAD = 256  # fewer are not worth a thread


class Step(NamedTuple):
    """What a step has brought: rewards by match and seat (all 0 unless the match has ended), and what has ended."""

    rewards: Any
    ended: Any


@kernel
def settle(state: Any, rng: Any) -> int:
    """Let chance act until a seat does or the match is over; the seat with the lowest number that acts, or OVER."""
    seats = acting(state)
    while seats == 1 << CHANCE:
        apply(state, CHANCE, draw(state, below(rng, tickets(state))))
        seats = acting(state)
    return lowest_bit(seats) if seats != 0 else OVER


@kernel
def begin_all(states: Any, start: Any, generators: Any, chosen: Any, seats: Any) -> None:
    """Begin the chosen matches anew."""
    for lane in range(len(states)):
        if chosen[lane]:
            states[lane] = start[0]
            seats[lane] = settle(states[lane], generators[lane])


@kernel
def find_illegal(states: Any, seats: Any, actions: Any, bound: int) -> int:
    """The first match with an illegal action, or -1."""
    for lane in range(len(states)):
        action = actions[lane]
        if action == WAIT:
            continue
        seat = seats[lane]
        if action < 0 or action >= bound or seat == OVER or check(states[lane], seat, action) != LEGAL:
            return lane
    return -1


@kernel
def step_all(
    states: Any,
    start: Any,
    generators: Any,
    actions: Any,
    renews: bool,
    seats: Any,
    scores: Any,
    ranks: Any,
    ended: Any,
) -> int:
    """One action in every match; how many matches have ended with it."""
    count = 0
    for lane in range(len(states)):
        ended[lane] = False
        if actions[lane] == WAIT:
            continue
        apply(states[lane], seats[lane], actions[lane])
        seat = settle(states[lane], generators[lane])
        if seat == OVER:
            ended[lane] = True
            count += 1
            outcome(states[lane], scores[lane], ranks[lane])
            if renews:
                states[lane] = start[0]
                seat = settle(states[lane], generators[lane])
        seats[lane] = seat
    return count


@kernel
def mask_all(states: Any, seats: Any, scratches: Any, masks: Any) -> None:
    """Write a 1 for every legal action of the seat that acts."""
    actions = scratches[0].actions
    for lane in range(len(states)):
        masks[lane, :] = 0
        if seats[lane] != OVER:
            for index in range(legal(states[lane], seats[lane], actions)):
                masks[lane, actions[index]] = 1


@kernel
def sample_all(states: Any, seats: Any, scratches: Any, generators: Any, actions: Any) -> None:
    """A random legal action in every match, WAIT where it is over."""
    scratch = scratches[0]
    for lane in range(len(states)):
        actions[lane] = WAIT
        if seats[lane] != OVER:
            scratch.word = generators[lane].word
            actions[lane] = random_action(states[lane], seats[lane], scratch)
            generators[lane].word = scratch.word


@kernel
def observe_all(states: Any, works: Any, memories: Any, runs: Any, seats: Any, tensors: Any) -> None:
    """The tensors of what `seats` may know of the states; `works` is room for a state, `memories` the same memory."""
    for lane in range(len(states)):
        works[0] = states[lane]
        seat = max(seats[lane], 0)
        hide(works[0], seat)
        write_tensor(memories[0], runs, seat, tensors, lane)


@kernel
def seed_all(seed: Any, generators: Any) -> None:
    """A generator of its own for every match."""
    for lane in range(len(generators)):
        generators[lane].word = stream(seed, lane)


class Part(NamedTuple):
    """The matches that one thread looks after, as views into the arrays of all, and room to work in."""

    first: int
    lanes: slice
    states: Any
    seats: Any
    generators: Any
    choosers: Any
    scores: Any
    ranks: Any
    ended: Any
    scratch: Any
    work: Any
    memory: Any  # of `work`


class VectorGame:
    """A batch of matches of one game, stepped together, without the GIL and on all cores.

    In every match one seat acts at a time (`seats`); where several may act at once, as in Hashi, the one with the
    lowest number. Matches begin anew as soon as they end, unless `auto_reset` is False. Everything depends on the seed
    and the actions alone, not on the number of threads.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        *,
        seed: int = 0,
        threads: int | None = None,
        auto_reset: bool = True,
        checks: bool = True,
        reward: Reward = "score",
        **options: Any,
    ) -> None:
        """Begin `n` matches with a game's options (`players=2`, `side="B"`).

        `checks=False` saves the time of refusing illegal actions; then an illegal action makes a match meaningless.
        """
        self.setting = Setting(game, options, reward)
        self.n, self.checks, self.auto_reset = n, checks, auto_reset
        self.states = self.setting.new_states(n)
        self.seats = np.zeros(n, np.int8)  # who acts in each match, OVER (-1) for nobody
        self._start = self.setting.new_states(1)
        self._generators, self._choosers = np.zeros(n, RNG_DTYPE), np.zeros(n, RNG_DTYPE)
        self._scores = np.zeros((n, MAX_SEATS), np.int32)
        self._ranks = np.ones((n, MAX_SEATS), np.int32)
        self._ended = np.zeros(n, np.bool_)
        self._threads = max(1, min(threads or os.cpu_count() or 1, n // _LANES_A_THREAD))
        self._share_out()
        self.reset(seed)

    def _share_out(self) -> None:
        """Give every thread its part."""
        edges = [self.n * index // self._threads for index in range(self._threads + 1)]
        self._parts = [self._part(first, last) for first, last in pairwise(edges)]
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_parts", "_pool")}

    def __setstate__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)
        self._share_out()

    def _part(self, first: int, last: int) -> Part:
        lanes = slice(first, last)
        work = self.setting.new_states(1)
        return Part(
            first=first,
            lanes=lanes,
            states=self.states[lanes],
            seats=self.seats[lanes],
            generators=self._generators[lanes],
            choosers=self._choosers[lanes],
            scores=self._scores[lanes],
            ranks=self._ranks[lanes],
            ended=self._ended[lanes],
            scratch=new_scratch(),
            work=work,
            memory=memory_of(work),
        )

    @property
    def actions(self) -> int:
        """Actions are the numbers from 0 up to but not including this one."""
        return self.setting.seat_actions

    @property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return self.setting.plan.size

    def reset(self, seed: int | None = None, lanes: Any = None) -> None:
        """Begin all matches anew, or those chosen by a boolean array; with a seed, as the first time."""
        if seed is not None:
            seed_all(new_rng(seed).word, self._generators)
            seed_all(new_rng(~seed).word, self._choosers)
        chosen = np.ones(self.n, np.bool_) if lanes is None else np.asarray(lanes, np.bool_)
        self._split(lambda p: begin_all(p.states, self._start, p.generators, chosen[p.lanes], p.seats))

    def step(self, actions: Any) -> Step:
        """Carry out one action in every match (WAIT, -1, for none), and what chance does after it.

        Raises IllegalAction, and changes nothing, if any of them is illegal.
        """
        actions = np.ascontiguousarray(actions, np.int64)
        if self.checks:
            self._refuse_illegal(actions)

        def step_part(p: Part) -> int:
            lanes = actions[p.lanes]
            return step_all(
                p.states, self._start, p.generators, lanes, self.auto_reset, p.seats, p.scores, p.ranks, p.ended
            )

        rewards = np.zeros((self.n, self.setting.players), np.float32)
        if any(self._split(step_part)):
            lanes, seats = self._ended, slice(self.setting.players)
            rewards[lanes] = self.setting.rewards(self._scores[lanes, seats], self._ranks[lanes, seats])
        return Step(rewards, self._ended.copy())

    def masks(self, out: Any = None) -> Any:
        """A row for each match: 1 for the legal actions of the seat that acts, 0 for all others."""
        masks = np.empty((self.n, self.actions), np.int8) if out is None else out
        self._split(lambda p: mask_all(p.states, p.seats, p.scratch, masks[p.lanes]))
        return masks

    def observations(self, seats: Any = None, out: Any = None) -> Any:
        """A row for each match: what the seat that acts (or a seat given for each match) may know."""
        viewers = self.seats if seats is None else np.ascontiguousarray(seats, np.int8)
        tensors = np.empty((self.n, self.observation_size), TENSOR_TYPE) if out is None else out
        runs = self.setting.plan.runs

        def observe_part(p: Part) -> None:
            observe_all(p.states, p.work, p.memory, runs, viewers[p.lanes], tensors[p.lanes])

        self._split(observe_part)
        return tensors

    def sample(self) -> Any:
        """A random legal action in every match, from generators that belong to the seed too."""
        actions = np.empty(self.n, np.int64)
        self._split(lambda p: sample_all(p.states, p.seats, p.scratch, p.choosers, actions[p.lanes]))
        return actions

    def outcomes(self) -> tuple[Any, Any]:
        """The scores and the ranks at each match's last end, by seat."""
        seats = slice(self.setting.players)
        return self._scores[:, seats].copy(), self._ranks[:, seats].copy()

    def _refuse_illegal(self, actions: Any) -> None:
        for first, lane in self._split(
            lambda p: (p.first, find_illegal(p.states, p.seats, actions[p.lanes], self.actions))
        ):
            if lane >= 0:
                self._refuse(first + lane, int(actions[first + lane]))

    def _refuse(self, lane: int, action: int) -> None:
        game, seat = self.setting.game, int(self.seats[lane])
        if not 0 <= action < self.actions or seat == OVER:
            raise IllegalAction(game, game.rule["NOT_NOW"], f"match {lane}, action {action}")
        rule = game.rule(calls.check_action(self.states[lane : lane + 1], seat, action))
        raise IllegalAction(game, rule, f"match {lane}, seat {seat}, {game.action_text(self.states[lane], action)}")

    def _split(self, work: Callable[[Part], Any]) -> list[Any]:
        """Do the work on all matches, on as many threads as are worth it."""
        if self._pool is None:
            return [work(self._parts[0])]

        def work_quietly(part: Part) -> Any:
            with np.errstate(over="ignore"):  # uncompiled, the generator wraps; the setting belongs to a thread
                return work(part)

        return list(self._pool.map(work_quietly, self._parts))


def new_scratch() -> Any:
    """Room for kernels that list legal actions."""
    return np.zeros(1, SCRATCH_DTYPE)
