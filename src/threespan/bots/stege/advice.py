"""What a search should know about Stege."""

from typing import Any

from threespan.bots.evaluation import WORKSPACE_DTYPE, share_wins
from threespan.bots.stege.turns import SAMPLED_PLACES, filter_places
from threespan.bots.stege.value import strength
from threespan.bots.stege.ways import MAX_COST, way_home
from threespan.bots.stege.weights import WEIGHTS
from threespan.core.kernel import called_kernel, kernel
from threespan.core.layout import State
from threespan.core.mathematics import exp
from threespan.games.stege.jetties import toggle_jetty
from threespan.games.stege.state import AGAIN, ENDS, KEEP, LAY, MOVE, TAKE, WORDS, TurnStep

_SCALE = 19.0  # a lead of so many steps makes a win e times as likely as a loss
_PLACES, _OTHERS = 16, 12  # how many actions to look at when a jetty is laid, and in other decisions
_RELAY = 0.04  # what laying a taken jetty elsewhere may bring
_ROLLOUT = 0  # actions of a rollout before the ways are weighed


@kernel
def evaluate(state: State, workspace: Any) -> None:
    """The chance to win by the ways left; a finished match by its ranks."""
    if state.step == TurnStep.OVER:
        share_wins(state, workspace)
        return
    total = 0.0
    for seat in range(state.players):
        workspace.values[seat] = exp(strength(state, seat, state.turn, WEIGHTS))
        total += workspace.values[seat]
    for seat in range(state.players):
        workspace.values[seat] /= total


@kernel
def _prospects(state: State, seat: int) -> float:
    """The chance of a seat to win by the ways left."""
    following = (seat + 1) % state.players
    own = strength(state, seat, following, WEIGHTS)
    total = 1.0
    for other in range(state.players):
        if other != seat:
            total += exp(strength(state, other, following, WEIGHTS) - own)
    return 1.0 / total


@kernel
def shortlist(state: State, seat: int, workspace: Any, count: int) -> int:
    """Of the places for a jetty those on the seat's ways, and a few elsewhere."""
    if state.step != TurnStep.LAY and state.step != TurnStep.PLACE:
        return count
    listed = filter_places(state, seat, workspace.actions, count, workspace.spare, workspace.scratch)
    kept = max(listed - SAMPLED_PLACES, 0)
    for index in range(kept, listed):  # those elsewhere may be on the ways, too
        is_new = True
        for earlier in range(kept):
            is_new &= workspace.actions[earlier] != workspace.actions[index]
        if is_new:
            workspace.actions[kept] = workspace.actions[index]
            kept += 1
    return kept


@called_kernel
def rate(state: State, seat: int, action: int) -> float:
    """Jetties by the prospects once they lie or are away, walks by the way they save."""
    if action < MOVE:
        place = action - LAY if action < TAKE else action - TAKE
        toggle_jetty(state, place)
        value = _prospects(state, seat)
        toggle_jetty(state, place)
        return value if action < TAKE else value + _RELAY
    if action < KEEP:
        stone, end = (action - MOVE) // ENDS, (action - MOVE) % ENDS
        return (way_home(state, seat, state.stone[seat, stone]) - way_home(state, seat, end)) / _SCALE
    if action == KEEP:
        return _prospects(state, seat)
    return 1.0 if action == AGAIN else 0.0


@kernel
def breadth(state: State) -> int:
    """Hundreds of places take a jetty, few are worth a thought."""
    return _PLACES if state.step == TurnStep.LAY or state.step == TurnStep.PLACE else _OTHERS


@kernel
def ends_rollout(state: State, steps: int) -> bool:
    """The ways are weighed between two turns only: within one, what is about to happen would be missed."""
    return steps >= _ROLLOUT and (state.step == TurnStep.LAY or (state.step == TurnStep.ROLL and state.rolls == 0))


@kernel
def is_exact(state: State) -> bool:  # noqa: ARG001
    """Everything lies open, and the die has only six sides."""
    return True


assert WORKSPACE_DTYPE["scratch"].shape == (MAX_COST, WORDS), "the workspace has no room for all costs"
