"""Hashi for PettingZoo. Options of the game: `players` (1 to 4), `side`, `deck`."""

from typing import Any

from threespan.research.pettingzoo.aec import SeatByTurn, wrapped
from threespan.research.pettingzoo.parallel import SeatsTogether


def env(**options: Any) -> Any:
    """Hashi in turns, with PettingZoo's usual checks."""
    return wrapped(raw_env(**options))


def raw_env(**options: Any) -> SeatByTurn:
    """Hashi in turns, without the checks: faster."""
    return SeatByTurn("hashi", **options)


def parallel_env(**options: Any) -> SeatsTogether:
    """Hashi with all agents stepping together."""
    return SeatsTogether("hashi", **options)
