"""Who plays: every level of every game has a name and a line of character, in the players' languages."""

import tomllib
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from threespan.bots.names import GAMES, bot_names
from threespan.core.errors import UserError
from threespan.core.rulebook import Language, Text

FILE = Path(__file__).with_name("characters.toml")


class CharactersError(UserError):
    """The casts do not fit the levels and games."""


class Character(NamedTuple):
    """A bot as players meet it; where nobody has written a cast, the name is the level's and the line is empty."""

    name: str
    line: str


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One member of a cast; names are the same in both languages."""

    name: str
    line: Text


class Casts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole `characters.toml`: the plain names of the levels, and a cast for each game, by level."""

    levels: dict[str, Text]
    casts: dict[str, dict[str, Part]]


def character(game: str, level: str, language: Language) -> Character:
    """The character of a level in a game."""
    book = _casts()
    part = book.casts.get(game, {}).get(level)
    return Character(part.name, part.line.in_(language)) if part else Character(level_name(level, language), "")


def level_name(level: str, language: Language) -> str:
    """The plain name of a level; bots from elsewhere keep their own."""
    plain = _casts().levels.get(level)
    return plain.in_(language) if plain else level


def full_name(game: str, level: str, language: Language) -> str:
    """The character's name with its level, such as `Alba (expert)`."""
    name, plain = character(game, level, language).name, level_name(level, language)
    return name if name == plain else f"{name} ({plain})"


def load_casts(file: Path, games: Collection[str], levels: Collection[str]) -> Casts:
    """Read the casts and compare them with games and levels both ways; raises CharactersError."""
    try:
        book = msgspec.convert(tomllib.loads(file.read_text("utf-8")), Casts)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise CharactersError(f"{file}: {error}") from None
    _compare(file, "games", book.casts, games)
    _compare(file, "levels", book.levels, levels)
    for game, cast in book.casts.items():
        _compare(file, f"levels of {game}", cast, levels)
        if len({part.name for part in cast.values()}) < len(cast):
            raise CharactersError(f"{file}: two levels of {game} have the same name")
    return book


def _compare(file: Path, what: str, written: Collection[str], wanted: Collection[str]) -> None:
    for name in sorted(set(written) - set(wanted)):
        raise CharactersError(f"{file}: '{name}' is not among the {what}")
    for name in sorted(set(wanted) - set(written)):
        raise CharactersError(f"{file}: '{name}' is missing among the {what}")


@cache
def _casts() -> Casts:
    return load_casts(FILE, GAMES, bot_names())
