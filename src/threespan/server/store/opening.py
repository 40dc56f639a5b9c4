"""Choosing the store for a URL."""

from threespan.server.store.store import Store

MEMORY = "memory:"


def open_store(url: str, durable: bool) -> Store:
    """The store for `memory://` or the URL of a database; raises UserError."""
    if url.startswith(MEMORY):
        from threespan.server.store.memory import MemoryStore

        return MemoryStore()
    from threespan.server.store.sql import SqlStore

    return SqlStore(url, durable)
