"""What a bot is, and which ones there are."""

from abc import ABC, abstractmethod
from typing import ClassVar

from threespan.core.chance import below, new_rng
from threespan.core.errors import UserError
from threespan.core.game import Position


class UnknownBot(UserError):
    """There is no bot of that name."""


class Bot(ABC):
    """A player that chooses from an observation; the same observation and seed give the same choice."""

    name: ClassVar[str]

    @abstractmethod
    def choose(self, seen: Position, seat: int, seed: int) -> int:
        """A legal action of `seat`, which acts in the observation `seen`."""


class RandomBot(Bot):
    """Chooses evenly among the legal actions."""

    name = "random"

    def choose(self, seen: Position, seat: int, seed: int) -> int:
        """Any legal action."""
        actions = seen.legal(seat)
        return actions[below(new_rng(seed), len(actions))]


_BOTS: dict[str, Bot] = {bot.name: bot for bot in (RandomBot(),)}


def bot_names() -> list[str]:
    """The names of all bots."""
    return list(_BOTS)


def find_bot(name: str) -> Bot:
    """The bot of a name."""
    if name not in _BOTS:
        raise UnknownBot(f"there is no bot '{name}'; there are {', '.join(_BOTS)}")
    return _BOTS[name]
