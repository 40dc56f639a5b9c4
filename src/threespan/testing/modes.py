"""Compiled, uncompiled and bounds-checked kernels must behave the same."""

import os

import pytest

from threespan.core.kernel import IS_UNCOMPILED
from threespan.testing.digest import digest_in_subprocess, digest_of_play
from threespan.testing.subject import Checks, Subject

CHECKS = Checks()
MODES = {"uncompiled": "NUMBA_DISABLE_JIT", "bounds-checked": "NUMBA_BOUNDSCHECK"}


@CHECKS.add
def the_modes_agree(subject: Subject) -> None:
    """Compiled, uncompiled and bounds-checked kernels play the same matches."""
    if IS_UNCOMPILED or os.environ.get("NUMBA_BOUNDSCHECK"):
        pytest.skip("compares with compiled kernels")
    compiled = digest_of_play(subject.game)
    for mode, variable in MODES.items():
        digest = digest_in_subprocess(subject.game.code, "play", **{variable: "1"})
        assert digest == compiled, f"{mode} kernels play differently from compiled ones"
