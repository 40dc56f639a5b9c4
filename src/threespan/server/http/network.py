"""Access for the local network: how others reach this server, and opening it; only for the machine it runs on."""

from typing import Any

from litestar import Request, get, post

from threespan.server.guard import Guard
from threespan.server.http.common import REFUSED, address_of, tables_of
from threespan.server.network import LanAccess, is_loopback, lan_address
from threespan.server.tables.all_tables import Tables
from threespan.table.messages.lobby import NetworkInfo
from threespan.table.refusals import Refusal


@get("/api/network", responses=REFUSED)
async def read_network(request: Request[Any, Any, Any]) -> NetworkInfo:
    """How others reach this server; other machines learn nothing from the response."""
    tables = tables_of(request)
    return _info(request, tables) if _is_from_own_machine(request) else NetworkInfo("", False, True)


@post("/api/network", status_code=200, responses=REFUSED)
async def open_network(request: Request[Any, Any, Any]) -> NetworkInfo:
    """Open the server to the local network."""
    tables = tables_of(request)
    guard: Guard = request.app.state.guard
    if not _is_from_own_machine(request) or not guard.is_own_page(request.headers):
        raise Refusal("not_at_home")
    lan_access: LanAccess = request.app.state.lan_access
    await lan_access.open(_port(request))
    return _info(request, tables)


def _info(request: Request[Any, Any, Any], tables: Tables) -> NetworkInfo:
    lan_access: LanAccess = request.app.state.lan_access
    port = _port(request)
    return NetworkInfo(lan_access.address(port), lan_access.may_open(port), bool(lan_address(tables.settings)))


def _is_from_own_machine(request: Request[Any, Any, Any]) -> bool:
    """Whether a request comes from the server's own machine and uses one of its loopback names."""
    name = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
    return is_loopback(address_of(request)) and is_loopback(name)


def _port(request: Request[Any, Any, Any]) -> int:
    """The port at which the request arrived."""
    server = request.scope.get("server")
    return server[1] or 0 if server else 0
