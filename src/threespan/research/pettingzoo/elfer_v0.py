"""Elfer for PettingZoo. Options of the game: `players` (2 to 4), `board`, `symbols`, `rounds`, `starts`."""

from typing import Any

from threespan.research.pettingzoo.aec import SeatByTurn, wrapped
from threespan.research.pettingzoo.parallel import SeatsTogether


def env(**options: Any) -> Any:
    """Elfer in turns, with PettingZoo's usual checks."""
    return wrapped(raw_env(**options))


def raw_env(**options: Any) -> SeatByTurn:
    """Elfer in turns, without the checks: faster."""
    return SeatByTurn("elfer", **options)


def parallel_env(**options: Any) -> SeatsTogether:
    """Elfer with all agents stepping together."""
    return SeatsTogether("elfer", **options)
