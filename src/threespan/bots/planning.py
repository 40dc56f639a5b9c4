"""Turns that are chosen as wholes and then carried out step by step."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from threespan.bots.bot import Alternative, Decision
from threespan.core.game import Position

_PLANS_KEPT = 256


def decide_between(lines: Sequence[tuple[int, ...]], values: Any, visits: Any) -> Decision:
    """The first of several turns, given best first with their values and visits; the others are alternatives to it."""
    alternatives: dict[int, Alternative] = {}
    for line, value, count in zip(lines, values, visits, strict=True):
        alternatives.setdefault(line[0], Alternative(line[0], int(count), float(value)))
    return Decision(lines[0][0], lines[0], float(values[0]), tuple(alternatives.values()), int(sum(visits)))


class Plans:
    """What is left of turns that have begun, by the observation in which the next step is due.

    A plan is forgotten once it is asked for, so a match does not depend on the matches before.
    """

    def __init__(self) -> None:
        """Nothing is planned."""
        self._steps: OrderedDict[bytes, Decision] = OrderedDict()

    def take(self, seen: Position) -> Decision | None:
        """The next step of a turn that was planned, if one was."""
        return self._steps.pop(seen.state.tobytes(), None)

    def keep(self, seen: Position, seat: int, decision: Decision) -> None:
        """Remember what follows after the first step of a decision."""
        if len(decision.line) < 2:
            return
        after = seen.copy()
        after.play(seat, decision.action)
        rest = Decision(decision.line[1], decision.line[1:], decision.value, (), decision.simulations)
        self._steps[after.state.tobytes()] = rest
        if len(self._steps) > _PLANS_KEPT:
            self._steps.popitem(last=False)
