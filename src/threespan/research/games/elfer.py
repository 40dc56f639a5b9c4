"""Elfer for environments: its actions, its observations, and a picture of the board and the racks."""

from math import cos, pi, sin

from threespan.games.elfer.state import (
    DRAW,
    DRAWN,
    FULL_BAG,
    HAND,
    KEEP,
    LEAVE,
    MAX_ROUNDS,
    OPEN,
    PART,
    PASS,
    SKIP,
    STOP,
    TILES,
    VALUE,
)
from threespan.games.elfer.view import Field, Rack, Scene, Tile, View
from threespan.research.canvas import CARD, INK, LINE, SEAT_COLOURS, SOFT, Canvas, Point
from threespan.research.description import ActionRange, Description
from threespan.research.tensor import Encoding, TensorField

_CELL, _MARGIN, _HEAD, _GAP = 34, 20, 48, 22
_COLOURS = {"yellow": "#e0a800", "red": "#c02f1d", "blue": "#1a5fb4", "green": "#23703a"}
_PALE = {"yellow": "#fbf1cf", "red": "#f8dcd7", "blue": "#d8e5f5", "green": "#d9ecdd"}
_JOKER = "#6c767c"
_FRESH, _BONUS = "#a8328f", "#c25a00"
_STAR = [(sin(turn * pi / 5), cos(turn * pi / 5)) for turn in range(10)]  # ten points around the middle
_COLUMNS = 22  # twenty numbers between two symbols


def draw(scene: Scene, view: View, seat: int) -> Canvas:
    """Board and racks."""
    width = _COLUMNS * _CELL + 2 * _MARGIN
    board = len(scene.rows) * (_CELL + _GAP)
    canvas = Canvas(width, _HEAD + board + scene.players * (_CELL + 8) + _MARGIN)
    words = f"round {view.round} of {scene.rounds}     bag {view.bag_size}     {view.phase.replace('_', ' ')}"
    canvas.text((_MARGIN, 22), words, 14, SOFT, "lm")
    if view.turn is not None:
        canvas.text((width - _MARGIN, 22), f"player {view.turn}", 14, SEAT_COLOURS[view.turn], "rm")
    for index, bridge in enumerate(scene.bridges):
        x, y = _corner(bridge.row, bridge.column)
        colour = _BONUS if index in view.bonuses else SOFT
        canvas.line((x + _CELL / 2, y + _CELL), (x + _CELL / 2, y + _CELL + _GAP), colour, 5)
    tiles = {tile.text: tile for tile in scene.tiles}
    laid, fresh, inviting = set(view.laid), set(view.fresh), set(view.inviting)
    for field in scene.fields:
        edge = _FRESH if field.text in fresh else INK if field.text in inviting else LINE
        _draw_field(canvas, scene, field, tiles[field.tile] if field.text in laid else None, edge)
    top = _HEAD + board + 8
    for index in range(scene.players):
        shown = (max(seat, 0) + index) % scene.players
        _draw_rack(canvas, tiles, view.racks[shown], shown, top + index * (_CELL + 8))
    return canvas


def _corner(row: int, column: int) -> Point:
    return _MARGIN + column * _CELL, _HEAD + row * (_CELL + _GAP)


def _draw_field(canvas: Canvas, scene: Scene, field: Field, tile: Tile | None, edge: str) -> None:
    x, y = _corner(field.row, field.column)
    row = scene.rows[field.row]
    is_symbol = not 1 <= field.column <= 20
    if tile is None:
        canvas.box((x + 1, y + 1), (_CELL - 2, _CELL - 2), _PALE[row.colour], edge, 4, 1.5)
        if is_symbol:
            _draw_symbol(canvas, row.symbol, (x + _CELL / 2, y + _CELL / 2), LINE)
        else:
            canvas.text((x + _CELL / 2, y + _CELL / 2), str(field.column), 12, SOFT)
    else:
        _draw_tile(canvas, tile, (x, y), edge if edge == _FRESH else INK)


def _draw_tile(canvas: Canvas, tile: Tile, place: Point, edge: str) -> None:
    x, y = place
    colour = _COLOURS[tile.colour] if tile.colour else _JOKER
    canvas.box((x + 1, y + 1), (_CELL - 2, _CELL - 2), colour, edge, 4, 2 if edge == _FRESH else 1)
    if tile.number is None:
        _draw_symbol(canvas, tile.text, (x + _CELL / 2, y + _CELL / 2), CARD)
    else:
        canvas.text((x + _CELL / 2, y + _CELL / 2), str(tile.number), 16, CARD)


def _draw_symbol(canvas: Canvas, symbol: str, middle: Point, colour: str) -> None:
    x, y = middle
    if symbol == "circle":
        canvas.disc(middle, 8, colour)
    elif symbol == "square":
        canvas.box((x - 7, y - 7), (14, 14), colour)
    elif symbol == "triangle":
        canvas.shape([(x, y - 9), (x + 9, y + 7), (x - 9, y + 7)], colour)
    else:
        sizes = [10, 4] * 5
        canvas.shape(
            [(x + size * right, y - size * up) for size, (right, up) in zip(sizes, _STAR, strict=True)], colour
        )


def _draw_rack(canvas: Canvas, tiles: dict[str, Tile], rack: Rack, seat: int, top: float) -> None:
    canvas.text((_MARGIN, top + _CELL / 2), f"player {seat}", 13, SEAT_COLOURS[seat], "lm")
    canvas.text((_MARGIN + 64, top + _CELL / 2), f"{rack.size} tiles, {-rack.minus} points", 11, SOFT, "lm")
    left = _MARGIN + 170
    step = min(_CELL, (_COLUMNS * _CELL - 204) / max(1, rack.size - 1))
    unknown = rack.size - len(rack.tiles)
    for index, text in enumerate(rack.tiles):
        _draw_tile(canvas, tiles[text], (left + index * step, top), INK)
    for index in range(unknown):
        canvas.box((left + (len(rack.tiles) + index) * step, top + 1), (_CELL - 2, _CELL - 2), "#8a7c66", CARD, 4)


DESCRIPTION = Description(
    ranges=(
        ActionRange("`lay`", HAND, "20 * row + number - 1; then the symbol fields, two a row"),
        ActionRange("`hand`", STOP, "kind of tile: 16 a row without jokers, four jokers, four symbols"),
        ActionRange("`stop`", KEEP),
        ActionRange("`keep`", DRAW),
        ActionRange("`draw`", PASS),
        ActionRange("`pass`", SKIP),
        ActionRange("`skip`", OPEN),
        ActionRange("`open`", LEAVE),
        ActionRange("`leave`", DRAWN),
    ),
    tensor_fields=(
        TensorField("phase", Encoding.HOT),
        TensorField("round_number"),
        TensorField("starter", Encoding.SEAT),
        TensorField("turn", Encoding.SEAT),
        TensorField("leaves"),
        TensorField("laid_count", Encoding.HOT),
        TensorField("drawn", Encoding.HOT),
        TensorField("bonus_tile", Encoding.HOT),
        TensorField("board"),
        TensorField("fresh", Encoding.BITS, bits=PART),
        TensorField("inviting", Encoding.BITS, bits=PART),
        TensorField("bag_size"),
        TensorField("bag"),
        TensorField("rack_size", by_seat=True),
        TensorField("rack", by_seat=True),
        TensorField("handed", by_seat=True),
        TensorField("shown", by_seat=True),
        TensorField("shown_left", by_seat=True),
        TensorField("minus", by_seat=True),
    ),
    score_bounds=lambda start: (-float(int(start.rounds) * int(FULL_BAG[int(start.has_symbols)] @ VALUE)), 0.0),
    max_chance_actions=lambda _players: 1 + MAX_ROUNDS * TILES,
    # Far more than there is room for: a round at random has about 150.
    max_seat_actions=lambda _start: MAX_ROUNDS * 20 * TILES,
    draw=draw,
)
