"""The referee judges as the oracle does; the whole comparison is bench/hashi/referee.py."""

import pytest

from hashi.free_matches import Duel, any_lawful_turn
from threespan.core.kernel import IS_UNCOMPILED

MATCHES = 8 if IS_UNCOMPILED else 30


@pytest.mark.kernels
def test_the_referee_agrees_with_the_oracle() -> None:
    duels = [Duel(seed, any_lawful_turn, thoroughness=0.03) for seed in range(MATCHES)]
    for duel in duels:
        duel.run()
    assert sum(duel.mistakes for duel in duels) > 100
    assert sum(duel.erased for duel in duels) > 50
    assert sum(len(board.struck) for duel in duels for board in duel.judge.boards) > 30
