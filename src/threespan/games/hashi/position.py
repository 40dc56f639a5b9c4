"""Positions of Hashi that come from a text: what is wrong with them, and working out their masks."""

from collections import Counter
from collections.abc import Iterator

from threespan.core.layout import State, refuse
from threespan.games.hashi import board
from threespan.games.hashi.state import (
    ISLANDS,
    MARKS,
    MAX_NUMBER,
    MAX_ON_LINE,
    ROUND_MARKS,
    THIS_ROUND,
    Pen,
    Phase,
    SeatStep,
)


def refresh(state: State) -> None:
    """Work out the derived fields; raises PositionError where the played ones contradict each other."""
    refuse(complaints(state))
    state.waiting = sum(1 << seat for seat in range(state.players) if state.step[seat] != SeatStep.DONE)
    for seat in range(state.players):
        board.refresh(state, seat)


def complaints(state: State) -> Iterator[str]:
    """Every reason why the played fields contradict each other."""
    for seat in range(state.players):
        found = _wrong_degrees(state, seat) if state.pen == Pen.STRICT else _wrong_marks(state, seat)
        for complaint in found:
            yield f"seat {seat}: {complaint}"


def _wrong_degrees(state: State, seat: int) -> Iterator[str]:
    """Islands with too many bridges."""
    degree = [0] * len(state.place)
    for line in range(state.lines):
        for island in (state.line_from[line], state.line_to[line]):
            degree[island] += int(state.bridges[seat, line])
    for island, bridges in enumerate(degree):
        if bridges > (state.number[seat, island] or MAX_NUMBER):
            yield f"the island at {state.place[island]:02} has {bridges} bridges"


def _wrong_marks(state: State, seat: int) -> Iterator[str]:
    """Marks of the free pen that cannot be where the position says they are, or were."""
    marks = [int(mark) for mark in state.marks[seat]]
    erased = [at for at in range(MARKS) if state.erased[seat] >> at & 1]
    for first in (0, THIS_ROUND):
        number, *bridges = marks[first : first + ROUND_MARKS]
        if number > ISLANDS or any(0 < mark <= ISLANDS or mark > ISLANDS + state.lines for mark in bridges):
            yield "a round's marks are its number, then bridges on lines of the board"
        if sorted(bridges, key=lambda mark: mark == 0) != bridges:
            yield "there are gaps between the marks of a round"
    if any(not marks[at] for at in erased):
        yield "something was erased that had not been drawn"
    if state.phase != Phase.ROUND and (any(marks[THIS_ROUND:]) or erased):
        yield "there are marks of a round, but no round is being played"
    drawn = Counter(mark for at, mark in enumerate(marks) if mark and at not in erased)
    before = Counter(mark for at, mark in enumerate(marks) if mark and at < THIS_ROUND)
    for mark, count in drawn.items():
        if count > (state.number[seat, mark - 1] != 0 if mark <= ISLANDS else _bridges(state, seat, mark)):
            yield "a mark is not on the board"
    for mark, count in before.items():
        if mark > ISLANDS and _bridges(state, seat, mark) - drawn[mark] + count > MAX_ON_LINE:
            yield "there were more than two bridges on a line"


def _bridges(state: State, seat: int, mark: int) -> int:
    return int(state.bridges[seat, mark - ISLANDS - 1])
