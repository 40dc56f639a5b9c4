"""A table in memory: its state, its connections, and `commit`, through which every change goes."""

import asyncio
import hashlib
import hmac
from collections.abc import Callable
from time import perf_counter

from threespan.core.match import Match
from threespan.server.bot_pool import BotPool
from threespan.server.bus import Bus, Signal
from threespan.server.clock import now_ms
from threespan.server.logs import LOG
from threespan.server.metrics import COMMIT_SECONDS, EVENTS_STORED
from threespan.server.store.store import Change, Conflict, KeyRow, Store, TableRow
from threespan.server.tables.connection import Connection
from threespan.server.tables.presence import Presence
from threespan.table import plans
from threespan.table.bot_query import BotQuery, query_for
from threespan.table.events import TableEvent
from threespan.table.history import last_event_seen
from threespan.table.messages.client import Past, SwitchView
from threespan.table.messages.server import PastView, Rematching, Said, Seats
from threespan.table.messages.shared import Phrase, TableInfo, encode_message
from threespan.table.plays import Play
from threespan.table.referee import Doubts
from threespan.table.refusals import Refusal, phrase_text
from threespan.table.state import TableState
from threespan.table.viewing import (
    Reader,
    Snapshot,
    past_for,
    seats_fingerprint,
    snapshot,
    table_info,
    update_for,
    welcome_for,
)

LEASE_MS = 15_000
_LEASE_RENEWAL_SECONDS = LEASE_MS / 3 / 1000
_UPDATED_AT_PRECISION_MS = 60_000  # of the table's row
_BOT_RETRY_SECONDS = 0.01

Planned = Play | list[TableEvent]  # a Play has been tried out on a copy, so it need not be played again
Plan = Callable[[TableState], Planned]


def hash_key(key: str) -> bytes:
    """The hash under which a seat key is stored."""
    return hashlib.sha256(b"threespan key 1" + key.encode()).digest()


class LiveTable:
    """A table in memory, because somebody is connected to it or a bot is playing."""

    def __init__(
        self, worker: str, store: Store, bus: Bus, bots: BotPool, row: TableRow, state: TableState, keys: list[KeyRow]
    ) -> None:
        """Keep a stored table in memory."""
        self.id, self.created_at = row.id, row.created_at
        self.state, self.keys = state, keys
        self.connections: set[Connection] = set()
        self.lock = asyncio.Lock()
        self.idle_since = now_ms()
        self.presence = Presence(state.seats)
        self.doubts = Doubts()  # questions to the referee about boards of others
        self._worker, self._store, self._bus, self._bots = worker, store, bus, bots
        self._stored_row: tuple[str, int | None] | None = (row.status, row.wake_at)  # None: unknown, write it next time
        self._row_written_at = row.updated_at
        self._may_differ_from_store = False  # whether the last write may have failed
        self._shown: dict[int, int] = {}  # fingerprint of what each viewer was sent last
        self._shown_seats = seats_fingerprint(state)
        self._bot_task: asyncio.Task[None] | None = None

    # Changes

    async def commit(self, plan: Plan, request_id: str | None = None) -> None:
        """Change the table: plan the events, store them, and only then send them to everybody.

        `plan` is called again if another worker was faster. A request whose id is already stored changes nothing.
        Raises what the plan raises; then nothing has changed.
        """
        start = perf_counter()
        try:
            async with self.lock:
                await self.resync_if_needed()
                while request_id is None or request_id not in self.state.requests:
                    if await self._store_planned(plan(self.state), request_id):
                        break
                self._broadcast()
        finally:
            COMMIT_SECONDS.observe(perf_counter() - start)
        self.run_bots()

    async def _store_planned(self, planned: Planned, request_id: str | None) -> bool:
        """Store and apply what was planned; False if another worker stored something first, which is then applied."""
        events = planned.events() if isinstance(planned, Play) else planned
        if not events:
            return True
        at = max(now_ms(), self.state.last_at)
        rows = self.state.rows_for(events, at, request_id)
        try:
            # The state is ahead of the store for a moment, but thanks to the lock nobody sees it until it is stored.
            if isinstance(planned, Play):
                self.state.apply_play(rows, planned)
            else:
                for row, event in zip(rows, events, strict=True):
                    self.state.apply_row(row, event)
            await self._store.append(self.id, rows, self._row_change(at))
        except Conflict:
            await self._reload()
            return False
        except BaseException:
            await self._reload()
            raise
        EVENTS_STORED.inc(len(rows))
        self._bus.send(Signal(self._worker, self.id, self.state.sequence))
        return True

    def _row_change(self, at: int) -> Change | None:
        """What to write into the table's row; None if it says the same already, but for the time."""
        status, wake_at = self.state.status, self.state.wake_at()
        if (status, wake_at) == self._stored_row and at - self._row_written_at < _UPDATED_AT_PRECISION_MS:
            return None
        self._stored_row, self._row_written_at = (status, wake_at), at
        if self.state.bots_to_move() and self._bots.size:
            return Change(status, wake_at, self._worker, at + LEASE_MS)
        return Change(status, wake_at)

    async def resync_if_needed(self) -> None:
        """Reload from the store if the last write may have failed. Call it with the lock held."""
        if self._may_differ_from_store:
            await self._reload()

    async def _reload(self) -> None:
        """Replace the state with what is stored, and broadcast it."""
        self._may_differ_from_store = True  # and stays so if the database cannot be reached
        self._stored_row = None
        rows = await self._store.events(self.id)
        self.state = await asyncio.to_thread(TableState.from_rows, self.state.charter, rows)
        self._may_differ_from_store = False
        self._broadcast()

    async def catch_up(self) -> None:
        """Apply what other workers have stored, and broadcast it."""
        async with self.lock:
            await self._read_new_events()

    async def _read_new_events(self) -> None:
        await self.resync_if_needed()
        if not self._bus.is_shared:
            return
        rows = await self._store.events(self.id, self.state.sequence)
        for row in rows:
            self.state.apply_row(row)
        if rows:
            self._stored_row = None
            self._broadcast()
            self.announce_rematch()

    # Messages to clients

    async def welcome(self, connection: Connection, notices_seen: int) -> None:
        """Send a new connection everything about the table, including what it has just done at another worker."""
        async with self.lock:
            await self._read_new_events()
            self.connections.add(connection)
            reader, seats = connection.reader, connection.seats
            welcome = welcome_for(self.state, self.info(), reader, seats, notices_seen, now_ms())
            connection.notices_seen = welcome.update.notice_count if welcome.update else 0
            connection.send(welcome)
        self._connections_changed()

    async def switch_view(self, connection: Connection, message: SwitchView) -> None:
        """Show a connection the table from another seat, in another language, or in text mode; raises Refusal."""
        async with self.lock:
            await self.resync_if_needed()
            plans.check_may_view(self.state, connection.seats, message.seat)
            before = connection.reader
            text_mode = before.text_mode if message.text_mode is None else message.text_mode
            reader = connection.reader = Reader(message.seat, message.language or before.language, text_mode)
            if self.state.match:
                shot = snapshot(self.state, message.seat)
                connection.notices_seen = shot.notice_count
                connection.send(update_for(self.state, shot, reader, message.notices_seen, now_ms()))

    def leave(self, connection: Connection) -> None:
        """Remove a connection that has been closed."""
        self.connections.discard(connection)
        self.idle_since = now_ms()
        self._connections_changed()

    def _broadcast(self) -> None:
        """Send every connection what is new to it, if anything is."""
        if self.state.match is None:
            self.send_seats()
            return
        if seats_fingerprint(self.state) != self._shown_seats:
            self.send_seats()
        groups: dict[tuple[Reader, int], list[Connection]] = {}
        for connection in self.connections:
            groups.setdefault((connection.reader, connection.notices_seen), []).append(connection)
        shots: dict[int, Snapshot] = {}
        for (reader, notices_seen), connections in groups.items():
            viewer = reader.viewer
            shot = shots.get(viewer) or snapshot(self.state, viewer)
            shots[viewer] = shot
            if shot.notice_count == notices_seen and self._shown.get(viewer) == shot.fingerprint:
                continue
            body = encode_message(update_for(self.state, shot, reader, notices_seen, now_ms()))
            for connection in connections:
                connection.notices_seen = shot.notice_count
                connection.send_bytes(body)
        self._shown = {viewer: shot.fingerprint for viewer, shot in shots.items()}

    def send_seats(self) -> None:
        """Send everybody the current seats."""
        self._shown_seats = seats_fingerprint(self.state)
        body = encode_message(Seats(self.info()))
        for connection in self.connections:
            connection.send_bytes(body)

    def announce_rematch(self) -> None:
        """Tell everybody the table of the rematch, if there is one."""
        if self.state.rematch:
            for connection in self.connections:
                connection.send(Rematching(self.state.rematch))

    def say(self, seat: int, phrase: Phrase, to_other_workers: bool = True) -> None:
        """Send a seat's chat phrase to everybody; it is not stored."""
        for connection in self.connections:
            connection.send(Said(seat, phrase, phrase_text(phrase, connection.reader.language)))
        if to_other_workers:
            self._bus.send(Signal(self._worker, self.id, said=(seat, phrase)))

    def info(self) -> TableInfo:
        """The table as everybody may see it."""
        connected = self.presence.connected(self._seats_here())
        return table_info(
            self.state,
            self.id,
            self.created_at,
            connected,
            bots_are_loading=not self._bots.is_ready(self.state.charter.game),
        )

    # People

    async def seats_of(self, key: str) -> tuple[int, ...]:
        """The seats that a key gives access to; raises Refusal."""
        wanted = hash_key(key)
        for _ in range(2):
            for known in self.keys:
                if hmac.compare_digest(known.hash, wanted):
                    return known.seats
            self.keys = await self._store.keys(self.id)  # another worker may have issued a key
        raise Refusal("wrong_key")

    def _seats_here(self) -> set[int]:
        return {seat for connection in self.connections for seat in connection.seats}

    def note_people_elsewhere(self, worker: str, seats: list[int]) -> None:
        """Note which seats' people are connected to another worker."""
        if self.presence.update_worker(worker, seats):
            self._tell_other_workers()  # that worker does not know our people yet either
        self._send_seats_if_changed()

    def renew_presence(self) -> None:
        """Tell other workers whose people are connected here, and drop the people of workers that have gone silent."""
        self._send_seats_if_changed()
        self._tell_other_workers()

    def _send_seats_if_changed(self) -> None:
        if self.presence.update(self._seats_here()):
            self.send_seats()

    def _tell_other_workers(self) -> None:
        self._bus.send(Signal(self._worker, self.id, present=sorted(self._seats_here())))

    def _connections_changed(self) -> None:
        self.presence.update(self._seats_here())
        self.send_seats()
        if self._bus.is_shared:
            self._tell_other_workers()

    # Bots and clocks

    def run_bots(self) -> None:
        """Start a task that lets bots move, if any have to and it is not running yet."""
        is_running = self._bot_task is not None and not self._bot_task.done()
        if self.state.bots_to_move() and self._bots.size and not is_running:
            self._bot_task = asyncio.create_task(self._move_bots())

    @property
    def is_busy(self) -> bool:
        """Whether the table must stay in memory."""
        return bool(self.connections) or (self._bot_task is not None and not self._bot_task.done())

    async def _move_bots(self) -> None:
        try:
            while seats := self.state.bots_to_move():
                await self._move_bot(seats[0])
        except Exception:
            LOG.exception("bot could not move", extra={"table": self.id})

    async def _move_bot(self, seat: int) -> None:
        sequence = self.state.sequence
        query = query_for(self.state, seat, self.state.bot_for(seat) or "")
        action_texts = await self._think(query)
        await self.commit(lambda state: plans.bot_answer(state, query, action_texts))
        if self.state.sequence == sequence:  # the answer was outdated, and nothing was stored
            await asyncio.sleep(_BOT_RETRY_SECONDS)

    async def _think(self, query: BotQuery) -> list[str]:
        """Ask a bot, and renew the lease meanwhile so that no other worker asks one as well."""
        thinking = asyncio.create_task(self._bots.think(query))
        while True:
            done, _ = await asyncio.wait([thinking], timeout=_LEASE_RENEWAL_SECONDS)
            if done:
                return thinking.result()
            await self._store.take_lease(self.id, self._worker, now_ms(), now_ms() + LEASE_MS)

    async def handle_due(self) -> None:
        """Do what is due: let clocks run out and bots move."""
        await self.catch_up()
        await self.commit(lambda state: plans.time_out(state, now_ms()))

    # The past

    async def past(self, message: Past, reader: Reader) -> PastView:
        """What a viewer saw after its first `message.notice_count` notices; raises Refusal."""
        async with self.lock:
            await self.resync_if_needed()
            charter, last = self.state.charter, last_event_seen(self.state, reader.viewer, message.notice_count)
        rows = (await self._store.events(self.id))[: last + 1]

        def work() -> PastView:
            return past_for(TableState.from_rows(charter, rows), message.id, message.notice_count, reader)

        return await asyncio.to_thread(work)

    async def finished_match(self) -> Match:
        """The match, once it is over and nothing is hidden any more; raises Refusal."""
        async with self.lock:
            await self._read_new_events()
            return self.state.finished_match()
