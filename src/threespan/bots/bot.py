"""What a bot is: it gets what its seat may know and a budget, and gives a decision with its reasons."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

from threespan.core.chance import below, new_rng
from threespan.core.game import Position


@dataclass(frozen=True)
class Budget:
    """How much a bot may think: seconds or simulations, whichever ends first; None is no limit.

    With a limit of simulations alone, a decision depends on the observation and the seed only.
    """

    seconds: float | None = None
    simulations: int | None = None
    threads: int = 1


@dataclass(frozen=True)
class Alternative:
    """An action that was considered: how often it was tried and what it is worth to the seat."""

    action: int
    visits: int
    value: float


@dataclass(frozen=True)
class Decision:
    """What a bot wants to do.

    `line` begins with the chosen action and goes on as far as the bot has planned; the alternatives are sorted, best
    first. Values are in the game's points, or shares of a win, as the bot's description says.
    """

    action: int
    line: tuple[int, ...] = ()
    value: float = 0.0
    alternatives: tuple[Alternative, ...] = field(default=())
    simulations: int = 0


class Bot(ABC):
    """A player that chooses from an observation; the same observation, seed and simulations give the same choice."""

    name: ClassVar[str]
    budget: Budget = Budget()

    @abstractmethod
    def decide(self, seen: Position, seat: int, budget: Budget, seed: int) -> Decision:
        """A legal action of `seat`, which acts in the observation `seen`, with what speaks for it."""

    def choose(self, seen: Position, seat: int, seed: int) -> int:
        """A legal action of `seat` within the bot's own budget."""
        return self.decide(seen, seat, self.budget, seed).action


class RandomBot(Bot):
    """Chooses evenly among the legal actions."""

    name = "random"

    def decide(self, seen: Position, seat: int, budget: Budget, seed: int) -> Decision:  # noqa: ARG002
        """Any legal action."""
        actions = seen.legal(seat)
        return Decision(actions[below(new_rng(seed), len(actions))])
