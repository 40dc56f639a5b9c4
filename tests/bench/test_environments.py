"""The benchmark of environments: what it counts and prints."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

Run = Callable[..., None]
Script = Callable[[str], ModuleType]


@pytest.fixture
def environments(script: Script, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    module = script("environments")
    monkeypatch.setattr(module, "stay_on_one_core", lambda: None)
    return module


def test_ours_and_openspiel_are_measured(
    environments: ModuleType, run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(environments, "BATCHES", (1, 8))
    run("environments", "--rounds", 1, "--seconds", 0, "--only", "ours", "openspiel")
    table = capsys.readouterr().out
    assert "| VectorGame Hashi solo | 8 | " in table
    assert "| AEC Stege | 1 |" in table
    assert "| OpenSpiel C++ maedn | 1 |" in table
    assert "times OpenSpiel hearts" in table


def test_missing_libraries_are_skipped(
    environments: ModuleType, run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    run("environments", "--only", "pgx")
    assert "left out: pgx" in capsys.readouterr().err
    assert environments.version_of("a package that there is not") is None


def test_every_step_is_counted_once(environments: ModuleType) -> None:
    for contestant in environments.our_batches("Elfer", 8):
        made, taken = contestant.run(40)
        assert made == 40
        assert taken > 0


def test_the_verdict_compares_the_same_kind_of_step(environments: ModuleType) -> None:
    def row(library: str, game: str, batch: int, what: str, rate: int) -> dict[str, Any]:
        return {"library": library, "game": game, "batch": batch, "what": what, "steps_per_s": rate}

    rows = [
        row("VectorGame", "Elfer", 4096, "play", 900),
        row("VectorGame", "Elfer", 4096, "step", 5000),
        row("VectorGame", "Elfer", 128, "play", 9999),
        row("Pgx", "hearts", 1, "play", 100),
        row("Pgx", "hearts", 128, "play", 300),
    ]
    assert list(environments.verdicts(rows)) == ["- play: Elfer 3.00 times Pgx hearts"]
