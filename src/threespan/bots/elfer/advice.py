"""What a search should know about Elfer."""

from typing import Any

from threespan.bots.elfer.features import score
from threespan.bots.elfer.weights import WEIGHTS
from threespan.bots.evaluation import share_wins
from threespan.core.kernel import called_kernel, kernel
from threespan.core.layout import State
from threespan.core.mathematics import exp
from threespan.games.elfer.state import Phase

_POINTS = 0.05  # the part of a finished match's value that goes by minus points rather than by winning
_MINUS_SCALE = 40.0


@kernel
def evaluate(state: State, workspace: Any) -> None:
    """A finished match by ranks and minus points; between two rounds by minus points alone."""
    total = 0.0
    for seat in range(state.players):
        total += exp(-state.minus[seat] / _MINUS_SCALE)
    if state.phase == Phase.OVER:
        share_wins(state, workspace)
        for seat in range(state.players):
            by_points = exp(-state.minus[seat] / _MINUS_SCALE) / total
            workspace.values[seat] = (1.0 - _POINTS) * workspace.values[seat] + _POINTS * by_points
    else:
        for seat in range(state.players):
            workspace.values[seat] = exp(-state.minus[seat] / _MINUS_SCALE) / total


@called_kernel
def rate(state: State, seat: int, action: int) -> float:
    """How the learnt policy likes an action."""
    return score(state, seat, action, WEIGHTS)


@kernel
def ends_rollout(state: State, steps: int) -> bool:  # noqa: ARG001
    """A round is played to its end; the next one would only be noise."""
    return state.phase <= Phase.SEARCH or state.phase == Phase.OVER  # type: ignore[no-any-return]
