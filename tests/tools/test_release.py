"""A release is cut out of the changelog, and refused where something is in the way."""

import os
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

import threespan
from tools import release
from tools.changelog import UNRELEASED, ReleaseError, check_version, cut, set_version

ROOT = Path(__file__).parents[2]
DAY = date(2026, 3, 1)
CHANGELOG = """# Changelog

## [Unreleased]

### Added

- A bell.

## [1.2.0] - 2026-01-05

### Fixed

- A hole.
"""
EMPTY = CHANGELOG.replace("### Added\n\n- A bell.\n\n", "")
SOURCE = '"""A package."""\n\n__version__ = "1.2.0"\n'


def test_what_was_unreleased_becomes_the_section_of_the_version() -> None:
    assert cut(CHANGELOG, "1.3.0", DAY) == CHANGELOG.replace(
        "## [Unreleased]\n", "## [Unreleased]\n\n## [1.3.0] - 2026-03-01\n"
    )


def test_after_a_release_there_is_nothing_to_release() -> None:
    with pytest.raises(ReleaseError, match="nothing is listed as unreleased"):
        cut(cut(CHANGELOG, "1.3.0", DAY), "1.4.0", DAY)


@pytest.mark.parametrize("text", [EMPTY, CHANGELOG.replace("- A bell.\n", "")])
def test_an_empty_section_is_refused(text: str) -> None:
    with pytest.raises(ReleaseError, match="nothing is listed as unreleased"):
        cut(text, "1.3.0", DAY)


def test_a_changelog_without_the_section_is_refused() -> None:
    with pytest.raises(ReleaseError, match="has no section"):
        cut(CHANGELOG.replace("Unreleased", "Next"), "1.3.0", DAY)


@pytest.mark.parametrize("version", ["1.2.1", "1.3.0", "2.0.0", "1.10.0"])
def test_newer_versions(version: str) -> None:
    check_version(version, CHANGELOG)


def test_the_first_version_may_be_any() -> None:
    check_version("0.1.0", "# Changelog\n\n## [Unreleased]\n")


@pytest.mark.parametrize("version", ["1.2.0", "1.1.9", "0.9.9"])
def test_a_version_that_is_not_newer_is_refused(version: str) -> None:
    with pytest.raises(ReleaseError, match=f"{version} is not newer than 1.2.0"):
        check_version(version, CHANGELOG)


@pytest.mark.parametrize("version", ["", "1.3", "v1.3.0", "1.3.0rc1", "1.03.0", "1.3.0\n", "one"])
def test_what_is_not_a_version_is_refused(version: str) -> None:
    with pytest.raises(ReleaseError, match="is not a version; write three numbers"):
        check_version(version, CHANGELOG)
    with pytest.raises(ReleaseError, match="is not a version"):
        set_version(SOURCE, version)


def test_the_version_is_set_once() -> None:
    assert set_version(SOURCE, "1.3.0") == SOURCE.replace("1.2.0", "1.3.0")
    with pytest.raises(ReleaseError, match="once, not 0 times"):
        set_version("", "1.3.0")
    with pytest.raises(ReleaseError, match="once, not 2 times"):
        set_version(SOURCE + SOURCE, "1.3.0")


def test_this_project_can_be_released() -> None:
    assert (ROOT / release.CHANGELOG).read_text("utf-8").count(f"\n{UNRELEASED}\n") == 1
    assert '__version__ = "99.0.0"' in set_version((ROOT / release.SOURCE).read_text("utf-8"), "99.0.0")


def test_the_version_stands_in_one_file() -> None:
    for file in ("pyproject.toml", "web/package.json", "web/package-lock.json", "Dockerfile", "compose.yaml"):
        lines = (ROOT / file).read_text("utf-8").splitlines()[:12]  # of the lock file, only what it says of the page
        assert not [line for line in lines if threespan.__version__ in line], file


# A checkout


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small project under git."""
    files = {release.CHANGELOG: CHANGELOG, release.SOURCE: SOURCE}
    for file, text in files.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text, "utf-8")
    for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "all of it"]):
        identity = ["-c", "user.name=Tester", "-c", "user.email=tester@localhost"]
        subprocess.run(["git", *identity, *command], cwd=tmp_path, check=True)
    for name, value in (("user.name", "Tester"), ("user.email", "tester@localhost")):
        release.git(tmp_path, "config", name, value)
    return tmp_path


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[str]]:
    """Archives are not built but only named; the names of those that were tried out."""
    names: list[str] = []
    monkeypatch.setattr(release, "build", lambda root, version: [root / "dist" / f"threespan-{version}.tar.gz"])
    monkeypatch.setattr(release, "try_out", lambda archive, _version: names.append(archive.name))
    return lambda: names


def test_a_release_is_tried_committed_and_tagged(checkout: Path, tried: Callable[[], list[str]]) -> None:
    release.release(checkout, "1.3.0")
    assert tried() == ["threespan-1.3.0.tar.gz"]
    assert (checkout / release.SOURCE).read_text("utf-8") == SOURCE.replace("1.2.0", "1.3.0")
    assert "## [1.3.0] - 20" in (checkout / release.CHANGELOG).read_text("utf-8")
    assert release.git(checkout, "log", "--format=%s").splitlines() == ["release: 1.3.0", "all of it"]
    assert release.git(checkout, "tag").split() == ["v1.3.0"]
    release.check_tree(checkout)


@pytest.mark.usefixtures("tried")
@pytest.mark.parametrize("file", ["notes.txt", str(release.SOURCE)])
def test_a_dirty_tree_is_refused(checkout: Path, file: str) -> None:
    (checkout / file).write_text("not committed", "utf-8")
    with pytest.raises(ReleaseError, match=f"not committed: {file}$"):
        release.release(checkout, "1.3.0")
    assert (checkout / release.CHANGELOG).read_text("utf-8") == CHANGELOG


@pytest.mark.usefixtures("tried")
def test_what_fails_on_trial_is_no_release(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_archive: Path, _version: str) -> None:
        raise ReleaseError("it does not play")

    monkeypatch.setattr(release, "try_out", fail)
    with pytest.raises(ReleaseError, match="it does not play"):
        release.release(checkout, "1.3.0")
    release.check_tree(checkout)
    assert release.git(checkout, "tag") == ""


def test_without_a_version_make_asks_for_one() -> None:
    command = ["make", "--silent", "--old-file=.venv/.installed-dev", "release"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert done.stderr.splitlines()[0] == "Which version? make release VERSION=1.4.0"
