"""Options of a match: their values, what they depend on, and errors that say what would be valid.

A game declares its options as fields of a subclass of `Options`. What a type cannot express (which boards there are,
with how many players an option matters, since which version of the rules it exists) goes into `Options.details`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal, TypeVar

import msgspec
import msgspec.inspect

from threespan.core.rules import MAX_SEATS
from threespan.core.words import CORE_WORDS, LocalizedError

Value = int | bool | str


class Detail(msgspec.Struct, frozen=True, kw_only=True):
    """What an option's type and default cannot express."""

    values: Callable[[], list[str]] | None = None  # the names of the data files, for an option that chooses one
    files: str = ""  # the folder of these files in the game's folder
    part: str = ""  # the part of the match's material that such a file provides
    only_with: Mapping[str, tuple[Value, ...]] = {}  # it matters only if these options have one of these values
    max_with: Mapping[str, Mapping[Value, int]] = {}  # its maximum for each value of another option
    is_seat: bool = False  # its numbers are seat numbers
    since: int = 1  # the version of the rules that added it
    before: Value | None = None  # its value in records of earlier versions, if that is not the default
    is_house_rule: bool = False  # the players are told in one sentence what each value means


# For an option whose value is a seat: there are as many seats as players.
A_SEAT = Detail(is_seat=True, max_with={"players": {players: players - 1 for players in range(1, MAX_SEATS + 1)}})


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be chosen before a match; each game adds its own."""

    players: int
    details: ClassVar[Mapping[str, Detail]] = {}

    def refuse(self) -> None:
        """Raise LocalizedError for combinations that types and details cannot exclude; by default there are none."""


class OptionSpec(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about an option, for programs that let somebody choose it.

    A `range` takes the whole numbers from `low` to `high` and any of `values`; a `choice` takes one of `values`.
    """

    name: str
    kind: Literal["range", "choice"]
    default: Value
    values: list[Value] = []
    low: int = 0
    high: int = 0
    only_with: dict[str, list[Value]] = {}
    max_with: dict[str, list[tuple[Value, int]]] = {}
    is_seat: bool = False
    since: int = 1  # the version of the rules that added it
    before: Value  # its value in matches of earlier versions
    is_house_rule: bool = False  # the players are told in one sentence what each value means

    def all_values(self, others: Mapping[str, Value]) -> list[Value]:
        """Every valid value, given the other options."""
        if not self.matters(others):
            return [self.default]
        numbers = range(self.low, self.maximum(others) + 1) if self.kind == "range" else ()
        return [*numbers, *self.values]

    def matters(self, others: Mapping[str, Value]) -> bool:
        """Whether it makes a difference, given the other options."""
        return all(others.get(name) in values for name, values in self.only_with.items())

    def maximum(self, others: Mapping[str, Value]) -> int:
        """The highest valid number, given the other options."""
        found = [limit for name, rows in self.max_with.items() for value, limit in rows if others.get(name) == value]
        return min([self.high, *found])


class OptionError(LocalizedError):
    """An option is unknown or has an invalid value."""

    def __init__(self, key: str, **values: object) -> None:
        """Use one of the core's texts as the message."""
        super().__init__(CORE_WORDS, f"option.{key}", **values)


OptionsType = TypeVar("OptionsType", bound=Options)


def option_specs(kind: type[Options]) -> list[OptionSpec]:
    """All options of a game, in the order of their fields."""
    described = msgspec.inspect.type_info(kind)
    assert isinstance(described, msgspec.inspect.StructType)
    fields = zip(msgspec.structs.fields(kind), described.fields, strict=True)
    return [_spec_of(f.name, f.default, of.type, kind.details.get(f.name, Detail())) for f, of in fields]


def _spec_of(name: str, default: Value, kind: msgspec.inspect.Type, detail: Detail) -> OptionSpec:
    numbers, words = _values_of(kind)
    if detail.values is not None:
        words = list(detail.values())
    elif isinstance(default, str):
        words.sort(key=lambda word: word != default)  # msgspec lists words by the alphabet
    return OptionSpec(
        name=name,
        kind="range" if numbers else "choice",
        default=default,
        values=words,
        low=numbers[0] if numbers else 0,
        high=numbers[-1] if numbers else 0,
        only_with={other: list(values) for other, values in detail.only_with.items()},
        max_with={other: list(rows.items()) for other, rows in detail.max_with.items()},
        is_seat=detail.is_seat,
        since=detail.since,
        before=default if detail.before is None else detail.before,
        is_house_rule=detail.is_house_rule,
    )


def _values_of(kind: msgspec.inspect.Type) -> tuple[list[int], list[Value]]:
    """The ends of the range of numbers, if there is one, and all other values of a type."""
    match kind:
        case msgspec.inspect.IntType(ge=int() as low, le=int() as high):
            return [low, high], []
        case msgspec.inspect.IntType(ge=int() as low, lt=int() as end):
            return [low, end - 1], []
        case msgspec.inspect.BoolType():
            return [], [False, True]
        case msgspec.inspect.LiteralType(values=values):
            return [], [value for value in values if value is not None]
        case msgspec.inspect.UnionType(types=types):
            parts = [_values_of(part) for part in types]
            return [n for numbers, _ in parts for n in numbers], [w for _, words in parts for w in words]
    return [], []


def read_options(kind: type[OptionsType], values: Mapping[str, Any], *, strict: bool = False) -> OptionsType:
    """Options of a game from names and values; raises LocalizedError.

    Texts, as on a command line, are converted to the option's type, unless `strict`.
    """
    specs = {spec.name: spec for spec in option_specs(kind)}
    for name in values:
        if name not in specs:
            raise OptionError("unknown", name=name, known=", ".join(specs))
    try:
        options = msgspec.convert(dict(values), kind, strict=strict)
    except msgspec.ValidationError as error:
        raise _explained(error, specs, values) from None
    _refuse_contradictions(options, specs)
    options.refuse()
    return options


def read_recorded_options(kind: type[OptionsType], values: Mapping[str, Any], version: int, latest: int) -> OptionsType:
    """The options of a match that was played by a certain version of the rules; raises OptionError.

    All options of that version must be given. Options that were added later get the value that means the old rules:
    `before`, or else the default. In matches of an earlier version, options without effect get their current default,
    whatever the default was then.
    """
    specs = option_specs(kind)
    for spec in specs:
        if spec.since <= version and spec.name not in values:
            raise OptionError("missing", name=spec.name, version=version)
    recorded = {spec.name: spec.before for spec in specs if spec.since > version} | dict(values)
    if version < latest:
        recorded |= {spec.name: spec.default for spec in specs if not spec.matters(recorded)}
    return read_options(kind, recorded, strict=True)


def refuse_later_options(kind: type[Options], values: Mapping[str, Any], version: int) -> None:
    """Refuse options that a version of the rules did not have yet; raises OptionError."""
    for spec in option_specs(kind):
        if spec.name in values and spec.since > version:
            raise OptionError("too_new", name=spec.name, version=version, since=spec.since)


def _explained(
    error: msgspec.ValidationError, specs: Mapping[str, OptionSpec], given: Mapping[str, Any]
) -> OptionError:
    reason, _, place = str(error).partition(" - at ")
    name = place.strip("`").removeprefix("$.").partition("[")[0]
    spec = specs.get(name)
    if spec is None:
        return OptionError("wrong", name=name or "?", reason=reason)
    value = _shown(given.get(name))
    if spec.kind == "choice" and spec.values:
        return OptionError("not_a_choice", name=name, value=value, values=_listed(spec.values))
    if spec.kind == "range" and spec.values:
        words = _listed(spec.values)
        return OptionError("not_in_range_or", name=name, value=value, low=spec.low, high=spec.high, words=words)
    if spec.kind == "range":
        return OptionError("not_in_range", name=name, value=value, low=spec.low, high=spec.high)
    return OptionError("wrong", name=name, reason=reason)


def _refuse_contradictions(options: Options, specs: Mapping[str, OptionSpec]) -> None:
    """Refuse options without effect that are not at their default, and numbers above a limit set by another option."""
    chosen: dict[str, Value] = msgspec.structs.asdict(options)
    for name, spec in specs.items():
        value = chosen[name]
        for other, needed in spec.only_with.items():
            if value != spec.default and chosen[other] not in needed:
                raise OptionError("needs", name=name, other=other, values=_listed(needed), default=_shown(spec.default))
        if isinstance(value, bool) or not isinstance(value, int):
            continue
        for other, rows in spec.max_with.items():
            limit = dict(rows).get(chosen[other], spec.high)
            if value > limit:
                raise OptionError("too_high", name=name, other=other, value=_shown(chosen[other]), high=limit)


def value_word(value: Value) -> str:
    """A value as written on the command line and in keys of words."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shown(value: object) -> str:
    """A value as written on the command line; long texts are cut off, and other types are only named."""
    if not isinstance(value, str | int | float):
        return type(value).__name__
    text = str(value) if isinstance(value, float) else value_word(value)
    return text if len(text) <= _MAX_SHOWN_LENGTH else f"{text[:_MAX_SHOWN_LENGTH]}…"


_MAX_SHOWN_LENGTH = 40


def _listed(values: Iterable[Value]) -> str:
    return ", ".join(map(_shown, values))


def option_values(options: Options) -> dict[str, Value]:
    """Options as names and plain values."""
    values: dict[str, Value] = msgspec.to_builtins(options)
    return values


def split_settings(words: Iterable[str]) -> dict[str, str]:
    """Options from the command line, each written as `name=value`."""
    settings = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise OptionError("not_a_setting", word=word)
        settings[name] = value
    return settings
