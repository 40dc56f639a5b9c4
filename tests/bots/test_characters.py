"""The casts are compared with games and levels both ways; games without one fall back to plain names."""

from pathlib import Path

import pytest

from threespan.bots.characters import CharactersError, character, full_name, level_name, load_casts
from threespan.bots.names import bot_names
from threespan.core.kernel import further_games
from threespan.core.registry import codes
from threespan.core.rulebook import LANGUAGES

OWN_GAMES = [code for code in codes() if code not in further_games()]
LONGEST_LINE = 100

LEVELS = 'levels.low = { en = "low", de = "tief" }\nlevels.top = { en = "top", de = "hoch" }\n'
PART = '[casts.pond.{level}]\nname = "{name}"\nline = {{ en = "A frog.", de = "Ein Frosch." }}\n'


def load(folder: Path, text: str) -> list[str]:
    file = folder / "characters.toml"
    file.write_text(text, "utf-8")
    return [member.name for member in load_casts(file, ["pond"], ["low", "top"]).casts["pond"].values()]


def part(level: str, name: str) -> str:
    return PART.format(level=level, name=name)


@pytest.mark.parametrize("game", OWN_GAMES)
@pytest.mark.parametrize("level", bot_names())
def test_every_bot_of_every_game_has_a_short_character_in_both_languages(game: str, level: str) -> None:
    english, german = (character(game, level, language) for language in ("en", "de"))
    assert english.name == german.name
    assert english.line != german.line
    for line in (english.line, german.line):
        assert 10 < len(line) <= LONGEST_LINE
        assert line[-1] in ".?!"


def test_no_name_is_used_twice() -> None:
    names = [character(game, level, "en").name for game in OWN_GAMES for level in bot_names()]
    assert len(set(names)) == len(names)


def test_a_full_name_tells_the_level() -> None:
    assert full_name("stege", "expert", "en") == "Svea (expert)"
    assert full_name("stege", "expert", "de") == "Svea (Profi)"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("level", bot_names())
def test_a_game_without_a_cast_gets_the_plain_names(level: str, language: str) -> None:
    chosen = next(known for known in LANGUAGES if known == language)
    assert character("nim", level, chosen) == (level_name(level, chosen), "")
    assert full_name("nim", level, chosen) == level_name(level, chosen)


def test_a_bot_from_elsewhere_keeps_its_name() -> None:
    assert character("hashi", "newcomer", "de") == ("newcomer", "")


def test_casts_that_fit(tmp_path: Path) -> None:
    book = load(tmp_path, LEVELS + part("low", "Ann") + part("top", "Bo"))
    assert book == ["Ann", "Bo"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (LEVELS, "missing required field `casts`"),
        (LEVELS + "[casts]\n", "'pond' is missing among the games"),
        (LEVELS + part("low", "Ann"), "'top' is missing among the levels of pond"),
        (LEVELS + part("low", "Ann") + part("top", "Bo") + part("mid", "Cy"), "'mid' is not among the levels of pond"),
        (LEVELS + part("low", "Ann") + part("top", "Ann"), "two levels of pond have the same name"),
        (LEVELS + part("low", "Ann") + part("top", "Bo").replace("pond", "lake"), "'lake' is not among the games"),
        ('levels.low = { en = "low", de = "tief" }\n' + part("low", "Ann") + part("top", "Bo"), "'top' is missing"),
        (LEVELS + part("low", "Ann").replace(', de = "Ein Frosch."', ""), "missing required field `de`"),
        ("nonsense", "characters.toml"),
    ],
)
def test_casts_that_do_not_fit_are_refused(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(CharactersError, match=reason):
        load(tmp_path, text)
