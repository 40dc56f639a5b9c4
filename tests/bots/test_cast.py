"""A cast must match the levels; games without a cast use the names of the levels."""

from pathlib import Path

import pytest

from bots.external_games import register
from threespan.bots.cast import CastError, cast_of, character, full_name, level_name
from threespan.bots.names import bot_names
from threespan.core.registry import built_in_codes
from threespan.core.words import LANGUAGES, WordsError

MAX_LINE_LENGTH = 100


def cast(**names: str) -> str:
    """The TOML of a cast, by level and name."""
    return "".join(f'[cast.{level}]\nname = "{name}"\nline = "A frog."\n' for level, name in names.items())


WHOLE = {level: f"Frog {number}" for number, level in enumerate(bot_names())}


def words(text: str) -> dict[str, str]:
    """The same words in every language."""
    return {f"bots/words/{language}.toml": text for language in LANGUAGES}


@pytest.mark.parametrize("game", built_in_codes())
@pytest.mark.parametrize("level", bot_names())
def test_every_bot_of_every_game_has_a_short_character_in_both_languages(game: str, level: str) -> None:
    english, german = (character(game, level, language) for language in ("en", "de"))
    assert english.name == german.name
    assert english.line != german.line
    for line in (english.line, german.line):
        assert 10 < len(line) <= MAX_LINE_LENGTH
        assert line[-1] in ".?!"


def test_no_name_is_used_twice() -> None:
    names = [character(game, level, "en").name for game in built_in_codes() for level in bot_names()]
    assert len(set(names)) == len(names)


def test_a_full_name_includes_the_level() -> None:
    assert full_name("stege", "expert", "en") == "Svea (expert)"
    assert full_name("stege", "expert", "de") == "Svea (Profi)"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("level", bot_names())
def test_a_game_without_a_cast_gets_the_plain_names(level: str, language: str) -> None:
    assert character("nim", level, language) == (level_name(level, language), "")
    assert full_name("nim", level, language) == level_name(level, language)


def test_an_unknown_bot_keeps_its_name() -> None:
    assert character("hashi", "newcomer", "de") == ("newcomer", "")


def test_an_external_game_can_have_a_cast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch, tmp_path, "pond", words(cast(**WHOLE)))
    assert character("pond", "random", "de") == ("Frog 0", "A frog.")
    assert full_name("pond", "easy", "en") == "Frog 2 (easy)"


@pytest.mark.parametrize(
    ("code", "text", "reason"),
    [
        ("pond_a", "", "has no name for the level 'random'; add it to \\[cast.random\\]"),
        ("pond_b", cast(**{**WHOLE, "genius": "Cy"}), "has a 'genius', but the levels are random, beginner"),
        (
            "pond_c",
            cast(**{**WHOLE, "easy": "Frog 3"}),
            "gives the name Frog 3 to both 'easy' and 'medium'; rename one",
        ),
        ("pond_d", cast(**WHOLE).replace("line", "word", 1), "has a 'random.word'; a level has name and line"),
        (
            "pond_e",
            cast(**WHOLE).replace('line = "A frog."\n', "", 1),
            "has no line for the level 'random'; add it to \\[cast.random\\]",
        ),
    ],
)
def test_mismatching_casts_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, text: str, reason: str
) -> None:
    register(monkeypatch, tmp_path, code, words(text))
    with pytest.raises(CastError, match=f"the cast of '{code}' {reason}") as raised:
        cast_of(code)
    assert str(tmp_path / code / "bots" / "words") in str(raised.value)


def test_a_cast_that_lacks_a_text_in_one_language_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shorter = cast(**WHOLE).replace('line = "A frog."\n', "", 1)
    register(monkeypatch, tmp_path, "pond_f", words(cast(**WHOLE)) | {"bots/words/de.toml": shorter})
    with pytest.raises(WordsError, match=r"cast\.random\.line"):
        cast_of("pond_f")
