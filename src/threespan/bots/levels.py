"""Which bots there are, by name."""

from threespan.bots.bot import Bot, RandomBot
from threespan.core.errors import UserError


class UnknownBot(UserError):
    """There is no bot of that name."""


_BOTS: dict[str, Bot] = {bot.name: bot for bot in (RandomBot(),)}


def bot_names() -> list[str]:
    """The names of all bots."""
    return list(_BOTS)


def find_bot(name: str) -> Bot:
    """The bot of a name."""
    if name not in _BOTS:
        raise UnknownBot(f"there is no bot '{name}'; there are {', '.join(_BOTS)}")
    return _BOTS[name]
