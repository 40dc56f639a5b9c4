"""Players need no compiler: everything that is called of a game must work with linked kernels."""

import os

import pytest

from threespan.core.kernel import IS_UNCOMPILED
from threespan.core.libraries import LIBRARY_VARIABLE, cache_of_libraries, this_machine
from threespan.testing.digest import digest_in_subprocess, digest_of_service, last_line, run_module
from threespan.testing.subject import Checks, Subject

CHECKS = Checks()


@CHECKS.add
def a_server_can_play_it(subject: Subject) -> None:
    """Linked kernels give the same results, and every kernel that Python calls is an `@entry`."""
    if IS_UNCOMPILED or os.environ.get("NUMBA_BOUNDSCHECK"):
        pytest.skip("compares with compiled kernels")
    from threespan.core import linking

    code = subject.game.code
    folder = cache_of_libraries() / f"only-{code}"
    if not linking.can_link(this_machine()):
        pytest.skip("no linker: servers on this machine compile the kernels themselves")
    if not (folder / this_machine().file_name("bots")).exists():
        linked = run_module(linking.__name__, "--game", code, str(folder))
        assert linked.returncode == 0, last_line(linked.stderr)
    digest = digest_in_subprocess(code, "service", **{LIBRARY_VARIABLE: str(folder)})
    assert digest == digest_of_service(subject.game), "linked kernels play differently from compiled ones"
