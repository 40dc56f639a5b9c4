"""One client's connection, seen from a table: a bounded queue of messages, and whose eyes they are for."""

import asyncio

import msgspec

from threespan.core.rulebook import Language
from threespan.core.rules import WATCHER
from threespan.server.metrics import CLIENTS_DROPPED
from threespan.server.protocol import Bye, encode_message
from threespan.server.words import Refusal


class Connection:
    """A client at a table."""

    def __init__(self, most_queued: int) -> None:
        """A client that has not said hello yet."""
        self.seats: tuple[int, ...] = ()  # that its key opens
        self.viewer = WATCHER
        self.language: Language = "en"
        self.have = 0  # notices of this viewer that were sent
        self._most_queued = most_queued
        self._outbox: list[bytes] = []
        self._is_waiting: asyncio.Future[None] | None = None  # of whoever waits for something to send
        self.end_code = ""  # why the connection ends, once it does

    def send(self, message: msgspec.Struct) -> None:
        """Queue a message."""
        self.send_bytes(encode_message(message))

    def send_bytes(self, body: bytes) -> None:
        """Queue an encoded message; a client that does not read is dropped, not buffered."""
        if self.is_ending:
            return
        if len(self._outbox) >= self._most_queued:
            CLIENTS_DROPPED.inc()
            self._outbox.clear()
            self.end(Refusal("too_slow"))
            return
        self._queue(body)

    def _queue(self, body: bytes) -> None:
        self._outbox.append(body)
        if self._is_waiting is not None and not self._is_waiting.done():
            self._is_waiting.set_result(None)

    async def to_send(self) -> bytes:
        """Everything that is queued, one message a line; waits until there is something."""
        if not self._outbox:
            self._is_waiting = asyncio.get_running_loop().create_future()
            await self._is_waiting
        body = b"\n".join(self._outbox)
        self._outbox.clear()
        return body

    def end(self, reason: Refusal) -> None:
        """Say goodbye and end the connection."""
        if not self.is_ending:
            self.end_code = reason.code
            self._queue(encode_message(Bye(reason.code, reason.text(self.language))))

    @property
    def is_ending(self) -> bool:
        """Whether nothing more will be queued."""
        return bool(self.end_code)
