"""Everything that needs no WebSocket: games, new tables, the lobby, records and replays, QR codes, health."""

import asyncio
import io
from typing import Annotated, Any

import msgspec
import segno
from litestar import MediaType, Request, Response, get, post
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter
from msgspec import Meta
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from threespan.bots.characters import character, level_name
from threespan.bots.names import bot_names
from threespan.core.match import Match
from threespan.core.record import write_record
from threespan.core.registry import codes, find_game
from threespan.core.rulebook import LANGUAGES, Language
from threespan.core.rules import WATCHER
from threespan.server.guard import Guard
from threespan.server.protocol import (
    Lobby,
    NewTable,
    OpenedTable,
    Problem,
    Replay,
    ReplayStep,
    SeatKey,
    TableInfo,
    encode_message,
)
from threespan.server.store import TableRow
from threespan.server.tables import Tables
from threespan.server.words import Refusal, phrases

PAGE = 20
MOST_STEPS = 100
_STATUS = {"no_table": 404, "no_open_seat": 409, "not_over": 409, "too_fast": 429}
_REFUSED = {
    status: ResponseSpec(Problem, description=description, generate_examples=False)
    for status, description in (
        (400, "The request makes no sense; the answer says why."),
        (404, "There is no such thing."),
        (409, "Not in this state of the table."),
        (429, "Too much at once."),
    )
}

TableId = Annotated[str, Parameter(pattern="^[a-z0-9]{1,32}$")]


class ClauseInfo(msgspec.Struct):
    """A clause of the rules."""

    name: str
    kind: str
    title: str
    text: str
    refused: str  # what is said when it is broken


class SectionInfo(msgspec.Struct):
    """A chapter of the rules."""

    title: str
    text: str
    clauses: list[ClauseInfo]


class RulesInfo(msgspec.Struct):
    """The rules of a game in one language."""

    title: str
    text: str
    sections: list[SectionInfo]


class BotInfo(msgspec.Struct):
    """A bot of a game: its level, and who it is to the players."""

    level: str
    level_name: str
    name: str
    line: str  # of character


class GameInfo(msgspec.Struct):
    """A game that can be played here: options with the values they take (of a range its ends), and its bots."""

    code: str
    choices: dict[str, list[int | bool | str]]
    defaults: dict[str, int | bool | str]
    bots: list[BotInfo]  # from weak to strong


class QrText(msgspec.Struct):
    """What a QR code shall say."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]


class Health(msgspec.Struct):
    """Whether a worker is well."""

    ok: bool
    worker: str


def language_of(request: Request[Any, Any, Any]) -> Language:
    """The language that a client prefers."""
    for wanted in request.headers.get("accept-language", "").lower().split(","):
        for language in LANGUAGES:
            if wanted.strip().startswith(language):
                return language
    return "en"


def problem(request: Request[Any, Any, Any], refusal: Refusal) -> Response[Problem]:
    """A refusal as an answer."""
    body = Problem(refusal.code, refusal.text(language_of(request)))
    return Response(body, status_code=_STATUS.get(refusal.code, 400))


def http_problem(_: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """A request that makes no sense, as an answer of the same kind."""
    extra = error.extra if isinstance(error.extra, list) else []
    reasons = [f"{item.get('key', '')}: {item.get('message', '')}" for item in extra if isinstance(item, dict)]
    text = "; ".join([error.detail, *reasons]) if reasons else error.detail
    code = "no_such_page" if error.status_code == 404 else "bad_request"
    return Response(Problem(code, text), status_code=error.status_code, headers=error.headers)


def tables_of(request: Request[Any, Any, Any]) -> Tables:
    """The tables of this worker, if the client has not asked too much."""
    guard: Guard = request.app.state.guard
    if not guard.requests.of(address_of(request)).take():
        raise Refusal("too_fast")
    tables: Tables = request.app.state.tables
    return tables


def address_of(request: Request[Any, Any, Any]) -> str:
    """Whose limits count."""
    guard: Guard = request.app.state.guard
    return guard.address(request.client.host if request.client else "", request.headers.get("x-forwarded-for"))


@get("/api/games", responses=_REFUSED)
async def list_games(language: Language = "en") -> list[GameInfo]:
    """The games, their options and their bots."""
    games = [find_game(code) for code in codes()]
    return [
        GameInfo(game.code, game.choices(), msgspec.to_builtins(game.options()), _bots(game.code, language))  # type: ignore[call-arg]
        for game in games
    ]


def _bots(game: str, language: Language) -> list[BotInfo]:
    return [BotInfo(level, level_name(level, language), *character(game, level, language)) for level in bot_names()]


@get("/api/games/{code:str}/rules", responses=_REFUSED)
async def read_rules(code: str, language: Language = "en") -> RulesInfo:
    """The rule book of a game."""
    if code not in codes():
        raise HTTPException(status_code=404, detail=f"there is no game of that name; there are {', '.join(codes())}")
    page = find_game(code).book.page
    return RulesInfo(
        page.title.in_(language),
        page.text.in_(language),
        [
            SectionInfo(
                section.title.in_(language),
                section.text.in_(language),
                [
                    ClauseInfo(
                        name,
                        clause.kind,
                        clause.title.in_(language),
                        clause.text.in_(language),
                        clause.refused.in_(language) if clause.refused else "",
                    )
                    for name, clause in section.clauses.items()
                ],
            )
            for section in page.sections
        ],
    )


@get("/api/phrases", responses=_REFUSED)
async def list_phrases(language: Language = "en") -> dict[str, str]:
    """The set phrases that people can say to each other."""
    return phrases(language)


@post("/api/tables", responses=_REFUSED)
async def open_table(request: Request[Any, Any, Any], data: NewTable) -> OpenedTable:
    """Open a table. The answer holds its secrets, once."""
    tables = tables_of(request)
    guard: Guard = request.app.state.guard
    if not guard.tables.of(address_of(request)).take():
        raise Refusal("too_fast")
    return await tables.open(data)


@get("/api/tables", responses=_REFUSED)
async def list_tables(
    request: Request[Any, Any, Any], after: Annotated[str | None, Parameter(max_length=64)] = None
) -> Lobby:
    """Public tables that are not over, newest first."""
    tables = tables_of(request)
    rows = await tables.store.lobby(PAGE + 1, _read_place(after))
    infos = [tables.info(row) or (await tables.find(row.id)).info() for row in rows[:PAGE]]
    return Lobby(infos, _place(rows[PAGE - 1]) if len(rows) > PAGE else None)


@get("/api/tables/{table_id:str}", responses=_REFUSED)
async def read_table(request: Request[Any, Any, Any], table_id: TableId) -> TableInfo:
    """A table as everybody may see it."""
    return (await tables_of(request).find(table_id)).info()


@post("/api/tables/{table_id:str}/seats", responses=_REFUSED)
async def take_seat(request: Request[Any, Any, Any], table_id: TableId) -> SeatKey:
    """Take a seat that is open to anybody."""
    tables = tables_of(request)
    return await tables.take_open_seat(await tables.find(table_id))


@get("/api/tables/{table_id:str}/record", media_type="application/x-ndjson", responses=_REFUSED)
async def read_record(request: Request[Any, Any, Any], table_id: TableId) -> Response[str]:
    """The record of a finished match; `threespan record check` verifies it."""
    table = await tables_of(request).find(table_id)
    match = await table.finished_match()
    name = f"threespan-{match.game.code}-{table.id}.jsonl"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(write_record(match), headers=headers, media_type="application/x-ndjson")


@get("/api/tables/{table_id:str}/replay", responses=_REFUSED)
async def read_replay(
    request: Request[Any, Any, Any],
    table_id: TableId,
    first: Annotated[int, Parameter(ge=0, le=100_000)] = 0,
    count: Annotated[int, Parameter(ge=1, le=MOST_STEPS)] = 20,
    seat: Annotated[int, Parameter(ge=-1, le=3)] = WATCHER,
) -> Replay:
    """A part of a finished match with the eyes of a seat, or of everybody (-1), who now may see everything."""
    table = await tables_of(request).find(table_id)
    return await asyncio.to_thread(_replay, await table.finished_match(), first, count, seat)


def _replay(match: Match, first: int, count: int, seat: int) -> Replay:
    position = match.replayed_to(min(max(first - 1, 0), len(match.events))).position
    steps = []
    for number in range(first, min(first + count, len(match.events) + 1)):
        step = ReplayStep(WATCHER, "", msgspec.Raw(), [])
        if number:
            event = match.events[number - 1]
            action = match.game.parse_action(position.state, event.text)
            way = match.game.show(position.state, event.seat, action) if event.seat in position.seats else []
            step = ReplayStep(event.seat, event.text, msgspec.Raw(), [], way)
            position.play(event.seat, action)
        seen = position if seat not in position.seats else position.observe(seat)
        step.view = msgspec.Raw(encode_message(match.game.view(seen.state, seat)))
        step.scores = position.outcome()[0]
        steps.append(step)
    scene = msgspec.Raw(encode_message(match.game.scene(position.state, position.material)))
    return Replay(len(match.events), first, scene, steps)


@post("/api/qr", media_type="image/svg+xml", status_code=200, responses=_REFUSED)
async def draw_qr(request: Request[Any, Any, Any], data: QrText) -> Response[bytes]:
    """A QR code. The text comes in the body, so that no secret gets into anybody's log."""
    tables_of(request)
    picture = io.BytesIO()
    segno.make(data.text, error="m").save(picture, kind="svg", border=2, xmldecl=False, svgclass=None, lineclass=None)
    return Response(picture.getvalue(), media_type="image/svg+xml")


@get("/healthz")
async def is_alive(request: Request[Any, Any, Any]) -> Health:
    """Whether the worker answers at all."""
    return Health(True, request.app.state.tables.worker)


@get("/readyz", responses={503: ResponseSpec(Health, description="Not ready.", generate_examples=False)})
async def is_ready(request: Request[Any, Any, Any]) -> Response[Health]:
    """Whether the worker can do its work: database and bus answer, and it is not about to stop."""
    tables: Tables = request.app.state.tables
    try:
        await tables.store.ping()
        await tables.bus.ping()
        ok = not tables.is_stopping
    except Exception:
        ok = False
    return Response(Health(ok, tables.worker), status_code=200 if ok else 503)


@get("/metrics", media_type=MediaType.TEXT, include_in_schema=False)
async def read_metrics() -> Response[bytes]:
    """Figures for Prometheus."""
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


def _place(row: TableRow) -> str:
    return f"{row.created_at}-{row.id}"


def _read_place(text: str | None) -> tuple[int, str] | None:
    if text is None:
        return None
    at, _, table = text.partition("-")
    if not (text.isascii() and text.isprintable() and at.isdecimal() and len(at) <= 15):
        raise HTTPException(status_code=400, detail="'after' must be what an earlier page of the lobby gave")
    return int(at), table
