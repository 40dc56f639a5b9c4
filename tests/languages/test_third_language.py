"""A language is a set of files: with a third one dropped in, everything speaks it, and no code has changed."""

import json
import re
import shutil
from pathlib import Path

import pytest

from languages.conftest import HERE, Copy
from languages.pseudo import CLOSE, CODE, OPEN

_IN_BRACKETS = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")


def outside(text: str) -> str:
    """What is left of a text without everything that came from files of words."""
    while (inner := _IN_BRACKETS.sub("", text)) != text:
        text = inner
    return text


def has_words(text: str) -> bool:
    """Whether letters are left that no file has said; Greek ones are the names of the players."""
    return bool(re.search("[A-Za-zÄÖÜäöüß]", text))


def test_brackets_are_found() -> None:
    assert outside(f"{OPEN}a {OPEN}b{CLOSE}: 3{CLOSE}, 4 Ω") == ", 4 Ω"
    assert has_words(outside(f"{OPEN}a{CLOSE} points"))


def test_a_table_speaks_the_third_language(trilingual: Copy) -> None:
    done = trilingual.run(HERE / "saying.py", CODE)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["languages"] == ["en", "de", CODE]
    assert {"table", "nim"} < set(answer["said"])
    for speaker, texts in answer["said"].items():
        assert len(texts) > 10
        strangers = {text for text in texts if OPEN not in text or has_words(outside(text))}
        assert not strangers, f"{speaker} says in no file's words: {sorted(strangers)[:5]}"


def test_the_terminal_speaks_the_third_language(trilingual: Copy) -> None:
    done = trilingual.run(
        "-m", "threespan", "play", "nim", "--bot", "random", "-l", CODE, "--seed", "1", typed="?\nquit\n"
    )
    assert done.returncode == 0, done.stderr
    assert OPEN in done.stdout
    sentences = [line for line in outside(done.stdout).splitlines() if re.search("[a-z]{3,} [a-z]{3,}", line)]
    assert all("take" in line for line in sentences), sentences  # the texts of actions, as records have them


def test_the_rule_book_speaks_the_third_language(trilingual: Copy) -> None:
    done = trilingual.run("-m", "threespan", "rules", "nim", "-l", CODE)
    assert done.stdout.startswith(f"# {OPEN}")


def test_a_language_that_nobody_speaks_is_refused_with_those_that_there_are(trilingual: Copy) -> None:
    done = trilingual.run("-m", "threespan", "rules", "nim", "-l", "fr")
    assert done.returncode == 2
    assert done.stderr == f"threespan: the language 'fr' is not supported; choose one of en, de, {CODE}\n"


@pytest.mark.parametrize("is_whole", [False, True], ids=["text", "file"])
def test_a_missing_text_is_an_error_and_never_english(trilingual: Copy, tmp_path: Path, is_whole: bool) -> None:
    copy = Copy(tmp_path / "copy")
    shutil.copytree(trilingual.root, copy.root, ignore=shutil.ignore_patterns("web", "state"))
    file = copy.root / "tests" / "games" / "nim" / "words" / f"{CODE}.toml"
    lines = file.read_text("utf-8").splitlines()
    if is_whole:
        file.unlink()
    else:
        file.write_text("\n".join(line for line in lines if not line.startswith("pitch")), "utf-8")
    done = copy.run("-m", "threespan", "rules", "nim", "-l", "en")
    assert done.returncode == 2
    expected = "is missing; every text must exist in en, de, xx" if is_whole else "the text 'game.pitch' is missing"
    assert f"{file}" in done.stderr
    assert expected in done.stderr
    assert "Traceback" not in done.stderr
