"""Compiled, uncompiled and bounds-checked kernels do the same."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from conformance.helpers import random_match, variants
from threespan.core.game import Game
from threespan.core.registry import find_game

MODES = {"uncompiled": {"NUMBA_DISABLE_JIT": "1"}, "bounds-checked": {"NUMBA_BOUNDSCHECK": "1"}}


def digest_of_play(game: Game) -> str:
    """What happens in a few random matches: every choice, every position, every observation, every outcome."""
    digest = hashlib.sha256()
    for seed, options in enumerate(variants(game)):
        for match in random_match(game, options, seed, stop_after=120):
            position = match.position
            parts = [position.text(), str([position.legal(seat) for seat in position.acting()])]
            parts += [str(position.outcome())]
            if len(match.events) % 40 == 0:
                seen = [position.observe(seat) for seat in position.seats]
                parts += [view.imagine(seat, seed).text() for seat, view in enumerate(seen)]
                parts += [view.text() for view in seen]
            digest.update("\n".join(parts).encode())
    return digest.hexdigest()


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT) or bool(numba.config.BOUNDSCHECK), reason="compares with compiled")
@pytest.mark.parametrize("mode", MODES)
def test_the_modes_agree(game: Game, mode: str) -> None:
    tests = Path(__file__).parents[1]
    environment = os.environ | MODES[mode] | {"PYTHONPATH": f"{tests}{os.pathsep}{tests / 'games'}"}
    command = [sys.executable, "-m", "conformance.test_modes", game.code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == digest_of_play(game)


if __name__ == "__main__":
    print(digest_of_play(find_game(sys.argv[1])))
