"""Translated texts: folders named `words`, each with one TOML file per language.

A language is a set of files. The files in `core/words` define which languages exist; every other `words` folder must
have the same files with the same keys. A missing text is an error when a folder is loaded, never silent English.
"""

import string
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any, NamedTuple

from threespan.core.errors import UserError

Language = str
DEFAULT_LANGUAGE: Language = "en"  # if nobody has chosen one, and for logs

Forms = str | list[str]  # a text, or one text per plural form, chosen by `count`

_FOLDER = Path(__file__).parent


class WordsError(UserError):
    """A file of texts is missing or does not match the other languages."""


class Words:
    """The texts of one folder in every language, by dotted key such as `prompt.lay`."""

    def __init__(self, folder: Path) -> None:
        """Read the files in the folder `words` of `folder` and compare them; raises WordsError."""
        self.folder = folder / "words"
        self._texts = {language: _read(self.folder / f"{language}.toml", language) for language in LANGUAGES}
        original = self._texts[DEFAULT_LANGUAGE]
        for language, texts in self._texts.items():
            _compare(self.folder / f"{language}.toml", original, texts)

    def text(self, key: str, language: Language, **values: object) -> str:
        """A text with its `{names}` replaced by values; the value `count` chooses the plural form."""
        found = self._texts[language].get(key)
        if found is None:
            raise WordsError(f"{self.folder / language}.toml: the text '{key}' is missing")
        if isinstance(found, list):
            found = found[_plural_of(language)(int(str(values["count"])))]
        return found.format(**values) if values else found

    def report(self, key: str, language: Language, name: str, **values: object) -> str:
        """What somebody did, from the texts under `report`, or under `report.you` if the name is empty."""
        if name:
            return self.text(f"report.{key}", language, name=name, **values)
        return self.text(f"report.you.{key}", language, **values)

    def __contains__(self, key: object) -> bool:
        return key in self._texts[DEFAULT_LANGUAGE]

    def keys(self, prefix: str = "") -> list[str]:
        """The keys that start with a prefix, without the prefix, in the order of the English file."""
        return [key.removeprefix(prefix) for key in self._texts[DEFAULT_LANGUAGE] if key.startswith(prefix)]


class Text(NamedTuple):
    """One text of a folder, in any language."""

    words: Words
    key: str

    def in_(self, language: Language) -> str:
        """The text in one language."""
        return self.words.text(self.key, language)


class LocalizedError(UserError):
    """An error that players may read, so it can be translated."""

    def __init__(self, words: Words, key: str, /, **values: object) -> None:
        """Use a text of a folder as the message."""
        super().__init__(words.text(key, DEFAULT_LANGUAGE, **values))
        self._words, self._key, self._values = words, key, values

    def text(self, language: Language) -> str:
        """What is wrong and what to do instead, in one language."""
        return self._words.text(self._key, language, **self._values)


def _read(file: Path, language: Language) -> dict[str, Forms]:
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise WordsError(f"{file} is missing; every text must exist in {', '.join(LANGUAGES)}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise WordsError(f"{file}: {error}") from None
    texts = _flatten(file, table, "")
    for key, forms in texts.items():
        if isinstance(forms, list) and len(forms) != plural_forms(language):
            raise WordsError(f"{file}: '{key}' needs {plural_forms(language)} plural forms")
    return texts


def _flatten(file: Path, table: Mapping[str, Any], prefix: str) -> dict[str, Forms]:
    texts: dict[str, Forms] = {}
    for name, value in table.items():
        key = prefix + name
        if isinstance(value, Mapping):
            texts |= _flatten(file, value, f"{key}.")
        elif isinstance(value, str) or (isinstance(value, list) and all(isinstance(form, str) for form in value)):
            texts[key] = value
        else:
            raise WordsError(f"{file}: '{key}' is not a text")
    return texts


def _compare(file: Path, original: Mapping[str, Forms], texts: Mapping[str, Forms]) -> None:
    """Check that texts have the same keys and the same names in braces as the original; raises WordsError."""
    for key, forms in original.items():
        if key not in texts:
            raise WordsError(f"{file}: the text '{key}' is missing")
        if _names(forms) != _names(texts[key]):
            expected = ", ".join(f"{{{name}}}" for name in sorted(_names(forms))) or "no names in braces"
            raise WordsError(f"{file}: '{key}' must have {expected}, as in {DEFAULT_LANGUAGE}.toml")
    for key in texts:
        if key not in original:
            raise WordsError(f"{file}: the text '{key}' is not in {DEFAULT_LANGUAGE}.toml")


def _names(forms: Forms) -> set[str]:
    """The names in braces; a plural form may omit its `count` ("a tile")."""
    parts = [forms] if isinstance(forms, str) else forms
    names = {name for part in parts for _, name, _, _ in string.Formatter().parse(part) if name is not None}
    return names if isinstance(forms, str) else names | {"count"}


@cache
def _core_texts(language: Language) -> dict[str, Any]:
    return tomllib.loads((_FOLDER / "words" / f"{language}.toml").read_text("utf-8"))


@cache
def _plural_of(language: Language) -> Callable[[int], int]:
    """The function that chooses the plural form, from the gettext expression in the language's core file."""
    return c2py(_core_texts(language)["language"]["plural"])


@cache
def plural_forms(language: Language) -> int:
    """The number of plural forms of a language."""
    choose = _plural_of(language)
    return 1 + max(choose(number) for number in range(200))


@cache
def load_words(folder: Path) -> Words:
    """The texts of a folder, read only once; raises WordsError."""
    return Words(folder)


def _find_languages() -> tuple[Language, ...]:
    found = sorted(file.stem for file in (_FOLDER / "words").glob("*.toml"))
    return (DEFAULT_LANGUAGE, *(language for language in found if language != DEFAULT_LANGUAGE))


LANGUAGES = _find_languages()
CORE_WORDS = load_words(_FOLDER)


def language_name(language: Language) -> str:
    """The name of a language in that language."""
    return CORE_WORDS.text("language.name", language)


def supported_language(code: str) -> Language | None:
    """The language of a code such as `de`, `de_AT.UTF-8` or `de-CH`, or None if it is not supported."""
    language = code.lower().replace("_", "-").partition(".")[0].partition("-")[0]
    return language if language in LANGUAGES else None
