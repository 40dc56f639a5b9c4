"""A match: a position, the events that led to it, and the seed that chance comes from."""

from dataclasses import dataclass, field

from threespan.core.chance import MatchSeed
from threespan.core.game import Game, Position
from threespan.core.options import Options
from threespan.core.rules import CHANCE


@dataclass(frozen=True)
class Event:
    """One action that was played, in its text form."""

    seat: int
    action_text: str


@dataclass
class Match:
    """A match in progress or finished. Its state is always the fold of its events."""

    position: Position
    seed: MatchSeed
    names: list[str]
    events: list[Event] = field(default_factory=list)
    draws: int = 0  # how many of the events are actions of chance
    resigned: list[int] = field(default_factory=list)  # in the order in which they resigned

    @classmethod
    def new(cls, game: Game, options: Options, seed: MatchSeed, names: list[str] | None = None) -> "Match":
        """Start a match; if chance acts first, it does so at once."""
        match = cls(game.start(options), seed, names or [f"seat {seat}" for seat in range(options.players)])
        match.let_chance_act()
        return match

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    @property
    def is_decided(self) -> bool:
        """Whether resignations have ended the match: only one seat is left, or none in a solo match."""
        return bool(self.resigned) and len(self.position.seats) - len(self.resigned) <= 1

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, by the rules or by resignations."""
        return self.is_decided or self.position.is_over

    def acting(self) -> list[int]:
        """The seats that may act now, or CHANCE alone; empty when the match is over."""
        return [] if self.is_decided else self.position.acting()

    def resign(self, seat: int) -> None:
        """A seat resigns; `is_over` tells whether the others may play on."""
        assert seat in self.position.seats
        assert seat not in self.resigned
        assert not self.is_over
        self.resigned.append(seat)

    def outcome(self) -> tuple[list[int], list[int]]:
        """Scores and ranks if the match ended now; seats that resigned rank last, the first to resign at the bottom."""
        scores, ranks = self.position.outcome()
        if not self.resigned:
            return scores, ranks
        staying = [rank for seat, rank in enumerate(ranks) if seat not in self.resigned]
        return scores, [
            len(ranks) - self.resigned.index(seat) if seat in self.resigned else 1 + sum(r < rank for r in staying)
            for seat, rank in enumerate(ranks)
        ]

    def play(self, seat: int, action: int) -> None:
        """Play a seat's action and the actions of chance that follow it; raises IllegalAction."""
        self.append(seat, action)
        self.let_chance_act()

    def let_chance_act(self) -> None:
        """Turn cards, roll dice and draw tiles until a seat is to act or the match is over."""
        while self.position.acting() == [CHANCE]:
            self.append(CHANCE, self.chance_action())

    def chance_action(self) -> int:
        """The action of chance that the seed determines."""
        return self.position.draw(self.seed.ticket(self.draws, self.position.tickets()))

    def append(self, seat: int, action: int) -> None:
        """Play a single action of a seat or of CHANCE; raises IllegalAction."""
        action_text = self.game.action_text(self.position.state, action)
        self.position.play(seat, action)
        self.events.append(Event(seat, action_text))
        self.draws += seat == CHANCE

    def replayed_to(self, events: int) -> "Match":
        """The same match after its first `events` events."""
        start = self.game.setup(self.position.options, self.position.material)
        position = Position(self.game, self.position.options, self.position.material, start)
        match = Match(position, self.seed, self.names)
        for event in self.events[:events]:
            match.append(event.seat, self.game.parse_action(position.state, event.action_text))
        return match
