"""Several people at one table: with browsers of their own, at one device, in several tabs, over a server that dies."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from server.running import Server
from web.browsing import GENEROUS, Guest, open_table
from web.conftest import Invite
from web.hands import Mouse
from web.playing import ElferPlayer, HashiPlayer, Player

LOST = r"WebSocket connection to .* failed|net::ERR_CONNECTION_REFUSED|error occurred when fetching the script"


def play_in_turn(*players: Player) -> None:
    """Everybody plays when it is their turn, until the match is over for all."""
    while not all(player.guest.look().is_over for player in players):
        for player in players:
            look = player.guest.look()
            if not look.is_over and player.is_asked(look):
                player.take_step()


def test_two_people_play_each_other(invite: Invite) -> None:
    ada, bo = invite(hurries=True), invite(hurries=True)
    table = open_table(ada, "hashi", "link")
    link = ada.sees("seat-link").input_value()
    bo.visit(link.removeprefix(bo.base))
    bo.page.get_by_label("Who are you?").fill("Bo")
    bo.press("Sit down")
    expect(ada.sees("player-1")).to_contain_text("Bo")
    assert "#" not in bo.page.url, "the key must not stay in the address bar"
    play_in_turn(HashiPlayer(ada, Mouse(ada)), HashiPlayer(bo, Mouse(bo)))
    sheets = [guest.sees("result").get_by_role("heading", level=3).all_inner_texts() for guest in (ada, bo)]
    assert set(sheets[0]) == {"You", "Bo"}, "who has not given a name is still somebody"
    assert set(sheets[1]) == {"Guest 1", "Bo"}
    for guest in (ada, bo):
        guest.sees("rematch").click()
        guest.page.wait_for_url(lambda address: address != table)
    for guest in (ada, bo):
        expect(guest.sees("player-1")).to_contain_text("Bo")


def test_racks_are_covered_while_a_device_is_passed_on(invite: Invite) -> None:
    guest = invite(hurries=True)
    open_table(guest, "elfer", "here")
    page, player = guest.page, ElferPlayer(guest, Mouse(guest))
    turns = 0
    while not guest.look().is_over and turns < 6:
        guest.look_until(lambda look: look.named("^I am") or look.is_over, "the cover")
        assert page.get_by_role("group", name="Your rack").count() == 0
        assert not guest.look().named("fits|does not fit"), "the page holds a rack that nobody may see now"
        heading = page.get_by_role("heading", name=re.compile("Pass the device to")).inner_text()
        guest.press("I am")
        page.get_by_role("group", name="Your rack").wait_for()
        assert heading.removeprefix("Pass the device to ") in page.locator("li[aria-current=step]").inner_text()
        while not guest.look_until(lambda look: look.named("^I am") or player.is_asked(look), "a turn").named("^I am"):
            player.take_step()
        turns += 1
    assert turns == 6


def test_two_tabs_on_one_seat_agree(invite: Invite) -> None:
    guest = invite(hurries=True)
    table = open_table(guest, "hashi", "beginner")
    first, second = guest.page, guest.new_tab()
    second.goto(table)
    player = HashiPlayer(guest, Mouse(guest))
    player.play_rounds(2)
    boards = [tab.get_by_role("group", name="Your board").get_by_role("img") for tab in (first, second)]
    numbers = [re.findall(r"number \d", " ".join(board.evaluate_all(LABELS))) for board in boards]
    for tab in (first, second):
        tab.reload()
        tab.get_by_test_id("prompt").wait_for()
    assert first.get_by_test_id("prompt").inner_text() == second.get_by_test_id("prompt").inner_text()
    assert numbers[0] == numbers[1]


LABELS = "all => all.map(one => one.getAttribute('aria-label'))"


def test_a_server_that_dies_costs_nothing(invite: Invite, tmp_path: Path) -> None:
    server = Server(tmp_path, **GENEROUS).start()
    try:
        guest = invite(server.base)
        open_table(guest, "hashi", "beginner")
        player = HashiPlayer(guest, Mouse(guest))
        player.play_rounds(2)
        player.press_first("you can write")
        drafted, place = written(guest), guest.sees("board").bounding_box()
        server.kill()
        expect(guest.sees("line")).to_have_text(re.compile("connection is lost|Connecting"))
        expect(guest.sees("line")).to_contain_text("what you have chosen is kept")
        assert guest.sees("board").bounding_box() == place, "what is about to be pressed must not move away"
        server.start()
        expect(guest.sees("line")).to_have_count(0)
        assert written(guest) == drafted
        player.play_rounds(2)
        assert len(written(guest)) > len(drafted)
        guest.forgive(LOST)
    finally:
        server.stop()


def written(guest: Guest) -> list[str]:
    """The islands that have a number."""
    labels = guest.page.get_by_role("group", name="Your board").locator("[data-spot=island]").evaluate_all(LABELS)
    return [found[0] for label in labels if (found := re.match(r".*?number \d", label))]


@pytest.mark.parametrize(
    ("game", "forbidden", "clause"),
    [
        ("hashi", "red flag, no number", "START_NUMBER"),
        ("stege", "top left island", "ON_ISLAND"),
        ("elfer", "does not fit now", "MUST_TOUCH|OWN_FIELD|START_ELEVEN|DRAW_THREE"),
    ],
)
def test_a_refusal_leads_to_its_clause(invite: Invite, game: str, forbidden: str, clause: str) -> None:
    guest = invite(hurries=True)
    open_table(guest, game, "beginner")
    look = guest.look_until(lambda look: look.is_to_move and look.named(forbidden), "the turn")
    Mouse(guest).press(look.named(forbidden)[0])
    note = guest.sees("refusal")
    assert re.fullmatch(clause, note.get_attribute("data-code") or "")
    text = note.get_by_role("paragraph").inner_text()
    assert len(text) > 20
    note.get_by_role("button", name="The rule").click()
    pointed = guest.sees("rules-panel").locator("[aria-current=true]")
    expect(pointed).to_be_in_viewport()
    assert re.fullmatch(clause, pointed.get_attribute("data-clause") or "")
