"""The tested versions are those that pyproject.toml allows and that are installed; the list names no addresses."""

import sys

import pytest
from packaging.utils import canonicalize_name
from packaging.version import Version

from tools.constraints import FILE, installed, read, wanted

PINS = read(FILE.read_text("utf-8"))
EARLY_PATCH_RELEASES = {"async-timeout"}  # needed before Python 3.11.3 only, so it is not pinned
HOW_TO_FIX = "`make constraints` rewrites the file"


def test_everything_that_is_asked_for_has_a_tested_version() -> None:
    for name, requirements in wanted().items():
        assert name in PINS, f"{name} is missing in constraints.txt: {HOW_TO_FIX}"
        for requirement in requirements:
            assert requirement.specifier.contains(PINS[name]), f"{name} {PINS[name]} is not {requirement}: {HOW_TO_FIX}"


def test_what_is_installed_is_what_was_tested() -> None:
    found = installed()
    assert {name: version for name, version in found.items() if PINS.get(name, version) != version} == {}, HOW_TO_FIX


@pytest.mark.skipif(
    sys.platform != "linux" or sys.version_info[:2] != (3, 11), reason="elsewhere packages need other packages"
)
def test_nothing_else_is_listed() -> None:
    assert sorted(PINS) == sorted(installed().keys() - EARLY_PATCH_RELEASES), HOW_TO_FIX


def test_names_and_versions_only() -> None:
    for name, version in PINS.items():
        assert canonicalize_name(name) == name
        assert str(Version(version)) == version
