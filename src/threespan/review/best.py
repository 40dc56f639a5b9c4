"""The best possible score of a match, for games that have a solver.

The solver of a built-in game is `review/GAME/solver.py`; for a game outside this package it is
`PACKAGE/review/solver.py`. It has a function `best_possible(match, seconds)` like the one below.
"""

from typing import Protocol

from threespan.core.match import Match
from threespan.core.registry import find_game_module


class BestScore(Protocol):
    """What a solver has found out about the best possible score of a match."""

    @property
    def score(self) -> int:
        """The best score that was found."""

    @property
    def bound(self) -> int:
        """An upper bound of the score."""

    @property
    def is_proved(self) -> bool:
        """Whether the score is proved to be the best: it equals the bound."""


def best_possible(match: Match, seconds: float) -> BestScore | None:
    """The best score for a player who knew all chance events in advance, or None if the game has no solver."""
    solver = find_game_module(match.game.code, "review", "solver")
    if solver is None:
        return None
    best: BestScore | None = solver.best_possible(match, seconds)
    return best
