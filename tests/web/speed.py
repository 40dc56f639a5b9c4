"""How long a phone takes from a link to a board that can be played on: `python -m web.speed --runs 9`.

Somebody opens the link of a seat on a phone that has never seen the page: a fresh profile with nothing in any cache,
the screen of a phone, and Chromium's processor slowed down four times, about as far as a mid-range phone is behind a
desktop.

What is measured is the page's own mark `playable`, in milliseconds since the navigation began: the seat is to move, its
board is there with all that can be pressed, and the frame that shows it has been painted, so that the page is free to
answer a press. Chromium is driven by its protocol directly, because Playwright puts scripts of its own into every page,
which the slowed-down processor would have to compile. Every run then presses something and expects an answer.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from server.running import Server
from web.browsing import FLAGS, GENEROUS, PHONE, Guest, open_browser, open_table
from web.conftest import wait_for_bots

_PATIENCE = 30.0
_SETTLING = 1.0
_GAMES = ("hashi", "stege", "elfer")
_LOOP = """
(() => {
  const begin = performance.now()
  let sum = 0
  for (let i = 0; i < 1e7; i++) sum = (Math.imul(sum, 31) + i) | 0
  return [performance.now() - begin, sum]
})()
"""


class Chromium:
    """A browser without a window, spoken to in its own protocol."""

    def __init__(self, folder: str) -> None:
        """Start one that keeps its profile in a folder."""
        command = [shutil.which("chromium") or "chromium", "--headless=new", "--remote-debugging-port=0"]
        self._process = subprocess.Popen(
            [*command, f"--user-data-dir={folder}", *FLAGS, "about:blank"], stderr=subprocess.DEVNULL
        )
        port = Path(folder) / "DevToolsActivePort"
        _wait_for(lambda: port.is_file() and port.read_text("utf-8").count("\n"))
        address = f"http://127.0.0.1:{port.read_text('utf-8').split()[0]}/json/version"
        self._open = ExitStack()
        line = connect(httpx.get(address).json()["webSocketDebuggerUrl"], max_size=None)
        self._line: ClientConnection = self._open.enter_context(line)
        self._asked = 0

    def ask(self, method: str, session: str = "", **values: Any) -> dict[str, Any]:
        """Send a command and wait for its answer; events are passed over."""
        self._asked += 1
        message = {"id": self._asked, "method": method, "params": values} | ({"sessionId": session} if session else {})
        self._line.send(json.dumps(message))
        while (answer := json.loads(self._line.recv())).get("id") != self._asked:
            pass
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def close(self) -> None:
        self._open.close()
        self._process.terminate()
        self._process.wait()


class Visit:
    """A tab in a fresh profile, on the screen of a phone."""

    def __init__(self, chromium: Chromium, slowdown: float) -> None:
        self._chromium = chromium
        self._context = chromium.ask("Target.createBrowserContext")["browserContextId"]
        target = chromium.ask("Target.createTarget", url="about:blank", browserContextId=self._context)["targetId"]
        self._session = chromium.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        screen = PHONE["viewport"] | {"deviceScaleFactor": PHONE["device_scale_factor"], "mobile": True}
        self.ask("Emulation.setDeviceMetricsOverride", **screen)
        self.ask("Emulation.setTouchEmulationEnabled", enabled=True)
        time.sleep(_SETTLING)  # a new window loads pages of the browser's own
        self.ask("Emulation.setCPUThrottlingRate", rate=slowdown)

    def ask(self, method: str, **values: Any) -> dict[str, Any]:
        return self._chromium.ask(method, self._session, **values)

    def evaluate(self, expression: str) -> Any:
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def open(self, address: str) -> float:
        """Go somewhere; returns when the page says that it can be played on."""
        self.ask("Page.navigate", url=address)
        time.sleep(1.6)  # whoever asks the page disturbs it
        mark = "performance.getEntriesByName('playable')[0]?.startTime"
        _wait_for(lambda: self.evaluate(mark))
        return float(self.evaluate(mark))

    def press(self) -> None:
        """Press something on the board, and see that something comes of it: a draft, or the clause that forbids it."""
        place = self.evaluate(_PLACE)
        before = self.evaluate(_STATE)
        for kind in ("touchStart", "touchEnd"):
            points = [place] if kind == "touchStart" else []
            self.ask("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        _wait_for(lambda: self.evaluate(_STATE) != before)

    def close(self) -> None:
        self._chromium.ask("Target.disposeBrowserContext", browserContextId=self._context)


_PLACE = """
(() => {
  const offers = '[data-spot=island][aria-disabled=false], [role=gridcell], [data-key]'
  const box = document.querySelector('[data-testid=board]').querySelector(offers).getBoundingClientRect()
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
})()
"""
_STATE = "document.body.innerHTML"


def _wait_for(condition: Callable[[], object]) -> None:
    begin = time.monotonic()
    while not condition():
        assert time.monotonic() - begin < _PATIENCE, "waited in vain"
        time.sleep(0.05)


@contextmanager
def _server() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), **GENEROUS).start()
        try:
            wait_for_bots(server)  # loading them keeps both cores busy
            yield server
        finally:
            server.stop()


def open_tables(server: Server) -> dict[str, str]:
    """For each game a match against a bot that has begun, as the link of the seat that is to move."""
    links: dict[str, str] = {}
    with open_browser() as browser:
        guest = Guest(browser, server.base)
        for game in _GAMES:
            address = open_table(guest, game, "beginner")
            guest.look_until(lambda look: look.is_to_move, "the turn")
            tables = guest.page.evaluate("JSON.parse(localStorage.getItem('threespan.tables'))")
            links[game] = f"{address}#{tables[0]['key']}"
    return links


def measure(links: dict[str, str], runs: int, slowdown: float) -> dict[str, list[float]]:
    """Open all links in turns."""
    times: dict[str, list[float]] = {game: [] for game in links}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, closing(Chromium(folder)) as chromium:
        plain, slowed = (_time_loop(chromium, rate, links[_GAMES[0]]) for rate in (1, slowdown))
        print(f"10 million rounds of a loop take Chromium {plain:.0f} ms here, slowed down {slowed:.0f} ms")
        for _ in range(runs):
            for game, link in links.items():
                visit = Visit(chromium, slowdown)
                times[game].append(visit.open(link))
                visit.press()
                visit.close()
    return times


def _time_loop(chromium: Chromium, slowdown: float, link: str) -> float:
    """How fast the processor is for the page of a table."""
    visit = Visit(chromium, slowdown)
    visit.open(link)
    took = min(float(visit.evaluate(_LOOP)[0]) for _ in range(3))
    visit.close()
    return took


def main() -> None:
    """Measure all games in turns and print medians and extremes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--slowdown", type=float, default=4)
    wanted = parser.parse_args()
    with _server() as server:
        times = measure(open_tables(server), wanted.runs, wanted.slowdown)
    for game, found in times.items():
        print(f"{game}: median {statistics.median(found):.0f} ms, {min(found):.0f} to {max(found):.0f} ms")


if __name__ == "__main__":
    main()
