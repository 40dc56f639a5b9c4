"""Players that know of a game only what the page says: labels, buttons and what to do now."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from heapq import heappop, heappush

from web.browsing import Control, Guest, PageSnapshot
from web.hands import Hand, Keys

_MAX_STEPS = 900

Cell = tuple[int, int]


class Player:
    """Somebody who plays a game through the page until it is over."""

    choices = ""  # what there is to do in this game, by the names of what can be pressed

    def __init__(self, guest: Guest, hand: Hand) -> None:
        self.guest, self.hand = guest, hand
        self.look: PageSnapshot

    def play_to_the_end(self) -> None:
        prompts: list[str] = []
        for _ in range(_MAX_STEPS):
            if not self.take_step():
                return
            prompts.append(self.look.prompt)
        raise AssertionError(f"the match does not end; the last it asked for: {prompts[-12:]}")

    def take_step(self) -> bool:
        """Wait for the turn and do one thing; false when the match is over."""
        self.look = self.guest.look_until(lambda look: look.is_over or self.is_asked(look), "the turn")
        if self.look.is_over:
            return False
        self.step()
        return True

    def is_asked(self, look: PageSnapshot) -> bool:
        """Whether there is anything to choose; while an answer is on its way there may be nothing."""
        return look.is_to_move and not look.is_busy and bool(look.named(self.choices))

    def step(self) -> None:
        """Do one thing."""
        raise NotImplementedError

    def press(self, control: Control) -> None:
        """Press something, and wait until the page shows that it has."""
        before = self.look
        self.hand.press(control)
        self.guest.look_until(lambda look: look.differs_from(before), f"an answer to {control.name}")

    def press_first(self, *patterns: str) -> None:
        """Press the first thing that is called like one of these, the first pattern first."""
        found = [control for pattern in patterns for control in self.look.named(pattern)]
        assert found, f"nothing to do: {self.look.prompt}"
        self.press(found[0])


class HashiPlayer(Player):
    """Writes on the first island that is offered and builds whatever can be built."""

    choices = "you can|^Done|^Skip"

    def step(self) -> None:
        self.press_first("you can write", "you can build", "^Done", "^Skip")

    def play_rounds(self, count: int) -> None:
        """Play until the page has asked for a number so many times more."""
        for _ in range(count):
            self.take_step()
            while not self._begins_round():
                self.take_step()

    def _begins_round(self) -> bool:
        self.look = self.guest.look_until(self.is_asked, "the turn")
        return self.look.prompt.startswith("Write the")


class ElferPlayer(Player):
    """Lays whatever fits."""

    choices = "fits$|fits on|Bonus tile:|^Done|^Draw|^Pass|^Keep|^Skip|^Stop|^Cancel"

    def step(self) -> None:
        if where := [one for one in self.look.controls if one.group.startswith("Where does")]:
            self.press(where[0])
        else:
            self.press_first("Bonus tile:", "fits$|fits on", "^Keep", "^Done", "^Draw", "^Skip", "^Pass", "^Stop")


class StegePlayer(Player):
    """Builds the shortest way home, then walks it with one stone after the other."""

    choices = "^Turn|can move|can end|can be taken|^Done|^Leave|^Roll|^Pass|^Stone"

    def __init__(self, guest: Guest, hand: Hand) -> None:
        super().__init__(guest, hand)
        self.is_down = False
        self.refused: Counter[Cell] = Counter()  # middles of places, by how often they did not do

    def step(self) -> None:
        if self.look.prompt.startswith("Lay"):
            self._lay()
        elif self.look.named("^Leave"):
            self._take_or_leave()
        elif self.look.named("^Done"):
            self.press_first("^Done")
        elif self.look.named("^Stone"):
            self._walk()
        else:
            self.press_first("^Roll again", "^Pass")

    # Laying

    def _lay(self) -> None:
        cells, is_down = Sea(self.look.controls).best_place(self.refused)
        if is_down != self.is_down:
            self._turn()
        self.press(self._field(cells[1]))
        if not self.guest.look().named("your jetty is here"):
            self.is_down = not self.is_down  # it did not fit: one that was taken up is held the way it lay
            self.refused[cells[1]] += 1

    def _turn(self) -> None:
        if isinstance(self.hand, Keys):
            self.guest.page.keyboard.press("r")
        else:
            self.hand.press(self.look.named("^Turn")[0])
        self.is_down = not self.is_down

    def _take_or_leave(self) -> None:
        """Take a jetty only to close a gap: whoever takes one for nothing may undo the other's way for ever."""
        sea = Sea(self.look.controls)
        spare = [cell for cell in sea.takeable if cell not in sea.way]
        if spare and sea.gaps_closed(sea.best_place(self.refused)[0]):
            self.press(self._field(spare[0]))
        else:
            self.press_first("^Leave")

    def _field(self, cell: Cell) -> Control:
        row, column = cell
        return self.look.named(f"^Row {row}, column {column},")[0]

    # Walking

    def _walk(self) -> None:
        """Go as near to the target as the first stone gets that can move."""
        self._choose(self.look.named("^Stone")[0].name[: len("Stone a")])
        sea = Sea(self.look.controls)
        self.press(min(self.look.named("can end here"), key=lambda end: sea.steps_left(_cell_of(end))))

    def _choose(self, stone: str) -> None:
        """Choose a stone, unless it is the only one that can move and therefore chosen already."""
        if isinstance(self.hand, Keys):
            self.hand.enter(self.look.named("^Row ")[0])
            self.guest.page.keyboard.press(stone[-1])
        else:
            self.hand.press(self.look.named(f"^{stone}")[0])
        self.look = self.guest.look_until(lambda look: look.named("can end here"), f"where {stone} can go")


class Sea:
    """The sea as the labels of its fields tell it."""

    def __init__(self, controls: list[Control]) -> None:
        self.labels = {_cell_of(one): one.name for one in controls if one.name.startswith("Row ")}
        self.start = [cell for cell, label in self.labels.items() if "your start" in label]
        self.target = {cell for cell, label in self.labels.items() if "your target" in label}
        self.takeable = [cell for cell, label in self.labels.items() if "can be taken" in label]
        self.way = self._cheapest_way()
        self.gaps = [cell for cell in self.way if self._is_water(cell)]

    def _is_water(self, cell: Cell) -> bool:
        return ", water" in self.labels.get(cell, "")

    def _is_jetty(self, cell: Cell) -> bool:
        return ", jetty" in self.labels.get(cell, "")

    def _neighbours(self, cell: Cell) -> Iterator[Cell]:
        row, column = cell
        yield from ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))

    def _cheapest_way(self) -> list[Cell]:
        """From island to island over as little water as possible."""
        queue: list[tuple[float, Cell, tuple[Cell, ...]]] = [(0, cell, ()) for cell in self.start]
        seen: set[Cell] = set()
        while queue:
            cost, cell, way = heappop(queue)
            if cell in self.target:
                return list(way)
            if cell in seen:
                continue
            seen.add(cell)
            for step in self._neighbours(cell):
                if step in self.target:
                    heappush(queue, (cost, step, way))
                elif self._is_jetty(step) or self._is_water(step):
                    heappush(queue, (cost + (1 if self._is_water(step) else 0.2), step, (*way, step)))
        return []

    def best_place(self, refused: Counter[Cell]) -> tuple[list[Cell], bool]:
        """Where a jetty covers most of what is missing, preferably where none was refused."""

        def places() -> Iterator[tuple[list[Cell], bool]]:
            for row, column in self.labels:
                yield [(row, column), (row, column + 1), (row, column + 2)], False
                yield [(row, column), (row + 1, column), (row + 2, column)], True

        fitting = [place for place in places() if all(self._is_water(cell) for cell in place[0])]
        return max(fitting, key=lambda place: (-refused[place[0][1]] // 2, self.gaps_closed(place[0])))

    def gaps_closed(self, cells: list[Cell]) -> int:
        """How many fields that are missing on the way a jetty would cover."""
        return len(set(self.gaps) & set(cells))

    def steps_left(self, cell: Cell) -> int:
        """How far it is from a field to the target, over the water."""
        if cell in self.target:
            return 0
        return min(abs(cell[0] - row) + abs(cell[1] - column) for row, column in self.target)


def _cell_of(control: Control) -> Cell:
    found = re.match(r"Row (\d+), column (\d+)", control.name)
    assert found, control.name
    return int(found[1]), int(found[2])


PLAYERS: dict[str, Callable[[Guest, Hand], Player]] = {
    "hashi": HashiPlayer,
    "stege": StegePlayer,
    "elfer": ElferPlayer,
}
# Options of matches that do not take long, as the page names them.
QUICK: dict[str, dict[str, str]] = {
    "hashi": {},
    "stege": {"Board": "Small", "Jetties for each player": "6"},
    "elfer": {},
}
