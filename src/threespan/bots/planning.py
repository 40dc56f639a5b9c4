"""For bots that choose a whole turn and then play it action by action."""

from collections import OrderedDict
from typing import Any

from threespan.bots.bot import Decision
from threespan.core.game import Position
from threespan.core.kernel import kernel

_PLANS_KEPT = 256


@kernel
def best_turn(turns: Any, count: int) -> int:
    """The index of the first turn with the highest value."""
    best = 0
    for index in range(1, count):
        if turns[index].value > turns[best].value:
            best = index
    return best


class PlannedTurns:
    """The remaining actions of turns that have begun, by the observation in which the next action is due.

    A plan is removed when it is used, so that a match does not depend on earlier matches.
    """

    def __init__(self) -> None:
        """Start without plans."""
        self._rest: OrderedDict[bytes, Decision] = OrderedDict()

    def take(self, seen: Position) -> Decision | None:
        """The next decision of a planned turn, or None."""
        return self._rest.pop(seen.state.tobytes(), None)

    def keep(self, seen: Position, seat: int, decision: Decision) -> None:
        """Remember what follows after the first action of a decision."""
        if len(decision.line) < 2:
            return
        after = seen.copy()
        after.play(seat, decision.action)
        rest = Decision(decision.line[1], decision.line[1:], decision.value, (), decision.simulations)
        self._rest[after.state.tobytes()] = rest
        if len(self._rest) > _PLANS_KEPT:
            self._rest.popitem(last=False)
