"""Open a database, SQLite or PostgreSQL, and migrate it if necessary."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from threespan.core.errors import UserError
from threespan.server.store.schema import REVISION

READERS = 2  # threads
_MAX_PAGES_IN_LOG = 20_000  # beyond that, the writer must checkpoint SQLite's log, and all moves wait for it
_MIGRATION_LOCK = 0x74687265  # the key of a PostgreSQL advisory lock


def prepare_database(url: str) -> None:
    """Create or migrate the schema of a database; raises UserError."""
    open_database(url, durable=True).dispose()


def open_database(url: str, durable: bool) -> Engine:
    """Open a database and migrate it if necessary; raises UserError."""
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
        return create_engine(parsed, pool_size=READERS + 1, pool_pre_ping=True, hide_parameters=True)
    if parsed.database not in (None, "", ":memory:"):
        Path(str(parsed.database)).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(parsed, pool_size=READERS + 2, connect_args={"timeout": 30}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        cursor.execute("PRAGMA cache_size = -4096")
        cursor.execute(f"PRAGMA wal_autocheckpoint = {_MAX_PAGES_IN_LOG}")
        cursor.close()

    return engine


def _is_up_to_date(engine: Engine) -> bool:
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        return bool(connection.scalar(text("SELECT version_num FROM alembic_version")) == REVISION)


def _migrate(engine: Engine) -> None:
    """Migrate to the latest schema; a lock allows several workers to start at once."""
    from alembic import command  # ten megabytes that a worker with an up-to-date database does not need
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
