"""The libraries of linked kernels that several tests need."""

import os
import subprocess
import sys
from pathlib import Path

from threespan.core.libraries import GAMES_VARIABLE, LIBRARY_VARIABLE, cache_of_libraries

GAMES = Path(__file__).parent / "games"

# Plays random matches of every game and prints a hash of everything that players would see, and the loaded modules.
PLAY = """
import hashlib, random, sys
import msgspec
from threespan.core.chance import MatchSeed
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.registry import codes, find_game
from threespan.core.rules import WATCHER

for code in codes():
    game, digest = find_game(code), hashlib.sha256()
    for players in (2, 3, 4):
        match = Match.new(game, read_options(game.options, {"players": players}), MatchSeed.of(code))
        choose = random.Random(players).choice
        while not match.position.is_over:
            seat = match.position.acting()[0]
            action = choose(match.position.legal(seat))
            for viewer in (WATCHER, seat):
                seen = match.position.observe(viewer)
                digest.update(seen.state.tobytes() + msgspec.json.encode(game.view(seen.state, viewer)))
            digest.update(repr(game.path(seen.state, seat, action)).encode())
            digest.update(game.prompt(seen.state, seat, "de").encode())
            digest.update(bytes(int(match.position.check(seat, other)) for other in range(0, game.action_count, 7)))
            digest.update(bytes(game.sees(seen.state, seat, action, viewer) for viewer in range(players)))
            match.play(seat, action)
        sheets = [[(rule.name, points) for rule, points in match.position.score_sheet(seat)] for seat in range(players)]
        said = [game.verdict(match.position.state, seat, "en") for seat in range(players)]
        digest.update(repr((match.position.outcome(), sheets, said)).encode())
    solo = read_options(game.options, {"players": 1}) if code == "hashi" else None
    print(code, digest.hexdigest(), solo and game.start(solo).outcome())
print([name for name in ("numba", "llvmlite", "numpy") if name in sys.modules])
"""


def without_games() -> dict[str, str]:
    """The environment without the games of the tests and without a choice of libraries."""
    return {name: value for name, value in os.environ.items() if name not in (GAMES_VARIABLE, LIBRARY_VARIABLE)}


def link_libraries() -> str:
    """The folder of the libraries for these sources and the games of the tests, linked if they are missing."""
    command = [sys.executable, "-m", "threespan.core.linking"]
    subprocess.run(command, env=os.environ | {"PYTHONPATH": str(GAMES)}, check=True)
    return str(cache_of_libraries())
