"""Everything fits: boards fill every screen, fingers hit what they mean, results are pictures, keys do everything."""

import re
import time
from pathlib import Path
from typing import Any, cast

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from web.browsing import SCREENS, Guest, open_table
from web.conftest import Invite
from web.hands import Keys, Mouse
from web.playing import PLAYERS, HashiPlayer, StegePlayer
from web.test_comfort import retell

GAMES = ["hashi", "stege", "elfer"]
LONG_NAMES = ["Wilhelmina-Franziska", "Maximilian der Zweite", "Bartholomäus Wurzelsepp", "Anne-Sophie Marguerite"]
FINGERTIP = 44
_ROUNDING = 0.6  # pixels
_PATIENCE = 5.0  # seconds
_LONG_THOUGHT = 90_000  # milliseconds that a hint may take on a busy machine

# How long the longer side of a board is at least, beside the shorter side of the window. The rows of Elfer and the rack
# under them share a small phone's height.
_SHARE = 0.8
_SHARES = {("elfer", "small"): 0.53}

# The window, and the boxes of what must be seen at once; after the page has drawn itself anew.
_MEASURE = """async () => {
  for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame)
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect()
    return { x, y, width, height }
  })
  return {
    window: { x: 0, y: 0, width: innerWidth, height: innerHeight },
    page: { x: 0, y: 0, width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight },
    board: boxes('[data-picture]'),
    rack: boxes('[role=group][aria-label="Your rack"]'),
    words: boxes('[data-testid=board] .words'),
    actions: boxes('[data-testid=table] section:has(> [data-testid=prompt]), .controls'),
    players: boxes('[data-testid=table] ul:has(> [data-testid=player-0])'),
  }
}"""

# All that can be pressed outside of boards and is smaller than a fingertip; a label belongs to its switch.
_SMALL_TARGETS = """(least) => {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
  const found = []
  for (const one of top.querySelectorAll('button, a[href], input, select, summary')) {
    if (one.closest('svg')) continue
    const hit = one.matches('input[type=checkbox], input[type=radio]') ? (one.closest('label') ?? one) : one
    const { width, height } = hit.getBoundingClientRect()
    const isSeen = width > 1 && height > 1 && getComputedStyle(hit).visibility !== 'hidden'
    const around = Math.max(0, -parseFloat(getComputedStyle(hit, '::before').insetBlockStart) * 2 || 0)
    if (isSeen && Math.min(width, height) + around < least) found.push(`${one.outerHTML} ${width}x${height}`)
  }
  return found
}"""

Box = dict[str, float]


def measure(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(_MEASURE)
    return found


def is_within(inner: Box, outer: Box) -> bool:
    return (
        inner["x"] >= outer["x"] - _ROUNDING
        and inner["y"] >= outer["y"] - _ROUNDING
        and inner["x"] + inner["width"] <= outer["x"] + outer["width"] + _ROUNDING
        and inner["y"] + inner["height"] <= outer["y"] + outer["height"] + _ROUNDING
    )


def overlap(one: Box, other: Box) -> bool:
    is_beside = one["x"] + one["width"] <= other["x"] + _ROUNDING or other["x"] + other["width"] <= one["x"] + _ROUNDING
    is_above = (
        one["y"] + one["height"] <= other["y"] + _ROUNDING or other["y"] + other["height"] <= one["y"] + _ROUNDING
    )
    return not is_beside and not is_above


def check_parts(page: Page, names: list[str], where: str) -> dict[str, Any]:
    """All these parts are there, in sight, and none lies on another; nothing scrolls. A busy machine settles late."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        found = measure(page)
        try:
            check_found(found, names, where)
        except AssertionError:
            if time.monotonic() > deadline:
                raise
        else:
            return found


def check_found(found: dict[str, Any], names: list[str], where: str) -> None:
    parts = [(name, box) for name in names for box in found[name]]
    assert {name for name, _ in parts} == set(names), where
    assert is_within(found["page"], found["window"]), f"{where}: the page scrolls: {found['page']}"
    for index, (name, box) in enumerate(parts):
        assert is_within(box, found["window"]), f"{where}: {name} is cut off: {box}"
        for other, other_box in parts[:index]:
            assert not overlap(box, other_box), f"{where}: {name} lies on {other}: {box} {other_box}"


def give_long_names(message: dict[str, Any]) -> None:
    table = message.get("table")
    if isinstance(table, dict) and table.get("status") == "playing":
        for seat, name in zip(table["seats"], LONG_NAMES, strict=False):
            seat["name"] = name


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("game", GAMES)
def test_a_board_fills_every_screen(invite: Invite, game: str, players: int) -> None:
    guest = invite(has_touch=True)
    retell(guest, give_long_names)
    open_table(guest, game, *["beginner"] * (players - 1))
    guest.page.locator("[data-picture]").wait_for()
    guest.look_until(lambda look: look.is_to_move, "the turn")
    parts = ["board", "actions", "players"] + (["rack"] if game == "elfer" else [])
    for name, screen in SCREENS.items():
        guest.page.set_viewport_size(screen["viewport"])
        where = f"{game} on {name}"
        found = check_parts(guest.page, parts, where)
        share = max(found["board"][0]["width"], found["board"][0]["height"]) / min(screen["viewport"].values())
        assert share >= _SHARES.get((game, name), _SHARE), f"{where}: the board takes only {share:.2f}"


@pytest.mark.parametrize("game", GAMES)
def test_news_of_three_others_leave_the_buttons_in_sight(invite: Invite, game: str) -> None:
    guest = invite(has_touch=True, hurries=True)
    retell(guest, give_long_names)
    open_table(guest, game, *["beginner"] * 3)
    player = PLAYERS[game](guest, Mouse(guest))
    lines = guest.sees("reports").locator("[data-seat]")
    while lines.count() < 3:
        player.take_step()
        guest.look_until(lambda look: look.is_over or player.is_asked(look), "the turn")
    parts = ["board", "actions", "players"]
    for name, screen in SCREENS.items():
        guest.page.set_viewport_size(screen["viewport"])
        check_parts(guest.page, parts, f"{game} with news on {name}")


@pytest.mark.parametrize("game", GAMES)
def test_a_table_in_words_fits_every_screen(invite: Invite, game: str) -> None:
    guest = invite(has_touch=True)
    open_table(guest, game, "beginner", "beginner", "beginner")
    guest.sees("open-menu").click()
    guest.sees("text-toggle").check()
    guest.page.keyboard.press("Escape")
    guest.page.locator("[data-testid=board] .words").wait_for()
    for name, screen in SCREENS.items():
        guest.page.set_viewport_size(screen["viewport"])
        check_parts(guest.page, ["words", "actions", "players"], f"{game} in words on {name}")


def test_a_replay_fits_every_screen(invite: Invite, finished: str) -> None:
    guest = invite(has_touch=True)
    guest.visit(f"{finished}/replay/60")
    guest.page.locator("[data-picture]").wait_for()
    for name, screen in SCREENS.items():
        guest.page.set_viewport_size(screen["viewport"])
        check_parts(guest.page, ["board", "actions"], f"the replay on {name}")


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_fits_every_screen(invite: Invite, game: str) -> None:
    """On upright phones its text stands above the board, which is reached by scrolling if need be."""
    guest = invite(has_touch=True)
    guest.visit(f"/learn/{game}")
    guest.page.locator("[data-picture]").wait_for()
    for name, screen in SCREENS.items():
        guest.page.set_viewport_size(screen["viewport"])
        found = measure(guest.page)
        board, window = found["board"][0], found["window"]
        assert found["page"]["width"] <= window["width"], f"{game} on {name}"
        assert board["x"] >= 0
        assert board["x"] + board["width"] <= window["width"] + _ROUNDING
        is_upright = window["height"] > window["width"]
        share = max(board["width"], board["height"]) / min(window["width"], window["height"])
        assert share >= _SHARE, f"{game} on {name}: the board takes only {share:.2f}"
        assert is_upright or is_within(board, window), f"{game} on {name}: {board}"


def test_the_result_and_the_invitation_fit_every_screen(invite: Invite, finished: str) -> None:
    guest = invite(has_touch=True)
    for path, sign in ((finished, "result"), ("", "gathering")):
        if path:
            guest.visit(path)
        else:
            open_table(guest, "hashi", "link")
        guest.sees(sign).wait_for()
        for name, screen in SCREENS.items():
            guest.page.set_viewport_size(screen["viewport"])
            found = measure(guest.page)
            assert found["page"]["width"] <= found["window"]["width"], f"{sign} on {name}"
            box = guest.sees(sign).bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= found["window"]["width"] + _ROUNDING
            if sign == "result":
                assert is_within(cast("Box", box), found["window"]), f"{sign} on {name}: {box}"


# Fingers


@pytest.mark.parametrize("screen", ["small", "phone"])
def test_everything_to_press_is_as_large_as_a_fingertip(invite: Invite, finished: str, screen: str) -> None:
    guest = invite(**SCREENS[screen])
    paths = [
        "/",
        "/play/stege",
        "/play/hashi?with=friends",
        "/play/elfer?with=device",
        "/lobby",
        "/rules/elfer",
        "/nowhere",
    ]
    for path in [*paths, "/learn/hashi", "/learn/stege", "/learn/elfer", f"{finished}/replay/20"]:
        guest.visit(path)
        guest.page.get_by_role("heading", level=1).wait_for()
        guest.page.wait_for_load_state("networkidle")
        assert guest.page.evaluate(_SMALL_TARGETS, FINGERTIP - _ROUNDING) == [], path
    guest.visit(finished)
    guest.sees("share-picture").wait_for()
    assert guest.page.evaluate(_SMALL_TARGETS, FINGERTIP - _ROUNDING) == [], "the result"


@pytest.mark.parametrize("game", GAMES)
def test_everything_at_a_table_is_as_large_as_a_fingertip(invite: Invite, game: str) -> None:
    guest = invite(**SCREENS["small"])
    open_table(guest, game, "beginner", "beginner", "beginner")
    guest.look_until(lambda look: look.is_to_move, "the turn")
    assert guest.page.evaluate(_SMALL_TARGETS, FINGERTIP - _ROUNDING) == [], game
    for sheet in ("open-menu", "open-moves", "open-rules"):
        guest.sees(sheet).click()
        guest.page.locator("dialog[open]").wait_for()
        assert guest.page.evaluate(_SMALL_TARGETS, FINGERTIP - _ROUNDING) == [], sheet
        guest.page.keyboard.press("Escape")
        guest.page.locator("dialog[open]").wait_for(state="detached")


def hold(guest: Guest, x: float, y: float) -> Any:
    """Put a finger down and leave it there; returns what lifts it."""
    screen = guest.context.new_cdp_session(guest.page)
    screen.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})

    def lift() -> None:
        screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        screen.detach()

    return lift


# Where the smallest places of a game are that can be chosen now.
_PLACES = {
    "hashi": "[data-spot=line].open",
    "stege": "[role=gridcell][aria-label*='can move'], [role=gridcell][aria-label*='can be taken']",
    "elfer": ".spot.offered",
}
_MAX_STEPS = 60


@pytest.mark.parametrize("screen", ["small", "phone"])
@pytest.mark.parametrize("game", GAMES)
def test_places_smaller_than_a_fingertip_are_magnified(invite: Invite, game: str, screen: str) -> None:
    guest = invite(**SCREENS[screen])
    if game == "hashi":
        guest.visit("/")
        guest.sees("solo-hashi").click()
    else:
        open_table(guest, game, "beginner", options={"stege": {"Board": "Small"}}.get(game))
    player = PLAYERS[game](guest, Mouse(guest))
    place = guest.page.locator(_PLACES[game])
    for _ in range(_MAX_STEPS):
        if place.count() and not guest.look().is_busy:
            break
        player.take_step()
    box = place.first.bounding_box()
    assert box
    assert min(box["width"], box["height"]) < FINGERTIP, "not small enough to prove it"
    lift = hold(guest, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(guest.sees("loupe")).to_be_visible()
    before = guest.look()
    lift()
    expect(guest.sees("loupe")).to_have_count(0)
    guest.look_until(lambda look: look.differs_from(before), "what the finger has chosen")


def test_islands_to_write_on_are_as_large_as_a_fingertip(invite: Invite) -> None:
    guest = invite(**SCREENS["small"])
    open_table(guest, "hashi", "beginner")
    islands = guest.page.locator("[data-spot=island].open")
    islands.first.wait_for()
    sizes = islands.locator(".hit").evaluate_all("all => all.map((one) => one.getBoundingClientRect().width)")
    assert min(sizes) >= FINGERTIP - _ROUNDING


# The picture of a result


def colours_of(picture: Image.Image, box: tuple[float, float, float, float]) -> int:
    """How many colours there are in a part of a picture, which is given in shares of it."""
    left, top, right, bottom = box
    part = picture.crop(
        (
            int(left * picture.width),
            int(top * picture.height),
            int(right * picture.width),
            int(bottom * picture.height),
        )
    )
    return len(part.convert("RGB").getcolors(maxcolors=1 << 24) or [])


@pytest.mark.parametrize(("locale", "theme"), [("en-GB", "dark"), ("de-DE", "light")])
def test_a_result_becomes_a_picture(invite: Invite, finished: str, tmp_path: Path, locale: str, theme: Any) -> None:
    guest = invite(locale=locale, color_scheme=theme)
    loaded: list[str] = []
    guest.page.on("request", lambda request: loaded.append(request.url))
    guest.visit(finished)
    guest.sees("share-picture").wait_for()
    assert not [url for url in loaded if "SharePicture" in url], "loaded before it was asked for"
    with guest.page.expect_download() as download:
        guest.sees("share-picture").click()
    assert re.fullmatch(r"threespan-hashi-\d{4}-\d\d-\d\d\.png", download.value.suggested_filename)
    download.value.save_as(tmp_path / "result.png")
    assert all(url.startswith((guest.base, "data:", "blob:")) for url in loaded)
    expect(guest.sees("picture").locator("img")).to_be_visible()

    picture = Image.open(tmp_path / "result.png")
    assert picture.width / picture.height == pytest.approx(1200 / 630)
    assert colours_of(picture, (0, 0, 0.5, 1)) > 200, "the board is missing"
    assert colours_of(picture, (0.55, 0, 1, 0.5)) > 20, "the words are missing"
    red, green, blue = picture.convert("RGB").getpixel((2, 2))  # type: ignore[misc]
    assert min(red, green, blue) > 220, "the picture is light in every theme"
    assert guest.page.locator("html").get_attribute("data-theme") == theme
    assert guest.page.locator("html").get_attribute("data-still") is None


def test_a_device_that_shares_files_is_handed_the_picture(invite: Invite, finished: str) -> None:
    guest = invite(**SCREENS["phone"])
    guest.page.add_init_script("""
      navigator.canShare = ({ files }) => files.length === 1
      navigator.share = async ({ files }) => (window.shared = [files[0].name, files[0].type, files[0].size])
    """)
    guest.visit(finished)
    guest.sees("share-picture").click()
    guest.look_until(lambda _: guest.page.evaluate("window.shared !== undefined"), "the picture")
    name, kind, size = guest.page.evaluate("window.shared")
    assert name.startswith("threespan-hashi-")
    assert kind == "image/png"
    assert size > 10_000


# The keyboard

_IS_ON_BOARD = "document.querySelector('[data-testid=board]').contains(document.activeElement)"


def wait_for_focus(guest: Guest) -> None:
    guest.look_until(lambda _: guest.page.evaluate(_IS_ON_BOARD), "the focus on the board")


def test_the_keyboard_stays_at_the_board(invite: Invite) -> None:
    guest = invite(hurries=True)
    open_table(guest, "hashi", "beginner")
    player, keys = HashiPlayer(guest, Keys(guest)), Keys(guest)
    press = guest.page.keyboard.press
    undo = guest.sees("undo")

    player.take_step()
    for shortcut in ("u", "Control+z"):
        guest.look_until(lambda look: look.named("^Undo"), "a draft")
        press(shortcut)
        expect(undo).to_have_count(0)
        wait_for_focus(guest)
        player.take_step()

    # Undo and Done go away when they are pressed: the focus does not.
    keys.press(guest.look_until(lambda look: look.named("^Undo"), "a draft").named("^Undo")[0])
    expect(undo).to_have_count(0)
    wait_for_focus(guest)
    player.take_step()
    keys.press(guest.look_until(lambda look: look.named("^Done"), "a draft").named("^Done")[0])
    guest.look_until(lambda look: look.is_to_move and look.named("you can write"), "the first round")
    wait_for_focus(guest)

    # Enter on the board means done when there is nothing else to do there.
    for _ in range(12):
        look = guest.look_until(player.is_asked, "the turn")
        if look.named("^Done") and not look.named("you can"):
            break
        player.take_step()
    wait_for_focus(guest)
    press("Enter")
    guest.look_until(lambda look: not look.named("^Done"), "the next round")
    wait_for_focus(guest)


def test_the_cursor_stays_where_it_is_when_others_move(invite: Invite) -> None:
    guest = invite(hurries=True)
    open_table(guest, "stege", "beginner")
    player = StegePlayer(guest, Keys(guest))
    focus = guest.page.locator("[data-field]:focus")

    def position() -> tuple[int, int]:
        row, column = str(focus.get_attribute("data-field")).split(",")
        return int(row), int(column)

    for _ in range(2):
        player.take_step()  # lays a jetty
        row, column = position()
        guest.page.keyboard.press("Enter")  # done
        guest.look_until(player.is_asked, "the turn after the bot's")
        assert position() == (row, column)
        guest.page.keyboard.press("ArrowLeft")
        assert position() == (row, column - 1)


@pytest.mark.parametrize("game", GAMES)
def test_keys_are_listed_and_leave_sheets_alone(invite: Invite, game: str) -> None:
    guest = invite()
    open_table(guest, game, "beginner")
    guest.look_until(lambda look: look.is_to_move, "the turn")
    press = guest.page.keyboard.press
    press("?")
    sheet = guest.sees("keys")
    expect(sheet.locator("kbd", has_text=re.compile("^(U|H|\\?)$"))).to_have_count(3)
    expect(sheet.locator("section")).to_have_count(2)  # those of every table, and those of this board
    expect(sheet.locator("kbd", has_text="←")).to_be_visible()
    press("h")
    press("?")
    expect(guest.sees("keys")).to_have_count(1)
    press("Escape")
    expect(sheet).to_have_count(0)
    expect(guest.sees("hint")).to_have_count(0)
    press("h")
    guest.sees("hint").wait_for(timeout=_LONG_THOUGHT)
    guest.sees("open-menu").click()
    guest.sees("open-keys").click()
    expect(sheet).to_be_visible()
