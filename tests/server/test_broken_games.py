"""A server does not start with a game from elsewhere that it could not play: it says in one line what is missing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NIM = Path(__file__).parents[1] / "games" / "nim"
CAST = '[cast.easy]\nname = "Ada"\nline = "Takes it easy."\n'


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        (
            "game.py",
            "register_kernels(LAYOUT, GAME.kernels)\n",
            "",
            "{nim}/game.py: register_kernels(LAYOUT, GAME.kernels) is",
        ),
        ("words/LANGUAGE.toml", "[option.largest]", "[option.most]", "the text 'option.largest.title' is missing"),
        ("bots/words/LANGUAGE.toml", "", CAST, "the cast of 'nim' has no name for the level 'random'; add it to"),
        ("words/LANGUAGE.toml", "[prompt]", "[prompts]", "{nim}/words/en.toml: the text 'prompt.take' is missing"),
    ],
    ids=["kernels", "title", "cast", "text that is needed in play"],
)
def test_faults_are_reported_at_the_start(tmp_path: Path, file: str, old: str, new: str, reason: str) -> None:
    nim = tmp_path / "nim"
    shutil.copytree(NIM, nim, ignore=shutil.ignore_patterns("__pycache__"))
    for place in {nim / file.replace("LANGUAGE", language) for language in ("en", "de")}:
        place.parent.mkdir(exist_ok=True)
        text = place.read_text("utf-8") if place.exists() else ""
        assert old in text
        place.write_text(text.replace(old, new) if old else new, "utf-8")
    own = {"PYTHONPATH": str(tmp_path), "THREESPAN_GAMES": "nim", "NUMBA_DISABLE_JIT": "1", "COLUMNS": "1000"}
    command = [
        sys.executable,
        "-m",
        "threespan",
        "serve",
        "--port",
        "0",
        "--database",
        f"sqlite:///{tmp_path}/t.sqlite",
    ]
    done = subprocess.run(command, env=os.environ | own, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 2, done.stderr
    [line] = [line for line in done.stderr.splitlines() if not line.startswith("{")]  # those are the log's
    assert line.startswith("threespan: ")
    assert reason.format(nim=nim) in line
