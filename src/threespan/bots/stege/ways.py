"""How far the stones of Stege have to go, and how much of the way is missing as the jetties lie."""

from threespan.core.kernel import called_kernel, kernel, lowest_bit
from threespan.core.layout import State
from threespan.games.stege.fields import beside
from threespan.games.stege.sets import Fields, is_empty, load, single, word_of
from threespan.games.stege.state import HOME, ISLAND, STONES, WORD_BITS, WORDS
from threespan.games.stege.stones import distance, distance_left, target

WATER_STEP = 2  # what a step over open water costs, on a jetty it is 1; the flood below has a queue of just that length
_FARTHEST = 200

# What a seat still has to do, in steps. Beside the plain distances it counts how much the worst way lacks, once, since
# a jetty laid for one stone serves them all: who won 250 matches of two players says 2 to 4 steps for that, and
# 3 to 5 for a stone outside. The part for all ways together is set by hand, to draw every stone along the jetties.
_LACKING = 2.5
_EXTRA = 0.2  # of all ways together
_OUTSIDE = 4.0  # for every stone not home: its last walk must fit exactly


@called_kernel
def toil(state: State, seat: int) -> float:
    """What a seat still has to do until all its stones are home, in steps."""
    nothing = single(0) & ~single(0)
    stones = nothing
    ashore = outside = 0
    for stone in range(STONES):
        spot = state.stone[seat, stone]
        outside += spot != HOME
        if spot == ISLAND:
            ashore += 1
        elif spot != HOME:
            stones = stones | single(spot)
    total, lacking = ways_home(state, seat, stones, ashore)
    straight = distance_left(state, seat)
    return straight + _EXTRA * (total - straight) + _LACKING * lacking + _OUTSIDE * outside


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
    """What the cheapest ways home cost stones on fields and on the start island; the most by which one is too long.

    A flood from the target: all fields at cost 1, 2, 3... in turn. Fields next to a jetty field cost 1 more than it,
    fields next to open water WATER_STEP more: the open fields wait for a round.
    """
    planks, unseen = load(state.planks), load(state.water)
    start = load(state.shore[state.corner[seat]])
    here = load(state.shore[target(state, seat)])
    waiting = here & ~here
    total = lacking = 0
    leaving = _FARTHEST
    for cost in range(1, _FARTHEST):
        unseen = unseen & ~here
        arrived = here & stones
        if not is_empty(arrived):
            stones = stones & ~arrived
            for index in range(WORDS):
                word = word_of(arrived, index)
                while word != 0:
                    total += cost
                    lacking = max(lacking, cost - distance(state, seat, index * WORD_BITS + lowest_bit(word)))
                    word &= word - 1
        if ashore > 0 and not is_empty(here & start):
            leaving = min(leaving, cost + (1 if not is_empty(here & start & planks) else WATER_STEP))
        if ashore > 0 and leaving <= cost + 1:
            total += ashore * leaving
            lacking = max(lacking, leaving - distance(state, seat, ISLAND))
            ashore = 0
        if ashore == 0 and is_empty(stones):
            break
        following = (beside(here & planks) | beside(waiting)) & unseen
        waiting = here & ~planks
        here = following
    return total, lacking
