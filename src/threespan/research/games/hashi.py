"""Hashi for environments: its actions, its observations, and a picture of everybody's board and the cards."""

from threespan.games.hashi import state
from threespan.games.hashi.scoring import FULL_PAY, POINTS_PER_ISLAND
from threespan.games.hashi.view import Board, Scene, View
from threespan.research.canvas import ACCENT, CARD, INK, LINE, PAPER, SEAT_COLOURS, SOFT, Canvas, Point
from threespan.research.description import ActionRange, Description
from threespan.research.tensor import Encoding, TensorField

_CELL, _MARGIN, _HEAD, _TITLE = 48, 24, 72, 28
_ISLAND = 16
_FLAGS = {None: "#b9cf8b", "red": "#c02f1d", "blue": "#1a5fb4"}
_FINISHED, _FRESH, _STRUCK = "#23703a", "#a8328f", "#5f5f5f"
_SEA = "#dcecef"
_ACROSS = 2  # boards side by side


def draw(scene: Scene, view: View, seat: int) -> Canvas:
    """All boards, that of the viewer first."""
    width, height = scene.columns * _CELL + _MARGIN, scene.rows * _CELL + _MARGIN + _TITLE
    columns = min(_ACROSS, scene.players)
    rows = -(-scene.players // _ACROSS)
    canvas = Canvas(columns * width + _MARGIN, rows * height + _HEAD)
    _draw_cards(canvas, scene, view)
    first = max(seat, 0)
    for index in range(scene.players):
        shown = (first + index) % scene.players
        place = (_MARGIN + index % columns * width, _HEAD + index // columns * height)
        _draw_board(canvas, scene, view.boards[shown], shown, place)
    return canvas


def _draw_cards(canvas: Canvas, scene: Scene, view: View) -> None:
    canvas.box((_MARGIN, 12), (54, 48), CARD, ACCENT, 6, 2)
    if view.card is None:
        canvas.text((_MARGIN + 27, 36), "start", 14, SOFT)
    else:
        canvas.text((_MARGIN + 20, 36), str(view.card.number), 26, INK)
        for bridge in range(view.card.bridges):
            canvas.line((_MARGIN + 36, 26 + 9 * bridge), (_MARGIN + 48, 26 + 9 * bridge), ACCENT, 3)
    canvas.text((_MARGIN + 64, 24), f"round {view.round} of {scene.rounds}", 13, SOFT, "lm")
    canvas.text((_MARGIN + 64, 46), "  ".join(view.pile), 10, SOFT, "lm")


def _draw_board(canvas: Canvas, scene: Scene, board: Board, seat: int, place: Point) -> None:
    left, top = place
    canvas.text((left, top + 12), f"player {seat}", 14, SEAT_COLOURS[seat], "lm")
    paid = [pay if won else 0 for pay, won in zip(board.pays, board.won_in, strict=True)]
    races = "   ".join(f"{name} {pay or '-'}" for name, pay in zip(("red", "blue", "six"), paid, strict=True))
    canvas.text((left + scene.columns * _CELL - 4, top + 12), races, 11, SOFT, "rm")
    top += _TITLE
    canvas.box((left - 4, top - 4), (scene.columns * _CELL + 4, scene.rows * _CELL + 4), _SEA, LINE, 10)
    middles = [
        (left + island.column * _CELL + _CELL / 2 - 2, top + island.row * _CELL + _CELL / 2 - 2)
        for island in scene.islands
    ]
    for index, line in enumerate(scene.lines):
        _draw_line(canvas, middles[line.islands[0]], middles[line.islands[1]], board, index)
    for index, island in enumerate(scene.islands):
        edge = _FINISHED if index in board.finished else _FRESH if index == board.written else SOFT
        canvas.disc(middles[index], _ISLAND, _FLAGS[island.flag], edge, 3 if edge != SOFT else 1)
        if board.numbers[index]:
            canvas.disc(middles[index], _ISLAND - 5, CARD)
            canvas.text(middles[index], str(board.numbers[index]), 16, INK)
    for struck in board.struck:
        x, y = middles[struck.island]
        for shift in (-_ISLAND, _ISLAND):
            canvas.line((x - _ISLAND, y - shift), (x + _ISLAND, y + shift), _STRUCK, 3)
    if board.start is not None:
        canvas.text(middles[board.start.island], str(board.start.number), 16, PAPER)


def _draw_line(canvas: Canvas, start: Point, end: Point, board: Board, line: int) -> None:
    bridges = board.bridges[line]
    if not bridges:
        canvas.dots(start, end, LINE if line in board.closed else SOFT)
        return
    colour = _FRESH if line in board.drawn else INK
    is_flat = start[1] == end[1]
    for shift in (0,) if bridges == 1 else (-4, 4):
        x, y = (0, shift) if is_flat else (shift, 0)
        canvas.line((start[0] + x, start[1] + y), (end[0] + x, end[1] + y), colour, 3)


_FREE = {"pen": "free"}
# The most steps of a seat in a round: number and bridges; with the free pen also Done, and erasing all that is there.
_STEPS = {state.Pen.STRICT: 1 + state.MAX_CARD_BRIDGES, state.Pen.FREE: state.ROUND_MARKS + 1 + state.MARKS}

DESCRIPTION = Description(
    ranges=(
        ActionRange("`write`", state.BRIDGE, "6 * island + number - 1; islands in reading order"),
        ActionRange("`bridge`", state.SKIP, "which pair of islands a < b: 0-1, 0-2, ..., 0-17, 1-2, ..."),
        ActionRange("`skip`", state.DONE),
        ActionRange("`done`", state.ERASE_NUMBER, only_with=_FREE),
        ActionRange("`erase` a number", state.ERASE_BRIDGE, "island", _FREE),
        ActionRange("`erase` a bridge", state.CARD, "which pair of islands, as for `bridge`", _FREE),
    ),
    tensor_fields=(
        TensorField("phase", Encoding.HOT),
        TensorField("round_number"),
        TensorField("card_number", Encoding.HOT),
        TensorField("card_bridges", Encoding.HOT),
        TensorField("pile"),
        TensorField("step", Encoding.HOT, by_seat=True),
        TensorField("bridges_left", by_seat=True),
        TensorField("number", by_seat=True),
        TensorField("bridges", by_seat=True),
        TensorField("degree", by_seat=True),
        TensorField("finished", Encoding.BITS, by_seat=True, bits=state.ISLANDS),
        TensorField("closed", Encoding.BITS, by_seat=True, bits=state.MAX_LINES),
        TensorField("written", by_seat=True),
        TensorField("drawn", by_seat=True),
        TensorField("start", by_seat=True),
        TensorField("won_in", by_seat=True),
        TensorField("last_number", Encoding.HOT, only_with=_FREE),
        TensorField("last_bridges", Encoding.HOT, only_with=_FREE),
        TensorField("marks", by_seat=True, only_with=_FREE),
        TensorField("erased", Encoding.BITS, by_seat=True, bits=state.MARKS, only_with=_FREE),
        TensorField("verdicts", Encoding.BITS, by_seat=True, bits=len(state.JUDGED), only_with=_FREE),
        TensorField("struck", by_seat=True, only_with=_FREE),
        TensorField("wrong_numbers", Encoding.BITS, by_seat=True, bits=state.ISLANDS, only_with=_FREE),
        TensorField("wrong_bridges", by_seat=True, only_with=_FREE),
    ),
    score_bounds=lambda _start: (0.0, float(state.ISLANDS * POINTS_PER_ISLAND + sum(FULL_PAY))),
    max_chance_actions=lambda _players: state.ROUNDS,
    max_seat_actions=lambda start: int(start.players) * (1 + state.ROUNDS * _STEPS[start.pen]),
    draw=draw,
)
