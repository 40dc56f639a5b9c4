"""The conversation with one client at a table."""

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

import msgspec

from threespan.bots.names import bot_names
from threespan.core.game import IllegalAction, NotationError, Position
from threespan.core.rules import LEGAL
from threespan.server.connection import Connection
from threespan.server.course import Course, Play, StepRefused
from threespan.server.drafts import draft_on
from threespan.server.events import Answered, Offered, Replaced, TableEvent, TookBack
from threespan.server.guard import Bucket, Guard
from threespan.server.logs import LOG
from threespan.server.metrics import CONNECTIONS, FAILURES, MESSAGES, REFUSALS
from threespan.server.protocol import (
    VERSION,
    Answer,
    ClientMessage,
    Done,
    Draft,
    Failed,
    Hello,
    Hint,
    Hinted,
    Join,
    Look,
    Offer,
    Past,
    PastView,
    Ping,
    PlayMessage,
    Pong,
    Preview,
    Refused,
    Rematch,
    Say,
    Show,
    Shown,
    StandIn,
    Undo,
    decode_message,
)
from threespan.server.store import now_ms
from threespan.server.table import LiveTable, Plan
from threespan.server.tables import Tables, clean_name
from threespan.server.viewing import situation
from threespan.server.words import Refusal

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_PATH = re.compile(r"/api/tables/([a-z0-9]{1,32})/socket")
_HELLO_SECONDS = 10.0
_MOST_FAULTS = 20  # messages that make no sense before the connection ends
_HINT_LEVEL = "hard"
_POLICY, _RESTART, _TRY_LATER = 1008, 1012, 1013  # why a connection is closed, as RFC 6455 numbers it
_CLOSE_CODES = {"too_slow": _TRY_LATER, "too_many": _TRY_LATER, "restarting": _RESTART}


class Disconnected(Exception):
    """The client has gone."""


async def play_at_table(scope: Scope, receive: Receive, send: Send, tables: Tables, guard: Guard) -> None:
    """One WebSocket for each client at a table. This is plain ASGI: here every microsecond is paid for each message."""
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    client = scope.get("client")
    address = guard.address(client[0] if client else "", headers.get("x-forwarded-for"))
    found = _PATH.fullmatch(scope["path"])
    await receive()  # the wish to connect
    is_welcome = found is not None and not tables.is_stopping and guard.is_own_page(headers) and guard.enter(address)
    del headers
    if found is None or not is_welcome:
        await send({"type": "websocket.close", "code": _POLICY})
        return
    try:
        await send({"type": "websocket.accept"})
        CONNECTIONS.inc()
        with contextlib.suppress(Disconnected):
            await Conversation(receive, send, tables, guard, address).run(found[1])
    finally:
        guard.leave(address)
        CONNECTIONS.dec()


class Conversation:
    """A client's side of a table: reads messages, answers them, sends what the table has to tell."""

    def __init__(self, receive: Receive, send: Send, tables: Tables, guard: Guard, address: str) -> None:
        """Begin to talk."""
        self._receive_event, self._send_event = receive, send
        self._tables, self._guard, self._address = tables, guard, address
        limits = tables.settings.limits
        self._limits = limits
        self._bucket = Bucket(limits.messages_per_second, limits.messages_at_once)
        self.connection = Connection(limits.queued_messages)
        self._table: LiveTable
        self._faults = 0

    async def run(self, table_id: str) -> None:
        """Talk until one side has had enough."""
        writer = asyncio.create_task(self._write_on())
        try:
            if await self._greet(table_id):
                await self._read_on()
        except Disconnected:
            raise
        except Exception as reason:
            LOG.error("a conversation failed", exc_info=reason, extra={"table": table_id})
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

    async def _write_on(self) -> None:
        """Send what is in the outbox: a frame holds one or more messages, one a line."""
        connection, send = self.connection, self._send_event
        is_open = True
        while is_open:
            body = await connection.to_send()
            is_open = not connection.is_ending
            await send({"type": "websocket.send", "text": body.decode()})
            del body  # or it would be kept until the next one
        await send({"type": "websocket.close", "code": _CLOSE_CODES.get(connection.end_code, _POLICY)})

    # Reading

    async def _receive(self) -> str | bytes:
        event = await self._receive_event()
        if event["type"] == "websocket.disconnect":
            raise Disconnected
        raw: str | bytes = event.get("text") or event.get("bytes") or ""
        return raw

    async def _greet(self, table_id: str) -> bool:
        """Wait for a hello and find the table; false if there will be no conversation."""
        try:
            raw = await asyncio.wait_for(self._receive(), _HELLO_SECONDS)
            hello = self._decode(raw)
            if not isinstance(hello, Hello):
                raise Refusal("hello_first")
            self.connection.language = hello.language
            if hello.version != VERSION:
                raise Refusal("other_version")
            table = await self._tables.find(table_id)
            if len(table.connections) >= self._limits.connections_per_table:
                raise Refusal("too_many")
            if hello.key:
                self.connection.seats = await table.seats_of(hello.key)
                self.connection.viewer = self.connection.seats[0]
            if hello.seat in self.connection.seats:
                self.connection.viewer = hello.seat
        except TimeoutError:
            self.connection.end(Refusal("hello_first"))
            return False
        except Refusal as refusal:
            REFUSALS.labels(refusal.code).inc()
            self.connection.end(refusal)
            return False
        self._table = table
        await table.welcome(self.connection, hello.have)
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

    async def _read_on(self) -> None:
        while not self.connection.is_ending:
            raw = await self._receive()
            # Whoever sends too fast is read more slowly; nothing is lost, and the network holds the rest back.
            if wait := max(self._bucket.seconds_to_wait(), self._guard.messages.of(self._address).seconds_to_wait()):
                await asyncio.sleep(wait)
            try:
                message = self._decode(raw)
            except Refusal as refusal:
                self._complain(refusal)
                continue
            await self._handle(message)

    def _complain(self, refusal: Refusal) -> None:
        """Say what is wrong with a message; a client that goes on like that has to connect again."""
        REFUSALS.labels(refusal.code).inc()
        self.connection.send(Failed(refusal.code, refusal.text(self.connection.language)))
        self._faults += 1
        if self._faults >= _MOST_FAULTS:
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
        except StepRefused as refused:
            self._refuse(request, refused.reason, refused.step)
        except Exception as reason:
            self._refuse(request, reason, None)

    def _refuse(self, request: str, reason: Exception, step: int | None) -> None:
        language = self.connection.language
        match reason:
            case IllegalAction():
                code, text = reason.rule.name, reason.reason(language)
            case NotationError():
                code, text = "not_an_action", str(reason)
            case Refusal():
                code, text = reason.code, reason.text(language)
            case _:
                LOG.error("a message failed", exc_info=reason, extra={"table": self._table.id})
                FAILURES.inc()
                code, text = "internal", Refusal("internal").text(language)
        REFUSALS.labels(code).inc()
        self.connection.send(Refused(request, code, text, step))

    # What clients can ask for

    def _own(self, seat: int) -> None:
        if seat not in self.connection.seats:
            raise Refusal("not_your_seat")

    async def _commit(self, request: str, plan: Plan) -> None:
        """Let something happen once, however often the request comes, and say so."""
        await self._table.commit(plan, f"{','.join(map(str, self.connection.seats))}:{request}")
        self.connection.send(Done(request))

    async def _join(self, message: Join) -> None:
        if not self.connection.seats:
            raise Refusal("not_your_seat")
        request = f"{','.join(map(str, self.connection.seats))}:{message.id}"
        await self._table.join(self.connection.seats, clean_name(message.name), message.share, request)
        self.connection.send(Done(message.id))

    async def _look(self, message: Look) -> None:
        await self._table.look(self.connection, message.seat, message.language, message.have)

    async def _play(self, message: PlayMessage) -> None:
        self._own(message.seat)

        def plan(course: Course) -> Play:
            if message.have != len(course.streams[message.seat].notices):
                raise Refusal("stale")
            return course.play(message.seat, message.steps)

        await self._commit(message.id, plan)

    async def _draft(self, message: Draft) -> None:
        self._own(message.seat)
        async with self._table.lock:
            await self._table.make_sure()
            seen = self._drafted(message.seat, message.steps)
            now = situation(seen, message.seat, self.connection.language)
        self.connection.send(Preview(message.id, now, message.seat not in now.acting))

    def _drafted(self, seat: int, steps: list[str]) -> Position:
        return draft_on(self._table.course.running().position.observe(seat), seat, steps)

    async def _show(self, message: Show) -> None:
        self._own(message.seat)
        async with self._table.lock:
            await self._table.make_sure()
            seen = self._drafted(message.seat, message.steps)
            action = seen.game.parse_action(seen.state, message.action)
            if (rule := seen.check(message.seat, action)) != LEGAL:
                raise IllegalAction(seen.game, rule, message.action)
            spots = seen.game.show(seen.state, message.seat, action)
        self.connection.send(Shown(message.id, spots))

    async def _undo(self, message: Undo) -> None:
        self._own(message.seat)

        def plan(course: Course) -> Iterable[TableEvent]:
            if not course.may_take_back(message.seat)[0]:
                raise Refusal("nothing_to_undo")
            return [TookBack(message.seat, course.takeable_acts(message.seat))]

        await self._commit(message.id, plan)

    async def _offer(self, message: Offer) -> None:
        self._own(message.seat)

        def plan(course: Course) -> Iterable[TableEvent]:
            if not course.may_take_back(message.seat)[1]:
                raise Refusal("no_offer")
            return [Offered(message.seat)] if course.offer != message.seat else []

        await self._commit(message.id, plan)

    async def _answer(self, message: Answer) -> None:
        self._own(message.seat)

        def plan(course: Course) -> Iterable[TableEvent]:
            offer = course.offer
            if offer is None or message.seat == offer or message.seat not in course.people():
                raise Refusal("no_offer_to_answer")
            yield Answered(message.seat, message.accepts)
            others = set(course.people()) - {offer}
            if message.accepts and course.accepted | {message.seat} >= others:
                yield TookBack(offer, course.takeable_acts(offer))

        await self._commit(message.id, plan)

    async def _stand_in(self, message: StandIn) -> None:
        if not self.connection.seats:
            raise Refusal("not_your_seat")
        if message.level and message.level not in bot_names():
            raise Refusal("unknown_bot")

        def plan(course: Course) -> Iterable[TableEvent]:
            course.running()
            if message.seat not in course.seats or course.charter.seats[message.seat].is_bot:
                raise Refusal("is_a_bot")
            if message.seat not in self.connection.seats:
                self._require_absence(message)
            return [Replaced(message.seat, message.level)]

        await self._commit(message.id, plan)

    def _require_absence(self, message: StandIn) -> None:
        """Somebody else's seat: only a bot may come in, and only while the person is away."""
        if not message.level:
            raise Refusal("not_your_seat")
        away_since = self._table.absent_since.get(message.seat)
        patience = self._tables.settings.absent_after_seconds * 1000
        if away_since is None or now_ms() - away_since < patience:
            raise Refusal("is_present")

    async def _hint(self, message: Hint) -> None:
        self._own(message.seat)
        async with self._table.lock:
            await self._table.make_sure()
            course = self._table.course
            course.running()
            if message.seat not in course.acting():
                raise Refusal("not_now")
            if set(course.people()) - set(self.connection.seats):
                raise Refusal("no_hint")
            if not self._tables.thinkers.processes:
                raise Refusal("no_bots")
            question = self._table.question(message.seat, _HINT_LEVEL)
        steps = await self._tables.thinkers.think(question)
        self.connection.send(Hinted(message.id, steps))

    async def _past(self, message: Past) -> None:
        view = await self._table.past_view(self.connection.viewer, message.at)
        self.connection.send(PastView(message.id, message.at, msgspec.Raw(view)))

    async def _rematch(self, message: Rematch) -> None:
        if not self.connection.seats:
            raise Refusal("not_your_seat")
        await self._tables.rematch(self._table, f"{self.connection.seats[0]}:{message.id}")
        self.connection.send(Done(message.id))

    async def _say(self, message: Say) -> None:
        self._own(message.seat)
        self._table.say(message.seat, message.phrase)

    async def _ping(self, message: Ping) -> None:  # noqa: ARG002
        self.connection.send(Pong())


_Handler = Callable[[Conversation, Any], Awaitable[None]]

_HANDLERS: dict[type[Any], _Handler] = {
    Join: Conversation._join,
    Look: Conversation._look,
    PlayMessage: Conversation._play,
    Draft: Conversation._draft,
    Show: Conversation._show,
    Undo: Conversation._undo,
    Offer: Conversation._offer,
    Answer: Conversation._answer,
    StandIn: Conversation._stand_in,
    Hint: Conversation._hint,
    Past: Conversation._past,
    Rematch: Conversation._rematch,
    Say: Conversation._say,
    Ping: Conversation._ping,
}

_KINDS: list[type[Any]] = [Hello, *_HANDLERS]
_COUNTERS = {kind: MESSAGES.labels(kind.__name__.lower()) for kind in _KINDS}
