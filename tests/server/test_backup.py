"""Backups as described in docs/host.md, made while people play, and restored."""

import asyncio
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from server.clients import Client
from server.running import Server
from server.services import postgres, postgres_command
from server.test_play import in_loop, quickest, seat_client
from threespan.core.record import read_record, verify

PLAYS_BEFORE = 10  # a solo match has about 35


async def play_some(client: Client, plays: int) -> None:
    """Play one's own seat a number of times."""
    for _ in range(plays):
        update = await client.until(lambda now: now["now"]["legal"])
        assert (await client.play(quickest(update["now"]["legal"])))["type"] == "done"
        await client.until(lambda now, seen=update["notice_count"]: now["notice_count"] != seen)


async def back_up_in_play(server: Server, back_up: Callable[[], None]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Make a backup while somebody plays; returns the table and what had happened before."""
    table = server.open("hashi", "here")
    async with seat_client(server, table) as ada:
        await ada.join("Ada")
        await play_some(ada, PLAYS_BEFORE)
        before = list(ada.notices)
        await asyncio.gather(asyncio.to_thread(back_up), play_some(ada, PLAYS_BEFORE))
        assert len(ada.notices) > len(before)
    return table, before


async def go_on(server: Server, table: dict[str, Any], before: list[dict[str, Any]]) -> None:
    """The old link still works, nothing is missing, and the match can be played to its end."""
    async with seat_client(server, table) as ada:
        assert ada.notices[: len(before)] == before
        assert ada.table["seats"][0]["name"] == "Ada"
        await ada.play_to_the_end(quickest)
    record = httpx.get(f"{server.base}/api/tables/{table['id']}/record", timeout=30).text
    assert verify(read_record(record)).seed.commitment == table["commitment"]


def vacuum_into(source: Path, backup: Path) -> None:
    connection = sqlite3.connect(source)
    connection.execute("VACUUM INTO ?", (str(backup),))
    connection.close()


def backup_command(source: Path, backup: Path) -> None:
    """The same as `.backup` of the command sqlite3."""
    with sqlite3.connect(source) as live, sqlite3.connect(backup) as copy:
        live.backup(copy)
    live.close()
    copy.close()


@pytest.mark.parametrize("copy", [vacuum_into, backup_command])
@in_loop
async def test_a_backup_of_sqlite_in_use_can_be_restored(tmp_path: Path, copy: Callable[[Path, Path], None]) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    new.mkdir()
    first = await asyncio.to_thread(Server(old, bot_threads=0).start)
    try:
        played = await back_up_in_play(first, lambda: copy(old / "tables.sqlite", tmp_path / "backup.sqlite"))
    finally:
        await asyncio.to_thread(first.kill)
    shutil.copy(tmp_path / "backup.sqlite", new / "tables.sqlite")
    second = await asyncio.to_thread(Server(new, bot_threads=0).start)
    try:
        await go_on(second, *played)
    finally:
        await asyncio.to_thread(second.stop)


@in_loop
async def test_a_dump_of_postgresql_in_use_can_be_restored(tmp_path: Path) -> None:
    dump = tmp_path / "threespan.dump"
    with postgres(tmp_path) as database:

        def back_up() -> None:
            command = [postgres_command("pg_dump"), "--format=custom", f"--file={dump}", database]
            subprocess.run(command, check=True, capture_output=True)

        first = await asyncio.to_thread(Server(tmp_path, database, bot_threads=0).start)
        try:
            played = await back_up_in_play(first, back_up)
        finally:
            await asyncio.to_thread(first.kill)
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("CREATE DATABASE restored")
        restored = database.rpartition("/")[0] + "/restored"
        command = [postgres_command("pg_restore"), "--no-owner", f"--dbname={restored}", str(dump)]
        subprocess.run(command, check=True, capture_output=True)
        second = await asyncio.to_thread(Server(tmp_path, restored, bot_threads=0).start)
        try:
            await go_on(second, *played)
        finally:
            await asyncio.to_thread(second.stop)
