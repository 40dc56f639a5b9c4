"""QR codes for links to tables."""

import io
from typing import Any

import segno
from litestar import Request, Response, post

from threespan.server.http.common import REFUSED, tables_of
from threespan.table.messages.lobby import QrText


@post("/api/qr", media_type="image/svg+xml", status_code=200, responses=REFUSED)
async def draw_qr(request: Request[Any, Any, Any], data: QrText) -> Response[bytes]:
    """A QR code. The text is in the request body, so that no key ends up in an access log."""
    tables_of(request)
    picture = io.BytesIO()
    segno.make(data.text, error="m").save(picture, kind="svg", border=2, xmldecl=False, svgclass=None, lineclass=None)
    return Response(picture.getvalue(), media_type="image/svg+xml")
