"""What a sea of Stege is worth to each seat: a sum of weights over what can be seen of its ways.

The strength of a seat is a weighted sum of its features; seats win in proportion to the exponentials of strengths.
The weights come from matches (`training/stege/weights.py`): what predicts the winner well need not be what makes a good
move.
"""

from typing import Any

from threespan.bots.stege.ways import ways_home
from threespan.core.kernel import called_kernel, count_bits, kernel
from threespan.core.layout import State
from threespan.core.mathematics import exp
from threespan.games.stege.sets import down, is_empty, left, load, right, single, up
from threespan.games.stege.state import HOME, ISLAND, JETTY, PIPS, STONES
from threespan.games.stege.stones import distance, target

# The features of a seat. Steps are counted in tens, so that all features are of about the same size.
STRAIGHT = 0  # steps home over open water, all stones together
OUTSIDE = 1  # stones not home: the last walk of each must fit exactly
DETOUR = 2  # what the cheapest ways cost beyond the straight ones, all stones together
LACKING = 3  # the same of the worst way alone, since a jetty laid for one stone serves them all
MISSING = 4  # the jetties that would fill it
ASHORE = 5  # stones on the start island
MOVING_ROLLS = 6  # sides of the die that can be moved
HOME_ROLLS = 7  # sides of the die that bring a stone home
IN_TURN = 8  # whether the seat acts next
FEATURES = 9

_TENS = 0.1


@called_kernel
def useful_rolls(state: State, seat: int) -> tuple[int, int]:
    """How many sides of the die can be moved, and how many bring a stone home; the walks are those of `walk_ends`."""
    planks, occupied = load(state.planks), load(state.occupied)
    shore = load(state.shore[target(state, seat)])
    moves = homes = 0
    is_seen = False  # the stones on the island walk alike
    for stone in range(STONES):
        spot = state.stone[seat, stone]
        if spot == HOME or (spot == ISLAND and is_seen):
            continue
        is_seen |= spot == ISLAND
        before = load(state.island[state.corner[seat]]) if spot == ISLAND else single(spot)
        free = ~occupied | before
        ups, downs, lefts, rights = (
            up(before) & planks,
            down(before) & planks,
            left(before) & planks,
            right(before) & planks,
        )
        for pips in range(PIPS):
            if not is_empty(before & shore):
                homes |= 1 << pips
            along, across = ups | downs, lefts | rights
            before = along | across
            if is_empty(before):
                break
            if not is_empty(before & free):
                moves |= 1 << pips
            ups, downs = up(ups | across) & planks, down(downs | across) & planks
            lefts, rights = left(lefts | along) & planks, right(rights | along) & planks
    return count_bits(moves | homes), count_bits(homes)


@called_kernel
def strength(state: State, seat: int, following: int, weights: Any) -> float:
    """How strong a seat stands when the seat `following` acts next."""
    stones = single(0) & ~single(0)
    ashore = outside = straight = 0
    for stone in range(STONES):
        spot = state.stone[seat, stone]
        outside += spot != HOME
        straight += distance(state, seat, spot)
        if spot == ISLAND:
            ashore += 1
        elif spot != HOME:
            stones = stones | single(spot)
    total, worst = ways_home(state, seat, stones, ashore)
    moves, homes = useful_rolls(state, seat)
    steps = weights[STRAIGHT] * straight + weights[DETOUR] * (total - straight)
    steps += weights[LACKING] * worst
    result = _TENS * steps + weights[OUTSIDE] * outside + weights[ASHORE] * ashore
    result += weights[MISSING] * ((worst + JETTY - 1) // JETTY)
    result += weights[MOVING_ROLLS] * moves + weights[HOME_ROLLS] * homes
    if seat == following:
        result += weights[IN_TURN]
    return result  # type: ignore[no-any-return]


@kernel
def win_chance(strengths: Any, players: int, seat: int) -> float:
    """The chance of a seat to win."""
    total = 0.0
    for other in range(players):
        total += exp(strengths[other] - strengths[seat])
    return 1.0 / total
