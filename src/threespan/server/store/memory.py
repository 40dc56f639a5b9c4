"""A store in the memory of one process: for tests, and for servers that need not keep their tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from threespan.server.store.store import Change, Conflict, KeyRow, Store, TableRow
from threespan.table.events import EventRow

_IN_LOBBY = ("gathering", "playing")


@dataclass
class _StoredTable:
    """Everything about one table."""

    row: TableRow
    keys: list[KeyRow]
    events: list[EventRow] = field(default_factory=list)
    lease_owner: str | None = None
    lease_until: int = 0


class MemoryStore(Store):
    """A store that loses everything when its process ends."""

    def __init__(self) -> None:
        """Start empty."""
        self._tables: dict[str, _StoredTable] = {}

    async def create(self, row: TableRow, keys: Sequence[KeyRow]) -> None:
        """Store a new table."""
        if row.id in self._tables:
            raise Conflict
        self._tables[row.id] = _StoredTable(row, list(keys))

    async def append(self, table: str, rows: list[EventRow], change: Change | None) -> None:
        """Append events to a table; raises Conflict, and stores nothing, if the caller missed earlier events."""
        stored = self._tables[table]
        if rows[0].sequence != len(stored.events):
            raise Conflict
        stored.events += rows
        if change is not None:
            stored.row = stored.row._replace(status=change.status, wake_at=change.wake_at, updated_at=rows[-1].at)
            stored.lease_owner, stored.lease_until = change.lease_owner, change.lease_until

    async def add_key(self, table: str, key: KeyRow) -> None:
        """Store another seat key; raises Conflict if there is already a key for one of its seats."""
        stored = self._tables[table]
        if any(set(other.seats) & set(key.seats) for other in stored.keys):
            raise Conflict
        stored.keys.append(key)

    async def take_lease(self, table: str, owner: str, now: int, until: int) -> bool:
        """Lease a table so that only this worker handles what is due; returns False if another one has the lease."""
        stored = self._tables[table]
        if stored.lease_until >= now and stored.lease_owner != owner:
            return False
        stored.lease_owner, stored.lease_until = owner, until
        return True

    async def archive(self, before: int) -> int:
        """Archive tables that have not changed since `before`; returns how many."""
        stale = [k for k in self._tables.values() if k.row.status in _IN_LOBBY and k.row.updated_at < before]
        for stored in stale:
            stored.row = stored.row._replace(status="archived", wake_at=None)
        return len(stale)

    async def table(self, table: str) -> TableRow | None:
        """The row of a table, or None."""
        stored = self._tables.get(table)
        return stored.row if stored else None

    async def events(self, table: str, after: int = -1) -> list[EventRow]:
        """The events of a table after a sequence number, in order."""
        stored = self._tables.get(table)
        return stored.events[after + 1 :] if stored else []

    async def last_sequences(self, tables: Sequence[str]) -> dict[str, int]:
        """The sequence number of the last event of each table."""
        known = {table: self._tables[table].events for table in tables if table in self._tables}
        return {table: events[-1].sequence for table, events in known.items() if events}

    async def keys(self, table: str) -> list[KeyRow]:
        """The hashed keys of a table."""
        stored = self._tables.get(table)
        return list(stored.keys) if stored else []

    async def lobby(self, limit: int, before: tuple[int, str] | None) -> list[TableRow]:
        """Public tables that are not over, newest first; `before` is the creation time and id of the previous one."""
        rows = [k.row for k in self._tables.values() if k.row.is_public and k.row.status in _IN_LOBBY]
        rows.sort(key=lambda row: (row.created_at, row.id), reverse=True)
        return [row for row in rows if before is None or (row.created_at, row.id) < before][:limit]

    async def due(self, now: int, limit: int) -> list[str]:
        """Tables that are due and not leased, those that have waited longest first."""
        waiting = [
            (stored.row.wake_at, table)
            for table, stored in self._tables.items()
            if stored.row.wake_at is not None and stored.row.wake_at <= now and stored.lease_until < now
        ]
        return [table for _, table in sorted(waiting)[:limit]]

    async def ping(self) -> None:
        """Do nothing: it always works."""

    async def close(self) -> None:
        """Do nothing: there are no pending writes."""
