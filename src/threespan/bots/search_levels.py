"""Levels of play by search: what a level is, and the levels of games that nobody has tuned any for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from threespan.bots.bot import Bot, Budget, Decision
from threespan.bots.search import Memory, Style, glance, search
from threespan.core.game import Position

DEFAULT_STYLE = Style()


@dataclass(frozen=True)
class Level:
    """How strong to play: with a budget by search, without one at first sight, overlooking some of the actions.

    With a memory, a search goes on with what the decision before in the same turn has found out.
    """

    budget: Budget | None = None
    style: Style = DEFAULT_STYLE
    overlooked: float = 0.0
    memory: Memory | None = None

    def decide(self, seen: Position, seat: int, budget: Budget | None, seed: int) -> Decision:
        """A decision within a budget, by default the level's own."""
        if self.budget is None:
            return glance(seen, seat, self.overlooked, seed)
        return search(seen, seat, budget or self.budget, seed, self.style, self.memory)


class Player(Protocol):
    """What plays one game at one level."""

    def decide(self, seen: Position, seat: int, budget: Budget | None, seed: int) -> Decision:
        """A decision within a budget, by default the level's own."""
        ...


Levels = Mapping[str, Player]

_PLAIN = Style(guided=False)

# Random rollouts and nothing else: at least it works for every game.
ANY_GAME: Levels = {
    "beginner": Level(Budget(0.05, 16), _PLAIN),
    "easy": Level(Budget(0.1, 100), _PLAIN),
    "medium": Level(Budget(0.3, 500), _PLAIN),
    "hard": Level(Budget(1.0, 2500), _PLAIN),
    "expert": Level(Budget(2.0, 10000), _PLAIN),
}


class LevelBot(Bot):
    """Plays every game at one level: as the game's table says, or by plain search. Values are shares of a win."""

    def __init__(self, level: str, tables: Mapping[str, Levels]) -> None:
        """The bot of a level; `tables` has the levels of each game by its code."""
        self.name = level  # type: ignore[misc] # a bot's name is its class's, but there is one class for all levels
        self._tables = tables

    def level(self, game: str) -> Player:
        """What this bot does in a game."""
        return self._tables.get(game, ANY_GAME)[self.name]

    def decide(self, seen: Position, seat: int, budget: Budget, seed: int) -> Decision:
        """The level's choice within a budget; one without limits stands for the level's own."""
        is_limited = budget.seconds is not None or budget.simulations is not None
        return self.level(seen.game.code).decide(seen, seat, budget if is_limited else None, seed)
