"""Following a match: what the others did, at a pace that can be followed; no slips; lessons that point."""

import json
import re
from itertools import groupby
from typing import Any

import pytest
from playwright.sync_api import Locator, WebSocketRoute, expect

from web.browsing import LAPTOP, PHONE, Guest, open_table
from web.conftest import Invite
from web.hands import Finger, Keys, Mouse
from web.learning import LEARNERS
from web.playing import PLAYERS, HashiPlayer, Player, StegePlayer

SMALL = {"Board": "Small"}
_OWN = 0
_A_STAGE = 900  # milliseconds; what the pace "normal" shows at least as long
_A_STEP = 200  # for every step of a way
_TICK = 30
_MANY_LOOKS = 4000


# Giving something up


def write_a_number(guest: Guest) -> HashiPlayer:
    """A table of Hashi at which a number is drafted, and bridges can follow."""
    open_table(guest, "hashi", "beginner")
    player = HashiPlayer(guest, Mouse(guest))
    player.play_rounds(1)
    while not guest.look_until(player.is_asked, "the turn").named("you can build"):
        player.take_step()
    return player


def test_done_gives_up_no_bridges(invite: Invite) -> None:
    guest = invite(hurries=True, **PHONE)
    write_a_number(guest)
    done, skip, undo = guest.sees("done"), guest.sees("action-skip"), guest.sees("undo")
    expect(done).to_be_disabled()
    expect(done).to_have_text("Done")
    skip.click()
    expect(done).to_be_enabled()
    expect(guest.sees("prompt")).to_contain_text("Undo", ignore_case=True)
    undo.click()
    expect(done).to_be_disabled()
    assert guest.look().named("you can build"), "what was given up is there again"
    skip.click()
    expect(done).to_be_enabled()
    done.click()
    guest.look_until(lambda look: look.prompt.startswith("Write the"), "the next round")


def test_enter_gives_nothing_up(invite: Invite) -> None:
    guest = invite(hurries=True)
    write_a_number(guest)
    before = guest.sees("board").inner_text()
    guest.page.evaluate("document.activeElement.blur()")
    guest.page.keyboard.press("Enter")
    guest.page.clock.fast_forward(_A_STAGE)
    assert guest.look().named("you can build")
    assert guest.sees("board").inner_text() == before
    Keys(guest).press(guest.look().named("^Skip")[0])
    expect(guest.sees("done")).to_be_enabled()


def test_undo_takes_a_forced_end_back_together_with_what_forced_it(invite: Invite) -> None:
    guest = invite(hurries=True)
    open_table(guest, "hashi", "beginner")
    player = HashiPlayer(guest, Mouse(guest))
    player.play_rounds(1)
    player.press_first("you can write")
    forced = guest.look_until(lambda look: not look.is_busy, "the preview").named("^Done")
    guest.sees("undo").click()
    expect(guest.sees("undo")).to_have_count(0)
    assert guest.look().named("you can write"), forced


def test_text_mode_gives_nothing_up_by_done(invite: Invite) -> None:
    guest = invite(hurries=True)
    write_a_number(guest)
    guest.sees("open-menu").click()
    guest.sees("text-toggle").check()
    guest.page.keyboard.press("Escape")
    guest.sees("text-mode").locator('[data-action="skip"]').wait_for()
    expect(guest.sees("done")).to_be_disabled()
    guest.sees("text-mode").locator('[data-action="skip"]').click()
    expect(guest.sees("done")).to_be_enabled()


# What the others did


def play_turns(guest: Guest, player: Player, count: int) -> None:
    """Play until it has been the own turn so many times more, with nothing chosen yet."""
    for _ in range(count):
        while not guest.look().named("^Done") or guest.sees("done").is_disabled():
            assert player.take_step()
        guest.sees("done").click()
        guest.look_until(lambda look: look.is_over or player.is_asked(look), "the turn")


def reported(guest: Guest) -> list[str]:
    """Who is told of."""
    seats = guest.sees("reports").locator("[data-seat]").evaluate_all("all => all.map((one) => one.dataset.seat)")
    return sorted(seats)


def marked(guest: Guest) -> list[str]:
    """What is marked on the board as done by others."""
    marks = guest.sees("board").locator("[data-news]").evaluate_all("all => all.map((one) => one.dataset.news)")
    return sorted(marks)


@pytest.mark.parametrize(("game", "options"), [("stege", SMALL), ("elfer", {})])
def test_what_the_others_did_is_told_and_marked_until_one_acts(
    invite: Invite, game: str, options: dict[str, str]
) -> None:
    guest = invite(hurries=True, **PHONE)
    open_table(guest, game, "beginner", "beginner", options=options)
    player = PLAYERS[game](guest, Mouse(guest))
    guest.look_until(player.is_asked, "the turn")
    play_turns(guest, player, 1)
    while len(marked(guest)) < 2:  # who has drawn or passed has marked nothing
        assert reported(guest) in ([], ["1", "2"])  # after drawing a tile it is still one's own turn
        play_turns(guest, player, 1)
    seats, places = reported(guest), marked(guest)
    assert seats == ["1", "2"]
    guest.page.reload()
    guest.look_until(player.is_asked, "the turn")
    assert (reported(guest), marked(guest)) == (seats, places), "who comes back is told the same"
    while not guest.look().named("^Done") or guest.sees("done").is_disabled():
        player.take_step()
    guest.sees("done").click()
    guest.look_until(lambda _: set(marked(guest)).isdisjoint(places), "the old marks to go")


def test_the_dice_of_the_others_are_shown(invite: Invite) -> None:
    guest = invite(hurries=True, **LAPTOP)
    open_table(guest, "stege", "beginner", options=SMALL)
    player = StegePlayer(guest, Mouse(guest))
    die = guest.sees("reports").locator("[data-seat='1'] [data-die]").first
    while not die.count():
        player.take_step()
        guest.look_until(player.is_asked, "the turn")
    assert die.get_attribute("data-die") in set("123456")
    expect(die).to_have_accessible_name(re.compile(die.get_attribute("data-die") or ""))


def test_the_others_boards_are_marked_after_coming_back(invite: Invite) -> None:
    guest = invite(hurries=True, **LAPTOP)
    open_table(guest, "hashi", "beginner", "beginner")
    player = HashiPlayer(guest, Mouse(guest))
    player.play_rounds(3)
    told = guest.sees("reports").inner_text()
    assert reported(guest) == ["1", "2"]
    marks = guest.sees("board").locator(".others .fresh").count()
    assert marks
    guest.page.reload()
    guest.look_until(player.is_asked, "the turn")
    assert guest.sees("reports").inner_text() == told
    assert guest.sees("board").locator(".others .fresh").count() == marks


# Pace


class Crowd:
    """Can hold back everything that others do at the table, to let the page hear all of it at once."""

    def __init__(self, guest: Guest) -> None:
        self.updates: list[dict[str, Any]] = []
        self.acting: list[int] = []  # who may act after the last update, told or held back
        self.holds_back = False
        self._line: WebSocketRoute
        guest.page.route_web_socket(re.compile("/socket$"), self._connect)

    def _connect(self, line: WebSocketRoute) -> None:
        def tell(words: str | bytes) -> None:
            for message in map(json.loads, str(words).splitlines()):
                is_update = message["type"] == "update"
                is_others = is_update and message["notices"][0]["seat"] != _OWN
                if is_update:
                    self.acting = message["now"]["acting"]
                if self.holds_back and is_others:
                    self.updates.append(message)
                else:
                    line.send(json.dumps(message))

        self._line = line
        line.connect_to_server().on_message(tell)

    def let_go(self) -> list[dict[str, Any]]:
        """Tell it all; returns what there was."""
        told, self.updates, self.holds_back = self.updates, [], False
        self._line.send("\n".join(map(json.dumps, told)))
        return told


# Writes down whose turn is shown with which die, and when stones move.
_WATCH = """() => {
  const turn = () => {
    const players = document.querySelectorAll('[data-testid^=player-][aria-current]')
    const acting = [...players].map((one) => one.dataset.testid.slice('player-'.length))
    return `${acting.join()}:${document.querySelector('.die').getAttribute('aria-label').match(/\\d/)[0]}`
  }
  const stones = () => [...document.querySelectorAll('.piece')].map((one) => one.style.transform).join()
  let before = stones()
  window.shown = [turn()]
  new MutationObserver(() => {
    if (window.shown.findLast((one) => !one.endsWith('moved')) !== turn()) window.shown.push(turn())
    if (stones() !== before) window.shown.push(`${turn()} moved`)
    before = stones()
  }).observe(document.body, { subtree: true, childList: true, attributes: true })
}"""


def let_all_others_move_unseen(guest: Guest, crowd: Crowd) -> None:
    """At a table of Stege, play until a turn is over and all others have acted, but nothing of it has been told yet."""
    player = StegePlayer(guest, Mouse(guest))
    rolled = guest.page.locator(".die:not(.blank)")
    while True:
        while not (guest.look_until(player.is_asked, "the turn").named("^Done") and rolled.count()):
            player.take_step()
        guest.page.evaluate(_WATCH)
        crowd.acting, crowd.holds_back = [], True
        guest.sees("done").click()
        for _ in range(_MANY_LOOKS):
            guest.page.wait_for_timeout(15)
            if crowd.acting == [_OWN]:
                break
        else:
            raise AssertionError("the others do not move")
        if crowd.updates:
            guest.page.clock.pause_at(guest.page.evaluate("Date.now() / 1000 + 1"))
            return
        crowd.holds_back = False  # nobody else could do anything: it is the same player's turn again


def expected_turns(updates: list[dict[str, Any]], turn: str) -> list[str]:
    """What should follow a turn: what its player does, and only then a roll for the next, and so on."""
    shown: list[str] = []
    for notice, acting in [(notice, update["now"]["acting"]) for update in updates for notice in update["notices"]]:
        if roll := re.fullmatch(r"roll (\d)", notice["action_text"]):
            last, turn = turn, f"{acting[0]}:{roll[1]}"
            shown += [turn] if turn != last else []
        elif notice["action_text"].startswith("move"):
            shown.append(f"{turn} moved")
    return shown


def wait_shown(guest: Guest, condition: str) -> int:
    """Let time pass until something is shown; returns how many milliseconds it took."""
    for ticks in range(_MANY_LOOKS):
        if guest.page.evaluate(condition):
            return ticks * _TICK
        guest.page.clock.run_for(_TICK)
    raise AssertionError("the show does not go on")


def choose_pace(guest: Guest, pace: str) -> None:
    guest.sees("open-menu").click()
    guest.sees("pace").get_by_label(pace).check(force=True)
    guest.page.keyboard.press("Escape")


def test_turns_are_shown_one_after_the_other(invite: Invite) -> None:
    guest = invite(hurries=True)
    crowd = Crowd(guest)
    open_table(guest, "stege", "beginner", "beginner", options=SMALL)
    let_all_others_move_unseen(guest, crowd)
    before = guest.page.evaluate("window.shown")
    updates = crowd.let_go()
    wait_shown(guest, "document.title.startsWith('●')")
    shown = guest.page.evaluate("window.shown")[len(before) :]
    expected = expected_turns(updates, before[-1])
    assert [one for one, _ in groupby(shown)] == [one for one, _ in groupby(expected)]  # a long way is several moves


def test_the_pace_can_be_chosen_and_is_kept(invite: Invite) -> None:
    guest = invite(hurries=True)
    crowd = Crowd(guest)
    open_table(guest, "stege", "beginner", options=SMALL)
    for pace, factor in (("Slow", 2), ("Normal", 1), ("Fast", 0.4), ("At once", 0)):
        choose_pace(guest, pace)
        let_all_others_move_unseen(guest, crowd)
        first = crowd.let_go()[0]
        steps = sum(len(notice["path"]) for notice in first["notices"])
        took = wait_shown(guest, "document.title.startsWith('●')")
        assert took >= factor * (_A_STAGE + _A_STEP * steps) - _TICK
        assert (took == 0) == (factor == 0)
        guest.page.clock.resume()
    guest.page.reload()
    guest.sees("open-menu").click()
    expect(guest.sees("pace").get_by_label("At once")).to_be_checked()


def test_a_hidden_tab_queues_nothing_up(invite: Invite) -> None:
    guest = invite(hurries=True)
    crowd = Crowd(guest)
    open_table(guest, "stege", "beginner", "beginner", options=SMALL)
    let_all_others_move_unseen(guest, crowd)
    crowd.let_go()
    assert not guest.look().is_to_move
    guest.page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    guest.look_until(lambda look: look.is_to_move, "the turn", patience=10)


# Lessons


@pytest.mark.parametrize("game", LEARNERS)
def test_a_lesson_marks_what_it_asks_for_and_has_one_skip(invite: Invite, game: str) -> None:
    guest = invite()
    guest.visit(f"/learn/{game}")
    guest.sees("lesson").get_by_role("heading", level=2).wait_for()
    learner = LEARNERS[game](guest, game)
    for number, frames in enumerate(learner.lesson["steps"]):
        expect(guest.sees("lesson")).to_have_attribute("data-step", str(number))
        for frame in frames:
            assert len(guest.look().named("^Skip")) <= 1
            action = frame["want"] or frame["attempt"]
            if not action:
                expect(guest.sees("asked")).to_have_count(0)
                continue
            button = guest.sees(f"action-{action.replace(' ', '-')}")
            mark = button.and_(guest.page.locator(".asked")) if button.count() else guest.sees("asked").first
            expect(mark).to_be_visible()
            learner.do(action, frame)
        if number < len(learner.lesson["steps"]) - 1:
            guest.sees("lesson-next").click()


@pytest.mark.parametrize("look", [PHONE, LAPTOP | {"color_scheme": "dark"}])
def test_every_row_and_column_of_stege_has_its_number(invite: Invite, look: dict[str, Any]) -> None:
    guest = invite(**look)
    guest.visit("/learn/stege")
    board = guest.sees("lesson").locator(".sea")
    whole = box_of(board)
    size = json.loads(guest.page.evaluate("JSON.stringify(document.querySelectorAll('[role=row]').length)"))
    for line in ("row", "column"):
        labels = board.locator(f"[data-{line}]")
        expect(labels).to_have_text([str(number) for number in range(1, size + 1)])
        for label in labels.all():
            box = box_of(label)
            assert box["height"] >= 10, "too small to read"
            assert whole["x"] <= box["x"]
            assert box["x"] + box["width"] <= whole["x"] + whole["width"]
            assert not label.evaluate(_IS_COVERED)


# Whether something is drawn over the middle of a text.
_IS_COVERED = """(text) => {
  const { x, y, width, height } = text.getBoundingClientRect()
  const [left, top] = [x + width / 2, y + height / 2]
  const islands = [...text.ownerSVGElement.querySelectorAll('.island .sand')].map((one) => one.getBoundingClientRect())
  return islands.some((one) => one.left < left && left < one.right && one.top < top && top < one.bottom)
}"""


def box_of(thing: Locator) -> dict[str, float]:
    thing.scroll_into_view_if_needed()
    box = thing.bounding_box()
    assert box
    return {side: box[side] for side in ("x", "y", "width", "height")}


# Races


def test_the_boxes_of_races_explain_themselves(invite: Invite) -> None:
    guest = invite(hurries=True, **PHONE)
    open_table(guest, "hashi", "beginner")
    HashiPlayer(guest, Mouse(guest)).play_rounds(1)
    explained, red = guest.sees("race-explained"), guest.page.locator("[data-race=RED_FLAGS]")
    Finger(guest).press(guest.look().named("^Red flags")[0])
    expect(explained).to_have_text(re.compile(r"all 4 red flags: 9 points; later 5\. Yours: \d of 4\."))
    expect(explained).to_have_css("opacity", "1")
    guest.page.keyboard.press("Escape")
    expect(explained).to_have_text("")
    red.focus()
    guest.page.keyboard.press("Tab")
    expect(explained).to_have_text(re.compile("blue flags: 7 points; later 3"))
    Finger(guest).press(guest.look().named("finished island")[0])
    expect(explained).to_have_text(re.compile("Each finished island: 2 points"))
