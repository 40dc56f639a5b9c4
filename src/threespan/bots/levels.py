"""Which bots there are, by name: `random`, and one bot a level that plays every game."""

from threespan.bots.bot import Bot, RandomBot
from threespan.bots.elfer.levels import ELFER_LEVELS
from threespan.bots.hashi.player import HASHI_LEVELS
from threespan.bots.search_levels import LEVELS, LevelBot
from threespan.bots.stege.levels import STEGE_LEVELS
from threespan.core.errors import UserError

TABLES = {"elfer": ELFER_LEVELS, "hashi": HASHI_LEVELS, "stege": STEGE_LEVELS}


class UnknownBot(UserError):
    """There is no bot of that name."""


def level_bots() -> list[LevelBot]:
    """One bot a level, weakest first."""
    return [LevelBot(level, TABLES) for level in LEVELS]


_BOTS: dict[str, Bot] = {bot.name: bot for bot in (RandomBot(), *level_bots())}


def bot_names() -> list[str]:
    """The names of all bots, weakest first."""
    return list(_BOTS)


def find_bot(name: str) -> Bot:
    """The bot of a name."""
    if name not in _BOTS:
        raise UnknownBot(f"there is no bot '{name}'; there are {', '.join(_BOTS)}")
    return _BOTS[name]
