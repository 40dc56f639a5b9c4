"""The characters of bots: a name and a line about each level of a game, in every language.

The cast of a game is in `bots/GAME/words` (for a game outside this package, `PACKAGE/bots/words`). In a game without a
cast, bots are called by their levels.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from threespan.bots.names import bot_names
from threespan.core.errors import UserError
from threespan.core.registry import game_module_folder
from threespan.core.words import DEFAULT_LANGUAGE, Language, Words, load_words

LEVEL_WORDS = load_words(Path(__file__).parent)


class CastError(UserError):
    """A cast does not match the levels."""


class Character(NamedTuple):
    """A bot as players see it; without a cast, the name is that of the level and the line is empty."""

    name: str
    line: str


def character(game: str, level: str, language: Language) -> Character:
    """The character of a level in a game."""
    words = cast_of(game)
    if words is None or f"cast.{level}.name" not in words:
        return Character(level_name(level, language), "")
    return Character(words.text(f"cast.{level}.name", language), words.text(f"cast.{level}.line", language))


def level_name(level: str, language: Language) -> str:
    """The translated name of a level; other bots are called by their own name."""
    return LEVEL_WORDS.text(f"level.{level}", language) if level in bot_names() else level


def full_name(game: str, level: str, language: Language) -> str:
    """The character's name with its level, such as `Alba (expert)`."""
    name, plain = character(game, level, language).name, level_name(level, language)
    return name if name == plain else f"{name} ({plain})"


@cache
def cast_of(game: str) -> Words | None:
    """The texts of a game's cast, or None; raises CastError if they do not match the levels."""
    folder = game_module_folder(game, "bots")
    if folder is None or not (folder / "words").is_dir():
        return None
    words = load_words(folder)
    check_cast(game, words)
    return words


def check_cast(game: str, words: Words) -> None:
    """Check that a cast has exactly the levels; raises CastError."""
    where, levels = f"{words.folder}: the cast of '{game}'", bot_names()
    for key in words.keys("cast."):
        level, _, field = key.rpartition(".")
        if level not in levels:
            raise CastError(f"{where} has a '{level or key}', but the levels are {', '.join(levels)}")
        if field not in Character._fields:
            raise CastError(f"{where} has a '{key}'; a level has {' and '.join(Character._fields)}")
    names: dict[str, str] = {}
    for level in levels:
        for field in Character._fields:
            if f"cast.{level}.{field}" not in words:
                raise CastError(f"{where} has no {field} for the level '{level}'; add it to [cast.{level}]")
        name = words.text(f"cast.{level}.name", DEFAULT_LANGUAGE)
        if name in names:
            raise CastError(f"{where} gives the name {name} to both '{names[name]}' and '{level}'; rename one")
        names[name] = level
