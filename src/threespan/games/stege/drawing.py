"""Stege drawn for a terminal."""

from collections.abc import Sequence

from rich.text import Text as Picture

from threespan.core.layout import State
from threespan.core.words import Language
from threespan.games.stege.jetties import has_jetty, jetty_field
from threespan.games.stege.notation import STONE_NAMES
from threespan.games.stege.speech import WORDS, describe_hand, describe_moment, describe_way, player_name
from threespan.games.stege.state import FIELDS, ISLAND, JETTY, PLACES, STONES, WIDTH
from threespan.games.stege.stones import is_on_island, stones_home
from threespan.games.stege.view import view_of

# The drawing: islands are shaded, water is a dot, and a jetty has a border around its three fields. A stone is
# its letter and its seat: `b1` is stone b of seat 1.

_CELL = 4
_LEFT = 4
_ACROSS = ("╞═══", "════", "═══╡")
_DOWN = ("╓──╖", "║  ║", "╙──╜")
_SEAT_STYLES = ("bold red", "bold bright_blue", "bold green", "bold magenta")
_JETTY_STYLE = "yellow"


def draw_board(state: State) -> Picture:
    """The sea with islands, jetties and stones."""
    cells = {field: ("░░░░", "dim") if is_on_island(state, field) else (" ·  ", "dim") for field in range(FIELDS)}
    for place in range(PLACES):
        if has_jetty(state, place):
            for index in range(JETTY):
                parts = _DOWN if place >= FIELDS else _ACROSS
                cells[jetty_field(place, index)] = (parts[index], _JETTY_STYLE)
    stones = {int(state.stone[seat, stone]): (seat, stone) for seat in range(state.players) for stone in range(STONES)}
    size = int(state.board_size)
    numbers = "".join(f"{column:<{_CELL}}" for column in range(1, size + 1)).rstrip()
    picture = Picture(" " * (_LEFT + 1) + numbers + "\n")
    for row in range(size):
        picture.append(f"{row + 1:>{_LEFT - 1}} ", "dim")
        for column in range(size):
            field = row * WIDTH + column
            chars, style = cells[field]
            if field in stones:
                seat, stone = stones[field]
                picture.append(chars[0], style)
                picture.append(f"{STONE_NAMES[stone]}{seat}", _SEAT_STYLES[seat])
                picture.append(chars[3], style)
            else:
                picture.append(chars, style)
        picture.append("\n")
    return picture


def draw(state: State, seat: int, names: Sequence[str], language: Language) -> Picture:
    """The board, where everybody goes, what stones and jetties are not on it, and whose turn it is."""
    view = view_of(state)
    picture = draw_board(state)
    for shown in range(len(names)):
        waiting = [STONE_NAMES[stone] for stone in range(STONES) if state.stone[shown, stone] == ISLAND]
        off_board = {"home": int(stones_home(state, shown)), "waiting": " ".join(waiting) or "-"}
        parts = [
            describe_way(state, shown, player_name(names, shown, seat, language), language),
            WORDS.text("label.off_board", language, **off_board),
            *describe_hand(view, shown, language),
        ]
        picture.append("> " if shown == view.turn else "  ")
        picture.append(" ".join(parts) + "\n", _SEAT_STYLES[shown])
    picture.append("\n".join(describe_moment(state, seat, names, language)) + "\n")
    return picture
