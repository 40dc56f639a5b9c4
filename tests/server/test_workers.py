"""Several workers with one database and one bus: any of them can serve any table, and any of them may die."""

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from redis import Redis
from redis.exceptions import ConnectionError as RedisGone

from server.clients import Client, new_id
from server.persistent import Player, StoredEvent, check_account, check_memory
from server.running import Server, environment
from server.services import postgres, redis
from server.test_faults import NO_LIMITS
from server.test_play import in_loop, quickest, seat_client
from threespan.core.libraries import cache_home
from threespan.core.record import read_record, verify

KILLS = int(os.environ.get("THREESPAN_WORKER_KILLS", "4"))
PATIENCE = 90.0


def read_events(database: str, table: str) -> list[StoredEvent]:
    """The stored events of a table."""
    query = "SELECT sequence, request, body FROM events WHERE table_id = %s ORDER BY sequence"
    with psycopg.connect(database) as connection:
        return [StoredEvent.of(row) for row in connection.execute(query, (table,))]


class Cluster:
    """Two servers with one worker each, on the same PostgreSQL and Redis."""

    def __init__(self, folder: Path, database: str, bus: str) -> None:
        self.database, self.bus = database, bus
        self.workers = [Server(folder, database, bus, absent_after_seconds=0, **NO_LIMITS) for _ in range(2)]
        self._folder = folder
        self._new_bus: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        for worker in self.workers:
            worker.start()

    def stop(self) -> None:
        for worker in self.workers:
            if hasattr(worker, "process"):
                worker.stop()
        if self._new_bus is not None:
            self._new_bus.terminate()
            self._new_bus.wait()

    def stop_bus(self) -> None:
        with Redis.from_url(self.bus) as control, suppress(RedisGone):
            control.shutdown(nosave=True)

    def start_bus(self) -> None:
        port = self.bus.rpartition(":")[2]
        command = [str(shutil.which("redis-server")), "--port", port, "--bind", "127.0.0.1", "--save", ""]
        self._new_bus = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=self._folder)

    def events(self, table: str) -> list[StoredEvent]:
        return read_events(self.database, table)

    def failures(self) -> list[str]:
        pages = [httpx.get(f"{worker.base}/metrics").text for worker in self.workers]
        return [line for page in pages for line in page.splitlines() if line.startswith("threespan_failures_total")]


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    folder = tmp_path_factory.mktemp("services")
    with postgres(folder) as database, redis(folder) as bus:
        yield database, bus


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, services: tuple[str, str]) -> Iterator[Cluster]:
    running = Cluster(tmp_path_factory.mktemp("workers"), *services)
    try:
        running.start()
        yield running
    finally:
        running.stop()


async def eventually(condition: Callable[[], Any]) -> None:
    begin = time.monotonic()
    while not condition():
        assert time.monotonic() - begin < PATIENCE, condition
        await asyncio.sleep(0.1)


@in_loop
async def test_names_presence_phrases_and_moves_cross_workers(cluster: Cluster) -> None:
    one, two = cluster.workers
    table = one.open("stege", "link", "link", options={"starts": 0})
    async with seat_client(one, table, 0) as ada, seat_client(two, table, 1, language="de") as ben:
        while not all(seat["is_connected"] for seat in ada.table["seats"]):
            await ada.receive()
        while not all(seat["is_connected"] for seat in ben.table["seats"]):
            await ben.receive()
        await ada.join("Ada")
        await ben.join("Ben")
        for client in (ada, ben):
            while [seat["name"] for seat in client.table["seats"]] != ["Ada", "Ben"]:
                await client.receive()
        await ada.until(lambda now: now["now"]["legal"])
        await ada.play(quickest((ada.update or {})["now"]["legal"]))
        seen = await ben.until(lambda now: now["notice_count"])
        assert seen["notices"][0]["seat"] == 0
        await ada.send({"type": "say", "seat": 0, "phrase": "thanks"})
        assert (await ben.wait_for("said"))["text"] == "Danke!"
        await ada.ask("stand_in", seat=0, level="beginner")
        while ben.table["seats"][0]["level"] != "beginner":
            await ben.receive()
    async with seat_client(two, table, 1) as ben:
        while ben.table["seats"][0]["is_connected"]:
            await ben.receive()


def wanderer(cluster: Cluster, table: dict[str, Any], key: dict[str, Any], pick: random.Random) -> Player:
    """A player who connects to any worker."""
    own = random.Random(pick.random())
    return Player(lambda: own.choice(cluster.workers).base, table["id"], key["seats"][0], key["key"], own)


@in_loop
async def test_matches_continue_whichever_worker_is_killed(cluster: Cluster) -> None:
    pick = random.Random(int(os.environ.get("THREESPAN_FAULT_SEED", random.randrange(10**6))))
    seatings = [
        ("hashi", "link", "link"),
        ("elfer", "link", "link"),
        ("hashi", "link", "easy"),
        ("elfer", "link", "easy"),
    ]
    tables = [cluster.workers[number % 2].open(*seating) for number, seating in enumerate(seatings * 3)]
    players = [wanderer(cluster, table, key, pick) for table in tables for key in table["keys"]]

    async def kill_on() -> None:
        for _ in range(KILLS):
            await asyncio.sleep(pick.uniform(0.1, 1.0))
            worker = pick.choice(cluster.workers)
            await asyncio.to_thread(worker.kill)
            await asyncio.sleep(pick.uniform(0.1, 1.0))
            await asyncio.to_thread(worker.start)

    await asyncio.gather(kill_on(), *(player.play() for player in players))
    for player in players:
        check_account(player, cluster.events(player.table))
        for worker in cluster.workers:
            await check_memory(player, worker.base)
    for table in tables:
        record = httpx.get(f"{cluster.workers[0].base}/api/tables/{table['id']}/record", timeout=30)
        verify(read_record(record.text))
    assert {line.split()[1] for line in cluster.failures()} == {"0.0"}


@in_loop
async def test_the_work_of_a_dead_worker_is_taken_over(cluster: Cluster) -> None:
    """Without any new connection, a bot's turn is taken over, and the people of the dead worker count as away."""
    one, two = cluster.workers
    with_bot = one.open("stege", "link", "expert", options={"starts": 1})
    with_person = one.open("elfer", "link", "link")
    async with (
        Client(two.base, with_bot["id"]) as watcher,
        seat_client(one, with_bot, 0) as ada,
        seat_client(one, with_person, 0) as left,
        seat_client(two, with_person, 1) as ben,
    ):
        await left.join()
        await ben.join()
        await ada.join()
        one.kill()
        assert not [event for event in cluster.events(with_bot["id"]) if event.body.get("seat") == 1]
        await watcher.until(lambda now: 1 in [notice["seat"] for notice in now["notices"]])
        answers: list[dict[str, Any]] = []
        while not answers or answers[-1]["type"] != "done":
            answers.append(await ben.ask("stand_in", seat=0, level="beginner"))
            assert answers[-1].get("code") in (None, "is_present")
            await asyncio.sleep(0.5)
        assert not ben.table["seats"][0]["is_connected"]
    one.start()


@in_loop
async def test_without_redis_workers_find_moves_in_the_store(cluster: Cluster) -> None:
    one, two = cluster.workers
    table = one.open("stege", "link", "link", options={"starts": 0})
    async with seat_client(one, table, 0) as ada, seat_client(two, table, 1) as ben:
        await ada.join()
        await ben.join()
        await ada.until(lambda now: now["now"]["legal"])
        cluster.stop_bus()
        assert (await ada.play(quickest((ada.update or {})["now"]["legal"])))["type"] == "done"
        async with Client(two.base, table["id"]) as watcher:
            assert (watcher.update or {})["notice_count"] == 1  # at once
        await ben.until(lambda now: now["notice_count"] == 1)
        await eventually(lambda: httpx.get(f"{one.base}/readyz").status_code == 503)
        cluster.start_bus()
        await eventually(lambda: httpx.get(f"{one.base}/readyz").status_code == 200)
        heard = asyncio.create_task(ben.wait_for("said"))
        while not heard.done():
            await ada.send({"type": "say", "seat": 0, "phrase": "hello"})
            await asyncio.wait([heard], timeout=0.5)
        assert heard.result()["phrase"] == "hello"


def test_a_database_that_is_away_for_a_while_costs_no_move(services: tuple[str, str], tmp_path: Path) -> None:
    database, _ = services
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE DATABASE faulty")
    server = Server(tmp_path, database.rpartition("/")[0] + "/faulty").start()

    def let_in(yes: bool) -> None:
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE faulty ALLOW_CONNECTIONS {yes}")
            connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'faulty'")

    async def play() -> None:
        table = server.open("stege", "link", "link", options={"starts": 0})
        async with seat_client(server, table, 0) as ada, seat_client(server, table, 1) as ben:
            await ada.join()
            await ben.join()
            update = await ada.until(lambda now: now["now"]["legal"])
            let_in(False)
            first, second = update["now"]["legal"][-2:]
            message = {"seat": 0, "notices_seen": update["notice_count"], "action_texts": [first]}
            request = new_id()
            assert (await ada.ask("play", **message, id=request))["code"] == "internal"
            assert (await ada.ask("play", **message | {"action_texts": [second]}))["code"] == "internal"
            let_in(True)
            assert (await ada.ask("play", **message, id=request))["type"] == "done"
            seen = await ben.until(lambda now: now["notice_count"])
            assert [notice["action_text"] for notice in seen["notices"]] == [first]
            async with seat_client(server, table, 0) as again:
                assert [notice["action_text"] for notice in again.notices] == [first]

    try:
        asyncio.run(play())
    finally:
        server.stop()


def children(process: int) -> list[int]:
    """The processes that a process has started."""
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def workers_of(server: Server) -> list[int]:
    """The worker processes of a server, without the helpers of `multiprocessing`."""
    commands = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children(server.process.pid)}
    return [pid for pid, command in commands.items() if b"spawn_main" in command]


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def has_loaded(process: int, package: str) -> bool:
    """Whether a process has loaded compiled parts of a package."""
    return f"/{package}" in Path(f"/proc/{process}/maps").read_text()


def test_a_server_has_no_compiler_in_memory_unless_there_is_no_linker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_libraries = tmp_path / "cache"
    without_libraries.mkdir()
    for folder in cache_home().glob("kernels-*"):
        (without_libraries / folder.name).symlink_to(folder)
    for path, cache, needs_compiler in (
        (os.environ["PATH"], cache_home(), False),
        ("/nowhere", without_libraries, True),
    ):
        monkeypatch.setenv("PATH", path)
        monkeypatch.setenv("THREESPAN_CACHE", str(cache))
        server = Server(tmp_path, bot_threads=0).start()
        try:
            assert has_loaded(server.process.pid, "llvmlite") == needs_compiler
            assert server.open("stege", "here", "link")["keys"]
        finally:
            server.stop()


@in_loop
async def test_one_command_runs_several_workers_and_replaces_those_that_die(
    services: tuple[str, str], tmp_path: Path
) -> None:
    server = await asyncio.to_thread(Server(tmp_path, *services, workers=2, **NO_LIMITS).start)
    try:

        def names() -> set[str]:
            return {httpx.get(f"{server.base}/healthz").json()["worker"] for _ in range(8)}

        before: set[str] = set()

        def have_both_answered() -> bool:
            before.update(names())
            return len(before) == 2

        await eventually(have_both_answered)
        table = server.open("elfer", "link", "easy")
        pick = random.Random(1)
        key = table["keys"][0]
        player = Player(lambda: server.base, table["id"], 0, key["key"], pick)
        playing = asyncio.create_task(player.play())
        await eventually(lambda: len(player.acknowledged) > 3)
        for worker in workers_of(server):
            assert not has_loaded(worker, "llvmlite")
            assert not has_loaded(worker, "pydantic")
        worker = workers_of(server)[0]
        helpers = children(worker)
        os.kill(worker, signal.SIGKILL)
        await playing
        check_account(player, read_events(services[0], table["id"]))
        await eventually(lambda: len(names()) == 2 and len(names() & before) == 1)
        await eventually(lambda: not [process for process in helpers if is_running(process)])
    finally:
        await asyncio.to_thread(server.stop)
    assert server.process.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "missing"),
    [
        (["--database", "postgresql://127.0.0.1/x"], "--bus"),
        (["--bus", "redis://127.0.0.1"], "--database"),
        (["--bus", "redis://127.0.0.1", "--database", "sqlite:///x"], "--database"),
        (["--bus", "redis://127.0.0.1", "--database", "memory://"], "--database"),
    ],
)
def test_several_workers_without_something_to_share_are_refused_in_one_line(arguments: list[str], missing: str) -> None:
    command = [sys.executable, "-m", "threespan", "serve", "--workers", "2", *arguments]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert refused.returncode == 2
    assert len(refused.stderr.splitlines()) == 1
    assert missing in refused.stderr


def test_a_server_without_a_database_forgets_its_tables(tmp_path: Path) -> None:
    server = Server(tmp_path, "memory://", bot_threads=0)

    def status(table: str) -> int:
        return httpx.get(f"{server.base}/api/tables/{table}", timeout=30).status_code

    try:
        table = server.start().open("hashi", "link")["id"]
        assert status(table) == 200
        server.stop()
        server.start()
        assert status(table) == 404
    finally:
        server.stop()


def test_a_module_in_the_current_folder_is_not_taken_for_ours(tmp_path: Path) -> None:
    (tmp_path / "msgspec.py").write_text("raise SystemExit('somebody else')")
    command = [str(Path(sys.executable).with_name("threespan")), "serve", "--bus", "redis://127.0.0.1:1"]
    command += ["--database", f"sqlite:///{tmp_path / 'tables.sqlite'}"]
    ended = subprocess.run(
        command, cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    said = ended.stdout + ended.stderr
    assert "the bus cannot be used" in said
    assert "somebody else" not in said


def test_a_bus_that_cannot_be_reached_is_named(tmp_path: Path) -> None:
    server = Server(tmp_path, bus="redis://127.0.0.1:1")
    with pytest.raises(AssertionError, match="the bus cannot be used"):
        server.start()
    assert server.process.returncode != 0
