"""Games outside the package, written to a temporary folder for a test."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

NIM = Path(__file__).parents[1] / "games" / "nim"
_NOT_NEEDED = {"bots", "research.py", "tests"}  # optional parts of a game


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files by their path in a folder; every folder with a Python file becomes a package."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        if file.suffix == ".py":
            (file.parent / "__init__.py").touch()


def register(monkeypatch: pytest.MonkeyPatch, folder: Path, code: str, files: Mapping[str, str]) -> None:
    """Register a package with these files and no rules; every test needs a different code."""
    write_files(folder / code, {"__init__.py": "", **files})
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("THREESPAN_GAMES", code)


def run_with_game(folder: Path, code: str, files: Mapping[str, str], program: str) -> str:
    """Run a program with a registered copy of Nim plus some files; returns its output.

    It runs uncompiled in a separate process, since registered kernels stay for the lifetime of a process.
    """
    for file in NIM.rglob("*"):
        if file.suffix in (".py", ".toml") and not _NOT_NEEDED & set(file.relative_to(NIM).parts):
            text = file.read_text("utf-8")
            own = re.sub(r"\bnim\b", code, text) if file.suffix == ".py" else text
            write_files(folder / code, {str(file.relative_to(NIM)): own})
    write_files(folder / code, files)
    environment = os.environ | {"THREESPAN_GAMES": code, "PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
