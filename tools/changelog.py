"""Cuts the section of a release out of the changelog, and reads what was released before."""

import re
from datetime import date

UNRELEASED = "## [Unreleased]"
_RELEASED = re.compile(r"^## \[(\d+)\.(\d+)\.(\d+)\]", re.MULTILINE)
_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")


class ReleaseError(Exception):
    """Something has to be fixed before there can be a release; the message says what."""


def check_version(version: str, changelog: str) -> None:
    """Raise ReleaseError if a version is not written as x.y.z, or not newer than the last one released."""
    numbers = _numbers(version)
    released = [tuple(map(int, found)) for found in _RELEASED.findall(changelog)]
    if released and numbers <= max(released):
        last = ".".join(map(str, max(released)))
        raise ReleaseError(f"{version} is not newer than {last}, which the changelog has as released")


def cut(changelog: str, version: str, day: date) -> str:
    """The changelog with what was unreleased as the section of a version, under an empty new one."""
    check_version(version, changelog)
    before, found, after = changelog.partition(f"{UNRELEASED}\n")
    if not found:
        raise ReleaseError(f"the changelog has no section '{UNRELEASED}'")
    changes = re.split(r"^## ", after, maxsplit=1, flags=re.MULTILINE)[0]
    if not any(line.startswith("- ") for line in changes.splitlines()):
        raise ReleaseError("nothing is listed as unreleased in the changelog, so there is nothing to release")
    return f"{before}{UNRELEASED}\n\n## [{version}] - {day.isoformat()}\n{after}"


def set_version(source: str, version: str) -> str:
    """The source of the package with another version."""
    _numbers(version)
    changed, times = re.subn(r'^__version__ = "[^"]*"$', f'__version__ = "{version}"', source, flags=re.MULTILINE)
    if times != 1:
        raise ReleaseError(f"the package should say its version once, not {times} times")
    return changed


def _numbers(version: str) -> tuple[int, ...]:
    found = _VERSION.fullmatch(version)
    if found is None:
        raise ReleaseError(f"'{version}' is not a version; write three numbers, as in VERSION=1.4.0")
    return tuple(map(int, found.groups()))
