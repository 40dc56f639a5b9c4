"""The best possible score is asked of a game's own solver, if it has one."""

from pathlib import Path

import pytest

from bots.external_games import register
from threespan.core.chance import MatchSeed
from threespan.core.match import Match
from threespan.core.options import read_options
from threespan.core.registry import find_game
from threespan.review.best import best_possible

SOLVER = """
from types import SimpleNamespace

def best_possible(match, seconds):
    return SimpleNamespace(score=int(seconds), bound=9, is_proved=False)
"""


def match_of(code: str, players: int) -> Match:
    game = find_game(code)
    return Match.new(game, read_options(game.options, {"players": players}), MatchSeed.of("best"))


def test_the_solver_of_a_game_is_asked() -> None:
    best = best_possible(match_of("hashi", 1), 0.0)
    assert best is not None
    assert 0 <= best.score < best.bound == 60
    assert not best.is_proved


def test_where_nothing_can_tell_there_is_none() -> None:
    assert best_possible(match_of("hashi", 2), 1.0) is None
    assert best_possible(match_of("stege", 2), 1.0) is None
    assert best_possible(match_of("nim", 2), 1.0) is None


def test_a_game_from_elsewhere_brings_its_solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = match_of("nim", 2)
    register(monkeypatch, tmp_path, "solved", {"review/solver.py": SOLVER})
    monkeypatch.setattr(type(match.game), "code", "solved")
    best = best_possible(match, 3.0)
    assert best is not None
    assert (best.score, best.bound) == (3, 9)
