"""Playing at tables of a real server."""

import asyncio
import hashlib
import random
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

import httpx
import pytest

from server.clients import Client, new_id
from server.running import Server
from threespan.core.record import read_record, verify
from threespan.core.registry import find_game
from threespan.core.words import Language


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run an asynchronous test."""

    @wraps(test)
    def run(*args: Any, **values: Any) -> None:
        asyncio.run(test(*args, **values))

    return run


def seat_client(server: Server, table: dict[str, Any], seat: int = 0, **hello: Any) -> Client:
    key = next(key["key"] for key in table["keys"] if seat in key["seats"])
    return Client(server.base, table["id"], key, **hello)


def quickest(legal: list[str]) -> str:
    """An action that ends a match quickly."""
    return legal[-1]


@pytest.mark.parametrize("game", ["hashi", "stege", "elfer"])
@in_loop
async def test_a_match_against_a_bot_is_played_to_its_end_and_its_record_verifies(server: Server, game: str) -> None:
    table = server.open(game, "here", "beginner")
    pick = random.Random(1)
    async with seat_client(server, table) as ada:
        await ada.join("Ada")
        result = (await ada.play_to_the_end(pick.choice))["result"]
    assert sorted(result["ranks"]) in ([1, 1], [1, 2])
    text = httpx.get(f"{server.base}/api/tables/{table['id']}/record", timeout=30).text
    match = verify(read_record(text))
    assert match.names[0] == "Ada"
    assert match.position.outcome()[1] == result["ranks"]
    assert match.seed.commitment == table["commitment"]
    sheets = [[(rule.name, points) for rule, points in match.position.score_sheet(seat)] for seat in range(2)]
    assert [[(line["rule"], line["points"]) for line in sheet] for sheet in result["sheets"]] == sheets


@in_loop
async def test_solo_is_ranked_in_the_players_language(server: Server) -> None:
    verdicts = []
    for language in ("en", "de"):
        table = server.open("hashi", "here")
        async with seat_client(server, table, language=language) as solo:
            await solo.join()
            verdicts.append((await solo.play_to_the_end(quickest))["result"]["verdicts"][0])
    assert verdicts[0]
    assert verdicts[0] != verdicts[1]


@in_loop
async def test_people_by_link_play_each_other_and_see_only_their_own(server: Server) -> None:
    table = server.open("elfer", "link", "link")
    async with (
        seat_client(server, table, 0) as ada,
        seat_client(server, table, 1) as ben,
        Client(server.base, table["id"]) as watcher,
    ):
        assert watcher.welcome["own_seats"] == []
        assert watcher.welcome["update"] is None
        await ada.join("Ada")
        await ben.join("Ben")
        for viewer, client in ((0, ada), (1, ben), (-1, watcher)):
            update = await client.until(lambda _: True)
            racks = update["now"]["view"]["racks"]
            assert all(rack["size"] >= 20 for rack in racks)
            known = [rack["size"] if seat == viewer else 0 for seat, rack in enumerate(racks)]
            assert [len(rack["tiles"]) for rack in racks] == known
        while [seat["name"] for seat in watcher.table["seats"]] != ["Ada", "Ben"]:
            await watcher.receive()


@in_loop
async def test_drafts_are_previewed_and_nothing_happens(server: Server) -> None:
    table = server.open("hashi", "here")
    async with seat_client(server, table) as solo:
        await solo.join()
        await solo.until(lambda now: now["now"]["legal"])
        await solo.play((solo.update or {})["now"]["legal"][0])
        update = await solo.until(lambda now: now["now"]["view"]["phase"] == "round")
        number = update["now"]["view"]["card"]["number"]
        write = next(text for text in update["now"]["legal"] if text.startswith("write"))
        preview = await solo.ask("draft", seat=0, action_texts=[write])
        assert preview["type"] == "preview"
        assert number in preview["now"]["view"]["boards"][0]["numbers"]
        again = await solo.ask("draft", seat=0, action_texts=[])
        assert again["now"]["view"] == update["now"]["view"]
        assert again["now"]["legal"] == update["now"]["legal"]


@pytest.mark.parametrize("language", ["en", "de"])
@in_loop
async def test_refusals_name_the_clause_in_the_players_language(server: Server, language: Language) -> None:
    table = server.open("hashi", "here")
    async with seat_client(server, table, language=language) as solo:
        await solo.join()
        await solo.until(lambda now: now["now"]["legal"])
        refused = await solo.play("write 01 3")  # a flagged island
        assert (refused["type"], refused["code"], refused["index"]) == ("refused", "START_NUMBER", 0)
        drafted = await solo.ask("draft", seat=0, action_texts=["write 01 3"])
        assert drafted["code"] == "START_NUMBER"
        nonsense = await solo.play("dance")
        assert nonsense["code"] == "not_an_action"
        game = find_game("hashi")
        assert refused["text"] == drafted["text"] == game.rule_book.refusal(game.rule_enum["START_NUMBER"], language)


@in_loop
async def test_a_play_is_all_or_nothing(server: Server) -> None:
    table = server.open("hashi", "here")
    async with seat_client(server, table) as solo:
        await solo.join()
        await solo.until(lambda now: now["now"]["legal"])
        await solo.play((solo.update or {})["now"]["legal"][0])
        update = await solo.until(lambda now: now["now"]["view"]["phase"] == "round")
        write = next(text for text in update["now"]["legal"] if text.startswith("write"))
        refused = await solo.play(write, write)
        assert (refused["type"], refused["index"]) == ("refused", 1)
        assert (await solo.ask("draft", seat=0, action_texts=[]))["now"]["view"] == update["now"]["view"]
        beyond = await solo.play("skip", "skip", "skip")  # the third one belongs to the next round
        assert (beyond["code"], beyond["index"]) == ("too_far", 2)


@in_loop
async def test_a_repeated_commit_is_answered_not_repeated(server: Server) -> None:
    table = server.open("stege", "link", "link")
    async with seat_client(server, table, 0) as ada, seat_client(server, table, 1) as ben:
        await ada.join()
        await ben.join()
        acting = ada if (await ada.until(lambda _: True))["now"]["legal"] else ben
        update = await acting.until(lambda now: now["now"]["legal"])
        request, text = new_id(), update["now"]["legal"][0]
        message = {
            "id": request,
            "seat": update["seat"],
            "notices_seen": update["notice_count"],
            "action_texts": [text],
        }
        assert (await acting.ask("play", **message))["type"] == "done"
        assert (await acting.ask("play", **message))["type"] == "done"
        assert (await acting.ask("play", **message | {"id": new_id()}))["code"] == "stale"
        other = ben if acting is ada else ada
        seen = await other.until(lambda now: now["now"]["legal"])
        assert [notice["action_text"] for notice in seen["notices"]].count(text) == 1


@in_loop
async def test_a_client_that_comes_back_gets_what_it_has_missed(server: Server) -> None:
    table = server.open("stege", "link", "link")
    async with seat_client(server, table, 0) as ada, seat_client(server, table, 1) as ben:
        await ada.join()
        await ben.join()
        for _ in range(4):
            acting = ada if (await ada.until(lambda _: True))["now"]["acting"] == [0] else ben
            update = await acting.until(lambda now: now["now"]["legal"])
            await acting.play(update["now"]["legal"][0])
            for client in (ada, ben):
                await client.until(lambda now, seen=update["notice_count"]: now["notice_count"] > seen)
        for seen in (0, 2, len(ada.notices)):
            async with seat_client(server, table, 0, notices_seen=seen) as back:
                assert back.notices == ada.notices[seen:]


@in_loop
async def test_undo_works_until_something_is_revealed(server: Server) -> None:
    table = server.open("hashi", "link", "link")
    async with seat_client(server, table, 0) as ada, seat_client(server, table, 1) as ben:
        await ada.join()
        await ben.join()
        before = await ada.until(lambda now: now["now"]["legal"])
        await ben.until(lambda now: now["now"]["legal"])
        await ada.play(before["now"]["legal"][0])
        update = await ada.until(lambda now: now["may_undo"])
        assert 0 not in update["now"]["acting"]
        assert (await ada.ask("undo", seat=0))["type"] == "done"
        back = await ada.until(lambda now: 0 in now["now"]["acting"])
        assert back["now"]["view"] == before["now"]["view"]
        assert back["notices"][-1]["undone"] == 1
        await ada.play(before["now"]["legal"][1])
        await ben.play(before["now"]["legal"][1])
        await ada.until(lambda now: now["now"]["view"]["phase"] == "round")
        assert (await ada.ask("undo", seat=0))["code"] == "nothing_to_undo"


@in_loop
async def test_a_turn_is_undone_if_the_others_agree(server: Server) -> None:
    table = server.open("stege", "link", "link", options={"starts": 0})
    async with seat_client(server, table, 0) as ada, seat_client(server, table, 1) as ben:
        await ada.join()
        await ben.join()
        before = await ada.until(lambda now: now["now"]["legal"])
        for accepts in (False, True):
            await ada.play(before["now"]["legal"][0])
            await ada.until(lambda now: now["may_request_undo"])
            assert (await ada.ask("undo", seat=0))["code"] == "nothing_to_undo"
            assert (await ada.ask("request_undo", seat=0))["type"] == "done"
            await ben.until(lambda now: now["undo_request"] == 0)
            assert (await ada.ask("answer_undo", seat=0, accepts=True))["code"] == "no_request_to_answer"
            assert (await ben.ask("answer_undo", seat=1, accepts=accepts))["type"] == "done"
            if not accepts:
                update = await ada.until(lambda now: now["undo_request"] is None)
                assert update["now"]["acting"] == [1]
                await ada.ask("request_undo", seat=0)
                await ben.until(lambda now: now["undo_request"] == 0)
                await ben.ask("answer_undo", seat=1, accepts=True)
            before = await ada.until(lambda now: now["now"]["acting"] == [0])
            assert before["now"]["view"]["jetties"] == []


@in_loop
async def test_a_bot_stands_in_and_the_person_comes_back(server: Server) -> None:
    table = server.open("stege", "link", "link", options={"starts": 1})
    async with seat_client(server, table, 0) as ada:
        async with seat_client(server, table, 1) as ben:
            await ada.join()
            await ben.join()
            await ben.until(lambda now: now["now"]["legal"])
            assert (await ada.ask("stand_in", seat=1, level="beginner"))["code"] == "is_present"
        while ada.table["seats"][1]["is_connected"]:
            await ada.receive()
        assert (await ada.ask("stand_in", seat=1, level="wizard"))["code"] == "unknown_bot"
        assert (await ada.ask("stand_in", seat=1, level="beginner"))["type"] == "done"
        await ada.until(lambda now: now["now"]["acting"] == [0])
        async with seat_client(server, table, 1) as ben:
            assert ben.table["seats"][1]["level"] == "beginner"
            assert (await ben.ask("stand_in", seat=1))["type"] == "done"
            await ada.play((ada.update or {})["now"]["legal"][0])
            update = await ben.until(lambda now: now["now"]["legal"])
            assert (await ben.play(update["now"]["legal"][0]))["type"] == "done"


@in_loop
async def test_a_clock_that_runs_out_lets_a_bot_finish_the_turn(server: Server) -> None:
    table = server.open("stege", "link", "link", clock=1, options={"starts": 0})
    async with seat_client(server, table, 0) as ada, seat_client(server, table, 1) as ben:
        await ada.join()
        await ben.join()
        update = await ada.until(lambda now: now["now"]["legal"])
        assert 0 < update["clocks"][0]["ms_left"] <= 1000
        await ada.until(lambda now: now["now"]["acting"] == [1])
        assert len(ada.notices) == 1


@in_loop
async def test_a_rematch_keeps_people_and_keys(server: Server) -> None:
    table = server.open("hashi", "here", "link")
    async with seat_client(server, table, 0) as ada, seat_client(server, table, 1) as ben:
        await ada.join("Ada")
        await ben.join("Ben")
        assert (await ada.ask("rematch"))["code"] == "others_play"
        await asyncio.gather(ada.play_to_the_end(quickest), ben.play_to_the_end(quickest))
        await ada.send({"type": "rematch", "id": "again"})
        new = (await ben.wait_for("rematching"))["table"]
        assert (await ada.wait_for("rematching"))["table"] == new
        await ben.send({"type": "rematch", "id": "again"})
        assert (await ben.wait_for("rematching"))["table"] == new
    async with seat_client(server, table | {"id": new}, 1) as ben:
        assert ben.welcome["own_seats"] == [1]
        assert ben.table["rematch_of"] == table["id"]
        assert ben.table["commitment"] != table["commitment"]


@in_loop
async def test_several_seats_on_one_device_take_turns(server: Server) -> None:
    table = server.open("elfer", "here", "here")
    assert [key["seats"] for key in table["keys"]] == [[0, 1]]
    async with seat_client(server, table) as device:
        assert device.welcome["own_seats"] == [0, 1]
        await device.join("Family")
        await device.until(lambda _: True)
        for seat in (1, 0):
            await device.send({"type": "switch_view", "seat": seat})
            update = await device.until(lambda now, seat=seat: now["seat"] == seat)
            racks = update["now"]["view"]["racks"]
            assert len(racks[seat]["tiles"]) >= 20  # more if nobody was dealt an 11
            assert racks[1 - seat]["tiles"] == []


@in_loop
async def test_past_positions_and_replays_can_be_looked_at(server: Server) -> None:
    table = server.open("elfer", "here", "beginner")
    async with seat_client(server, table) as ada:
        await ada.join()
        first = await ada.until(lambda now: now["now"]["legal"])
        refused = httpx.get(f"{server.base}/api/tables/{table['id']}/replay", timeout=30)
        assert (refused.status_code, refused.json()["code"]) == (409, "not_over")
        end = await ada.play_to_the_end(quickest)
        past = await ada.ask("past", notice_count=first["notice_count"])
        assert past["view"] == first["now"]["view"]
        assert (await ada.ask("past", notice_count=end["notice_count"]))["view"] == end["now"]["view"]
        assert (await ada.ask("past", notice_count=end["notice_count"] + 1))["code"] == "no_such_past"
    replay = httpx.get(f"{server.base}/api/tables/{table['id']}/replay?count=100", timeout=30).json()
    assert replay["frames"][0]["action_text"] == ""
    last = httpx.get(f"{server.base}/api/tables/{table['id']}/replay?first={replay['total']}", timeout=30).json()
    assert len(last["frames"]) == 1
    assert last["frames"][0]["scores"] == end["now"]["scores"]


@in_loop
async def test_chat_phrases_are_sent_in_each_readers_language(server: Server) -> None:
    table = server.open("hashi", "link", "link")
    async with seat_client(server, table, 0, language="en") as ada, seat_client(server, table, 1, language="de") as ben:
        await ada.send({"type": "say", "seat": 0, "phrase": "thanks"})
        assert (await ada.wait_for("said"))["text"] == "Thank you!"
        assert (await ben.wait_for("said"))["text"] == "Danke!"
        await ada.send({"type": "say", "seat": 1, "phrase": "thanks"})
        assert (await ada.wait_for("refused"))["code"] == "not_your_seat"


@in_loop
async def test_hints_come_from_a_strong_bot_and_only_without_other_people(server: Server) -> None:
    table = server.open("elfer", "here", "beginner")
    async with seat_client(server, table) as ada:
        await ada.join()
        update = await ada.until(lambda now: now["now"]["legal"])
        hint = await ada.ask("hint", seat=0)
        assert hint["action_texts"][0] in update["now"]["legal"]
        assert (await ada.play(*hint["action_texts"]))["type"] == "done"
    table = server.open("elfer", "link", "link")
    async with seat_client(server, table, 0) as ada, seat_client(server, table, 1) as ben:
        await ada.join()
        await ben.join()
        acting = ada if (await ada.until(lambda _: True))["now"]["acting"] == [0] else ben
        assert (await acting.ask("hint", seat=(acting.update or {})["seat"]))["code"] == "no_hint"


@in_loop
async def test_open_seats_are_for_anybody_in_the_lobby(server: Server) -> None:
    table = server.open("hashi", "here", "open", is_public=True)
    lobby = httpx.get(f"{server.base}/api/tables", timeout=30).json()
    assert table["id"] in [entry["id"] for entry in lobby["tables"]]
    taken = httpx.post(f"{server.base}/api/tables/{table['id']}/seats", timeout=30).json()
    assert taken["seats"] == [1]
    full = httpx.post(f"{server.base}/api/tables/{table['id']}/seats", timeout=30)
    assert (full.status_code, full.json()["code"]) == (409, "no_open_seat")
    async with Client(server.base, table["id"], taken["key"]) as guest:
        assert guest.welcome["own_seats"] == [1]


def test_the_lobby_comes_in_pages_without_gaps_or_repetitions(server: Server) -> None:
    opened = {server.open("hashi", "open", is_public=True)["id"] for _ in range(25)}
    server.open("hashi", "link")
    seen: list[str] = []
    after = None
    while True:
        page = httpx.get(f"{server.base}/api/tables", params={"after": after} if after else {}, timeout=30).json()
        assert len(page["tables"]) <= 20
        seen += [entry["id"] for entry in page["tables"]]
        after = page["after"]
        if after is None:
            break
    assert len(seen) == len(set(seen))
    assert opened <= set(seen)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "go", "seats": [{"kind": "here"}]}, "bad_table"),
        ({"game": "hashi", "seats": [{"kind": "here"}], "options": {"side": "Z"}}, "bad_table"),
        ({"game": "hashi", "seats": [{"kind": "here"}], "options": {"players": 2}}, "wrong_seats"),
        ({"game": "hashi", "seats": [{"kind": "bot", "level": "easy"}]}, "nobody_to_play"),
        ({"game": "hashi", "seats": [{"kind": "here"}, {"kind": "bot", "level": "wizard"}]}, "unknown_bot"),
        ({"game": "hashi", "seats": [{"kind": "open"}]}, "open_is_public"),
        ({"game": "hashi", "seats": []}, "bad_request"),
        ({"game": "hashi", "seats": [{"kind": "here", "name": "x" * 25}]}, "bad_request"),
        ({}, "bad_request"),
    ],
)
def test_impossible_tables_are_refused_in_plain_words(server: Server, body: dict[str, Any], code: str) -> None:
    answer = httpx.post(f"{server.base}/api/tables", json=body, timeout=30)
    assert answer.status_code == 400
    assert answer.json()["code"] == code
    assert len(answer.json()["text"]) > 10


@in_loop
async def test_a_wrong_key_opens_nothing(server: Server) -> None:
    table = server.open("hashi", "here")
    for key in ("nonsense", table["id"]):
        async with Client(server.base, table["id"], key) as stranger:
            assert stranger.welcome["code"] == "wrong_key"
    async with Client(server.base, "nosuchtable") as lost:
        assert lost.welcome["code"] == "no_table"
    async with Client(server.base, table["id"], version=99) as old:
        assert old.welcome["code"] == "other_version"


@in_loop
async def test_keys_are_neither_stored_nor_logged(server: Server) -> None:
    table = server.open("hashi", "here", "link")
    async with seat_client(server, table) as ada:
        await ada.join("Ada")
        await ada.send({"type": "nonsense"})
        await ada.wait_for("failed")
    secret_words = [key["key"].encode() for key in table["keys"]]
    for file in server.folder.iterdir():
        content = file.read_bytes()
        assert not [word for word in secret_words if word in content], file


def test_answers_carry_the_headers_that_protect_a_page(server: Server) -> None:
    answer = httpx.get(f"{server.base}/api/games", timeout=30)
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in answer.headers


def test_health_and_metrics_are_served(server: Server) -> None:
    assert httpx.get(f"{server.base}/healthz").json()["ok"]
    assert httpx.get(f"{server.base}/readyz").json()["ok"]
    assert "threespan_events_stored_total" in httpx.get(f"{server.base}/metrics").text


def test_a_qr_code_is_drawn(server: Server) -> None:
    answer = httpx.post(f"{server.base}/api/qr", json={"text": "http://x/t/abc#key"}, timeout=30)
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.startswith("<svg")


@in_loop
async def test_the_commitment_can_be_recomputed_at_the_end(server: Server) -> None:
    table = server.open("hashi", "here")
    async with seat_client(server, table) as solo:
        await solo.join()
        end = (await solo.play_to_the_end(quickest))["result"]
        assert len(solo.table["shares"]) == 1
    secret, salt = bytes.fromhex(end["secret"]), bytes.fromhex(end["salt"])
    sized = len(salt).to_bytes(4, "big") + salt + len(secret).to_bytes(4, "big") + secret
    assert hashlib.sha256(b"threespan commitment 1" + sized).hexdigest() == table["commitment"]
