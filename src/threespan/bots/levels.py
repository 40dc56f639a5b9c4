"""Which bots there are, by name: `random`, and one bot a level that plays every game.

A level can be given another budget than its own: `expert@50ms`, `expert@2s`, `expert@400` (simulations).
"""

import re
from functools import cache

from threespan.bots.bot import Bot, Budget, Decision, RandomBot
from threespan.bots.elfer.levels import ELFER_LEVELS
from threespan.bots.hashi.player import HASHI_LEVELS
from threespan.bots.names import GAMES, LEVELS, bot_names
from threespan.bots.search_levels import LevelBot
from threespan.bots.stege.levels import STEGE_LEVELS
from threespan.core.errors import UserError
from threespan.core.game import Position

TABLES = dict(zip(GAMES, (ELFER_LEVELS, HASHI_LEVELS, STEGE_LEVELS), strict=True))


class UnknownBot(UserError):
    """There is no bot of that name."""


def level_bots() -> list[LevelBot]:
    """One bot a level, weakest first."""
    return [LevelBot(level, TABLES) for level in LEVELS]


_BOTS: dict[str, Bot] = dict(zip(bot_names(), (RandomBot(), *level_bots()), strict=True))


class BudgetedBot(Bot):
    """A bot that thinks as much as it is told to, not as much as it would by itself."""

    def __init__(self, name: str, bot: Bot, budget: Budget) -> None:
        """Another bot, under a name that tells its budget."""
        self.name = name  # type: ignore[misc] # one class for all budgets
        self.budget, self._bot = budget, bot

    def decide(self, seen: Position, seat: int, budget: Budget, seed: int) -> Decision:
        """The other bot's decision."""
        return self._bot.decide(seen, seat, budget, seed)


def find_bot(name: str) -> Bot:
    """The bot of a name, with a budget after `@` if there is one."""
    plain, sign, words = name.partition("@")
    if plain not in _BOTS:
        raise UnknownBot(f"there is no bot '{plain}'; there are {', '.join(_BOTS)}")
    return _with_budget(name, words) if sign else _BOTS[plain]


@cache
def _with_budget(name: str, words: str) -> Bot:
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)(ms|s)|([1-9][0-9]*)", words)
    if not found:
        raise UnknownBot(f"'{words}' in '{name}' is no budget; write for example @50ms, @2s or @400 for simulations")
    number, unit, simulations = found.groups()
    seconds = float(number) / (1000 if unit == "ms" else 1) if number else None
    budget = Budget(seconds, int(simulations) if simulations else None)
    return BudgetedBot(name, _BOTS[name.partition("@")[0]], budget)
