"""The ASGI application of a worker."""

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
from threespan.core.libraries import COMPILE, LIBRARY_VARIABLE
from threespan.server.guard import HEADERS, Guard
from threespan.server.http import games, health, lobby, network, pages, qr, records
from threespan.server.http.common import http_problem, language_of, problem
from threespan.server.loading import load_rules_or_exit
from threespan.server.logs import LOG, configure_logs
from threespan.server.metrics import FAILURES
from threespan.server.network import LanAccess
from threespan.server.settings import Settings, settings_from_environment
from threespan.server.tables.all_tables import Tables
from threespan.server.tables.socket import play_at_table
from threespan.table.messages.lobby import Problem
from threespan.table.refusals import Refusal

_GC_THRESHOLDS = (20_000, 10, 50)
_HANDLERS = [
    games.list_games,
    games.read_rules,
    games.list_phrases,
    lobby.open_table,
    lobby.list_tables,
    lobby.read_table,
    lobby.take_seat,
    records.read_record,
    records.read_replay,
    qr.draw_qr,
    network.read_network,
    network.open_network,
    health.is_alive,
    health.is_ready,
    health.read_metrics,
    pages.read_page,
]


class Application:
    """One worker: Litestar handles HTTP requests, the tables handle their WebSockets themselves."""

    def __init__(self, settings: Settings) -> None:
        """Create a worker; it opens the store and the bus when the server starts."""
        self._http = _create_http_app(settings, LanAccess(settings, self))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle an ASGI connection."""
        if scope["type"] == "websocket":
            state = self._http.state
            await play_at_table(scope, receive, send, state.tables, state.guard)
        else:
            await self._http(scope, receive, send)


class _HttpApp(Litestar):
    """Litestar with msgspec only; by default it would load pydantic and attrs if they are installed."""

    @staticmethod
    def _get_default_plugins(plugins: list[Any]) -> list[Any]:
        return [*plugins, MsgspecDIPlugin()]


def _create_http_app(settings: Settings, lan_access: LanAccess) -> Litestar:
    @asynccontextmanager
    async def lifespan(app: Litestar) -> Any:
        _reduce_garbage_collection()
        tables = Tables(settings)
        app.state.tables, app.state.guard, app.state.lan_access = tables, Guard(settings), lan_access
        await tables.start()
        at = f"http://{settings.host}:{settings.port}"
        LOG.info("worker started", extra={"worker": tables.worker, "version": __version__, "url": at})
        try:
            yield
        finally:
            await lan_access.close()
            await tables.stop()
            LOG.info("worker stopped", extra={"worker": tables.worker})

    return _HttpApp(
        _HANDLERS,
        lifespan=[lifespan],
        state=State(),
        exception_handlers={Refusal: problem, HTTPException: http_problem, Exception: _internal},
        after_request=_add_headers,
        request_max_body_size=settings.limits.message_bytes,
        openapi_config=OpenAPIConfig(title="Threespan", version=__version__, path="/api/schema"),
        logging_config=None,
    )


def _reduce_garbage_collection() -> None:
    """Run the garbage collector less often: what is loaded now is permanent, and moves create few cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)


def create_worker() -> Application:
    """The application of a worker process, with settings from the environment."""
    settings = settings_from_environment()
    os.environ[LIBRARY_VARIABLE] = COMPILE  # for bots that need a process of their own
    configure_logs(settings.log_level)
    load_rules_or_exit()
    return Application(settings)


async def _add_headers(response: Any) -> Any:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def _internal(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    LOG.error("request failed", exc_info=error, extra={"path": request.url.path})
    FAILURES.inc()
    text = Refusal("internal").text(language_of(request))
    return Response(Problem("internal", text), status_code=500)
