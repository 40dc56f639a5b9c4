"""Start a server: do the one-time preparations, then replace the process by one that runs only the server."""

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from uvicorn.supervisors import Multiprocess

from threespan.core.errors import UserError
from threespan.core.kernel import IS_UNCOMPILED
from threespan.core.libraries import (
    COMPILE,
    LIBRARY_VARIABLE,
    find_libraries,
    further_games,
    has_compiler,
    is_packed,
    this_machine,
    uncompiled_notice,
)
from threespan.server.logs import LOG, configure_logs
from threespan.server.settings import VARIABLE, Settings
from threespan.server.store.opening import MEMORY
from threespan.server.tables.websocket_protocol import WebSocketProtocol

_STOP_SECONDS = 5
_LINKING = "linking the rules; this happens only once and takes about half a minute"
_POLL_SECONDS = 0.1


def serve(settings: Settings, *arguments: str) -> None:
    """Prepare everything and run the server until it is stopped; `__main__` explains the arguments."""
    configure_logs(settings.log_level)
    _check_games_from_elsewhere()
    _prepare_store(settings)
    os.environ[VARIABLE] = msgspec.json.encode(settings).decode()
    folder = _libraries()
    os.environ[LIBRARY_VARIABLE] = COMPILE if folder is None else str(folder)
    # Replace the process, to free the memory of the compiler, the command line and the migrations.
    sys.stdout.flush()
    # Without -P, a module in the current folder could shadow one of ours.
    os.execv(sys.executable, [sys.executable, "-P", "-m", __package__, *arguments])


def _check_games_from_elsewhere() -> None:
    """Read all that such games say before anybody plays them; raises UserError."""
    if further_games():
        from threespan.server.loading import check_games

        check_games()
        if is_packed(find_libraries()):
            for name in further_games():
                LOG.warning(uncompiled_notice(name))


def _prepare_store(settings: Settings) -> None:
    """Create or update the tables of the database; raises UserError."""
    if not settings.database_url().startswith(MEMORY):
        from threespan.server.store.database import prepare_database

        prepare_database(settings.database_url())


def _libraries() -> Path | None:
    """The folder of the libraries. The first time in a source tree they are linked, the bots in the background.

    None if they cannot be made here, so that workers have to load the compiler.
    """
    if IS_UNCOMPILED:
        return None
    if (folder := find_libraries()) is None and has_compiler():
        from threespan.core.linking import can_link, link_in_background

        if can_link(this_machine()):
            LOG.warning(_LINKING)
            process = link_in_background()
            while (folder := find_libraries()) is None and process.poll() is None:
                time.sleep(_POLL_SECONDS)
    elif folder is not None and find_libraries("bots") is None and has_compiler():
        from threespan.core.linking import link_in_background

        link_in_background()
    if folder is None and not has_compiler():
        raise UserError("there is no library for this machine; install threespan[build], which makes one")
    if folder is None:
        LOG.warning("the rules could not be linked; the server will need more memory")
    else:
        with contextlib.suppress(OSError):
            (folder / this_machine().file_name("rules")).touch()  # so that it is not removed from the cache
    return folder


def run(settings: Settings) -> None:
    """Run the workers until they are stopped."""
    configure_logs(settings.log_level)
    config = uvicorn_config(
        settings,
        f"{__package__}.app:create_worker",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
    )
    if settings.workers > 1:
        Multiprocess(config, sockets=[config.bind_socket()]).run()
    else:
        uvicorn.Server(config).run()


def uvicorn_config(settings: Settings, app: Any, **more: Any) -> uvicorn.Config:
    """The uvicorn configuration of an application."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        ws=WebSocketProtocol,
        ws_max_size=settings.limits.message_bytes,
        ws_max_queue=8,
        ws_ping_interval=settings.heartbeat_seconds,
        ws_ping_timeout=settings.heartbeat_seconds,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=_STOP_SECONDS,
        server_header=False,
        proxy_headers=False,
        **more,
    )
