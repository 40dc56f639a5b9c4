"""Take pictures of every screen into `screenshots/`: `make pictures`, or `python -m web.pictures NAME...` for some."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from server.running import Server
from web.browsing import FREE_PEN, GENEROUS, SCREENS, Guest, open_browser, open_table
from web.conftest import wait_for_bots
from web.hands import Mouse
from web.playing import PLAYERS

FOLDER = Path(__file__).parents[2] / "screenshots"
LOCALES = {"light": "en-GB", "dark": "de-DE"}
LOOKS: dict[str, dict[str, Any]] = {
    f"{screen}-{theme}": options | {"color_scheme": theme, "locale": locale}
    for screen, options in SCREENS.items()
    for theme, locale in LOCALES.items()
}
OTHERS = {"hashi": ["easy", "easy"], "stege": ["easy"], "elfer": ["easy", "easy"]}
PLAIN = {
    "home": "/",
    "new-bots": "/play/stege",
    "new-friends": "/play/hashi?with=friends",
    "new-device": "/play/elfer?with=device",
    "lobby": "/lobby",
    "rules": "/rules/elfer#BONUS_DRAW",
    "learn-hashi": "/learn/hashi",
    "learn-stege": "/learn/stege",
    "learn-elfer": "/learn/elfer",
    "lost": "/nowhere",
}
_STEPS = {"hashi": 24, "stege": 40, "elfer": 12}
# Screens that are longer than the window; all others fill it.
_LONG = ("home", "new", "lobby", "learn", "gathering", "lost")
_SMALL = {"stege": {"Board": "Small"}}


def play_some(guest: Guest, game: str, *others: str) -> str:
    """A table in the middle of a match, with the guest to move."""
    table = open_table(guest, game, *others, options=_SMALL.get(game))
    player = PLAYERS[game](guest, Mouse(guest))
    for _ in range(_STEPS[game]):
        player.take_step()
    guest.look_until(lambda look: look.is_over or player.is_asked(look), "the turn")
    return table.removeprefix(guest.base)


def make_mistake(guest: Guest) -> str:
    """A table with a free pen: in the first round a number was written that nothing can reach."""
    table = open_table(guest, "hashi", "easy", options=FREE_PEN)
    for wanted in ("you can write", "^Done", "red flag, no number.*you can write", "^Done"):
        found = guest.look_until(lambda look, wanted=wanted: not look.is_busy and look.named(wanted), wanted)  # type: ignore[misc]
        Mouse(guest).press(found.named(wanted)[0])
    guest.page.get_by_text("Round 2 of").first.wait_for()
    return table.removeprefix(guest.base)


def play_to_the_end(guest: Guest, game: str) -> str:
    """A table at which a match is over."""
    table = open_table(guest, game, "easy", options=_SMALL.get(game))
    PLAYERS[game](guest, Mouse(guest)).play_to_the_end()
    return table.removeprefix(guest.base)


def prepare(guest: Guest, wanted: set[str]) -> dict[str, str]:
    """The paths of all screens, or of those that are wanted, with tables in all states."""

    def is_wanted(*names: str) -> bool:
        return not wanted or bool(wanted & {*names})

    paths = {name: path for name, path in PLAIN.items() if is_wanted(name)}
    for game, others in OTHERS.items():
        if is_wanted(f"begin-{game}"):
            paths[f"begin-{game}"] = open_table(guest, game, *others).removeprefix(guest.base)
        if is_wanted(f"table-{game}"):
            paths[f"table-{game}"] = play_some(guest, game, *others)
    if is_wanted("free-pen"):
        paths["free-pen"] = make_mistake(guest)
    if is_wanted("gathering"):
        paths["gathering"] = open_table(guest, "hashi", "link").removeprefix(guest.base)
    if is_wanted("cover"):
        paths["cover"] = open_table(guest, "elfer", "here").removeprefix(guest.base)
    for game in OTHERS:
        if is_wanted(f"result-{game}", f"replay-{game}"):
            over = play_to_the_end(guest, game)
            paths[f"result-{game}"], paths[f"replay-{game}"] = over, f"{over}/replay/60"
    return paths


def views(guest: Guest, name: str, path: str) -> Iterator[str]:
    """Show a screen and what can be opened on it; yields the name of each picture when it can be taken."""
    guest.visit(path)
    guest.page.get_by_role("heading", level=1).wait_for()
    guest.page.wait_for_load_state("networkidle")
    guest.page.wait_for_timeout(1500 if name.startswith("result") else 400)
    yield name
    if name == "table-hashi":
        for opened in ("open-menu", "open-moves", "open-rules"):
            if guest.sees(opened).is_visible():
                guest.sees(opened).click()
                guest.page.wait_for_timeout(300)
                yield opened.removeprefix("open-")
                guest.page.keyboard.press("Escape")
        guest.page.keyboard.press("?")
        guest.sees("keys").wait_for()
        yield "keys"
        guest.page.keyboard.press("Escape")
        for is_on in (True, False):
            guest.sees("open-menu").click()
            guest.sees("text-toggle").set_checked(is_on)
            guest.page.keyboard.press("Escape")
            guest.page.wait_for_timeout(400)
            if is_on:
                yield "text-mode"
    if name == "free-pen":
        guest.sees("check-board").click()
        guest.sees("findings").wait_for()
        yield "free-pen-checked"
    if name == "result-hashi":
        guest.sees("verify").click()
        guest.page.wait_for_timeout(300)
        yield "fairness"
        guest.sees("share-picture").click()
        guest.sees("save-picture").scroll_into_view_if_needed()
        yield "share-picture"
    if name == "learn-stege":
        for _ in range(4):
            while guest.sees("lesson").get_attribute("data-done") == "false":
                guest.sees("show-me").click()
            guest.sees("lesson-next").click()
        guest.page.wait_for_timeout(300)
        yield "learn-stege-later"


def take(browser: Browser, base: str, wanted: set[str]) -> None:
    """All pictures, or those whose screens are wanted."""
    host = Guest(browser, base, hurries=True)
    paths = prepare(host, wanted)
    stored: Any = host.context.storage_state()
    for look, options in LOOKS.items():
        guest = Guest(browser, base, storage_state=stored, **options)
        for name, path in paths.items():
            for picture in views(guest, name, path):
                is_full = picture.startswith(_LONG)
                guest.page.screenshot(path=FOLDER / f"{picture}-{look}.png", full_page=is_full)
        for trouble in guest.troubles:
            print(look, trouble, file=sys.stderr)
        guest.close()


def main() -> None:
    """Start a server, take the pictures, stop it."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), **GENEROUS).start()
        try:
            wait_for_bots(server)
            with open_browser() as browser:
                take(browser, server.base, set(sys.argv[1:]))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
