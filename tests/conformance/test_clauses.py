"""Every clause of every game is seen at work by some test of the whole run."""

from enum import IntEnum

import pytest

from threespan.core.game import Game


@pytest.mark.ledger
def test_every_clause_is_seen_by_some_test(game: Game, clauses_seen: set[IntEnum]) -> None:
    missing = [rule.name for rule in game.rule if rule not in clauses_seen]
    assert missing == []
