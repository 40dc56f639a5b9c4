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
    "review": {"bots", "games", "core"},
    "server": {"review", "bots", "games", "core"},
}
SOURCES = sorted(PACKAGE.rglob("*.py"))


def imports(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
    return {name for name in found if name.startswith("threespan.")}


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_imports_point_one_way(file: Path) -> None:
    layer = file.relative_to(PACKAGE).parts[0]
    if layer not in MAY_IMPORT:
        assert file.parent == PACKAGE, f"{layer} is a new layer: say in this test what it may import"
        return
    for name in imports(file):
        imported = name.split(".")[1]
        assert imported in MAY_IMPORT[layer] | {layer}, f"{layer} may not import {name}"


@pytest.mark.parametrize("file", [f for f in SOURCES if "games" in f.parts], ids=lambda f: str(f.relative_to(PACKAGE)))
def test_a_game_knows_no_other_game(file: Path) -> None:
    parts = file.relative_to(PACKAGE / "games").parts
    for name in imports(file):
        if len(parts) > 1 and name.startswith("threespan.games."):
            assert name.split(".")[2] == parts[0]
