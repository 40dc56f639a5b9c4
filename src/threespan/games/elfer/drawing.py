"""Elfer drawn for a terminal."""

from collections.abc import Sequence

from rich.text import Text as Picture

from threespan.core.layout import State
from threespan.core.words import Language
from threespan.games.elfer.speech import WORDS, describe_bonus_tile, describe_rack, describe_round
from threespan.games.elfer.state import (
    AREA_NUMBERS,
    COLOURS,
    JOKER,
    NUMBER_FIELDS,
    NUMBERS,
    ROWS,
    SYMBOLS,
    field_at,
    is_in,
    symbol_field,
    tile_for,
)
from threespan.games.elfer.view import has_bonus_left, scene_of, view_of

# The drawing: numbers are laid tiles, `5*` those of this turn, `·` empty fields, `?` empty ones for jokers; symbols
# are full or hollow.
# Between the rows `│` is a bridge, `◆` one whose bonus is still to be had, `:` a connection area.

_CELL = 3  # two signs and a mark, so that the whole board fits 80 columns
_LEFT = 7
_STYLES = {"yellow": "yellow", "red": "red", "blue": "bright_blue", "green": "green"}
_SIGNS = {"square": "■", "triangle": "▲", "star": "★", "circle": "●"}
_EMPTY_SIGNS = {"square": "□", "triangle": "△", "star": "☆", "circle": "○"}


def draw_board(state: State, language: Language) -> Picture:
    """The four rows with their bridges."""
    heading = " " * _LEFT + " " * _CELL + "".join(f"{number:>2} " for number in range(1, NUMBERS + 1))
    picture = Picture(heading.rstrip() + "\n", "dim")
    for row in range(ROWS):
        colour = COLOURS[state.colour[row]]
        picture.append(WORDS.text(f"label.{colour}", language).ljust(_LEFT), f"bold {_STYLES[colour]}")
        fields = [symbol_field(row, 0), *(field_at(row, n) for n in range(1, NUMBERS + 1)), symbol_field(row, 1)]
        for field in fields:
            _draw_field(picture, state, field, row)
        picture.append("\n")
        if row < ROWS - 1:
            picture.append_text(_draw_bridges(state, row))
    return picture


def _draw_field(picture: Picture, state: State, field: int, row: int) -> None:
    symbol = SYMBOLS[state.symbol[row]]
    if field < NUMBER_FIELDS:
        value, empty = str(field % NUMBERS + 1), "?" if tile_for(field) >= JOKER else "·"
    elif state.has_symbols:
        value, empty = _SIGNS[symbol], _EMPTY_SIGNS[symbol]
    else:
        value = empty = " "
    style = _STYLES[COLOURS[state.colour[row]]]
    if not state.board[field]:
        picture.append(f"{empty:>2} ", "dim")
    elif is_in(state.fresh, field):
        picture.append(f"{value:>2}*", f"bold reverse {style}")
    else:
        picture.append(f"{value:>2} ", f"bold {style}")


def _draw_bridges(state: State, row: int) -> Picture:
    """What joins a row and the next one."""
    line = Picture(" " * (_LEFT + _CELL))
    for number in range(1, NUMBERS + 1):
        upper, lower = field_at(row, number), field_at(row + 1, number)
        sign = ":" if number in AREA_NUMBERS else " "
        if state.bridge_to[upper] == lower:
            sign = "◆" if has_bonus_left(state, upper, lower) else "│"
        line.append(f"{sign:>2} ", "bold magenta" if sign == "◆" else "")
    line.rstrip()
    line.append("\n")
    return line


def draw(state: State, seat: int, names: Sequence[str], language: Language) -> Picture:
    """Everything a seat sees: the board, the bag, what it knows of the others' racks, its own rack."""
    scene, view = scene_of(state), view_of(state)
    picture = Picture("".join(f"{line}\n" for line in describe_round(scene, view, language)), "bold")
    picture.append_text(draw_board(state, language))
    picture.append("\n" + WORDS.text("describe.bag", language, tiles=view.bag_size) + "\n")
    picture.append("".join(f"{line}\n" for line in describe_bonus_tile(view, language)), "bold")
    for shown in sorted(range(len(names)), key=lambda other: other == seat):
        rack = describe_rack(view, shown, seat, names, language)
        picture.append(f"{rack}\n", "bold" if shown == seat else "")
    return picture
