"""Options of a match: defaults, validation, and errors that say what would be right."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec
import msgspec.inspect

from threespan.core.errors import UserError


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a match; each game adds its own."""

    players: int


class OptionError(UserError):
    """An option is unknown or has a value that is not allowed."""


OptionsType = TypeVar("OptionsType", bound=Options)


def read_options(kind: type[OptionsType], values: Mapping[str, Any]) -> OptionsType:
    """Options of a game from names and values (texts are read as what the option needs)."""
    known = [field.name for field in msgspec.structs.fields(kind)]
    for name in values:
        if name not in known:
            raise OptionError(f"there is no option '{name}'; there are {', '.join(known)}")
    try:
        return msgspec.convert(dict(values), kind, strict=False)
    except msgspec.ValidationError as error:
        reason, _, place = str(error).partition(" - at ")
        name = place.strip("`").removeprefix("$.")
        if reason.startswith("Invalid enum value"):
            reason += f"; try one of {', '.join(map(str, option_choices(kind)[name]))}"
        raise OptionError(f"option {name}: {reason}" if name else reason) from None


def option_choices(kind: type[Options]) -> dict[str, list[Any]]:
    """The values an option can take: all of a choice, the ends of a range, else the default."""
    described = msgspec.inspect.type_info(kind)
    assert isinstance(described, msgspec.inspect.StructType)
    fields = zip(msgspec.structs.fields(kind), described.fields, strict=True)
    return {field.name: _values_of(detail.type) or [field.default] for field, detail in fields}


def _values_of(kind: msgspec.inspect.Type) -> list[Any]:
    match kind:
        case msgspec.inspect.IntType(ge=int() as low, le=int() as high):
            return [low, high]
        case msgspec.inspect.BoolType():
            return [False, True]
        case msgspec.inspect.LiteralType(values=values):
            return list(values)
        case msgspec.inspect.UnionType(types=types):
            return [value for part in types for value in _values_of(part)]
    return []


def split_settings(words: Iterable[str]) -> dict[str, str]:
    """Options from the command line, each written as `name=value`."""
    settings = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise OptionError(f"'{word}' is not of the form name=value")
        settings[name] = value
    return settings
