"""The free pen in plain Python, written from the rule book alone: what the kernels are measured against.

A board is the list of everything that was drawn on it, in order. Nothing is worked out in advance and nothing is fast.
It shares no code with the game; places and actions are the texts of the notation.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

ROUNDS = 17
HIGHEST = 6
MAX_ON_LINE = 2
MAX_IN_ROUND = 6
ORDER = [
    "FLAG_NEEDS_BRIDGE", "NUMBER_TOO_SMALL", "NEEDS_NUMBER", "CROSSING", "ISLAND_FULL", "OVER_SIX", "ALL_OR_NOTHING",
]  # fmt: skip
RACES = {"RED_FLAGS": (9, 5, 12), "BLUE_FLAGS": (7, 3, 7), "SIX_CONNECTED": (8, 4, 12)}  # first, later, solo limit


@dataclass(eq=False)
class Mark:
    """A number or a bridge."""

    round: int
    place: str  # "21" or "21-25"
    number: int = 0
    broken: frozenset[str] = frozenset()

    @property
    def ends(self) -> list[str]:
        return self.place.split("-")

    @property
    def is_bridge(self) -> bool:
        return "-" in self.place

    @property
    def name(self) -> str:
        """The clause that a mistake is named by."""
        return min(self.broken, key=ORDER.index)


class Sea:
    """Islands, flags and dotted lines."""

    def __init__(self, board: dict[str, list[str]]) -> None:
        self.flags = {text[:2]: text[3:] for text in board["islands"]}
        self.lines = list(board["lines"])
        self.crossing = {frozenset(pair) for pair in combinations(self.lines, 2) if self._cross(*pair)}

    def _cross(self, one: str, other: str) -> bool:
        return bool(self._between(one) & self._between(other))

    def _between(self, line: str) -> set[tuple[int, int]]:
        (row, column), (end_row, end_column) = ((int(end[0]), int(end[1])) for end in line.split("-"))
        spots = {(r, c) for r in range(row, end_row + 1) for c in range(column, end_column + 1)}
        return spots - {(row, column), (end_row, end_column)}


@dataclass
class Board:
    """What a seat has drawn."""

    sea: Sea
    marks: list[Mark] = field(default_factory=list)
    struck: dict[str, str] = field(default_factory=dict)  # island: clause
    step: str = "write"
    has_erased_number: bool = False  # of this round
    has_erased_bridge: bool = False  # of this round
    races: dict[str, int] = field(default_factory=dict)  # round in which each was won

    # What is on it

    def numbers(self, marks: Iterable[Mark]) -> dict[str, int]:
        return {mark.place: mark.number for mark in marks if not mark.is_bridge}

    def bridges(self, marks: Iterable[Mark], island: str) -> int:
        return sum(mark.is_bridge and island in mark.ends for mark in marks)

    def of_round(self, number: int) -> list[Mark]:
        return [mark for mark in self.marks if mark.is_bridge and mark.round == number]

    # Judging

    def judge(self, mark: Mark, earlier: list[Mark], card: int) -> frozenset[str]:
        """All clauses that a mark breaks, drawn after some others."""
        broken = set()
        numbers = self.numbers(earlier)
        if not mark.is_bridge:
            here = self.bridges(earlier, mark.place)
            if self.sea.flags[mark.place] and here == 0:
                broken.add("FLAG_NEEDS_BRIDGE")
            if mark.number < here:
                broken.add("NUMBER_TOO_SMALL")
            return frozenset(broken)
        if not any(end in numbers for end in mark.ends):
            broken.add("NEEDS_NUMBER")
        if any(other.is_bridge and frozenset((mark.place, other.place)) in self.sea.crossing for other in earlier):
            broken.add("CROSSING")
        for end in mark.ends:
            here = self.bridges(earlier, end)
            if end in numbers and here >= numbers[end]:
                broken.add("ISLAND_FULL")
            if end not in numbers and here >= HIGHEST:
                broken.add("OVER_SIX")
        if sum(other.is_bridge and other.round == mark.round for other in earlier) >= card:
            broken.add("ALL_OR_NOTHING")
        return frozenset(broken)

    def is_too_few(self, number: int, now: int, card: int) -> bool:
        """Whether a round has ended with some bridges, but fewer than its card shows."""
        is_done = number < now or self.step == "done"
        return is_done and 0 < len(self.of_round(number)) < card


@dataclass
class Match:
    """All boards of a match after the start numbers."""

    boards: list[Board]
    round: int = 0
    cards: list[tuple[int, int]] = field(default_factory=lambda: [(0, 0)])  # number and bridges, by round

    def turn_up(self, number: int, bridges: int) -> None:
        self.round += 1
        self.cards.append((number, bridges))
        for board in self.boards:
            board.step, board.has_erased_number, board.has_erased_bridge = "write", False, False

    def shown(self, number: int) -> int:
        return self.cards[number][1]

    # What is allowed

    def check(self, seat: int, text: str) -> str:
        """The clause that refuses an action of a round, or LEGAL."""
        board = self.boards[seat]
        verb, *words = text.split()
        if board.step == "done" or verb == "card":
            return "NOT_NOW"
        if verb == "done":
            return "LEGAL"
        if verb == "skip":
            return "LEGAL" if board.step == "write" else "NOT_NOW"
        if verb == "write":
            if int(words[1]) != self.cards[-1][0] or (board.step != "write" and not board.has_erased_number):
                return "NOT_NOW"
            if words[0] in board.numbers(board.marks):
                return "ISLAND_TAKEN"
            return "MISTAKE_FIXABLE" if board.has_erased_number else "LEGAL"
        if verb == "bridge":
            return "NOT_NOW" if board.step == "write" else self._check_bridge(board, words[0])
        return self._check_erasing(board, words[0])

    def _check_bridge(self, board: Board, place: str) -> str:
        if place not in board.sea.lines:
            return "NO_SUCH_LINE"
        if sum(mark.place == place for mark in board.marks) == MAX_ON_LINE:
            return "LINE_FULL"
        if len(board.of_round(self.round)) == MAX_IN_ROUND:
            return "ALL_OR_NOTHING"
        return "MISTAKE_FIXABLE" if board.has_erased_bridge else "LEGAL"

    def _check_erasing(self, board: Board, place: str) -> str:
        target = self._target(board, place)
        if target is None:
            return "MISTAKE_FIXABLE"
        if target.round < self.round - 1:
            return "MISTAKE_STANDS"
        return "LEGAL" if self.can_go(board, target) else "MISTAKE_FIXABLE"

    def _target(self, board: Board, place: str) -> Mark | None:
        wrong = [mark for mark in board.marks if mark.place == place and mark.broken]
        return wrong[-1] if wrong else None

    def leaving(self, board: Board, target: Mark) -> list[Mark]:
        """What goes with a mark."""
        together = board.of_round(target.round)
        if target.is_bridge and len(together) - 1 < self.shown(target.round):
            return together
        return [target]

    def can_go(self, board: Board, target: Mark) -> bool:
        """Whether everything that stays would be judged as it was."""
        leaving = self.leaving(board, target)
        kept: list[Mark] = []
        for mark in board.marks:
            if mark in leaving:
                continue
            if mark.round:  # start numbers are not judged
                card = self.shown(mark.round)
                again = board.judge(mark, kept, card)
                if mark.is_bridge and board.is_too_few(mark.round, self.round, card):
                    again |= {"ALL_OR_NOTHING"}
                if again != mark.broken:
                    return False
            kept.append(mark)
        return True

    # Playing

    def play(self, seat: int, text: str) -> None:
        """Carry out an action; when the last seat is done, the round ends."""
        board = self.boards[seat]
        verb, *words = text.split()
        if verb in ("write", "bridge"):
            mark = Mark(self.round, words[0], int(words[1]) if verb == "write" else 0)
            mark.broken = board.judge(mark, board.marks, self.shown(self.round))
            board.marks.append(mark)
        if verb in ("write", "skip"):
            board.step = "bridge"
        if verb == "erase":
            target = self._target(board, words[0])
            assert target is not None
            self._erase(board, target)
        if verb == "done":
            self._finish(board)

    def _erase(self, board: Board, target: Mark) -> None:
        leaving = self.leaving(board, target)
        board.marks = [mark for mark in board.marks if mark not in leaving]
        if target.round == self.round and target.is_bridge:
            board.has_erased_bridge = True
        if target.round == self.round and not target.is_bridge:
            board.has_erased_number = True

    def _finish(self, board: Board) -> None:
        board.step = "done"
        if board.is_too_few(self.round, self.round, self.shown(self.round)):
            for mark in board.of_round(self.round):
                mark.broken |= {"ALL_OR_NOTHING"}
        if all(other.step == "done" for other in self.boards):
            for other in self.boards:
                self._end_round(other)

    def _end_round(self, board: Board) -> None:
        if self.round == ROUNDS:
            self._clean_up(board)
        self._strike(board, self.round - 1)
        if self.round == ROUNDS:
            self._strike(board, self.round)
        for race in RACES:
            if race not in board.races and self.has_won(board, race):
                board.races[race] = self.round

    def _clean_up(self, board: Board) -> None:
        """The referee takes back what can be taken back, last drawn first, until nothing changes."""
        changed = True
        while changed:
            changed = False
            for mark in reversed(board.marks):
                if mark.round == self.round and mark.broken and self.can_go(board, mark):
                    self._erase(board, mark)
                    changed = True
                    break

    def _strike(self, board: Board, number: int) -> None:
        for mark in board.marks:
            if mark.round == number and mark.broken:
                for island in mark.ends:
                    board.struck.setdefault(island, mark.name)
        bridges = board.of_round(number)
        wrong = [mark for mark in bridges if mark.broken]
        if wrong and len(bridges) - len(wrong) < self.shown(number):
            for mark in bridges:
                for island in mark.ends:
                    board.struck.setdefault(island, wrong[0].name)

    # Looking

    def open_faults(self, board: Board) -> list[Mark]:
        """Mistakes that are not yet struck out for."""
        first = ROUNDS + 1 if self.is_over else self.round if self._is_between else self.round - 1
        return [mark for mark in board.marks if mark.broken and mark.round >= first]

    @property
    def _is_between(self) -> bool:
        return all(board.step == "done" for board in self.boards)

    @property
    def is_over(self) -> bool:
        return self.round == ROUNDS and self._is_between

    def looks_finished(self, board: Board) -> set[str]:
        numbers = board.numbers(board.marks)
        counts = Counter(end for mark in board.marks if mark.is_bridge for end in mark.ends)
        return {island for island, number in numbers.items() if counts[island] == number} - board.struck.keys()

    def finished(self, board: Board) -> set[str]:
        """The islands that count as finished."""
        barred = set()
        for fault in self.open_faults(board):
            barred.update(fault.ends)
            if fault.is_bridge:
                barred.update(end for mark in board.of_round(fault.round) for end in mark.ends)
        return self.looks_finished(board) - barred

    def has_won(self, board: Board, race: str) -> bool:
        finished = self.finished(board)
        if race != "SIX_CONNECTED":
            flag = race.split("_")[0].lower()
            return all(island in finished for island, found in board.sea.flags.items() if found == flag)
        return any(len(self._group(board, island, finished)) >= 6 for island in finished)

    def _group(self, board: Board, island: str, finished: set[str]) -> set[str]:
        group, todo = {island}, [island]
        while todo:
            here = todo.pop()
            for mark in board.marks:
                if mark.is_bridge and here in mark.ends:
                    (there,) = set(mark.ends) - {here}
                    if there in finished and there not in group:
                        group.add(there)
                        todo.append(there)
        return group

    def score(self, seat: int) -> int:
        """The points of a seat when the match is over."""
        board = self.boards[seat]
        total = 2 * len(self.finished(board))
        for race, won_in in board.races.items():
            full, late, limit = RACES[race]
            if len(self.boards) == 1:
                total += full if won_in <= limit else late
            else:
                total += full if all(won_in <= other.races.get(race, ROUNDS) for other in self.boards) else late
        return total
