"""Which games there are: the folders of `threespan.games`, and modules that users name."""

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path

from threespan.core.errors import UserError
from threespan.core.game import Game
from threespan.core.kernel import GAMES_VARIABLE, further_games, package_folders

_BUILT_IN = "threespan.games"


class UnknownGame(UserError):
    """There is no game of that code."""


def codes() -> list[str]:
    """The codes of all games, in alphabetical order."""
    return sorted(_modules())


@cache
def find_game(code: str) -> Game:
    """The game of a code."""
    modules = _modules()
    if code not in modules:
        raise UnknownGame(f"there is no game '{code}'; there are {', '.join(sorted(modules))}")
    if not package_folders(modules[code]):
        raise UnknownGame(f"{GAMES_VARIABLE} names '{modules[code]}', but there is no such package")
    game = import_module(f"{modules[code]}.game").GAME
    assert isinstance(game, Game), f"{modules[code]}.game.GAME is not a Game"
    assert game.code == code, f"{modules[code]} calls itself {game.code}"
    return game


def _modules() -> dict[str, str]:
    """The package of every game: built-in folders, then `THREESPAN_GAMES` (names of packages, by commas)."""
    folder = Path(__file__).resolve().parents[1] / "games"
    packages = [f"{_BUILT_IN}.{m.name}" for m in pkgutil.iter_modules([str(folder)]) if m.ispkg]
    packages += further_games()
    return {package.rpartition(".")[2]: package for package in packages}
