"""Records and replays of finished matches."""

import asyncio
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.params import Parameter

from threespan.core.record import write_record
from threespan.core.rules import WATCHER
from threespan.core.words import DEFAULT_LANGUAGE
from threespan.server.http.common import REFUSED, LanguageCode, TableId, tables_of
from threespan.table.history import replay_of
from threespan.table.messages.lobby import Replay
from threespan.table.viewing import Reader

MAX_FRAMES = 100


@get("/api/tables/{table_id:str}/record", media_type="application/x-ndjson", responses=REFUSED)
async def read_record(request: Request[Any, Any, Any], table_id: TableId) -> Response[str]:
    """The record of a finished match; `threespan record check` verifies it."""
    table = await tables_of(request).find(table_id)
    match = await table.finished_match()
    name = f"threespan-{match.game.code}-{table.id}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(write_record(match), headers=headers, media_type="application/x-ndjson")


@get("/api/tables/{table_id:str}/replay", responses=REFUSED)
async def read_replay(
    request: Request[Any, Any, Any],
    table_id: TableId,
    first: Annotated[int, Parameter(ge=0, le=100_000)] = 0,
    count: Annotated[int, Parameter(ge=1, le=MAX_FRAMES)] = 20,
    seat: Annotated[int, Parameter(ge=-1, le=3)] = WATCHER,
    language: LanguageCode = DEFAULT_LANGUAGE,
    text_mode: bool = False,
    you: Annotated[int, Parameter(ge=-1, le=3)] = WATCHER,
) -> Replay:
    """A part of a finished match as a seat saw it, or with everything revealed (-1).

    The seat `you` is addressed as "you".
    """
    table = await tables_of(request).find(table_id)
    match = await table.finished_match()
    names, reader = table.state.names_in(language), Reader(seat, language, text_mode)
    return await asyncio.to_thread(replay_of, match, first, count, reader, names, you)
