"""Stege for PettingZoo. Options of the game: `players` (2 to 4), `board`, `seating`, `jetties_each`, `starts`."""

from typing import Any

from threespan.research.pettingzoo.aec import SeatByTurn, wrapped
from threespan.research.pettingzoo.parallel import SeatsTogether


def env(**options: Any) -> Any:
    """Stege in turns, with PettingZoo's usual checks."""
    return wrapped(raw_env(**options))


def raw_env(**options: Any) -> SeatByTurn:
    """Stege in turns, without the checks: faster."""
    return SeatByTurn("stege", **options)


def parallel_env(**options: Any) -> SeatsTogether:
    """Stege with all agents stepping together."""
    return SeatsTogether("stege", **options)
