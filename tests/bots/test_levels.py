"""Bots are found by name; a budget after the name replaces the bot's own."""

import pytest

from bots.matches import positions_to_decide
from threespan.bots.bot import Budget
from threespan.bots.levels import UnknownBot, find_bot
from threespan.bots.names import bot_names
from threespan.core.registry import find_game


@pytest.mark.parametrize("name", bot_names())
def test_every_bot_is_found_by_its_name(name: str) -> None:
    assert find_bot(name).name == name


@pytest.mark.parametrize(
    ("name", "budget"),
    [
        ("expert@50ms", Budget(seconds=0.05)),
        ("hard@1.5s", Budget(seconds=1.5)),
        ("medium@400", Budget(simulations=400)),
    ],
)
def test_a_budget_can_be_part_of_the_name(name: str, budget: Budget) -> None:
    bot = find_bot(name)
    assert bot.name == name
    assert bot.budget == budget


@pytest.mark.parametrize("name", ["expert@", "expert@soon", "expert@0", "expert@-1s", "expert@1h", "expert@1.5"])
def test_an_invalid_budget_is_refused(name: str) -> None:
    with pytest.raises(UnknownBot, match="is not a budget; write for example @50ms"):
        find_bot(name)


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(UnknownBot, match="there is no bot 'genius'; choose one of random, beginner"):
        find_bot("genius@2s")


def test_the_budget_is_respected() -> None:
    game = find_game("stege")
    seen, seat = next(positions_to_decide(game, game.options(players=2), 0, 1))
    few, more = (find_bot(f"expert@{simulations}") for simulations in (20, 70))
    # Bots that compare candidates on the same samples may exceed the budget a little, to treat all alike.
    assert 20 <= few.decide(seen, seat, few.budget, 1).simulations < 70
    assert 70 <= more.decide(seen, seat, more.budget, 1).simulations < 140
    assert more.choose(seen, seat, 1) == more.decide(seen, seat, more.budget, 1).action
