"""Lets pytest find the game, whatever the current folder is."""

import os
import sys
from pathlib import Path

import pytest

from threespan.core.libraries import GAMES_VARIABLE, further_games

_PACKAGE = Path(__file__).parents[1]

sys.path.insert(0, str(_PACKAGE.parent))
os.environ[GAMES_VARIABLE] = ",".join(dict.fromkeys([*further_games(), _PACKAGE.name]))


def pytest_configure(config: pytest.Config) -> None:
    """Some checks of the suite look at kernels: `-m kernels` chooses them."""
    config.addinivalue_line("markers", "kernels: tests of compiled code")
