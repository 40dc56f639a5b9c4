"""The interface of a store of tables; `sql.py` and `memory.py` implement it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from threespan.table.events import EventRow


class Conflict(Exception):
    """Another worker has appended to the table in the meantime."""


class TableRow(NamedTuple):
    """A stored table, without its events."""

    id: str
    charter: bytes
    is_public: bool
    status: str
    created_at: int
    updated_at: int
    wake_at: int | None


class KeyRow(NamedTuple):
    """The hash of a key and the seats it gives access to."""

    hash: bytes
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Change:
    """Changes to a table's row that are stored together with its events."""

    status: str
    wake_at: int | None
    lease_owner: str | None = None
    lease_until: int = 0


class Store(ABC):
    """Stores tables, their events and their keys. A coroutine that writes returns once the data is durable."""

    # Writing

    @abstractmethod
    async def create(self, row: TableRow, keys: Sequence[KeyRow]) -> None:
        """Store a new table."""

    @abstractmethod
    async def append(self, table: str, rows: list[EventRow], change: Change | None) -> None:
        """Append events to a table; raises Conflict, and stores nothing, if the caller missed earlier events."""

    @abstractmethod
    async def add_key(self, table: str, key: KeyRow) -> None:
        """Store another seat key; raises Conflict if there is already a key for one of its seats."""

    @abstractmethod
    async def take_lease(self, table: str, owner: str, now: int, until: int) -> bool:
        """Lease a table so that only this worker handles what is due; returns False if another one has the lease."""

    @abstractmethod
    async def archive(self, before: int) -> int:
        """Archive tables that have not changed since `before`; returns how many."""

    # Reading

    @abstractmethod
    async def table(self, table: str) -> TableRow | None:
        """The row of a table, or None."""

    @abstractmethod
    async def events(self, table: str, after: int = -1) -> list[EventRow]:
        """The events of a table after a sequence number, in order."""

    @abstractmethod
    async def last_sequences(self, tables: Sequence[str]) -> dict[str, int]:
        """The sequence number of the last event of each table."""

    @abstractmethod
    async def keys(self, table: str) -> list[KeyRow]:
        """The hashed keys of a table."""

    @abstractmethod
    async def lobby(self, limit: int, before: tuple[int, str] | None) -> list[TableRow]:
        """Public tables that are not over, newest first; `before` is the creation time and id of the previous one."""

    @abstractmethod
    async def due(self, now: int, limit: int) -> list[str]:
        """Tables that are due and not leased, those that have waited longest first."""

    @abstractmethod
    async def ping(self) -> None:
        """Raise if the store does not work."""

    @abstractmethod
    async def close(self) -> None:
        """Finish pending writes and close the store."""
