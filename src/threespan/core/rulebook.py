"""The rule book of a game: its clauses with translated texts, one for each member of the enum that kernels return.

A game's `rules.toml` lists the sections and the kind of every clause; their texts are in the game's words/*.toml. A
text can depend on an option: `rules.toml` names the option (`depends_on = "must_move"`), and the words have one text
for the default and one for each other value. `RuleBook.for_options` returns the book with the texts for a match.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from threespan.core.errors import UserError
from threespan.core.options import Options, OptionSpec, Value, option_values, value_word
from threespan.core.words import CORE_WORDS, Language, Text, Words

Kind = Literal["refusal", "score", "freedom"]

_BOOKS_KEPT = 64


class RuleBookError(UserError):
    """A rule book does not match its game."""


class Clause(NamedTuple):
    """One clause of the rules.

    A `refusal` is returned by `check` when it is broken; a `score` is a line of the score sheet; a `freedom` permits
    something and cannot be broken.
    """

    kind: Kind
    title: Text
    text: Text
    refused: Text | None  # what to tell a player who breaks it; only refusals have it


class Section(NamedTuple):
    """A section of the rule page: a text, a list of points, then its clauses."""

    title: Text
    text: Text
    points: list[Text]
    clauses: dict[str, Clause]

    def prose(self, language: Language) -> str:
        """The text and the points, as Markdown."""
        points = "\n".join(_list_entry(point.in_(language)) for point in self.points)
        return "\n".join(part for part in (self.text.in_(language).strip(), points) if part)


class HouseRule(NamedTuple):
    """An option whose values are explained to the players in one sentence each."""

    title: Text
    values: list[tuple[Text, Text]]  # the title and the effect of each value, the default first

    def prose(self, language: Language) -> str:
        """The option and its values in one line."""
        values = " ".join(f"{title.in_(language)}: {effect.in_(language)}" for title, effect in self.values)
        return f"{self.title.in_(language)} – {values}"


class _ClausePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clause in `rules.toml` whose texts depend on an option."""

    kind: Kind
    depends_on: str = ""


class _SectionPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section in `rules.toml`."""

    name: str
    depends_on: str = ""  # the option that its text depends on
    points: dict[str, str] = {}  # the points by name, each with the option that it depends on, or ""
    clauses: dict[str, Kind | _ClausePlan] = {}

    def clause_plans(self) -> Iterator[tuple[str, _ClausePlan]]:
        """The clauses by name."""
        for name, plan in self.clauses.items():
            yield name, plan if isinstance(plan, _ClausePlan) else _ClausePlan(plan)

    def dependencies(self) -> Iterator[str]:
        """The options that texts of the section depend on."""
        yield from (self.depends_on, *self.points.values(), *(plan.depends_on for _, plan in self.clause_plans()))


class _Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole `rules.toml`."""

    sections: list[_SectionPlan]


class RuleBook:
    """The clauses of one game; they must match the members of its `Rule` enum exactly."""

    def __init__(self, rule_enum: type[IntEnum], folder: Path, words: Words, specs: Sequence[OptionSpec] = ()) -> None:
        """Read `rules.toml` of a game's folder; `specs` are the game's options. Raises RuleBookError."""
        self.rule_enum, self._words = rule_enum, words
        self._specs = {spec.name: spec for spec in specs}
        self._chosen: Mapping[str, Value] | None = None  # the options of a match, in a book for a match
        self.for_options = lru_cache(_BOOKS_KEPT)(self._for_options)
        file = folder / "rules.toml"
        try:
            self._plan = msgspec.convert(tomllib.loads(file.read_text("utf-8")), _Plan)
        except (OSError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise RuleBookError(f"{file}: {error}") from None
        self._check_dependencies(file)
        self._lay_out()
        if len(self.clauses) != sum(len(section.clauses) for section in self._plan.sections):
            raise RuleBookError(f"{file}: a clause is listed twice")
        self._compare_with_enum(file)
        self._compare_with_words()

    def _for_options(self, options: Options) -> "RuleBook":
        """The book with the texts for a match with these options; call it as `for_options`."""
        book = copy(self)
        book._chosen = option_values(options)
        book._lay_out()
        return book

    def _lay_out(self) -> None:
        self.title, self.text = Text(self._words, "rules.title"), Text(self._words, "rules.text")
        self.sections = [self._section(section) for section in self._plan.sections]
        self.clauses = {name: clause for section in self.sections for name, clause in section.clauses.items()}

    def _section(self, plan: _SectionPlan) -> Section:
        key = f"rules.sections.{plan.name}"
        return Section(
            Text(self._words, f"{key}.title"),
            self._text(key, "text", plan.depends_on),
            [self._text(f"{key}.points", name, depends_on) for name, depends_on in plan.points.items()],
            {name: self._clause(name, clause) for name, clause in plan.clause_plans()},
        )

    def _clause(self, name: str, plan: _ClausePlan) -> Clause:
        title, text, refused = (
            self._text(f"clauses.{name}", part, plan.depends_on) for part in ("title", "text", "refused")
        )
        return Clause(plan.kind, title, text, refused if plan.kind == "refusal" else None)

    def _text(self, key: str, part: str, depends_on: str) -> Text:
        """A text, or its replacement if the option that it depends on does not have its default."""
        if depends_on and self._chosen and self._chosen[depends_on] != self._specs[depends_on].default:
            part = f"{depends_on}.{value_word(self._chosen[depends_on])}.{part}"
        return Text(self._words, f"{key}.{part}")

    def _check_dependencies(self, file: Path) -> None:
        for section in self._plan.sections:
            for depends_on in section.dependencies():
                if depends_on and (depends_on not in self._specs or self._specs[depends_on].kind != "choice"):
                    raise RuleBookError(f"{file}: '{depends_on}' is not an option with a list of values")

    def _compare_with_enum(self, file: Path) -> None:
        named = [rule.name for rule in self.rule_enum if rule.name != "LEGAL"]
        for name in self.clauses:
            if name not in named:
                raise RuleBookError(f"{file}: {name} is not a member of {self.rule_enum.__qualname__}")
        for name in named:
            if name not in self.clauses:
                raise RuleBookError(f"{file}: the clause {name} is missing")
        if list(self.clauses) != named:
            raise RuleBookError(f"{file}: the clauses are in a different order than in {self.rule_enum.__qualname__}")

    def _compare_with_words(self) -> None:
        """Refuse missing texts, and texts of clauses, sections or option values that do not exist."""
        wanted = set(self.all_keys())
        written = {f"{top}.{key}" for top in ("rules", "clauses") for key in self._words.keys(f"{top}.")}
        written |= {f"option.{key}" for key in self._words.keys("option.") if ".effect." in key}
        for key in sorted(wanted - written):
            raise RuleBookError(f"{self._words.folder}: the text '{key}' is missing")
        for key in sorted(written - wanted):
            raise RuleBookError(f"{self._words.folder}: the text '{key}' does not belong to anything in rules.toml")

    def all_keys(self) -> Iterator[str]:
        """The keys of all texts of the book, for all values of the options."""
        yield from (self.title.key, self.text.key)
        for section in self._plan.sections:
            key = f"rules.sections.{section.name}"
            yield f"{key}.title"
            yield from self._keys_by_value(key, ["text"], section.depends_on)
            for name, depends_on in section.points.items():
                yield from self._keys_by_value(f"{key}.points", [name], depends_on)
            for name, plan in section.clause_plans():
                parts = ["title", "text", "refused"] if plan.kind == "refusal" else ["title", "text"]
                yield from self._keys_by_value(f"clauses.{name}", parts, plan.depends_on)
        for rule in self.house_rules():
            yield from (effect.key for _, effect in rule.values)

    def _keys_by_value(self, key: str, parts: Sequence[str], depends_on: str) -> Iterator[str]:
        """The keys of some texts, and of their replacements for the other values of an option."""
        yield from (f"{key}.{part}" for part in parts)
        if depends_on:
            spec = self._specs[depends_on]
            others = [value_word(value) for value in spec.values if value != spec.default]
            yield from (f"{key}.{depends_on}.{value}.{part}" for value in others for part in parts)

    def __getitem__(self, rule: IntEnum) -> Clause:
        """The clause of an enum member."""
        return self.clauses[rule.name]

    def of_kind(self, kind: Kind) -> list[IntEnum]:
        """The enum members of one kind of clause, in the order of the book."""
        return [self.rule_enum[name] for name, clause in self.clauses.items() if clause.kind == kind]

    def refusal(self, rule: IntEnum, language: Language) -> str:
        """Why something is refused and what would be legal."""
        words = self[rule].refused
        if words is None:
            raise RuleBookError(f"{rule.name} is not a refusal")
        return words.in_(language)

    def house_rules(self) -> list[HouseRule]:
        """All house rules with all values; in a book for a match only those with an effect, with the chosen value."""
        chosen = self._chosen
        return [
            HouseRule(
                Text(self._words, f"option.{spec.name}.title"),
                [
                    (self._value_text(spec, value), self._value_text(spec, value, "effect."))
                    for value in sorted(spec.values, key=lambda value: value != spec.default)
                    if chosen is None or value == chosen[spec.name]
                ],
            )
            for spec in self._specs.values()
            if spec.is_house_rule and (chosen is None or spec.matters(chosen))
        ]

    def _value_text(self, spec: OptionSpec, value: Value, part: str = "") -> Text:
        return Text(self._words, f"option.{spec.name}.{part}{value_word(value)}")

    def house_rules_title(self, language: Language) -> str:
        """The title of the section about house rules."""
        return CORE_WORDS.text("house_rules.title", language)

    def house_rules_text(self, language: Language) -> str:
        """The house rules as a list, as Markdown; empty if there are none."""
        entries = [_list_entry(rule.prose(language)) for rule in self.house_rules()]
        if not entries:
            return ""
        lead = CORE_WORDS.text("house_rules.lead" if self._chosen is None else "house_rules.played", language)
        return "\n".join([lead, *entries])

    def markdown(self, language: Language) -> str:
        """The rule page in one language, as Markdown."""
        parts = [f"# {self.title.in_(language)}", self.text.in_(language).strip()]
        for section in self.sections:
            parts += [f"## {section.title.in_(language)}", section.prose(language)]
            for name, clause in section.clauses.items():
                parts.append(f'<a id="{name}"></a>**{clause.title.in_(language)}** (`{name}`)  ')
                parts[-1] += "\n" + clause.text.in_(language).strip()
        if house_rules := self.house_rules_text(language):
            parts += [f"## {self.house_rules_title(language)}", house_rules]
        return "\n\n".join(part for part in parts if part) + "\n"


def _list_entry(text: str) -> str:
    """A text as an entry of a list in Markdown; further lines are indented."""
    return "- " + text.strip().replace("\n", "\n  ")
