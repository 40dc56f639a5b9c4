"""What all endpoints share: the client's language, error responses, rate limits."""

from typing import Annotated, Any

from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter

from threespan.core.words import DEFAULT_LANGUAGE, Language, supported_language
from threespan.server.guard import Guard
from threespan.server.tables.all_tables import Tables
from threespan.table.messages.lobby import Problem
from threespan.table.messages.shared import LANGUAGE_PATTERN
from threespan.table.refusals import Refusal

_STATUS = {
    "no_table": 404,
    "no_open_seat": 409,
    "not_over": 409,
    "too_fast": 429,
    "not_at_home": 403,
    "no_network": 409,
}
REFUSED = {
    status: ResponseSpec(Problem, description=description, generate_examples=False)
    for status, description in (
        (400, "The request is invalid; the response says why."),
        (403, "Not allowed from this address."),
        (404, "Not found."),
        (409, "Not possible in the current state of the table."),
        (429, "Too many requests."),
    )
}

TableId = Annotated[str, Parameter(pattern="^[a-z0-9]{1,32}$")]
LanguageCode = Annotated[str, Parameter(pattern=LANGUAGE_PATTERN)]


def language_of(request: Request[Any, Any, Any]) -> Language:
    """The language that a client prefers."""
    for accepted in request.headers.get("accept-language", "").split(","):
        if language := supported_language(accepted.strip().partition(";")[0]):
            return language
    return DEFAULT_LANGUAGE


def problem(request: Request[Any, Any, Any], refusal: Refusal) -> Response[Problem]:
    """The error response for a refusal."""
    body = Problem(refusal.code, refusal.text(language_of(request)))
    return Response(body, status_code=_STATUS.get(refusal.code, 400))


def http_problem(_: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """The error response for an invalid request, in the same form."""
    extra = error.extra if isinstance(error.extra, list) else []
    reasons = [f"{item.get('key', '')}: {item.get('message', '')}" for item in extra if isinstance(item, dict)]
    text = "; ".join([error.detail, *reasons]) if reasons else error.detail
    code = "no_such_page" if error.status_code == 404 else "bad_request"
    return Response(Problem(code, text), status_code=error.status_code, headers=error.headers)


def tables_of(request: Request[Any, Any, Any]) -> Tables:
    """The tables of this worker; raises Refusal if the client sends too many requests."""
    guard: Guard = request.app.state.guard
    if not guard.requests.of(address_of(request)).take():
        raise Refusal("too_fast")
    tables: Tables = request.app.state.tables
    return tables


def address_of(request: Request[Any, Any, Any]) -> str:
    """The address that limits apply to."""
    guard: Guard = request.app.state.guard
    return guard.address(request.client.host if request.client else "", request.headers.get("x-forwarded-for"))
