"""Small tournaments and artificial results."""

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from threespan.arena.play import PlayedMatch, Result, play_match
from threespan.arena.tournament import Tournament

Outcome = tuple[tuple[Any, ...], ...]


def outcomes(played: Iterable[PlayedMatch]) -> list[Outcome]:
    """Everything about matches except times, in order."""
    return sorted((*timeless(match.result), match.record) for match in played)


def timeless(result: Result) -> tuple[Any, ...]:
    """Everything about a result except times."""
    return msgspec.structs.astuple(msgspec.structs.replace(result, thinking=(), slowest=()))


def tournament_of(bots: list[str], players: int, games: int = 10, game: str = "hashi", seed: int = 0) -> Tournament:
    """A tournament of bots that need not exist."""
    plain = Tournament.of(game, {"players": players}, ["random"] * players, seed, games)
    return Tournament(game, plain.options, plain.material, tuple(bots), seed, games, plain.code)


@pytest.fixture(scope="session")
def solo() -> Tournament:
    """A short tournament of one bot."""
    return Tournament.of("hashi", {}, ["random"], 3, 12)


@pytest.fixture(scope="session")
def solo_outcomes(solo: Tournament) -> list[Outcome]:
    """Its results."""
    return outcomes(play_match(solo, index) for index in solo.indices())


def made_up(tournament: Tournament, index: int, scores: dict[int, int], **changes: Any) -> Result:
    """The result of a match with given scores."""
    fixture = tournament.fixture(index)
    by_seat = tuple(scores[bot] for bot in fixture.bots)
    result = Result(
        index=index,
        deal=fixture.deal,
        bots=fixture.bots,
        scores=by_seat,
        ranks=tuple(1 + sum(other > score for other in by_seat) for score in by_seat),
        decisions=tuple(10 + seat for seat in range(len(by_seat))),
        thinking=tuple(1.0 for _ in by_seat),
        slowest=tuple(0.5 for _ in by_seat),
        starter=None,
    )
    return msgspec.structs.replace(result, **changes)
