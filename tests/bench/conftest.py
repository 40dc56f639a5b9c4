"""The scripts of `bench/` as modules."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Import a script by its name."""
    monkeypatch.syspath_prepend(str(BENCH))
    return import_module


@pytest.fixture
def run(script: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Run a script with arguments."""

    def run_script(name: str, *arguments: object) -> None:
        monkeypatch.setattr(sys, "argv", [f"{name}.py", *map(str, arguments)])
        script(name).main()

    return run_script
