"""How long a phone takes from a table's address to a board that can be played on: `python -m web.speed --runs 9`.

Chromium's processor is slowed down four times, about as far as a mid-range phone is behind a desktop. Each run opens
the address in a fresh profile, with nothing in any cache.
"""

import argparse
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

from server.running import Server
from web.browsing import GENEROUS, PHONE, Guest, open_browser, open_table
from web.conftest import wait_for_bots
from web.playing import PLAYERS

# Notes when somebody can first choose something on the board.
_WATCH = """
const look = () => {
  const pressable = document.querySelector('[data-testid=board] :is([role=button], [role=gridcell], [data-key])')
  if (document.title.startsWith('●') && pressable) window.playableAt = performance.now()
  else requestAnimationFrame(look)
}
look()
"""


def measure(browser: Browser, base: str, path: str, stored: Any, slowdown: int) -> float:
    """Milliseconds from the beginning of the navigation."""
    guest = Guest(browser, base, storage_state=stored, **PHONE)
    guest.context.add_init_script(_WATCH)
    guest.context.new_cdp_session(guest.page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    guest.visit(path)
    while (found := guest.page.evaluate("window.playableAt ?? null")) is None:
        guest.page.wait_for_timeout(50)
    guest.close()
    return float(found)


def main() -> None:
    """Measure all games in turns and print medians and extremes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--slowdown", type=int, default=4)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        server = Server(Path(folder), **GENEROUS).start()
        wait_for_bots(server)  # loading them keeps both cores busy
        try:
            guest = Guest(browser, server.base)
            paths = {game: open_table(guest, game, "here").removeprefix(server.base) for game in PLAYERS}
            paths["elfer"] = open_table(guest, "elfer", "beginner").removeprefix(server.base)
            guest.look_until(lambda look: look.is_to_move, "the turn")
            stored = guest.context.storage_state()
            times: dict[str, list[float]] = {game: [] for game in paths}
            for _ in range(wanted.runs):
                for game, path in paths.items():
                    times[game].append(measure(browser, server.base, path, stored, wanted.slowdown))
        finally:
            server.stop()
    for game, found in times.items():
        print(f"{game}: median {statistics.median(found):.0f} ms, {min(found):.0f} to {max(found):.0f} ms")


if __name__ == "__main__":
    main()
