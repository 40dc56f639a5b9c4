"""Tables and their events in a database: SQLite or PostgreSQL, through the same code.

One thread does all writing. It takes whatever has piled up while the last transaction was on its way to the disk,
writes it in one transaction and only then tells those who wait: many moves share one wait for the disk.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, func, insert, inspect, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from threespan.core.errors import UserError
from threespan.server.schema import EVENTS, KEYS, REVISION, TABLES

_READERS = 2
_CHECKPOINT_SECONDS = 10.0
_MOST_PAGES_IN_LOG = 20_000  # then the writer itself has to empty SQLite's log, and all moves wait for it
_MOST_AT_ONCE = 512
_BUSY = 24  # writes in one transaction that make it worth while to wait for more before the next one
_GATHER_SECONDS = 0.016
_MIGRATION_LOCK = 0x74687265  # a number for PostgreSQL's advisory lock

_Result = TypeVar("_Result")


def now_ms() -> int:
    """The time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Conflict(Exception):
    """Somebody else has appended to the table meanwhile."""


class EventRow(NamedTuple):
    """One event as stored."""

    sequence: int
    at: int
    request: str | None
    body: bytes


class TableRow(NamedTuple):
    """A table as stored, without its events."""

    id: str
    charter: bytes
    is_public: bool
    status: str
    created_at: int
    updated_at: int
    wake_at: int | None


class KeyRow(NamedTuple):
    """A secret's hash and the seats it opens."""

    hash: bytes
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Change:
    """What to change in a table's row along with an append."""

    status: str
    wake_at: int | None
    lease_owner: str | None = None
    lease_until: int = 0


@dataclass
class _Append:
    """Events that wait to be written."""

    table: str
    rows: list[EventRow]
    change: Change | None
    done: "asyncio.Future[None]"


@dataclass
class _Write:
    """Any other change that waits for its turn."""

    work: Callable[[Connection], Any]
    done: "asyncio.Future[Any]"


class Store:
    """The database. Every coroutine returns once what it says is on the disk."""

    def __init__(self, url: str, durable: bool = True) -> None:
        """Open the database, creating or updating its tables; raises UserError."""
        self._engine = _open_up_to_date(url, durable)
        self._waiting: queue.SimpleQueue[_Append | _Write | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(_READERS, "store-reader")
        self._writer = threading.Thread(target=self._write_on, name="store-writer", daemon=True)
        self._writer.start()
        self._is_closed = threading.Event()
        if self._engine.dialect.name == "sqlite":
            threading.Thread(target=self._empty_log_on, name="store-checkpoints", daemon=True).start()

    async def close(self) -> None:
        """Write what waits, then let go of the database."""
        self._waiting.put(None)
        self._is_closed.set()
        await asyncio.to_thread(self._writer.join)
        self._readers.shutdown()
        self._engine.dispose()

    # Writing

    async def create(self, row: TableRow, keys: Sequence[KeyRow], events: Sequence[EventRow]) -> None:
        """Store a new table."""

        def work(connection: Connection) -> None:
            connection.execute(insert(TABLES), {**row._asdict(), "lease_until": 0})
            _insert_keys(connection, row.id, keys)
            if events:
                connection.execute(insert(EVENTS), [_event_values(row.id, event) for event in events])

        await self._write(work)

    async def append(self, table: str, rows: list[EventRow], change: Change | None) -> None:
        """Store events that follow what the caller knows of a table; raises Conflict and stores nothing."""
        done = asyncio.get_running_loop().create_future()
        self._waiting.put(_Append(table, rows, change, done))
        await done

    async def add_key(self, table: str, key: KeyRow) -> None:
        """Let a further secret open seats; raises Conflict if another secret opens them already."""

        def work(connection: Connection) -> None:
            for (taken,) in connection.execute(select(KEYS.c.seats).where(KEYS.c.table_id == table)):
                if set(_read_seats(taken)) & set(key.seats):
                    raise Conflict
            _insert_keys(connection, table, [key])

        await self._write(work)

    async def take_lease(self, table: str, owner: str, until: int) -> bool:
        """Become the one who looks after a table; false if another worker does."""

        def work(connection: Connection) -> bool:
            free = (TABLES.c.lease_until < now_ms()) | (TABLES.c.lease_owner == owner)
            change = update(TABLES).where(TABLES.c.id == table, free).values(lease_owner=owner, lease_until=until)
            return connection.execute(change).rowcount == 1

        return await self._write(work)

    async def archive(self, before: int) -> int:
        """Put aside the tables at which nothing has happened for long; how many there were."""

        def work(connection: Connection) -> int:
            stale = TABLES.c.status.in_(("gathering", "playing")) & (TABLES.c.updated_at < before)
            return connection.execute(update(TABLES).where(stale).values(status="archived", wake_at=None)).rowcount

        return await self._write(work)

    # Reading

    async def table(self, table: str) -> TableRow | None:
        """A table without its events."""

        def work(connection: Connection) -> TableRow | None:
            columns = [TABLES.c[name] for name in TableRow._fields]
            row = connection.execute(select(*columns).where(TABLES.c.id == table)).first()
            return None if row is None else TableRow(*row)

        return await self._read(work)

    async def events(self, table: str, after: int = -1) -> list[EventRow]:
        """The events of a table that follow one, in order."""

        def work(connection: Connection) -> list[EventRow]:
            columns = [EVENTS.c[name] for name in EventRow._fields]
            wanted = select(*columns).where(EVENTS.c.table_id == table, EVENTS.c.sequence > after)
            return [EventRow(*row) for row in connection.execute(wanted.order_by(EVENTS.c.sequence))]

        return await self._read(work)

    async def last_sequences(self, tables: Sequence[str]) -> dict[str, int]:
        """The number of the last event of each of these tables."""

        def work(connection: Connection) -> dict[str, int]:
            wanted = select(EVENTS.c.table_id, func.max(EVENTS.c.sequence)).where(EVENTS.c.table_id.in_(tables))
            return {row[0]: row[1] for row in connection.execute(wanted.group_by(EVENTS.c.table_id))}

        return await self._read(work)

    async def keys(self, table: str) -> list[KeyRow]:
        """The secrets of a table, hashed."""

        def work(connection: Connection) -> list[KeyRow]:
            wanted = select(KEYS.c.hash, KEYS.c.seats).where(KEYS.c.table_id == table)
            return [KeyRow(row[0], _read_seats(row[1])) for row in connection.execute(wanted)]

        return await self._read(work)

    async def lobby(self, limit: int, before: tuple[int, str] | None) -> list[TableRow]:
        """Public tables that are not over, newest first, from a place on."""

        def work(connection: Connection) -> list[TableRow]:
            wanted = select(*[TABLES.c[name] for name in TableRow._fields]).where(
                TABLES.c.is_public, TABLES.c.status.in_(("gathering", "playing"))
            )
            if before is not None:
                at, table = before
                is_earlier = (TABLES.c.created_at < at) | ((TABLES.c.created_at == at) & (TABLES.c.id < table))
                wanted = wanted.where(is_earlier)
            wanted = wanted.order_by(TABLES.c.created_at.desc(), TABLES.c.id.desc()).limit(limit)
            return [TableRow(*row) for row in connection.execute(wanted)]

        return await self._read(work)

    async def due(self, now: int, limit: int) -> list[str]:
        """Tables that somebody has to look after and nobody does."""

        def work(connection: Connection) -> list[str]:
            wanted = select(TABLES.c.id).where(TABLES.c.wake_at <= now, TABLES.c.lease_until < now)
            return [row[0] for row in connection.execute(wanted.order_by(TABLES.c.wake_at).limit(limit))]

        return await self._read(work)

    async def ping(self) -> None:
        """Ask the database whether it is there; raises SQLAlchemyError."""
        await self._read(lambda connection: connection.execute(text("SELECT 1")).scalar())

    # The threads

    async def _read(self, work: Callable[[Connection], _Result]) -> _Result:
        def run() -> _Result:
            with self._engine.connect() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    async def _write(self, work: Callable[[Connection], _Result]) -> _Result:
        done: asyncio.Future[_Result] = asyncio.get_running_loop().create_future()
        self._waiting.put(_Write(work, done))
        return await done

    def _write_on(self) -> None:
        """Write what waits, again and again, until told to stop."""
        is_open, is_busy = True, False
        while is_open:
            group = [self._waiting.get()]
            if is_busy:
                time.sleep(_GATHER_SECONDS)
            while len(group) < _MOST_AT_ONCE and not self._waiting.empty():
                group.append(self._waiting.get())
            is_open, is_busy = group[-1] is not None, len(group) >= _BUSY
            self._write_group([write for write in group if write is not None])

    def _empty_log_on(self) -> None:
        """Carry what SQLite has logged over into its file, beside the writer: no move has to wait for that."""
        while not self._is_closed.wait(_CHECKPOINT_SECONDS):
            with contextlib.suppress(SQLAlchemyError), self._engine.connect() as connection:
                connection.execute(text("PRAGMA wal_checkpoint(PASSIVE)"))

    def _write_group(self, group: list[_Append | _Write]) -> None:
        """Write everything in one transaction, or each in its own if one of them fails."""
        if len(group) > 1 and self._settle(group, is_last_try=False):
            return
        for write in group:
            self._settle([write], is_last_try=True)

    def _settle(self, writes: Sequence[_Append | _Write], is_last_try: bool) -> bool:
        """Write in one transaction and tell those who wait; false if it failed and may be tried in parts."""
        try:
            with self._engine.begin() as connection:
                results = [write.work(connection) for write in writes if isinstance(write, _Write)]
                if appends := [write for write in writes if isinstance(write, _Append)]:
                    _append_all(connection, appends)
        except Exception as error:
            if is_last_try:
                _tell(writes, [], Conflict() if isinstance(error, IntegrityError) else error)
            return False
        _tell(writes, results, None)
        return True


def _tell(writes: Sequence[_Append | _Write], results: list[Any], error: Exception | None) -> None:
    """Tell those who wait, all at once: waking the event loop is dear."""

    def tell() -> None:
        following = iter(results)
        for write in writes:
            result = next(following, None) if isinstance(write, _Write) else None
            if write.done.done():
                continue  # whoever waited has gone
            if error is None:
                write.done.set_result(result)
            else:
                write.done.set_exception(error)

    with contextlib.suppress(RuntimeError):  # the loop has been closed
        writes[0].done.get_loop().call_soon_threadsafe(tell)


def _append_all(connection: Connection, appends: Sequence[_Append]) -> None:
    """Insert all events with one statement: with one for each row, the thread would ask for the GIL after each."""
    values = [value for write in appends for row in write.rows for value in (write.table, *row)]
    mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
    places = f"({','.join([mark] * _COLUMNS)})"
    for first in range(0, len(values), _MOST_VALUES):
        part = values[first : first + _MOST_VALUES]
        rows = ",".join([places] * (len(part) // _COLUMNS))
        connection.exec_driver_sql(f"{_INSERT} {rows}", tuple(part))
    changes = [_change_values(write) for write in appends if write.change is not None]
    if changes:
        connection.execute(_CHANGE, changes)


_COLUMNS = 1 + len(EventRow._fields)
_MOST_VALUES = 512 * _COLUMNS  # in one statement
_INSERT = f"INSERT INTO {EVENTS.name} (table_id, {', '.join(EventRow._fields)}) VALUES"

_CHANGE = text(
    "UPDATE tables SET status = :status, wake_at = :wake_at, updated_at = :updated_at, "
    "lease_owner = :lease_owner, lease_until = :lease_until WHERE id = :id"
)


def _change_values(write: _Append) -> dict[str, Any]:
    assert write.change is not None
    return {
        "id": write.table,
        "status": write.change.status,
        "wake_at": write.change.wake_at,
        "updated_at": write.rows[-1].at,
        "lease_owner": write.change.lease_owner,
        "lease_until": write.change.lease_until,
    }


def _event_values(table: str, row: EventRow) -> dict[str, Any]:
    return {"table_id": table, "sequence": row.sequence, "at": row.at, "request": row.request, "body": row.body}


def _insert_keys(connection: Connection, table: str, keys: Sequence[KeyRow]) -> None:
    if keys:
        rows = [{"table_id": table, "hash": key.hash, "seats": ",".join(map(str, key.seats))} for key in keys]
        connection.execute(insert(KEYS), rows)


def _read_seats(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))


def prepare_database(url: str) -> None:
    """Create or update the tables of a database; raises UserError."""
    _open_up_to_date(url, durable=True).dispose()


def _open_up_to_date(url: str, durable: bool) -> Engine:
    try:
        engine = _open_engine(url, durable)
        if not _is_up_to_date(engine):
            _migrate(engine)
    except (SQLAlchemyError, ModuleNotFoundError, OSError) as error:
        raise UserError(f"the database cannot be used: {_first_line(error)}") from None
    return engine


def _open_engine(url: str, durable: bool) -> Engine:
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return create_engine(parsed, pool_size=_READERS + 1, pool_pre_ping=True, hide_parameters=True)
    if parsed.database not in (None, "", ":memory:"):
        Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(parsed, pool_size=_READERS + 2, connect_args={"timeout": 30}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        cursor.execute("PRAGMA cache_size = -4096")
        cursor.execute(f"PRAGMA wal_autocheckpoint = {_MOST_PAGES_IN_LOG}")
        cursor.close()

    return engine


def _is_up_to_date(engine: Engine) -> bool:
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        return bool(connection.scalar(text("SELECT version_num FROM alembic_version")) == REVISION)


def _migrate(engine: Engine) -> None:
    """Bring the tables up to date; several workers may start at once."""
    from alembic import command  # ten megabytes that a worker at an up-to-date database can do without
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
