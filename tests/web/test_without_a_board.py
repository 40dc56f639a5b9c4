"""A game that the page has no board for is played in words, from the home screen on. Nim is such a game."""

import re

from playwright.sync_api import expect

from web.browsing import PHONE, Guest, open_table
from web.conftest import Invite


def play_in_words(guest: Guest) -> None:
    """Choose the first thing that is offered until the match is over."""
    for _ in range(200):
        look = guest.look_until(lambda look: look.is_over or (look.is_to_move and not look.is_busy), "the turn")
        if look.is_over:
            return
        choices = look.named("^Done") or look.named("^Take .* stones? from heap")
        if choices:
            x, y = guest.point_at(choices[0])
            guest.page.touchscreen.tap(x, y)
    raise AssertionError("the match does not end")


def test_a_whole_match_from_the_home_screen_on(invite: Invite) -> None:
    guest = invite(hurries=True, **PHONE)
    guest.visit("/")
    card = guest.sees("game-nim")
    expect(card.get_by_role("heading", level=2)).to_contain_text("Nim")
    expect(card).to_contain_text("2–4 players · 5 min")
    expect(card).to_contain_text("whoever takes the last one wins")
    guest.sees("play-nim").tap()
    guest.page.wait_for_url("**/t/*")
    expect(guest.sees("text-mode")).to_contain_text("Heap 3:")
    play_in_words(guest)
    expect(guest.sees("result").get_by_text("Rank 1")).to_be_visible()

    guest.sees("result").get_by_role("link", name="Replay").tap()
    guest.page.wait_for_url("**/replay/*")
    expect(guest.sees("text-mode")).to_contain_text("Heap 1:")
    guest.page.get_by_role("button", name="To the end").tap()
    expect(guest.sees("replay-said")).to_have_text(re.compile(r".+ takes? \d stones? from heap \d\."))
    expect(guest.sees("text-mode")).to_contain_text("Heap 1: 0 stones")


def test_its_options_are_offered_and_reach_the_table(invite: Invite) -> None:
    guest = invite(hurries=True)
    table = open_table(guest, "nim", "random", "random", options={"Largest heap": "1"})
    expect(guest.sees("text-mode")).to_contain_text("Heap 1: 1 stone")
    answer = guest.page.request.get(table.replace("/t/", "/api/tables/")).json()
    assert (answer["options"]["largest"], answer["options"]["players"]) == (1, 3)


def test_what_was_chosen_is_said_in_words_also_after_reloading(invite: Invite) -> None:
    guest = invite(hurries=True)
    open_table(guest, "nim", "random", options={"Largest heap": "5"})
    look = guest.look_until(lambda look: look.is_to_move and look.named("^Take"), "the turn")
    wanted = look.named("^Take")[0].name
    guest.page.get_by_role("button", name=wanted, exact=True).click()
    chosen = guest.sees("text-mode").get_by_role("listitem").filter(has_text=wanted)
    expect(chosen).to_be_visible()
    guest.page.reload()
    expect(chosen).to_be_visible()
    guest.page.get_by_role("button", name="Done").click()
    expect(guest.sees("moves")).to_contain_text(f"You take {wanted.removeprefix('Take ')}.")


def test_its_rules_can_be_read_and_no_lesson_is_offered(invite: Invite) -> None:
    guest = invite()
    guest.visit("/")
    guest.sees("rules-nim")
    expect(guest.page.get_by_test_id("learn-nim")).to_have_count(0)
    guest.sees("learn-hashi")
    guest.sees("rules-nim").click()
    expect(guest.sees("rulebook")).to_contain_text("Whoever takes the last stone wins")
    expect(guest.page.get_by_role("link", name="Learn")).to_have_count(0)
    guest.visit("/learn/nim")
    expect(guest.sees("lost")).to_contain_text("no lesson for this game")
