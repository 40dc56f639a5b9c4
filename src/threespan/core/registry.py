"""All known games: the folders of `threespan.games`, and packages that users name."""

import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from threespan.core.errors import UserError
from threespan.core.game import Game
from threespan.core.libraries import GAMES_VARIABLE, further_games, package_folders
from threespan.core.rules import MAX_ACTIONS, MAX_SEATS, registered_kernels

_BUILT_IN = "threespan.games"


class UnknownGame(UserError):
    """There is no game with that code."""


def codes() -> list[str]:
    """The codes of all games, sorted."""
    return sorted(_modules())


def built_in_codes() -> list[str]:
    """The codes of the games that come with Threespan, sorted."""
    return sorted(code for code, package in _modules().items() if package.startswith(f"{_BUILT_IN}."))


class BrokenGame(UserError):
    """A package is not a valid game; the message says what is missing in which file."""


@cache
def find_game(code: str) -> Game:
    """The game with a code; raises UnknownGame, BrokenGame."""
    modules = _modules()
    if code not in modules:
        raise UnknownGame(f"there is no game '{code}'; choose one of {', '.join(sorted(modules))}")
    if not package_folders(modules[code]):
        raise UnknownGame(f"{GAMES_VARIABLE} names '{modules[code]}', but there is no such package")
    return _load(code, modules[code])


def _load(code: str, package: str) -> Game:
    """The game that a package defines; raises BrokenGame."""
    file = package_folders(package)[0] / "game.py"
    if not file.is_file():
        raise BrokenGame(f"{file} is missing; `threespan new-game CODE` writes a game with all its files")
    try:
        game = getattr(import_module(f"{package}.game"), "GAME", None)
    except TypeError as error:
        if "abstract" not in str(error):  # a method of Game is missing
            raise
        raise BrokenGame(f"{file}: {error}") from None
    if not isinstance(game, Game):
        raise BrokenGame(
            f"{file}: there is no GAME; add GAME = ... and register_kernels(LAYOUT, GAME.kernels) at the end"
        )
    for name in Game.__annotations__:
        if not hasattr(game, name):
            raise BrokenGame(f"{file}: {type(game).__name__} has no `{name}`")
    if game.code != code:
        raise BrokenGame(f"{file}: the code is '{game.code}', but the package is called '{code}'; make them the same")
    if registered_kernels(game.layout) is None:
        raise BrokenGame(f"{file}: register_kernels(LAYOUT, GAME.kernels) is missing at the end")
    _check_limits(game, file)
    return game


def _check_limits(game: Game, file: Path) -> None:
    """Refuse more seats or actions than kernels have room for; raises BrokenGame."""
    if not 0 < game.action_count <= MAX_ACTIONS:
        raise BrokenGame(f"{file}: action_count is {game.action_count}; a game has 1 to {MAX_ACTIONS} actions")
    seats = game.seat_counts
    if not 1 <= seats.start < seats.stop <= MAX_SEATS + 1:
        wanted = "players: Annotated[int, msgspec.Meta(ge=2, le=4)] = 2, for example"
        raise BrokenGame(f"{file}: the option `players` must be a range from 1 to {MAX_SEATS} at most: {wanted}")


def package_of(code: str) -> str:
    """The package of a game; raises UnknownGame, BrokenGame."""
    find_game(code)
    return _modules()[code]


def game_module_name(code: str, layer: str) -> str:
    """The name of a layer's module about a game.

    For a built-in game and the layer `bots` that is `threespan.bots.GAME`; for other games it is `PACKAGE.bots`.
    """
    package = _modules()[code]
    return (
        f"threespan.{layer}.{code}" if package.startswith(f"{_BUILT_IN}.") else f"{package}.{layer.partition('.')[0]}"
    )


def find_game_module(code: str, layer: str, module: str = "") -> ModuleType | None:
    """A layer's module about a game, or None: `find_game_module("nim", "bots", "levels")`."""
    name = game_module_name(code, layer) + (f".{module}" if module else "")
    try:
        found = find_spec(name)
    except ModuleNotFoundError:  # its parent package does not exist
        return None
    return import_module(name) if found else None


def game_module_folder(code: str, layer: str) -> Path | None:
    """The folder of a layer's modules about a game, or None."""
    folders = package_folders(game_module_name(code, layer))
    return folders[0] if folders else None


def _modules() -> dict[str, str]:
    """The package of every game: the built-in ones, then those in `THREESPAN_GAMES` (comma-separated)."""
    folder = Path(__file__).resolve().parents[1] / "games"
    packages = [f"{_BUILT_IN}.{m.name}" for m in pkgutil.iter_modules([str(folder)]) if m.ispkg]
    packages += further_games()
    return {package.rpartition(".")[2]: package for package in packages}
