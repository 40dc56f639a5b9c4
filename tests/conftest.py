"""Shared by all tests: Hypothesis settings, and the set of clauses that tests have exercised."""

import os
from collections.abc import Callable, Iterator
from enum import IntEnum
from pathlib import Path

import hypothesis
import numba
import pytest

from threespan.core.game import Position
from threespan.core.libraries import GAMES_VARIABLE, further_games

# Tests also use the games in tests/games: Nim, the skeleton of `threespan new-game`, and Pairs, a small game with
# hidden information.
os.environ[GAMES_VARIABLE] = ",".join(dict.fromkeys([*further_games(), "nim", "pairs"]))

hypothesis.settings.register_profile("threespan", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("threespan")

UNCOMPILED = bool(numba.config.DISABLE_JIT)

# A folder in which each of several processes that share the tests between them leaves the clauses it has exercised.
_CLAUSES = os.environ.get("THREESPAN_CLAUSES", "")

_seen: set[str] = set()


def clause_name(rule: IntEnum) -> str:
    """A clause with its game: members of different enums with the same value are equal."""
    return f"{type(rule).__module__}.{rule.name}"


def _note(rule: IntEnum) -> None:
    _seen.add(clause_name(rule))


@pytest.fixture(scope="session")
def clauses_seen() -> set[str]:
    """The names of the clauses that `check` has returned or a score sheet has shown in this run."""
    notes = Path(_CLAUSES).glob("*.txt") if _CLAUSES else ()
    return _seen.union(*(note.read_text("utf-8").split() for note in notes))


def pytest_sessionfinish() -> None:
    """Leave the clauses that this process has exercised for the process that checks all of them."""
    if _CLAUSES:
        (Path(_CLAUSES) / f"{os.getpid()}.txt").write_text("\n".join(sorted(_seen)), "utf-8")


@pytest.fixture
def shows() -> Callable[[IntEnum], None]:
    """Call it in a test that has exercised a clause which `check` and the score sheet cannot return."""
    return _note


@pytest.fixture(autouse=True, scope="session")
def _ledger() -> Iterator[None]:
    """Record every clause that a Position returns."""
    check, score_sheet = Position.check, Position.score_sheet

    def noting_check(self: Position, seat: int, action: int) -> IntEnum:
        rule = check(self, seat, action)
        _note(rule)
        return rule

    def noting_score_sheet(self: Position, seat: int) -> Iterator[tuple[IntEnum, int]]:
        for rule, points in score_sheet(self, seat):
            _note(rule)
            yield rule, points

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Position, "check", noting_check)
        patch.setattr(Position, "score_sheet", noting_score_sheet)
        yield


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the check of all clauses last, and only in a complete run or after all parts of one."""
    items.sort(key=lambda item: "ledger" in item.keywords)
    chosen = config.option.keyword or config.option.markexpr or config.args != config.getini("testpaths")
    if chosen and not (_CLAUSES and config.option.markexpr == "ledger"):
        skip = pytest.mark.skip(reason="needs a run of all tests")
        for item in items:
            if "ledger" in item.keywords:
                item.add_marker(skip)
