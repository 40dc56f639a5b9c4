"""Nim passes the conformance suite."""

import pytest

from threespan.testing.suite import CHECKS, Check, Subject


@pytest.mark.parametrize("check", CHECKS)
def test_conforms(check: Check) -> None:
    check(Subject.of("nim"))
