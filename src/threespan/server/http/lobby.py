"""Opening and finding tables, and taking open seats."""

from typing import Annotated, Any

from litestar import Request, get, post
from litestar.exceptions import HTTPException
from litestar.params import Parameter

from threespan.server.guard import Guard
from threespan.server.http.common import REFUSED, TableId, address_of, tables_of
from threespan.server.store.store import TableRow
from threespan.table.messages.lobby import Lobby, NewTable, OpenedTable, SeatKey
from threespan.table.messages.shared import TableInfo
from threespan.table.refusals import Refusal

PAGE_SIZE = 20


@post("/api/tables", responses=REFUSED)
async def open_table(request: Request[Any, Any, Any], data: NewTable) -> OpenedTable:
    """Open a table. Only this response contains its keys."""
    tables = tables_of(request)
    guard: Guard = request.app.state.guard
    if not guard.tables.of(address_of(request)).take():
        raise Refusal("too_fast")
    return await tables.open(data)


@get("/api/tables", responses=REFUSED)
async def list_tables(
    request: Request[Any, Any, Any], after: Annotated[str | None, Parameter(max_length=64)] = None
) -> Lobby:
    """Public tables that are not over, newest first."""
    tables = tables_of(request)
    rows = await tables.store.lobby(PAGE_SIZE + 1, _parse_cursor(after))
    infos = [tables.info(row) or (await tables.find(row.id)).info() for row in rows[:PAGE_SIZE]]
    return Lobby(infos, _cursor(rows[PAGE_SIZE - 1]) if len(rows) > PAGE_SIZE else None)


@get("/api/tables/{table_id:str}", responses=REFUSED)
async def read_table(request: Request[Any, Any, Any], table_id: TableId) -> TableInfo:
    """A table as everybody may see it."""
    return (await tables_of(request).find(table_id)).info()


@post("/api/tables/{table_id:str}/seats", responses=REFUSED)
async def take_seat(request: Request[Any, Any, Any], table_id: TableId) -> SeatKey:
    """Take a seat that is open to anybody."""
    tables = tables_of(request)
    return await tables.take_open_seat(await tables.find(table_id))


def _cursor(row: TableRow) -> str:
    return f"{row.created_at}-{row.id}"


def _parse_cursor(text: str | None) -> tuple[int, str] | None:
    if text is None:
        return None
    at, _, table = text.partition("-")
    if not (text.isascii() and text.isprintable() and at.isdecimal() and len(at) <= 15):
        raise HTTPException(status_code=400, detail="'after' must be the value that the previous page returned")
    return int(at), table
