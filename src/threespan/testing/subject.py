"""What the suite tests: a game and its golden records."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from threespan.core.game import Game
from threespan.core.registry import find_game


@dataclass(frozen=True)
class Subject:
    """A game under test."""

    game: Game
    golden: Path  # the folder of records that must replay forever

    @classmethod
    def of(cls, code: str, golden: Path | None = None) -> "Subject":
        """The game with a code; by default its golden records are in `tests/golden` of its folder."""
        game = find_game(code)
        return cls(game, golden or game.folder / "tests" / "golden")


Check = Callable[[Subject], None]


class Checks(dict[Check, bool]):
    """The checks of a module, in order, each with whether it tests kernels."""

    def add(self, check: Check) -> Check:
        """Decorate a check of Python code."""
        self[check] = False
        return check

    def add_for_kernels(self, check: Check) -> Check:
        """Decorate a check of kernels, which is also run uncompiled and bounds-checked."""
        self[check] = True
        return check
