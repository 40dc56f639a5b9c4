"""The interface of bots: an observation and a budget in, a decision with its reasons out."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar

from threespan.core.arguments import ArgumentError, real_number, whole_number
from threespan.core.chance import first_below
from threespan.core.game import Position
from threespan.core.rules import CHANCE


@dataclass(frozen=True)
class Budget:
    """How long a bot may think: seconds or simulations, whichever ends first; None is no limit.

    With a limit of simulations only, a decision depends on nothing but the observation and the seed. Only the search
    uses several threads.
    """

    seconds: float | None = None
    simulations: int | None = None
    threads: int = 1

    def __post_init__(self) -> None:
        """Check the values; raises ArgumentError."""
        if self.seconds is not None:
            real_number("seconds", self.seconds, minimum=0)
        if self.simulations is not None:
            whole_number("simulations", self.simulations, minimum=1)
        whole_number("threads", self.threads, minimum=1)


@dataclass(frozen=True)
class Alternative:
    """An action that was considered: how often it was tried and its value for the seat."""

    action: int
    visits: int
    value: float


@dataclass(frozen=True)
class Decision:
    """What a bot has decided to play.

    `line` starts with the chosen action and continues as far as the bot has planned. Alternatives are sorted, best
    first. Values are points or winning probabilities, as the bot's documentation says.
    """

    action: int
    line: tuple[int, ...] = ()
    value: float = 0.0
    alternatives: tuple[Alternative, ...] = field(default=())
    simulations: int = 0


def acting_seat(seen: Position, seat: int) -> int:
    """Check that a seat is to act (kernels would read arbitrary memory for its actions); raises ArgumentError."""
    number, acting = whole_number("seat", seat), seen.acting()
    if number not in acting or number == CHANCE:
        who = " and ".join(str(other) for other in acting if other != CHANCE)
        raise ArgumentError(f"seat {number} has nothing to decide now; {f'seat {who} has' if who else 'nobody has'}")
    return number


class Bot(ABC):
    """A player that decides on an observation; the same observation, seed and simulations give the same decision."""

    name: ClassVar[str]
    budget: Budget = Budget()

    @abstractmethod
    def decide(self, seen: Position, seat: int, budget: Budget, seed: int) -> Decision:
        """A legal action of `seat`, which is to act in the observation `seen`, with its value and alternatives."""

    def choose(self, seen: Position, seat: int, seed: int) -> int:
        """A legal action of `seat` within the bot's own budget."""
        return self.decide(seen, seat, self.budget, seed).action


class RandomBot(Bot):
    """Chooses a legal action uniformly at random."""

    name = "random"

    def decide(self, seen: Position, seat: int, budget: Budget, seed: int) -> Decision:  # noqa: ARG002
        """A random legal action."""
        actions = seen.legal(acting_seat(seen, seat))
        return Decision(actions[first_below(seed, len(actions))])
