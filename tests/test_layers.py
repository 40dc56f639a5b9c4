"""Imports point one way, and everything public is documented where it should be."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "threespan"
# Every layer may import itself and what is named for it; the modules at the top may import everything.
MAY_IMPORT = {
    "core": set(),
    "games": {"core"},
    "bots": {"games", "core"},
    "arena": {"bots", "games", "core"},
    "research": {"bots", "games", "core"},
    "testing": {"research", "bots", "games", "core"},
    "new_game": {"testing", "research", "bots", "core"},
    "review": {"bots", "games", "core"},
    "table": {"bots", "games", "core"},
    "server": {"table", "review", "bots", "games", "core"},
    "terminal": {"table", "review", "bots", "games", "core"},
}
SOURCES = sorted(PACKAGE.rglob("*.py"))


# Not part of the installed package.
OUTSIDE = {"bench", "docs", "examples", "tests", "training", "web"}


def imports(file: Path) -> set[str]:
    """What a file imports from the package."""
    return {name for name in all_imports(file) if name.startswith("threespan.")}


def all_imports(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
    return found


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_point_one_way(file: Path) -> None:
    layer = file.relative_to(PACKAGE).parts[0]
    if layer not in MAY_IMPORT:
        assert file.parent == PACKAGE, f"{layer} is a new layer: say in this test what it may import"
        return
    for name in imports(file):
        imported = name.split(".")[1]
        assert imported in MAY_IMPORT[layer] | {layer}, f"{layer} may not import {name}"


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_the_package_stands_alone(file: Path) -> None:
    for name in all_imports(file):
        assert name.partition(".")[0] not in OUTSIDE, f"{name} is not part of the package"


@pytest.mark.parametrize(
    "file", [f for f in SOURCES if f.is_relative_to(PACKAGE / "table")], ids=lambda f: str(f.relative_to(PACKAGE))
)
def test_a_table_knows_of_bots_only_their_names(file: Path) -> None:
    for name in imports(file):
        assert not name.startswith("threespan.bots") or name == "threespan.bots.names"


# Time, randomness and whatever was stored come to a table as arguments. Its words are files of the package.
PURE = {"collections", "dataclasses", "functools", "hashlib", "msgspec", "threespan", "typing"}
WORDS_OF_TABLES = PACKAGE / "table" / "refusals.py"


@pytest.mark.parametrize(
    "file", [f for f in SOURCES if f.is_relative_to(PACKAGE / "table")], ids=lambda f: str(f.relative_to(PACKAGE))
)
def test_a_table_has_no_clock_no_chance_and_no_files(file: Path) -> None:
    allowed = PURE | ({"pathlib"} if file == WORDS_OF_TABLES else set())
    assert {name.partition(".")[0] for name in all_imports(file)} <= allowed


@pytest.mark.parametrize(
    "file", [f for f in SOURCES if f.is_relative_to(PACKAGE / "games")], ids=lambda f: str(f.relative_to(PACKAGE))
)
def test_a_game_knows_no_other_game(file: Path) -> None:
    parts = file.relative_to(PACKAGE / "games").parts
    for name in imports(file):
        if len(parts) > 1 and name.startswith("threespan.games."):
            assert name.split(".")[2] == parts[0]
