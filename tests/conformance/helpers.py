"""Random matches for the conformance suite."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np

from threespan.core.chance import MatchSeed
from threespan.core.game import Game, Position
from threespan.core.kernel import kernel
from threespan.core.match import Match
from threespan.core.options import Options, read_options
from threespan.core.rules import CHANCE, LEGAL, check

GOLDEN = Path(__file__).parents[1] / "golden"


def variants(game: Game) -> list[Options]:
    """Every player count with all else at its default, then every value of every other option once."""
    choices = game.choices()
    low, high = min(choices["players"]), max(choices["players"])
    settings: list[dict[str, Any]] = [{"players": players} for players in range(low, high + 1)]
    for name, values in choices.items():
        if name != "players":
            settings += [{"players": max(low, 2), name: value} for value in values]
    return [read_options(game.options, setting) for setting in settings]


def random_match(game: Game, options: Options, seed: int, stop_after: int = 10**9) -> Iterator[Match]:
    """A match by random players: the same object before every action and once more at the end."""
    chooser = random.Random(seed)
    match = Match(game.start(options), MatchSeed.of(f"conformance {seed}"), ["x"] * options.players)
    while not match.position.is_over and len(match.events) < stop_after:
        yield match
        seat = chooser.choice(match.position.acting())
        match.append(seat, match.chance_action() if seat == CHANCE else chooser.choice(match.position.legal(seat)))
    yield match


def some_positions(game: Game, options: Options, seed: int, count: int) -> list[Position]:
    """Positions of a random match, spread evenly from its start to its end."""
    stop_after = 150 if numba.config.DISABLE_JIT else 10**9  # uncompiled, a whole match takes too long
    positions = [match.position.copy() for match in random_match(game, options, seed, stop_after)]
    return positions[:: max(1, len(positions) // count)]


@kernel
def all_checks(state: Any, seat: int, answers: Any) -> None:
    """What `check` says of every action there is."""
    for action in range(len(answers)):
        answers[action] = check(state, seat, action)


def lawful(position: Position, seat: int) -> list[int]:
    """The legal actions by definition."""
    answers = np.full(position.game.actions, -1, np.int64)
    all_checks(position.state, seat, answers)
    return [int(action) for action in np.flatnonzero(answers == LEGAL)]
