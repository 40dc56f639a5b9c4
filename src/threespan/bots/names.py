"""The names of the bots, available without loading the bots themselves."""

from threespan.core.libraries import has_compiler
from threespan.core.registry import find_game_module

RANDOM = "random"
LEVELS = ("beginner", "easy", "medium", "hard", "expert")  # weakest first
AUTOPILOT = "easy"  # plays on after a resignation, and finishes a turn whose clock has run out


def bot_names() -> list[str]:
    """The names of all bots, weakest first."""
    return [RANDOM, *LEVELS]


def bot_names_of(game: str) -> list[str]:
    """The names of the bots that play a game here, weakest first: search needs the compiler."""
    return bot_names() if has_levels(game) else [RANDOM]


def has_levels(game: str) -> bool:
    """Whether there are levels of bots for a game: its own, or by search."""
    return has_compiler() or find_game_module(game, "bots", "levels") is not None
