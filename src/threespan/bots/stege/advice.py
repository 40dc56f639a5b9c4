"""What a search should know about Stege."""

import sys
from math import exp
from typing import Any

from threespan.bots.evaluation import DESK_DTYPE, Advice, advise, share_wins
from threespan.bots.stege.turns import ELSEWHERE, keep_places
from threespan.bots.stege.value import strength
from threespan.bots.stege.ways import MAX_COST, way_home
from threespan.bots.stege.weights import WEIGHTS
from threespan.core.kernel import called_kernel, kernel
from threespan.core.layout import State
from threespan.games.stege.jetties import flip_jetty
from threespan.games.stege.state import AGAIN, ENDS, KEEP, LAY, LAYOUT, MOVE, TAKE, WORDS, Step

_SCALE = 19.0  # a lead of so many steps makes a win e times as likely as a loss
_PLACES, _OTHERS = 16, 12  # how many actions to look at when a jetty is laid, and in other decisions
_RELAY = 0.04  # what laying a taken jetty elsewhere may bring
_ROLLOUT = 0  # actions of a rollout before the ways are weighed


@kernel
def evaluate(state: State, desk: Any) -> None:
    """The chance to win by the ways left; a finished match by its ranks."""
    if state.step == Step.OVER:
        share_wins(state, desk)
        return
    total = 0.0
    for seat in range(state.players):
        desk.values[seat] = exp(strength(state, seat, state.turn, WEIGHTS))
        total += desk.values[seat]
    for seat in range(state.players):
        desk.values[seat] /= total


@kernel
def prospects(state: State, seat: int) -> float:
    """The chance of a seat to win by the ways left."""
    following = (seat + 1) % state.players
    own = strength(state, seat, following, WEIGHTS)
    total = 1.0
    for other in range(state.players):
        if other != seat:
            total += exp(strength(state, other, following, WEIGHTS) - own)
    return 1.0 / total


@kernel
def shortlist(state: State, seat: int, desk: Any, count: int) -> int:
    """Of the places for a jetty those on the seat's ways, and a few elsewhere."""
    if state.step != Step.LAY and state.step != Step.PLACE:
        return count
    listed = keep_places(state, seat, desk.actions, count, desk.spare, desk.scratch)
    kept = max(listed - ELSEWHERE, 0)
    for index in range(kept, listed):  # those elsewhere may be on the ways, too
        is_new = True
        for earlier in range(kept):
            is_new &= desk.actions[earlier] != desk.actions[index]
        if is_new:
            desk.actions[kept] = desk.actions[index]
            kept += 1
    return kept


@called_kernel
def rate(state: State, seat: int, action: int) -> float:
    """Jetties by the prospects once they lie or are away, walks by the way they save."""
    if action < MOVE:
        place = action - LAY if action < TAKE else action - TAKE
        flip_jetty(state, place)
        value = prospects(state, seat)
        flip_jetty(state, place)
        return value if action < TAKE else value + _RELAY
    if action < KEEP:
        stone, end = (action - MOVE) // ENDS, (action - MOVE) % ENDS
        return (way_home(state, seat, state.stone[seat, stone]) - way_home(state, seat, end)) / _SCALE
    if action == KEEP:
        return prospects(state, seat)
    return 1.0 if action == AGAIN else 0.0


@kernel
def breadth(state: State) -> int:
    """Hundreds of places take a jetty, few are worth a thought."""
    return _PLACES if state.step == Step.LAY or state.step == Step.PLACE else _OTHERS


@kernel
def ends_rollout(state: State, steps: int) -> bool:
    """The ways are weighed between two turns only: within one, what is about to happen would be missed."""
    return steps >= _ROLLOUT and (state.step == Step.LAY or (state.step == Step.ROLL and state.rolls == 0))


@kernel
def is_exact(state: State) -> bool:  # noqa: ARG001
    """Everything lies open, and the die has only six sides."""
    return True


assert DESK_DTYPE["scratch"].shape == (MAX_COST, WORDS), "the desk has no room for all costs"
advise(LAYOUT, Advice.of(sys.modules[__name__]))
