"""Ways to press things: with a mouse, with a finger, with the keyboard alone."""

from collections import Counter
from typing import Protocol

from playwright.sync_api import Page

from web.browsing import Control, Guest

_MAX_TABS = 120
_MAX_ARROWS = 60
_DRAG_STEPS = 8

# What has the keyboard's focus: what it is called, and where it is.
_FOCUS = """() => {
  const element = document.activeElement
  const box = element.getBoundingClientRect()
  return {
    name: element.getAttribute('aria-label') ?? element.textContent.trim().replace(/\\s+/g, ' '),
    group: element.closest('[role=group], [role=grid], ul')?.getAttribute('aria-label') ?? '',
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
  }
}"""


class Hand(Protocol):
    """A way to press things."""

    def press(self, control: Control) -> None:
        """Press something."""


class Mouse:
    """Moves there and clicks."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest

    def press(self, control: Control) -> None:
        x, y = self.guest.point_at(control)
        self.guest.page.mouse.move(x, y)
        self.guest.page.mouse.click(x, y)


class Finger:
    """Taps."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest

    def press(self, control: Control) -> None:
        x, y = self.guest.point_at(control)
        self.guest.page.touchscreen.tap(x, y)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Go from one place to another without leaving the glass, as the browser hears it from a real screen."""
        screen = self.guest.context.new_cdp_session(self.guest.page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            touches = [{"x": x, "y": y} for x, y in points]
            screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

        touch("touchStart", start)
        for step in range(1, _DRAG_STEPS + 1):
            way = step / _DRAG_STEPS
            touch("touchMove", (start[0] + (end[0] - start[0]) * way, start[1] + (end[1] - start[1]) * way))
        touch("touchEnd")
        screen.detach()


class Keys:
    """Goes from one thing to the next with Tab, within a board or rack with the arrows, and presses Enter."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest

    def press(self, control: Control) -> None:
        self.go_to(control)
        self.guest.page.keyboard.press("Enter")

    def go_to(self, control: Control) -> None:
        """Bring the focus to a control."""
        self.enter(control)
        if self._focus()["name"] == control.name:
            return
        if control.group and self._walk_to(control):
            return
        self._tab_until("name", control.name, control)

    def enter(self, control: Control) -> None:
        """Bring the focus into the group that a control belongs to."""
        if control.group:
            self._tab_until("group", control.group, control)

    def _focus(self) -> dict[str, str]:
        found: dict[str, str] = self.guest.page.evaluate(_FOCUS)
        return found

    def _tab_until(self, what: str, wanted: str, control: Control) -> None:
        for _ in range(_MAX_TABS):
            if self._focus()[what] == wanted:
                return
            self.guest.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key never reaches {control.name}")

    def _walk_to(self, control: Control) -> bool:
        """Go towards a control with the arrows, round whatever is in the way."""
        page = self.guest.page
        been: Counter[tuple[int, int, str]] = Counter()
        for _ in range(_MAX_ARROWS):
            here = page.evaluate(_FOCUS)
            if here["name"] == control.name:
                return True
            x, y = _place_of(page, control)
            across, down = x - here["x"], y - here["y"]
            keys = ["ArrowRight" if across > 0 else "ArrowLeft", "ArrowDown" if down > 0 else "ArrowUp"]
            if abs(down) > abs(across):
                keys.reverse()
            keys += ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"]
            place = round(here["x"]), round(here["y"])
            key = min(keys, key=lambda key: been[*place, key])
            been[*place, key] += 1
            page.keyboard.press(key)
        return False


def _place_of(page: Page, control: Control) -> tuple[float, float]:
    """Where a control is now: focus scrolls the page."""
    found = page.evaluate(
        """(name) => {
          const all = document.querySelectorAll('button, [role=button], [role=gridcell]')
          const element = [...all].find((one) => (one.getAttribute('aria-label') ?? one.textContent.trim()) === name)
          const box = element?.getBoundingClientRect()
          return box ? [box.x + box.width / 2, box.y + box.height / 2] : null
        }""",
        control.name,
    )
    return (found[0], found[1]) if found else (control.x, control.y)
