"""Invalid and hostile clients get clear errors; the server does not fail or leak memory, and others play on."""

import asyncio
import json
import os
import random
import socket
import statistics
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from server.clients import Client
from server.running import Server
from server.services import postgres
from server.test_faults import NO_LIMITS
from server.test_play import in_loop, quickest, seat_client

OPENS = int(os.environ.get("THREESPAN_ABUSE_OPENS", "1000"))
FUZZED = int(os.environ.get("THREESPAN_ABUSE_MESSAGES", "3000"))
EXAMPLES = int(os.environ.get("THREESPAN_ABUSE_EXAMPLES", "25"))  # of each kind of request
HEARTBEAT_SECONDS = 2
MAX_GROWTH = 12 * 2**20  # bytes, after a first round of the same abuse has filled caches

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server without rate limits, on PostgreSQL, which is stricter than SQLite."""
    folder = tmp_path_factory.mktemp("abuse")
    with postgres(folder) as database:
        server = Server(folder, database, heartbeat_seconds=HEARTBEAT_SECONDS, log_level="debug", **NO_LIMITS)
        try:
            yield server.start()
        finally:
            server.stop()


def figure(server: Server, name: str) -> float:
    """The value of a metric at /metrics."""
    lines = httpx.get(f"{server.base}/metrics", timeout=30).text.splitlines()
    return float(next(line.split()[-1] for line in lines if line.split()[0] == name))


def memory(server: Server) -> int:
    """The resident memory of the server process."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@asynccontextmanager
async def others_play_on(server: Server) -> AsyncIterator[None]:
    """Two people play in the meantime without any disturbance; the server must not have failed at the end."""
    table = server.open("elfer", "link", "link")
    async with seat_client(server, table, 0) as ada, seat_client(server, table, 1) as ben:
        await ada.join()
        await ben.join()
        playing = [asyncio.create_task(client.play_to_the_end(quickest)) for client in (ada, ben)]
        try:
            yield
            await asyncio.wait_for(see_more(ada, len(ada.notices)), 60)
        finally:
            for task in playing:
                task.cancel()
            results = await asyncio.gather(*playing, return_exceptions=True)
        for result in results:
            assert isinstance(result, dict | asyncio.CancelledError), result
    assert figure(server, "threespan_failures_total") == 0


async def see_more(client: Client, seen: int) -> None:
    """Wait until something more has happened or the match is over."""
    while len(client.notices) == seen and not (client.update or {})["result"]:
        await asyncio.sleep(0.05)


# Requests


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_requests_of_all_kinds_get_the_answers_that_are_documented(target: Server, mode: GenerationMode) -> None:
    schema = schemathesis.openapi.from_url(f"{target.base}/api/schema/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) > 10
    for operation in operations:

        @settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
        @given(operation.as_strategy(mode))
        def ask(case: Any) -> None:
            case.call_and_validate(checks=CHECKS, timeout=30)

        with suppress(Unsatisfiable):  # a request without values cannot be invalid
            ask()


def test_no_request_made_the_server_fail(target: Server) -> None:
    assert figure(target, "threespan_failures_total") == 0


@pytest.mark.parametrize(
    "path",
    [
        "/api/tables/%00",
        "/api/tables/%ff%fe",
        "/api/tables/../../etc/passwd",
        "/api/tables?after=1-%00",
        "/api/tables?after=-",
        "/api/tables?after=" + "9" * 64,
        "/api/tables/x/replay?first=99999999999999999999",
        "/api/games/%00/rules",
        "/" + "x" * 4000,
        "/assets/" + "x" * 300 + ".js",
        "/..%2f..%2fsettings.py",
        "/%00",
    ],
)
def test_addresses_that_lead_nowhere_are_refused(target: Server, path: str) -> None:
    answer = httpx.get(target.base + path, timeout=30)
    assert answer.status_code in (200, 400, 404)
    if answer.status_code == 200:
        assert answer.headers["content-type"].startswith("text/html")
    assert figure(target, "threespan_failures_total") == 0


def test_a_body_that_is_too_large_is_refused(target: Server) -> None:
    answer = httpx.post(f"{target.base}/api/tables", content=b"[" * 1_000_000, timeout=30)
    assert answer.status_code == 413


def test_too_many_requests_are_refused(tmp_path: Path) -> None:
    few: dict[str, Any] = {"limits.requests_at_once": 5, "limits.requests_per_second": 0.01}
    server = Server(tmp_path, bot_threads=0, behind_proxy="true", **few).start()
    try:

        def ask(address: str) -> int:
            headers = {"x-forwarded-for": address}
            return httpx.get(f"{server.base}/api/tables", headers=headers, timeout=30).status_code

        assert 429 in [ask("10.0.0.1") for _ in range(6)]
        assert ask("10.0.0.2") == 200
    finally:
        server.stop()


# Messages


def random_value(pick: random.Random, depth: int = 0) -> Any:
    """Arbitrary and nasty JSON values."""
    plain = [None, True, -1, 0, 3, 4, 2**63, -(2**70), 1.5, 1e308, "", "x" * 100, "\x00", "\ud800", "0", "Ω", "join"]
    kind = pick.randrange(4 if depth < 3 else 2)
    if kind < 2:
        return pick.choice(plain)
    if kind == 2:
        return [random_value(pick, depth + 1) for _ in range(pick.randrange(4))]
    return {pick.choice(["type", "id", "seat", "a"]): random_value(pick, depth + 1) for _ in range(3)}


GOOD: list[dict[str, Any]] = [
    {"type": "hello", "version": 1},
    {"type": "join", "id": "j", "share": "0" * 64, "name": "Ada"},
    {"type": "switch_view", "seat": 0},
    {"type": "draft", "id": "d", "seat": 0, "action_texts": ["skip"]},
    {"type": "play", "id": "p", "seat": 0, "notices_seen": 0, "action_texts": ["skip"]},
    {"type": "path", "id": "s", "seat": 0, "action_texts": [], "action_text": "skip"},
    {"type": "undo", "id": "u", "seat": 0},
    {"type": "request_undo", "id": "o", "seat": 0},
    {"type": "answer_undo", "id": "a", "seat": 0, "accepts": True},
    {"type": "stand_in", "id": "i", "seat": 1, "level": "beginner"},
    {"type": "past", "id": "t", "notice_count": 0},
    {"type": "rematch", "id": "r"},
    {"type": "say", "seat": 0, "phrase": "hello"},
    {"type": "ping"},
]


def random_message(pick: random.Random) -> str | bytes:
    """A message that is malformed in one of many ways, or valid but out of place."""
    message = dict(pick.choice(GOOD))
    kind = pick.randrange(8)
    if kind < 3:
        message[pick.choice([*message, "extra"])] = random_value(pick)
    if kind == 3:
        message.pop(pick.choice(list(message)))
    if kind == 4 and "seat" in message:
        message["seat"] = pick.randrange(-2, 6)
    text = json.dumps(message)
    if kind == 5:
        place = pick.randrange(len(text))
        text = text[:place] + pick.choice(["", "{", "\x00", '"', "é", "[" * 50]) + text[place + pick.randrange(3) :]
    if kind == 6:
        others: list[str | bytes] = [
            text.encode(),
            pick.randbytes(50),
            b"",
            "[" * 10_000,
            json.dumps(random_value(pick)),
        ]
        return pick.choice(others)
    return text


class Fuzzer:
    """A connection that sends nonsense and reconnects when the server closes it."""

    def __init__(self, server: Server, table: dict[str, Any], key: str, pick: random.Random) -> None:
        self._url = server.base.replace("http", "ws", 1) + f"/api/tables/{table['id']}/socket"
        self._hello = json.dumps({"type": "hello", "version": 1, "key": key})
        self._pick = pick
        self.answers: dict[str, int] = {}

    async def run(self, count: int) -> None:
        while count > 0:
            async with connect(self._url, compression=None) as wire:
                await wire.send(self._hello)
                try:
                    while count > 0:
                        count -= 1
                        await self._send_one(wire)
                except ConnectionClosed:
                    assert wire.close_code in (1007, 1008), wire.close_code

    async def _send_one(self, wire: ClientConnection) -> None:
        """Send a message and then a ping: when the pong arrives, the message has been handled."""
        await wire.send(random_message(self._pick))
        await wire.send('{"type":"ping"}')
        is_alive = False
        while not is_alive:
            for line in str(await asyncio.wait_for(wire.recv(), 60)).split("\n"):
                message = json.loads(line)
                kind = message.get("code") or message["type"]
                self.answers[kind] = self.answers.get(kind, 0) + 1
                assert kind != "internal"
                is_alive = is_alive or kind == "pong"
                if message["type"] in ("failed", "refused", "bye"):
                    assert len(message["text"]) > 10


@in_loop
async def test_no_message_makes_the_server_fail_or_grow(target: Server) -> None:
    pick = random.Random(7)
    async with others_play_on(target):
        sizes = []
        for _ in range(3):
            fuzzers = []
            for game in ("hashi", "stege", "elfer"):
                table = target.open(game, "link", "link")
                keys = [*(key["key"] for key in table["keys"]), ""]
                fuzzers += [Fuzzer(target, table, key, random.Random(pick.random())) for key in keys]
            await asyncio.gather(*(fuzzer.run(FUZZED // len(fuzzers) // 3) for fuzzer in fuzzers))
            sizes.append(memory(target))
    answers = {kind for fuzzer in fuzzers for kind in fuzzer.answers}
    assert answers >= {"not_understood", "not_your_seat", "hello_first", "pong", "not_an_action", "welcome"}
    assert sizes[2] - sizes[1] < MAX_GROWTH, sizes


async def answers_to(server: Server, table: str, *messages: str | bytes) -> tuple[list[dict[str, Any]], int | None]:
    """The server's messages until it closes the connection, and the close code."""
    url = server.base.replace("http", "ws", 1) + f"/api/tables/{table}/socket"
    heard: list[dict[str, Any]] = []
    async with connect(url, compression=None) as wire:
        try:
            for message in messages:
                await wire.send(message)
            while True:
                heard += [json.loads(line) for line in str(await asyncio.wait_for(wire.recv(), 60)).split("\n")]
        except ConnectionClosed:
            return heard, wire.close_code


HELLO = '{"type":"hello","version":1}'


@in_loop
async def test_bad_conversations_end_with_a_reason(target: Server) -> None:
    table = target.open("hashi", "link")["id"]
    for first, code in (
        ('{"type":"ping"}', "hello_first"),
        ("nonsense", "not_understood"),
        (b"\xff\xfe", "not_understood"),
        (HELLO.replace("1}", "99}"), "other_version"),
        (HELLO[:-1] + ',"key":"wrong"}', "wrong_key"),
    ):
        heard, number = await answers_to(target, table, first)
        assert ([message["code"] for message in heard], number) == ([code], 1008)
    heard, _ = await answers_to(target, "nosuchtable", HELLO)
    assert heard[0]["code"] == "no_table"
    _, number = await answers_to(target, table, HELLO, "x" * 20_000)
    assert number == 1009
    heard, number = await answers_to(target, table, HELLO, *["nonsense"] * 30)
    assert ([message["type"] for message in heard].count("failed"), heard[-1]["type"]) == (20, "bye")


@in_loop
async def test_a_client_that_does_not_say_hello_is_disconnected(target: Server) -> None:
    heard, number = await answers_to(target, target.open("hashi", "link")["id"])
    assert (heard[0]["code"], number) == ("hello_first", 1008)


@pytest.mark.parametrize("path", ["/api/tables/UPPER/socket", "/api/tables/%00/socket", "/api/socket", "/"])
@in_loop
async def test_sockets_that_lead_nowhere_are_refused(target: Server, path: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(target.base.replace("http", "ws", 1) + path)
    assert refused.value.response.status_code == 403


@in_loop
async def test_pages_of_other_sites_may_not_connect(target: Server) -> None:
    url = target.base.replace("http", "ws", 1) + f"/api/tables/{target.open('hashi', 'link')['id']}/socket"
    for origin in ("https://elsewhere.example", "null", target.base + ".example", "http://["):
        with pytest.raises(InvalidStatus) as refused:
            await connect(url, additional_headers={"origin": origin})
        assert refused.value.response.status_code == 403
    async with connect(url, additional_headers={"origin": target.base}):
        pass
    assert figure(target, "threespan_failures_total") == 0


@in_loop
async def test_nobody_plays_for_others_out_of_turn_or_again(target: Server) -> None:
    table, other = (target.open("stege", "link", "link", options={"starts": 0}) for _ in range(2))
    async with seat_client(target, table, 0) as ada, seat_client(target, table, 1) as ben:
        await ada.join()
        await ben.join()
        first = await ada.until(lambda now: now["now"]["legal"])
        choice = {"seat": 0, "notices_seen": first["notice_count"], "action_texts": [first["now"]["legal"][0]]}
        assert (await ben.ask("play", **choice))["code"] == "not_your_seat"
        assert (await ben.ask("play", **choice | {"seat": 1}))["type"] == "refused"
        assert (await ada.ask("play", **choice, id="once"))["type"] == "done"
        await ben.until(lambda now: now["notice_count"] == 1)
        for _ in range(3):
            assert (await ada.ask("play", **choice, id="once"))["type"] == "done"
        assert (await ben.ask("play", **choice, id="once"))["code"] == "not_your_seat"
        assert (await ada.ask("play", **choice))["code"] == "stale"
        async with Client(target.base, other["id"], table["keys"][0]["key"]) as stranger:
            assert stranger.welcome["code"] == "wrong_key"
        async with Client(target.base, table["id"]) as watcher:
            for kind in ("play", "undo", "request_undo", "hint"):
                values = choice if kind == "play" else {"seat": 0}
                assert (await watcher.ask(kind, **values))["code"] == "not_your_seat"
            assert len(watcher.notices) == 1


# Connections


async def open_and_close(server: Server, table: dict[str, Any], way: int) -> None:
    """Connect and leave: properly, silently, in the middle of a frame, or in the middle of the handshake."""
    if way < 2:
        async with connect(server.base.replace("http", "ws", 1) + f"/api/tables/{table['id']}/socket") as wire:
            if way:
                await wire.send(HELLO)
                await wire.recv()
        return
    _, writer = await asyncio.open_connection("127.0.0.1", server.port)
    request = (
        f"GET /api/tables/{table['id']}/socket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    )
    if way == 3:
        request += "sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    writer.write(request.encode() + (b"\x81\xfe\x10" if way == 3 else b""))
    await writer.drain()
    writer.close()
    await writer.wait_closed()


async def settle(server: Server, connections: float) -> None:
    """Wait until the server has noticed all disconnections."""
    for _ in range(300):
        if figure(server, "threespan_connections") == connections:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(figure(server, "threespan_connections"))


@in_loop
async def test_many_short_connections_leave_nothing_behind(target: Server) -> None:
    table = target.open("elfer", "link", "link")
    await settle(target, 0)
    async with others_play_on(target):
        sizes = []
        for _ in range(3):
            gate = asyncio.Semaphore(50)

            async def come(number: int, gate: asyncio.Semaphore = gate) -> None:
                async with gate:
                    await open_and_close(target, table, number % 4)

            await asyncio.gather(*(come(number) for number in range(OPENS // 3)))
            sizes.append(memory(target))
    await settle(target, 0)
    assert sizes[2] - sizes[1] < MAX_GROWTH, sizes


def deaf_socket(server: Server, table: str) -> socket.socket:
    """A connection that has said hello and then never reads."""
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.connect(("127.0.0.1", server.port))
    deaf.sendall(
        f"GET /api/tables/{table}/socket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
        "sec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n".encode()
    )
    while b"\r\n\r\n" not in deaf.recv(4096, socket.MSG_PEEK):
        time.sleep(0.01)
    deaf.sendall(frame(HELLO))
    return deaf


def frame(text: str, opcode: int = 1) -> bytes:
    """A frame as a client sends it, masked with zeros."""
    body = text.encode()
    assert len(body) < 126
    return bytes([0x80 | opcode, 0x80 | len(body), 0, 0, 0, 0]) + body


@in_loop
async def test_a_client_that_does_not_read_is_disconnected(target: Server) -> None:
    table = target.open("stege", "here", "here")
    await settle(target, 0)
    dropped = figure(target, "threespan_clients_dropped_total")
    async with seat_client(target, table) as ada, others_play_on(target):
        await ada.join()
        with deaf_socket(target, table["id"]) as deaf:
            looks = frame('{"type":"switch_view","seat":-1}') * 20
            with suppress(ConnectionError):  # disconnected in the middle of a message
                while figure(target, "threespan_clients_dropped_total") == dropped:
                    await asyncio.to_thread(deaf.sendall, looks)
            await settle(target, 3)
    await settle(target, 0)


@in_loop
async def test_a_client_that_pings_and_does_not_read_is_disconnected(target: Server) -> None:
    table = target.open("stege", "link", "link")["id"]
    await settle(target, 0)
    before = memory(target)

    def flood() -> None:
        with deaf_socket(target, table) as deaf:
            pings, begin = frame("x" * 120, opcode=9) * 500, time.monotonic()
            deaf.settimeout(60)
            try:
                while time.monotonic() - begin < 60:
                    deaf.sendall(pings)
            except ConnectionError:
                return  # closed by the server
            raise AssertionError("the server goes on listening")

    async with others_play_on(target):
        await asyncio.to_thread(flood)
    await settle(target, 0)
    assert memory(target) - before < MAX_GROWTH


# Time


@in_loop
async def test_the_event_loop_never_waits_for_a_thinking_bot(target: Server) -> None:
    """Response times at one table while an expert thinks at another, compared with an idle server."""
    quiet, busy = target.open("hashi", "link"), target.open("stege", "link", "expert", options={"starts": 1})

    async def time_pings(client: Client, seconds: float) -> list[float]:
        times, end = [], time.perf_counter() + seconds
        while time.perf_counter() < end:
            begin = time.perf_counter()
            await client.send({"type": "ping"})
            await client.wait_for("pong")
            times.append(time.perf_counter() - begin)
            await asyncio.sleep(0.01)
        return times

    async with seat_client(target, quiet) as ada, seat_client(target, busy) as ben:
        idle = await time_pings(ada, 2)
        await ben.join()
        thinking = await time_pings(ada, 2)
    print(
        f"ping, median/worst in ms: idle {statistics.median(idle) * 1e3:.2f}/{max(idle) * 1e3:.1f}, "
        f"thinking {statistics.median(thinking) * 1e3:.2f}/{max(thinking) * 1e3:.1f}"
    )
    assert len(thinking) > len(idle) / 3, "a loop that waits for the bot answers a few times only"
