"""How matches end and go on: resigning, ending, restarting; unfinished ones on the home screen; what is celebrated."""

import json
import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect

from server.running import Server
from web.browsing import DESKTOP, PHONE, Guest, open_table
from web.conftest import Invite
from web.hands import Mouse
from web.playing import HashiPlayer

ACROSS: dict[str, Any] = PHONE | {"viewport": {"width": 844, "height": 390}}
BESTS = "threespan.bests"


def sit_down(guest: Guest, host: Guest, name: str, seat: int = 0) -> None:
    """Come to the table of a host by one of its links."""
    link = host.sees("seat-link").nth(seat).input_value()
    guest.visit(link.removeprefix(guest.base))
    tell_name(guest, name)


def sit_down_with(guest: Guest, table: dict[str, Any], key: int, name: str) -> None:
    """Come to a table with one of its keys."""
    guest.visit(f"/t/{table['id']}#{table['keys'][key]['key']}")
    tell_name(guest, name)


def tell_name(guest: Guest, name: str) -> None:
    guest.page.get_by_label("Who are you?").fill(name)
    guest.press("Sit down")


def stop(guest: Guest, way: str) -> None:
    """Choose a way to stop in the menu, and confirm it."""
    guest.sees("open-menu").click()
    guest.sees(f"stop-{way}").click()
    guest.sees("confirm").click()


def info(guest: Guest, table: str) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(f"{guest.base}/api/tables/{table.rpartition('/')[2]}").json()
    return found


@pytest.mark.parametrize("screen", [PHONE, DESKTOP])
def test_of_two_people_the_other_wins(invite: Invite, screen: dict[str, Any]) -> None:
    ada, ben = invite(**screen), invite()
    table = open_table(ada, "hashi", "link")
    sit_down(ben, ada, "Ben")
    expect(ada.sees("player-1")).to_contain_text("Ben")
    ada.sees("open-menu").click()
    expect(ada.sees("stop-end")).to_have_count(0)  # a match of others is not Ada's to end
    expect(ada.sees("stop-restart")).to_have_count(0)
    ada.sees("stop-resign").click()
    expect(ada.sees("menu")).to_contain_text("Ben wins this match.")
    ada.sees("play-on").click()
    assert info(ada, table)["status"] == "playing"
    stop(ada, "resign")
    expect(ada.sees("result").get_by_role("heading", level=2)).to_have_text("Ben wins")
    expect(ben.sees("result").get_by_role("heading", level=2)).to_have_text("You won!")
    expect(ada.sees("result")).to_contain_text("You have resigned.")
    expect(ben.sees("result")).to_contain_text("has resigned.")
    for guest in (ada, ben):
        expect(guest.sees("player-0")).to_contain_text("resigned")
    expect(ben.sees("celebration")).to_contain_text("Well played!")
    expect(ada.sees("celebration")).to_have_count(0)
    ada.page.reload()
    expect(ada.sees("result")).to_contain_text("You have resigned.")
    ada.sees("replay").click()
    expect(ada.page.get_by_role("heading", name=re.compile("Hashi"))).to_be_visible()


def test_of_three_a_bot_plays_on(invite: Invite) -> None:
    ada, ben = invite(**PHONE), invite()
    open_table(ada, "hashi", "link", "easy")
    sit_down(ben, ada, "Ben")
    ben.sees("open-menu").click()
    ben.sees("stop-resign").click()
    expect(ben.sees("menu")).to_contain_text("An easy bot plays on for you, and you come last.")
    ben.sees("confirm").click()
    expect(ada.sees("player-1").get_by_role("status")).to_have_text("Ben has resigned.")
    for guest in (ada, ben):
        chip = guest.sees("player-1")
        expect(chip).to_contain_text("resigned")
        assert chip.locator(".level").evaluate("word => word.scrollWidth <= word.clientWidth"), "the word is cut off"
    expect(ben.sees("prompt")).to_have_text("You have resigned. A bot plays on for you.")
    expect(ben.sees("play-myself")).to_have_count(0)
    expect(ada.page).to_have_title(re.compile("^●"))
    ben.sees("open-menu").click()
    expect(ben.sees("stop-resign")).to_have_count(0)


def test_who_resigns_alone_is_told_that_it_does_not_count(invite: Invite) -> None:
    guest = invite(locale="de-DE")
    guest.visit("/")
    guest.sees("solo-hashi").click()
    guest.page.wait_for_url("**/t/*")
    guest.sees("open-menu").click()
    guest.sees("stop-resign").click()
    expect(guest.sees("menu")).to_contain_text("diese Partie zählt nicht")
    guest.sees("confirm").click()
    expect(guest.sees("result")).to_contain_text("Du hast aufgegeben. Diese Partie zählt nicht.")
    expect(guest.sees("celebration")).to_have_count(0)
    assert guest.page.evaluate(f"localStorage.getItem('{BESTS}')") is None


def test_at_one_device_the_one_whose_turn_it_is_resigns(invite: Invite) -> None:
    guest = invite()
    open_table(guest, "elfer", "here")
    guest.press("I am")
    name = guest.page.locator("li[aria-current=step] .name").inner_text()
    guest.sees("open-menu").click()
    guest.sees("stop-resign").click()
    expect(guest.sees("menu").get_by_role("heading", level=2)).to_have_text(f"Does {name} want to resign?")
    guest.sees("confirm").click()
    expect(guest.sees("result")).to_contain_text(f"{name} has resigned.")


@pytest.mark.parametrize("game", ["elfer", "stege"])
def test_at_one_device_the_last_one_left_plays_on(invite: Invite, game: str) -> None:
    guest = invite(hurries=True)
    open_table(guest, game, "here", "beginner")
    is_covered = game == "elfer"  # what others hold stays covered until they have the device
    guest.look_until(lambda look: look.named("^I am") if is_covered else look.is_to_move, "the turn")
    if is_covered:
        guest.press("I am")
    stop(guest, "resign")
    if is_covered:
        guest.look_until(lambda look: look.named("^I am"), "the cover")
        assert guest.page.get_by_role("group", name="Your rack").count() == 0
        guest.press("I am")
    guest.look_until(lambda look: look.is_to_move, "the turn of the other")
    guest.sees("open-menu").click()
    guest.sees("stop-resign").click()
    expect(guest.sees("menu")).to_contain_text("wins this match.")


def test_a_match_against_bots_is_ended_and_gone_from_the_home_screen(invite: Invite) -> None:
    guest = invite(hurries=True)
    table = open_table(guest, "hashi", "beginner")
    HashiPlayer(guest, Mouse(guest)).play_rounds(1)
    stop(guest, "end")
    expect(guest.sees("game-hashi")).to_be_visible()
    expect(guest.sees("unfinished")).to_have_count(0)
    assert info(guest, table)["is_ended"]
    guest.page.goto(table)
    expect(guest.sees("prompt")).to_have_text("This match was ended.")
    expect(guest.sees("result")).to_have_count(0)
    guest.sees("rematch").click()
    guest.page.wait_for_url(lambda address: address != table)
    guest.look_until(lambda look: look.is_to_move, "a new match")


def test_a_restart_asks_only_if_something_is_lost(invite: Invite) -> None:
    guest = invite(hurries=True)
    first = open_table(guest, "hashi", "beginner")
    guest.look_until(lambda look: look.is_to_move, "the turn")
    guest.sees("open-menu").click()
    guest.sees("stop-restart").click()  # nothing was played: no question
    guest.page.wait_for_url(lambda address: address != first)
    second = guest.page.url
    guest.look_until(lambda look: look.is_to_move, "the turn")
    HashiPlayer(guest, Mouse(guest)).play_rounds(1)
    guest.sees("open-menu").click()
    guest.sees("stop-restart").click()
    expect(guest.sees("menu")).to_contain_text("What you have played so far is lost.")
    guest.sees("confirm").click()
    guest.page.wait_for_url(lambda address: address not in (first, second))
    guest.look_until(lambda look: look.is_to_move, "the turn")
    assert [seat["name"] for seat in info(guest, guest.page.url)["seats"]] == [
        seat["name"] for seat in info(guest, first)["seats"]
    ]
    assert info(guest, second)["is_ended"]


def test_the_menu_opens_on_a_phone_held_across(invite: Invite) -> None:
    guest = invite(**ACROSS)
    open_table(guest, "hashi", "easy")
    guest.sees("open-menu").click()
    guest.sees("stop-resign").click()
    expect(guest.sees("confirm")).to_be_in_viewport()


def test_phrases_are_at_hand_where_there_is_somebody_to_talk_to(invite: Invite) -> None:
    ada, ben = invite(), invite()
    open_table(ada, "hashi", "link")
    sit_down(ben, ada, "Ben")
    ada.sees("open-talk").click()
    ada.sees("talk").get_by_role("button", name="Good luck!").click()
    expect(ben.sees("player-0")).to_contain_text("Good luck!")
    alone = invite()
    open_table(alone, "hashi", "easy")
    expect(alone.sees("open-menu")).to_be_visible()
    expect(alone.sees("open-talk")).to_have_count(0)


def test_unfinished_matches_stand_on_top_of_the_home_screen(invite: Invite, server: Server) -> None:
    ada, ben = invite(), invite()
    ada.visit("/")
    expect(ada.sees("game-hashi")).to_be_visible()
    expect(ada.sees("unfinished")).to_have_count(0)
    own = open_table(ada, "hashi", "easy").rpartition("/")[2]
    ada.look_until(lambda look: look.is_to_move, "the turn")
    stege = server.open("stege", "link", "link", options={"starts": 1})
    cards = [ada.sees(f"match-{table}") for table in (own, stege["id"])]
    sit_down_with(ada, stege, 0, "Ada")
    expect(ada.sees("gathering")).to_contain_text("Waiting for the others")
    ada.visit("/")
    expect(cards[0]).to_contain_text("Your turn")
    expect(cards[0]).to_contain_text("Hashi")
    expect(cards[1]).to_contain_text("Waiting for the others")
    tops = [box["y"] for one in (*cards, ada.sees("game-hashi")) if (box := one.bounding_box())]
    assert max(tops[:2]) < tops[2]
    sit_down_with(ben, stege, 1, "Ben")
    expect(ben.sees("prompt")).to_be_visible()
    ada.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # Ada comes back to the tab
    expect(cards[1]).to_contain_text("Waiting for Ben")
    cards[1].click()
    ben.look_until(lambda look: look.is_to_move, "the turn")
    stop(ben, "resign")
    expect(ada.sees("result")).to_be_visible()
    ada.visit("/")
    expect(cards[0]).to_contain_text("Your turn")
    expect(cards[1]).to_have_count(0)


def test_a_table_that_the_server_has_forgotten_is_forgotten_here(invite: Invite) -> None:
    guest = invite()
    open_table(guest, "hashi", "easy")
    guest.visit("/")  # an open table would note its own name again
    known = "JSON.parse(localStorage.getItem('threespan.tables'))"
    others = f"{known}.map((one) => ({{ ...one, id: 'vanished' }}))"
    guest.page.evaluate(f"localStorage.setItem('threespan.tables', JSON.stringify({others}))")
    guest.visit("/")
    expect(guest.sees("match-vanished")).to_have_count(0)
    expect(guest.sees("game-hashi")).to_be_visible()
    guest.look_until(lambda _: guest.page.evaluate(f"{known}.length") == 0, "the table to be forgotten")
    guest.forgive("404")


def test_a_personal_best_is_celebrated_and_stays_after_a_reload(invite: Invite) -> None:
    guest = invite(hurries=True)
    guest.visit("/")
    guest.sees("solo-hashi").click()
    guest.page.wait_for_url("**/t/*")
    HashiPlayer(guest, Mouse(guest)).play_to_the_end()
    expect(guest.sees("best")).to_contain_text("Your best so far:")
    expect(guest.sees("celebration")).to_have_count(0)  # the first score has beaten nothing
    bests = json.loads(guest.page.evaluate(f"localStorage.getItem('{BESTS}')"))
    (kind, best), table = next(iter(bests.items())), guest.page.url
    worse = json.dumps({kind: best | {"score": best["score"] - 2, "table": "another"}})
    guest.page.evaluate(f"localStorage.setItem('{BESTS}', {json.dumps(worse)})")
    for _ in range(2):
        guest.page.goto(table)
        guest.look_until(lambda look: look.is_over, "the result")
        words = f"Your best so far: {best['score']} (before: {best['score'] - 2})"
        expect(guest.sees("celebration")).to_contain_text(words)


def test_nothing_moves_in_a_celebration_for_those_who_want_no_motion(invite: Invite) -> None:
    moving = "() => document.querySelector('[data-testid=celebration]').getAnimations({ subtree: true }).length"
    for motion, moves in (("reduce", False), ("no-preference", True)):
        ada, ben = invite(reduced_motion=motion), invite()
        open_table(ada, "hashi", "link")
        sit_down(ben, ada, "Ben")
        expect(ada.sees("player-1")).to_contain_text("Ben")
        stop(ben, "resign")
        expect(ada.sees("celebration").locator("svg")).to_be_visible()
        assert (ada.page.evaluate(moving) > 0) == moves
