"""Start a server: do the one-time preparations, then replace the process by one that runs only the server."""

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from uvicorn.supervisors import Multiprocess

from threespan.core.kernel import LIBRARY_VARIABLE, further_games
from threespan.server.logs import LOG, configure_logs
from threespan.server.settings import VARIABLE, Settings
from threespan.server.store.opening import MEMORY
from threespan.server.tables.websocket_protocol import WebSocketProtocol

_STOP_SECONDS = 5
_COMPILING = "compiling the rules; this happens only once and takes about half a minute"


def serve(settings: Settings, *arguments: str) -> None:
    """Prepare everything and run the server until it is stopped; `__main__` explains the arguments."""
    configure_logs(settings.log_level)
    _check_games_from_elsewhere()
    _prepare_store(settings)
    os.environ[VARIABLE] = msgspec.json.encode(settings).decode()
    if library := _linked_rules():
        os.environ[LIBRARY_VARIABLE] = str(library)
    else:
        _compile_rules()
    # Replace the process, to free the memory of the compiler, the command line and the migrations.
    sys.stdout.flush()
    # Without -P, a module in the current folder could shadow one of ours.
    os.execv(sys.executable, [sys.executable, "-P", "-m", __package__, *arguments])


def _check_games_from_elsewhere() -> None:
    """Read all that such games say before anybody plays them; raises UserError."""
    if further_games():
        from threespan.server.loading import check_games

        check_games()


def _prepare_store(settings: Settings) -> None:
    """Create or update the tables of the database; raises UserError."""
    if not settings.database_url().startswith(MEMORY):
        from threespan.server.store.database import prepare_database

        prepare_database(settings.database_url())


def _linked_rules() -> Path | None:
    """The library of the rules, linked the first time on a machine; without it, workers must load the compiler."""
    from threespan.core.linking import failure_marker, library_file, link_in_subprocess

    file = library_file()
    if file is None:
        return None
    if not file.exists() and not failure_marker(file).exists():
        LOG.info(_COMPILING)
        link_in_subprocess(file)
    if not file.exists():
        LOG.warning("the rules could not be linked; the server will need more memory")
        return None
    with contextlib.suppress(OSError):
        file.touch()  # so that it is not removed from the cache
    return file


def _compile_rules() -> None:
    """The first time on a machine, compile the rules in a subprocess, whose memory is freed when it ends."""
    from threespan.core import calls
    from threespan.core.kernel import is_compiled
    from threespan.core.registry import codes, find_game

    folders = [Path(calls.__file__).parent, *(find_game(code).folder for code in codes())]
    if not all(is_compiled(folder) for folder in folders):
        LOG.info(_COMPILING)
        if code := subprocess.run([sys.executable, "-P", "-m", f"{__package__}.loading"]).returncode:
            sys.exit(code)  # it has reported the reason


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
