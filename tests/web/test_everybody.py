"""For everybody: screen readers (axe), contrast in both themes, and screens as narrow as 360 px."""

import re
from pathlib import Path
from typing import Any

import pytest

from web.browsing import NARROW, Guest, open_table
from web.conftest import Invite

WEB = Path(__file__).parents[2] / "web"
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"
SCREENS = [
    "/",
    "/play/hashi",
    "/play/stege?with=friends",
    "/play/elfer?with=device",
    "/play/nim",
    "/lobby",
    "/rules/stege",
    "/nowhere",
]
LESSONS = ["/learn/hashi", "/learn/stege", "/learn/elfer"]
# Text in drawings and text of one character, which axe does not judge. The palette has a test of its own.
_UNSURE = {"color-contrast"}
_NOT_JUDGED = re.compile(r"^<text|>.</span>$|^<span [^>]*>.\s*<svg")


def settle(guest: Guest) -> None:
    guest.page.get_by_role("heading", level=1).wait_for()
    guest.page.wait_for_load_state("networkidle")


def examine(guest: Guest, where: str) -> None:
    """Nothing that axe objects to, and nothing that it cannot judge but texts in drawings."""
    if not guest.page.evaluate("'axe' in window"):
        guest.page.evaluate(AXE.read_text("utf-8"))
    found: dict[str, Any] = guest.page.evaluate("axe.run(document, { resultTypes: ['violations', 'incomplete'] })")
    wrong = [(one["id"], [node["html"][:160] for node in one["nodes"]][:4]) for one in found["violations"]]
    assert not wrong, f"{where}: {wrong}"
    unsure = [
        (one["id"], node["html"][:160])
        for one in found["incomplete"]
        for node in one["nodes"]
        if not (one["id"] in _UNSURE and _NOT_JUDGED.search(node["html"]))
    ]
    assert not unsure, f"{where}: {unsure}"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_screen_readers_understand_every_screen(invite: Invite, finished: str, theme: str) -> None:
    guest = invite(color_scheme=theme)
    for path in [*SCREENS, *LESSONS, f"{finished}/replay/20"]:
        guest.visit(path)
        settle(guest)
        examine(guest, path)
    guest.visit(finished)
    guest.sees("result").wait_for()
    examine(guest, "the result")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("game", ["hashi", "stege", "elfer"])
def test_screen_readers_understand_every_table(invite: Invite, game: str, theme: str) -> None:
    guest = invite(color_scheme=theme, hurries=True)
    open_table(guest, game, "beginner")
    guest.look_until(lambda look: look.is_to_move, "the turn")
    examine(guest, game)
    guest.page.get_by_role("button", name="Menu").click()
    examine(guest, f"the menu of {game}")
    guest.page.get_by_label("Text mode").check()
    guest.page.get_by_role("button", name="Close").click()
    examine(guest, f"{game} in words")


def spelt_out(colour: str) -> str:
    """A colour with two digits a part."""
    assert re.fullmatch("#([0-9a-f]{3}|[0-9a-f]{6})", colour), colour
    return colour if len(colour) == 7 else "#" + "".join(digit * 2 for digit in colour[1:])


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted([luminance(one), luminance(other)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


TEXT, SIGN = 4.5, 3.0  # WCAG 2.2 AA: for text, and for shapes that must be told apart
PAIRS = [
    *[(ink, ground, TEXT) for ink in ("ink", "ink-soft", "accent") for ground in ("paper", "card")],
    *[("ink", ground, TEXT) for ground in ("card-2", "warn-soft", "bad-soft", "glow-soft")],
    ("ink-soft", "card-2", TEXT),
    ("on-accent", "accent", TEXT),
    ("on-accent", "accent-strong", TEXT),
    ("bad", "card", TEXT),
    ("good", "card", TEXT),
    ("glow", "card", TEXT),
    ("sea-ink", "sea", TEXT),
    ("sand-ink", "sand", TEXT),
    *[(f"on-tile-{tile}", f"tile-{tile}", TEXT) for tile in ("yellow", "red", "blue", "green", "joker")],
    *[("on-seat", f"seat-{seat}", TEXT) for seat in range(4)],
    *[(f"seat-{seat}", "card", SIGN) for seat in range(4)],
    ("edge", "card", SIGN),
    ("focus", "paper", SIGN),
    ("focus", "card", SIGN),
    ("sea-line", "sea", SIGN),
    ("sand-edge", "sand", SIGN),
    ("flag-red", "sand", SIGN),
    ("flag-blue", "sand", SIGN),
    ("glow-on-sand", "sand", SIGN),
    ("fresh", "sea", SIGN),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_palette_has_contrast(invite: Invite, theme: str) -> None:
    guest = invite(color_scheme=theme)
    guest.visit("/")
    settle(guest)
    names = sorted({name for pair in PAIRS for name in pair[:2]})
    read = "names => names.map(name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim())"
    colours = {name: spelt_out(value) for name, value in zip(names, guest.page.evaluate(read, names), strict=True)}
    weak = [
        f"{one} on {other}: {contrast(colours[one], colours[other]):.2f}, not {least}"
        for one, other, least in PAIRS
        if contrast(colours[one], colours[other]) < least
    ]
    assert not weak


OVERHANG = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_nothing_scrolls_sideways_on_a_narrow_phone(invite: Invite, finished: str) -> None:
    guest = invite(locale="de", **NARROW)
    for path in [*SCREENS, *LESSONS, f"{finished}/replay/20", finished]:
        guest.visit(path)
        settle(guest)
        assert guest.page.evaluate(OVERHANG) == 0, path


@pytest.mark.parametrize("game", ["hashi", "stege", "elfer"])
def test_no_table_scrolls_sideways_on_a_narrow_phone(invite: Invite, game: str) -> None:
    guest = invite(hurries=True, **NARROW)
    open_table(guest, game, "beginner", "beginner", "beginner")
    guest.look_until(lambda look: look.is_to_move, "the turn")
    assert guest.page.evaluate(OVERHANG) == 0


def test_who_wants_no_motion_sees_changes_at_once(invite: Invite) -> None:
    """What lags behind by a frame is no longer where it is about to be pressed."""
    guest = invite(reduced_motion="reduce")
    guest.visit("/")
    guest.sees("play-hashi").wait_for()
    widths = guest.page.evaluate("""() => {
      const part = document.querySelector('main').firstElementChild
      return ['200px', '100px'].map((width) => {
        part.style.width = width
        return part.getBoundingClientRect().width
      })
    }""")
    assert widths == [200, 100]
