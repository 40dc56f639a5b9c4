"""Walks in plain Python, slow and obvious: what the compiled rules are measured against."""

from typing import Any

from threespan.games.stege.state import HOME, ISLAND, WIDTH

Spot = tuple[int, int]

_EDGES = ((-1, 0), (0, 1), (1, 0), (0, -1))
_CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


class PlainSea:
    """A sea as sets of rows and columns, read from a state but sharing none of its sets of fields."""

    def __init__(self, state: Any, seat: int) -> None:
        size, island = int(state.board_size), int(state.island_size)
        self.state, self.seat, self.die = state, seat, int(state.die)
        self.grid = {(row, column) for row in range(size) for column in range(size)}
        self.corners = [
            {(row, column) for row in rows for column in columns}
            for rows, columns in (
                (range(island), range(island)),
                (range(island), range(size - island, size)),
                (range(size - island, size), range(size - island, size)),
                (range(size - island, size), range(island)),
            )
        ]
        self.start = self.corners[state.corner[seat]]
        self.target = self.corners[(state.corner[seat] + 2) % 4]
        self.jetties = [
            jetty for words, step in ((state.across, (0, 1)), (state.down, (1, 0))) for jetty in self._read(words, step)
        ]
        self.planks = {spot for jetty in self.jetties for spot in jetty}
        spots = [[int(spot) for spot in row] for row in state.stone[: state.players]]
        self.stones = {divmod(spot, WIDTH) for row in spots for spot in row if spot not in (HOME, ISLAND)}
        self.own = spots[seat]

    @staticmethod
    def _read(words: Any, step: Spot) -> list[list[Spot]]:
        bits = "".join(f"{int(word) & 2**64 - 1:064b}"[::-1] for word in words)
        tops = [divmod(field, WIDTH) for field, bit in enumerate(bits) if bit == "1"]
        return [[(row + index * step[0], column + index * step[1]) for index in range(3)] for row, column in tops]

    def origin(self, stone: int) -> set[Spot]:
        return self.start if self.own[stone] == ISLAND else {divmod(self.own[stone], WIDTH)}

    def walks(self, stone: int, pips: int, shuttle: bool = False) -> list[list[Spot]]:
        """Every walk of exactly so many steps over the jetties, the last step perhaps onto the target island."""
        if self.own[stone] == HOME:
            return []
        walks = [[spot] for spot in sorted(self.origin(stone))]
        for step in range(1, pips + 1):
            ground = self.planks | self.target if step == pips else self.planks
            longer = []
            for walk in walks:
                for spot in beside(walk[-1]):
                    goes_back = len(walk) > 1 and spot == walk[-2]
                    if spot in ground and (shuttle or not goes_back):
                        longer.append([*walk, spot])
            walks = longer
        return walks

    def ends(self, stone: int) -> set[int]:
        """Where a stone may end its move: fields, or HOME."""
        found = set()
        for walk in self.walks(stone, self.die):
            if walk[-1] in self.target:
                found.add(HOME)
            elif walk[-1] not in self.stones or walk[0] == walk[-1]:
                found.add(walk[-1][0] * WIDTH + walk[-1][1])
        return found

    def is_joined(self, stone: int, goal: set[Spot], diagonal: bool) -> bool:
        """Whether a chain of jetty fields leads from a stone to one of the spots, whatever its length."""
        seen: set[Spot] = set()
        todo = list(self.origin(stone))
        while todo:
            spot = todo.pop()
            if spot not in seen:
                seen.add(spot)
                near = [*beside(spot), *(_moved(spot, by) for by in _CORNERS)] if diagonal else beside(spot)
                todo += [other for other in near if other in self.planks | goal]
        return bool(seen & goal)

    def verdict(self, stone: int, end: int) -> str:
        """The clause that forbids a move, or LEGAL, each clause by its own words."""
        spot = divmod(end, WIDTH)
        if end != HOME and any(spot in corner for corner in self.corners):
            return "OWN_ISLAND"
        if end != HOME and spot not in self.planks:
            return "ON_JETTIES"
        is_taken = end != HOME and spot in self.stones and end != self.own[stone]
        if self.own[stone] == HOME:
            return "FIELD_TAKEN" if is_taken else "EXACT_HOME"
        goal = self.target if end == HOME else {spot}
        if not self.is_joined(stone, goal, diagonal=True):
            return "NO_GAP"
        if not self.is_joined(stone, goal, diagonal=False):
            return "NO_DIAGONAL"
        lengths = [
            pips
            for pips in range(1, self.die + 1)
            if any(walk[-1] in goal for walk in self.walks(stone, pips, shuttle=True))
        ]
        if not lengths if end == HOME else self.die not in lengths:
            return "FULL_COUNT"
        if is_taken:
            return "FIELD_TAKEN"
        if self.die not in lengths:
            return "EXACT_HOME"
        return "LEGAL" if end in self.ends(stone) else "NO_SHUTTLE"

    def is_at_the_door(self) -> bool:
        """Whether some roll would bring a stone home."""
        return any(
            walk[-1] in self.target for stone in range(4) for pips in range(1, 7) for walk in self.walks(stone, pips)
        )

    def places(self) -> set[tuple[Spot, ...]]:
        """All places where a jetty fits."""
        open_spots = self.grid - self.planks - set().union(*self.corners)
        found = set()
        for row, column in open_spots:
            for down in (0, 1):
                jetty = tuple((row + index * down, column + index * (1 - down)) for index in range(3))
                if set(jetty) <= open_spots:
                    found.add(jetty)
        return found


def beside(spot: Spot) -> list[Spot]:
    """The four spots that share an edge with one."""
    return [_moved(spot, by) for by in _EDGES]


def _moved(spot: Spot, by: Spot) -> Spot:
    return spot[0] + by[0], spot[1] + by[1]
