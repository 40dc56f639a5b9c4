"""Levels that play by search, also for games that define no levels of their own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from threespan.bots.bot import Bot, Budget, Decision, acting_seat
from threespan.bots.search import SearchMemory, SearchStyle, choose_by_rating, search
from threespan.core.game import Position

DEFAULT_STYLE = SearchStyle()


@dataclass(frozen=True)
class Level:
    """A strength: with a budget it searches, without one it takes the best-rated action, overlooking some.

    With a memory, a search continues with the trees of the previous decision in the same turn.
    """

    budget: Budget | None = None
    style: SearchStyle = DEFAULT_STYLE
    overlooked: float = 0.0
    memory: SearchMemory | None = None

    def decide(self, seen: Position, seat: int, budget: Budget | None, seed: int) -> Decision:
        """A decision within a budget, by default the level's own."""
        if self.budget is None:
            return choose_by_rating(seen, seat, self.overlooked, seed)
        return search(seen, seat, budget or self.budget, seed, self.style, self.memory)


class Player(Protocol):
    """Plays one game at one level."""

    def decide(self, seen: Position, seat: int, budget: Budget | None, seed: int) -> Decision:
        """A decision within a budget, by default the level's own."""
        ...


Levels = Mapping[str, Player]

BUDGETS = {
    "beginner": Budget(0.05, 16),
    "easy": Budget(0.1, 100),
    "medium": Budget(0.3, 500),
    "hard": Budget(1.0, 2500),
    "expert": Budget(2.0, 10000),
}


def search_levels(is_guided: bool) -> Levels:
    """Default levels: guided by the game's advice, or with random rollouts only."""
    style = SearchStyle(guided=is_guided)
    return {level: Level(budget, style) for level, budget in BUDGETS.items()}


class LevelBot(Bot):
    """Plays every game at one level. Values are winning probabilities, or whatever the game's own players return."""

    def __init__(self, level: str, levels_of: Callable[[str], Levels]) -> None:
        """Create the bot of a level; `levels_of` returns the levels of a game by its code."""
        self.name = level  # type: ignore[misc] # a class attribute elsewhere, but this class serves all levels
        self._levels_of = levels_of

    def level(self, game: str) -> Player:
        """The player of this level in a game."""
        return self._levels_of(game)[self.name]

    def decide(self, seen: Position, seat: int, budget: Budget, seed: int) -> Decision:
        """The level's decision; a budget without limits means the level's own budget."""
        seat = acting_seat(seen, seat)
        is_limited = budget.seconds is not None or budget.simulations is not None
        return self.level(seen.game.code).decide(seen, seat, budget if is_limited else None, seed)
