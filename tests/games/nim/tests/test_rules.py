"""Tests of every clause, in positions written as text."""

import pytest

from nim.game import GAME
from nim.rules import Rule
from threespan.core.game import IllegalAction, Position
from threespan.core.options import read_options


def position(text: str) -> Position:
    return Position.from_text(GAME, read_options(GAME.options, {}), f"players=2 limit=5 filled=3 {text}")


def play(match: Position, seat: int, text: str) -> None:
    match.play(seat, GAME.parse_action(match.state, text))


@pytest.mark.parametrize(
    ("seat", "text", "rule"),
    [(1, "take 1 from 1", Rule.NOT_NOW), (0, "take 3 from 1", Rule.TOO_MANY), (0, "take 1 from 2", Rule.TOO_MANY)],
)
def test_refusals(seat: int, text: str, rule: Rule) -> None:
    with pytest.raises(IllegalAction) as refused:
        play(position("heap=2 last=-1,"), seat, text)
    assert refused.value.rule == rule


def test_the_last_stone_wins() -> None:
    match = position("heap=2 last=-1,")
    play(match, 0, "take 1 from 1")
    assert match.outcome()[1] == [1, 1]
    play(match, 1, "take 1 from 1")
    assert match.is_over
    assert match.outcome() == ([0, 1], [2, 1])
    assert [list(match.score_sheet(seat)) for seat in (0, 1)] == [[], [(Rule.LAST_STONE, 1)]]
