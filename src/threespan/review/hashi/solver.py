"""The best reachable score of Hashi solo once the order of the cards is known, with a play that reaches it."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from threespan.core.errors import UserError
from threespan.core.game import IllegalAction, Position
from threespan.core.match import Match
from threespan.core.options import option_values, read_options
from threespan.core.rules import CHANCE
from threespan.games.hashi.game import GAME
from threespan.games.hashi.notation import card_text
from threespan.games.hashi.scoring import FULL_PAY, POINTS_PER_ISLAND
from threespan.games.hashi.state import CARD, ISLANDS, MAX_NUMBER, ROUNDS, SKIP, WRITE, Pen, SeatStep

if TYPE_CHECKING:
    from threespan.review.hashi.model import Plan

SEAT = 0
MAX_SCORE = POINTS_PER_ISLAND * ISLANDS + sum(FULL_PAY)


class SolverMismatch(RuntimeError):
    """The model and the rules disagree: one of them is wrong."""


@dataclass(frozen=True)
class Solution:
    """A play from a position to the end, and what is known of the best one."""

    score: int
    bound: int  # no play scores more
    actions: list[str]  # the player's own; the cards come in between

    @property
    def is_proved(self) -> bool:
        """Whether no play is better."""
        return self.score == self.bound


def cards_of(match: Match) -> list[str]:
    """The cards that are still to come in a match of Hashi, in their order, such as "5/3"."""
    if match.game is not GAME:
        raise UserError(f"{match.game.code} has no pile of cards to come")
    if not match.seed.secret:
        raise UserError("the seed of this match is not known, so neither are its cards")
    state = match.game.layout.copy(match.position.state)
    rules, cards = match.game.kernels, []
    for draw in range(match.draws, ROUNDS):  # what the players do changes no card
        action = int(rules.draw(state, match.seed.ticket(draw, rules.tickets(state))))
        rules.apply(state, CHANCE, action)
        cards.append(card_text(action - CARD))
    return cards


def solve(
    position: Position,
    cards: Sequence[str],
    seconds: float | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Solution:
    """The best play of a solo position; `cards` are those to come in their order, without the one on the table.

    `on_progress` gets the interval in which the best score lies, at once and whenever it shrinks. When the `seconds`
    are over, the best play so far is returned. Without a limit the same position always gets the same play.
    """
    started = time.monotonic()
    try:
        from threespan.review.hashi.model import HashiModel
        from threespan.review.hashi.search import Interval, search
    except ModuleNotFoundError as missing:
        raise UserError('the solver needs OR-Tools: pip install "threespan[study]"') from missing
    draws = _read_cards(position, cards)
    report = on_progress or (lambda _low, _high: None)
    idle = _play(position, draws, _skip)
    if not idle.actions:  # the match is over
        report(idle.score, idle.score)
        return idle
    known = Interval(idle.score, MAX_SCORE)
    report(*known)
    model = HashiModel(position.state, cards)
    left = None if seconds is None else max(0.0, seconds - (time.monotonic() - started))
    found = search(model, left, known, report)
    if found.interval.high < idle.score:
        raise SolverMismatch(f"the model allows {found.interval.high} points, doing nothing gives {idle.score}")
    if found.plan is None or found.score < idle.score:
        return replace(idle, bound=found.interval.high)
    try:
        best = _play(position, draws, _Follower(found.plan))
    except IllegalAction as refused:
        raise SolverMismatch(f"the model's play is not legal: {refused}") from refused
    if best.score != found.score:
        raise SolverMismatch(f"the model promised {found.score} points, its play gives {best.score}")
    return replace(best, bound=found.interval.high)


def _read_cards(position: Position, cards: Sequence[str]) -> list[int]:
    """Chance's actions to come; raises UserError where they do not fit the position."""
    state = position.state
    if position.game is not GAME or position.options.players != 1:
        raise UserError("the solver is for Hashi with one player")
    if state.pen == Pen.FREE:
        raise UserError("the solver plays with the strict pen only")
    due = ROUNDS - int(state.round_number)
    if len(cards) != due:
        raise UserError(f"{len(cards)} cards are given, but {due} are still to come")
    draws = [GAME.parse_action(state, f"card {card}") for card in cards]
    for draw, count in Counter(draws).items():
        if count > (there := int(state.pile[draw - CARD])):
            raise UserError(f"the card {card_text(draw - CARD)} comes {count} times, but the pile has {there} of it")
    return draws


def _play(position: Position, draws: Sequence[int], choose: Callable[[Position], int]) -> Solution:
    """Play to the end by the rules; raises IllegalAction."""
    position = position.copy()
    cards = iter(draws)
    actions = []
    while acting := position.acting():
        if acting == [CHANCE]:
            position.play(CHANCE, next(cards))
        else:
            action = choose(position)
            actions.append(GAME.action_text(position.state, action))
            position.play(SEAT, action)
    score = position.outcome()[0][SEAT]
    return Solution(score, score, actions)


def _skip(position: Position) -> int:
    """Do nothing if that is allowed: a play that always exists."""
    actions = position.legal(SEAT)
    return SKIP if SKIP in actions else actions[0]


class _Follower:
    """Chooses what a plan says."""

    def __init__(self, plan: "Plan") -> None:
        self._start, self._writes = plan.start, plan.writes
        self._lines = {round_number: list(lines) for round_number, lines in plan.bridges.items()}

    def __call__(self, position: Position) -> int:
        """The next action."""
        state = position.state
        round_number = int(state.round_number)
        if state.step[SEAT] == SeatStep.START and self._start:
            return _write_action(*self._start)
        if state.step[SEAT] == SeatStep.WRITE and round_number in self._writes:
            return _write_action(self._writes[round_number], int(state.card_number))
        if state.step[SEAT] == SeatStep.BRIDGE and self._lines.get(round_number):
            return int(state.line_action[self._lines[round_number].pop(0)])
        return SKIP


def _write_action(island: int, number: int) -> int:
    return WRITE + island * MAX_NUMBER + number - 1


def best_possible(match: Match, seconds: float) -> Solution | None:
    """The best that somebody who knew the cards could have scored by lawful play, or None if nothing can tell."""
    if match.game is not GAME or len(match.position.seats) > 1 or not match.seed.secret:
        return None
    start = match.replayed_to(0)
    lawful = read_options(GAME.options, option_values(start.position.options) | {"pen": "strict"})
    state = GAME.setup(lawful, start.position.material)
    return solve(Position(GAME, lawful, start.position.material, state), cards_of(start), seconds)
