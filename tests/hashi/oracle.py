"""The clauses about bridges in plain Python, slow and obvious: what the compiled rules are measured against."""

from itertools import combinations
from typing import Any

from threespan.games.hashi.state import GRID, ISLANDS


class PlainBoard:
    """A board as lists and dictionaries, read from a state but sharing none of its derived fields."""

    def __init__(self, state: Any, seat: int) -> None:
        self.places = [divmod(int(place), GRID) for place in state.place]
        self.numbers = [int(number) for number in state.number[seat]]
        self.bridges = {
            (int(state.line_from[line]), int(state.line_to[line])): int(state.bridges[seat, line])
            for line in range(state.lines)
        }

    def spots_between(self, line: tuple[int, int]) -> set[tuple[int, int]]:
        """The spots of the grid that a bridge runs over."""
        (row, column), (end_row, end_column) = self.places[line[0]], self.places[line[1]]
        if row == end_row:
            return {(row, c) for c in range(column + 1, end_column)}
        return {(r, column) for r in range(row + 1, end_row)}

    def may_draw(self, line: tuple[int, int]) -> bool:
        """Whether one more bridge may lie on a line, ALL_OR_NOTHING aside."""
        if all(self.numbers[island] == 0 for island in line) or self.bridges[line] == 2:
            return False
        for other, count in self.bridges.items():
            if count and other != line and self.spots_between(line) & self.spots_between(other):
                return False
        for island in line:
            at_island = sum(count for ends, count in self.bridges.items() if island in ends)
            if at_island >= (self.numbers[island] or 6):
                return False
        return True

    def can_draw(self, count: int) -> bool:
        """Whether so many bridges can be drawn in some order."""
        if count == 0:
            return True
        for line in self.bridges:
            if self.may_draw(line):
                self.bridges[line] += 1
                possible = self.can_draw(count - 1)
                self.bridges[line] -= 1
                if possible:
                    return True
        return False

    def first_bridges(self, count: int) -> set[tuple[int, int]]:
        """The lines on which the first of `count` bridges may lie."""
        found = set()
        for line in self.bridges:
            if self.may_draw(line):
                self.bridges[line] += 1
                if self.can_draw(count - 1):
                    found.add(line)
                self.bridges[line] -= 1
        return found


def connected_groups(state: Any, seat: int) -> list[set[int]]:
    """The groups of finished islands, found by merging."""
    board = PlainBoard(state, seat)
    at_island = {i: sum(n for ends, n in board.bridges.items() if i in ends) for i in range(ISLANDS)}
    groups = [{i} for i in range(ISLANDS) if board.numbers[i] and board.numbers[i] == at_island[i]]
    merged = True
    while merged:
        merged = False
        for one, other in combinations(groups, 2):
            if any(
                n
                and (ends[0] in one | other and ends[1] in one | other)
                and not set(ends) <= one
                and not set(ends) <= other
                for ends, n in board.bridges.items()
            ):
                groups.remove(one)
                groups.remove(other)
                groups.append(one | other)
                merged = True
                break
    return groups
