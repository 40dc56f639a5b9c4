"""A complete test run exercises every clause of every game."""

import pytest

from conftest import clause_name
from threespan.core.registry import codes, find_game


@pytest.mark.ledger
@pytest.mark.parametrize("code", codes())
def test_every_clause_is_seen_by_some_test(code: str, clauses_seen: set[str]) -> None:
    missing = [rule.name for rule in find_game(code).rule_enum if clause_name(rule) not in clauses_seen]
    assert missing == []
