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
        self.outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._most_queued = most_queued
        self.end_code = ""  # why the connection ends, once it does

    def send(self, message: msgspec.Struct) -> None:
        """Queue a message."""
        self.send_bytes(encode_message(message))

    def send_bytes(self, body: bytes) -> None:
        """Queue an encoded message; a client that does not read is dropped, not buffered."""
        if self.is_ending:
            return
        if self.outbox.qsize() >= self._most_queued:
            CLIENTS_DROPPED.inc()
            while not self.outbox.empty():
                self.outbox.get_nowait()
            self.end(Refusal("too_slow"))
            return
        self.outbox.put_nowait(body)

    def end(self, reason: Refusal) -> None:
        """Say goodbye and end the connection."""
        if not self.is_ending:
            self.end_code = reason.code
            self.outbox.put_nowait(encode_message(Bye(reason.code, reason.text(self.language))))
            self.outbox.put_nowait(None)

    @property
    def is_ending(self) -> bool:
        """Whether nothing more will be sent."""
        return bool(self.end_code)
