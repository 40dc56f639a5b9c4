"""Drafts: steps of a seat that are not yet played, tried on what the seat may know."""

from threespan.core.errors import UserError
from threespan.core.game import Position
from threespan.core.rules import CHANCE
from threespan.server.course import StepRefused
from threespan.server.words import Refusal


def draft_on(seen: Position, seat: int, steps: list[str]) -> Position:
    """Play steps on an observation of a seat, which they change; raises StepRefused for the first that cannot be."""
    for number, text in enumerate(steps):
        acting = seen.acting()
        if number and seat not in acting:
            raise StepRefused(number, Refusal("too_far" if acting == [CHANCE] else "not_now"))
        try:
            seen.play(seat, seen.game.parse_action(seen.state, text))
        except UserError as reason:
            raise StepRefused(number, reason) from None
    return seen
