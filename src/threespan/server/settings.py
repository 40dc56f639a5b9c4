"""The settings of a server. They come from the command line; worker processes inherit them via the environment."""

import os
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from threespan.core.errors import UserError
from threespan.server.store.opening import MEMORY

VARIABLE = "THREESPAN_SERVER"  # settings as JSON, for worker processes

_LIMIT = "limits."
_Positive = Annotated[float, Meta(gt=0)]
_Count = Annotated[int, Meta(ge=1)]


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Limits for one client, one address or one table."""

    message_bytes: _Count = 16_384
    messages_per_second: _Positive = 20.0  # per connection
    messages_at_once: _Count = 60
    address_messages_per_second: _Positive = 200.0
    address_messages_at_once: _Count = 600
    connections_per_address: _Count = 100
    requests_per_second: _Positive = 10.0  # HTTP, per address
    requests_at_once: _Count = 100
    tables_per_hour: _Count = 120  # opened per address
    connections_per_table: _Count = 500
    queued_messages: _Count = 64  # for a client that reads too slowly, before it is disconnected


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The configuration of a server."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    public_url: str = ""  # at which others reach the server; empty: the machine's address in the local network
    lan_address: str = ""  # of this machine in the local network; empty: it is detected
    database: str = ""  # a URL; memory:// keeps nothing after the server stops; empty: SQLite in the user's data folder
    bus: str = "memory://"
    workers: _Count = 1
    bot_threads: Annotated[int, Meta(ge=0)] = 1  # bots that think at a time, per worker; 0 for no bots
    origins: tuple[str, ...] = ()  # additional origins whose pages may connect
    behind_proxy: bool = False  # take the client's address from X-Forwarded-For
    archive_after_hours: _Positive = 24.0 * 14
    absent_after_seconds: Annotated[float, Meta(ge=0)] = 30.0  # after that others may let a bot play for a person
    heartbeat_seconds: _Positive = 20.0
    durable: bool = True  # SQLite waits for the disk before a move is confirmed
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    limits: Limits = Limits()

    def __post_init__(self) -> None:
        """Check that several workers share a database and a bus."""
        if self.workers > 1 and self.bus.startswith("memory:"):
            raise ValueError("several workers need a shared bus: --bus redis://HOST")
        if self.workers > 1 and self.database_url().startswith(("sqlite:", MEMORY)):
            raise ValueError("several workers need a database server: --database postgresql://USER@HOST/NAME")

    def database_url(self) -> str:
        """The URL of the database for SQLAlchemy."""
        url = self.database or f"sqlite:///{data_home() / 'tables.sqlite'}"
        for plain in ("postgresql://", "postgres://"):
            if url.startswith(plain):
                return "postgresql+psycopg://" + url.removeprefix(plain)
        return url


def data_home() -> Path:
    """The default folder for the server's database."""
    if own := os.environ.get("THREESPAN_STATE"):
        return Path(own)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "threespan"


def read_settings(values: dict[str, object]) -> Settings:
    """Settings from names and values of the command line; raises UserError.

    Limits are named `limits.NAME`; origins are separated by commas.
    """
    plain: dict[str, Any] = {name: value for name, value in values.items() if not name.startswith(_LIMIT)}
    limits = {name.removeprefix(_LIMIT): value for name, value in values.items() if name.startswith(_LIMIT)}
    if limits:
        plain["limits"] = limits
    if isinstance(plain.get("origins"), str):
        plain["origins"] = plain["origins"].split(",")
    try:
        return msgspec.convert(plain, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise UserError(str(error).replace("`$.", "`")) from None


def settings_from_environment() -> Settings:
    """The settings passed on by the parent process."""
    return msgspec.json.decode(os.environ.get(VARIABLE, "{}"), type=Settings)
