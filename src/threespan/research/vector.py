"""Many matches at once: arrays of states that are stepped, masked and observed by single kernel calls.

```python
from threespan.research.vector import VectorGame

matches = VectorGame(code, 4096, players=2)
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
from threespan.core.arguments import allocate, whole_number
from threespan.core.array_arguments import selection_mask, whole_numbers, within, writable
from threespan.core.chance import RNG_DTYPE, below, new_rng, stream
from threespan.core.game import Game, IllegalAction
from threespan.core.kernel import kernel, lowest_bit
from threespan.core.random_play import SCRATCH_DTYPE, random_action
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

WAIT = -1  # instead of an action: do nothing in this match
_MIN_LANES_PER_THREAD = 256  # with fewer, another thread does not pay off


class BatchStep(NamedTuple):
    """The result of a step: rewards by match and seat (0 unless the match has ended), and which matches have ended."""

    rewards: Any
    ended: Any


@kernel
def let_chance_act(state: Any, rng: Any) -> int:
    """Let chance act until a seat may act or the match is over; returns the lowest acting seat, or OVER."""
    seats = acting(state)
    while seats == 1 << CHANCE:
        apply(state, CHANCE, draw(state, below(rng, tickets(state))))
        seats = acting(state)
    return lowest_bit(seats) if seats != 0 else OVER


@kernel
def reset_all(states: Any, start: Any, generators: Any, chosen: Any, seats: Any) -> None:
    """Restart the chosen matches."""
    for lane in range(len(states)):
        if chosen[lane]:
            states[lane] = start[0]
            seats[lane] = let_chance_act(states[lane], generators[lane])


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
def find_outside(seats: Any, actions: Any, bound: int) -> int:
    """The first match with a number that is not an action, or with an action although it is over; else -1."""
    for lane in range(len(seats)):
        action = actions[lane]
        if action != WAIT and (action < 0 or action >= bound or seats[lane] == OVER):
            return lane
    return -1


@kernel
def step_all(
    states: Any,
    start: Any,
    generators: Any,
    actions: Any,
    auto_reset: bool,
    seats: Any,
    scores: Any,
    ranks: Any,
    ended: Any,
) -> int:
    """Play one action in every match; returns the number of matches that have ended."""
    count = 0
    for lane in range(len(states)):
        ended[lane] = False
        if actions[lane] == WAIT:
            continue
        apply(states[lane], seats[lane], actions[lane])
        seat = let_chance_act(states[lane], generators[lane])
        if seat == OVER:
            ended[lane] = True
            count += 1
            outcome(states[lane], scores[lane], ranks[lane])
            if auto_reset:
                states[lane] = start[0]
                seat = let_chance_act(states[lane], generators[lane])
        seats[lane] = seat
    return count


@kernel
def mask_all(states: Any, seats: Any, scratches: Any, masks: Any) -> None:
    """Write 1 for every legal action of the acting seat, 0 for all others."""
    actions = scratches[0].actions
    for lane in range(len(states)):
        masks[lane, :] = 0
        if seats[lane] != OVER:
            for index in range(legal(states[lane], seats[lane], actions)):
                masks[lane, actions[index]] = 1


@kernel
def sample_all(states: Any, seats: Any, scratches: Any, generators: Any, actions: Any) -> None:
    """Choose a random legal action in every match, WAIT if it is over."""
    scratch = scratches[0]
    for lane in range(len(states)):
        actions[lane] = WAIT
        if seats[lane] != OVER:
            scratch.word = generators[lane].word
            actions[lane] = random_action(states[lane], seats[lane], scratch)
            generators[lane].word = scratch.word


@kernel
def observe_all(states: Any, works: Any, memories: Any, runs: Any, seats: Any, tensors: Any) -> None:
    """Write the tensors of what `seats` may know; `works` is scratch memory for a state, `memories` views of it."""
    for lane in range(len(states)):
        works[0] = states[lane]
        seat = max(seats[lane], 0)
        hide(works[0], seat)
        write_tensor(memories[0], runs, seat, tensors, lane)


@kernel
def seed_all(seed: Any, generators: Any) -> None:
    """Seed an independent generator for every match."""
    for lane in range(len(generators)):
        generators[lane].word = stream(seed, lane)


class Part(NamedTuple):
    """The matches of one thread: views into the arrays of all matches, and scratch memory."""

    first: int
    lanes: slice
    states: Any
    seats: Any
    generators: Any
    sample_generators: Any
    scores: Any
    ranks: Any
    ended: Any
    scratch: Any
    work: Any
    memory: Any  # of `work`


class VectorGame:
    """A batch of matches of one game, stepped together, without the GIL and on all cores.

    In every match one seat acts at a time (`seats`): the lowest of those that may act. A match restarts when it ends,
    unless `auto_reset` is False. Results depend only on the seed and the actions, not on the number of threads.
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
        """Start `n` matches with a game's options (`players=2`, `side="B"`).

        `checks=False` saves the time of checking legality; then an illegal action makes its match meaningless. Numbers
        that are not actions, and actions in matches that are over, are refused all the same.
        """
        self.setting = Setting(game, options, reward)
        self.n = n = whole_number("n", n, minimum=1)
        self.checks, self.auto_reset = checks, auto_reset
        wanted = os.cpu_count() or 1 if threads is None else whole_number("threads", threads, minimum=1)
        self._threads = max(1, min(wanted, n // _MIN_LANES_PER_THREAD))
        self._states = allocate("n", n, lambda: self.setting.new_states(n))
        self._seats = np.zeros(n, np.int8)
        self._start = self.setting.new_states(1)
        self._generators, self._sample_generators = np.zeros(n, RNG_DTYPE), np.zeros(n, RNG_DTYPE)
        self._scores = np.zeros((n, MAX_SEATS), np.int32)
        self._ranks = np.ones((n, MAX_SEATS), np.int32)
        self._ended = np.zeros(n, np.bool_)
        self._divide_among_threads()
        self.reset(seed)

    def _divide_among_threads(self) -> None:
        """Assign matches to threads, and create read-only views for users."""
        self.states, self.seats = read_only(self._states), read_only(self._seats)  # who acts; OVER (-1) if nobody does
        edges = [self.n * index // self._threads for index in range(self._threads + 1)]
        self._parts = [self._part(first, last) for first, last in pairwise(edges)]
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None

    def __getstate__(self) -> dict[str, Any]:
        return {
            name: value for name, value in self.__dict__.items() if name not in ("states", "seats", "_parts", "_pool")
        }

    def __setstate__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)
        self._divide_among_threads()

    def _part(self, first: int, last: int) -> Part:
        lanes = slice(first, last)
        work = self.setting.new_states(1)
        return Part(
            first=first,
            lanes=lanes,
            states=self._states[lanes],
            seats=self._seats[lanes],
            generators=self._generators[lanes],
            sample_generators=self._sample_generators[lanes],
            scores=self._scores[lanes],
            ranks=self._ranks[lanes],
            ended=self._ended[lanes],
            scratch=new_scratch(),
            work=work,
            memory=memory_of(work),
        )

    @property
    def action_count(self) -> int:
        """The number of actions of seats; they are numbered from 0."""
        return self.setting.seat_actions

    @property
    def observation_size(self) -> int:
        """The number of values in an observation tensor."""
        return self.setting.plan.size

    def reset(self, seed: int | None = None, lanes: Any = None) -> None:
        """Restart all matches, or those given by a mask or by numbers; with a seed, reproducibly.

        Numbers may be repeated and come in any order.
        """
        chosen = np.ones(self.n, np.bool_) if lanes is None else selection_mask("lanes", lanes, self.n)
        if seed is not None:
            seed = whole_number("seed", seed)
            seed_all(new_rng(seed).word, self._generators)
            seed_all(new_rng(~seed).word, self._sample_generators)
        self._split(lambda p: reset_all(p.states, self._start, p.generators, chosen[p.lanes], p.seats))

    def step(self, actions: Any) -> BatchStep:
        """Play one action in every match (WAIT, -1, for none) and the actions of chance that follow.

        Raises IllegalAction, and changes nothing, if any action is illegal; ArgumentError if they are not numbers.
        """
        actions = whole_numbers("actions", actions, self.n, np.int64)
        if self.checks:
            self._refuse_illegal(actions)
        elif (lane := find_outside(self._seats, actions, self.action_count)) >= 0:
            self._refuse(lane, int(actions[lane]))

        def step_part(p: Part) -> int:
            lanes = actions[p.lanes]
            return step_all(
                p.states, self._start, p.generators, lanes, self.auto_reset, p.seats, p.scores, p.ranks, p.ended
            )

        rewards = np.zeros((self.n, self.setting.players), np.float32)
        if any(self._split(step_part)):
            lanes, seats = self._ended, slice(self.setting.players)
            rewards[lanes] = self.setting.rewards(self._scores[lanes, seats], self._ranks[lanes, seats])
        return BatchStep(rewards, self._ended.copy())

    def masks(self, out: Any = None) -> Any:
        """One row per match: 1 for the legal actions of the acting seat, 0 for all others."""
        shape = (self.n, self.action_count)
        masks = np.empty(shape, np.int8) if out is None else writable("out", out, shape, np.int8)
        self._split(lambda p: mask_all(p.states, p.seats, p.scratch, masks[p.lanes]))
        return masks

    def observations(self, seats: Any = None, out: Any = None) -> Any:
        """One row per match: what the acting seat, or a given seat, may know.

        If nobody acts in a match (OVER, -1), it is what seat 0 may know.
        """
        viewers, shape = self._seats, (self.n, self.observation_size)
        if seats is not None:
            viewers = within("seats", whole_numbers("seats", seats, self.n, np.int8), OVER, self.setting.players - 1)
        tensors = np.empty(shape, TENSOR_TYPE) if out is None else writable("out", out, shape, TENSOR_TYPE)
        runs = self.setting.plan.runs

        def observe_part(p: Part) -> None:
            observe_all(p.states, p.work, p.memory, runs, viewers[p.lanes], tensors[p.lanes])

        self._split(observe_part)
        return tensors

    def sample(self) -> Any:
        """A random legal action in every match; it also depends on the seed."""
        actions = np.empty(self.n, np.int64)
        self._split(lambda p: sample_all(p.states, p.seats, p.scratch, p.sample_generators, actions[p.lanes]))
        return actions

    def outcomes(self) -> tuple[Any, Any]:
        """The scores and ranks, by seat, of the match that ended last in each lane."""
        seats = slice(self.setting.players)
        return self._scores[:, seats].copy(), self._ranks[:, seats].copy()

    def _refuse_illegal(self, actions: Any) -> None:
        for first, lane in self._split(
            lambda p: (p.first, find_illegal(p.states, p.seats, actions[p.lanes], self.action_count))
        ):
            if lane >= 0:
                self._refuse(first + lane, int(actions[first + lane]))

    def _refuse(self, lane: int, action: int) -> None:
        game, seat = self.setting.game, int(self._seats[lane])
        if not 0 <= action < self.action_count or seat == OVER:
            raise IllegalAction(self.setting.rule_book, game.rule_enum["NOT_NOW"], f"match {lane}, action {action}")
        rule = game.rule_enum(calls.check_action(self._states[lane : lane + 1], seat, action))
        text = f"match {lane}, seat {seat}, {game.action_text(self._states[lane], action)}"
        raise IllegalAction(self.setting.rule_book, rule, text)

    def _split(self, work: Callable[[Part], Any]) -> list[Any]:
        """Run work on all matches, on several threads if there are enough matches."""
        if self._pool is None:
            return [work(self._parts[0])]

        def work_without_warnings(part: Part) -> Any:
            with np.errstate(over="ignore"):  # uncompiled, the generator overflows; the setting is per thread
                return work(part)

        return list(self._pool.map(work_without_warnings, self._parts))


def read_only(array: Any) -> Any:
    """An array that shares the memory of another but can never be written to: kernels trust its contents."""
    return np.frombuffer(memoryview(array.view(np.int8)).toreadonly(), array.dtype)


def new_scratch() -> Any:
    """Scratch memory for kernels that list legal actions."""
    return np.zeros(1, SCRATCH_DTYPE)
