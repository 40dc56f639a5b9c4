"""A match: a position, the events that led to it, and the seed that chance comes from."""

from dataclasses import dataclass, field

from threespan.core.chance import MatchSeed
from threespan.core.game import Game, Position
from threespan.core.options import Options
from threespan.core.rules import CHANCE


@dataclass(frozen=True)
class Event:
    """One action in its text form."""

    seat: int
    text: str


@dataclass
class Match:
    """A match in progress or finished. Its state is always the fold of its events."""

    position: Position
    seed: MatchSeed
    names: list[str]
    events: list[Event] = field(default_factory=list)
    draws: int = 0  # how many of the events are chance's

    @classmethod
    def new(cls, game: Game, options: Options, seed: MatchSeed, names: list[str] | None = None) -> "Match":
        """Begin a match; chance acts at once where it comes first."""
        match = cls(game.start(options), seed, names or [f"seat {seat}" for seat in range(options.players)])
        match.let_chance_act()
        return match

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.position.game

    def play(self, seat: int, action: int) -> None:
        """Carry out a seat's action and whatever chance does next; raises IllegalAction."""
        self.append(seat, action)
        self.let_chance_act()

    def let_chance_act(self) -> None:
        """Turn cards, roll dice, draw tiles until a seat acts or the match is over."""
        while self.position.acting() == [CHANCE]:
            self.append(CHANCE, self.chance_action())

    def chance_action(self) -> int:
        """What the seed says chance does now."""
        return self.position.draw(self.seed.ticket(self.draws, self.position.tickets()))

    def append(self, seat: int, action: int) -> None:
        """Carry out one action of a seat or of CHANCE, and nothing more; raises IllegalAction."""
        text = self.game.action_text(self.position.state, action)
        self.position.play(seat, action)
        self.events.append(Event(seat, text))
        self.draws += seat == CHANCE

    def replayed_to(self, events: int) -> "Match":
        """The same match after its first so many events."""
        start = self.game.setup(self.position.options, self.position.material)
        position = Position(self.game, self.position.options, self.position.material, start)
        match = Match(position, self.seed, self.names)
        for event in self.events[:events]:
            match.append(event.seat, self.game.parse_action(position.state, event.text))
        return match
