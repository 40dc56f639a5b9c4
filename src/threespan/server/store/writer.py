"""One thread for all writes, with group commit.

It takes all writes that were queued during the last transaction and commits them together; only then are they
confirmed. So many moves share one wait for the disk.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import IntegrityError

from threespan.server.store.schema import EVENTS
from threespan.server.store.store import Change, Conflict
from threespan.table.events import EventRow

_MAX_GROUP = 512
_BUSY = 24  # writes in one transaction; from there on it pays to wait for more before the next one
_GATHER_SECONDS = 0.016

_Result = TypeVar("_Result")


@dataclass
class _Append:
    """Events to be appended."""

    table: str
    rows: list[EventRow]
    change: Change | None
    done: "asyncio.Future[None]"


@dataclass
class _Write:
    """Any other change."""

    work: Callable[[Connection], Any]
    done: "asyncio.Future[Any]"


class Writer:
    """The writer thread and its queue."""

    def __init__(self, engine: Engine) -> None:
        """Start the thread for a database."""
        self._engine = engine
        self._queue: queue.SimpleQueue[_Append | _Write | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_loop, name="store-writer", daemon=True)
        self._thread.start()

    async def append(self, table: str, rows: list[EventRow], change: Change | None) -> None:
        """Append events to a table; raises Conflict, and stores nothing, if the caller missed earlier events."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.put(_Append(table, rows, change, done))
        await done

    async def write(self, work: Callable[[Connection], _Result]) -> _Result:
        """Run any other change in a transaction and return its result."""
        done: asyncio.Future[_Result] = asyncio.get_running_loop().create_future()
        self._queue.put(_Write(work, done))
        return await done

    async def close(self) -> None:
        """Finish pending writes and stop the thread."""
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _write_loop(self) -> None:
        """Commit queued writes, group by group, until the writer is closed."""
        is_open, is_busy = True, False
        while is_open:
            group = [self._queue.get()]
            if is_busy:
                time.sleep(_GATHER_SECONDS)
            while len(group) < _MAX_GROUP and not self._queue.empty():
                group.append(self._queue.get())
            is_open, is_busy = group[-1] is not None, len(group) >= _BUSY
            self._write_group([write for write in group if write is not None])

    def _write_group(self, group: list[_Append | _Write]) -> None:
        """Commit a group in one transaction or, if that fails, each write in its own."""
        if len(group) > 1 and self._commit(group, is_last_try=False):
            return
        for write in group:
            self._commit([write], is_last_try=True)

    def _commit(self, writes: Sequence[_Append | _Write], is_last_try: bool) -> bool:
        """Commit writes in one transaction and confirm them; False if that failed and they may be retried singly."""
        try:
            with self._engine.begin() as connection:
                results = [write.work(connection) for write in writes if isinstance(write, _Write)]
                if appends := [write for write in writes if isinstance(write, _Append)]:
                    _append_all(connection, appends)
        except Exception as error:
            if is_last_try:
                _resolve(writes, [], Conflict() if isinstance(error, IntegrityError) else error)
            return False
        _resolve(writes, results, None)
        return True


def _resolve(writes: Sequence[_Append | _Write], results: list[Any], error: Exception | None) -> None:
    """Resolve the futures of several writes at once, because waking the event loop is expensive."""

    def resolve() -> None:
        following = iter(results)
        for write in writes:
            result = next(following, None) if isinstance(write, _Write) else None
            if write.done.done():
                continue  # cancelled
            if error is None:
                write.done.set_result(result)
            else:
                write.done.set_exception(error)

    with contextlib.suppress(RuntimeError):  # the event loop is closed
        writes[0].done.get_loop().call_soon_threadsafe(resolve)


def _append_all(connection: Connection, appends: Sequence[_Append]) -> None:
    """Insert all events with one statement; with one per row, the thread would have to reacquire the GIL after each."""
    values = [value for write in appends for row in write.rows for value in (write.table, *row)]
    placeholder = "?" if connection.dialect.paramstyle == "qmark" else "%s"
    row_placeholders = f"({','.join([placeholder] * _COLUMNS)})"
    for first in range(0, len(values), _MAX_VALUES):
        part = values[first : first + _MAX_VALUES]
        rows = ",".join([row_placeholders] * (len(part) // _COLUMNS))
        connection.exec_driver_sql(f"{_INSERT} {rows}", tuple(part))
    changes = [_change_values(write) for write in appends if write.change is not None]
    if changes:
        connection.execute(_CHANGE, changes)


_COLUMNS = 1 + len(EventRow._fields)
_MAX_VALUES = 512 * _COLUMNS  # in one statement
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
