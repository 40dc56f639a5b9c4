"""The conversation with one client at a table."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec

from threespan.core.game import IllegalAction, NotationError
from threespan.core.turns import ActionRefused
from threespan.server.guard import Bucket, Guard
from threespan.server.logs import LOG
from threespan.server.metrics import FAILURES, MESSAGES, REFUSALS
from threespan.server.tables.all_tables import Tables
from threespan.server.tables.connection import Connection
from threespan.server.tables.live import LiveTable, Plan, Planned
from threespan.table import plans
from threespan.table.drafts import draft, draft_path
from threespan.table.events import request_key
from threespan.table.messages.client import (
    AnswerUndo,
    Check,
    ClientMessage,
    Doubt,
    Draft,
    End,
    Hello,
    Hint,
    Join,
    Past,
    PathRequest,
    Ping,
    PlayMessage,
    Rematch,
    RequestUndo,
    Resign,
    Say,
    StandIn,
    SwitchView,
    Undo,
    decode_message,
)
from threespan.table.messages.server import Done, Failed, Hinted, PathAnswer, Pong, Refused
from threespan.table.messages.shared import VERSION
from threespan.table.plans import Seats
from threespan.table.referee import check_board
from threespan.table.refusals import Refusal
from threespan.table.state import TableState
from threespan.table.viewing import Reader, preview_for

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_HELLO_SECONDS = 10.0
_MAX_FAULTS = 20  # invalid messages before the connection is closed
_MS = 1000
POLICY, _RESTART, _TRY_LATER = 1008, 1012, 1013  # close codes of RFC 6455
_CLOSE_CODES = {"too_slow": _TRY_LATER, "too_many": _TRY_LATER, "restarting": _RESTART}


class Disconnected(Exception):
    """The client has disconnected."""


class Conversation:
    """One client's connection to a table: reads and answers its messages, and sends it the table's."""

    def __init__(self, receive: Receive, send: Send, tables: Tables, guard: Guard, address: str) -> None:
        """Prepare to talk to a client."""
        self._receive_event, self._send_event = receive, send
        self._tables, self._guard, self._address = tables, guard, address
        limits = tables.settings.limits
        self._limits = limits
        self._bucket = Bucket(limits.messages_per_second, limits.messages_at_once)
        self.connection = Connection(limits.queued_messages)
        self._table: LiveTable
        self._faults = 0

    async def run(self, table_id: str) -> None:
        """Talk until either side closes the connection."""
        writer = asyncio.create_task(self._write_loop())
        try:
            if await self._greet(table_id):
                await self._read_loop()
        except Disconnected:
            raise
        except Exception as reason:
            LOG.error("conversation failed", exc_info=reason, extra={"table": table_id})
            FAILURES.inc()
            self.connection.end(Refusal("internal"))
        finally:
            if hasattr(self, "_table"):
                self._table.leave(self.connection)
            if not self.connection.is_ending:
                writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await writer

    # Writing

    async def _write_loop(self) -> None:
        """Send what is in the outbox; a frame holds one or more messages, one per line."""
        connection, send = self.connection, self._send_event
        is_open = True
        while is_open:
            body = await connection.to_send()
            is_open = not connection.is_ending
            await send({"type": "websocket.send", "text": body.decode()})
            del body  # else it would stay in memory until the next message
        await send({"type": "websocket.close", "code": _CLOSE_CODES.get(connection.end_code, POLICY)})

    # Reading

    async def _receive(self) -> str | bytes:
        event = await self._receive_event()
        if event["type"] == "websocket.disconnect":
            raise Disconnected
        raw: str | bytes = event.get("text") or event.get("bytes") or ""
        return raw

    async def _greet(self, table_id: str) -> bool:
        """Wait for hello and find the table; returns False if the connection is to be closed."""
        try:
            raw = await asyncio.wait_for(self._receive(), _HELLO_SECONDS)
            hello = self._decode(raw)
            if not isinstance(hello, Hello):
                raise Refusal("hello_first")
            connection = self.connection
            connection.reader = Reader(language=hello.language, text_mode=hello.text_mode)
            if hello.version != VERSION:
                raise Refusal("other_version")
            table = await self._tables.find(table_id)
            if len(table.connections) >= self._limits.connections_per_table:
                raise Refusal("too_many")
            if hello.key:
                connection.seats = await table.seats_of(hello.key)
                viewer = hello.seat if hello.seat in connection.seats else connection.seats[0]
                connection.reader = connection.reader._replace(viewer=viewer)
        except TimeoutError:
            self.connection.end(Refusal("hello_first"))
            return False
        except Refusal as refusal:
            REFUSALS.labels(refusal.code).inc()
            self.connection.end(refusal)
            return False
        self._table = table
        await table.welcome(self.connection, hello.notices_seen)
        table.run_bots()
        return True

    def _decode(self, raw: str | bytes) -> ClientMessage:
        if len(raw) > self._limits.message_bytes:
            raise Refusal("too_large")
        try:
            message: ClientMessage = decode_message(raw)
            return message
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Refusal("not_understood", reason=str(error)) from None

    async def _read_loop(self) -> None:
        while not self.connection.is_ending:
            raw = await self._receive()
            # A client that sends too fast is read more slowly. Nothing is lost: TCP holds back the rest.
            if wait := max(self._bucket.seconds_to_wait(), self._guard.messages.of(self._address).seconds_to_wait()):
                await asyncio.sleep(wait)
            try:
                message = self._decode(raw)
            except Refusal as refusal:
                self._report_fault(refusal)
                continue
            await self._handle(message)

    def _report_fault(self, refusal: Refusal) -> None:
        """Tell a client what is wrong with its message; after too many such messages the connection is closed."""
        REFUSALS.labels(refusal.code).inc()
        self.connection.send(Failed(refusal.code, refusal.text(self.connection.reader.language)))
        self._faults += 1
        if self._faults >= _MAX_FAULTS:
            self.connection.end(refusal)

    async def _handle(self, message: ClientMessage) -> None:
        kind = type(message)
        _COUNTERS[kind].inc()
        request = getattr(message, "id", "")
        try:
            handler = _HANDLERS.get(kind)
            if handler is None:
                raise Refusal("hello_first")
            await handler(self, message)
        except ActionRefused as refused:
            self._refuse(request, refused.reason, refused.index)
        except Exception as reason:
            self._refuse(request, reason, None)

    def _refuse(self, request: str, reason: Exception, index: int | None) -> None:
        language = self.connection.reader.language
        match reason:
            case IllegalAction():
                code, text = reason.rule.name, reason.text(language)
            case NotationError():
                code, text = "not_an_action", reason.text(language)
            case Refusal():
                code, text = reason.code, reason.text(language)
            case _:
                LOG.error("message failed", exc_info=reason, extra={"table": self._table.id})
                FAILURES.inc()
                code, text = "internal", Refusal("internal").text(language)
        REFUSALS.labels(code).inc()
        self.connection.send(Refused(request, code, text, index))

    # Handlers

    async def _commit(self, message_id: str, plan: Plan) -> None:
        """Carry out a plan once, however often the message is repeated, and confirm it."""
        await self._table.commit(plan, request_key(self.connection.seats, message_id))
        self.connection.send(Done(message_id))

    async def _stand_in(self, message: StandIn) -> None:
        min_away = int(self._tables.settings.absent_after_seconds * _MS)

        def plan(state: TableState) -> Planned:
            away = self._table.presence.away_ms(message.seat)
            return plans.stand_in(state, self.connection.seats, message, away, min_away)

        await self._commit(message.id, plan)

    async def _switch_view(self, message: SwitchView) -> None:
        await self._table.switch_view(self.connection, message)

    async def _draft(self, message: Draft) -> None:
        async with self._table.lock:
            await self._table.resync_if_needed()
            state = self._table.state
            plans.check_may_act_for(state, self.connection.seats, message.seat)
            seen = draft(state, message.seat, message.action_texts)
            reader = self.connection.reader._replace(viewer=message.seat)
            self.connection.send(preview_for(state, message, seen, reader))

    async def _path(self, message: PathRequest) -> None:
        async with self._table.lock:
            await self._table.resync_if_needed()
            plans.check_may_act_for(self._table.state, self.connection.seats, message.seat)
            path = draft_path(self._table.state, message.seat, message.action_texts, message.action_text)
        self.connection.send(PathAnswer(message.id, path))

    async def _check(self, message: Check) -> None:
        async with self._table.lock:
            await self._table.resync_if_needed()
            connection = self.connection
            connection.send(check_board(self._table.state, connection.seats, message, connection.reader.language))

    async def _doubt(self, message: Doubt) -> None:
        async with self._table.lock:
            await self._table.resync_if_needed()
            connection, table = self.connection, self._table
            connection.send(table.doubts.ask(table.state, connection.seats, message, connection.reader.language))

    async def _hint(self, message: Hint) -> None:
        async with self._table.lock:
            await self._table.resync_if_needed()
            state = self._table.state
            query = plans.hint(state, self.connection.seats, message, bool(self._tables.bots.size))
        action_texts = await self._tables.bots.think(query)
        language = self.connection.reader.language
        sentences = [state.match_setup.sentence(text, language) for text in action_texts]
        self.connection.send(Hinted(message.id, action_texts, sentences))

    async def _past(self, message: Past) -> None:
        self.connection.send(await self._table.past(message, self.connection.reader))

    async def _rematch(self, message: Rematch) -> None:
        seats = self.connection.seats
        await self._tables.rematch(self._table, seats, request_key(seats, message.id))
        self.connection.send(Done(message.id))

    async def _say(self, message: Say) -> None:
        plans.check_owns(self.connection.seats, message.seat)
        self._table.say(message.seat, message.phrase)

    async def _ping(self, message: Ping) -> None:  # noqa: ARG002
        self.connection.send(Pong())


_Handler = Callable[[Conversation, Any], Awaitable[None]]


def _committing(plan: Callable[[TableState, Seats, Any], Planned]) -> _Handler:
    """The handler of a message that only needs a plan."""

    async def handle(conversation: Conversation, message: Any) -> None:
        seats = conversation.connection.seats
        await conversation._commit(message.id, lambda state: plan(state, seats, message))

    return handle


_HANDLERS: dict[type[Any], _Handler] = {
    Join: _committing(plans.join),
    PlayMessage: _committing(plans.play),
    Undo: _committing(plans.undo),
    RequestUndo: _committing(plans.request_undo),
    AnswerUndo: _committing(plans.answer_undo),
    StandIn: Conversation._stand_in,
    SwitchView: Conversation._switch_view,
    Draft: Conversation._draft,
    PathRequest: Conversation._path,
    Check: Conversation._check,
    Doubt: Conversation._doubt,
    Hint: Conversation._hint,
    Past: Conversation._past,
    Resign: _committing(plans.resign),
    End: _committing(plans.end),
    Rematch: Conversation._rematch,
    Say: Conversation._say,
    Ping: Conversation._ping,
}

_KINDS: list[type[Any]] = [Hello, *_HANDLERS]
_COUNTERS = {kind: MESSAGES.labels(kind.__name__.lower()) for kind in _KINDS}
