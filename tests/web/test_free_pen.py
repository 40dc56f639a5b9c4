"""Hashi with the free pen: mistakes are drawn, found, erased, doubted and struck out."""

import pytest
from playwright.sync_api import expect

from web.browsing import FREE_PEN, PHONE, Guest, open_table
from web.conftest import Invite
from web.hands import Finger, Hand, Keys
from web.test_everybody import examine


def press(guest: Guest, hand: Hand, pattern: str) -> None:
    """Press the first thing that is called like this, once it can be pressed."""
    hand.press(guest.look_until(lambda look: not look.is_busy and look.named(pattern), pattern).named(pattern)[0])


def begin(guest: Guest, hand: Hand) -> None:
    """Open a table with the free pen, and write the start number."""
    open_table(guest, "hashi", "beginner", options=FREE_PEN)
    press(guest, hand, "^Island in row 1, column 4,.*you can write")
    press(guest, hand, "^Done")
    guest.look_until(lambda look: "Write the" in look.prompt, "the first card")


@pytest.mark.parametrize("way", ["touch", "keys"])
def test_a_mistake_is_found_and_erased(invite: Invite, way: str) -> None:
    guest = invite(hurries=True, **(PHONE if way == "touch" else {}))
    hand: Hand = Finger(guest) if way == "touch" else Keys(guest)
    begin(guest, hand)
    press(guest, hand, "red flag, no number.*you can write")
    guest.look_until(lambda look: "then press Done" in look.prompt, "the bridges")
    if way == "touch":
        press(guest, hand, "^Check my board")
    else:
        guest.page.keyboard.press("c")
    expect(guest.sees("findings")).to_contain_text("Flags need a bridge")
    expect(guest.sees("referee")).to_contain_text("The referee finds 1 mistake on your board.")
    expect(guest.sees("check-board")).to_be_visible(visible=way == "keys")  # on a phone the board needs the room
    examine(guest, "what the referee has found")
    press(guest, hand, "mistake 1: .*you can erase it here")
    expect(guest.sees("findings")).to_contain_text("finds no mistake")
    press(guest, hand, "^Done$")
    guest.look_until(lambda look: "Write the" in look.prompt, "the next card")


def test_what_stands_is_struck_out_and_boards_can_be_doubted_once(invite: Invite) -> None:
    guest = invite(hurries=True, **PHONE)
    hand = Finger(guest)
    begin(guest, hand)
    press(guest, hand, "red flag, no number.*you can write")
    for number in (2, 3):
        press(guest, hand, "^Done$")
        expect(guest.page.get_by_text(f"Round {number} of").first).to_be_visible()
        guest.look_until(lambda look: "Write the" in look.prompt, "the next card")
    assert guest.look().named("struck out: Flags need a bridge")
    press(guest, hand, "^Enlarge")
    doubt = guest.sees("doubt")
    doubt.get_by_role("button", name="Doubt this board").tap()
    expect(doubt.get_by_role("status")).to_contain_text("mistake on the board of")
    expect(doubt.get_by_role("button")).to_be_disabled()
