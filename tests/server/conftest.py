"""A server that the tests of this folder share."""

from collections.abc import Iterator

import pytest

from server.running import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not change it."""
    running = Server(tmp_path_factory.mktemp("server"), log_level="debug", absent_after_seconds=0).start()
    yield running
    running.stop()
