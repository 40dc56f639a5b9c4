"""Drafts: actions that a seat has chosen but not played yet, tried out on what the seat may know."""

from collections.abc import Callable, Sequence

from threespan.core.game import IllegalAction, Position
from threespan.core.rules import LEGAL
from threespan.core.turns import ActionRefused, TurnOver, play_actions
from threespan.table.refusals import Refusal
from threespan.table.state import TableState


def play_own_actions(
    position: Position, seat: int, action_texts: Sequence[str], play: Callable[[int], object] | None = None
) -> None:
    """Play a player's actions; raises ActionRefused, with a reason that players can read if their turn has ended."""
    try:
        play_actions(position, seat, action_texts, play)
    except ActionRefused as refused:
        if isinstance(refused.reason, TurnOver):
            reason = Refusal("too_far" if refused.reason.reveals else "not_now")
            raise ActionRefused(refused.index, reason) from None
        raise


def draft(state: TableState, seat: int, action_texts: Sequence[str]) -> Position:
    """What a seat would see after some actions; raises Refusal, or ActionRefused for the first that is not legal."""
    seen = state.running_match().position.observe(seat)
    play_own_actions(seen, seat, action_texts)
    return seen


def draft_path(state: TableState, seat: int, action_texts: Sequence[str], action_text: str) -> list[str]:
    """The path that an action would take after a draft; raises UserError or ActionRefused."""
    seen = draft(state, seat, action_texts)
    action = state.game.parse_action(seen.state, action_text)
    if (rule := seen.check(seat, action)) != LEGAL:
        raise IllegalAction(seen.rule_book, rule, action_text)
    return state.game.path(seen.state, seat, action)
