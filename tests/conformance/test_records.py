"""Golden records: matches of earlier days must replay forever."""

import pytest

from conformance.helpers import GOLDEN
from threespan.core.game import Game
from threespan.core.record import load_record, verify


def test_golden_records_replay(game: Game) -> None:
    files = sorted((GOLDEN / game.code).glob("*.jsonl"))
    if not files and not type(game).__module__.startswith("threespan."):
        pytest.skip("a game from elsewhere keeps its own records")
    assert files, f"tests/golden/{game.code} has no records"
    for file in files:
        verify(load_record(file))
