"""The games under test: all that are registered."""

import pytest

from threespan.core.game import Game
from threespan.core.registry import codes, find_game


@pytest.fixture(params=codes(), scope="session")
def game(request: pytest.FixtureRequest) -> Game:
    """Every registered game in turn."""
    return find_game(request.param)
