"""One client's connection as a table sees it: a bounded queue of messages, and whom they are for."""

import asyncio

import msgspec

from threespan.server.metrics import CLIENTS_DROPPED
from threespan.table.messages.server import Bye
from threespan.table.messages.shared import encode_message
from threespan.table.refusals import Refusal
from threespan.table.viewing import Reader


class Connection:
    """A client at a table."""

    def __init__(self, max_queued: int) -> None:
        """Start with an empty queue, before the client has said hello."""
        self.seats: tuple[int, ...] = ()  # that its key gives access to
        self.reader = Reader()
        self.notices_seen = 0  # how many the client has been sent for its viewer
        self._max_queued = max_queued
        self._outbox: list[bytes] = []
        self._outbox_filled: asyncio.Future[None] | None = None  # set while `to_send` waits
        self.end_code = ""  # why the connection is being closed, once it is

    def send(self, message: msgspec.Struct) -> None:
        """Queue a message."""
        self.send_bytes(encode_message(message))

    def send_bytes(self, body: bytes) -> None:
        """Queue an encoded message; a client that does not read is disconnected."""
        if self.is_ending:
            return
        if len(self._outbox) >= self._max_queued:
            CLIENTS_DROPPED.inc()
            self._outbox.clear()
            self.end(Refusal("too_slow"))
            return
        self._queue(body)

    def _queue(self, body: bytes) -> None:
        self._outbox.append(body)
        if self._outbox_filled is not None and not self._outbox_filled.done():
            self._outbox_filled.set_result(None)

    async def to_send(self) -> bytes:
        """Everything that is queued, one message per line; waits until there is something."""
        if not self._outbox:
            self._outbox_filled = asyncio.get_running_loop().create_future()
            await self._outbox_filled
        body = b"\n".join(self._outbox)
        self._outbox.clear()
        return body

    def end(self, reason: Refusal) -> None:
        """Send the reason and close the connection."""
        if not self.is_ending:
            self.end_code = reason.code
            self._queue(encode_message(Bye(reason.code, reason.text(self.reader.language))))

    @property
    def is_ending(self) -> bool:
        """Whether the connection is being closed, so nothing more will be queued."""
        return bool(self.end_code)
