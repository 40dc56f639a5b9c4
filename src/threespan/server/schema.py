"""The tables of the database, the same for SQLite and PostgreSQL. `migrations` builds and changes them."""

from sqlalchemy import BigInteger, Boolean, Column, Index, LargeBinary, MetaData, Table, Text

METADATA = MetaData()
REVISION = "0002"  # of the last of the migrations

# One row for each table that somebody has opened. `wake_at` is when somebody has to look after it: a bot is to move,
# or a clock runs out; `lease_*` says which worker does so. All times are milliseconds since 1970.
TABLES = Table(
    "tables",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("charter", LargeBinary, nullable=False),  # JSON, see `course.Charter`
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

# What has happened at a table, never changed, never removed. The primary key is the compare-and-set: only who knows all
# events of a table can append the next one, and so knows all requests that have been answered.
EVENTS = Table(
    "events",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("sequence", BigInteger, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("request", Text),  # the id that the client gave the message that caused it
    Column("body", LargeBinary, nullable=False),  # JSON, see `events`
)

# Who may act for which seats of a table: the hash of a secret. A rematch keeps the secrets of its people.
KEYS = Table(
    "keys",
    METADATA,
    Column("table_id", Text, primary_key=True),
    Column("hash", LargeBinary, primary_key=True),
    Column("seats", Text, nullable=False),  # numbers, separated by commas
)
