"""The test that `python -m threespan.testing CODE` runs with pytest."""

import pytest

from threespan.testing.suite import CHECKS, Check, Subject


@pytest.mark.parametrize("check", CHECKS)
def test_conforms(check: Check, subject: Subject) -> None:
    """A game passes every check; the command provides `subject`."""
    check(subject)
