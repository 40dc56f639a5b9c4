"""The WebSocket connection itself: uvicorn's, which however would wait for ever for a client that does not read."""

from asyncio import TimerHandle

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class Wire(WebSocketsSansIOProtocol):
    """A connection whose client has to read what it is sent, or loses it."""

    _patience: TimerHandle | None = None

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
