"""Every built-in game passes the suite in `threespan.testing`."""

from pathlib import Path

import pytest

from threespan.core.registry import built_in_codes
from threespan.testing.suite import CHECKS, Check, Subject

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("code", built_in_codes())
@pytest.mark.parametrize("check", CHECKS)
def test_conforms(code: str, check: Check) -> None:
    check(Subject.of(code, GOLDEN / code))
