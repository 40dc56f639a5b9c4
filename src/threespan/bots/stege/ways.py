"""How far the stones of Stege have to go, and how much of the way is missing as the jetties lie."""

from typing import Any

from threespan.core.kernel import called_kernel, kernel, lowest_bit
from threespan.core.layout import State
from threespan.games.stege.fields import beside
from threespan.games.stege.sets import Fields, is_empty, load, single, word_of
from threespan.games.stege.state import HOME, ISLAND, STONES, WORD_BITS, WORDS
from threespan.games.stege.stones import distance, target

MAX_COST = 80  # more than any way home can cost: over open water it is twice the distance
WATER_STEP = 2  # what a step over open water costs, on a jetty it is 1; the flood below has a queue of just that length


@kernel
def way_home(state: State, seat: int, spot: int) -> int:
    """What the way home costs a stone on a spot."""
    if spot == HOME:
        return 0
    nothing = single(0) & ~single(0)
    if spot == ISLAND:
        return ways_home(state, seat, nothing, 1)[0]
    return ways_home(state, seat, single(spot), 0)[0]


@called_kernel
def ways_home(state: State, seat: int, stones: Fields, ashore: int) -> tuple[int, int]:
    """What the cheapest ways home cost stones, and the most that one of them costs beyond its straight way.

    The stones stand on fields or, `ashore` of them, on the start island. A flood from the target: all fields at cost
    1, 2, 3... in turn. Fields next to a jetty field cost 1 more than it, fields next to open water WATER_STEP more: the
    open fields wait for a round.
    """
    planks, unseen = load(state.planks), load(state.water)
    start = load(state.shore[state.corner[seat]])
    here = load(state.shore[target(state, seat)])
    waiting = here & ~here
    total = worst = 0
    leaving = MAX_COST
    for cost in range(1, MAX_COST):
        unseen = unseen & ~here
        arrived = here & stones
        if not is_empty(arrived):
            stones = stones & ~arrived
            for index in range(WORDS):
                word = word_of(arrived, index)
                while word != 0:
                    total += cost
                    lacking = cost - distance(state, seat, index * WORD_BITS + lowest_bit(word))
                    worst = max(worst, lacking)
                    word &= word - 1
        if ashore > 0 and not is_empty(here & start):
            leaving = min(leaving, cost + (1 if not is_empty(here & start & planks) else WATER_STEP))
        if ashore > 0 and leaving <= cost + 1:
            total += ashore * leaving
            lacking = leaving - distance(state, seat, ISLAND)
            worst = max(worst, lacking)
            ashore = 0
        if ashore == 0 and is_empty(stones):
            break
        following = (beside(here & planks) | beside(waiting)) & unseen
        waiting = here & ~planks
        here = following
    return total, worst


@called_kernel
def open_ways(state: State, seat: int, fields_by_cost: Any) -> Fields:
    """The open water on the cheapest ways home of all stones; `fields_by_cost` has room for MAX_COST sets.

    The flood of `ways_home` is kept by cost and then followed back from the stones.
    """
    planks, unseen = load(state.planks), load(state.water)
    here = load(state.shore[target(state, seat)])
    waiting = here & ~here
    last = 1
    for cost in range(1, MAX_COST):
        unseen = unseen & ~here
        for index in range(WORDS):
            fields_by_cost[cost, index] = word_of(here, index)
        if is_empty(here) and is_empty(waiting):
            break
        last = cost
        following = (beside(here & planks) | beside(waiting)) & unseen
        waiting = here & ~planks
        here = following
    return _followed_back(state, seat, fields_by_cost, last)


@kernel
def _followed_back(state: State, seat: int, fields_by_cost: Any, last: int) -> Fields:
    """The open fields on the ways from the stones back down the costs."""
    planks = load(state.planks)
    nothing = planks & ~planks
    stones = nothing
    is_ashore = False
    for stone in range(STONES):
        spot = state.stone[seat, stone]
        is_ashore |= spot == ISLAND
        if spot != HOME and spot != ISLAND:
            stones = stones | single(spot)
    landing = _landing(state, seat, fields_by_cost, last) if is_ashore else nothing
    found, here, before = nothing, nothing, nothing  # `before` is one cost higher
    for cost in range(last, 0, -1):
        level = load(fields_by_cost[cost])
        reached = level & (beside(here) & planks | beside(before) & ~planks | landing)
        found = found | reached
        before = here
        here = reached | level & stones
    return found & ~planks


@kernel
def _landing(state: State, seat: int, fields_by_cost: Any, last: int) -> Fields:
    """The fields at the start island on which the cheapest ways begin."""
    planks, start = load(state.planks), load(state.shore[state.corner[seat]])
    nothing = planks & ~planks
    landing, leaving = nothing, MAX_COST
    for cost in range(1, last + 1):
        level = load(fields_by_cost[cost]) & start
        for price in (1, WATER_STEP):
            fields = level & planks if price == 1 else level & ~planks
            if not is_empty(fields) and cost + price <= leaving:
                landing = fields if cost + price < leaving else landing | fields
                leaving = cost + price
    return landing
