"""Resigning, ending and restarting at tables of a real server."""

from typing import Any

import httpx

from server.clients import Client
from server.running import Server
from server.test_play import in_loop, seat_client
from threespan.core.record import read_record, verify


def read(server: Server, table: str, path: str = "") -> httpx.Response:
    return httpx.get(f"{server.base}/api/tables/{table}{path}", timeout=30)


@in_loop
async def test_resigning_loses_at_once_however_often_it_is_sent(server: Server) -> None:
    table = server.open("elfer", "link", "link")
    async with seat_client(server, table, 0) as ada, seat_client(server, table, 1) as ben:
        await ada.join("Ada")
        await ben.join("Ben")
        assert (await ben.ask("resign", seat=0))["code"] == "not_your_seat"
        assert (await ben.ask("resign", seat=1, id="enough"))["type"] == "done"
        result = (await ada.until(lambda now: now["result"]))["result"]
        assert (result["ranks"], result["verdicts"]) == ([1, 2], ["", "Ben has resigned."])
        assert (ada.table["status"], ada.table["resigned"], ada.table["acting"]) == ("over", [1], [])
        refused = await ada.ask("play", seat=0, notices_seen=len(ada.notices), action_texts=["draw"])
        assert refused["code"] == "is_over"
    async with seat_client(server, table, 1, notices_seen=len(ben.notices), language="de") as ben:
        assert (ben.update or {})["result"]["verdicts"][1] == "Du hast aufgegeben."
        assert (await ben.ask("resign", seat=1, id="enough"))["type"] == "done"
        assert (await ben.ask("resign", seat=1))["code"] == "is_over"
    match = verify(read_record(read(server, table["id"], "/record").text))
    assert match.resigned == [1]
    replay = read(server, table["id"], "/replay?text_mode=true").json()
    assert replay["total"] == len(match.events)


@in_loop
async def test_bots_play_on_for_who_has_resigned(server: Server) -> None:
    table = server.open("hashi", "here", "beginner", "beginner")
    async with seat_client(server, table) as ada:
        await ada.join("Ada")
        await ada.ask("resign", seat=0)
        update = await ada.until(lambda now: now["result"])
    assert update["result"]["ranks"][0] == 3
    assert update["result"]["is_own"] == [False, False, False]
    assert verify(read_record(read(server, table["id"], "/record").text)).position.is_over


async def stop_while_a_bot_thinks(server: Server, kind: str, **values: Any) -> Client:
    """Stop a match while a strong bot is thinking; returns who did."""
    table = server.open("stege", "here", "expert", options={"starts": 1})
    ada = await seat_client(server, table).__aenter__()
    await ada.join("Ada")
    assert (await ada.ask(kind, **values))["type"] == "done"
    return ada


@in_loop
async def test_a_bot_that_thinks_at_a_table_that_is_stopped_does_no_harm(server: Server) -> None:
    for kind, values in (("resign", {"seat": 0}), ("end", {}), ("rematch", {})):
        ada = await stop_while_a_bot_thinks(server, kind, **values)
        table = read(server, ada.table["id"]).json()
        assert (table["status"], table["acting"]) == ("over", [])
        assert table["is_ended"] == (kind != "resign")
        assert (await ada.ask("end"))["code"] == "is_over"
        async with Client(server.base, table["id"]) as watcher:
            assert (watcher.update or {})["now"]["acting"] == []
            assert bool((watcher.update or {})["result"]) == (kind == "resign")
        await ada.__aexit__()
    async with seat_client(server, server.open("stege", "here", "easy", options={"starts": 1})) as other:
        await other.join()
        await other.until(lambda now: now["now"]["legal"])  # bots still work
    assert "could not move" not in server.log.read_text()


@in_loop
async def test_a_restart_opens_a_table_with_the_same_people(server: Server) -> None:
    table = server.open("hashi", "here", "easy")
    async with seat_client(server, table) as ada:
        await ada.join("Ada")
        await ada.send({"type": "rematch", "id": "anew"})
        new = (await ada.wait_for("rematching"))["table"]
        assert (await ada.ask("rematch", id="anew"))["type"] == "done"
        assert ada.table["is_ended"]
        assert (ada.update or {})["result"] is None
    record = read(server, table["id"], "/record").text
    assert '"secret"' not in record
    verify(read_record(record), unfinished=True)
    async with seat_client(server, table | {"id": new}) as ada:
        await ada.join("Ada")
        await ada.until(lambda now: now["now"]["legal"])
        assert ada.table["seats"][0]["name"] == "Ada"
