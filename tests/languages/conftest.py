"""A copy of everything that speaks, with a third language dropped in."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from languages.pseudo import add_language

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Copy:
    """A copy of the sources; what runs in it does not see the originals."""

    root: Path

    def run(self, *command: str | Path, typed: str = "") -> "subprocess.CompletedProcess[str]":
        """Run Python on the copy."""
        paths = [self.root / "src", self.root / "tests" / "games"]
        own = {"PYTHONPATH": os.pathsep.join(map(str, paths)), "THREESPAN_GAMES": "nim", "NUMBA_DISABLE_JIT": "1"}
        own |= {"THREESPAN_STATE": str(self.root / "state"), "COLUMNS": "400"}
        line = [sys.executable, *map(str, command)]
        return subprocess.run(
            line, env=os.environ | own, input=typed, capture_output=True, text=True, check=False, cwd=self.root
        )


def copy_sources(root: Path) -> Copy:
    """Copy the package, the page's sources and the example game."""
    ignore = shutil.ignore_patterns("__pycache__", "page", "node_modules")
    for folder in ("src/threespan", "tests/games", "web"):
        shutil.copytree(ROOT / folder, root / folder, ignore=ignore)
    return Copy(root)


@pytest.fixture(scope="session")
def trilingual(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A copy that speaks a third, made-up language."""
    copy = copy_sources(tmp_path_factory.mktemp("trilingual"))
    assert add_language(copy.root)
    return copy
