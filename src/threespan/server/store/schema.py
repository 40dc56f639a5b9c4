"""The tables of the database, the same for SQLite and PostgreSQL. `migrations` builds and changes them."""

from sqlalchemy import BigInteger, Boolean, Column, Index, LargeBinary, MetaData, Table, Text

METADATA = MetaData()
REVISION = "0002"  # of the latest migration

# One row per table. `wake_at` is when a worker has to do something for it: let a bot move, or let a clock run out;
# `lease_*` says which worker does so. All times are milliseconds since 1970.
TABLES = Table(
    "tables",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("charter", LargeBinary, nullable=False),  # JSON, see `table.events.Charter`
    Column("is_public", Boolean, nullable=False),
    Column("status", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("wake_at", BigInteger),
    Column("lease_owner", Text),
    Column("lease_until", BigInteger, nullable=False, default=0),
    Index("tables_lobby", "is_public", "status", "created_at", "id"),
    Index("tables_wake", "wake_at"),
    Index("tables_stale", "status", "updated_at"),
)

# The events of all tables, append-only. The primary key serves as compare-and-set: only a worker that knows all events
# of a table can append the next one, so it also knows all requests that have been carried out.
EVENTS = Table(
    "events",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("sequence", BigInteger, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("request", Text),  # the key of the message that caused it
    Column("body", LargeBinary, nullable=False),  # JSON, see `table.events`
)

# Who may act for which seats of a table: the hash of a secret key. A rematch keeps the keys of its people.
KEYS = Table(
    "keys",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("hash", LargeBinary, primary_key=True),
    Column("seats", Text, nullable=False),  # seat numbers, separated by commas
)
