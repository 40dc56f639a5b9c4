"""Serving the built page: files with a hash in their name may be kept for ever, others are asked for again.

The page finds its own way (`/play/hashi`, `/t/ID`), so all its addresses lead to the same file; where there is nothing
to show, it is the page that says so and leads home. Which further files an address needs is announced in a header, so
that browsers fetch them all at once.
"""

import gzip
import hashlib
import json
import mimetypes
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from litestar import MediaType, Request, Response, get
from litestar.exceptions import NotFoundException

from threespan.server.lobby import language_of

FOLDER = Path(__file__).parent / "page"
_INDEX = "index.html"
_NEEDS = "preload.json"  # which files a table, a game, a language needs; the build writes it
_HASHED = "assets/"  # Vite puts a hash into the names of these
_SCREENS = frozenset({"", "play", "t", "lobby", "learn", "rules"})
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_PRELOAD_SCRIPT = "rel=modulepreload"
_PRELOAD_STYLE = "rel=preload; as=style; crossorigin"
_PACKED_TYPES = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml"}
_NOT_BUILT = """Threespan is running, but its page is not built.

Build it with Node 20 or newer:    cd web && npm ci && npm run build
or install the package again:      pip install .

The games can be played in a terminal meanwhile: threespan play hashi
"""


@dataclass(frozen=True)
class PageFile:
    """A file of the page, ready to be sent."""

    body: bytes
    packed: bytes | None  # with gzip, where that helps
    media_type: str
    tag: str
    caching: str


@get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False)
def read_page(request: Request[Any, Any, Any]) -> Response[bytes] | Response[str]:
    """A file of the page, or the page itself for its own addresses."""
    name = str(request.path_params.get("path", "")).lstrip("/")
    screen = name.partition("/")[0]
    if screen == "api":
        raise NotFoundException(detail="there is no such page; /api/schema lists what there is")
    index = FOLDER / _INDEX
    if not index.is_file():
        return Response(_NOT_BUILT, media_type=MediaType.TEXT, status_code=503)
    file = FOLDER / name
    if name and _is_file(file) and file.resolve().is_relative_to(FOLDER.resolve()):
        return _answer(request, load_file(name, file.stat().st_mtime_ns))
    if Path(name).suffix and screen not in _SCREENS:
        raise NotFoundException(detail="there is no such file")
    built = index.stat().st_mtime_ns
    answer = _answer(request, load_file(_INDEX, built))
    answer.headers["link"] = _announce(request, name, built)
    return answer


def _announce(request: Request[Any, Any, Any], name: str, built: int) -> str:
    """What an address needs beyond the page itself, as a Link header."""
    needs = load_needs(built)
    wanted: list[str] = [language_of(request)]
    screen, _, table = name.partition("/")
    if screen == "t" and "/" not in table:
        tables = request.app.state.get("tables")
        wanted += ["table", tables.game_in_memory(table) if tables else ""]
    files = dict.fromkeys(file for one in wanted for file in needs.get(one, []))
    return ", ".join(f"</{file}>; {_PRELOAD_STYLE if file.endswith('.css') else _PRELOAD_SCRIPT}" for file in files)


@lru_cache(maxsize=1)
def load_needs(built: int) -> dict[str, list[str]]:  # noqa: ARG001
    """Which files what needs, in the page that was `built` then."""
    file = FOLDER / _NEEDS
    needs: dict[str, list[str]] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return needs


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError:  # no file can have such a long name
        return False


@lru_cache(maxsize=256)
def load_file(name: str, changed: int) -> PageFile:  # noqa: ARG001
    """Read a file of the page; one that has `changed` since is read anew."""
    body = (FOLDER / name).read_bytes()
    media_type = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    packed = gzip.compress(body, mtime=0) if media_type.startswith(_PACKED_TYPES) else None
    caching = _FOR_EVER if name.startswith(_HASHED) else _ASK_AGAIN
    return PageFile(body, packed, media_type, f'"{hashlib.sha256(body).hexdigest()[:20]}"', caching)


def _answer(request: Request[Any, Any, Any], file: PageFile) -> Response[bytes]:
    headers = {"cache-control": file.caching, "etag": file.tag, "vary": "accept-encoding"}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(b"", headers=headers, status_code=304, media_type=file.media_type)
    if file.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(file.packed, headers=headers, media_type=file.media_type)
    return Response(file.body, headers=headers, media_type=file.media_type)
