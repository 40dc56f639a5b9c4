"""A store in a database: SQLite or PostgreSQL, with the same code."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection, func, insert, select, text, update
from sqlalchemy.exc import SQLAlchemyError

from threespan.server.store.database import READERS, open_database
from threespan.server.store.schema import EVENTS, KEYS, TABLES
from threespan.server.store.store import Change, Conflict, KeyRow, Store, TableRow
from threespan.server.store.writer import Writer
from threespan.table.events import EventRow

_CHECKPOINT_SECONDS = 10.0

_Result = TypeVar("_Result")


class SqlStore(Store):
    """A store in a database. A coroutine that writes returns once the data is on disk."""

    def __init__(self, url: str, durable: bool = True) -> None:
        """Open the database, creating or updating its tables; raises UserError."""
        self._engine = open_database(url, durable)
        self._writer = Writer(self._engine)
        self._readers = ThreadPoolExecutor(READERS, "store-reader")
        self._is_closed = threading.Event()
        if self._engine.dialect.name == "sqlite":
            threading.Thread(target=self._checkpoint_loop, name="store-checkpoints", daemon=True).start()

    async def close(self) -> None:
        """Finish pending writes and close the database."""
        self._is_closed.set()
        await self._writer.close()
        self._readers.shutdown()
        self._engine.dispose()

    # Writing

    async def create(self, row: TableRow, keys: Sequence[KeyRow]) -> None:
        """Store a new table."""

        def work(connection: Connection) -> None:
            connection.execute(insert(TABLES), {**row._asdict(), "lease_until": 0})
            _insert_keys(connection, row.id, keys)

        await self._writer.write(work)

    async def append(self, table: str, rows: list[EventRow], change: Change | None) -> None:
        """Append events to a table; raises Conflict, and stores nothing, if the caller missed earlier events."""
        await self._writer.append(table, rows, change)

    async def add_key(self, table: str, key: KeyRow) -> None:
        """Store another seat key; raises Conflict if there is already a key for one of its seats."""

        def work(connection: Connection) -> None:
            for (taken,) in connection.execute(select(KEYS.c.seats).where(KEYS.c.table_id == table)):
                if set(_read_seats(taken)) & set(key.seats):
                    raise Conflict
            _insert_keys(connection, table, [key])

        await self._writer.write(work)

    async def take_lease(self, table: str, owner: str, now: int, until: int) -> bool:
        """Lease a table so that only this worker handles what is due; returns False if another one has the lease."""

        def work(connection: Connection) -> bool:
            free = (TABLES.c.lease_until < now) | (TABLES.c.lease_owner == owner)
            change = update(TABLES).where(TABLES.c.id == table, free).values(lease_owner=owner, lease_until=until)
            return connection.execute(change).rowcount == 1

        return await self._writer.write(work)

    async def archive(self, before: int) -> int:
        """Archive tables that have not changed since `before`; returns how many."""

        def work(connection: Connection) -> int:
            stale = TABLES.c.status.in_(("gathering", "playing")) & (TABLES.c.updated_at < before)
            return connection.execute(update(TABLES).where(stale).values(status="archived", wake_at=None)).rowcount

        return await self._writer.write(work)

    # Reading

    async def table(self, table: str) -> TableRow | None:
        """The row of a table, or None."""

        def work(connection: Connection) -> TableRow | None:
            columns = [TABLES.c[name] for name in TableRow._fields]
            row = connection.execute(select(*columns).where(TABLES.c.id == table)).first()
            return None if row is None else TableRow(*row)

        return await self._read(work)

    async def events(self, table: str, after: int = -1) -> list[EventRow]:
        """The events of a table after a sequence number, in order."""

        def work(connection: Connection) -> list[EventRow]:
            columns = [EVENTS.c[name] for name in EventRow._fields]
            query = select(*columns).where(EVENTS.c.table_id == table, EVENTS.c.sequence > after)
            return [EventRow(*row) for row in connection.execute(query.order_by(EVENTS.c.sequence))]

        return await self._read(work)

    async def last_sequences(self, tables: Sequence[str]) -> dict[str, int]:
        """The sequence number of the last event of each table."""

        def work(connection: Connection) -> dict[str, int]:
            query = select(EVENTS.c.table_id, func.max(EVENTS.c.sequence)).where(EVENTS.c.table_id.in_(tables))
            return {row[0]: row[1] for row in connection.execute(query.group_by(EVENTS.c.table_id))}

        return await self._read(work)

    async def keys(self, table: str) -> list[KeyRow]:
        """The hashed keys of a table."""

        def work(connection: Connection) -> list[KeyRow]:
            query = select(KEYS.c.hash, KEYS.c.seats).where(KEYS.c.table_id == table)
            return [KeyRow(row[0], _read_seats(row[1])) for row in connection.execute(query)]

        return await self._read(work)

    async def lobby(self, limit: int, before: tuple[int, str] | None) -> list[TableRow]:
        """Public tables that are not over, newest first; `before` is the creation time and id of the previous one."""

        def work(connection: Connection) -> list[TableRow]:
            query = select(*[TABLES.c[name] for name in TableRow._fields]).where(
                TABLES.c.is_public, TABLES.c.status.in_(("gathering", "playing"))
            )
            if before is not None:
                at, table = before
                is_earlier = (TABLES.c.created_at < at) | ((TABLES.c.created_at == at) & (TABLES.c.id < table))
                query = query.where(is_earlier)
            query = query.order_by(TABLES.c.created_at.desc(), TABLES.c.id.desc()).limit(limit)
            return [TableRow(*row) for row in connection.execute(query)]

        return await self._read(work)

    async def due(self, now: int, limit: int) -> list[str]:
        """Tables that are due and not leased, those that have waited longest first."""

        def work(connection: Connection) -> list[str]:
            query = select(TABLES.c.id).where(TABLES.c.wake_at <= now, TABLES.c.lease_until < now)
            return [row[0] for row in connection.execute(query.order_by(TABLES.c.wake_at).limit(limit))]

        return await self._read(work)

    async def ping(self) -> None:
        """Check the database; raises SQLAlchemyError if it does not answer."""
        await self._read(lambda connection: connection.execute(text("SELECT 1")).scalar())

    async def _read(self, work: Callable[[Connection], _Result]) -> _Result:
        def run() -> _Result:
            with self._engine.connect() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    def _checkpoint_loop(self) -> None:
        """Checkpoint SQLite's write-ahead log now and then, so that no move has to wait for it."""
        while not self._is_closed.wait(_CHECKPOINT_SECONDS):
            with contextlib.suppress(SQLAlchemyError), self._engine.connect() as connection:
                connection.execute(text("PRAGMA wal_checkpoint(PASSIVE)"))


def _insert_keys(connection: Connection, table: str, keys: Sequence[KeyRow]) -> None:
    if keys:
        rows = [{"table_id": table, "hash": key.hash, "seats": ",".join(map(str, key.seats))} for key in keys]
        connection.execute(insert(KEYS), rows)


def _read_seats(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(",")))
