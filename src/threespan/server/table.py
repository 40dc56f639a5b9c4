"""A table in memory: its course, those who are connected, and the one way in which something can happen at it."""

import asyncio
import hashlib
import hmac
from collections.abc import Callable, Iterable

import msgspec

from threespan.core.match import Match
from threespan.core.rulebook import Language
from threespan.core.rules import WATCHER
from threespan.server.bus import Bus, Signal
from threespan.server.connection import Connection
from threespan.server.course import Course, Play, beginning_of
from threespan.server.events import Charter, Joined, TableEvent, TimedOut, decode_event, encode
from threespan.server.logs import LOG
from threespan.server.metrics import COMMIT_SECONDS, EVENTS_STORED
from threespan.server.protocol import VERSION as PROTOCOL
from threespan.server.protocol import (
    Phrase,
    Said,
    SeatInfo,
    Seats,
    TableInfo,
    Update,
    Welcome,
    encode_message,
)
from threespan.server.store import Change, Conflict, EventRow, KeyRow, Store, TableRow, now_ms
from threespan.server.thinking import Question, Thinkers
from threespan.server.viewing import Look, look_at, update_for
from threespan.server.words import Refusal, phrase_text

LEASE_MS = 15_000
PRESENCE_MS = 25_000  # how long another worker's word about its people holds
_TOUCH_MS = 60_000  # how exact the time of the last change in the table's row is

Plan = Callable[[Course], Iterable[TableEvent] | Play]  # what is to happen, from how things stand


def hash_key(key: str) -> bytes:
    """What is stored of a secret."""
    return hashlib.sha256(b"threespan key 1" + key.encode()).digest()


def build_course(charter: Charter, rows: list[EventRow]) -> Course:
    """The course of a table from its stored events."""
    course = Course(charter)
    for row in rows:
        course.add_row(row, decode_event(row.body))
    return course


class LiveTable:
    """A table that somebody is connected to or that a bot plays at."""

    def __init__(
        self, worker: str, store: Store, bus: Bus, thinkers: Thinkers, row: TableRow, course: Course, keys: list[KeyRow]
    ) -> None:
        """Bring a stored table to life."""
        self.id, self.created_at = row.id, row.created_at
        self.course, self.keys = course, keys
        self.connections: set[Connection] = set()
        self.lock = asyncio.Lock()
        self.idle_since = now_ms()
        self.absent_since: dict[int, int] = dict.fromkeys(course.seats, now_ms())
        self._worker, self._store, self._bus, self._thinkers = worker, store, bus, thinkers
        self._stored = (row.status, row.wake_at)
        self._touched_at = row.updated_at
        self._is_unsure = False  # whether the course may be ahead of what is stored, or behind
        self._elsewhere: dict[str, tuple[list[int], int]] = {}
        self._connected: set[int] = set()  # the seats whose people were connected when we looked last
        self._shown: dict[int, int] = {}  # what each viewer has been shown last
        self._shown_seats = self._seats_sign()
        self._bot_task: asyncio.Task[None] | None = None

    # Happening

    async def commit(self, plan: Plan, request: str | None = None) -> None:
        """Let something happen: plan it, store it, and only then tell everybody.

        `plan` may be called again if another worker was faster. A request that is stored already changes nothing.
        Raises whatever the plan raises, and then nothing has happened.
        """
        with COMMIT_SECONDS.time():
            async with self.lock:
                await self.make_sure()
                while request is None or request not in self.course.requests:
                    planned = plan(self.course)
                    if await self._store_planned(planned if isinstance(planned, Play) else list(planned), request):
                        break
                self._tell_all()
        self.run_bots()

    async def _store_planned(self, planned: Play | list[TableEvent], request: str | None) -> bool:
        """Store and fold what was planned; false if others have stored something first, which is folded instead."""
        events = planned.events() if isinstance(planned, Play) else planned
        if not events:
            return True
        at = max(now_ms(), self.course.last_at)
        first = self.course.sequence + 1
        rows = [EventRow(first + index, at, None, encode(event)) for index, event in enumerate(events)]
        rows[0] = rows[0]._replace(request=request)
        try:
            # The course goes ahead, but under the lock nobody sees it before it is stored.
            if isinstance(planned, Play):
                self.course.adopt(rows, planned)
            else:
                for row, event in zip(rows, events, strict=True):
                    self.course.add_row(row, event)
            await self._store.append(self.id, rows, self._change(at))
        except Conflict:
            await self._start_over()
            return False
        except BaseException:
            await self._start_over()
            raise
        EVENTS_STORED.inc(len(rows))
        self._bus.send(Signal(self._worker, self.id, self.course.sequence))
        return True

    def _change(self, at: int) -> Change | None:
        status, wake_at = self.course.status, self.course.wake_at()
        if (status, wake_at) == self._stored and at - self._touched_at < _TOUCH_MS:
            return None
        self._stored, self._touched_at = (status, wake_at), at
        if self.course.bots_to_move() and self._thinkers.processes:
            return Change(status, wake_at, self._worker, at + LEASE_MS)
        return Change(status, wake_at)

    async def make_sure(self) -> None:
        """Let the course be what is stored, if storing has failed; to be called under the lock, before it is used."""
        if self._is_unsure:
            await self._start_over()

    async def _start_over(self) -> None:
        """Forget what was not stored and learn what others have stored."""
        self._is_unsure = True  # and stays so if the database cannot be reached
        self._stored = ("", None)
        rows = await self._store.events(self.id)
        self.course = await asyncio.to_thread(build_course, self.course.charter, rows)
        self._is_unsure = False

    async def catch_up(self) -> None:
        """Learn what other workers have stored, and tell everybody here."""
        async with self.lock:
            await self.make_sure()
            rows = await self._store.events(self.id, self.course.sequence)
            for row in rows:
                self.course.add_row(row, decode_event(row.body))
            if rows:
                self._stored = ("", None)
                self._tell_all()

    # Telling

    async def welcome(self, connection: Connection, have: int) -> None:
        """Tell a new connection everything."""
        async with self.lock:
            await self.make_sure()
            self.connections.add(connection)
            update = self._update(connection.viewer, connection.language, have) if self.course.match else None
            connection.have = update.have if update else 0
            connection.send(
                Welcome(
                    version=PROTOCOL,
                    table=self.info(),
                    own_seats=list(connection.seats),
                    scene=msgspec.Raw(beginning_of(self.course.charter).scene),
                    update=update,
                )
            )
        self._note_presence()

    async def look(self, connection: Connection, viewer: int, language: Language | None, have: int) -> None:
        """Show a connection the table with the eyes of another seat."""
        if viewer != WATCHER and viewer not in connection.seats and self.course.status != "over":
            raise Refusal("not_your_seat")
        async with self.lock:
            await self.make_sure()
            connection.viewer, connection.language = viewer, language or connection.language
            if self.course.match:
                update = self._update(viewer, connection.language, have)
                connection.have = update.have
                connection.send(update)

    def leave(self, connection: Connection) -> None:
        """Forget a connection that has ended."""
        self.connections.discard(connection)
        self.idle_since = now_ms()
        self._note_presence()

    def _update(self, viewer: int, language: Language, have: int) -> Update:
        return update_for(self.course, look_at(self.course, viewer), language, have, now_ms())

    def _tell_all(self) -> None:
        """Send every connection what is new to it; those to whom nothing has changed hear nothing."""
        if self.course.match is None:
            self.tell_seats()
            return
        if self._seats_sign() != self._shown_seats:
            self.tell_seats()
        groups: dict[tuple[int, Language, int], list[Connection]] = {}
        for connection in self.connections:
            groups.setdefault((connection.viewer, connection.language, connection.have), []).append(connection)
        looks: dict[int, Look] = {}
        for viewer, language, have in groups:
            look = looks.get(viewer) or look_at(self.course, viewer)
            looks[viewer] = look
            if look.have == have and self._shown.get(viewer) == look.sign:
                continue
            update = update_for(self.course, look, language, have, now_ms())
            body = encode_message(update)
            for connection in groups[viewer, language, have]:
                connection.have = update.have
                connection.send_bytes(body)
        self._shown = {viewer: look.sign for viewer, look in looks.items()}

    def tell_seats(self) -> None:
        """Send everybody the seats as they are now."""
        self._shown_seats = self._seats_sign()
        body = encode_message(Seats(self.info()))
        for connection in self.connections:
            connection.send_bytes(body)

    def _seats_sign(self) -> tuple[object, ...]:
        """Seats with the same sign have nothing new to tell."""
        course = self.course
        return course.status, *course.names, len(course.joined), *course.stand_ins.items(), course.rematch

    def say(self, seat: int, phrase: Phrase, to_others: bool = True) -> None:
        """Let a seat say something; it is not stored."""
        for connection in self.connections:
            connection.send(Said(seat, phrase, phrase_text(phrase, connection.language)))
        if to_others:
            self._bus.send(Signal(self._worker, self.id, said=(seat, phrase)))

    def info(self) -> TableInfo:
        """The table as everybody may see it."""
        course, charter = self.course, self.course.charter
        connected = self.connected_seats()
        return TableInfo(
            id=self.id,
            game=charter.game,
            options=charter.options,
            status=course.status,
            is_public=charter.is_public,
            clock=charter.clock,
            seats=[
                SeatInfo(
                    plan.kind,
                    course.names[seat],
                    plan.level or course.stand_ins.get(seat, ""),
                    seat in course.joined,
                    seat in connected,
                )
                for seat, plan in enumerate(charter.seats)
            ],
            commitment=course.commitment,
            shares=course.ordered_shares(),
            created_at=self.created_at,
            rematch_of=charter.rematch_of,
            rematch=course.rematch,
            bots_load=not self._thinkers.is_ready,
        )

    # People

    async def seats_of(self, key: str) -> tuple[int, ...]:
        """The seats that a secret opens; raises Refusal."""
        wanted = hash_key(key)
        for _ in range(2):
            for known in self.keys:
                if hmac.compare_digest(known.hash, wanted):
                    return known.seats
            self.keys = await self._store.keys(self.id)  # another worker may have given a key out
        raise Refusal("wrong_key")

    async def join(self, seats: tuple[int, ...], name: str, share: str, request: str) -> None:
        """Sit down; with the last one the match begins."""

        def plan(course: Course) -> Iterable[TableEvent]:
            if set(seats) & course.joined:
                raise Refusal("already_joined")
            joined = Joined(seats, name, share)
            return [joined, *course.begin_events(joined)]

        await self.commit(plan, request)

    def connected_seats(self) -> set[int]:
        """The seats whose people are connected, here or to another worker."""
        now = now_ms()
        seats = {seat for connection in self.connections for seat in connection.seats}
        for elsewhere, until in self._elsewhere.values():
            if until > now:
                seats.update(elsewhere)
        return seats

    def note_elsewhere(self, worker: str, seats: list[int]) -> None:
        """Another worker says whose people are connected to it."""
        is_news = self._elsewhere.get(worker, ([], 0))[1] <= now_ms()
        self._elsewhere[worker] = (seats, now_ms() + PRESENCE_MS)
        if is_news:
            self._send_presence()  # it has not heard of our people either
        self._look_around()

    def refresh_presence(self) -> None:
        """Tell other workers whose people are connected here, and no longer count those of workers that are silent."""
        self._look_around()
        self._send_presence()

    def _look_around(self) -> None:
        if self.connected_seats() != self._connected:
            self._note_absence()
            self.tell_seats()

    def _send_presence(self) -> None:
        seats = sorted({seat for connection in self.connections for seat in connection.seats})
        self._bus.send(Signal(self._worker, self.id, present=seats))

    def _note_presence(self) -> None:
        self._note_absence()
        self.tell_seats()
        if self._bus.is_shared:
            self._send_presence()

    def _note_absence(self) -> None:
        connected = self._connected = self.connected_seats()
        for seat in self.course.seats:
            if seat in connected:
                self.absent_since.pop(seat, None)
            else:
                self.absent_since.setdefault(seat, now_ms())

    # Bots and clocks

    def run_bots(self) -> None:
        """Let bots move, if they have to and nobody has told them yet."""
        is_running = self._bot_task is not None and not self._bot_task.done()
        if self.course.bots_to_move() and self._thinkers.processes and not is_running:
            self._bot_task = asyncio.create_task(self._move_bots())

    @property
    def is_busy(self) -> bool:
        """Whether the table must stay in memory."""
        return bool(self.connections) or (self._bot_task is not None and not self._bot_task.done())

    async def _move_bots(self) -> None:
        try:
            while seats := self.course.bots_to_move():
                await self._move_bot(seats[0])
        except Exception:
            LOG.exception("a bot could not move", extra={"table": self.id})

    async def _move_bot(self, seat: int) -> None:
        sequence = self.course.sequence
        question = self.question(seat, self.course.bot_for(seat) or "")
        steps = await self._think(question)

        def plan(course: Course) -> list[TableEvent] | Play:
            # Others may have acted meanwhile; where that matters to the bot, it thinks again.
            if seat not in course.bots_to_move() or self.question(seat, question.level).seen != question.seen:
                return []
            return course.play(seat, steps)

        await self.commit(plan)
        if self.course.sequence == sequence:
            await asyncio.sleep(0.01)

    def question(self, seat: int, level: str) -> Question:
        """What would a bot of a level do on a seat?"""
        course = self.course
        match = course.running()
        seen = match.position.observe(seat).state.tobytes()
        word = hashlib.sha256(match.seed.secret + seen + seat.to_bytes(1, "big")).digest()
        charter = course.charter
        seed = int.from_bytes(word[:8], "big")
        return Question(charter.game, charter.options, charter.material, seen, seat, level, seed)

    async def _think(self, question: Question) -> list[str]:
        """Think, and keep other workers from thinking about the same."""
        thinking = asyncio.create_task(self._thinkers.think(question))
        while True:
            done, _ = await asyncio.wait([thinking], timeout=LEASE_MS / 3000)
            if done:
                return thinking.result()
            await self._store.take_lease(self.id, self._worker, now_ms() + LEASE_MS)

    async def look_after(self) -> None:
        """Do what is due: let clocks run out and bots move."""
        await self.catch_up()

        def plan(course: Course) -> Iterable[TableEvent]:
            now = now_ms()
            for seat in course.acting():
                deadline = course.deadline(seat)
                if deadline is not None and deadline <= now:
                    yield TimedOut(seat)

        await self.commit(plan)

    async def past_view(self, viewer: int, at: int) -> bytes:
        """What a viewer saw after so many notices; raises Refusal."""
        async with self.lock:
            await self.make_sure()
            if self.course.match is None:
                raise Refusal("not_begun")
            sequences = self.course.streams[viewer].sequences
            if at > len(sequences):
                raise Refusal("no_such_past")
            rows = await self._store.events(self.id)
        last = sequences[at - 1] if at else self._beginning(rows)
        # What happened unseen until the next notice belongs to the same view: a rack dealt to somebody else, say.
        last = max(last, sequences[at] - 1 if at < len(sequences) else rows[-1].sequence)

        def work() -> bytes:
            course = build_course(self.course.charter, rows[: last + 1])
            match = course.match
            assert match is not None
            return encode_message(course.game.view(match.position.observe(viewer).state, viewer))

        return await asyncio.to_thread(work)

    def _beginning(self, rows: list[EventRow]) -> int:
        """The sequence of the event with which the match began."""
        joins = [row.sequence for row in rows if isinstance(decode_event(row.body), Joined)]
        return joins[-1]

    async def finished_match(self) -> Match:
        """The match, once its end is stored and everything is open; raises Refusal."""
        async with self.lock:
            await self.make_sure()
            if self.course.match is None or self.course.status != "over":
                raise Refusal("not_over")
            return self.course.match
