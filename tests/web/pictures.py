"""Take pictures of every screen into `screenshots/`: `make pictures`, or `python -m web.pictures NAME...` for some."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from server.running import Server
from web.browsing import DESKTOP, GENEROUS, PHONE, Guest, open_browser, open_table
from web.hands import Mouse
from web.playing import PLAYERS

FOLDER = Path(__file__).parents[2] / "screenshots"
LOOKS: dict[str, dict[str, Any]] = {
    "phone-light": PHONE | {"color_scheme": "light"},
    "phone-dark": PHONE | {"color_scheme": "dark", "locale": "de-DE"},
    "desktop-light": DESKTOP | {"color_scheme": "light", "locale": "de-DE"},
    "desktop-dark": DESKTOP | {"color_scheme": "dark"},
}
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
_SMALL = {"stege": {"Board": "Small"}}


def play_some(guest: Guest, game: str, *others: str) -> str:
    """A table in the middle of a match, with the guest to move."""
    table = open_table(guest, game, *others, options=_SMALL.get(game))
    player = PLAYERS[game](guest, Mouse(guest))
    for _ in range(_STEPS[game]):
        player.take_step()
    guest.look_until(lambda look: look.is_over or player.is_asked(look), "the turn")
    return table.removeprefix(guest.base)


def prepare(guest: Guest) -> dict[str, str]:
    """The paths of tables in all states."""
    paths = dict(PLAIN)
    for game, others in (("hashi", ["easy", "easy"]), ("stege", ["easy"]), ("elfer", ["easy", "easy"])):
        paths[f"table-{game}"] = play_some(guest, game, *others)
    paths["gathering"] = open_table(guest, "hashi", "link").removeprefix(guest.base)
    paths["cover"] = open_table(guest, "elfer", "here").removeprefix(guest.base)
    over = open_table(guest, "hashi", "easy")
    PLAYERS["hashi"](guest, Mouse(guest)).play_to_the_end()
    paths["result"] = over.removeprefix(guest.base)
    paths["replay"] = paths["result"] + "/replay/60"
    return paths


def views(guest: Guest, name: str, path: str) -> Iterator[str]:
    """Show a screen and what can be opened on it; yields the name of each picture when it can be taken."""
    guest.visit(path)
    guest.page.get_by_role("heading", level=1).wait_for()
    guest.page.wait_for_load_state("networkidle")
    guest.page.wait_for_timeout(1500 if name == "result" else 400)
    yield name
    if name == "table-hashi":
        for opened in ("open-menu", "open-moves", "open-rules"):
            if guest.sees(opened).is_visible():
                guest.sees(opened).click()
                guest.page.wait_for_timeout(300)
                yield opened.removeprefix("open-")
                guest.page.keyboard.press("Escape")
    if name == "result":
        guest.sees("verify").click()
        guest.page.wait_for_timeout(300)
        yield "fairness"
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
    paths = prepare(host)
    stored: Any = host.context.storage_state()
    for look, options in LOOKS.items():
        guest = Guest(browser, base, storage_state=stored, **options)
        for name, path in paths.items():
            if wanted and name not in wanted:
                continue
            for picture in views(guest, name, path):
                full = not picture.startswith(("table", "cover", "menu", "moves", "rules", "result", "fair"))
                guest.page.screenshot(path=FOLDER / f"{picture}-{look}.png", full_page=full)
        for trouble in guest.troubles:
            print(look, trouble, file=sys.stderr)
        guest.close()


def main() -> None:
    """Start a server, take the pictures, stop it."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), **GENEROUS).start()
        try:
            with open_browser() as browser:
                take(browser, server.base, set(sys.argv[1:]))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
