"""Servers run without the compiler: everything that they call of a game must work with linked kernels."""

import os

import pytest

from threespan.core.kernel import IS_UNCOMPILED, LIBRARY_VARIABLE
from threespan.testing.digest import digest_in_subprocess, digest_of_service, last_line, run_module
from threespan.testing.subject import Checks, Subject

CHECKS = Checks()


@CHECKS.add
def a_server_can_play_it(subject: Subject) -> None:
    """Linked kernels give the same results, and every kernel that Python calls is an `@entry`."""
    if IS_UNCOMPILED or os.environ.get("NUMBA_BOUNDSCHECK"):
        pytest.skip("compares with compiled kernels")
    from threespan.core import linking

    file, code = linking.library_file(subject.game.code), subject.game.code
    if file is None:
        pytest.skip("no linker: servers on this machine compile the kernels themselves")
    if not file.exists():
        linked = run_module(linking.__name__, str(file), code)
        assert linked.returncode == 0, last_line(linked.stderr)
    digest = digest_in_subprocess(code, "service", **{LIBRARY_VARIABLE: str(file)})
    assert digest == digest_of_service(subject.game), "linked kernels play differently from compiled ones"
