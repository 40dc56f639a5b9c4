"""Stege for environments: its actions, its observations, and a picture of the sea, its jetties and stones."""

from threespan.games.stege.state import (
    AGAIN,
    KEEP,
    MAX_JETTIES,
    MAX_ROLLS,
    MAX_TURNS,
    MOVE,
    PASS,
    START,
    STONES,
    TAKE,
    WORD_BITS,
)
from threespan.games.stege.view import Scene, View
from threespan.research.canvas import CARD, INK, SEAT_COLOURS, SOFT, Canvas, Point
from threespan.research.description import ActionRange, Description
from threespan.research.tensor import Encoding, TensorField

_CELL, _MARGIN, _HEAD = 34, 20, 56
_SEA, _GRID = "#bcdde4", "#a9cfd8"
_MEADOW, _MEADOW_EDGE = "#b9cf8b", "#5f7a35"
_PLANK, _PLANK_EDGE, _NAIL = "#d8b27a", "#8a6a3a", "#a8854f"
_TAKEN = "#f2c6e8"
_PIPS = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "035268"}  # cells of a square of three by three


def draw(scene: Scene, view: View, _seat: int) -> Canvas:
    """The whole board."""
    size = scene.size * _CELL
    canvas = Canvas(size + 2 * _MARGIN, size + _HEAD + _MARGIN)
    _draw_head(canvas, scene, view)
    canvas.box((_MARGIN, _HEAD), (size, size), _SEA, SOFT, 4, 2)
    for index in range(1, scene.size):
        canvas.line((_MARGIN + index * _CELL, _HEAD), (_MARGIN + index * _CELL, _HEAD + size), _GRID)
        canvas.line((_MARGIN, _HEAD + index * _CELL), (_MARGIN + size, _HEAD + index * _CELL), _GRID)
    _draw_islands(canvas, scene, view)
    for jetty in view.jetties:
        _draw_jetty(canvas, jetty.fields, _PLANK)
    if view.taken is not None:
        _draw_jetty(canvas, view.taken.fields, _TAKEN)
    for seat, stones in enumerate(view.stones):
        for name, spot in zip(scene.stones, stones, strict=True):
            if "," in spot:
                row, column = map(int, spot.split(","))
                _draw_stone(canvas, _middle(row, column), seat, name)
    return canvas


def _corner(row: int, column: int) -> Point:
    return _MARGIN + (column - 1) * _CELL, _HEAD + (row - 1) * _CELL


def _middle(row: int, column: int) -> Point:
    x, y = _corner(row, column)
    return x + _CELL / 2, y + _CELL / 2


def _draw_head(canvas: Canvas, scene: Scene, view: View) -> None:
    canvas.box((_MARGIN, 10), (36, 36), CARD, SOFT, 7, 2)
    for cell in map(int, _PIPS.get(view.die, "")):
        canvas.disc((_MARGIN + 9 + cell % 3 * 9, 19 + cell // 3 * 9), 3, INK)
    turn = "" if view.turn is None else f"player {view.turn}: {view.step}"
    canvas.text((_MARGIN + 48, 20), turn, 14, SEAT_COLOURS[view.turn or 0], "lm")
    hands = "   ".join(f"player {seat}: {count} jetties" for seat, count in enumerate(view.in_hand) if count)
    canvas.text((_MARGIN + 48, 40), hands or f"turn {view.turns} of at most {scene.max_turns}", 11, SOFT, "lm")


def _draw_islands(canvas: Canvas, scene: Scene, view: View) -> None:
    size = scene.island_size * _CELL
    for island in scene.islands:
        canvas.box(_corner(island.row, island.column), (size, size), _MEADOW, _MEADOW_EDGE, 8, 2)
    for seat, ends in enumerate(scene.seats):
        for word, index, at in (("island", ends.start, 0.3), ("home", ends.target, 0.7)):
            count = view.stones[seat].count(word)
            x, y = _corner(scene.islands[index].row, scene.islands[index].column)
            place = (x + size * (0.3 if word == "island" else 0.7), y + size * at)
            canvas.disc(place, 11, SEAT_COLOURS[seat] if count else CARD, SEAT_COLOURS[seat], 2)
            canvas.text(place, str(count), 13, CARD if count else SEAT_COLOURS[seat])


def _draw_jetty(canvas: Canvas, fields: list[tuple[int, int]], colour: str) -> None:
    (row, column), (last_row, last_column) = fields[0], fields[-1]
    x, y = _corner(row, column)
    width, height = (last_column - column + 1) * _CELL, (last_row - row + 1) * _CELL
    canvas.box((x + 2, y + 2), (width - 4, height - 4), colour, _PLANK_EDGE, 4, 1.5)
    for field in fields:
        middle = _middle(*field)
        for shift in (-8, 8):
            is_flat = row == last_row
            end = (middle[0] + shift, middle[1] + 12) if is_flat else (middle[0] + 12, middle[1] + shift)
            start = (middle[0] + shift, middle[1] - 12) if is_flat else (middle[0] - 12, middle[1] + shift)
            canvas.line(start, end, _NAIL)


def _draw_stone(canvas: Canvas, middle: Point, seat: int, name: str) -> None:
    canvas.disc((middle[0] + 1, middle[1] + 2), 12, _PLANK_EDGE)
    canvas.disc(middle, 12, SEAT_COLOURS[seat], CARD, 1.5)
    canvas.text(middle, name, 13, CARD)


DESCRIPTION = Description(
    ranges=(
        ActionRange("`lay`", TAKE, "16 * row + column of the top or left field; + 256 if the jetty lies down"),
        ActionRange("`take`", MOVE, "as for `lay`"),
        ActionRange("`move`", KEEP, "257 * stone + end, which is 16 * row + column, or 256 for home"),
        ActionRange("`keep`", AGAIN),
        ActionRange("`again`", PASS),
        ActionRange("`pass`", START),
    ),
    tensor_fields=(
        TensorField("step", Encoding.HOT),
        TensorField("turn", Encoding.SEAT),
        TensorField("turns"),
        TensorField("die", Encoding.HOT),
        TensorField("rolls", Encoding.HOT),
        TensorField("passes"),
        TensorField("taken"),
        TensorField("in_hand", by_seat=True),
        TensorField("corner", Encoding.HOT, by_seat=True),
        TensorField("stone", by_seat=True),
        TensorField("stone", Encoding.COUNTS, by_seat=True),
        TensorField("across", Encoding.BITS, bits=WORD_BITS),
        TensorField("down", Encoding.BITS, bits=WORD_BITS),
        TensorField("planks", Encoding.BITS, bits=WORD_BITS),
    ),
    score_bounds=lambda _start: (0.0, float(STONES)),
    max_chance_actions=lambda players: 1 + MAX_TURNS * players * MAX_ROLLS,
    # Jetties laid; in a turn at most a jetty taken and laid, a stone moved, and all rolls but the first requested.
    max_seat_actions=lambda start: MAX_JETTIES + (int(start.max_rolls) + 2) * MAX_TURNS * int(start.players),
    draw=draw,
)
