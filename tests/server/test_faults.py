"""A server is killed again and again while many play: nothing confirmed is lost, nothing happens twice."""

import asyncio
import os
import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from server.persistent import Player, StoredEvent, check_account, check_memory
from server.running import Server
from server.test_play import in_loop
from threespan.core.record import read_record, verify

MATCHES = int(os.environ.get("THREESPAN_FAULT_MATCHES", "40"))
KILLS = int(os.environ.get("THREESPAN_FAULT_KILLS", "6"))
PLAYS_PER_MATCH = 100  # about
RESIGNATIONS = 0.01  # of all turns in matches of three people
STEGE_EVERY = 10  # random players need a thousand plays per match; these matches end with the test
NO_LIMITS: dict[str, Any] = {
    "limits.connections_per_address": 100_000,
    "limits.address_messages_per_second": 1e6,
    "limits.messages_per_second": 1e6,
    "limits.requests_per_second": 1e6,
    "limits.tables_per_hour": 1_000_000,
}


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Server]:
    """A server for one test, which may kill it."""
    server = Server(tmp_path, **NO_LIMITS).start()
    yield server
    server.stop()


def read_events(server: Server, table: str) -> list[StoredEvent]:
    """The stored events of a table."""
    connection = sqlite3.connect(server.database.removeprefix("sqlite:///"))
    query = "SELECT sequence, request, body FROM events WHERE table_id = ? ORDER BY sequence"
    rows = [StoredEvent.of(row) for row in connection.execute(query, (table,))]
    connection.close()
    return rows


class Killer:
    """Kills a server at random moments, a given number of times."""

    def __init__(self, server: Server, pick: random.Random, kills: int, plays: int) -> None:
        self._server, self._pick, self._wanted = server, pick, kills
        self._max_plays = max(1, plays * 4 // (3 * kills))  # two thirds of all plays, on average
        self.plays = 0
        self.kills = 0

    def note_play(self) -> None:
        self.plays += 1

    async def run(self) -> None:
        for _ in range(self._wanted):
            wanted = self.plays + self._pick.randrange(self._max_plays)
            while self.plays < wanted:
                await asyncio.sleep(0.002)
            await asyncio.sleep(self._pick.uniform(0, 0.02))
            await asyncio.to_thread(self._server.kill)
            self.kills += 1
            await asyncio.to_thread(self._server.start)


def open_match(server: Server, number: int) -> dict[str, Any]:
    """All games, two or three people, or one against a bot."""
    if number % STEGE_EVERY == 0:
        return server.open("stege", "link", "link") | {"may_end_early": True}
    seats = (["link", "link"], ["link", "link", "link"], ["link", "easy"])[number % 3]
    return server.open(("hashi", "elfer")[number % 2], *seats) | {"may_end_early": False}


def seat_players(server: Server, table: dict[str, Any], pick: random.Random) -> list[Player]:
    """A player on every seat for a person; of three, some resign and the others play on."""
    resigns = RESIGNATIONS if len(table["keys"]) > 2 else 0.0
    return [
        Player(lambda: server.base, table["id"], key["seats"][0], key["key"], random.Random(pick.random()), resigns)
        for key in table["keys"]
    ]


@pytest.mark.timeout(1800)
@in_loop
async def test_nothing_acknowledged_is_lost_or_done_twice_however_often_the_server_is_killed(mortal: Server) -> None:
    seed = int(os.environ.get("THREESPAN_FAULT_SEED", random.randrange(10**6)))
    print(f"THREESPAN_FAULT_SEED={seed}")
    pick = random.Random(seed)
    killer = Killer(mortal, pick, KILLS, MATCHES * PLAYS_PER_MATCH)
    tables = [await asyncio.to_thread(open_match, mortal, number) for number in range(MATCHES)]
    players: list[Player] = []
    to_the_end: list[asyncio.Task[None]] = []
    until_enough: list[asyncio.Task[None]] = []
    for table in tables:
        for player in seat_players(mortal, table, pick):
            player.noted = killer.note_play
            players.append(player)
            (until_enough if table["may_end_early"] else to_the_end).append(asyncio.create_task(player.play()))
    killing = asyncio.create_task(killer.run())
    await asyncio.gather(*to_the_end)
    assert killing.done(), f"the matches were over after {killer.kills} kills"
    await killing
    for task in until_enough:
        task.cancel()
    for result in await asyncio.gather(*until_enough, return_exceptions=True):
        assert result is None or isinstance(result, asyncio.CancelledError), result
    print(f"{killer.plays} plays, {sum(player.connections for player in players)} connections")
    for player in players:
        check_account(player, read_events(mortal, player.table))
        await check_memory(player, mortal.base)
    for table in tables:
        record = httpx.get(f"{mortal.base}/api/tables/{table['id']}/record", timeout=30)
        assert record.status_code == 200 or table["may_end_early"]
        if record.status_code == 200:
            verify(read_record(record.text))
    assert "threespan_failures_total 0.0" in httpx.get(f"{mortal.base}/metrics").text
