"""Starting a server: first everything that has to be done once, then a process with nothing but the server in it."""

import contextlib
import os
import subprocess
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
_PATIENCE_PLEASE = "the rules are being compiled, once; this takes about half a minute"


def serve(settings: Settings, *arguments: str) -> None:
    """Get everything ready and run the server until it is told to stop; see `__main__` for the arguments."""
    from threespan.server.store import prepare_database

    configure_logs(settings.log_level)
    prepare_database(settings.database_url())
    os.environ[VARIABLE] = msgspec.json.encode(settings).decode()
    if library := _linked_rules():
        os.environ[LIBRARY_VARIABLE] = str(library)
    else:
        _compile_rules()
    # The process begins anew: compiler, command line and migrations are gone from its memory.
    sys.stdout.flush()
    # Without -P, a module in the current folder could be taken for one of ours.
    os.execv(sys.executable, [sys.executable, "-P", "-m", __package__, *arguments])


def _linked_rules() -> Path | None:
    """The library of the rules, made the first time on a machine; without one, workers have the compiler in memory."""
    from threespan.core.linking import failure_note, library_file, link_elsewhere

    file = library_file()
    if file is None:
        return None
    if not file.exists() and not failure_note(file).exists():
        LOG.info(_PATIENCE_PLEASE)
        link_elsewhere(file)
    if not file.exists():
        LOG.warning("the rules could not be linked; the server will need more memory")
        return None
    with contextlib.suppress(OSError):
        file.touch()  # old files of the cache are removed
    return file


def _compile_rules() -> None:
    """The first time on a machine, compile the rules in a process of their own: it takes its memory with it."""
    from threespan.core import calls
    from threespan.core.kernel import is_compiled
    from threespan.core.registry import codes, find_game

    folders = [Path(calls.__file__).parent, *(find_game(code).folder for code in codes())]
    if not all(is_compiled(folder) for folder in folders):
        LOG.info(_PATIENCE_PLEASE)
        command = f"import {__package__}.tables as tables; tables.load_rules()"
        subprocess.run([sys.executable, "-P", "-c", command], check=True)


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
