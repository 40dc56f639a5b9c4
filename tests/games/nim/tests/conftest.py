"""Make the game importable, whatever the current folder is."""

import os
import sys
from pathlib import Path

import pytest

from threespan.core.libraries import GAMES_VARIABLE, further_games

_PACKAGE = Path(__file__).parents[1]

sys.path.insert(0, str(_PACKAGE.parent))
os.environ[GAMES_VARIABLE] = ",".join(dict.fromkeys([*further_games(), _PACKAGE.name]))


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker of checks that test kernels: `-m kernels` selects them."""
    config.addinivalue_line("markers", "kernels: tests of compiled code")
