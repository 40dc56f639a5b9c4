"""A network in training: it plays matches against nobody, learns from them at once, and again from what it remembers.

In every sweep a player takes the turns that the network rates best (sometimes one of the next best, for variety), from
start numbers at random, and plays on again with other cards from boards in the middle of its matches. What a board
turned out to be worth mixes what the network thought a round later, two rounds later and so on (TD(lambda)). The
network learns from each match at once, and after the sweep again from boards of the last sweeps at random, by
stochastic gradient descent with Adagrad; what is kept is its mean over the later sweeps.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from threespan.bots.hashi.learnt import load_weights
from threespan.bots.hashi.net import (
    OUTPUT,
    ROWS,
    SLOTS,
    STRAIGHT,
    WIDTH,
    Values,
    fill_layer,
    read_out,
    see_board,
    see_pile,
)
from threespan.bots.hashi.simulate import end_board_round
from threespan.bots.hashi.turns import board_value, new_desk, play_turn, rate_turns
from threespan.bots.hashi.value import pile_bridges, solo_pay
from threespan.bots.planning import best_turn
from threespan.core.chance import RNG_DTYPE, below, stream
from threespan.core.kernel import called_kernel, kernel
from threespan.games.hashi.rules import apply, draw, legal, tickets, turn_up
from threespan.games.hashi.state import CARD, ROUNDS, Phase

_OTHER_TURNS = 6  # how far down the list a varied turn may be
_VARIETY = 0.04  # the share of rounds with a turn that is not the best
_TRUST = 0.7  # the lambda of TD(lambda)
_START_VARIETY = 1000  # by up to how many thousandths of a point a start number may be rated too high
_AGAIN = 2  # times that a match is played on from its middle
_AGAIN_FROM, _AGAIN_SPAN = 6, 8  # the rounds after which that begins: 6 to 13
_SWEEPS_IN_MEAN = 16  # how far back the mean that is kept reaches
_UNKNOWN = -1.0  # the target of a round that was not played

# What a run through a match leaves behind for each round: the value of the turn taken before it (its pay included),
# the pay, and whether the turn was the best-rated one.
RUN_DTYPE = np.dtype(
    (
        np.record,
        [("value", np.float64, (ROUNDS + 1,)), ("paid", np.float64, (ROUNDS + 1,)), ("varied", np.int8, (ROUNDS + 1,))],
    )
)


@called_kernel
def improve(net: Any, moments: Any, active: Any, round_number: int, target: Any, pace: Any, layer: Any) -> float:
    """Move a network towards the target of one board; the squared error before."""
    row = OUTPUT + round_number
    fill_layer(net, active, layer)
    error = np.float32(target) - np.float32(read_out(net, layer, round_number))
    for unit in range(WIDTH):
        signal = layer[unit]
        layer[unit] = np.float32(0.0) if unit >= STRAIGHT and signal <= 0 else error * net[row, unit]
        slope = error * (max(signal, np.float32(0.0)) if unit >= STRAIGHT else signal)
        moments[row, unit] += slope * slope
        net[row, unit] += pace * slope / np.sqrt(moments[row, unit])
    for slot in range(SLOTS):
        feature = active[slot]
        for unit in range(WIDTH):
            slope = layer[unit]
            moments[feature, unit] += slope * slope
            net[feature, unit] += pace * slope / np.sqrt(moments[feature, unit])
    return error * error  # type: ignore[return-value]


@kernel
def improve_again(
    net: Any, moments: Any, slots: Any, rounds: Any, targets: Any, order: Any, pace: Any, layer: Any
) -> float:
    """Move a network towards the targets of remembered boards in a given order; the mean squared error."""
    squares = 0.0
    for index in order:
        squares += improve(net, moments, slots[index], rounds[index], targets[index], pace, layer)
    return squares / len(order)


@called_kernel
def play_run(
    works: Any, first: int, values: Values, variety: float, rng: Any, turns: Any, desk: Any, run: Any, slots: Any
) -> None:
    """Play a match from its board after round `first`, which lies in works[0], to the end; works[1 + r] keep boards."""
    state = works[0]
    for round_number in range(first, ROUNDS):
        works[1 + round_number] = works[0]
        see_pile(state, desk, desk.before)
        see_board(state, 0, pile_bridges(state), desk, desk.before)
        for slot in range(SLOTS):
            slots[round_number, slot] = desk.before[slot]
        turn_up(state, draw(state, below(rng, tickets(state))) - CARD)
        count = rate_turns(state, 0, values, turns, desk)
        chosen = best_turn(turns, count)
        run.value[round_number + 1] = turns[chosen].value
        run.varied[round_number + 1] = below(rng, 1000) < variety * 1000
        if run.varied[round_number + 1] != 0:
            for _ in range(min(count - 1, 1 + below(rng, _OTHER_TURNS))):
                turns[chosen].value = -np.inf
                chosen = best_turn(turns, count)
        play_turn(state, 0, turns[chosen])
        run.paid[round_number + 1] = end_board_round(state, 0, values.pay)
        state.phase = Phase.CARD


@kernel
def note_targets(run: Any, first: int, trust: float, targets: Any) -> None:
    """What the board after each round turned out to be worth; with `trust` 1 only the end counts."""
    target = run.value[ROUNDS]
    for round_number in range(ROUNDS - 1, -1, -1):
        targets[round_number] = target if round_number >= first else _UNKNOWN
        if round_number > first:
            later = target + run.paid[round_number]
            target = run.value[round_number]
            if run.varied[round_number] == 0:
                target += trust * (later - target)


@kernel
def choose_start(works: Any, start: Any, values: Values, rng: Any, desk: Any, actions: Any) -> None:
    """Put a board with a start number into works[0]: in half of the matches one of the best-rated, else any."""
    count = legal(start[0], 0, actions)
    chosen = actions[below(rng, count)]
    if below(rng, 2) == 0:
        best = -np.inf
        for index in range(count):
            works[0] = start[0]
            apply(works[0], 0, actions[index])
            value = board_value(works[0], 0, values, desk) + below(rng, _START_VARIETY) / 1000
            if value > best:
                best, chosen = value, actions[index]
    works[0] = start[0]
    apply(works[0], 0, chosen)


@kernel
def play_matches(
    start: Any,
    values: Values,
    moments: Any,
    pace: Any,
    variety: float,
    trust: float,
    seed: Any,
    slots: Any,
    targets: Any,
    scores: Any,
    works: Any,
    turns: Any,
    desks: Any,
    rngs: Any,
    runs: Any,
    actions: Any,
) -> None:
    """Play matches, each on again from its middle, and learn from them at once.

    The features of all boards and what they turned out to be worth are kept.
    """
    desk, rng, run = desks[0], rngs[0], runs[0]
    for index in range(len(scores)):
        rng.word = stream(seed, index)
        choose_start(works, start, values, rng, desk, actions)
        for again in range(1 + _AGAIN):
            first = 0
            if again > 0:
                first = _AGAIN_FROM + below(rng, _AGAIN_SPAN)
                works[0] = works[1 + first]
            row = index * (1 + _AGAIN) + again
            play_run(works, first, values, variety, rng, turns, desk, run, slots[row])
            note_targets(run, first, trust, targets[row])
            for round_number in range(ROUNDS - 1, first - 1, -1):
                active, target = slots[row, round_number], targets[row, round_number]
                improve(values.net, moments, active, round_number, target, pace, desk.layer)
            if again == 0:
                scores[index] = run.value[ROUNDS] - run.paid[ROUNDS] + run.paid[1:].sum()


def first_net(seed: int) -> Any:
    """A network that has learnt nothing: small numbers at random."""
    rng = np.random.default_rng(seed)
    net = rng.normal(0, 0.05, (ROWS, WIDTH)).astype(np.float32)
    net[OUTPUT:] *= 6
    net[OUTPUT:, :STRAIGHT] = np.abs(net[OUTPUT:, :STRAIGHT]) + 0.2
    return net


def fresh_moments() -> Any:
    """Adagrad's moments before the first step. What is still 1 later has never been met."""
    return np.ones((ROWS, WIDTH), np.float32)


@dataclass
class Trainee:
    """A board, its network in training, and the boards met lately."""

    start: Any
    net: Any
    moments: Any = field(default_factory=fresh_moments)
    memory: list[tuple[Any, Any, Any]] = field(default_factory=list)
    mean: Any = None
    means: int = 0
    met: Any = field(default_factory=lambda: np.zeros((ROWS, 1), np.bool_))

    def begin_stage(self) -> None:
        """Go on from the mean of the stage before, with an empty memory and fresh moments."""
        if self.mean is not None:
            self.net = self.mean.astype(np.float32)
        self.moments, self.memory, self.mean, self.means = fresh_moments(), [], None, 0

    def sweep(self, matches: int, passes: int, memory: int, pace: float, seed: int) -> tuple[float, float]:
        """Play and learn; the mean score of the matches and the error of the network."""
        score = self.play(matches, pace, seed)
        self.memory = self.memory[-memory:]
        error = self.learn(passes, pace, np.random.default_rng(seed))
        self.met |= self.moments.max(axis=1, keepdims=True) > 1
        self.means = min(self.means + 1, _SWEEPS_IN_MEAN)
        self.mean = self.net.copy() if self.mean is None else self.mean + (self.net - self.mean) / self.means
        return score, error

    def play(self, matches: int, pace: float, seed: int) -> float:
        """Play matches, learn from them and remember their boards; the mean score."""
        slots = np.zeros((matches * (1 + _AGAIN), ROUNDS, SLOTS), np.int16)
        targets = np.zeros((matches * (1 + _AGAIN), ROUNDS), np.float32)
        scores = np.zeros(matches)
        weights, _ = load_weights()
        values = Values(weights, self.net, solo_pay())

        turns, desks = new_desk()
        works = np.empty(ROUNDS + 1, self.start.dtype).view(np.recarray)
        rng, run = (np.zeros(1, dtype).view(np.recarray) for dtype in (RNG_DTYPE, RUN_DTYPE))
        how = (np.float32(pace), _VARIETY, _TRUST, np.uint64(seed))
        room = (works, turns, desks, rng, run, np.empty(64, np.int16))
        play_matches(self.start, values, self.moments, *how, slots, targets, scores, *room)
        known = targets != _UNKNOWN
        rounds = np.broadcast_to(np.arange(ROUNDS, dtype=np.int16), targets.shape)
        self.memory.append((slots[known], rounds[known], targets[known]))
        return float(scores.mean())

    def learn(self, passes: int, pace: float, rng: np.random.Generator) -> float:
        """Fit the network to remembered boards, `passes` times as many as the last sweep brought; the error."""
        slots, rounds, targets = (np.concatenate(parts) for parts in zip(*self.memory, strict=True))
        order = rng.integers(0, len(targets), passes * len(self.memory[-1][2]))
        layer = np.zeros(WIDTH, np.float32)
        square = improve_again(self.net, self.moments, slots, rounds, targets, order, np.float32(pace), layer)
        return float(np.sqrt(square))

    def learnt(self) -> Any:
        """The mean network, without the rows of features that were never met."""
        return np.where(self.met, self.mean, 0.0)
