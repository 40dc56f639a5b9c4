"""How workers tell each other that something has happened at a table: in one process, or through Redis."""

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
    """News of a table: it has events up to `sequence`; or its people come and go; or somebody says something."""

    worker: str
    table: str
    sequence: int = -1
    present: list[int] | None = None  # seats connected to that worker
    said: tuple[int, str] | None = None  # seat and phrase


Listener = Callable[[Signal], Awaitable[None]]


class Bus(ABC):
    """Carries signals to all workers but the sender. A signal may get lost: listeners also look by themselves."""

    is_shared = False  # whether there are other workers

    @abstractmethod
    async def start(self, listener: Listener) -> None:
        """Begin to listen."""

    @abstractmethod
    def send(self, signal: Signal) -> None:
        """Tell the others, soon."""

    @abstractmethod
    async def ping(self) -> None:
        """Raise if the bus is out of order."""

    @abstractmethod
    async def close(self) -> None:
        """Stop listening."""


class MemoryBus(Bus):
    """There is nobody else to tell."""

    async def start(self, listener: Listener) -> None:
        """Nothing will come."""

    def send(self, signal: Signal) -> None:
        """Nobody listens."""

    async def ping(self) -> None:
        """Always in order."""

    async def close(self) -> None:
        """Nothing to stop."""


class RedisBus(Bus):
    """Publishes on a channel of Redis; connects again when the connection is lost."""

    is_shared = True

    def __init__(self, url: str, worker: str) -> None:
        """A bus for one worker."""
        try:
            from redis.asyncio import Redis  # an optional extra
        except ModuleNotFoundError:
            raise UserError("the bus needs the package redis: pip install 'threespan[redis]'") from None
        self._redis: Any = Redis.from_url(url)
        self._worker = worker
        self._outbox: asyncio.Queue[Signal] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, listener: Listener) -> None:
        """Listen and publish from now on; raises UserError if Redis cannot be reached."""
        try:
            await self._redis.ping()
        except Exception as error:
            raise UserError(f"the bus cannot be used: {error}") from None
        self._tasks = [asyncio.create_task(self._publish_on()), asyncio.create_task(self._listen_on(listener))]

    def send(self, signal: Signal) -> None:
        """Put a signal into the outbox; if that is full the others will find out by themselves."""
        with contextlib.suppress(asyncio.QueueFull):
            self._outbox.put_nowait(signal)

    async def ping(self) -> None:
        """Ask Redis."""
        await self._redis.ping()

    async def close(self) -> None:
        """Stop both tasks."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    async def _publish_on(self) -> None:
        while True:
            signal = await self._outbox.get()
            try:
                await self._redis.publish(_CHANNEL, msgspec.msgpack.encode(signal))
            except Exception:
                LOG.warning("bus: a signal was lost", exc_info=True)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _listen_on(self, listener: Listener) -> None:
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(_CHANNEL)
                    async for message in channel.listen():
                        if message["type"] == "message":
                            await self._hear(message["data"], listener)
            except asyncio.CancelledError:
                raise
            except Exception:
                LOG.warning("bus: connecting again", exc_info=True)
                await asyncio.sleep(_RETRY_SECONDS)

    async def _hear(self, data: bytes, listener: Listener) -> None:
        try:
            signal = msgspec.msgpack.decode(data, type=Signal)
        except msgspec.MsgspecError:
            LOG.warning("bus: a signal cannot be read")
            return
        if signal.worker != self._worker:
            await listener(signal)


def open_bus(url: str, worker: str) -> Bus:
    """The bus of a URL; raises UserError."""
    if url.startswith("memory:"):
        return MemoryBus()
    if url.startswith(("redis://", "rediss://", "unix://")):
        return RedisBus(url, worker)
    raise UserError(f"'{url}' is not a bus; there are memory:// and redis://HOST:PORT")
