"""Signals between workers when something has happened at a table: in one process, or through Redis."""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from threespan.core.errors import UserError
from threespan.server.logs import LOG

_CHANNEL = "threespan"
_RETRY_SECONDS = 0.5


class Signal(msgspec.Struct, array_like=True, omit_defaults=True):
    """News about a table: it has events up to `sequence`, or people have connected or left, or somebody chats."""

    worker: str
    table: str
    sequence: int = -1
    present: list[int] | None = None  # the seats whose people are connected to that worker
    said: tuple[int, str] | None = None  # seat and phrase


Listener = Callable[[Signal], Awaitable[None]]


class Bus(ABC):
    """Delivers signals to all other workers. Signals may get lost, so workers also check the store now and then."""

    is_shared = False  # whether there may be other workers

    @abstractmethod
    async def start(self, listener: Listener) -> None:
        """Start listening."""

    @abstractmethod
    def send(self, signal: Signal) -> None:
        """Send a signal to the other workers, without waiting for it."""

    @abstractmethod
    async def ping(self) -> None:
        """Raise if the bus does not work."""

    @abstractmethod
    async def close(self) -> None:
        """Stop listening."""


class MemoryBus(Bus):
    """The bus of a single worker: there is nobody to send signals to."""

    async def start(self, listener: Listener) -> None:
        """Do nothing: no signals will arrive."""

    def send(self, signal: Signal) -> None:
        """Do nothing: nobody listens."""

    async def ping(self) -> None:
        """Do nothing: it always works."""

    async def close(self) -> None:
        """Do nothing."""


class RedisBus(Bus):
    """Publishes on a Redis channel; reconnects when the connection is lost."""

    is_shared = True

    def __init__(self, url: str, worker: str) -> None:
        """Create the bus of one worker; raises UserError if the package redis is missing."""
        try:
            from redis.asyncio import Redis  # an optional extra
        except ModuleNotFoundError:
            raise UserError("the bus needs the package redis; install it: pip install 'threespan[redis]'") from None
        self._redis: Any = Redis.from_url(url)
        self._worker = worker
        self._outbox: asyncio.Queue[Signal] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, listener: Listener) -> None:
        """Start listening and publishing; raises UserError if Redis cannot be reached."""
        try:
            await self._redis.ping()
        except Exception as error:
            raise UserError(f"the bus cannot be used: {error}") from None
        self._tasks = [asyncio.create_task(self._publish_loop()), asyncio.create_task(self._listen_loop(listener))]

    def send(self, signal: Signal) -> None:
        """Queue a signal. If the queue is full it is dropped; the others notice at their next check of the store."""
        with contextlib.suppress(asyncio.QueueFull):
            self._outbox.put_nowait(signal)

    async def ping(self) -> None:
        """Raise if Redis does not answer."""
        await self._redis.ping()

    async def close(self) -> None:
        """Stop listening and publishing."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    async def _publish_loop(self) -> None:
        while True:
            signal = await self._outbox.get()
            try:
                await self._redis.publish(_CHANNEL, msgspec.msgpack.encode(signal))
            except Exception:
                LOG.warning("bus: signal lost", exc_info=True)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _listen_loop(self, listener: Listener) -> None:
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(_CHANNEL)
                    async for message in channel.listen():
                        if message["type"] == "message":
                            await self._deliver(message["data"], listener)
            except asyncio.CancelledError:
                raise
            except Exception:
                LOG.warning("bus: reconnecting", exc_info=True)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _deliver(self, data: bytes, listener: Listener) -> None:
        try:
            signal = msgspec.msgpack.decode(data, type=Signal)
        except msgspec.MsgspecError:
            LOG.warning("bus: unreadable signal")
            return
        if signal.worker != self._worker:
            await listener(signal)


def open_bus(url: str, worker: str) -> Bus:
    """The bus for a URL; raises UserError."""
    if url.startswith("memory:"):
        return MemoryBus()
    if url.startswith(("redis://", "rediss://", "unix://")):
        return RedisBus(url, worker)
    raise UserError(f"'{url}' is not a bus; use memory:// or redis://HOST:PORT")
