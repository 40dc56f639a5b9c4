"""What all tests share: Hypothesis settings, and the ledger of clauses that some test has seen at work."""

import os
from collections.abc import Callable, Iterator
from enum import IntEnum

import hypothesis
import numba
import pytest

from threespan.core.game import Position

os.environ["THREESPAN_GAMES"] = "nim"  # the worked example of docs/add-a-game.md, in tests/games

hypothesis.settings.register_profile("threespan", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("threespan")

UNCOMPILED = bool(numba.config.DISABLE_JIT)

_seen: set[IntEnum] = set()


@pytest.fixture(scope="session")
def clauses_seen() -> set[IntEnum]:
    """The clauses that `check` has returned or a score sheet has shown in this run."""
    return _seen


@pytest.fixture
def shows() -> Callable[[IntEnum], None]:
    """Call it in a test that has shown a clause at work which `check` and the score sheet cannot return."""
    return _seen.add


@pytest.fixture(autouse=True, scope="session")
def _ledger() -> Iterator[None]:
    """Note every clause that the facade returns."""
    check, score_sheet = Position.check, Position.score_sheet

    def noting_check(self: Position, seat: int, action: int) -> IntEnum:
        rule = check(self, seat, action)
        _seen.add(rule)
        return rule

    def noting_score_sheet(self: Position, seat: int) -> Iterator[tuple[IntEnum, int]]:
        for rule, points in score_sheet(self, seat):
            _seen.add(rule)
            yield rule, points

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Position, "check", noting_check)
        patch.setattr(Position, "score_sheet", noting_score_sheet)
        yield


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The ledger is read last, and only after a run of everything."""
    items.sort(key=lambda item: "ledger" in item.keywords)
    chosen = config.option.keyword or config.option.markexpr or config.args != config.getini("testpaths")
    if chosen:
        skip = pytest.mark.skip(reason="needs a run of all tests")
        for item in items:
            if "ledger" in item.keywords:
                item.add_marker(skip)
