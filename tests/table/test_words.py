"""Every text of a table is used, and every refusal has a text."""

import ast
from pathlib import Path
from typing import get_args

import pytest

import threespan
from threespan.core.words import LANGUAGES
from threespan.table.messages.shared import Phrase
from threespan.table.refusals import WORDS, phrases

TOPICS = {"refusal", "phrase", "report", "guest", "verdict", "check", "doubt"}
SOURCES = [Path(str(threespan.__file__)).parent / layer for layer in ("table", "server")]


def codes_in(source: str) -> set[str]:
    """The codes of refusals in a source file; they must be literals."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
            choices = [node.args[0].body, node.args[0].orelse] if isinstance(node.args[0], ast.IfExp) else node.args[:1]
            for choice in choices:
                assert isinstance(choice, ast.Constant), ast.unparse(node)
                found.add(str(choice.value))
    return found


def test_every_reason_has_a_text_and_every_text_a_reason() -> None:
    used = {code for folder in SOURCES for file in folder.rglob("*.py") for code in codes_in(file.read_text("utf-8"))}
    assert used == set(WORDS.keys("refusal."))


def test_every_phrase_has_a_text_and_every_text_a_phrase() -> None:
    assert set(get_args(Phrase)) == set(WORDS.keys("phrase."))
    assert {key.partition(".")[0] for key in WORDS.keys("")} == TOPICS
    for language in LANGUAGES:
        assert all(phrases(language).values())


def test_a_reason_without_a_text_is_found() -> None:
    assert codes_in('raise Refusal("a" if x else "b", reason=c)\nraise Refusal("d")') == {"a", "b", "d"}
    with pytest.raises(AssertionError):
        codes_in("raise Refusal(code)")
