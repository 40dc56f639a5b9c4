"""The WebSocket connection itself: uvicorn's, with two changes.

It does not wait for ever for a client that does not read, and it weighs a third less.
"""

import asyncio
from asyncio import TimerHandle
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class Gate:
    """Whether one may go on; like `asyncio.Event`."""

    __slots__ = ("_is_open", "_waiting")

    def __init__(self) -> None:
        """An open gate."""
        self._is_open = True
        self._waiting: list[asyncio.Future[None]] | None = None

    def is_set(self) -> bool:
        """Whether the gate is open."""
        return self._is_open

    def set(self) -> None:
        """Open the gate."""
        self._is_open = True
        for future in self._waiting or ():
            if not future.done():
                future.set_result(None)
        self._waiting = None

    def clear(self) -> None:
        """Close the gate."""
        self._is_open = False

    async def wait(self) -> None:
        """Wait until the gate is open."""
        while not self._is_open:
            self._waiting = self._waiting or []
            self._waiting.append(future := asyncio.get_running_loop().create_future())
            await future


class Inbox:
    """What a client has sent and nobody has read yet, for one reader; like `asyncio.Queue`."""

    __slots__ = ("_gate", "_messages")

    def __init__(self) -> None:
        """Empty."""
        self._messages: list[Any] = []
        self._gate = Gate()
        self._gate.clear()

    def put_nowait(self, message: Any) -> None:
        """Add a message."""
        self._messages.append(message)
        self._gate.set()

    async def get(self) -> Any:
        """The oldest message; waits for one."""
        await self._gate.wait()
        message = self._messages.pop(0)
        if not self._messages:
            self._gate.clear()
        return message

    def empty(self) -> bool:
        """Whether there is no message."""
        return not self._messages


class Wire(WebSocketsSansIOProtocol):
    """A connection whose client has to read what it is sent, or loses it."""

    _patience: TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """A connection with a lighter queue and a lighter gate than asyncio's, which weigh four kilobytes."""
        super().__init__(*args, **kwargs)
        self.queue = Inbox()  # type: ignore[assignment]
        self.writable = Gate()  # type: ignore[assignment]

    def start_keepalive(self) -> None:
        """The handshake is done: nobody needs any more what was said in it."""
        super().start_keepalive()
        self.scope.clear()  # type: ignore[attr-defined]
        del self.request, self.response

    def pause_writing(self) -> None:
        """The client does not read: give it as long as for a sign of life."""
        super().pause_writing()
        self._patience = self.loop.call_later(self.ping_timeout or 0, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        self._lose_patience()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended."""
        super().connection_lost(exc)
        self._lose_patience()

    def handle_ping(self) -> None:
        """Answer, but pile up no answers for a client that does not read them."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def keepalive_timeout(self) -> None:
        """The client gives no sign of life: closing would wait until it has read everything."""
        super().keepalive_timeout()
        self.transport.abort()

    def _lose_patience(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None
