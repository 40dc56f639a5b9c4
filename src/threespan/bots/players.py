"""Players of one game at one level, and the bots that play every game by asking them."""

from collections.abc import Callable, Mapping
from typing import Protocol

from threespan.bots.bot import Bot, Budget, Decision, acting_seat
from threespan.core.game import Position


class Player(Protocol):
    """Plays one game at one level."""

    def decide(self, seen: Position, seat: int, budget: Budget | None, seed: int) -> Decision:
        """A decision within a budget, by default the level's own."""
        ...


Levels = Mapping[str, Player]


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
