"""The WebSocket endpoint of a table: access checks and connection counts. Plain ASGI, because it is a hot path."""

import contextlib
import re

from threespan.server.guard import Guard
from threespan.server.metrics import CONNECTIONS
from threespan.server.tables.all_tables import Tables
from threespan.server.tables.conversation import POLICY, Conversation, Disconnected, Receive, Scope, Send

_PATH = re.compile(r"/api/tables/([a-z0-9]{1,32})/socket")


async def play_at_table(scope: Scope, receive: Receive, send: Send, tables: Tables, guard: Guard) -> None:
    """Serve one client's WebSocket at a table."""
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    client = scope.get("client")
    address = guard.address(client[0] if client else "", headers.get("x-forwarded-for"))
    found = _PATH.fullmatch(scope["path"])
    await receive()  # websocket.connect
    is_allowed = found is not None and not tables.is_stopping and guard.is_own_page(headers) and guard.enter(address)
    del headers
    if found is None or not is_allowed:
        await send({"type": "websocket.close", "code": POLICY})
        return
    try:
        await send({"type": "websocket.accept"})
        with CONNECTIONS.track_inprogress(), contextlib.suppress(Disconnected):
            await Conversation(receive, send, tables, guard, address).run(found[1])
    finally:
        guard.leave(address)
