"""Serve the built page. Files with a hash in their name are cached forever, others are revalidated.

The page is a single-page application that routes its own addresses (`/play/GAME`, `/t/ID`), so they all get the same
file, and the page itself shows "not found". A Link header announces the files that an address needs, so that browsers
fetch them all at once.
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

from threespan.core.registry import codes
from threespan.server.http.common import language_of

FOLDER = Path(__file__).parents[1] / "page"
_INDEX = "index.html"
_PRELOADS = "preload.json"  # the files that a table, a game and a language need; written by the build
_HASHED = "assets/"  # the names of these files contain a hash
_SCREENS = frozenset({"", "play", "t", "lobby", "learn", "rules"})
_CACHE_FOREVER = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"
_PRELOAD_SCRIPT = "rel=modulepreload"
_PRELOAD_STYLE = "rel=preload; as=style; crossorigin"
_COMPRESSED_TYPES = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
_TYPES = {".js": "text/javascript", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml"}
_NOT_BUILT = """Threespan is running, but its page has not been built.

Build it with Node 20 or newer:    cd web && npm ci && npm run build
or install the package again:      pip install .

In the meantime you can play in a terminal: threespan play {game}
"""


@dataclass(frozen=True)
class PageFile:
    """A file of the page, ready to be sent."""

    body: bytes
    compressed: bytes | None  # with gzip, if that helps
    media_type: str
    etag: str
    caching: str


@get(["/", "/{path:path}"], include_in_schema=False, sync_to_thread=False)
def read_page(request: Request[Any, Any, Any]) -> Response[bytes] | Response[str]:
    """A file of the page, or its index for the addresses that it routes itself."""
    name = str(request.path_params.get("path", "")).lstrip("/")
    screen = name.partition("/")[0]
    if screen == "api":
        raise NotFoundException(detail="there is no such endpoint; /api/schema lists them all")
    index = FOLDER / _INDEX
    if not index.is_file():
        return Response(_NOT_BUILT.format(game=codes()[0]), media_type=MediaType.TEXT, status_code=503)
    file = FOLDER / name
    if name and _is_file(file) and file.resolve().is_relative_to(FOLDER.resolve()):
        return _answer(request, load_file(name, file.stat().st_mtime_ns))
    if Path(name).suffix and screen not in _SCREENS:
        raise NotFoundException(detail="there is no such file")
    built = index.stat().st_mtime_ns
    answer = _answer(request, load_file(_INDEX, built))
    answer.headers["link"] = _preload_header(request, name, built)
    return answer


def _preload_header(request: Request[Any, Any, Any], name: str, built: int) -> str:
    """The Link header with the files that an address needs besides the index."""
    preloads = load_preloads(built)
    language = language_of(request)
    parts: list[str] = [language]
    screen, _, table = name.partition("/")
    if screen == "t" and "/" not in table:
        tables = request.app.state.get("tables")
        game = tables.game_in_memory(table) if tables else ""
        parts += ["table", game, f"{game}.{language}"]
    files = dict.fromkeys(file for part in parts for file in preloads.get(part, []))
    return ", ".join(f"</{file}>; {_PRELOAD_STYLE if file.endswith('.css') else _PRELOAD_SCRIPT}" for file in files)


@lru_cache(maxsize=1)
def load_preloads(built: int) -> dict[str, list[str]]:  # noqa: ARG001
    """The files that each part of the page needs; `built` is the time of the build, to reload after a new one."""
    file = FOLDER / _PRELOADS
    preloads: dict[str, list[str]] = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return preloads


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except OSError:  # the name is too long for a file
        return False


@lru_cache(maxsize=256)
def load_file(name: str, changed: int) -> PageFile:  # noqa: ARG001
    """Read a file of the page; `changed` is its modification time, to read it again when it changes."""
    body = (FOLDER / name).read_bytes()
    media_type = _TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    compressed = gzip.compress(body, mtime=0) if media_type.startswith(_COMPRESSED_TYPES) else None
    caching = _CACHE_FOREVER if name.startswith(_HASHED) else _REVALIDATE
    return PageFile(body, compressed, media_type, f'"{hashlib.sha256(body).hexdigest()[:20]}"', caching)


def _answer(request: Request[Any, Any, Any], file: PageFile) -> Response[bytes]:
    headers = {"cache-control": file.caching, "etag": file.etag, "vary": "accept-encoding"}
    if file.etag in request.headers.get("if-none-match", ""):
        return Response(b"", headers=headers, status_code=304, media_type=file.media_type)
    if file.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(file.compressed, headers=headers, media_type=file.media_type)
    return Response(file.body, headers=headers, media_type=file.media_type)
