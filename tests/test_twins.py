"""The C twins play the same matches bit for bit, so a comparison of speed compares the same work."""

from itertools import product

import numba
import numpy as np
import pytest

from threespan.bench import NoTwin, Twin
from threespan.core.game import Game
from threespan.core.options import Options, Value, read_options
from threespan.core.playout import playouts
from threespan.core.registry import codes, find_game
from threespan.testing.matches import variants

SEEDS = 10_000
TWINS = [code for code in codes() if code in ("elfer", "hashi", "stege")]


def check_matches(game: Game, twin: Twin, options: Options, repeats: int, seed: int) -> None:
    states = game.layout.batch(1)
    states[:] = game.start(options).state
    ours, theirs = playouts(states, repeats, seed, threads=1), twin.play_many(states[0], repeats, seed)
    assert np.array_equal(ours.scores[0], theirs.scores), options
    assert np.array_equal(ours.ranks[0], theirs.ranks), options
    assert ours.actions == theirs.actions, options


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="compares compiled code")
@pytest.mark.parametrize("code", TWINS)
def test_kernels_and_c_play_the_same_matches(code: str) -> None:
    game = find_game(code)
    twin = Twin(game)
    for number, options in enumerate(variants(game)):
        check_matches(game, twin, options, SEEDS if number == 0 else SEEDS // 20, number)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="compares compiled code")
@pytest.mark.parametrize("code", TWINS)
def test_kernels_and_c_agree_on_all_house_rules_together(code: str) -> None:
    game = find_game(code)
    twin = Twin(game)
    for number, options in enumerate(house_rules_of(game)):
        check_matches(game, twin, options, SEEDS // 50, number)


def house_rules_of(game: Game) -> list[Options]:
    """Every number of players with every combination of house rules that have an effect, and what they need."""
    specs = [spec for spec in game.option_specs() if spec.is_house_rule]
    needed = {name: values[0] for spec in specs for name, values in spec.only_with.items() if name != "players"}
    found = []
    for players in game.seat_counts:
        usual: dict[str, Value] = {"players": players, **needed}
        choices = [[(spec.name, value) for value in spec.all_values(usual)] for spec in specs]
        found += [read_options(game.options, usual | dict(chosen)) for chosen in product(*choices)]
    return found


def test_a_game_without_a_twin_is_measured_without_one() -> None:
    class Twinless(type(find_game("hashi"))):  # type: ignore[misc]
        code = "twinless"

    with pytest.raises(NoTwin, match="no C twin"):
        Twin(Twinless())
