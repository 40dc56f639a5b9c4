"""The documentation is correct: generated pages are current, links work, and the README's code runs."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest

from threespan.core.registry import built_in_codes
from threespan.table.messages import client, server

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def test_generated_pages_are_current() -> None:
    command = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_code_in_the_readme_runs() -> None:
    [code] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    promised = re.findall(r"print\(.*\)  # ([^:\n]+)", code)
    assert done.stdout.split("\n")[:-1] == promised


def test_source_files_are_mentioned_in_the_architecture() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    for file in (ROOT / "src" / "threespan").rglob("*.py"):
        if file.parent.name in ("core", "threespan") and not file.name.startswith("__"):
            assert file.name in page, f"docs/architecture.md does not mention {file.name}"


def test_files_to_touch_for_a_change_exist() -> None:
    """The table in docs/architecture.md names real files; GAME is replaced by each game."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| a new ")]
    assert len(rows) >= 5
    named = {path for row in rows for path in re.findall(r"`((?:\w+/)+[\w*.]+)`", row)}
    assert named
    for path in named:
        for code in built_in_codes():
            where = path.replace("GAME", code)
            found = [*(ROOT / "src" / "threespan").glob(where), *ROOT.glob(where)]
            assert found, f"docs/architecture.md names {path}, but there is no {where}"


def test_private_apis_are_bounded_to_versions_that_were_tested() -> None:
    page = (ROOT / "docs" / "private-apis.md").read_text("utf-8")
    bounds = {name.lower(): bound for name, bound in re.findall(r"^\| (\w+) `<([\d.]+)` \|", page, re.MULTILINE)}
    assert {"uvicorn", "litestar", "numba"} <= bounds.keys()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = project["dependencies"] + project["optional-dependencies"]["build"]
    for name, bound in bounds.items():
        [line] = [line for line in needed if re.match(rf"{name}\b", line)]
        assert line.endswith(f",<{bound}"), f"docs/private-apis.md bounds {name} by {bound}, pyproject.toml says {line}"
        assert _numbers(version(name)) < _numbers(bound), f"{name} {version(name)} has not been tested"


def _numbers(text: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", text)]


def test_files_and_tests_of_private_apis_exist() -> None:
    page = (ROOT / "docs" / "private-apis.md").read_text("utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ")][1:]
    for _, _, places, _, tests in rows:
        for place in re.findall(r"`([\w/]+\.py)`", places):
            assert (ROOT / "src" / "threespan" / place).exists(), place
        named = re.findall(r"`(tests/[\w/]+(?:\.py)?)`", tests)
        assert named, tests
        assert all((ROOT / place).exists() for place in named), named


USED = re.compile(r"^(?:from|import) ((?:uvicorn|litestar|numba)\.[\w.]+)", re.MULTILINE)
PUBLIC = re.compile(r"litestar\.(datastructures|exceptions|openapi|params)\b|numba\.extending$")


def test_every_module_that_is_not_public_is_listed() -> None:
    page = (ROOT / "docs" / "private-apis.md").read_text("utf-8")
    for file in (ROOT / "src").rglob("*.py"):
        for module in USED.findall(file.read_text("utf-8")):
            parts = module.partition(".")[2]
            assert PUBLIC.match(module) or parts in page, f"{file}: docs/private-apis.md does not mention {module}"


def test_every_message_is_in_the_protocol() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    for direction in (client, server):
        kinds = [
            kind for kind in vars(direction).values() if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
        ]
        tags = {kind.__struct_config__.tag for kind in kinds if kind.__module__ == direction.__name__}
        missing = {tag for tag in tags - {None} if f"`{tag}`" not in page}
        assert not missing, f"docs/protocol.md does not mention {missing}"
