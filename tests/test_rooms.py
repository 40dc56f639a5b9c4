"""Only a game's own folders know the game: no other source file contains its code."""

import re
from pathlib import Path

import pytest

from threespan.core.registry import built_in_codes

ROOT = Path(__file__).parents[1]
# Whatever makes, builds, runs or measures the product. Tests and examples play games by name, docs tell of them.
FOLDERS = ("src", "web", "bench", "training", ".ci")
# Where the games themselves may be named: the description of the package.
MAY_NAME_GAMES = {"pyproject.toml": re.compile(r"^description = ")}
# Installed or built, not written.
NOT_OURS = {"node_modules", "page", "package-lock.json", "__pycache__"}
# The folders of a game, and the files that stand for one where a layer has only one file a game.
HOMES = (
    "src/threespan/{layer}/{code}/",
    "src/threespan/research/games/{code}.py",
    "web/src/games/{code}/",
    "bench/{code}/",
    "bench/twins/{code}",
    "training/{code}/",
)
LAYERS = "games|bots|review"


def sources(root: Path = ROOT) -> list[Path]:
    """Every text file of the product's folders and of the root, documents aside."""
    files = [file for folder in FOLDERS for file in (root / folder).rglob("*")]
    files += [file for file in root.iterdir() if not file.name.startswith(".")]
    ours = [file for file in files if file.is_file() and not NOT_OURS & set(file.relative_to(root).parts)]
    return sorted(file for file in ours if file.suffix != ".md" and is_text(file))


def is_text(file: Path) -> bool:
    try:
        file.read_text("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def is_home_of(code: str, place: str) -> bool:
    """Whether a file belongs to a game."""
    patterns = [re.escape(home).replace(r"\{layer\}", f"({LAYERS})").replace(r"\{code\}", code) for home in HOMES]
    return any(re.match(pattern, place) for pattern in patterns)


def name_of(codes: list[str]) -> re.Pattern[str]:
    """The codes of games, whatever their case, also in `loadNim` and `NIM_CARDS`, but not in the middle of a word."""
    anywhere = [rf"(?<![a-zA-Z])(?i:{code})" for code in codes]
    in_names = [rf"(?<=[a-z]){code.capitalize()}" for code in codes]
    return re.compile("|".join([*anywhere, *in_names]))


def strangers(root: Path, codes: list[str]) -> list[str]:
    """Occurrences of a game's code in the names or contents of files that do not belong to the game."""
    found = []
    for file in sources(root):
        place = str(file.relative_to(root))
        foreign = [code for code in codes if not is_home_of(code, place)]
        if not foreign:
            continue
        name, allowed = name_of(foreign), MAY_NAME_GAMES.get(place)
        if name.search(place):
            found.append(f"{place}: its name")
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if name.search(line) and not (allowed and allowed.match(line)):
                found.append(f"{place}:{number}: {line.strip()[:80]}")
    return found


def test_no_game_is_named_outside_its_folders() -> None:
    assert strangers(ROOT, built_in_codes()) == []


def test_all_kinds_of_sources_are_looked_at() -> None:
    looked_at = sources()
    assert {"Makefile", "pyproject.toml", "hatch_build.py"} <= {file.name for file in looked_at}
    suffixes = {file.suffix for file in looked_at}
    assert {".py", ".toml", ".ts", ".svelte", ".css", ".html", ".json", ".mjs", ".c", ".svg", ".mako"} <= suffixes


@pytest.mark.parametrize(
    ("file", "text", "is_found"),
    [
        ("src/threespan/server/lobby.py", 'DEFAULT = "{code}"', True),
        ("src/threespan/server/lobby.py", 'KEY = f"{code}_{number}"', True),
        ("src/threespan/bots/levels.py", "from threespan.bots.{code}.levels import LEVELS", True),
        ("src/threespan/server/{code}.py", "LIMIT = 3", True),
        ("src/threespan/server/{code}/limits.py", "LIMIT = 3", True),
        ("src/threespan/table/words/en.toml", 'hello = "Welcome to {Code}!"', True),
        ("web/src/lib/games.ts", "const OPENED = new Set(['{Code}'])", True),
        ("web/src/lib/games.ts", "import { load{Code} } from './load'", True),
        ("web/src/lib/games.ts", "const {CODE}_SEATS = 4", True),
        ("web/src/home/{Code}Scene.svelte", "<svg />", True),
        ("web/src/app.css", ".board-{code} {{ color: red }}", True),
        ("web/public/icon.svg", "<title>{Code}</title>", True),
        ("bench/run.sh", "threespan bench {code}", True),
        ("Makefile", "bench: ; threespan bench {code}", True),
        ("pyproject.toml", 'include = ["{code}"]', True),
        ("pyproject.toml", 'description = "Games: {Code}"', False),
        ("src/threespan/games/{code}/rules.py", '"""The rules of {Code}."""', False),
        ("src/threespan/research/games/{code}.py", '"""{Code} as numbers."""', False),
        ("web/src/games/{code}/Board.svelte", "<!-- {Code} -->", False),
        ("web/node_modules/x/index.js", "'{code}'", False),
        ("web/src/words/de.json", '"x": "Land{code}, zwölf{code}"', False),
    ],
)
def test_a_planted_name_is_found(tmp_path: Path, file: str, text: str, is_found: bool) -> None:
    for code in built_in_codes():
        names = {"{code}": code, "{Code}": code.capitalize(), "{CODE}": code.upper()}
        place, content = file, text
        for name, value in names.items():
            place, content = place.replace(name, value), content.replace(name, value)
        planted = tmp_path / code / place
        planted.parent.mkdir(parents=True)
        planted.write_text(content, "utf-8")
        assert bool(strangers(tmp_path / code, built_in_codes())) == is_found, place
