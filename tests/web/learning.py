"""Learners who make every move of a lesson themselves, by mouse and on the board."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from web.browsing import Guest

_GAMES = Path(__file__).parents[2] / "web" / "src" / "games"


class Learner:
    """Somebody at a lesson, who knows what each step is about."""

    def __init__(self, guest: Guest, game: str) -> None:
        self.guest = guest
        folder = _GAMES / game / "lesson"
        self.lesson: dict[str, Any] = json.loads((folder / "lesson.json").read_text("utf-8"))
        self.words: dict[str, Any] = json.loads((folder / "words" / "en.json").read_text("utf-8"))
        self.scene: dict[str, Any] = self.lesson["scenes"][0]  # the same board in every match
        self.frame: dict[str, Any] = {}

    def do(self, action: str, frame: dict[str, Any]) -> None:
        """Do what a frame of the lesson asks for; a button does what has no place on the board."""
        kind, _, rest = action.partition(" ")
        button = self.guest.sees(f"action-{action.replace(' ', '-')}")
        if button.count():
            button.click()
        else:
            self.frame = frame
            getattr(self, kind)(rest)

    def click(self, selector: str) -> None:
        self.guest.page.mouse.click(*self.middle_of(selector))

    def middle_of(self, selector: str) -> tuple[float, float]:
        """Where something on the board is; an outline counts as a whole."""
        found = self.guest.sees("lesson").locator(selector).first
        found.scroll_into_view_if_needed()
        box = found.bounding_box()
        assert box, selector
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class HashiLearner(Learner):
    """Taps islands to write, drags from island to island to build."""

    def write(self, rest: str) -> None:
        place, number = rest.split()
        if choice := self.guest.look().named(f"^{number}$"):
            self.guest.page.mouse.click(*self.guest.point_at(choice[0]))
        self.click(self.island(place))

    def bridge(self, rest: str) -> None:
        (x, y), (to_x, to_y) = (self.middle_of(self.island(place)) for place in rest.split("-"))
        mouse = self.guest.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(to_x, to_y, steps=6)
        mouse.up()

    def erase(self, place: str) -> None:
        if "-" not in place:
            return self.click(self.island(place))
        # Not in the middle, where another line may cross.
        (x, y), (to_x, to_y) = (self.middle_of(self.island(end)) for end in place.split("-"))
        return self.guest.page.mouse.click(x + (to_x - x) / 3, y + (to_y - y) / 3)

    def island(self, place: str) -> str:
        """Where an island is found on the board."""
        index = next(i for i, island in enumerate(self.scene["islands"]) if island["place"] == place)
        return f'[data-spot=island][data-index="{index}"]'

    def line(self, places: str) -> int:
        """The number of a line between two islands."""
        return next(i for i, line in enumerate(self.scene["lines"]) if line["place"] == places)


class StegeLearner(Learner):
    """Taps the middle of where a jetty goes, a stone and the field where its walk shall end."""

    is_down = False

    def lay(self, rest: str) -> None:
        if rest.endswith("down") != self.is_down:
            self.guest.page.mouse.click(*self.guest.point_at(self.guest.look().named("^Turn")[0]))
            self.is_down = not self.is_down
        self._tap(_middle(rest))

    def take(self, rest: str) -> None:
        self.is_down = rest.endswith("down")
        self._tap(_middle(rest))

    def move(self, rest: str) -> None:
        way = rest.split()[1]
        start, end = (self._field(spot) for spot in way.split(">"))
        movable = {action.split()[1] for action in self.frame["legal"] if action.startswith("move ")}
        if len(movable) > 1:
            self._tap(start)
        self._tap(end)

    def _field(self, spot: str) -> tuple[int, int]:
        islands = {"island": "start", "home": "target"}
        if spot in islands:
            seat = self.scene["seats"][self.lesson["seat"]]
            island = self.scene["islands"][seat[islands[spot]]]
            return island["row"], island["column"]
        row, column = spot.split(",")
        return int(row), int(column)

    def _tap(self, field: tuple[int, int]) -> None:
        self.click(f'[data-field="{field[0]},{field[1]}"]')


def _middle(place: str) -> tuple[int, int]:
    """The middle field of a jetty."""
    first, direction = place.split()
    row, column = map(int, first.split(","))
    return (row + 1, column) if direction == "down" else (row, column + 1)


class ElferLearner(Learner):
    """Taps tiles on the rack, fields where a tile has several or where it must not go."""

    def lay(self, rest: str) -> None:
        tile = next(field["tile"] for field in self.scene["fields"] if field["text"] == rest)
        if self.frame["view"]["bonus_tile"] == tile:
            self.click('[data-key="bonus"]')
        elif f"lay {rest}" in self.frame["legal"] and " " not in rest:
            self.click(f'[data-key^="{tile}#"]')
        else:
            self.click(f'[data-field="{rest}"]')

    def hand(self, rest: str) -> None:
        self.click(f'[data-key^="{rest}#"]')


LEARNERS: dict[str, Callable[[Guest, str], Learner]] = {
    "hashi": HashiLearner,
    "stege": StegeLearner,
    "elfer": ElferLearner,
}
