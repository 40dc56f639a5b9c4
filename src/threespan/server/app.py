"""The application of a worker: everything put together, for uvicorn."""

import gc
import os
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Request, Response
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.plugins.core import MsgspecDIPlugin

from threespan import __version__
from threespan.core.kernel import LIBRARY_VARIABLE
from threespan.server import lobby, pages, tables
from threespan.server.guard import HEADERS, Guard
from threespan.server.logs import LOG, configure_logs
from threespan.server.metrics import FAILURES
from threespan.server.protocol import Problem
from threespan.server.settings import Settings, settings_from_environment
from threespan.server.socket import play_at_table
from threespan.server.words import Refusal

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


class _Pages(Litestar):
    """Litestar with msgspec alone: it would load pydantic and attrs wherever they are installed."""

    @staticmethod
    def _get_default_plugins(plugins: list[Any]) -> list[Any]:
        return [*plugins, MsgspecDIPlugin()]


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

    return _Pages(
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
    os.environ.pop(LIBRARY_VARIABLE, None)  # bots' processes compile for themselves
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
