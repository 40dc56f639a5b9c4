"""Players who never give up: they reconnect, repeat messages that were not answered, and log everything."""

import asyncio
import json
import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from websockets.exceptions import InvalidHandshake, WebSocketException

from server.clients import Client

_AWAY = (OSError, WebSocketException, InvalidHandshake, TimeoutError)  # errors of a client whose server has died


class Gone(Exception):
    """The server has sent bye."""


class _Line(Client):
    """A connection that raises when the server sends bye."""

    async def receive(self) -> dict[str, Any]:
        message = await super().receive()
        if message["type"] == "bye":
            raise Gone
        return message


@dataclass
class Player:
    """Plays a seat at random until the match is over, whatever happens to the server."""

    find_base: Callable[[], str]  # where to connect
    table: str
    seat: int
    key: str
    pick: random.Random
    resigns: float = 0.0  # probability at each turn
    noted: Callable[[], None] = lambda: None  # called for each confirmed message
    acknowledged: list[dict[str, Any]] = field(default_factory=list)  # messages, in order
    refused: list[dict[str, Any]] = field(default_factory=list)
    notices: list[dict[str, Any]] = field(default_factory=list)
    connections: int = 0
    result: dict[str, Any] | None = None
    pending: dict[str, Any] | None = None  # perhaps sent, but not answered
    _has_joined: bool = False
    _sent: int = 0

    async def play(self) -> None:
        """Play to the end."""
        while self.result is None:
            line = _Line(self.find_base(), self.table, self.key, notices_seen=len(self.notices))
            line.notices = self.notices
            try:
                async with line:
                    self.connections += 1
                    await self._go_on(line)
            except (*_AWAY, Gone):
                await asyncio.sleep(self.pick.uniform(0.05, 0.2))

    async def _go_on(self, line: _Line) -> None:
        while True:
            if self.pending is None:
                self.pending = await self._next_message(line)
            if self.pending is None:
                return
            answer = await line.ask(self.pending["type"], **{k: v for k, v in self.pending.items() if k != "type"})
            self._settle(answer)

    async def _next_message(self, line: _Line) -> dict[str, Any] | None:
        self._sent += 1
        request = f"{self.seat}.{self._sent}"
        if not self._has_joined:
            return {"type": "join", "id": request, "name": f"P{self.seat}", "share": secrets.token_hex(32)}
        update = await line.until(lambda now: now["now"]["legal"] or now["result"])
        if update["result"]:
            self.result = update["result"]
            return None
        if self.pick.random() < self.resigns:
            return {"type": "resign", "id": request, "seat": self.seat}
        action_texts = [self.pick.choice(update["now"]["legal"])]
        return {
            "type": "play",
            "id": request,
            "seat": self.seat,
            "notices_seen": update["notice_count"],
            "action_texts": action_texts,
        }

    def _settle(self, answer: dict[str, Any]) -> None:
        message, self.pending = self.pending, None
        assert message is not None
        if answer["type"] == "done":
            self.acknowledged.append(message)
            self._has_joined = True
            self.noted()
            return
        # Another seat was faster: this message must not have been carried out. Any other refusal is a bug.
        assert answer["code"] in ("stale", "is_over") if self.resigns else answer["code"] == "stale", answer
        self.refused.append(message)


@dataclass(frozen=True)
class StoredEvent:
    """A stored event, read without the server."""

    sequence: int
    request: str | None
    body: dict[str, Any]

    @classmethod
    def of(cls, row: Any) -> "StoredEvent":
        return cls(row[0], row[1], json.loads(bytes(row[2])))


def check_account(player: Player, events: list[StoredEvent]) -> None:
    """Everything that was confirmed is stored exactly once and in order; nothing that was refused is stored."""
    assert [event.sequence for event in events] == list(range(len(events)))
    places = {event.request: event.sequence for event in events if event.request is not None}
    assert len(places) == len([event for event in events if event.request is not None])
    order = [places[f"{player.seat}:{message['id']}"] for message in player.acknowledged]
    assert order == sorted(order)
    for place, message in zip(order, player.acknowledged, strict=True):
        if message["type"] == "join":
            assert events[place].body["share"] == message["share"]
        if message["type"] == "resign":
            assert events[place].body == {"type": "resigned", "seat": player.seat}
        for index, step in enumerate(message.get("action_texts", [])):
            body = events[place + index].body
            assert (body["type"], body["seat"], body["action_text"]) == ("acted", player.seat, step)
    assert not [message for message in player.refused if f"{player.seat}:{message['id']}" in places]
    known = [*player.acknowledged, *([player.pending] if player.pending else [])]
    own = {request for request in places if request.startswith(f"{player.seat}:")}
    assert own <= {f"{player.seat}:{message['id']}" for message in known}


async def check_memory(player: Player, base: str) -> None:
    """The notices that a player got one by one are those that a new client with the same link gets at once."""
    async with Client(base, player.table, player.key) as fresh:
        assert fresh.notices[: len(player.notices)] == player.notices
        if player.result:
            assert len(fresh.notices) == len(player.notices)
            assert (fresh.update or {})["result"] == player.result
