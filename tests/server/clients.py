"""Clients for tests; they only use the protocol."""

import asyncio
import itertools
import json
import secrets
from contextlib import suppress
from types import TracebackType
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

PATIENCE = 60  # timeouts of one second each, so that a machine that hangs for a minute uses up only one
_numbers = itertools.count()


def new_id() -> str:
    return f"m{next(_numbers)}"


class Client:
    """One connection to a table."""

    def __init__(self, base: str, table: str, key: str = "", **hello: Any) -> None:
        self.url = base.replace("http", "ws", 1) + f"/api/tables/{table}/socket"
        self.hello = {"type": "hello", "version": 1, "key": key} | hello
        self.update: dict[str, Any] | None = None
        self.table: dict[str, Any] = {}
        self.welcome: dict[str, Any] = {}
        self.notices: list[dict[str, Any]] = []
        self.raw: list[str] = []
        self._pending: list[dict[str, Any]] = []
        self._socket: ClientConnection

    async def __aenter__(self) -> "Client":
        self._socket = await connect(self.url, compression=None, max_size=2**22)
        await self.send(self.hello)
        self.welcome = await self.wait_for("welcome", "bye")
        return self

    async def __aexit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        await self._socket.close()

    async def send(self, message: dict[str, Any] | str | bytes) -> None:
        await self._socket.send(json.dumps(message) if isinstance(message, dict) else message)

    async def receive(self) -> dict[str, Any]:
        """The next message; updates and notices are stored."""
        if not self._pending:
            frame = await self._next_frame()
            self.raw += frame.split("\n")
            self._pending = [json.loads(line) for line in frame.split("\n")]
        message = self._pending.pop(0)
        if message["type"] in ("welcome", "seats"):
            self.table = message["table"]
        update = message["update"] if message["type"] == "welcome" else message
        if update and update.get("type") == "update":
            self.update = update
            self.notices += update["notices"]
        return message

    async def _next_frame(self) -> str:
        for _ in range(PATIENCE):
            with suppress(TimeoutError):
                async with asyncio.timeout(1):  # `wait_for` would swallow a cancellation if a frame has just arrived
                    frame = await self._socket.recv()
                assert isinstance(frame, str)
                return frame
        raise TimeoutError(f"nothing more after {self.raw[-3:]}")

    async def wait_for(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds."""
        while (message := await self.receive())["type"] not in kinds:
            pass
        return message

    async def ask(self, kind: str, **values: Any) -> dict[str, Any]:
        """Send a message with an id and wait for its answer."""
        request = values.setdefault("id", new_id())
        await self.send({"type": kind} | values)
        while (message := await self.receive()).get("id") != request:
            assert message["type"] != "bye", message
        return message

    async def join(self, name: str = "") -> dict[str, Any]:
        return await self.ask("join", name=name, share=secrets.token_hex(32))

    async def until(self, condition: Any) -> dict[str, Any]:
        """Wait until the last update fulfils a condition."""
        while self.update is None or not condition(self.update):
            await self.receive()
        return self.update

    async def play(self, *action_texts: str, seat: int | None = None) -> dict[str, Any]:
        assert self.update is not None
        chosen = self.update["seat"] if seat is None else seat
        return await self.ask(
            "play", seat=chosen, notices_seen=self.update["notice_count"], action_texts=list(action_texts)
        )

    async def play_to_the_end(self, choose: Any) -> dict[str, Any]:
        """Play one's own seat until the match is over; `choose` picks one of the legal actions."""
        while True:
            update = await self.until(lambda now: now["now"]["legal"] or now["result"])
            if update["result"]:
                return update
            seen = update["notice_count"]
            await self.play(choose(update["now"]["legal"]))
            await self.until(lambda now, seen=seen: now["notice_count"] != seen or now["result"])
