"""Bots only decide for acting seats; for others, kernels would read invalid memory."""

from functools import partial
from typing import Any

import pytest

from threespan.bots.bot import Budget
from threespan.bots.levels import find_bot
from threespan.bots.search import SearchStyle, choose_by_rating, search
from threespan.core.arguments import ArgumentError
from threespan.core.chance import MatchSeed
from threespan.core.match import Match
from threespan.core.registry import codes, find_game
from threespan.core.rules import CHANCE


@pytest.mark.parametrize("code", codes())
def test_a_bot_decides_for_nobody_else(code: str) -> None:
    game = find_game(code)
    match = Match.new(game, game.options(players=2), MatchSeed.of("asked"))
    seat = match.position.acting()[0]
    seen = match.position.observe(seat)
    for other in (-1, 2, 3, CHANCE, 99):
        for decide in (
            partial(find_bot("random").choose, seen, other, 0),
            partial(find_bot("beginner").choose, seen, other, 0),
            partial(search, seen, other, Budget(simulations=1), 0, SearchStyle(guided=False)),
            partial(choose_by_rating, seen, other, 0.0, 0),
        ):
            with pytest.raises(ArgumentError, match=f"seat {other} has nothing to decide now"):
                decide()


@pytest.mark.parametrize("seat", [None, 0.0, "0", [0], float("nan")])
def test_a_seat_is_a_whole_number(seat: Any) -> None:
    game = find_game("hashi")
    seen = game.start(game.options(players=2)).observe(0)
    for decide in (find_bot("random").choose, find_bot("medium").choose, partial(choose_by_rating, overlooked=0.0)):
        with pytest.raises(ArgumentError, match="seat: a whole number is needed"):
            decide(seen, seat, seed=0)


BAD_BUDGETS: list[dict[str, Any]] = [
    *({"simulations": wrong} for wrong in (0, -1, 1.5, "8", float("nan"))),
    *({"seconds": wrong} for wrong in (-0.1, float("nan"), "1", [1])),
    *({"threads": wrong} for wrong in (0, -1, 1.0, None)),
]


@pytest.mark.parametrize("values", BAD_BUDGETS, ids=str)
def test_an_invalid_budget_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match=f"^{next(iter(values))}: "):
        Budget(**values)
