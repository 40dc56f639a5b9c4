"""The application: everything put together, for uvicorn."""

import gc
import os
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from litestar import Litestar, Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from uvicorn.supervisors import Multiprocess

from threespan import __version__
from threespan.core import calls
from threespan.core.kernel import is_compiled
from threespan.core.registry import codes, find_game
from threespan.server import lobby, pages, tables
from threespan.server.guard import HEADERS, Guard
from threespan.server.logs import LOG, configure_logs
from threespan.server.metrics import FAILURES
from threespan.server.protocol import Problem
from threespan.server.settings import VARIABLE, Settings, settings_from_environment
from threespan.server.socket import play_at_table
from threespan.server.wire import Wire
from threespan.server.words import Refusal

_STOP_SECONDS = 5
_GARBAGE = (20_000, 10, 50)  # how many new objects, and so on, between two collections
_HANDLERS = [
    lobby.list_games,
    lobby.read_rules,
    lobby.list_phrases,
    lobby.open_table,
    lobby.list_tables,
    lobby.read_table,
    lobby.take_seat,
    lobby.read_record,
    lobby.read_replay,
    lobby.draw_qr,
    lobby.is_alive,
    lobby.is_ready,
    lobby.read_metrics,
    pages.read_page,
]


class Application:
    """One worker: Litestar answers requests, tables talk over WebSockets themselves."""

    def __init__(self, settings: Settings) -> None:
        """A worker with these settings; it opens its tables when the server starts."""
        self.pages = _create_pages(settings)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer as ASGI says."""
        if scope["type"] == "websocket":
            state = self.pages.state
            await play_at_table(scope, receive, send, state.tables, state.guard)
        else:
            await self.pages(scope, receive, send)


def _create_pages(settings: Settings) -> Litestar:

    @asynccontextmanager
    async def lifespan(app: Litestar) -> Any:
        tables.load_rules()
        _settle_memory()
        own = tables.Tables(settings)
        app.state.tables, app.state.guard = own, Guard(settings)
        await own.start()
        at = f"http://{settings.host}:{settings.port}"
        LOG.info("worker started", extra={"worker": own.worker, "version": __version__, "url": at})
        try:
            yield
        finally:
            await own.stop()
            LOG.info("worker stopped", extra={"worker": own.worker})

    return Litestar(
        _HANDLERS,
        lifespan=[lifespan],
        state=State(),
        exception_handlers={Refusal: lobby.problem, HTTPException: lobby.http_problem, Exception: _internal},
        after_request=_add_headers,
        request_max_body_size=settings.limits.message_bytes,
        openapi_config=OpenAPIConfig(title="Threespan", version=__version__, path="/api/schema"),
        logging_config=None,
    )


def _settle_memory() -> None:
    """Let the garbage collector do less: what is loaded by now stays, and moves leave few cycles behind."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GARBAGE)


def create_worker() -> Application:
    """The application of a worker process that another process has started."""
    settings = settings_from_environment()
    configure_logs(settings.log_level)
    return Application(settings)


async def _add_headers(response: Any) -> Any:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _internal(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    LOG.error("a request failed", exc_info=error, extra={"path": request.url.path})
    FAILURES.inc()
    text = Refusal("internal").text(lobby.language_of(request))
    return Response(Problem("internal", text), status_code=500)


def _compile_rules() -> None:
    """The first time on a machine, compile the rules in a process of their own: it takes its memory with it."""
    folders = [Path(calls.__file__).parent, *(find_game(code).folder for code in codes())]
    if not all(is_compiled(folder) for folder in folders):
        LOG.info("the rules are being compiled, once; this takes about half a minute")
        subprocess.run([sys.executable, "-c", f"import {tables.__name__} as tables; tables.load_rules()"], check=True)


def serve(settings: Settings) -> None:
    """Run the server until it is told to stop."""
    configure_logs(settings.log_level)
    _compile_rules()
    os.environ[VARIABLE] = msgspec.json.encode(settings).decode()
    config = uvicorn.Config(
        "threespan.server.app:create_worker",
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
