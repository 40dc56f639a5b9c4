"""A language is a set of files: a third one is dropped into a copy of the page, which is built as it is."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from languages.pseudo import CLOSE, CODE, OPEN, add_language

WEB = Path(__file__).parents[2] / "web"
_NOT_COPIED = ("node_modules", "__pycache__")

Build = Callable[[], subprocess.CompletedProcess[str]]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A copy of the page's sources with a third language in every folder of words."""
    web = tmp_path / "web"
    shutil.copytree(WEB, web, ignore=shutil.ignore_patterns(*_NOT_COPIED))
    (web / "node_modules").symlink_to(WEB / "node_modules", target_is_directory=True)
    add_language(web / "src")
    return web


@pytest.fixture
def build(page: Path) -> Build:
    def build() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(page / "build.py")]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return build


def edit(page: Path, file: str, change: Callable[[dict[str, Any]], None]) -> None:
    path = page / "src" / file
    words = json.loads(path.read_text("utf-8"))
    change(words)
    path.write_text(json.dumps(words), "utf-8")


def test_a_third_language_is_built_and_offered(page: Path, build: Build) -> None:
    answer = build()
    assert answer.returncode == 0, answer.stderr
    built = page.parent / "src" / "threespan" / "server" / "page"
    needs = json.loads((built / "preload.json").read_text("utf-8"))
    boards = [file.parent.name for file in (page / "src" / "games").glob("*/game.ts")]
    assert len(boards) >= 3
    for key in (CODE, *(f"{game}.{CODE}" for game in boards)):
        files = [built / name for name in needs[key]]
        assert any(OPEN in file.read_text("utf-8") for file in files), key
    scripts = "".join(file.read_text("utf-8") for file in (built / "assets").glob("early-*.js"))
    assert f"{OPEN}English{CLOSE}" in scripts, "the switch offers it by its own name"


@pytest.mark.parametrize(
    ("file", "change", "complaint"),
    [
        ("words/xx.json", lambda words: words.pop("playNow"), "src/words/xx.json: the text 'playNow' is missing"),
        ("words/de.json", lambda words: words.update(more="{more}"), "src/words/de.json: 'more' must have no names"),
        ("words/xx.json", lambda words: words.update(new="?"), "xx.json: the text 'new' stands in no other language"),
        ("words/xx.json", lambda words: words.update(points="?"), "src/words/xx.json: 'points' must have {count}"),
    ],
)
def test_a_file_that_does_not_fit_stops_the_build(
    page: Path, build: Build, file: str, change: Callable[[dict[str, Any]], None], complaint: str
) -> None:
    edit(page, file, change)
    answer = build()
    assert answer.returncode != 0
    assert complaint in answer.stderr


def test_a_game_without_the_language_stops_the_build(page: Path, build: Build) -> None:
    missing = next((page / "src" / "games").glob(f"*/words/{CODE}.json"))
    missing.unlink()
    answer = build()
    assert answer.returncode != 0
    assert f"{missing.relative_to(page)} is missing" in answer.stderr
