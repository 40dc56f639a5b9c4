"""The words of docs/glossary.md are the ones that the code uses, and retired ones do not come back."""

import re
from pathlib import Path

import msgspec
import pytest

from threespan.core.game import Game, Position
from threespan.table import events
from threespan.table.messages import client, lobby, server, shared

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "threespan"
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
ROWS = [line.strip("|").split(" | ") for line in GLOSSARY.splitlines() if line.startswith("| ") and "---" not in line]
TERMS = [[cell.strip() for cell in row] for row in ROWS if row[0].strip() != "term"]

SOURCES = sorted(
    file
    for folder, endings in (("src", {".py"}), ("tests", {".py"}), ("bench", {".py"}), ("web/src", {".ts", ".svelte"}))
    for file in (ROOT / folder).rglob("*")
    if file.suffix in endings and file != Path(__file__)
)
LIMITS = re.compile(r"\b_?(?:MOST|LEAST|FEWEST|LONGEST)(?:_[A-Z_]+)?\b(?=\s*(?:=|:|,))")
RETIRED_FIELDS = {"do", "have", "offer", "spots", "step", "steps", "told", "way", "words"}


def test_limits_are_called_max_and_min() -> None:
    found = [
        f"{file.relative_to(ROOT)}: {name}" for file in SOURCES for name in LIMITS.findall(file.read_text("utf-8"))
    ]
    assert not found, f"call limits MAX_... and MIN_...: {found}"


@pytest.mark.parametrize("module", [client, server, lobby, shared, events], ids=lambda module: module.__name__)
def test_messages_and_events_use_the_words_of_the_glossary(module: object) -> None:
    for struct in vars(module).values():
        if isinstance(struct, type) and issubclass(struct, msgspec.Struct):
            retired = RETIRED_FIELDS & set(struct.__struct_fields__)
            assert not retired, f"{struct.__name__} has {retired}; docs/glossary.md has the words to use"


@pytest.mark.parametrize("row", TERMS, ids=lambda row: row[0])
def test_terms_are_where_the_glossary_says(row: list[str]) -> None:
    _, meaning, where = row
    assert meaning
    for place in re.findall(r"`([^`]+)`", where):
        owner, _, member = place.partition(".")
        if owner in ("Game", "Position"):
            assert hasattr({"Game": Game, "Position": Position}[owner], member), f"there is no {place}"
        elif "of a game" in where:
            assert all(
                (folder / place).exists() for folder in (PACKAGE / "games").iterdir() if (folder / "game.py").exists()
            )
        else:
            assert (PACKAGE / place).exists() or (ROOT / place).exists(), f"there is no {place}"


def test_names_in_the_glossary_exist() -> None:
    text = "\n".join(file.read_text("utf-8") for file in SOURCES if PACKAGE in file.parents)
    names = {name for row in TERMS for cell in row[:2] for name in re.findall(r"`@?(?:Game\.)?(\w+)`", cell)}
    missing = {name for name in names if not re.search(rf"\b{name}\b", text)}
    assert not missing, f"docs/glossary.md has names that are not in the code: {missing}"
