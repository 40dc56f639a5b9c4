"""Conversations at tables in memory, without a network: metrics, text mode and German."""

import asyncio
import json
from collections.abc import Callable, Coroutine, MutableMapping
from typing import Any

import pytest
from prometheus_client import REGISTRY

from threespan.core.options import read_options
from threespan.core.registry import find_game
from threespan.server.guard import Guard
from threespan.server.settings import Settings
from threespan.server.tables.all_tables import Tables
from threespan.server.tables.socket import play_at_table
from threespan.table.events import SeatSetup
from threespan.table.messages.lobby import NewTable

SHARE = "7" * 64
HEADERS = {"type": "websocket", "headers": [], "client": ("10.0.0.1", 1)}


class Line:
    """Both ends of a fake connection."""

    def __init__(self, tables: Tables, guard: Guard, table: str) -> None:
        self.to_server: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
        self.from_server: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
        self.to_server.put_nowait({"type": "websocket.connect"})
        scope = HEADERS | {"path": f"/api/tables/{table}/socket"}
        talk = play_at_table(scope, self.to_server.get, self.from_server.put, tables, guard)
        self.task = asyncio.create_task(talk)

    async def ask(self, kind: str, answer: str, **values: Any) -> dict[str, Any]:
        """Send a message and wait for a message of a kind."""
        self.to_server.put_nowait({"type": "websocket.receive", "text": json.dumps({"type": kind} | values)})
        return await self.hear(answer)

    async def hear(self, kind: str) -> dict[str, Any]:
        """Wait for a message of a kind."""
        while True:
            event = await asyncio.wait_for(self.from_server.get(), 30)
            for line in event.get("text", "").split("\n"):
                message: dict[str, Any] = json.loads(line) if line else {}
                if message.get("type") == kind:
                    return message

    async def close(self) -> None:
        self.to_server.put_nowait({"type": "websocket.disconnect"})
        await self.task


Work = Callable[[Tables, Guard], Coroutine[Any, Any, None]]


def run(work: Work) -> None:
    """Run a test with tables in memory."""

    async def main() -> None:
        settings = Settings(database="memory://", bot_threads=0)
        tables = Tables(settings)
        await tables.start()
        try:
            await work(tables, Guard(settings))
        finally:
            await tables.stop()

    asyncio.run(main())


async def solo(tables: Tables, guard: Guard, **hello: Any) -> Line:
    """A solo player who has just joined."""
    opened = await tables.open(NewTable(game="hashi", seats=[SeatSetup("here")]))
    line = Line(tables, guard, opened.id)
    await line.ask("hello", "welcome", version=1, key=opened.keys[0].key, **hello)
    return line


def connections() -> float | None:
    return REGISTRY.get_sample_value("threespan_connections")


def test_a_connection_that_cannot_be_accepted_is_not_counted() -> None:
    async def work(tables: Tables, guard: Guard) -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "websocket.connect"}

        async def send(_: Any) -> None:
            raise OSError("gone")

        for _ in range(3):
            with pytest.raises(OSError, match="gone"):
                await play_at_table(HEADERS | {"path": "/api/tables/abc/socket"}, receive, send, tables, guard)
        assert connections() == 0
        assert guard._connections == {}
        line = await solo(tables, guard)
        assert connections() == 1
        await line.close()
        assert connections() == 0

    run(work)


@pytest.mark.parametrize(("language", "words"), [("en", "is not an action"), ("de", "ist keine Aktion")])
def test_an_unknown_action_is_refused_in_the_players_language(language: str, words: str) -> None:
    async def work(tables: Tables, guard: Guard) -> None:
        line = await solo(tables, guard, language=language)
        await line.ask("join", "done", id="j", share=SHARE)
        refused = await line.ask("play", "refused", id="p", seat=0, notices_seen=0, action_texts=["dance"])
        assert (refused["code"], refused["index"]) == ("not_an_action", 0)
        assert words in refused["text"]
        await line.close()

    run(work)


def test_descriptions_are_only_sent_in_text_mode() -> None:
    async def work(tables: Tables, guard: Guard) -> None:
        game = find_game("hashi")
        line = await solo(tables, guard, text_mode=True, language="de")
        await line.ask("join", "done", id="j", share=SHARE)
        now = (await line.ask("draft", "preview", id="d", seat=0, action_texts=[]))["now"]
        board = game.start(read_options(game.options, {})).state
        assert now["labels"] == [game.sentence(board, text, "de") for text in now["legal"]]
        assert now["lines"]
        assert (await line.ask("past", "past", id="b", notice_count=0))["lines"] == now["lines"]
        plain = (await line.ask("switch_view", "update", seat=0, text_mode=False))["now"]
        assert (plain["labels"], plain["lines"], plain["legal"]) == ([], [], now["legal"])
        assert (await line.ask("switch_view", "update", seat=0, language="en"))["now"]["lines"] == []
        await line.ask("play", "done", id="p", seat=0, notices_seen=0, action_texts=[now["legal"][0]])
        notices = (await line.ask("switch_view", "update", seat=0))["notices"]
        assert [notice["sentence"] for notice in notices] == [
            game.report(board, notice["action_text"], notice["seat"], [""], "en") for notice in notices
        ]
        await line.close()

    run(work)


def test_changes_of_another_worker_are_sent_even_without_a_signal() -> None:
    async def work(tables: Tables, guard: Guard) -> None:
        elsewhere = Tables(Settings(database="memory://", bot_threads=0))
        elsewhere.store = tables.store
        opened = await tables.open(
            NewTable(game="stege", seats=[SeatSetup("link"), SeatSetup("link")], options={"starts": 0})
        )
        ada, ben = (Line(tables, guard, opened.id) for _ in range(2))
        for line, key in zip((ada, ben), opened.keys, strict=True):
            await line.ask("hello", "welcome", version=1, key=key.key)
            await line.ask("join", "done", id="j", share=SHARE)
        far = Line(elsewhere, guard, opened.id)
        update = (await far.ask("hello", "welcome", version=1, key=opened.keys[0].key))["update"]
        play = {"seat": 0, "notices_seen": update["notice_count"], "action_texts": update["now"]["legal"][-1:]}
        await far.ask("play", "done", id="far", **play)
        assert (await ada.ask("play", "refused", id="near", **play))["code"] == "stale"
        assert (await ben.hear("update"))["notice_count"] == update["notice_count"] + 1
        for line in (ada, ben, far):
            await line.close()

    run(work)


def test_an_unsupported_language_is_refused() -> None:
    async def work(tables: Tables, guard: Guard) -> None:
        for language in ("xx", "en\n", ""):
            line = Line(tables, guard, "abc")
            bye = await line.ask("hello", "bye", version=1, language=language)
            assert bye["code"] == "not_understood"
            await line.close()

    run(work)


def test_a_repeated_request_is_confirmed_but_not_carried_out_again() -> None:
    async def work(tables: Tables, guard: Guard) -> None:
        line = await solo(tables, guard)
        for _ in range(2):
            await line.ask("join", "done", id="j", share=SHARE)
        refused = await line.ask("join", "refused", id="k", share=SHARE)
        assert refused["code"] == "already_joined"
        await line.close()

    run(work)


def test_the_referee_answers_over_the_wire() -> None:
    async def work(tables: Tables, guard: Guard) -> None:
        seats = [SeatSetup("link"), SeatSetup("link")]
        opened = await tables.open(NewTable(game="hashi", seats=seats, options={"pen": "free"}))
        ada, ben = (Line(tables, guard, opened.id) for _ in range(2))
        for line, key in zip((ada, ben), opened.keys, strict=True):
            await line.ask("hello", "welcome", version=1, key=key.key, language="de")
            await line.ask("join", "done", id="j", share=SHARE)
        for seat, line in enumerate((ada, ben)):
            await line.ask("play", "done", id="s", seat=seat, notices_seen=0, action_texts=["write 03 4"])
        update = await ada.ask("switch_view", "update", seat=0)
        wrong = next(text for text in update["now"]["legal"] if text.startswith("write 01"))
        checked = await ada.ask("check", "checked", id="c", seat=0, action_texts=[wrong])
        assert [(fault["rule"], fault["places"]) for fault in checked["faults"]] == [("FLAG_NEEDS_BRIDGE", ["01"])]
        told = update["notice_count"]
        await ada.ask("play", "done", id="p", seat=0, notices_seen=told, action_texts=[wrong, "done"])
        assert (await ben.ask("doubt", "refused", id="early", seat=1, board=0))["code"] == "no_doubt_now"
        await ben.ask("play", "done", id="p", seat=1, notices_seen=told, action_texts=["done"])
        doubted = await ben.ask("doubt", "doubted", id="d", seat=1, board=0)
        assert (doubted["is_wrong"], doubted["text"][:3]) == (True, "Ja,")
        assert (await ben.ask("doubt", "refused", id="again", seat=1, board=0))["code"] == "doubted_already"
        for line in (ada, ben):
            await line.close()

    run(work)
