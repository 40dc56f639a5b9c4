"""The bots of Elfer: what they make of a turn, and that each level beats weaker play."""

import numba
import pytest

from bots.matches import Player, winners
from elfer.drawing import drawn
from threespan.bots.bot import Bot, Budget, RandomBot
from threespan.bots.elfer.levels import STYLE
from threespan.bots.evaluation import rate
from threespan.bots.levels import level_bots
from threespan.bots.search import search
from threespan.core.options import read_options
from threespan.games.elfer.game import GAME
from threespan.games.elfer.state import Phase

compiled_only = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="a search takes too long uncompiled")

TWO_LAID = """
yellow  .   .   .   .   .   .   .   .   .   .   11  .   .   .   .   .   .   .   .   .
red     .   .   .   .   .   .   .   .   9*  10* 11  .   .   .   .   .   .   .   .   .
blue    .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
green   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
"""


def level(name: str) -> Player:
    bots: list[Bot] = [RandomBot(), *level_bots()]
    bot = next(bot for bot in bots if bot.name == name)
    return lambda seen, seat, seed: bot.decide(seen, seat, bot.budget, seed)


@compiled_only
def test_finds_the_turn_that_empties_the_rack() -> None:
    position = drawn(TWO_LAID, "red8 green1", "red2 blue4 blue5 green6 yellow2")
    while not position.is_over:
        assert position.acting() == [0]
        position.play(0, search(position.observe(0), 0, Budget(simulations=300), 1, STYLE).action)
    assert position.outcome()[1] == [1, 2]


def rating(text: str, phase: Phase = Phase.LAY) -> float:
    position = drawn(TWO_LAID, "red8 red12 red14 red15 yellow12 green1 green20 joker3", "blue2", phase=phase)
    return float(rate(position.state, 0, GAME.parse_action(position.state, text)))


def test_a_tile_that_opens_less_for_others_is_better_and_any_beats_stopping() -> None:
    # Both 12s open one field of a joker; red8 opens red7 and, over a bridge, yellow8.
    assert rating("lay red12") == rating("lay yellow12")
    assert rating("lay red8") < rating("lay red12")
    assert rating("lay red8") > rating("stop")


def test_the_tile_that_is_hardest_to_lay_is_handed_on() -> None:
    hands = ["hand red12", "hand red15", "hand green20", "hand green1", "hand joker3"]
    ratings = {text: rating(text, Phase.HAND) for text in hands}
    assert max(ratings, key=ratings.__getitem__) == "hand green20"
    assert ratings["hand red12"] < ratings["hand red15"]
    assert min(ratings.values()) > rating("keep", Phase.HAND)


@compiled_only
@pytest.mark.parametrize(("better", "worse"), [("easy", "random"), ("medium", "random")])
def test_levels_rise(better: str, worse: str) -> None:
    options = read_options(GAME.options, {"players": 2})
    players = [level(better), level(worse)]
    wins = 0
    for index in range(40):
        seated = players if index % 2 == 0 else players[::-1]
        wins += winners(GAME, options, seated, index // 2) == [index % 2]
    assert wins >= 24
