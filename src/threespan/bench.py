"""The speed of the kernels compared with C: `threespan bench`.

Kernels and the C twin are measured alternately in one run, after a warm-up, and compared as ratios: absolute figures
depend on the machine, ratios on the code.
"""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from threespan.bots.bot import Budget
from threespan.core.chance import MatchSeed
from threespan.core.game import Game
from threespan.core.kernel import IS_LINKED
from threespan.core.libraries import LIBRARY_VARIABLE, cache_of_libraries
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.random_play import play_at_random
from threespan.core.registry import find_game
from threespan.core.rules import MAX_SEATS

_ROUNDS = 9
_SECONDS_PER_ROUND = 0.5
_PACKAGE = Path(__file__).resolve().parent


class NoTwin(RuntimeError):
    """There is no C twin to compare with."""


def measure(code: str) -> dict[str, Any]:
    """The figures of one game, as `threespan bench --json` prints them."""
    from threespan.core.playout import playouts

    game = find_game(code)
    states = bench_states(game)
    load_s = first_playout_seconds(states)
    compile_s = fresh_compile_seconds(code)

    def run_kernels(repeats: int, seed: int) -> int:
        return playouts(states, repeats, seed, threads=1).actions

    figures: dict[str, Any] = {"compile_s": round(compile_s, 2), "load_s": round(load_s, 2)}
    try:
        twin = Twin(game)
    except NoTwin as missing:
        print(f"{code}: {missing}", file=sys.stderr)
        rates = alternate([run_kernels])
        figures["c_ratio"] = figures["linked_c_ratio"] = None
    else:
        rates = alternate([run_kernels, lambda repeats, seed: twin.play_many(states[0], repeats, seed).actions])
        figures["c_ratio"] = round(median(ours[0] / theirs[0] for ours, theirs in zip(*rates, strict=True)), 3)
        figures["c_playouts_per_s"] = round(median(rate[0] for rate in rates[1]))
        figures["linked_c_ratio"] = round(linked_c_ratio(code), 3)
    figures["playouts_per_s"] = round(median(rate[0] for rate in rates[0]))
    figures["actions_per_s"] = round(median(rate[1] for rate in rates[0]))
    figures["all_cores_playouts_per_s"] = round(all_cores_rate(states))
    figures["search_sims_per_s"] = round(search_rate(game))
    return figures


def bench_options(game: Game) -> Any:
    """The options for measurements: the lowest number of players, and defaults."""
    return read_options(game.options, {"players": game.seat_counts[0]})


def bench_states(game: Game) -> Any:
    """A batch with the start state."""
    states = game.layout.batch(1)
    states[:] = game.start(bench_options(game)).state
    return states


def first_playout_seconds(states: Any) -> float:
    """The time of the first playout of this process, including compilation or loading."""
    from threespan.core.playout import playouts

    start = time.perf_counter()
    playouts(states, 1, threads=1)
    return time.perf_counter() - start


def alternate(contestants: list[Callable[[int, int], int]]) -> list[list[tuple[float, float]]]:
    """Playouts and actions per second of each contestant, measured in turns, so that noise affects all alike."""
    repeats = []
    for contestant in contestants:
        contestant(200, 0)
        start = time.perf_counter()
        contestant(1000, 0)
        repeats.append(max(1000, int(1000 * _SECONDS_PER_ROUND / (time.perf_counter() - start))))
    rates: list[list[tuple[float, float]]] = [[] for _ in contestants]
    for seed in range(_ROUNDS):
        for contestant, count, rate in zip(contestants, repeats, rates, strict=True):
            start = time.perf_counter()
            actions = contestant(count, seed)
            seconds = time.perf_counter() - start
            rate.append((count / seconds, actions / seconds))
    return rates


def all_cores_rate(states: Any) -> float:
    """Playouts per second with one thread per core."""
    from threespan.core.playout import playouts

    cores = os.cpu_count() or 1
    many = np.repeat(states, cores).view(np.recarray)
    playouts(many, 100)
    start = time.perf_counter()
    playouts(many, 100)
    repeats = max(100, int(100 * 2 * _SECONDS_PER_ROUND / (time.perf_counter() - start)))
    start = time.perf_counter()
    playouts(many, repeats)
    return cores * repeats / (time.perf_counter() - start)


def search_rate(game: Game) -> float:
    """Simulations per second of a search on one core, at the first decision with a choice."""
    from threespan.bots.search import SearchStyle, search

    match = Match.new(game, bench_options(game), MatchSeed.of("bench"))
    while len(actions := match.position.legal(seat := match.position.acting()[0])) == 1:
        match.play(seat, actions[0])
    seen = match.position.observe(seat)
    search(seen, seat, Budget(simulations=200), 0, SearchStyle())
    start = time.perf_counter()
    decision = search(seen, seat, Budget(seconds=2 * _SECONDS_PER_ROUND, simulations=10**6), 0, SearchStyle())
    return decision.simulations / (time.perf_counter() - start)


def fresh_compile_seconds(code: str) -> float:
    """The time of the first playout with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        return _in_another_process(code, THREESPAN_CACHE=folder)


def linked_c_ratio(code: str) -> float:
    """The speed of random matches from the library of linked kernels, compared with the C twin."""
    subprocess.run([sys.executable, "-m", "threespan.core.linking"], check=True)
    return _in_another_process(code, **{LIBRARY_VARIABLE: str(cache_of_libraries())})


def _in_another_process(code: str, **variables: str) -> float:
    """What this module prints when it is run with a game and some variables."""
    command = [sys.executable, "-m", "threespan.bench", code]
    done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=True)
    return float(done.stdout)


def _measured_here(code: str) -> float:
    """The seconds of the first playout or, with linked kernels, their speed compared with C."""
    game = find_game(code)
    if not IS_LINKED:
        return first_playout_seconds(bench_states(game))
    position, twin = game.start(bench_options(game)), Twin(game)
    ours, theirs = alternate(
        [
            lambda repeats, seed: play_at_random(position, repeats, seed).actions,
            lambda repeats, seed: twin.play_many(position.state, repeats, seed).actions,
        ]
    )
    return median(linked[0] / in_c[0] for linked, in_c in zip(ours, theirs, strict=True))


class TwinResult:
    """The results of a twin's playouts."""

    def __init__(self, repeats: int) -> None:
        """Allocate memory for the results."""
        self.scores = np.zeros((repeats, MAX_SEATS), np.int32)
        self.ranks = np.zeros((repeats, MAX_SEATS), np.int32)
        self.actions = 0


class Twin:
    """A game's random playout in C, compiled when needed."""

    def __init__(self, game: Game) -> None:
        """Compile the twin of a game with gcc; raises NoTwin."""
        source = twin_folder() / f"{game.code}.c"
        if not source.exists():
            raise NoTwin("there is no C twin")
        if shutil.which("gcc") is None:
            raise NoTwin("gcc is not installed, so there is no comparison with C")
        with tempfile.TemporaryDirectory() as folder:
            header, library = Path(folder) / "state.h", Path(folder) / "twin.so"
            header.write_text("#pragma once\n#include <stdint.h>\n" + game.layout.c_struct("State"))
            command = ["gcc", "-O3", "-march=native", "-std=c17", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
            command += ["-I", folder, "-I", str(source.parent), str(source), "-o", str(library)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise NoTwin(done.stderr)
            self._play_many = ctypes.CDLL(str(library)).play_many
        self._play_many.restype = ctypes.c_int64
        self._play_many.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_void_p]

    def play_many(self, state: Any, repeats: int, seed: int) -> TwinResult:
        """Play a state at random, `repeats` times."""
        result = TwinResult(repeats)
        memory = ctypes.create_string_buffer(state.tobytes())
        result.actions = self._play_many(memory, repeats, seed, result.scores.ctypes.data, result.ranks.ctypes.data)
        return result


def twin_folder() -> Path:
    """The folder of the C sources: in an installed package, or in the repository."""
    installed = _PACKAGE / "twins"
    return installed if installed.exists() else _PACKAGE.parents[1] / "bench" / "twins"


if __name__ == "__main__":
    print(_measured_here(sys.argv[1]))
