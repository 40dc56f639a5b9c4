"""`threespan bench` gives every figure for every game."""

import numba
import pytest

import libraries
from threespan import bench
from threespan.core.registry import find_game

GAMES = ("elfer", "hashi", "stege")


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="measures compiled code")
@pytest.mark.parametrize("code", GAMES)
def test_all_figures_are_there(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_SECONDS_PER_ROUND", 0.02)
    monkeypatch.setattr(bench, "fresh_compile_seconds", lambda _: 1.0)
    monkeypatch.setenv("PYTHONPATH", str(libraries.GAMES))  # the games of the tests are linked, too
    figures = bench.measure(code)
    for key in ("playouts_per_s", "actions_per_s", "c_ratio", "linked_c_ratio", "search_sims_per_s", "compile_s"):
        assert figures[key] > 0, key
    assert figures["actions_per_s"] > figures["playouts_per_s"]


def test_the_rate_of_search_is_measured_on_a_real_decision() -> None:
    if numba.config.DISABLE_JIT:
        pytest.skip("measures compiled code")
    assert bench.search_rate(find_game("elfer")) > 100
