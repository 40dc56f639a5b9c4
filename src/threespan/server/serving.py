"""Starting a server: first everything that has to be done once, then a process with nothing but the server in it."""

import os
import sys
from pathlib import Path

import msgspec
import uvicorn
from uvicorn.supervisors import Multiprocess

from threespan.core.kernel import LIBRARY_VARIABLE
from threespan.server.logs import LOG, configure_logs
from threespan.server.settings import VARIABLE, Settings
from threespan.server.wire import Wire

_STOP_SECONDS = 5


def serve(settings: Settings, *arguments: str) -> None:
    """Get everything ready and run the server until it is told to stop; see `__main__` for the arguments."""
    from threespan.server.store import prepare_database

    configure_logs(settings.log_level)
    prepare_database(settings.database_url())
    os.environ[VARIABLE] = msgspec.json.encode(settings).decode()
    if library := _linked_rules():
        os.environ[LIBRARY_VARIABLE] = str(library)
    # The process begins anew: compiler, command line and migrations are gone from its memory.
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", __package__, *arguments])


def _linked_rules() -> Path | None:
    """The library of the rules, made the first time on a machine; without one, workers have the compiler in memory."""
    from threespan.core.linking import library_file, link_elsewhere

    file = library_file()
    if file is None or file.exists():
        return file
    LOG.info("the rules are being compiled, once; this takes about half a minute")
    if link_elsewhere(file):
        return file
    LOG.warning("the rules could not be linked; the server will need more memory")
    return None


def run(settings: Settings) -> None:
    """Run workers until they are told to stop."""
    configure_logs(settings.log_level)
    config = uvicorn.Config(
        f"{__package__}.app:create_worker",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        log_config=None,
        access_log=False,
        ws=Wire,
        ws_max_size=settings.limits.message_bytes,
        ws_max_queue=8,
        ws_ping_interval=settings.heartbeat_seconds,
        ws_ping_timeout=settings.heartbeat_seconds,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=_STOP_SECONDS,
        server_header=False,
        proxy_headers=False,
    )
    if settings.workers > 1:
        Multiprocess(config, sockets=[config.bind_socket()]).run()
    else:
        uvicorn.Server(config).run()
