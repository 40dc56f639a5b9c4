"""The walk of a move: a move is a stone and its end, and this is the one way there that everybody is shown."""

from collections.abc import Iterator
from typing import NamedTuple

from threespan.core.kernel import bits_of
from threespan.core.layout import State
from threespan.games.stege.sets import Fields, down, left, load, right, single, up
from threespan.games.stege.state import HOME, ISLAND
from threespan.games.stege.stones import target

# Opposite directions are two apart. The order is the one in which equally good walks are preferred.
_DIRECTIONS = (up, right, down, left)


class Walk(NamedTuple):
    """A walk step by step: the direction of each step and the field that it leads to."""

    directions: tuple[int, ...]
    fields: tuple[int, ...]

    @property
    def turns(self) -> int:
        """How often the direction changes."""
        return sum(a != b for a, b in zip(self.directions, self.directions[1:], strict=False))


def path_of_move(state: State, seat: int, stone: int, end: int) -> list[int]:
    """The path of a move, with its first and last spot; raises ValueError if no walk leads there.

    Of all walks with the pips of the die it is one that visits the fewest fields twice, then one with the fewest
    turns, then the first with the directions in order (up, right, down, left).
    """
    spot = int(state.stone[seat, stone])
    planks = load(state.planks)
    goal = load(state.island[target(state, seat)]) if end == HOME else single(end) & planks
    walks = [
        walk
        for field in ([] if spot == HOME else bits_of(_origin(state, seat, spot)))
        for walk in _walks(planks, field, None, goal, int(state.die))
    ]
    if not walks:
        raise ValueError("no walk with these pips leads there")
    best = min(walks, key=lambda walk: (_revisits(spot, walk), walk.turns))
    return [spot, *best.fields[:-1], end]


def _origin(state: State, seat: int, spot: int) -> Fields:
    return load(state.island[state.corner[seat]]) if spot == ISLAND else single(spot)


def _walks(planks: Fields, field: int, came: int | None, goal: Fields, pips: int) -> Iterator[Walk]:
    """All walks of exactly `pips` steps to `goal` from a field that was entered in the direction `came`."""
    for direction, step in enumerate(_DIRECTIONS):
        if came is not None and direction == (came + len(_DIRECTIONS) // 2) % len(_DIRECTIONS):
            continue  # NO_SHUTTLE
        near = step(single(field))
        for following in bits_of(near & (planks if pips > 1 else goal)):
            if pips == 1:
                yield Walk((direction,), (following,))
                continue
            for rest in _walks(planks, following, direction, goal, pips - 1):
                yield Walk((direction, *rest.directions), (following, *rest.fields))


def _revisits(spot: int, walk: Walk) -> int:
    spots = (spot, *walk.fields)
    return len(spots) - len(set(spots))
