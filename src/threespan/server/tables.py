"""All tables of a worker: opening new ones, bringing stored ones to life, and looking after those that are due."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Coroutine
from functools import lru_cache
from typing import Any, get_args

import msgspec

from threespan.bots.names import bot_names
from threespan.core.chance import MatchSeed
from threespan.core.errors import UserError
from threespan.core.game import Game, Material
from threespan.core.match import Match
from threespan.core.options import Options, read_options
from threespan.core.registry import codes, find_game
from threespan.server.bus import Signal, open_bus
from threespan.server.course import Course, beginning_of
from threespan.server.events import Charter, Rematched, SeatPlan, TableEvent, decode_charter, encode
from threespan.server.logs import LOG
from threespan.server.metrics import LIVE_TABLES, LOOP_LAG
from threespan.server.protocol import NewTable, OpenedTable, Phrase, Rematching, SeatKey, TableInfo
from threespan.server.settings import Settings
from threespan.server.store import Conflict, KeyRow, Store, TableRow, now_ms
from threespan.server.table import LEASE_MS, LiveTable, build_course, hash_key
from threespan.server.thinking import Thinkers
from threespan.server.viewing import situation
from threespan.server.words import Refusal

_ID_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that looks like something else
_ID_LENGTH = 12
_KEY_BYTES = 18
_SWEEP_SECONDS = 1.0
_FORGET_MS = 60_000  # how long a table that nobody looks at stays in memory
_PRESENCE_SWEEPS = 10
_ARCHIVE_SWEEPS = 600
_MOST_DUE = 50
_LAG_SECONDS = 0.05
_LOADING_MOVES = 40
_KEPT_MATERIALS = 64


class Tables:
    """The tables of one worker."""

    def __init__(self, settings: Settings) -> None:
        """Open the store and the bus; raises UserError."""
        self.settings = settings
        self.worker = secrets.token_hex(4)
        self.store = Store(settings.database_url(), settings.durable)
        self.bus = open_bus(settings.bus, self.worker)
        self.thinkers = Thinkers(settings.bot_processes)
        self.is_stopping = False
        self._live: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Task[LiveTable]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Begin to listen and to look after tables."""
        await self.bus.start(self._hear)
        jobs: list[Coroutine[Any, Any, None]] = [self._sweep_on(), self._watch_lag()]
        if self.thinkers.processes:
            jobs.append(self._warm_up())
        self._tasks = [asyncio.create_task(job) for job in jobs]

    async def stop(self) -> None:
        """Tell everybody to connect again, finish what is being stored, let go of everything."""
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
        self.thinkers.close()
        await self.bus.close()
        await self.store.close()

    # Opening

    async def open(self, wanted: NewTable) -> OpenedTable:
        """Open a table; raises Refusal."""
        charter = _draw_up(wanted)
        here = tuple(seat for seat, plan in enumerate(charter.seats) if plan.kind == "here")
        groups = [here] if here else []
        groups += [(seat,) for seat, plan in enumerate(charter.seats) if plan.kind == "link"]
        secret_keys = [(group, secrets.token_urlsafe(_KEY_BYTES)) for group in groups]
        keys = [KeyRow(hash_key(key), group) for group, key in secret_keys]
        row = await self._create(charter, keys)
        live = self._bring_to_life(row, Course(charter), keys)
        return OpenedTable(row.id, live.course.commitment, [SeatKey(list(group), key) for group, key in secret_keys])

    async def _create(self, charter: Charter, keys: list[KeyRow]) -> TableRow:
        table = "".join(secrets.choice(_ID_ALPHABET) for _ in range(_ID_LENGTH))
        now = now_ms()
        row = TableRow(table, encode(charter), charter.is_public, "gathering", now, now, None)
        await self.store.create(row, keys, [])
        return row

    async def take_open_seat(self, table: LiveTable) -> SeatKey:
        """Give a key for a seat that is open to anybody; raises Refusal."""
        for seat, plan in enumerate(table.course.charter.seats):
            if plan.kind == "open" and seat not in table.course.joined:
                key = secrets.token_urlsafe(_KEY_BYTES)
                with contextlib.suppress(Conflict):
                    await self.store.add_key(table.id, KeyRow(hash_key(key), (seat,)))
                    return SeatKey([seat], key)
        raise Refusal("no_open_seat")

    async def rematch(self, table: LiveTable, request: str) -> None:
        """Let the same people go on at a new table, with the same keys."""
        await table.finished_match()
        if not table.course.rematch:
            old = table.course.charter
            seed = MatchSeed.fresh()
            charter = msgspec.structs.replace(old, secret=seed.secret.hex(), salt=seed.salt.hex(), rematch_of=table.id)
            row = await self._create(charter, await self.store.keys(table.id))

            def plan(course: Course) -> list[TableEvent]:
                return [] if course.rematch else [Rematched(row.id)]

            await table.commit(plan, request)
        for connection in table.connections:
            connection.send(Rematching(table.course.rematch))

    # Finding

    async def find(self, table: str) -> LiveTable:
        """A table, brought to life if need be; raises Refusal."""
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
        course = await asyncio.to_thread(lambda: build_course(decode_charter(row.charter), rows))
        return self._bring_to_life(row, course, keys)

    def _bring_to_life(self, row: TableRow, course: Course, keys: list[KeyRow]) -> LiveTable:
        live = LiveTable(self.worker, self.store, self.bus, self.thinkers, row, course, keys)
        self._live[row.id] = live
        LIVE_TABLES.set(len(self._live))
        return live

    def info(self, row: TableRow) -> TableInfo | None:
        """A table in memory as everybody may see it."""
        live = self._live.get(row.id)
        return live.info() if live else None

    def game_in_memory(self, table: str) -> str:
        """The game of a table; empty if that would have to be looked up."""
        live = self._live.get(table)
        return live.course.charter.game if live else ""

    # Looking after

    async def _hear(self, signal: Signal) -> None:
        table = self._live.get(signal.table)
        if table is None:
            return
        if signal.present is not None:
            table.note_elsewhere(signal.worker, signal.present)
        elif signal.said is not None:
            seat, phrase = signal.said
            if phrase in get_args(Phrase):
                table.say(seat, phrase, to_others=False)  # type: ignore[arg-type]
        elif signal.sequence > table.course.sequence:
            await table.catch_up()
            self._follow_rematch(table)

    def _follow_rematch(self, table: LiveTable) -> None:
        if table.course.rematch:
            for connection in table.connections:
                connection.send(Rematching(table.course.rematch))

    async def _sweep_on(self) -> None:
        sweeps = 0
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            sweeps += 1
            try:
                await self._sweep(sweeps)
            except Exception:
                LOG.exception("looking after the tables failed")

    async def _sweep(self, sweeps: int) -> None:
        for table in await self.store.due(now_ms(), _MOST_DUE):
            if await self.store.take_lease(table, self.worker, now_ms() + LEASE_MS):
                await (await self.find(table)).look_after()
        if self.bus.is_shared:
            await self._find_lost_signals()
            if sweeps % _PRESENCE_SWEEPS == 0:
                for live in self._live.values():
                    live.refresh_presence()
        if sweeps % _ARCHIVE_SWEEPS == 0:
            await self.archive()
        self._forget_idle()

    async def _find_lost_signals(self) -> None:
        watched = [table.id for table in self._live.values() if table.connections]
        for table, sequence in (await self.store.last_sequences(watched) if watched else {}).items():
            if table in self._live and sequence > self._live[table].course.sequence:
                await self._live[table].catch_up()
                self._follow_rematch(self._live[table])

    async def archive(self) -> None:
        """Put aside the tables at which nothing has happened for long."""
        archived = await self.store.archive(now_ms() - int(self.settings.archive_after_hours * 3_600_000))
        if archived:
            LOG.info("tables archived", extra={"count": archived})

    def _forget_idle(self) -> None:
        limit = now_ms() - _FORGET_MS
        for table in [t for t in self._live.values() if not t.is_busy and t.idle_since < limit]:
            del self._live[table.id]
        LIVE_TABLES.set(len(self._live))

    async def _warm_up(self) -> None:
        try:
            await self.thinkers.warm_up()
            LOG.info("bots are ready")
        except Exception:
            LOG.exception("bots could not be warmed up")
        self.thinkers.is_ready = True
        for table in self._live.values():
            table.tell_seats()

    async def _watch_lag(self) -> None:
        while True:
            worst = 0.0
            for _ in range(int(10 / _LAG_SECONDS)):
                begin = time.perf_counter()
                await asyncio.sleep(_LAG_SECONDS)
                worst = max(worst, time.perf_counter() - begin - _LAG_SECONDS)
            LOOP_LAG.set(worst)


def load_rules() -> None:
    """Load the kernels of all games (the first time on a machine, compile them), so that no table waits for it."""
    for code in codes():
        game = find_game(code)
        match = Match.new(game, read_options(game.options, {}), MatchSeed.of(code))
        for _ in range(_LOADING_MOVES):
            seats = match.position.acting()
            if not seats:
                break
            situation(match.position.observe(seats[0]), seats[0], "en")
            match.play(seats[0], match.position.legal(seats[0])[0])


@lru_cache(_KEPT_MATERIALS)
def _material_of(game: Game, options: Options) -> Material:
    """The material that options name, read from its files once; raises UserError."""
    return game.material(options)


def _draw_up(wanted: NewTable) -> Charter:
    """The charter of a table that somebody wants; raises Refusal."""
    try:
        game = find_game(wanted.game)
        options = read_options(game.options, {"players": len(wanted.seats)} | wanted.options)
        material = _material_of(game, options)
        values = msgspec.to_builtins(options)
    except UserError as error:
        raise Refusal("bad_table", reason=str(error)) from None
    if options.players != len(wanted.seats):
        raise Refusal("wrong_seats", seats=len(wanted.seats), players=options.players)
    if all(seat.is_bot for seat in wanted.seats):
        raise Refusal("nobody_to_play")
    if not wanted.is_public and any(seat.kind == "open" for seat in wanted.seats):
        raise Refusal("open_is_public")
    if any(seat.is_bot and seat.level not in bot_names() for seat in wanted.seats):
        raise Refusal("unknown_bot")
    seed = MatchSeed.fresh()
    charter = Charter(
        game=wanted.game,
        options=values,
        material=material,
        seats=tuple(SeatPlan(s.kind, s.level if s.is_bot else "", clean_name(s.name)) for s in wanted.seats),
        is_public=wanted.is_public,
        clock=wanted.clock,
        secret=seed.secret.hex(),
        salt=seed.salt.hex(),
    )
    try:
        beginning_of(charter)
    except UserError as error:
        raise Refusal("bad_table", reason=str(error)) from None
    return charter


def clean_name(name: str) -> str:
    """A name without anything that could disturb a line of text."""
    return " ".join("".join(char for char in name if char.isprintable()).split())
