"""A real Chromium whose pages report everything that goes wrong in them."""

import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 860}}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
SCREENS: dict[str, dict[str, Any]] = {  # everything that has to look right, from the smallest phone to a large desktop
    "phone": PHONE,
    "small": PHONE | {"viewport": {"width": 360, "height": 640}},
    "across": PHONE | {"viewport": {"width": 844, "height": 390}},
    "tablet": PHONE | {"viewport": {"width": 820, "height": 1180}, "device_scale_factor": 1},
    "laptop": LAPTOP,
    "large": {"viewport": {"width": 1920, "height": 1080}},
}
NARROW: dict[str, Any] = PHONE | {"viewport": {"width": 360, "height": 740}}
GENEROUS: dict[str, Any] = {  # one address is many guests here
    "limits.tables_per_hour": 1000,
    "limits.requests_per_second": 200,
    "limits.requests_at_once": 1000,
}
FREE_PEN = {"Pen": "Free: you can make mistakes, and a referee judges them"}  # options of Hashi as the page names them
PATIENCE = 30.0
_DWELL = 1000  # milliseconds; others' moves are shown for about as long

# All that can be pressed; behind an open sheet nothing can.
_PRESSABLE = "button, a[href], [role=button], [role=gridcell]"
_FIND = f"""
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
  const all = [...top.querySelectorAll('{_PRESSABLE}')]
"""

# What there is to see: the title of the tab, what to do now, and everything that can be pressed.
_LOOK = f"""() => {{
  {_FIND}
  const nameOf = (one) => one.getAttribute('aria-label') ?? one.textContent.trim().replace(/\\s+/g, ' ')
  const controls = all.flatMap((one, index) => {{
    const box = one.getBoundingClientRect()
    const group = one.closest('[role=group], [role=grid], ul')?.getAttribute('aria-label') ?? ''
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    return box.width || box.height ? [{{ index, name: nameOf(one), group, is_enabled: !one.disabled, x, y }}] : []
  }})
  return {{
    title: document.title,
    prompt: document.querySelector('[data-testid=prompt]')?.textContent ?? '',
    is_over: document.querySelector('[data-testid=result]') !== null,
    is_busy: document.querySelector('[aria-busy=true]') !== null,
    controls,
  }}
}}"""

# Bring a control into sight, as somebody who scrolls; where is it then, and is there anything in front of it?
_REACH = f"""(index) => {{
  {_FIND}
  const element = all[index]
  element.scrollIntoView({{ block: 'center', behavior: 'instant' }})
  const box = element.getBoundingClientRect()
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const hit = document.elementFromPoint(x, y)
  const whole = element.ownerSVGElement ?? element
  return {{ x, y, is_free: whole.contains(hit), hit: hit?.outerHTML.slice(0, 200) }}
}}"""


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        yield browser
        browser.close()


@dataclass(frozen=True)
class Control:
    """Something that can be pressed."""

    index: int
    name: str
    group: str
    is_enabled: bool
    x: float
    y: float


@dataclass(frozen=True)
class PageSnapshot:
    """What somebody sees at a moment."""

    title: str
    prompt: str
    is_over: bool
    is_busy: bool
    controls: list[Control]

    @property
    def is_to_move(self) -> bool:
        """Whether the tab says so."""
        return self.title.startswith("●")

    def named(self, pattern: str) -> list[Control]:
        """What is called like this and can be pressed."""
        return [one for one in self.controls if one.is_enabled and re.search(pattern, one.name)]

    def differs_from(self, other: "PageSnapshot") -> bool:
        """Whether something can be done now that could not be done before, or the other way round."""
        return self.prompt != other.prompt or self._choices() != other._choices()

    def _choices(self) -> list[tuple[str, bool]]:
        return [(one.name, one.is_enabled) for one in self.controls]


class Guest:
    """Somebody with a browser of their own: what they see, and what went wrong while they looked."""

    def __init__(self, browser: Browser, base: str, *, hurries: bool = False, **options: Any) -> None:
        """A fresh browser profile; one who `hurries` skips the pauses in which others' moves are shown."""
        self.base, self.hurries = base, hurries
        self.troubles: list[str] = []
        self.context: BrowserContext = browser.new_context(
            **({"locale": "en-GB", "reduced_motion": "reduce"} | DESKTOP | options)
        )
        self.context.set_default_timeout(PATIENCE * 1000)
        self.context.on("console", lambda message: self._note(message.type, message.text))
        self.context.on("weberror", lambda error: self._note("error", str(error.error)))
        self.page = self.new_tab()

    def new_tab(self) -> Page:
        """A further tab of the same browser."""
        page = self.context.new_page()
        if self.hurries:
            page.clock.install()
        return page

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.troubles.append(f"{kind}: {text}")

    def forgive(self, pattern: str) -> None:
        """Something was bound to go wrong, like a connection to a server that was killed."""
        self.troubles = [trouble for trouble in self.troubles if not re.search(pattern, trouble)]

    def visit(self, path: str) -> None:
        """Type an address."""
        self.page.goto(self.base + path)

    def sees(self, testid: str) -> Locator:
        return self.page.get_by_test_id(testid)

    def press(self, name: str) -> None:
        """Press a button or a link that is called like this."""
        self.page.locator("button, a").filter(has_text=re.compile(f"^\\s*{name}", re.IGNORECASE)).first.click()

    def look(self) -> PageSnapshot:
        """What there is to see now."""
        found = self.page.evaluate(_LOOK)
        found["controls"] = [Control(**one) for one in found["controls"]]
        return PageSnapshot(**found)

    def point_at(self, control: Control) -> tuple[float, float]:
        """Scroll to a control; fails if something else covers it."""
        found = self.page.evaluate(_REACH, control.index)
        assert found["is_free"], f"{control.name} is covered by {found['hit']}"
        return found["x"], found["y"]

    def look_until(
        self, condition: Callable[[PageSnapshot], object], what: str, patience: float = PATIENCE
    ) -> PageSnapshot:
        """Wait for something to be seen; others' moves are hurried along if the guest hurries."""
        begin = time.monotonic()
        while not condition(look := self.look()):
            assert time.monotonic() - begin < patience, f"waited in vain for {what}: {look.prompt}"
            if self.hurries:
                self.page.clock.fast_forward(_DWELL)
            self.page.wait_for_timeout(15)
        return look

    def close(self) -> None:
        self.context.close()


def open_table(guest: Guest, game: str, *others: str, options: dict[str, str] | None = None) -> str:
    """Open a table by its form: `others` are levels of bots, `link` or `here`; returns the table's address."""
    page = guest.page
    guest.visit(f"/play/{game}")
    page.get_by_test_id("open-table").and_(page.locator(":enabled")).wait_for()
    for seat, other in enumerate(others, start=1):
        if seat > 1:
            page.get_by_test_id("add-seat").click()
        kind = other if other in ("link", "here", "open") else "bot"
        page.get_by_test_id(f"kind-{seat}").select_option(kind)
        if kind == "bot":
            page.get_by_test_id(f"level-{seat}").select_option(other)
    for option, value in (options or {}).items():
        page.get_by_role("group", name=option).get_by_role("radio", name=value, exact=True).check(force=True)
    page.get_by_test_id("open-table").click()
    page.wait_for_url("**/t/*")
    page.get_by_test_id("table").wait_for()
    return page.url
