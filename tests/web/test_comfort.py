"""What makes a table comfortable: nothing runs off the screen, nothing lies in the way, hands do what they mean."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, WebSocketRoute, expect

from web.browsing import LAPTOP, PHONE, Control, Guest, open_table
from web.conftest import Invite
from web.hands import Finger, Mouse
from web.learning import HashiLearner
from web.playing import HashiPlayer, StegePlayer

_HEIGHTS = "() => [document.scrollingElement.scrollHeight, innerHeight]"


def retell(guest: Guest, change: Callable[[dict[str, Any]], None]) -> None:
    """Let everything that the server says be changed before the page hears it."""

    def connect(line: WebSocketRoute) -> None:
        def tell(words: str | bytes) -> None:
            messages = [json.loads(message) for message in str(words).splitlines()]
            for message in messages:
                change(message)
            line.send("\n".join(map(json.dumps, messages)))

        line.connect_to_server().on_message(tell)

    guest.page.route_web_socket(re.compile("/socket$"), connect)


def overlap(one: Locator, other: Locator) -> bool:
    """Whether two things lie on top of each other."""
    a, b = one.bounding_box(), other.bounding_box()
    assert a
    assert b
    is_beside = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
    return not is_beside and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"]


def test_a_long_list_of_moves_stays_on_the_screen_with_the_newest_in_sight(invite: Invite) -> None:
    guest = invite(hurries=True, **LAPTOP)
    open_table(guest, "hashi", "beginner", "beginner", "beginner")
    HashiPlayer(guest, Mouse(guest)).play_rounds(4)
    moves = guest.sees("moves")
    assert moves.evaluate("list => list.scrollHeight") > LAPTOP["viewport"]["height"], "not long enough to prove it"
    whole, window = guest.page.evaluate(_HEIGHTS)
    assert whole <= window
    newest, shown = moves.locator("[aria-current]").bounding_box(), moves.bounding_box()
    assert newest
    assert shown
    assert newest["y"] + newest["height"] <= shown["y"] + shown["height"] + 1 <= window


@pytest.mark.parametrize(("places", "bridges"), [("14-15", "one bridge"), ("04-14", "two bridges")])
def test_a_finger_drags_a_bridge_from_island_to_island(invite: Invite, places: str, bridges: str) -> None:
    guest = invite(**PHONE)
    guest.visit("/learn/hashi")
    lesson, learner = guest.sees("lesson"), HashiLearner(guest, "hashi")
    lesson.get_by_role("heading", level=2).wait_for()
    step = next(i for i, frames in enumerate(learner.lesson["steps"]) if frames[0]["want"] == f"bridge {places}")
    for _ in range(step):
        guest.sees("lesson-next").click()
    line = lesson.locator(f'[data-spot=line][data-index="{learner.line(places)}"]')
    expect(line).to_have_attribute("aria-label", re.compile("you can build"))
    start, end = (learner.middle_of(learner.island(place)) for place in places.split("-"))
    Finger(guest).drag(start, end)
    expect(line).to_have_attribute("aria-label", re.compile(bridges))


def test_a_refusal_in_a_lesson_leaves_its_text_and_its_buttons_free(invite: Invite) -> None:
    guest = invite(**PHONE)
    guest.visit("/learn/hashi")
    lesson = guest.sees("lesson")
    lesson.get_by_role("heading", level=2).wait_for()
    learner = HashiLearner(guest, "hashi")
    step = next(i for i, frames in enumerate(learner.lesson["steps"]) if frames[0]["attempt"])
    for _ in range(step):
        guest.sees("lesson-next").click()
    guest.sees("show-me").click()
    note = guest.sees("refusal")
    expect(note).to_be_in_viewport()
    assert not overlap(note, lesson.get_by_role("heading", level=2).locator("xpath=.."))


@pytest.mark.parametrize("game", ["hashi", "stege", "elfer"])
def test_a_list_in_the_rules_is_a_list(invite: Invite, game: str) -> None:
    guest = invite()
    guest.visit(f"/rules/{game}")
    rulings = guest.sees("rulebook").locator("section").filter(has_text="Our rulings")
    items = rulings.get_by_role("listitem")
    expect(items).not_to_have_count(0)
    assert items.count() >= 4
    assert not any(text.startswith("-") for text in items.all_inner_texts())


@pytest.mark.parametrize("screen", [PHONE, LAPTOP])
def test_who_finds_a_bot_in_the_own_seat_takes_it_back(invite: Invite, screen: dict[str, Any]) -> None:
    ada, bo, lines = invite(**screen), invite(), []
    table = open_table(ada, "hashi", "link", "easy", "easy")
    bo.visit(ada.sees("seat-link").input_value().removeprefix(bo.base))
    bo.press("Sit down")
    ada.sees("prompt").wait_for()
    ada.page.route_web_socket(re.compile("/socket$"), lambda line: lines.append(line.connect_to_server()))
    ada.page.goto(table)
    ada.sees("prompt").wait_for()
    lines[-1].send(json.dumps({"type": "stand_in", "id": "bot", "seat": 0, "level": "medium"}))
    chip, back = ada.sees("player-0"), ada.page.get_by_role("button", name="Take my seat back")
    expect(chip).to_contain_text("a bot (medium) plays")
    for part in ("", ".who", ".detail"):
        parts = chip.locator(part) if part else chip
        assert parts.evaluate("part => part.scrollWidth <= part.clientWidth"), part
    assert back.inner_text()
    back.click()
    expect(back).to_have_count(0)
    expect(chip).not_to_contain_text("a bot (medium) plays")


def test_a_hint_to_write_a_4_is_what_the_board_goes_on_with(invite: Invite) -> None:
    def advise(message: dict[str, Any]) -> None:
        if message["type"] == "hinted":
            message["action_texts"] = [step[:-1] + "4" for step in message["action_texts"]]

    guest = invite()
    table = open_table(guest, "hashi", "beginner")
    retell(guest, advise)
    guest.page.goto(table)
    guest.sees("hint-button").click()
    guest.sees("take-hint").click(timeout=60_000)
    expect(guest.sees("undo")).to_be_visible()
    choice = guest.page.get_by_role("group", name="Start number")
    expect(choice.get_by_role("button", name="4")).to_have_attribute("aria-pressed", "true")
    guest.page.reload()
    expect(guest.sees("undo")).to_be_visible()
    expect(choice.get_by_role("button", name="4")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize(("hand", "screen"), [(Finger, PHONE), (Mouse, LAPTOP)])
def test_a_jetty_in_hand_is_put_back_where_it_lay(invite: Invite, hand: Any, screen: dict[str, Any]) -> None:
    guest = invite(hurries=True, **screen)
    open_table(guest, "stege", "medium", options={"Board": "Small", "Jetties for each player": "6"})
    player = StegePlayer(guest, hand(guest))
    while True:
        player.look = guest.look_until(player.is_asked, "the turn")
        if player.look.named("can be taken"):
            break
        player.step()
    before = {one.name for one in player.look.named("can be taken")}
    player.press(player.look.named("can be taken")[0])
    player.look = guest.look_until(lambda look: look.prompt.startswith("Lay"), "a jetty in hand")
    lay_there = [one for one in player.look.named("water") if f"{place_of(one)}," in " ".join(before)]
    assert len(lay_there) == 3
    player.press(lay_there[1])
    look = guest.look_until(lambda look: not look.is_busy, "an answer")
    assert {one.name for one in look.named("can be taken")} == before
    expect(guest.sees("undo")).to_have_count(0)


def place_of(field: Control) -> str:
    """Row and column of a field."""
    return ",".join(field.name.split(",")[:2])
