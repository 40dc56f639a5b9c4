"""The C twins play the same matches bit for bit, so a comparison of speed compares the same work."""

import numba
import numpy as np
import pytest

from conformance.helpers import variants
from threespan.bench import NoTwin, Twin
from threespan.core.playout import playouts
from threespan.core.registry import codes, find_game

SEEDS = 10_000


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="compares compiled code")
@pytest.mark.parametrize("code", [code for code in codes() if code in ("elfer", "hashi", "stege")])
def test_kernels_and_c_play_the_same_matches(code: str) -> None:
    game = find_game(code)
    twin = Twin(game)
    for number, options in enumerate(variants(game)):
        states = game.layout.batch(1)
        states[:] = game.start(options).state
        repeats = SEEDS if number == 0 else SEEDS // 20
        ours, theirs = playouts(states, repeats, number, threads=1), twin.play_many(states[0], repeats, number)
        assert np.array_equal(ours.scores[0], theirs.scores)
        assert np.array_equal(ours.ranks[0], theirs.ranks)
        assert ours.actions == theirs.actions


def test_a_game_without_a_twin_is_measured_without_one() -> None:
    class Twinless(type(find_game("hashi"))):  # type: ignore[misc]
        code = "twinless"

    with pytest.raises(NoTwin, match="no C twin"):
        Twin(Twinless())
