"""House rules: chosen when a table is opened, told to everybody who comes, and true in the match."""

import pytest
from playwright.sync_api import Locator, expect

from web.browsing import DESKTOP, PHONE, Guest, open_table
from web.conftest import Invite
from web.hands import Mouse
from web.playing import StegePlayer


def sentence(rules: Locator, option: str) -> str:
    """What the chosen value of an option means."""
    return rules.get_by_test_id(f"option-{option}").locator("p").inner_text()


def choose(guest: Guest, option: str, value: str) -> None:
    guest.page.get_by_test_id(f"option-{option}").get_by_role("radio", name=value, exact=True).check(force=True)


@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_form_says_in_one_sentence_what_each_choice_means(invite: Invite, screen: dict[str, object]) -> None:
    guest = invite(**screen)
    guest.visit("/play/stege")
    rules = guest.sees("house-rules")
    assert sentence(rules, "must_move") == "If one of your stones can move by all pips, you must move one."
    choose(guest, "must_move", "You may")
    assert sentence(rules, "must_move").startswith("You may pass instead of moving;")
    assert sentence(rules, "door").count(".") == 1
    assert rules.get_by_test_id("option-head_start").count() == 0  # it has no effect with two players
    guest.page.get_by_test_id("add-seat").click()
    expect(rules.get_by_test_id("option-head_start")).to_be_visible()
    width = guest.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width == 0, "the form is wider than the screen"


def test_only_choices_with_an_effect_are_shown(invite: Invite) -> None:
    guest = invite()
    guest.visit("/play/elfer")
    rules = guest.sees("house-rules")
    assert rules.get_by_test_id("option-bonus_symbol").count() == 0
    choose(guest, "symbols", "With")
    choose(guest, "bonus_symbol", "Beside its number")
    choose(guest, "symbols", "Without")
    expect(rules.get_by_test_id("option-bonus_symbol")).to_have_count(0)
    guest.sees("open-table").click()
    guest.page.wait_for_url("**/t/*")  # what was chosen and has no effect any more is not sent


def test_the_form_speaks_german(invite: Invite) -> None:
    guest = invite(locale="de-DE")
    guest.visit("/play/elfer")
    rules = guest.sees("house-rules")
    expect(rules).to_contain_text("Hausregeln")
    choose(guest, "opening", "Man darf")
    assert sentence(rules, "opening").startswith("Alle sagen reihum, ob sie eröffnen;")
    expect(guest.page.get_by_test_id("option-starts")).to_contain_text("Wer ist am jüngsten und beginnt?")


def test_who_comes_by_link_reads_the_house_rules_before_sitting_down(invite: Invite) -> None:
    ada, bo = invite(), invite()
    open_table(ada, "stege", "link", options={"Extra rolls": "Three", "Moving a stone": "You may"})
    link = ada.sees("seat-link").input_value()
    bo.visit(link.removeprefix(bo.base))
    rules = bo.sees("house-rules")
    expect(rules).to_contain_text("Whoever cannot move may roll three more times")
    expect(rules).to_contain_text("You may pass instead of moving")
    expect(rules).not_to_contain_text("At the door")  # that is as usual
    bo.press("Sit down")
    bo.page.get_by_test_id("prompt").wait_for()
    bo.sees("open-rules").click()
    book = bo.sees("rulebook")
    expect(book).to_contain_text("You may pass although one of your stones can move")
    expect(book).to_contain_text("four rolls in all")
    expect(book).not_to_contain_text("you must make one")


def test_a_stone_need_not_move(invite: Invite) -> None:
    """A whole match with the button Pass beside the moves."""
    guest = invite(hurries=True)
    options = {"Board": "Small", "Moving a stone": "You may"}
    open_table(guest, "stege", "beginner", options=options)
    player = StegePlayer(guest, Mouse(guest))
    passes = 0
    while passes < 3 and not guest.look().is_over:
        look = guest.look_until(lambda look: player.is_asked(look) or look.is_over, "a turn")
        if look.prompt.startswith("Move a stone by"):
            assert look.prompt.endswith(", or pass.")
            guest.press("Pass")
            guest.press("Done")
            passes += 1
        elif not look.is_over:
            player.take_step()
    assert passes == 3


def opens(guest: Guest) -> bool:
    """Whether a guest is the one who has to lay the first 11."""
    look = guest.look_until(lambda look: not look.named("Done|Leave it") and look.prompt, "the opening")
    return look.is_to_move and "lay one" in look.prompt


def test_the_opening_is_asked_and_every_answer_needs_done(invite: Invite) -> None:
    ada, bo = invite(hurries=True), invite(hurries=True)
    options = {"Opening with an 11": "You may", "Who is the youngest and starts?": "Guest 2"}
    open_table(ada, "elfer", "link", options=options)
    bo.visit(ada.sees("seat-link").input_value().removeprefix(bo.base))
    bo.press("Sit down")
    bo.look_until(lambda look: look.named("Leave it to the others"), "the question")  # the youngest is asked first
    bo.press("Leave it to the others")
    bo.look_until(lambda look: look.named("Done"), "the answer to be confirmed")
    assert not ada.look().named("Leave it to the others")
    bo.press("Done")
    ada.look_until(lambda look: look.named("Leave it to the others"), "the question")
    ada.press("Leave it to the others")
    ada.look_until(lambda look: look.named("Done"), "the answer to be confirmed")
    ada.press("Done")
    # Now whoever has the first 11 must open, or all draw until one comes.
    begins = [guest for guest in (bo, ada) if opens(guest)]
    assert len(begins) == 1
