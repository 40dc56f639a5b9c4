"""Texts of the table itself: why a request is refused, and the chat phrases."""

from pathlib import Path
from typing import get_args

from threespan.core.errors import UserError
from threespan.core.words import Language, LocalizedError, load_words
from threespan.table.messages.shared import Phrase

WORDS = load_words(Path(__file__).parent)


class Refusal(LocalizedError):
    """A request is refused; `code` is the key of the reason under `refusal` in words/*.toml."""

    def __init__(self, code: str, **values: object) -> None:
        """Refuse for a reason; values that are errors themselves are translated as well."""
        super().__init__(WORDS, f"refusal.{code}", **values)
        self.code = code
        self._own_values = values

    def text(self, language: Language) -> str:
        """What is wrong and what to do instead."""
        translated = {
            name: value.text(language) if isinstance(value, UserError) else value
            for name, value in self._own_values.items()
        }
        return WORDS.text(f"refusal.{self.code}", language, **translated)


def phrase_text(phrase: Phrase, language: Language) -> str:
    """A chat phrase in one language."""
    return WORDS.text(f"phrase.{phrase}", language)


def phrases(language: Language) -> dict[str, str]:
    """All chat phrases in one language."""
    return {phrase: phrase_text(phrase, language) for phrase in get_args(Phrase)}
