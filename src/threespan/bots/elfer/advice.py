"""What a search should know about Elfer."""

import sys
from math import exp
from typing import Any

from threespan.bots.evaluation import Advice, advise, share_wins
from threespan.core.kernel import called_kernel, count_bits, kernel
from threespan.core.layout import State
from threespan.games.elfer.state import (
    BIT_OF,
    COLOURED_A_ROW,
    DRAW,
    HAND,
    JOKER,
    LAY,
    LAYOUT,
    NEIGHBOURS,
    NUMBER_FIELDS,
    NUMBER_PARTS,
    NUMBERS,
    PART_OF,
    STOP,
    SYMBOL,
    TILE_FOR,
    VALUE,
    Phase,
)
from threespan.games.elfer.tiles import has_laid_neighbours

_POINTS = 0.15  # the part of a finished match's value that goes by minus points rather than by winning
_MINUS_SCALE = 40.0
# What speaks for laying a tile, beside laying at all.
_LAY = 1.0
_WORTH = 0.3  # a tile of 20, others in proportion
_FOLLOWS = 0.5  # an own tile that becomes layable
_INVITES = -0.25  # a field that opens for others only
_PAIR = 0.6  # the first two neighbours: a tile may be handed on
_GAP = 0.3  # handed on or laid freely: each tile that must be laid before this one fits
_JOKER_GAPS = 0.5
_SYMBOL_GAPS = 2.0


@kernel
def evaluate(state: State, desk: Any) -> None:
    """A finished match by ranks and minus points; between two rounds by minus points alone."""
    total = 0.0
    for seat in range(state.players):
        total += exp(-state.minus[seat] / _MINUS_SCALE)
    if state.phase == Phase.OVER:
        share_wins(state, desk)
        for seat in range(state.players):
            by_points = exp(-state.minus[seat] / _MINUS_SCALE) / total
            desk.values[seat] = (1.0 - _POINTS) * desk.values[seat] + _POINTS * by_points
    else:
        for seat in range(state.players):
            desk.values[seat] = exp(-state.minus[seat] / _MINUS_SCALE) / total


@kernel
def gaps_before(state: State, seat: int, field: int) -> float:
    """How many tiles in the row, own ones half, must be laid before a tile fits on its field."""
    row = field - field % NUMBERS
    fewest = float(NUMBERS)
    for direction in (-1, 1):
        gaps = 0.0
        here = field
        while row <= here < row + NUMBERS and state.inviting[PART_OF[here]] & BIT_OF[here] == 0:
            here += direction
            if row <= here < row + NUMBERS:
                gaps += 0.5 if state.holds[seat, PART_OF[here]] & BIT_OF[here] != 0 else 1.0
        if row <= here < row + NUMBERS:
            fewest = min(fewest, gaps)
    return fewest


@kernel
def burden(state: State, seat: int, kind: int) -> float:
    """How much a seat would like to be rid of a tile."""
    gaps = _SYMBOL_GAPS if kind >= SYMBOL else _JOKER_GAPS
    if kind < JOKER:
        index = kind % COLOURED_A_ROW
        field = kind // COLOURED_A_ROW * NUMBERS + VALUE[index] - 1
        gaps = gaps_before(state, seat, field)
    return _GAP * gaps + _WORTH * VALUE[kind] / NUMBERS  # type: ignore[no-any-return]


@kernel
def lay_rating(state: State, seat: int, field: int) -> float:
    """What a tile opens for its seat and for others, what it is worth, and whether it makes the first pair."""
    rating = _LAY + _WORTH * VALUE[TILE_FOR[field]] / NUMBERS
    if field >= NUMBER_FIELDS:
        return rating  # type: ignore[no-any-return]
    across = state.bridge_to[field]
    for part in range(NUMBER_PARTS):
        opened = NEIGHBOURS[field, part]
        if PART_OF[across] == part and across != field:
            opened |= BIT_OF[across]
        opened &= ~(state.inviting[part] | state.laid[part])
        own = opened & state.holds[seat, part]
        rating += _FOLLOWS * count_bits(own) + _INVITES * count_bits(opened & ~own)
    if not has_laid_neighbours(state):
        row = field // NUMBERS
        for beside in (field - 1, field + 1):
            if beside >= 0 and beside // NUMBERS == row and beside < NUMBER_FIELDS:
                rating += _PAIR * (state.fresh[PART_OF[beside]] & BIT_OF[beside] != 0)
    return rating  # type: ignore[no-any-return]


@called_kernel
def rate(state: State, seat: int, action: int) -> float:
    """Lay by what it opens; hand on and lay freely what is hardest to be rid of."""
    if action < HAND:
        field = action - LAY
        if state.phase == Phase.FREE:
            return burden(state, seat, TILE_FOR[field])
        return lay_rating(state, seat, field)
    if action < STOP:
        return burden(state, seat, action - HAND)
    return _LAY if action == DRAW else 0.0


@kernel
def ends_rollout(state: State, steps: int) -> bool:  # noqa: ARG001
    """A round is played to its end; the next one would only be noise."""
    return state.phase <= Phase.SEARCH or state.phase == Phase.OVER  # type: ignore[no-any-return]


advise(LAYOUT, Advice.of(sys.modules[__name__]))
