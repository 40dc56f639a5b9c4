"""What follows from a table's charter and events. No clock, no disk, no network: the same events give the same course.

Every viewer (a seat, or WATCHER) has a stream of notices: what happened, as far as this viewer may know. Streams, not
the stored sequence, are what clients count: how often others have acted unseen must not show in any number.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import msgspec

from threespan.core.chance import MatchSeed
from threespan.core.errors import UserError
from threespan.core.game import Game, Position
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.registry import find_game
from threespan.core.rules import CHANCE, WATCHER
from threespan.server.events import (
    Acted,
    Answered,
    Charter,
    Joined,
    Offered,
    Rematched,
    Replaced,
    TableEvent,
    TimedOut,
    TookBack,
)
from threespan.server.protocol import Notice, Status, encode_message
from threespan.server.store import EventRow
from threespan.server.words import Refusal

_KEPT_BEGINNINGS = 64
AUTOPILOT = "easy"  # plays a turn to its end when the clock has run out


@dataclass(slots=True)
class Stream:
    """What a viewer has been told, with the sequence of the event that told it; and what is held back for now."""

    notices: list[Notice] = field(default_factory=list)
    sequences: list[int] = field(default_factory=list)
    held: list[Notice] = field(default_factory=list)

    def tell(self, notice: Notice, sequence: int) -> None:
        """Add a notice."""
        self.notices.append(notice)
        self.sequences.append(sequence)


class Act(NamedTuple):
    """An action that stands, and the viewers who saw it happen (bit 0 is the WATCHER, bit n + 1 is seat n)."""

    seat: int
    notice: Notice
    seen_by: int

    def was_seen_by(self, viewer: int) -> bool:
        """Whether a viewer saw it."""
        return bool(self.seen_by >> (viewer + 1) & 1)


class Checkpoint(NamedTuple):
    """The match after an act of chance; nothing before it can be taken back."""

    position: Position
    draws: int


class Step(NamedTuple):
    """An act and what it led to: whether everything hidden is open now, and who acts next."""

    act: Act
    reveals: bool
    acting: list[int]
    checkpoint: Checkpoint | None


@dataclass
class Play:
    """What a seat wants to play and what chance does after it, carried out on a copy of the match."""

    match: Match
    steps: list[Step] = field(default_factory=list)

    def events(self) -> list[TableEvent]:
        """What is to be stored."""
        return [Acted(step.act.seat, step.act.notice.do) for step in self.steps]


class Beginning(NamedTuple):
    """The position before the first action, to be copied, and what a page draws once. Most tables share one."""

    position: Position
    scene: bytes


@lru_cache(_KEPT_BEGINNINGS)
def _set_up(encoded: bytes) -> Beginning:
    game_code, values, material = msgspec.json.decode(encoded)
    game = find_game(game_code)
    options = read_options(game.options, values)
    position = Position(game, options, material, game.setup(options, material))
    return Beginning(position, encode_message(game.scene(position.state, material)))


def beginning_of(charter: Charter) -> Beginning:
    """How a match by a charter begins; raises UserError for material that cannot be played."""
    return _set_up(msgspec.json.encode((charter.game, charter.options, charter.material)))


class Course:
    """A table as its events have left it."""

    def __init__(self, charter: Charter) -> None:
        """A table at which nothing has happened."""
        self.charter = charter
        first = beginning_of(charter).position
        self.game: Game = first.game
        self._shows_ways = type(self.game).show is not Game.show  # told to whoever sees an action
        self.options = first.options
        self.material = first.material  # the same object for all tables that play with it
        self.seed = MatchSeed(bytes.fromhex(charter.secret), bytes.fromhex(charter.salt))
        self.commitment = self.seed.commitment
        self.sequence = -1  # of the last event
        self.last_at = 0
        self.match: Match | None = None
        self.acts: list[Act] = []
        self.names = [seat.name or seat.level for seat in charter.seats]
        self.shares: dict[int, str] = {}  # by the first seat of those who joined together
        self.joined = {seat for seat, plan in enumerate(charter.seats) if plan.is_bot}
        self.stand_ins: dict[int, str] = {}
        self.autopilot: set[int] = set()
        self.offer: int | None = None
        self.accepted: set[int] = set()
        self.rematch = ""
        self.requests: set[str] = set()
        self.acting_since: dict[int, int] = {}
        self.streams = {viewer: Stream() for viewer in (WATCHER, *self.seats)}
        self._checkpoint: Checkpoint | None = None  # with the number of acts before it
        self._checkpoint_acts = 0

    @property
    def seats(self) -> range:
        """The seats of the table."""
        return range(len(self.charter.seats))

    @property
    def status(self) -> Status:
        """Whether the match has begun and ended."""
        if self.match is None:
            return "gathering"
        return "playing" if self.acting_since else "over"

    def acting(self) -> list[int]:
        """The seats that may act now."""
        return list(self.acting_since)

    def people(self) -> list[int]:
        """The seats that persons play now."""
        return [seat for seat, plan in enumerate(self.charter.seats) if not plan.is_bot and seat not in self.stand_ins]

    # Folding

    def add_row(self, row: EventRow, event: TableEvent) -> None:
        """Go on by one stored event."""
        self._note_row(row)
        self._add(event)

    def _note_row(self, row: EventRow) -> None:
        assert row.sequence == self.sequence + 1, "events must come in order, each once"
        self.sequence, self.last_at = row.sequence, row.at
        if row.request is not None:
            self.requests.add(row.request)

    def _add(self, event: TableEvent) -> None:
        match event:
            case Acted(seat=seat, do=do):
                self._act(seat, do)
            case Joined(seats=seats, name=name, share=share):
                self._join(seats, name, share)
            case TookBack(seat=seat, acts=acts):
                self._take_back(seat, acts)
            case Offered(seat=seat):
                self.offer, self.accepted = seat, set()
            case Answered(seat=seat, accepts=accepts):
                self.accepted.add(seat)
                if not accepts:
                    self.offer = None
            case Replaced(seat=seat, level=level):
                self.stand_ins.pop(seat, None)
                if level:
                    self.stand_ins[seat] = level
            case TimedOut(seat=seat):
                self.autopilot.add(seat)
            case Rematched(table=table):
                self.rematch = table

    def _join(self, seats: tuple[int, ...], name: str, share: str) -> None:
        for seat in seats:
            self.names[seat] = name or self.names[seat] or f"#{seat + 1}"
            self.joined.add(seat)
        self.shares[seats[0]] = share
        if self.is_complete:
            self.match = self._begin(self.shares)
            self._checkpoint, self._checkpoint_acts = Checkpoint(self.match.position.copy(), 0), 0
            self._note_acting(self.match.position.acting())

    @property
    def is_complete(self) -> bool:
        """Whether nobody is missing."""
        return len(self.joined) == len(self.charter.seats)

    def _begin(self, shares: dict[int, str]) -> Match:
        thrown_in = tuple(bytes.fromhex(share) for _, share in sorted(shares.items()))
        seed = MatchSeed(self.seed.secret, self.seed.salt, thrown_in)
        return Match(beginning_of(self.charter).position.copy(), seed, list(self.names))

    def ordered_shares(self) -> list[str]:
        """What those who joined have thrown in, by seat."""
        return [share for _, share in sorted(self.shares.items())]

    def _act(self, seat: int, do: str) -> None:
        match = self._playing()
        self._note(self._carry_out(match, seat, self.game.parse_action(match.position.state, do)))

    def _carry_out(self, match: Match, seat: int, action: int) -> Step:
        """Do something in a match, and say who saw it and what it led to."""
        position, seen_by = match.position, 0
        for viewer in self.streams:
            if self.game.sees(position.state, seat, action, viewer):
                seen_by |= 1 << (viewer + 1)
        before = position.copy() if self._shows_ways and seat != CHANCE else None
        match.append(seat, action)
        way = self.game.show(before.state, seat, action) if before is not None else []
        act = Act(seat, Notice(seat, match.events[-1].text, way=way), seen_by)
        checkpoint = Checkpoint(position.copy(), match.draws) if seat == CHANCE else None
        return Step(act, self.game.reveals(position.state), position.acting(), checkpoint)

    def _note(self, step: Step) -> None:
        """Tell everybody of something that has happened, as far as they may know."""
        self.acts.append(step.act)
        for viewer, stream in self.streams.items():
            if step.act.was_seen_by(viewer):
                stream.tell(step.act.notice, self.sequence)
            else:
                stream.held.append(step.act.notice)
        if step.reveals:
            self._tell_held()
        if step.checkpoint is not None:
            self._checkpoint, self._checkpoint_acts = step.checkpoint, len(self.acts)
        self.offer = None
        self._note_acting(step.acting)

    def adopt(self, rows: list[EventRow], play: "Play") -> None:
        """Go on by a play of this very course that has been stored."""
        match = self._playing()
        for row, step in zip(rows, play.steps, strict=True):
            self._note_row(row)
            self._note(step)
        match.position, match.draws = play.match.position, play.match.draws
        match.events += play.match.events

    def _tell_held(self) -> None:
        """Tell everybody what was held back, seat by seat: the order in which they acted stays unknown."""
        for stream in self.streams.values():
            for notice in sorted(stream.held, key=lambda held: held.seat):
                stream.tell(notice, self.sequence)
            stream.held.clear()

    def _take_back(self, seat: int, acts: tuple[int, ...]) -> None:
        match, start, kept = self._playing(), self._checkpoint, self._checkpoint_acts
        assert start is not None
        gone = [self.acts[index] for index in acts]
        rest = [act for index, act in enumerate(self.acts) if index not in acts]
        match.position, match.draws = start.position.copy(), start.draws
        del match.events[kept:]
        for act in rest[kept:]:
            match.append(act.seat, self.game.parse_action(match.position.state, act.notice.do))
        self.acts = rest
        for viewer, stream in self.streams.items():
            seen = [act.notice for act in gone if act.was_seen_by(viewer)]
            if seen:
                stream.tell(Notice(seat, "", len(seen)), self.sequence)
            unseen = [id(act.notice) for act in gone if not act.was_seen_by(viewer)]
            stream.held = [notice for notice in stream.held if id(notice) not in unseen]
        self.offer = None
        self._note_acting(match.position.acting())

    def _note_acting(self, acting: list[int]) -> None:
        """Whose clock runs, and since when; a turn that has ended needs no autopilot any more."""
        self.acting_since = {seat: self.acting_since.get(seat, self.last_at) for seat in acting if seat != CHANCE}
        self.autopilot &= self.acting_since.keys()

    def _playing(self) -> Match:
        assert self.match is not None
        return self.match

    # Questions

    def running(self) -> Match:
        """The match that is being played; raises Refusal."""
        if self.match is None:
            raise Refusal("not_begun")
        if not self.acting_since:
            raise Refusal("is_over")
        return self.match

    def bot_for(self, seat: int) -> str | None:
        """The level of the bot that plays a seat now, if one does."""
        if self.charter.seats[seat].is_bot:
            return self.charter.seats[seat].level
        return AUTOPILOT if seat in self.autopilot else self.stand_ins.get(seat)

    def bots_to_move(self) -> list[int]:
        """The seats for which a bot has to act."""
        return [seat for seat in self.acting_since if self.bot_for(seat) is not None]

    def deadline(self, seat: int) -> int | None:
        """When the clock of a seat runs out."""
        if not self.charter.clock or seat not in self.acting_since or self.bot_for(seat) is not None:
            return None
        return self.acting_since[seat] + 1000 * self.charter.clock

    def wake_at(self) -> int | None:
        """When somebody has to look after the table: now for a bot, later for a clock, never."""
        if self.bots_to_move():
            return self.last_at
        deadlines = [deadline for seat in self.acting_since if (deadline := self.deadline(seat)) is not None]
        return min(deadlines, default=None)

    def takeable_acts(self, seat: int) -> tuple[int, ...]:
        """The last acts of a seat before which nothing was revealed to it."""
        acts: list[int] = []
        for index in range(len(self.acts) - 1, -1, -1):
            act = self.acts[index]
            if act.seat == seat:
                acts.append(index)
            elif act.seat == CHANCE or act.was_seen_by(seat):
                break
        return tuple(reversed(acts)) if self.acting_since else ()

    def may_take_back(self, seat: int) -> tuple[bool, bool]:
        """Whether a seat may take back its last acts by itself, and else whether it may ask the others."""
        acts = self.takeable_acts(seat)
        if not acts:
            return False, False
        alone = seat in self.acting_since or not self._was_seen(seat, acts)
        return alone, not alone and any(other != seat for other in self.people())

    def _was_seen(self, seat: int, acts: tuple[int, ...]) -> bool:
        """Whether anybody else has seen some of a seat's acts."""
        return any(self.acts[index].was_seen_by(other) for index in acts for other in self.seats if other != seat)

    # Planning: what would be stored

    def begin_events(self, joined: Joined) -> list[TableEvent]:
        """What chance does at once if the match begins when these people join."""
        if len(self.joined | set(joined.seats)) < len(self.charter.seats):
            return []
        shares = self.shares | {joined.seats[0]: joined.share}
        trial = self._begin(shares)
        trial.let_chance_act()
        return [Acted(event.seat, event.text) for event in trial.events]

    def play(self, seat: int, actions: list[str]) -> Play:
        """A seat's actions and those of chance after them; raises Refusal, or StepRefused for one of the actions."""
        match = self.running()
        trial = Match(match.position.copy(), match.seed, match.names, [], match.draws)
        play = Play(trial)
        for number, text in enumerate(actions):
            acting = play.steps[-1].acting if play.steps else [seat]
            if seat not in acting:
                raise StepRefused(number, Refusal("too_far" if acting == [CHANCE] else "not_now"))
            try:
                action = self.game.parse_action(trial.position.state, text)
                play.steps.append(self._carry_out(trial, seat, action))
            except UserError as reason:
                raise StepRefused(number, reason) from None
        while play.steps[-1].acting == [CHANCE]:
            play.steps.append(self._carry_out(trial, CHANCE, trial.chance_action()))
        return play


class StepRefused(Exception):
    """One of several steps cannot be played."""

    def __init__(self, step: int, reason: Exception) -> None:
        """Refuse a step for a reason."""
        super().__init__(str(reason))
        self.step, self.reason = step, reason
