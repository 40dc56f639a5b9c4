"""A referee for Elfer that shares nothing with the engine: plain Python over the text forms, slow and obvious.

A tile is its text ("red5", "joker13", "star"). The board is a dictionary from places to tiles; a place is
("red", 5) or ("red", "1 side") and ("red", "20 side") for symbols.
"""

from collections import Counter

ROWS = ["yellow", "red", "blue", "green"]
SYMBOL_OF = {"yellow": "square", "red": "triangle", "blue": "star", "green": "circle"}
ROW_OF = {symbol: row for row, symbol in SYMBOL_OF.items()}
BRIDGES = {("yellow", "red"): [3, 8, 13, 18], ("red", "blue"): [6, 15], ("blue", "green"): [3, 8, 13, 18]}
BONUS = {("yellow", "red"): [13], ("red", "blue"): [6, 15], ("blue", "green"): [8]}

Place = tuple[str, int | str]


def all_tiles(symbols: bool) -> Counter[str]:
    """What is in the box."""
    tiles = Counter(f"{row}{n}" for row in ROWS for n in range(1, 21) if n not in (3, 7, 13, 17))
    tiles += Counter({f"joker{n}": 4 for n in (3, 7, 13, 17)})
    if symbols:
        tiles += Counter(dict.fromkeys(SYMBOL_OF.values(), 2))
    return tiles


def adjoining(place: Place) -> set[Place]:
    """The places that touch a number's place."""
    row, number = place
    assert isinstance(number, int)
    near: set[Place] = {(row, n) for n in (number - 1, number + 1) if 1 <= n <= 20}
    if number in (1, 11, 20):
        near |= {(other, number) for other in ROWS if other != row}
    for pair, numbers in BRIDGES.items():
        if row in pair and number in numbers:
            near.add((pair[1 - pair.index(row)], number))
    return near


WATCHER = -1


class Referee:
    """A match told by its actions, and what each viewer surely knows of the racks of others.

    A tile is known to be on a rack if the viewer handed it there, or if all saw it go there, as long as nothing has
    left the rack since that may have been it.
    """

    def __init__(
        self,
        players: int,
        symbols: bool,
        rounds: int,
        starts: int | None,
        opening: str = "must",
        bonus_symbol: str = "free",
    ) -> None:
        """Before the first action; `starts` None leaves the starting seat to chance."""
        self.players, self.symbols, self.rounds = players, symbols, rounds
        self.opening, self.bonus_symbol = opening, bonus_symbol
        self.minus = [0] * players
        self.round, self.starter = 1, starts or 0
        self.new_round()
        if starts is None:
            self.step = "start"

    def new_round(self) -> None:
        self.bag = all_tiles(self.symbols)
        self.racks: list[Counter[str]] = [Counter() for _ in range(self.players)]
        self.board: dict[Place, str] = {}
        self.answers = 0  # how many have left the opening to others
        viewers = [WATCHER, *range(self.players)]
        self.known = {v: [Counter[str]() for _ in range(self.players)] for v in viewers}
        self.turn = self.starter
        self.begin_turn()
        self.step = "deal"

    def begin_turn(self) -> None:
        self.laid_now: list[Place] = []
        self.counted = self.draws = 0
        self.bonus = ""
        self.step = "lay"

    def places_for(self, tile: str) -> list[Place]:
        """The empty places where a tile may lie, whatever it touches."""
        if tile in ROW_OF:
            places: list[Place] = [(ROW_OF[tile], "1 side"), (ROW_OF[tile], "20 side")]
        elif tile.startswith("joker"):
            places = [(row, int(tile[5:])) for row in ROWS]
        else:
            row = next(row for row in ROWS if tile.startswith(row))
            places = [(row, int(tile.removeprefix(row)))]
        return [place for place in places if place not in self.board]

    def fits(self, place: Place) -> bool:
        row, number = place
        if isinstance(number, str):
            return (row, int(number.split()[0])) in self.board
        return number == 11 or any(near in self.board for near in adjoining(place))

    def lays(self, tiles: list[str], must_fit: bool) -> set[str]:
        found = set()
        for tile in tiles:
            for place in self.places_for(tile):
                if not must_fit or self.fits(place):
                    found.add(f"lay {tile}{self.where(tile, place)}")
        return found

    @staticmethod
    def where(tile: str, place: Place) -> str:
        if tile.startswith("joker"):
            return f" {place[0]}"
        return f" {str(place[1]).split()[0]}" if tile in ROW_OF else ""

    def legal(self) -> set[str]:
        """All actions that the rules allow now."""
        tiles = list(+self.racks[self.turn])
        if self.step == "start":
            return {f"start {seat}" for seat in range(self.players)}
        if self.step in ("deal", "search", "draw", "bonus draw"):
            return {f"draw {tile}" for tile in +self.bag}
        if self.step == "ask":
            return {"open", "leave"} if self.has_eleven(self.turn) else {"leave"}
        if self.step == "open":
            return {f"lay {tile}" for tile in tiles if tile.endswith("11")}
        if self.step == "bonus":
            needs_number = self.bonus in ROW_OF and self.bonus_symbol == "adjoining"
            return self.lays([self.bonus], must_fit=needs_number)
        if self.step == "free":
            return self.lays([tile for tile in tiles if tile not in ROW_OF], must_fit=False) | {"skip"}
        if self.step == "hand":
            return {f"hand {tile}" for tile in tiles} | {"keep"}
        if self.step == "over":
            return set()
        actions = self.lays(tiles, must_fit=True) if self.counted < 3 else set()
        if self.counted:
            return actions | {"stop"}
        return actions or {"draw" if self.draws < 3 and self.bag.total() else "pass"}

    def play(self, action: str) -> None:
        """Carry out an action."""
        word, *rest = action.split()
        if word == "start":
            self.starter = self.turn = int(rest[0])
            self.step = "deal"
        elif word == "draw" and rest:
            self.draw(rest[0])
        elif word == "draw":
            self.draws += 1
            self.step = "draw"
        elif word == "lay":
            self.lay(rest)
        elif word == "hand":
            self.hand(rest[0])
        elif word == "open":
            self.step = "open"
        elif word == "leave":
            self.answers += 1
            self.turn = (self.turn + 1) % self.players
            if self.answers == self.players:
                self.open()
        elif word == "skip":
            self.step = "lay"
        elif word == "stop" and self.has_neighbours():
            self.step = "hand"
        else:
            self.end_of_turn_or_round()

    def hand(self, tile: str) -> None:
        left = (self.turn + 1) % self.players
        self.racks[self.turn][tile] -= 1
        self.racks[left][tile] += 1
        for viewer, known in self.known.items():
            if viewer in (self.turn, left):
                known[self.turn] -= Counter([tile])
            else:
                known[self.turn] -= Counter(list(known[self.turn]))  # it may have been any of them
        self.known[self.turn][left][tile] += 1
        self.end_of_turn_or_round()

    def draw(self, tile: str) -> None:
        self.bag[tile] -= 1
        if self.step == "bonus draw":
            self.draw_bonus(tile)
            return
        rack = self.racks[self.turn]
        rack[tile] += 1
        if self.step == "draw":
            self.step = "lay"
        elif self.step == "search":
            if tile.endswith("11"):
                self.step = "open"
            else:
                self.turn = (self.turn + 1) % self.players
        elif rack.total() == (15 if self.players == 4 else 20):
            self.turn = (self.turn + 1) % self.players
            if self.turn == self.starter and self.opening == "may":
                self.step = "ask"
            elif self.turn == self.starter:
                self.open()

    def draw_bonus(self, tile: str) -> None:
        """A bonus tile is laid; but a symbol that needs its number and has it nowhere goes to the rack openly."""
        is_stuck = not any(self.fits(place) for place in self.places_for(tile))
        if tile in ROW_OF and self.bonus_symbol == "adjoining" and is_stuck:
            self.racks[self.turn][tile] += 1
            for known in self.known.values():
                known[self.turn][tile] += 1
            self.step = "lay"
        else:
            self.bonus, self.step = tile, "bonus"

    def has_eleven(self, seat: int) -> bool:
        return any(tile.endswith("11") for tile in +self.racks[seat])

    def open(self) -> None:
        for step in range(self.players):
            seat = (self.starter + step) % self.players
            if self.has_eleven(seat):
                self.turn, self.step = seat, "open"
                return
        self.step = "search"

    def lay(self, words: list[str]) -> None:
        tile = words[0]
        place = next(p for p in self.places_for(tile) if self.where(tile, p) == "".join(f" {w}" for w in words[1:]))
        if self.step == "bonus":
            self.bonus = ""
        else:
            self.racks[self.turn][tile] -= 1
            for known in self.known.values():
                known[self.turn] -= Counter([tile])
            self.counted += self.step != "free"
        self.board[place] = tile
        self.laid_now.append(place)
        if not self.racks[self.turn].total():
            self.end_of_turn_or_round()
        elif tile in ROW_OF:
            self.step = "free"
        elif self.brings_bonus(place) and self.bag.total():
            self.step = "bonus draw"
        else:
            self.step = "lay"

    def brings_bonus(self, place: Place) -> bool:
        row, number = place
        for pair, numbers in BONUS.items():
            if row in pair and number in numbers:
                return (pair[1 - pair.index(row)], number) not in self.board
        return False

    def has_neighbours(self) -> bool:
        numbers = [(row, n) for row, n in self.laid_now if isinstance(n, int)]
        return any((row, n + 1) in numbers for row, n in numbers)

    def end_of_turn_or_round(self) -> None:
        if self.racks[self.turn].total():
            self.turn = (self.turn + 1) % self.players
            self.begin_turn()
            return
        for seat, rack in enumerate(self.racks):
            self.minus[seat] += sum(
                11 if t in ROW_OF else int("".join(filter(str.isdigit, t))) for t in rack.elements()
            )
        if self.round == self.rounds:
            self.step = "over"
        else:
            self.round += 1
            self.starter = (self.starter + 1) % self.players
            self.new_round()
