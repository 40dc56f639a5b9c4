"""Levels that play by search, also for games that define no levels of their own."""

from dataclasses import dataclass

from threespan.bots.bot import Budget, Decision
from threespan.bots.players import Levels
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
