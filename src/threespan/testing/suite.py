"""All checks of the suite, for projects that run them together with their own tests.

A check is a function that takes a `Subject` and raises AssertionError:

    @pytest.mark.parametrize("check", CHECKS)
    def test_conforms(check: Check) -> None:
        check(Subject.of("CODE"))
"""

import sys

import pytest

_MODULES = (
    "play",
    "texts",
    "views",
    "knowledge",
    "leaks",
    "records",
    "digest",
    "modes",
    "servers",
    "bots",
    "research",
)
_NAMES = [f"{__package__}.{name}" for name in _MODULES]
pytest.register_assert_rewrite(*(name for name in _NAMES if name not in sys.modules))

from threespan.testing import bots, knowledge, leaks, modes, play, records, research, servers, texts, views  # noqa: E402
from threespan.testing.subject import Check, Subject  # noqa: E402

CHECKS = [
    pytest.param(check, id=check.__name__, marks=pytest.mark.kernels if is_about_kernels else ())
    for module in (play, texts, views, knowledge, leaks, records, modes, servers, bots, research)
    for check, is_about_kernels in module.CHECKS.items()
]

__all__ = ["CHECKS", "Check", "Subject"]
