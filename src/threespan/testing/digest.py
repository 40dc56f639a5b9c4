"""Hashes of random play, to compare processes: `python -m threespan.testing.digest CODE play`."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator

import msgspec

from threespan.core.game import Game, Position
from threespan.core.match import Match
from threespan.core.picture import picture_of
from threespan.core.registry import find_game
from threespan.core.rules import WATCHER
from threespan.core.words import DEFAULT_LANGUAGE, LANGUAGES
from threespan.testing.matches import random_match, variants

_EVENTS = 120  # of each match


def digest_of_play(game: Game) -> str:
    """A hash of a few random matches: their choices, positions, observations and outcomes."""
    digest = hashlib.sha256()
    for seed, options in enumerate(variants(game)):
        for match in random_match(game, options, seed, _EVENTS):
            position = match.position
            parts = [position.text(), str([position.legal(seat) for seat in position.acting()])]
            parts += [str(position.outcome())]
            if len(match.events) % 40 == 0:
                seen = [position.observe(seat) for seat in position.seats]
                parts += [view.imagine(seat, seed).text() for seat, view in enumerate(seen)]
                parts += [view.text() for view in seen]
            digest.update("\n".join(parts).encode())
    return digest.hexdigest()


def digest_of_service(game: Game) -> str:
    """A hash of everything that servers and terminals call of a game in a few random matches."""
    digest = hashlib.sha256()
    for seed, options in enumerate(variants(game)):
        for match in random_match(game, options, seed, _EVENTS):
            for part in everything_shown(match):
                digest.update(repr(part).encode())
    return digest.hexdigest()


def everything_shown(match: Match) -> Iterator[object]:
    """The results of everything that a server calls of a game in one position."""
    position, game = match.position, match.game
    names = [f"name {seat}" for seat in position.seats]
    yield position.text(), position.acting(), position.outcome(), bool(game.reveals(position.state))
    yield msgspec.json.encode(game.scene(position.state, position.material))
    for seat in position.acting():
        for action in position.legal(seat)[:5]:
            text = game.action_text(position.state, action)
            yield text, game.role(text), [game.sentence(position.state, text, language) for language in LANGUAGES]
            yield [bool(game.sees(position.state, seat, action, viewer)) for viewer in (WATCHER, *position.seats)]
            yield game.path(position.state, seat, action) if seat in position.seats else []
    for viewer in (WATCHER, *position.seats):
        seen = position.observe(viewer).state
        yield msgspec.json.encode(game.view(seen, viewer))
        yield picture_of(game, seen, viewer, DEFAULT_LANGUAGE).plain
        for language in LANGUAGES:
            yield game.describe(seen, viewer, names, language)
            yield game.prompt(seen, viewer, language) if viewer in position.acting() else ""
    for seat in position.seats:
        yield list(position.score_sheet(seat)), [game.verdict(position.state, seat, "en")]
    if len(match.events) % 40 == 0:
        yield Position.from_text(game, position.options, position.text()).text()


DIGESTS = {"play": digest_of_play, "service": digest_of_service}


def digest_in_subprocess(code: str, kind: str, **environment: str) -> str:
    """A digest computed in a subprocess; raises AssertionError with its last line of output if it fails."""
    done = run_module(__name__, code, kind, **environment)
    assert done.returncode == 0, f"{code} cannot be played with {environment}: {last_line(done.stderr)}"
    return done.stdout.strip()


def run_module(module: str, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a module in a subprocess with the same import path."""
    own = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)} | environment
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, env=own, capture_output=True, text=True, check=False)


def last_line(text: str) -> str:
    """The last line of a text: in a traceback, the reason."""
    return (text.strip().splitlines() or ["no output"])[-1]


if __name__ == "__main__":
    print(DIGESTS[sys.argv[2]](find_game(sys.argv[1])))
