"""All tables of a worker: opening new ones, loading stored ones, and handling those that are due."""

import asyncio
import secrets
import time
from collections.abc import Coroutine
from typing import Any, get_args

from threespan.core.chance import MatchSeed
from threespan.core.registry import codes
from threespan.server.bot_pool import BotPool, are_bots_in_library
from threespan.server.bus import Signal, open_bus
from threespan.server.clock import now_ms
from threespan.server.logs import LOG
from threespan.server.metrics import LIVE_TABLES, LOOP_LAG
from threespan.server.settings import Settings
from threespan.server.store.opening import open_store
from threespan.server.store.store import Conflict, KeyRow, TableRow
from threespan.server.tables.live import LEASE_MS, LiveTable, hash_key
from threespan.table import plans
from threespan.table.events import Charter, decode_charter, encode
from threespan.table.messages.lobby import NewTable, OpenedTable, SeatKey
from threespan.table.messages.shared import Phrase, TableInfo
from threespan.table.refusals import Refusal
from threespan.table.state import TableState

_ID_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # no characters that are easily confused
_ID_LENGTH = 12
_KEY_BYTES = 18
_SWEEP_SECONDS = 1.0
_KEEP_IDLE_MS = 60_000  # how long a table without connections stays in memory
_SWEEPS_PER_PRESENCE = 10
_SWEEPS_PER_ARCHIVING = 600
_MAX_DUE_PER_SWEEP = 50
_LAG_SAMPLE_SECONDS = 0.05
_LAG_SAMPLES = 200  # ten seconds


class Tables:
    """The tables of one worker."""

    def __init__(self, settings: Settings) -> None:
        """Open the store and the bus; raises UserError."""
        self.settings = settings
        self.worker = secrets.token_hex(4)
        self.store = open_store(settings.database_url(), settings.durable)
        self.bus = open_bus(settings.bus, self.worker)
        self.bots = BotPool(settings.bot_threads)
        self.is_stopping = False
        self._live: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._prepared_bots: set[str] = set()  # codes of games

    async def start(self) -> None:
        """Start listening to the bus and running the periodic tasks."""
        await self.bus.start(self._handle_signal)
        jobs: list[Coroutine[Any, Any, None]] = [self._sweep_loop(), self._watch_lag()]
        self._tasks = [asyncio.create_task(job) for job in jobs]
        for code in filter(are_bots_in_library, codes()):
            self._prepare_bots(code)

    async def stop(self) -> None:
        """Ask all clients to reconnect, wait for writes in progress, and close everything."""
        self.is_stopping = True
        for table in self._live.values():
            for connection in tuple(table.connections):
                connection.end(Refusal("restarting"))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for table in list(self._live.values()):
            async with table.lock:
                pass
        self.bots.close()
        await self.bus.close()
        await self.store.close()

    # Opening

    async def open(self, wanted: NewTable) -> OpenedTable:
        """Open a table; raises Refusal."""
        charter = plans.new_charter(wanted, MatchSeed.fresh())
        secret_keys = [(group, secrets.token_urlsafe(_KEY_BYTES)) for group in plans.key_groups(charter)]
        keys = [KeyRow(hash_key(key), group) for group, key in secret_keys]
        row = await self._create(charter, keys)
        live = self._keep_in_memory(row, TableState(charter), keys)
        return OpenedTable(row.id, live.state.commitment, [SeatKey(list(group), key) for group, key in secret_keys])

    async def _create(self, charter: Charter, keys: list[KeyRow]) -> TableRow:
        table = "".join(secrets.choice(_ID_ALPHABET) for _ in range(_ID_LENGTH))
        now = now_ms()
        row = TableRow(table, encode(charter), charter.is_public, "gathering", now, now, None)
        await self.store.create(row, keys)
        return row

    async def take_open_seat(self, table: LiveTable) -> SeatKey:
        """Issue a key for a seat that anybody may take; raises Refusal."""
        reserved: set[int] = set()
        while True:
            seat = plans.find_open_seat(table.state, reserved)
            key = secrets.token_urlsafe(_KEY_BYTES)
            try:
                await self.store.add_key(table.id, KeyRow(hash_key(key), (seat,)))
                return SeatKey([seat], key)
            except Conflict:
                reserved.add(seat)

    async def rematch(self, table: LiveTable, seats: tuple[int, ...], request: str) -> None:
        """Open a table where the same people play again with the same keys; raises Refusal."""
        async with table.lock:
            await table.resync_if_needed()
            charter = plans.rematch_charter(table.state, table.id, seats, MatchSeed.fresh())
        if not table.state.rematch:
            row = await self._create(charter, await self.store.keys(table.id))
            await table.commit(lambda state: plans.rematch(state, seats, row.id), request)
        table.announce_rematch()

    # Finding

    async def find(self, table: str) -> LiveTable:
        """A table, loaded from the store if it is not in memory; raises Refusal."""
        if table in self._live:
            return self._live[table]
        if table not in self._loading:
            self._loading[table] = asyncio.create_task(self._load(table))
            self._loading[table].add_done_callback(lambda _: self._loading.pop(table))
        return await asyncio.shield(self._loading[table])

    async def _load(self, table: str) -> LiveTable:
        row = await self.store.table(table)
        if row is None:
            raise Refusal("no_table")
        rows, keys = await self.store.events(table), await self.store.keys(table)
        state = await asyncio.to_thread(lambda: TableState.from_rows(decode_charter(row.charter), rows))
        return self._keep_in_memory(row, state, keys)

    def _keep_in_memory(self, row: TableRow, state: TableState, keys: list[KeyRow]) -> LiveTable:
        live = LiveTable(self.worker, self.store, self.bus, self.bots, row, state, keys)
        self._live[row.id] = live
        self._prepare_bots(state.charter.game)
        LIVE_TABLES.set(len(self._live))
        return live

    def info(self, row: TableRow) -> TableInfo | None:
        """A table in memory as everybody may see it."""
        live = self._live.get(row.id)
        return live.info() if live else None

    def game_in_memory(self, table: str) -> str:
        """The game of a table in memory; empty for a table that is not."""
        live = self._live.get(table)
        return live.state.charter.game if live else ""

    # Signals and periodic tasks

    async def _handle_signal(self, signal: Signal) -> None:
        table = self._live.get(signal.table)
        if table is None:
            return
        if signal.present is not None:
            table.note_people_elsewhere(signal.worker, signal.present)
        elif signal.said is not None:
            seat, phrase = signal.said
            if phrase in get_args(Phrase):
                table.say(seat, phrase, to_other_workers=False)  # type: ignore[arg-type]
        elif signal.sequence > table.state.sequence:
            await table.catch_up()

    async def _sweep_loop(self) -> None:
        sweeps = 0
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            sweeps += 1
            try:
                await self._sweep(sweeps)
            except Exception:
                LOG.exception("sweep over the tables failed")

    async def _sweep(self, sweeps: int) -> None:
        for table in await self.store.due(now_ms(), _MAX_DUE_PER_SWEEP):
            if await self.store.take_lease(table, self.worker, now_ms(), now_ms() + LEASE_MS):
                await (await self.find(table)).handle_due()
        if self.bus.is_shared:
            await self._catch_up_on_lost_signals()
            if sweeps % _SWEEPS_PER_PRESENCE == 0:
                for live in self._live.values():
                    live.renew_presence()
        if sweeps % _SWEEPS_PER_ARCHIVING == 0:
            await self.archive()
        self._drop_idle()

    async def _catch_up_on_lost_signals(self) -> None:
        watched = [table.id for table in self._live.values() if table.connections]
        for table, sequence in (await self.store.last_sequences(watched) if watched else {}).items():
            if table in self._live and sequence > self._live[table].state.sequence:
                await self._live[table].catch_up()

    async def archive(self) -> None:
        """Archive tables at which nothing has happened for a long time."""
        archived = await self.store.archive(now_ms() - int(self.settings.archive_after_hours * 3_600_000))
        if archived:
            LOG.info("tables archived", extra={"count": archived})

    def _drop_idle(self) -> None:
        limit = now_ms() - _KEEP_IDLE_MS
        for table in [t for t in self._live.values() if not t.is_busy and t.idle_since < limit]:
            del self._live[table.id]
        LIVE_TABLES.set(len(self._live))

    def _prepare_bots(self, code: str) -> None:
        """Start loading the bots of a game, if that has not been done."""
        if self.bots.size and code not in self._prepared_bots:
            self._prepared_bots.add(code)
            self._tasks.append(asyncio.create_task(self._warm_up(code)))

    async def _warm_up(self, code: str) -> None:
        try:
            await self.bots.warm_up(code)
            LOG.info("bots are ready", extra={"game": code})
        except Exception:
            LOG.exception("bots could not be warmed up", extra={"game": code})
        for table in self._live.values():
            if table.state.charter.game == code:
                table.send_seats()

    async def _watch_lag(self) -> None:
        while True:
            worst = 0.0
            for _ in range(_LAG_SAMPLES):
                start = time.perf_counter()
                await asyncio.sleep(_LAG_SAMPLE_SECONDS)
                worst = max(worst, time.perf_counter() - start - _LAG_SAMPLE_SECONDS)
            LOOP_LAG.set(worst)
