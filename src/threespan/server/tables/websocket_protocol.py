"""Uvicorn's WebSocket protocol with two changes.

It does not wait forever for a client that does not read, and it needs a third less memory.
"""

import asyncio
from asyncio import TimerHandle
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class LightEvent:
    """Like `asyncio.Event`, with less memory."""

    __slots__ = ("_is_set", "_waiting")

    def __init__(self) -> None:
        """Start set."""
        self._is_set = True
        self._waiting: list[asyncio.Future[None]] | None = None

    def is_set(self) -> bool:
        """Whether it is set."""
        return self._is_set

    def set(self) -> None:
        """Set it and wake up everybody who waits."""
        self._is_set = True
        for future in self._waiting or ():
            if not future.done():
                future.set_result(None)
        self._waiting = None

    def clear(self) -> None:
        """Reset it."""
        self._is_set = False

    async def wait(self) -> None:
        """Wait until it is set."""
        while not self._is_set:
            self._waiting = self._waiting or []
            self._waiting.append(future := asyncio.get_running_loop().create_future())
            await future


class LightQueue:
    """Like `asyncio.Queue` for a single reader, with less memory."""

    __slots__ = ("_filled", "_messages")

    def __init__(self) -> None:
        """Start empty."""
        self._messages: list[Any] = []
        self._filled = LightEvent()
        self._filled.clear()

    def put_nowait(self, message: Any) -> None:
        """Add a message."""
        self._messages.append(message)
        self._filled.set()

    async def get(self) -> Any:
        """Remove and return the oldest message; waits for one."""
        await self._filled.wait()
        message = self._messages.pop(0)
        if not self._messages:
            self._filled.clear()
        return message

    def empty(self) -> bool:
        """Whether there is no message."""
        return not self._messages


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A connection that is aborted if the client does not read."""

    _abort_timer: TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Use a lighter queue and event than asyncio's, which need four kilobytes."""
        super().__init__(*args, **kwargs)
        self.queue = LightQueue()  # type: ignore[assignment]
        self.writable = LightEvent()  # type: ignore[assignment]

    def start_keepalive(self) -> None:
        """Free the data of the handshake, which is finished."""
        super().start_keepalive()
        self.scope.clear()  # type: ignore[attr-defined]
        del self.request, self.response

    def pause_writing(self) -> None:
        """The client does not read: abort the connection after the ping timeout."""
        super().pause_writing()
        self._abort_timer = self.loop.call_later(self.ping_timeout or 0, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        self._cancel_abort_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        super().connection_lost(exc)
        self._cancel_abort_timer()

    def handle_ping(self) -> None:
        """Answer a ping, unless the client does not read: answers must not pile up."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def keepalive_timeout(self) -> None:
        """The client does not answer pings: abort, since closing would wait until it has read everything."""
        super().keepalive_timeout()
        self.transport.abort()

    def _cancel_abort_timer(self) -> None:
        if self._abort_timer is not None:
            self._abort_timer.cancel()
            self._abort_timer = None
