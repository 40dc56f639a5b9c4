"""The bots of Stege: what they make of a position, and that each level beats weaker play."""

import numba
import pytest

from bots.matches import Player, winners
from stege.drawing import drawn
from threespan.bots.bot import Bot, Budget, RandomBot
from threespan.bots.levels import level_bots
from threespan.bots.search import search
from threespan.bots.stege.levels import STYLE
from threespan.bots.stege.ways import WATER_STEP, toil, way_home
from threespan.core.layout import State
from threespan.core.options import read_options
from threespan.games.stege.fields import has
from threespan.games.stege.game import GAME
from threespan.games.stege.state import HOME, ISLAND, WIDTH, Step
from threespan.games.stege.stones import target

compiled_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="a search takes too long uncompiled")

WAY = """
 # # . . . . . . . # #
 # # < - >a^ . . . # #
 . . . . . | . . . . .
 . . . . . v . < - > .
"""

DOOR_OF_THE_OTHER = """
 # # < - > . . . . # #
 # # . . . . . . . # #
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 . . . . . . . . . . .
 # # . . . . . . . # #
 # # < - >D< - > . # #
"""


def level(name: str) -> Player:
    bots: list[Bot] = [RandomBot(), *level_bots()]
    bot = next(bot for bot in bots if bot.name == name)
    return lambda seen, seat, seed: bot.decide(seen, seat, bot.budget, seed)


def cheapest_way(state: State, seat: int, spot: int) -> int:
    """The cheapest way home by definition: the price of every field entered, and 1 for the island."""
    fields = [field for field in range(16 * WIDTH) if has(state.water, field)]
    price = {field: 1 if has(state.planks, field) else WATER_STEP for field in fields}
    cost = {field: 1 if has(state.shore[target(state, seat)], field) else 10**6 for field in fields}
    for _ in range(2 * WIDTH):
        for field in fields:
            near = [f for f in (field - 1, field + 1, field - WIDTH, field + WIDTH) if f in cost]
            cost[field] = min(cost[field], *(price[f] + cost[f] for f in near))
    if spot == ISLAND:
        start = state.shore[state.corner[seat]]
        return min(price[field] + cost[field] for field in fields if has(start, field))
    return cost[spot]


def test_ways_are_the_cheapest() -> None:
    state = drawn(WAY, die=3).state
    for seat in range(2):
        for spot in (ISLAND, 18, 20, 37, 53, 68, 90, 165):
            assert way_home(state, seat, spot) == cheapest_way(state, seat, spot)
    assert way_home(state, 0, HOME) == 0


def test_jetties_on_the_way_and_stones_at_home_spare_toil() -> None:
    without = drawn(WAY.replace("< - > .", ". . . ."), die=3)
    assert toil(drawn(WAY, die=3).state, 0) < toil(without.state, 0)
    assert toil(drawn(WAY, die=3, home="b").state, 0) < toil(drawn(WAY, die=3).state, 0)


@compiled_only
def test_takes_the_last_jetty_away_from_under_the_nose() -> None:
    position = drawn(DOOR_OF_THE_OTHER, die=1, step=Step.JETTY, home="ABC")
    decision = search(position.observe(0), 0, Budget(simulations=1000), 1, STYLE)
    assert GAME.action_text(position.state, decision.action) == "take 11,3 across"
    assert len(decision.line) >= 2  # it knows where to lay it


@compiled_only
@pytest.mark.parametrize(
    ("better", "worse", "matches", "wanted"),
    [
        ("beginner", "random", 10, 10),
        ("medium", "random", 10, 10),
        ("easy", "beginner", 40, 24),
        ("medium", "easy", 40, 22),
    ],
)
def test_levels_rise(better: str, worse: str, matches: int, wanted: int) -> None:
    options = read_options(GAME.options, {"players": 2})
    players = [level(better), level(worse)]
    wins = 0
    for index in range(matches):
        seated = players if index % 2 == 0 else players[::-1]
        wins += winners(GAME, options, seated, index // 2) == [index % 2]
    assert wins >= wanted
