"""What the server itself says, in both languages."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import get_args

import msgspec

from threespan.core.rulebook import Language, Text
from threespan.server.protocol import Phrase


class Refusal(Exception):
    """Something cannot be done; `code` names the reason in `words.toml`."""

    def __init__(self, code: str, **values: object) -> None:
        """Refuse for a reason."""
        super().__init__(code)
        self.code, self.values = code, values

    def text(self, language: Language) -> str:
        """The reason, and what would be right."""
        return _load()[0][self.code].in_(language).format(**self.values)


@cache
def _load() -> tuple[dict[str, Text], dict[str, Text]]:
    table = tomllib.loads((files("threespan.server") / "words.toml").read_text("utf-8"))
    phrases = msgspec.convert(table.pop("phrases"), dict[str, Text])
    assert set(phrases) == set(get_args(Phrase)), "words.toml and the protocol have different phrases"
    return msgspec.convert(table, dict[str, Text]), phrases


def phrase_text(phrase: Phrase, language: Language) -> str:
    """A set phrase in one language."""
    return _load()[1][phrase].in_(language)


def phrases(language: Language) -> dict[str, str]:
    """All set phrases in one language."""
    return {phrase: words.in_(language) for phrase, words in _load()[1].items()}
