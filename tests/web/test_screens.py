"""Everything around the matches: settings that stay, lessons, replays, the check of fairness, addresses."""

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from web.browsing import PHONE, Guest, open_table
from web.conftest import Invite
from web.hands import Mouse
from web.learning import LEARNERS
from web.playing import PLAYERS

GAMES = ["hashi", "stege", "elfer"]


def theme_of(guest: Guest) -> str | None:
    return guest.page.locator("html").get_attribute("data-theme")


def test_the_browser_and_the_system_choose_language_and_theme_at_first(invite: Invite) -> None:
    guest = invite(locale="de-AT", color_scheme="dark")
    guest.visit("/")
    expect(guest.sees("play-hashi")).to_have_text("Jetzt spielen")
    assert theme_of(guest) == "dark"


def test_language_theme_and_sound_can_be_switched_and_stay(invite: Invite) -> None:
    guest = invite()
    guest.visit("/")
    guest.page.get_by_label("Language").select_option("Deutsch")
    expect(guest.sees("play-hashi")).to_have_text("Jetzt spielen")
    guest.page.get_by_role("button", name="Dunkle Farben").click()
    guest.page.get_by_role("button", name="Ton").click()
    guest.visit("/play/stege")
    expect(guest.page.get_by_role("heading", name="Wer spielt?")).to_be_visible()
    assert theme_of(guest) == "dark"
    assert guest.page.locator("html").get_attribute("lang") == "de"
    guest.visit("/")
    expect(guest.page.get_by_role("button", name="Ton")).to_have_attribute("aria-pressed", "true")


def test_a_running_match_changes_its_language(invite: Invite) -> None:
    guest = invite()
    open_table(guest, "hashi", "beginner")
    expect(guest.sees("prompt")).to_contain_text("Write a 3 or a 4")
    guest.page.get_by_role("button", name="Menu").click()
    guest.page.get_by_label("Language").select_option("Deutsch")
    guest.page.get_by_role("button", name="Schließen").click()
    expect(guest.sees("prompt")).to_contain_text("Schreibe")


def test_what_has_happened_is_told_in_the_new_language_and_many_things_at_once(invite: Invite) -> None:
    guest = invite()
    open_table(guest, "elfer", "beginner")
    expect(guest.sees("moves")).to_contain_text("20 tiles are dealt to you")
    guest.page.get_by_role("button", name="Menu").click()
    guest.page.get_by_label("Language").select_option("Deutsch")
    guest.page.get_by_role("button", name="Schließen").click()
    expect(guest.sees("moves")).to_contain_text("Du bekommst 20 Plättchen")
    expect(guest.sees("moves")).not_to_contain_text("tiles")


def test_a_draft_keeps_its_words_when_the_text_mode_or_the_language_changes(invite: Invite) -> None:
    guest = invite()
    open_table(guest, "hashi", "beginner")
    look = guest.look_until(lambda look: look.named("you can write 3"), "the turn")
    Mouse(guest).press(look.named("you can write 3")[0])
    expect(guest.sees("done")).to_be_enabled()
    guest.page.get_by_role("button", name="Menu").click()
    guest.page.get_by_label("Text mode").check()
    chosen = guest.sees("text-mode").locator("ol")
    expect(chosen).to_contain_text("Write 3 on the island")
    guest.page.get_by_label("Language").select_option("Deutsch")
    expect(chosen).to_contain_text("3 auf die Insel")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_lesson_is_walked_through_to_its_end(invite: Invite, game: str, language: str) -> None:
    guest = invite(locale=language)
    guest.visit(f"/learn/{game}")
    lesson, steps = guest.sees("lesson"), 0
    lesson.get_by_role("heading", level=2).wait_for()
    while guest.sees("lesson-play").count() == 0:
        assert steps < 20
        while lesson.get_attribute("data-done") == "false":
            guest.sees("show-me").click()
        expect(lesson).to_have_attribute("data-step", str(steps))
        if guest.sees("lesson-play").count() == 0:
            guest.sees("lesson-next").click()
            steps += 1
    assert steps >= 7
    guest.sees("lesson-play").click()
    guest.page.wait_for_url("**/t/*")


@pytest.mark.parametrize("game", GAMES)
def test_every_move_of_a_lesson_can_be_made_by_hand(invite: Invite, game: str) -> None:
    guest = invite()
    guest.visit(f"/learn/{game}")
    lesson, learner = guest.sees("lesson"), LEARNERS[game](guest, game)
    for number, frames in enumerate(learner.lesson["steps"]):
        expect(lesson).to_have_attribute("data-step", str(number))
        expect(lesson.get_by_role("heading", level=2)).to_have_text(learner.words["steps"][number]["title"])
        for frame in frames:
            if action := frame["want"] or frame["attempt"]:
                expect(lesson).to_have_attribute("data-done", "false")
                learner.do(action, frame)
            if frame["attempt"]:
                expect(guest.sees("refusal")).to_be_visible()
        expect(lesson).to_have_attribute("data-done", "true")
        if number + 1 < len(learner.lesson["steps"]):
            guest.sees("lesson-next").click()
    expect(guest.sees("lesson-play")).to_be_visible()


def test_a_lesson_says_what_it_is_about_when_something_else_is_done(invite: Invite) -> None:
    guest = invite()
    guest.visit("/learn/hashi")
    lesson, hand = guest.sees("lesson"), Mouse(guest)
    lesson.get_by_role("heading", level=2).wait_for()
    guest.sees("lesson-next").click()
    for _ in range(4):
        if lesson.get_attribute("data-done") == "true":
            break
        hand.press(guest.look().named("you can write")[-1])  # allowed, but not what the lesson is about
        asked = re.search(r"Write (\d) on the island in (row \d, column \d)", guest.sees("refusal").inner_text())
        assert asked
        guest.sees("refusal").get_by_role("button", name="Close").click()
        hand.press(guest.look().named(f"^{asked[1]}$")[0])
        hand.press(guest.look().named(f"Island in {asked[2]},")[0])
    expect(lesson).to_have_attribute("data-done", "true")
    expect(guest.sees("lesson-next")).to_have_text("Next")


def test_a_replay_goes_where_its_slider_and_its_links_say(invite: Invite, finished: str) -> None:
    guest = invite()
    guest.visit(f"{finished}/replay/5")
    page = guest.page
    expect(page.get_by_text("5 / ")).to_be_visible()
    said = guest.sees("replay-said").inner_text()
    page.get_by_role("button", name="One step on").click()
    expect(page).to_have_url(re.compile("/replay/6$"))
    page.get_by_role("slider", name="Step").fill("5")
    expect(guest.sees("replay-said")).to_have_text(said)
    guest.sees("rounds").select_option(label="Round 3")
    expect(page.get_by_text("Round 3 of 17")).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    expect(page.get_by_role("button", name="One step on")).to_be_disabled()
    page.get_by_role("button", name="Share").click()
    last = page.get_by_role("textbox", name="Hashi").input_value()
    assert last == page.url
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="To the start").click()
    page.get_by_role("button", name="Play").click()
    expect(page).to_have_url(re.compile("/replay/2$"))


def test_the_browser_recomputes_the_promise(invite: Invite, finished: str) -> None:
    guest = invite()
    guest.visit(finished)
    guest.press("Was it fair")
    expect(guest.sees("fair-verdict")).to_contain_text("The promise was kept")
    numbers = guest.sees("fairness").locator("code").all_inner_texts()
    assert numbers[0] == numbers[3], "what was published is what the browser computed"
    assert all(re.fullmatch("[0-9a-f]{32,64}", number) for number in numbers)


def test_points_lead_to_their_rules(invite: Invite, finished: str) -> None:
    guest = invite()
    guest.visit(finished)
    guest.sees("result").locator("li button").first.click()
    expect(guest.sees("rules-panel").locator("[aria-current=true]")).to_be_in_viewport()


@pytest.mark.parametrize(
    "path", ["/nowhere", "/play/chess", "/t/zzzzzzzzzzzz", "/t/UPPER", "/t/zzzzzzzzzzzz/replay/3", "/learn/chess"]
)
def test_an_address_that_leads_nowhere_says_so_and_leads_home(invite: Invite, path: str) -> None:
    guest = invite()
    guest.visit(path)
    expect(guest.sees("lost")).to_be_visible()
    guest.sees("lost").get_by_role("link", name="Home").click()
    expect(guest.sees("play-hashi")).to_be_visible()


def test_back_goes_where_one_came_from(invite: Invite) -> None:
    guest = invite()
    guest.visit("/")
    guest.sees("friends-elfer").click()
    expect(guest.sees("new-table")).to_be_visible()
    guest.page.go_back()
    expect(guest.sees("play-elfer")).to_be_visible()


def test_the_rules_can_be_searched(invite: Invite) -> None:
    guest = invite()
    guest.visit("/rules/hashi")
    search = guest.sees("rule-search")
    search.fill("crossing")
    expect(guest.page.get_by_text("never cross")).to_be_visible()
    search.fill("xylophone")
    expect(guest.page.get_by_text("The rules say nothing about that.")).to_be_visible()


def test_without_a_network_the_page_says_so(invite: Invite) -> None:
    guest = invite()
    guest.visit("/")
    guest.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    guest.page.reload()
    guest.context.set_offline(True)
    guest.page.reload()
    expect(guest.sees("offline")).to_contain_text("You are offline")
    guest.sees("play-hashi").click()
    expect(guest.page.get_by_role("alert")).to_contain_text("cannot be reached")
    guest.context.set_offline(False)
    expect(guest.sees("offline")).to_have_count(0)
    guest.forgive("ERR_INTERNET_DISCONNECTED")


def test_a_match_can_be_played_in_words_alone(invite: Invite) -> None:
    guest = invite(hurries=True, **PHONE)
    open_table(guest, "hashi", "beginner")
    guest.page.get_by_role("button", name="Menu").click()
    guest.page.get_by_label("Text mode").check()
    guest.page.get_by_role("button", name="Close").click()
    for _ in range(200):
        look = guest.look_until(lambda look: look.is_over or (look.is_to_move and not look.is_busy), "the turn")
        if look.is_over:
            break
        choices = look.named("^Done") or look.named("^Build|^Write") or look.named("^Skip")
        if choices:
            x, y = guest.point_at(choices[0])
            guest.page.touchscreen.tap(x, y)
    expect(guest.sees("result")).to_be_visible()


def test_bots_that_are_getting_ready_are_excused_until_they_are(invite: Invite) -> None:
    guest, told = invite(), []

    def tell(line: WebSocketRoute, words: str) -> None:
        for message in map(json.loads, words.splitlines()):
            if message["type"] == "welcome":
                told.append((line, message["table"]))
                message["table"]["bots_are_loading"] = True
                message["update"]["now"]["acting"] = [1]
                line.send(json.dumps(message))

    def connect(line: WebSocketRoute) -> None:
        line.connect_to_server().on_message(lambda words: tell(line, str(words)))

    table = open_table(guest, "hashi", "beginner")
    expect(guest.sees("bots-load")).to_have_count(0)
    guest.page.route_web_socket(re.compile("/socket$"), connect)
    guest.page.goto(table)
    expect(guest.sees("bots-load")).to_contain_text("getting ready")
    line, info = told[0]
    line.send(json.dumps({"type": "seats", "table": info | {"bots_are_loading": False}}))
    expect(guest.sees("bots-load")).to_have_count(0)


def test_the_replay_of_a_match_that_goes_on_has_to_wait(invite: Invite) -> None:
    guest = invite()
    table = open_table(guest, "hashi", "beginner").removeprefix(guest.base)
    guest.visit(f"{table}/replay/3")
    expect(guest.sees("lost")).to_contain_text("still being played")


def test_a_hint_can_be_asked_for_and_taken(invite: Invite) -> None:
    guest = invite(hurries=True)
    open_table(guest, "elfer", "beginner")
    player = PLAYERS["elfer"](guest, Mouse(guest))
    while not guest.look_until(player.is_asked, "the turn").named("^Hint"):
        player.take_step()  # nothing fits: there is nothing to advise
    guest.press("Hint")
    expect(guest.sees("hint")).to_be_visible(timeout=60_000)  # who thinks gives way to everything else on the machine
    guest.sees("take-hint").click()
    expect(guest.sees("undo")).to_be_visible()


def test_the_first_screen_is_small(invite: Invite) -> None:
    guest = invite()
    guest.visit("/")
    expect(guest.sees("play-hashi")).to_be_visible()
    sizes: dict[str, int] = guest.page.evaluate(
        "Object.fromEntries(performance.getEntriesByType('resource')"
        ".filter(({ name }) => /\\.(js|css)$/.test(name)).map((one) => [one.name, one.encodedBodySize]))"
    )
    assert len(sizes) >= 3
    assert 0 < sum(sizes.values()) <= 60 * 1024, sizes
