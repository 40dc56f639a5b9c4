"""Batches of playouts release the GIL."""

import threading
import time

import numba
import pytest

from threespan.core.playout import playouts
from threespan.core.random_play import play_at_random
from threespan.core.registry import find_game


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="only compiled code releases the GIL")
def test_playouts_release_the_gil() -> None:
    game = find_game("hashi")
    states = game.layout.batch(1)
    states[:] = game.start(game.options(players=1)).state
    playouts(states, 1)
    wakeups = 0
    is_done = threading.Event()

    def wake_up() -> None:
        nonlocal wakeups
        while not is_done.is_set():
            time.sleep(0.002)
            wakeups += 1

    sleeper = threading.Thread(target=wake_up)
    sleeper.start()
    start = time.perf_counter()
    playouts(states, 150_000, threads=1)  # one kernel call, a few hundred milliseconds
    seconds = time.perf_counter() - start
    is_done.set()
    sleeper.join()
    assert wakeups > 20 * seconds  # if the GIL were held, there would be one or two in total
    assert seconds > 0.1


def test_the_batch_is_left_alone() -> None:
    game = find_game("hashi")
    states = game.layout.batch(3)
    states[:] = game.start(game.options(players=2)).state
    before = states.tobytes()
    result = playouts(states, 2)
    assert states.tobytes() == before
    assert result.scores.shape == (3, 2, 4)


@pytest.mark.kernels
@pytest.mark.parametrize(
    ("code", "totals", "actions"),
    [("hashi", [386, 381, 0, 0], 1788), ("stege", [1, 1, 0, 0], 28084), ("elfer", [-339, -198, 0, 0], 2830)],
)
def test_random_matches_are_the_same_however_kernels_run(code: str, totals: list[int], actions: int) -> None:
    """Stands for all three ways in which these tests run: uncompiled, NumPy would compute with 16 bits."""
    game = find_game(code)
    assert play_at_random(game.start(game.options(players=2)), 20, seed=7) == (totals, actions)
