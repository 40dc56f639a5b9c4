"""Stege in plain Python, slow and obvious: what the compiled rules are measured against."""

from typing import Any

from threespan.games.stege.state import HOME, ISLAND, WIDTH

Spot = tuple[int, int]

_EDGES = ((-1, 0), (0, 1), (1, 0), (0, -1))
_CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


class Sea:
    """A sea with the eyes of one seat: sets of rows and columns, and every rule about them by its own words."""

    def __init__(self, size: int, island: int, corner: int) -> None:
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
        self.start = self.corners[corner]
        self.target = self.corners[(corner + 2) % 4]
        self.die = 0
        self.jetties: list[list[Spot]] = []
        self.planks: set[Spot] = set()
        self.stones: set[Spot] = set()  # everybody's
        self.own: list[int] = []  # fields, ISLAND or HOME

    def fill(self, jetties: list[list[Spot]], stones: list[list[int]], seat: int, die: int) -> None:
        """Lay the jetties, put the stones of all seats on them, and roll."""
        self.jetties, self.die = jetties, die
        self.planks = {spot for jetty in jetties for spot in jetty}
        self.stones = {divmod(spot, WIDTH) for row in stones for spot in row if spot not in (HOME, ISLAND)}
        self.own = stones[seat]

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

    def is_at_the_door(self, door: str = "reach") -> bool:
        """Whether some roll would bring a stone home; or whether one stands on a field at an edge of the target."""
        if door == "beside":
            edges = {spot for part in self.target for spot in beside(part)}
            return any(spot not in (HOME, ISLAND) and divmod(spot, WIDTH) in edges for spot in self.own)
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


class PlainSea(Sea):
    """The sea of a state, sharing none of its sets of fields."""

    def __init__(self, state: Any, seat: int) -> None:
        super().__init__(int(state.board_size), int(state.island_size), int(state.corner[seat]))
        jetties = [
            jetty for words, step in ((state.across, (0, 1)), (state.down, (1, 0))) for jetty in self._read(words, step)
        ]
        stones = [[int(spot) for spot in row] for row in state.stone[: state.players]]
        self.fill(jetties, stones, seat, int(state.die))

    @staticmethod
    def _read(words: Any, step: Spot) -> list[list[Spot]]:
        bits = "".join(f"{int(word) & 2**64 - 1:064b}"[::-1] for word in words)
        tops = [divmod(field, WIDTH) for field, bit in enumerate(bits) if bit == "1"]
        return [[(row + index * step[0], column + index * step[1]) for index in range(3)] for row, column in tops]


class Referee:
    """A match told by its actions, by the rules of the booklet and the other readings of it."""

    def __init__(self, size: int, island: int, **options: Any) -> None:
        """Before the first action, on a board; all options of a match have to be given."""
        self.size, self.island, self.options = size, island, options
        self.players: int = options["players"]
        self.corners = [0, 2] if options["seating"] == "opposite" else list(range(self.players))
        self.hands = [options["jetties_each"]] * self.players
        self.jetties: list[tuple[Spot, ...]] = []
        self.taken: tuple[Spot, ...] | None = None
        self.stones = [[ISLAND] * 4 for _ in range(self.players)]
        if options["head_start"]:
            self.stones[1][0] = HOME
        self.most_rolls = {"two": 1 + 2, "three": 1 + 3}[options["extra_rolls"]]
        self.turns = self.die = self.rolls = 0
        self.passes = 0  # turns in a row that were passes and nothing else
        self.has_moved_jetty = False
        self.turn = 0 if options["starts"] == "random" else options["starts"]
        self.step = "start" if options["starts"] == "random" else "lay"

    def sea(self) -> Sea:
        """What the player whose turn it is sees."""
        sea = Sea(self.size, self.island, self.corners[self.turn])
        sea.fill([list(jetty) for jetty in self.jetties], self.stones, self.turn, self.die)
        return sea

    def legal(self) -> set[str]:
        """All actions that the rules allow now."""
        if self.step == "over":
            return set()
        if self.step == "start":
            return {f"start {seat}" for seat in range(self.players)}
        if self.step == "roll":
            return {f"roll {die}" for die in range(1, 7)}
        sea = self.sea()
        if self.step in ("lay", "place"):
            places = sea.places() - ({self.taken} if self.taken else set())
            return {f"lay {name_of(place)}" for place in places} or {"pass"}
        if self.step == "jetty":
            return {f"take {name_of(jetty)}" for jetty in self.jetties if self.may_take(jetty, sea)} | {"keep"}
        moves = self.moves(sea) if self.step == "stone" else set()
        if moves:
            return moves if self.options["must_move"] else moves | {"pass"}
        is_lost = self.die in (1, 6) or self.rolls == self.most_rolls or sea.is_at_the_door(self.options["door"])
        return {"pass"} if is_lost else {"pass", "roll again"}

    def may_take(self, jetty: tuple[Spot, ...], sea: Sea) -> bool:
        """No stone stands on it, and there is another place for it."""
        sea.planks -= set(jetty)
        others = sea.places() - {jetty}
        sea.planks |= set(jetty)
        return bool(others) and not sea.stones & set(jetty)

    def moves(self, sea: Sea) -> set[str]:
        """All full moves of all stones."""
        return {
            f"move {'abcd'[stone]} {spot_name(sea.own[stone])}>{spot_name(end)}"
            for stone in range(4)
            for end in sea.ends(stone)
        }

    def play(self, action: str) -> None:
        """Carry out an action."""
        word, *rest = action.split()
        if word == "start":
            self.turn, self.step = int(rest[0]), "lay"
        elif word == "roll" and rest == ["again"]:
            self.step = "roll"
        elif word == "roll":
            self.die = int(rest[0])
            self.rolls += 1
            self.step = "jetty" if self.die in (1, 6) else "stone" if self.rolls == 1 else "again"
        elif self.step == "lay":
            if word == "lay":
                self.jetties.append(jetty_of(*rest))
            self.hands[self.turn] -= 1
            self.turn = (self.turn + 1) % self.players
            self.step = "lay" if any(self.hands) else "roll"
        elif word == "take":
            self.taken, self.step = jetty_of(*rest), "place"
            self.jetties.remove(self.taken)
        elif word == "lay":
            self.jetties.append(jetty_of(*rest))
            self.taken, self.step, self.has_moved_jetty = None, "stone", True
        elif word == "keep":
            self.step = "stone"
        else:
            self.end_turn(rest)

    def end_turn(self, move: list[str]) -> None:
        """A stone moves, or nobody does: then it is a pass if one could have, and nothing else happened."""
        could_move = self.step == "stone" and bool(self.moves(self.sea()))
        if move:
            end = move[1].partition(">")[2]
            self.stones[self.turn]["abcd".index(move[0])] = HOME if end == "home" else field_of(end)
        is_pass = could_move and not move and not self.has_moved_jetty
        self.passes = self.passes + 1 if is_pass else 0
        self.turns += 1
        self.die = self.rolls = 0
        self.has_moved_jetty = False
        is_won = self.stones[self.turn] == [HOME] * 4
        is_stopped = self.turns == 400 * self.players
        if not self.options["must_move"]:
            is_stopped |= self.passes == 3 * self.players
        self.step = "over" if is_won or is_stopped else "roll"
        if self.step == "roll":
            self.turn = (self.turn + 1) % self.players

    def scores(self) -> list[int]:
        """Stones home."""
        return [stones.count(HOME) for stones in self.stones]


def name_of(jetty: tuple[Spot, ...]) -> str:
    """Where a jetty lies, as in the notation."""
    (row, column), (next_row, _), _ = jetty
    return f"{row + 1},{column + 1} {'down' if next_row > row else 'across'}"


def jetty_of(field: str, direction: str) -> tuple[Spot, ...]:
    """The three spots of a jetty."""
    row, column = divmod(field_of(field), WIDTH)
    return tuple((row + index, column) if direction == "down" else (row, column + index) for index in range(3))


def spot_name(spot: int) -> str:
    """Where a stone stands, as in the notation."""
    row, column = divmod(spot, WIDTH)
    return {ISLAND: "island", HOME: "home"}.get(spot, f"{row + 1},{column + 1}")


def field_of(text: str) -> int:
    """The field of `row,column`."""
    row, column = map(int, text.split(","))
    return (row - 1) * WIDTH + column - 1


def beside(spot: Spot) -> list[Spot]:
    """The four spots that share an edge with one."""
    return [_moved(spot, by) for by in _EDGES]


def _moved(spot: Spot, by: Spot) -> Spot:
    return spot[0] + by[0], spot[1] + by[1]
