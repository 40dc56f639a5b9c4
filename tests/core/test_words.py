"""Texts: files of all languages match, plural forms work, and no text is unused."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from threespan.core.game import Game, NotationError
from threespan.core.options import value_word
from threespan.core.registry import codes, find_game
from threespan.core.rules import WATCHER
from threespan.core.words import (
    CORE_WORDS,
    DEFAULT_LANGUAGE,
    LANGUAGES,
    Language,
    Words,
    WordsError,
    language_name,
    load_words,
    supported_language,
)
from threespan.testing.matches import variants

GOOD = """
[prompt]
lay = "Lay {tile} on {place}"
tiles = ["a tile", "{count} tiles"]
"""


def words(folder: Path, **files: str | None) -> Words:
    """A folder with the same texts in every language, except those given; None omits a file."""
    (folder / "words").mkdir()
    for language in LANGUAGES:
        text = files.get(language, GOOD)
        if text is not None:
            (folder / "words" / f"{language}.toml").write_text(text, "utf-8")
    return Words(folder)


def test_texts_have_values_and_plural_forms(tmp_path: Path) -> None:
    said = words(tmp_path, de=GOOD.replace("Lay {tile} on {place}", "{place}: {tile}"))
    assert said.text("prompt.lay", "en", tile="red 5", place="row 1") == "Lay red 5 on row 1"
    assert said.text("prompt.lay", "de", tile="red 5", place="row 1") == "row 1: red 5"
    assert [said.text("prompt.tiles", "en", count=count) for count in (0, 1, 2)] == ["0 tiles", "a tile", "2 tiles"]
    assert said.keys("prompt.") == ["lay", "tiles"]
    assert "prompt.lay" in said
    assert "prompt" not in said


def test_braces_in_values_are_left_alone(tmp_path: Path) -> None:
    assert words(tmp_path).text("prompt.lay", "en", tile="{0}", place="{x}") == "Lay {0} on {x}"


@pytest.mark.parametrize(
    ("german", "reason"),
    [
        (None, r"words/de\.toml is missing; every text must exist in en, "),
        (GOOD.replace("lay =", "put ="), r"words/de\.toml: the text 'prompt\.lay' is missing"),
        (GOOD + 'more = "x"', r"words/de\.toml: the text 'prompt\.more' is not in en\.toml"),
        (
            GOOD.replace("{place}", "{spot}"),
            r"words/de\.toml: 'prompt\.lay' must have \{place\}, \{tile\}, as in en\.toml",
        ),
        (GOOD.replace(" on {place}", ""), r"words/de\.toml: 'prompt\.lay' must have \{place\}, \{tile\}"),
        (GOOD.replace('"a tile", ', ""), r"words/de\.toml: 'prompt\.tiles' needs 2 plural forms"),
        (GOOD.replace('["a tile"', '["a tile", "x"'), r"words/de\.toml: 'prompt\.tiles' needs 2 plural forms"),
        (GOOD.replace('"Lay {tile} on {place}"', "3"), r"words/de\.toml: 'prompt\.lay' is not a text"),
        ("nonsense", r"words/de\.toml: "),
    ],
)
def test_mismatching_language_files_are_refused(tmp_path: Path, german: str | None, reason: str) -> None:
    with pytest.raises(WordsError, match=reason):
        words(tmp_path, de=german)


def test_a_text_that_is_missing_everywhere_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(WordsError, match=r"words/de\.toml: the text 'prompt\.take' is missing"):
        words(tmp_path).text("prompt.take", "de")


def test_languages() -> None:
    assert LANGUAGES[0] == "en"
    assert [language_name(language) for language in ("en", "de")] == ["English", "Deutsch"]
    assert [supported_language(wanted) for wanted in ("de_AT.UTF-8", "DE-ch", "en", "xx", "")] == [
        "de",
        "de",
        "en",
        None,
        None,
    ]


# No dead texts: every text of a folder is used by the code of that folder.


class Uses:
    """The keys of texts that the sources of a folder can use."""

    def __init__(self, folder: Path) -> None:
        """Read all sources of a folder."""
        self.names: set[str] = set()  # possible values of placeholders in f-strings
        self.keys: set[str] = set()
        self.patterns: list[re.Pattern[str]] = []
        for file in folder.glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                self._read(node)

    def _read(self, node: ast.AST) -> None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.keys.add(node.value)
            self.names.add(node.value)
        elif isinstance(node, ast.Attribute):
            self.names.add(node.attr)
        elif isinstance(node, ast.Name):
            self.names.add(node.id)
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            parts = [re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"(\w+)" for part in node.values]
            self.patterns.append(re.compile("".join(parts)))

    def says(self, key: str) -> bool:
        """Whether the sources contain a key, as a literal or as an f-string with known names."""
        if key in self.keys:
            return True
        found = (pattern.fullmatch(key) for pattern in self.patterns)
        return any(match and all(self._is_known(gap) for gap in match.groups()) for match in found)

    def _is_known(self, gap: str) -> bool:
        return gap.isdigit() or gap in self.names or gap.upper() in self.names


def dead_texts(folder: Path) -> list[str]:
    """The texts of a folder that its sources do not use."""
    uses = Uses(folder)
    return [key for key in load_words(folder).keys("") if not uses.says(key)]


def texts_that_the_core_says(game: Game) -> Iterator[str]:
    """The texts that all games use in the same way."""
    yield from ("game.name", "game.pitch")
    for spec in game.option_specs():
        yield f"option.{spec.name}.title"
        for value in spec.values:
            yield f"option.{spec.name}.{value_word(value)}"
    yield from (f"many.{name}" for name in Uses(game.folder).names)
    yield from texts_of_reports(game)
    yield from game.rule_book.all_keys()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", ["elfer", "hashi", "stege"])
def test_the_rules_say_how_long_a_match_takes_as_the_home_screen_does(code: str, language: str) -> None:
    game = find_game(code)
    assert f" {game.minutes} minutes" in game.rule_book.text.in_(language).replace("Minuten", "minutes")


def texts_of_reports(game: Game) -> set[str]:
    """The texts under `report` that some action uses, with names and addressed to each seat."""
    found: set[str] = set()
    say = Words.text

    def text(words: Words, key: str, language: Language, **values: object) -> str:
        found.add(key)
        return say(words, key, language, **values)

    players = game.seat_counts[-1]
    with patch.object(Words, "text", text):
        for options in variants(game):
            state = game.start(options).state
            for written in game.action_texts(state, range(game.action_count)):
                for addressed_seat in (WATCHER, *range(players)):
                    names = ["" if seat == addressed_seat else "Ada" for seat in range(players)]
                    game.report(state, written, 0, names, DEFAULT_LANGUAGE)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", codes())
def test_every_action_and_every_position_can_be_said(code: str, language: str) -> None:
    game = find_game(code)
    for players in game.seat_counts:
        position = game.start(game.options(players=players))
        texts = game.action_texts(position.state, range(game.action_count))
        assert not {text for text in texts if game.sentence(position.state, text, language) == text}
        names = [f"<{seat}>" for seat in position.seats]
        for seat in (WATCHER, *position.seats):
            assert game.describe(position.observe(seat).state, seat, names, language)


@pytest.mark.parametrize("code", codes())
def test_every_text_of_a_game_is_said(code: str) -> None:
    game = find_game(code)
    assert set(dead_texts(game.folder)) - set(texts_that_the_core_says(game)) == set()


def test_every_text_of_the_core_is_said() -> None:
    # OptionError adds `option.` to its keys; plural expressions are read before Words exists.
    uses = Uses(CORE_WORDS.folder.parent)
    dead = [key for key in dead_texts(CORE_WORDS.folder.parent) if key != "language.plural"]
    assert [key for key in dead if key.removeprefix("option.") not in uses.keys] == []


def test_a_dead_text_is_found(tmp_path: Path) -> None:
    dead = '[prompt]\nlay = "x"\ntake = "x"\n[label]\nred = "x"\nold = "x"\n[corner]\n0 = "x"\n'
    words(tmp_path, **dict.fromkeys(LANGUAGES, dead))
    source = 'WORDS.text("prompt.lay", x), WORDS.text(f"label.{Flag.RED.name.lower()}", x), text(f"corner.{c}")'
    (tmp_path / "speech.py").write_text(source, "utf-8")
    assert dead_texts(tmp_path) == ["prompt.take", "label.old"]


def test_examples_of_actions_are_the_same_in_every_language() -> None:
    error = NotationError.unknown("jump", "take 2 from 1", "keep")
    assert error.text("en") == "'jump' is not an action; write for example 'take 2 from 1', 'keep'"
    assert error.text("de") == "„jump“ ist keine Aktion; schreibe zum Beispiel 'take 2 from 1', 'keep'"
