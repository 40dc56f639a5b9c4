"""The rule book: what each clause says, in the players' languages, beside the enumeration that kernels return."""

import tomllib
from enum import IntEnum
from pathlib import Path
from typing import Literal, get_args

import msgspec

from threespan.core.errors import UserError

Language = Literal["en", "de"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


class RuleBookError(UserError):
    """A rule book does not fit its game."""


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The same words in both languages."""

    en: str
    de: str

    def in_(self, language: Language) -> str:
        """The words in one language."""
        return self.de if language == "de" else self.en


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One clause of the rules.

    A `refusal` is what `check` answers; a `score` is a line of the score sheet;
    a `freedom` permits or arranges something and can never be broken.
    """

    kind: Literal["refusal", "score", "freedom"]
    title: Text
    text: Text
    refused: Text | None = None

    def __post_init__(self) -> None:
        """A refusal needs its words."""
        if (self.kind == "refusal") != (self.refused is not None):
            raise ValueError("a refusal has the words `refused`, other clauses have not")


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter of the rule page: running text, then its clauses."""

    title: Text
    text: Text
    clauses: dict[str, Clause] = {}


class Page(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole `rules.toml`."""

    title: Text
    text: Text
    sections: list[Section]
    words: dict[str, Text] = {}


class RuleBook:
    """The clauses of one game, checked against its `Rule` enumeration both ways."""

    def __init__(self, rules: type[IntEnum], file: Path) -> None:
        """Read the book of `rules` from a TOML file."""
        self.rules = rules
        try:
            self.page = msgspec.convert(tomllib.loads(file.read_text("utf-8")), Page)
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise RuleBookError(f"{file}: {error}") from None
        clauses = [item for section in self.page.sections for item in section.clauses.items()]
        self.clauses = dict(clauses)
        if len(self.clauses) != len(clauses):
            raise RuleBookError(f"{file}: a clause stands there twice")
        named = [rule.name for rule in rules if rule.name != "LEGAL"]
        for name in self.clauses.keys() - set(named):
            raise RuleBookError(f"{file}: {name} is not a member of {rules.__qualname__}")
        for name in named:
            if name not in self.clauses:
                raise RuleBookError(f"{file}: the clause {name} is missing")
        if list(self.clauses) != named:
            raise RuleBookError(f"{file}: the clauses stand in another order than in {rules.__qualname__}")

    def __getitem__(self, rule: IntEnum) -> Clause:
        """The clause of a rule."""
        return self.clauses[rule.name]

    def of_kind(self, kind: str) -> list[IntEnum]:
        """The rules of one kind, in the order of the book."""
        return [self.rules[name] for name, clause in self.clauses.items() if clause.kind == kind]

    def refusal(self, rule: IntEnum, language: Language) -> str:
        """Why something is refused and what would be right."""
        words = self[rule].refused
        if words is None:
            raise RuleBookError(f"{rule.name} refuses nothing")
        return words.in_(language)

    def word(self, name: str, language: Language) -> str:
        """A term of the game."""
        return self.page.words[name].in_(language)

    def markdown(self, language: Language) -> str:
        """The rule page in one language."""
        page = self.page
        parts = [f"# {page.title.in_(language)}", page.text.in_(language).strip()]
        for section in page.sections:
            parts += [f"## {section.title.in_(language)}", section.text.in_(language).strip()]
            for name, clause in section.clauses.items():
                parts.append(f'<a id="{name}"></a>**{clause.title.in_(language)}** (`{name}`)  ')
                parts[-1] += "\n" + clause.text.in_(language).strip()
        return "\n\n".join(part for part in parts if part) + "\n"
