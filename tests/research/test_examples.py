"""The examples and the code in the documentation run."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium

import threespan.research.gymnasium  # noqa: F401 # registers the environments
from threespan.core.registry import built_in_codes
from threespan.research.open_spiel import TYPES

ROOT = Path(__file__).parents[2]
EXAMPLES, DOCS = ROOT / "examples", ROOT / "docs"


def test_learning_stege_by_temporal_differences() -> None:
    words = ["--learn", "40", "--lanes", "16", "--matches", "16"]
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "stege_td.py"), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    *_, weights, result = done.stdout.splitlines()
    assert len(re.findall(r"-?[0-9.]+", weights)) == 9
    assert re.fullmatch(r"wins against the greedy player: [0-9.]+% \+- [0-9.]+% of 16", result)


def test_the_code_in_the_documentation_runs() -> None:
    [code] = re.findall(r"```python\n(.*?)```", (DOCS / "research.md").read_text("utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["tensors"].shape == (4096, 312)
    assert names["masks"].shape == (4096, 262)
    assert names["rewards"].shape == (4096, 2)


def test_the_documentation_names_every_environment() -> None:
    page = (DOCS / "research.md").read_text("utf-8")
    for name in ("HashiSolo", "HashiDaily", "Hashi", "Stege", "Elfer"):
        assert f"`{name}-v0`" in page
        assert f"threespan/{name}-v0" in gymnasium.registry
    for code in built_in_codes():
        assert f"`{TYPES[code].short_name}`" in page
