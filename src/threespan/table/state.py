"""The state of a table: a fold of its charter and events, so the same events always give the same state."""

from collections.abc import Iterable
from typing import NamedTuple

from threespan.bots.names import AUTOPILOT
from threespan.core.chance import MatchSeed
from threespan.core.game import Game
from threespan.core.match import Match
from threespan.core.rules import CHANCE, WATCHER
from threespan.core.words import DEFAULT_LANGUAGE, Language
from threespan.table.events import (
    Acted,
    Charter,
    Ended,
    EventRow,
    Joined,
    Rematched,
    Replaced,
    Resigned,
    TableEvent,
    TimedOut,
    UndoAnswered,
    Undone,
    UndoRequested,
    decode_event,
    encode,
)
from threespan.table.match_setup import match_setup
from threespan.table.messages.shared import Status
from threespan.table.plays import ActionResult, Checkpoint, Play, play_action
from threespan.table.refusals import WORDS, Refusal
from threespan.table.streams import NoticeStream, PlayedAction


class UndoRights(NamedTuple):
    """What a seat may do about its last actions: undo them by itself or, if not, ask the others to allow it."""

    may_undo: bool
    may_request: bool


class TableState:
    """A table after all its events so far."""

    def __init__(self, charter: Charter) -> None:
        """A table without events."""
        self.charter = charter
        self.match_setup = match_setup(charter)
        first = self.match_setup.position
        self.game: Game = first.game
        self.options = first.options
        self.material = first.material  # one object shared by all tables that use it
        self.seed = MatchSeed(bytes.fromhex(charter.secret), bytes.fromhex(charter.salt))
        self.commitment = self.seed.commitment
        self.sequence = -1  # of the last event
        self.last_at = 0
        self.match: Match | None = None
        self.start_sequence = -1  # of the event that started the match
        self.played: list[PlayedAction] = []  # without those that were undone
        self.names = [seat.name or seat.level for seat in charter.seats]  # empty for people without a name
        self.shares: dict[int, str] = {}  # by the first seat of each group that joined together
        self.joined = {seat for seat, setup in enumerate(charter.seats) if setup.is_bot}
        self.stand_ins: dict[int, str] = {}  # levels of the bots that play for people, by seat
        self.autopilot: set[int] = set()  # seats whose clock ran out: a bot finishes their turn
        self.assisted: set[int] = set()  # people's seats for which a bot has played, or was asked to
        self.is_ended = False
        self.undo_request: int | None = None  # the seat that asks the others to let it undo its last turn
        self.accepted: set[int] = set()  # seats that have agreed to it
        self.rematch = ""  # the table at which the same people play again
        self.requests: set[str] = set()  # keys of the messages that have been carried out
        self.acting_since: dict[int, int] = {}  # when it became each seat's turn, in ms
        self.streams = {viewer: NoticeStream() for viewer in (WATCHER, *self.seats)}
        self._names_in: dict[Language, list[str]] = {}  # until somebody else joins
        here = [seat for seat, setup in enumerate(charter.seats) if setup.kind == "here"]
        self._sharing_device = here if len(here) > 1 else []
        self._checkpoint: Checkpoint | None = None
        self._played_at_checkpoint = 0

    @classmethod
    def from_rows(cls, charter: Charter, rows: Iterable[EventRow]) -> "TableState":
        """The state of a table from everything that is stored of it."""
        state = cls(charter)
        for row in rows:
            state.apply_row(row)
        return state

    @property
    def seats(self) -> range:
        """The seats of the table."""
        return range(len(self.charter.seats))

    @property
    def status(self) -> Status:
        """Whether the match has started, and whether it is over."""
        if self.match is None:
            return "gathering"
        return "playing" if self.acting_since else "over"

    def acting(self) -> list[int]:
        """The seats that may act now."""
        return list(self.acting_since)

    @property
    def resigned(self) -> list[int]:
        """The seats that have resigned, in that order."""
        return self.match.resigned if self.match else []

    def people(self) -> list[int]:
        """The seats that are played by people now."""
        gone = {*self.stand_ins, *self.resigned}
        return [seat for seat, setup in enumerate(self.charter.seats) if not setup.is_bot and seat not in gone]

    # Applying events

    def rows_for(self, events: list[TableEvent], at: int, request: str | None = None) -> list[EventRow]:
        """The rows to store for events that happen next, at a time in ms."""
        first = self.sequence + 1
        rows = [EventRow(first + index, at, None, encode(event)) for index, event in enumerate(events)]
        rows[0] = rows[0]._replace(request=request)
        return rows

    def apply_row(self, row: EventRow, event: TableEvent | None = None) -> None:
        """Apply the next stored event; `event` saves decoding it again."""
        self._advance_to(row)
        self._apply(event or decode_event(row.body))

    def apply_play(self, rows: list[EventRow], play: Play) -> None:
        """Apply a stored play that was made from this very state, without playing its actions again."""
        match = self._started_match()
        for row, result in zip(rows, play.results, strict=True):
            self._advance_to(row)
            self._apply_result(result)
        match.position, match.draws = play.match.position, play.match.draws
        match.events += play.match.events

    def _advance_to(self, row: EventRow) -> None:
        assert row.sequence == self.sequence + 1, "events must come in order, each once"
        self.sequence, self.last_at = row.sequence, row.at
        if row.request is not None:
            self.requests.add(row.request)

    def _apply(self, event: TableEvent) -> None:
        match event:
            case Acted(seat=seat, action_text=action_text):
                self._act(seat, action_text)
            case Joined():
                self._join(event)
            case Undone(seat=seat, indices=indices):
                self._undo(seat, indices)
            case UndoRequested(seat=seat):
                self.undo_request, self.accepted = seat, set()
            case UndoAnswered(seat=seat, accepts=accepts):
                self.accepted.add(seat)
                if not accepts:
                    self.undo_request = None
            case Replaced(seat=seat, level=level):
                self.stand_ins.pop(seat, None)
                if level:
                    self.stand_ins[seat] = level
                    self.assisted.add(seat)
            case TimedOut(seat=seat):
                self.autopilot.add(seat)
                self.assisted.add(seat)
            case Resigned(seat=seat):
                self._resign(seat)
            case Ended():
                self.is_ended, self.undo_request = True, None
                self._set_acting([])
            case Rematched(table=table):
                self.rematch = table

    def _join(self, event: Joined) -> None:
        for seat in event.seats:
            self.names[seat] = event.name or self.names[seat]
            self.joined.add(seat)
        self._names_in.clear()
        self.shares[event.seats[0]] = event.share
        if len(self.joined) == len(self.seats):
            self.match, self.start_sequence = self.new_match(self.shares), self.sequence
            self._checkpoint, self._played_at_checkpoint = Checkpoint(self.match.position.copy(), 0), 0
            self._set_acting(self.match.position.acting())

    def new_match(self, shares: dict[int, str]) -> Match:
        """The match before its first action, seeded with the shares of everybody who joined."""
        share_bytes = tuple(bytes.fromhex(share) for _, share in sorted(shares.items()))
        seed = MatchSeed(self.seed.secret, self.seed.salt, share_bytes)
        return Match(self.match_setup.position.copy(), seed, self.names_in(DEFAULT_LANGUAGE))

    def ordered_shares(self) -> list[str]:
        """The shares of everybody who joined, by seat."""
        return [share for _, share in sorted(self.shares.items())]

    def _act(self, seat: int, action_text: str) -> None:
        match = self._started_match()
        action = self.game.parse_action(match.position.state, action_text)
        self._apply_result(play_action(match, seat, action, self.streams))

    def _apply_result(self, result: ActionResult) -> None:
        """Add an action to the streams of those who may know it, and move on to who acts next."""
        self.played.append(result.played)
        for viewer, stream in self.streams.items():
            if result.played.was_seen_by(viewer):
                stream.add(result.played.entry, self.sequence)
            else:
                stream.held_back.append(result.played.entry)
        if result.reveals:
            for stream in self.streams.values():
                stream.release_held_back(self.sequence)
        if result.checkpoint is not None:
            self._checkpoint, self._played_at_checkpoint = result.checkpoint, len(self.played)
        self.undo_request = None
        self._set_acting(result.acting)

    def _undo(self, seat: int, indices: tuple[int, ...]) -> None:
        match, start, kept = self._started_match(), self._checkpoint, self._played_at_checkpoint
        assert start is not None
        undone = [self.played[index] for index in indices]
        rest = [played for index, played in enumerate(self.played) if index not in indices]
        match.position, match.draws = start.position.copy(), start.draws
        del match.events[kept:]
        for played in rest[kept:]:
            match.append(played.seat, self.game.parse_action(match.position.state, played.entry.action_text))
        self.played = rest
        for viewer, stream in self.streams.items():
            stream.undo(seat, undone, viewer, self.sequence)
        self.undo_request = None
        self._set_acting(match.position.acting())

    def _resign(self, seat: int) -> None:
        match = self._started_match()
        match.resign(seat)
        self.assisted.add(seat)
        self.undo_request = None
        if match.is_decided:
            self._set_acting([])

    def _set_acting(self, acting: list[int]) -> None:
        """Start the clocks of the seats that act now; the autopilot ends with the turn."""
        self.acting_since = {seat: self.acting_since.get(seat, self.last_at) for seat in acting if seat != CHANCE}
        self.autopilot &= self.acting_since.keys()

    def _started_match(self) -> Match:
        assert self.match is not None
        return self.match

    # Queries

    def running_match(self) -> Match:
        """The match while it is being played; raises Refusal."""
        if self.match is None:
            raise Refusal("not_begun")
        if not self.acting_since:
            raise Refusal("is_over")
        return self.match

    def check_running(self) -> None:
        """Refuse if the match has not begun or is over; raises Refusal."""
        self.running_match()

    def finished_match(self) -> Match:
        """The match once it is over and nothing is hidden any more; raises Refusal."""
        if self.match is None or self.acting_since:
            raise Refusal("not_over")
        return self.match

    def names_in(self, language: Language) -> list[str]:
        """The names of the seats; people without a name are called guests."""
        names = self._names_in.get(language)
        if names is None:
            guests = [WORDS.text("guest", language, number=seat + 1) for seat in self.seats]
            names = [name or guest for name, guest in zip(self.names, guests, strict=True)]
            self._names_in[language] = names
        return names

    def addressed_seat(self, viewer: int) -> int:
        """The seat that is called "you" for a viewer, or WATCHER for none: people who share a device all have names."""
        return WATCHER if viewer in self._sharing_device else viewer

    def bot_for(self, seat: int) -> str | None:
        """The level of the bot that plays a seat now, or None."""
        if self.charter.seats[seat].is_bot:
            return self.charter.seats[seat].level
        if seat in self.autopilot or seat in self.resigned:
            return AUTOPILOT
        return self.stand_ins.get(seat)

    def bots_to_move(self) -> list[int]:
        """The seats for which a bot is to act now."""
        return [seat for seat in self.acting_since if self.bot_for(seat) is not None]

    def deadline(self, seat: int) -> int | None:
        """When the clock of a seat runs out, in ms, or None."""
        if not self.charter.clock or seat not in self.acting_since or self.bot_for(seat) is not None:
            return None
        return self.acting_since[seat] + 1000 * self.charter.clock

    def wake_at(self) -> int | None:
        """When the server has to act for the table: at once for a bot, later for a clock, or None."""
        if self.bots_to_move():
            return self.last_at
        deadlines = [deadline for seat in self.acting_since if (deadline := self.deadline(seat)) is not None]
        return min(deadlines, default=None)

    def undoable(self, seat: int) -> tuple[int, ...]:
        """The indices in `played` of a seat's last actions, up to the last thing that was revealed to it."""
        indices: list[int] = []
        for index in range(len(self.played) - 1, -1, -1):
            played = self.played[index]
            if played.is_final or (played.seat != seat and played.was_seen_by(seat)):
                break
            if played.seat == seat:
                indices.append(index)
        return tuple(reversed(indices)) if self.acting_since else ()

    def undo_rights(self, seat: int) -> UndoRights:
        """What a seat may do about its last actions."""
        indices = self.undoable(seat)
        if not indices or seat in self.resigned:
            return UndoRights(False, False)
        may_undo = seat in self.acting_since or not self._was_seen(seat, indices)
        return UndoRights(may_undo, not may_undo and any(other != seat for other in self.people()))

    def _was_seen(self, seat: int, indices: tuple[int, ...]) -> bool:
        """Whether anybody else has seen any of these actions of a seat."""
        return any(self.played[index].was_seen_by(other) for index in indices for other in self.seats if other != seat)
