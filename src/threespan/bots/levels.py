"""All bots by name: `random`, and one bot per level that plays every game.

A game defines its levels as `LEVELS: Levels` in `bots/GAME/levels.py` (for a game outside this package,
`PACKAGE/bots/levels.py`). Games without levels are played by search, guided by their advice if they have any.

A level can be given a different budget: `expert@50ms`, `expert@2s`, `expert@400` (simulations).
"""

import re
from collections.abc import Collection
from functools import cache
from types import ModuleType

from threespan.bots.bot import Bot, Budget, Decision, RandomBot
from threespan.bots.names import LEVELS, has_levels
from threespan.bots.players import LevelBot, Levels
from threespan.core.errors import UserError, shortened
from threespan.core.game import Position
from threespan.core.registry import find_game_module


class UnknownBot(UserError):
    """There is no bot with that name."""


class LevelsError(UserError):
    """A game does not define exactly the known levels."""


@cache
def levels_of(game: str) -> Levels:
    """The levels of a game: its own, or else by search, or without the compiler at random; raises LevelsError."""
    module = find_game_module(game, "bots", "levels")
    if not has_levels(game):
        return dict.fromkeys(LEVELS, _RandomPlayer())
    if module is None:
        from threespan.bots.evaluation import has_advice
        from threespan.bots.search_levels import BUDGETS, search_levels  # needs the compiler

        _check_levels(BUDGETS, f"{search_levels.__code__.co_filename}: the BUDGETS", "add its budget")
        return search_levels(has_advice(game))
    return _read_levels(game, module)


class _RandomPlayer:
    """Plays at random, within any budget."""

    def decide(self, seen: Position, seat: int, budget: Budget | None, seed: int) -> Decision:  # noqa: ARG002
        """A random legal action."""
        return RandomBot().decide(seen, seat, Budget(), seed)


def _read_levels(game: str, module: ModuleType) -> Levels:
    """The levels that a game's module defines; raises LevelsError if they are not exactly the known ones."""
    levels: Levels | None = getattr(module, "LEVELS", None)
    where = f"{module.__file__}: the bots of '{game}'"
    if levels is None:
        raise LevelsError(f"{where} have no levels; define LEVELS with a player for each of {', '.join(LEVELS)}")
    _check_levels(levels, where, "add a player for it to LEVELS")
    return levels


def _check_levels(levels: Collection[str], where: str, remedy: str) -> None:
    """Compare levels with the known ones in both directions; raises LevelsError."""
    for level in LEVELS:
        if level not in levels:
            raise LevelsError(f"{where} have no level '{level}'; {remedy}")
    for level in levels:
        if level not in LEVELS:
            raise LevelsError(f"{where} have an unknown level '{level}'; the levels are {', '.join(LEVELS)}")


def level_bots() -> list[LevelBot]:
    """One bot per level, weakest first."""
    return [LevelBot(level, levels_of) for level in LEVELS]


_BOTS: dict[str, Bot] = {bot.name: bot for bot in (RandomBot(), *level_bots())}


class BudgetedBot(Bot):
    """A bot with another budget than its own."""

    def __init__(self, name: str, bot: Bot, budget: Budget) -> None:
        """Wrap a bot; the name includes the budget."""
        self.name = name  # type: ignore[misc] # one class for all budgets
        self.budget, self._bot = budget, bot

    def decide(self, seen: Position, seat: int, budget: Budget, seed: int) -> Decision:
        """The decision of the wrapped bot."""
        return self._bot.decide(seen, seat, budget, seed)


def find_bot(name: str) -> Bot:
    """The bot with a name, which may have a budget after `@`; raises UnknownBot."""
    plain, at_sign, budget = name.partition("@")
    if plain not in _BOTS:
        raise UnknownBot(f"there is no bot '{shortened(plain)}'; choose one of {', '.join(_BOTS)}")
    return _with_budget(name, budget) if at_sign else _BOTS[plain]


@cache
def _with_budget(name: str, text: str) -> Bot:
    found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|s)|([1-9][0-9]{0,8})", text)
    if not found:
        examples = "write for example @50ms, @2s or @400 for simulations"
        raise UnknownBot(f"'{shortened(text)}' in '{shortened(name)}' is not a budget; {examples}")
    number, unit, simulations = found.groups()
    seconds = float(number) / (1000 if unit == "ms" else 1) if number else None
    budget = Budget(seconds, int(simulations) if simulations else None)
    return BudgetedBot(name, _BOTS[name.partition("@")[0]], budget)
