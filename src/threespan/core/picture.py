"""Positions drawn for a terminal. Separate from the games' rules, because only terminals need Rich."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

from rich.text import Text as Picture

from threespan.core.game import Game
from threespan.core.layout import State
from threespan.core.words import CORE_WORDS, Language


def picture_of(game: Game, state: State, seat: int, language: Language, names: Sequence[str] | None = None) -> Picture:
    """A drawing of what a seat (or WATCHER) sees; `state` is that viewer's observation.

    Games draw with `draw(state, seat, names, language)` in their `drawing.py`; without one, the position is described.
    """
    called = names or seat_names(state, language)
    module = f"{type(game).__module__.rpartition('.')[0]}.drawing"
    if find_spec(module) is not None:
        picture: Picture = import_module(module).draw(state, seat, called, language)
        return picture
    return Picture("\n".join(game.describe(state, seat, called, language)))


def seat_names(state: State, language: Language) -> list[str]:
    """Default names of the seats: their numbers, as in records and options."""
    return [CORE_WORDS.text("seat.name", language, seat=seat) for seat in range(int(state.players))]
