"""A picture of Hashi: everybody's board, the card of the round, the cards that are still out."""

from threespan.games.hashi.view import Board, Scene, View
from threespan.research.pictures.canvas import ACCENT, CARD, INK, LINE, PAPER, SEAT_COLOURS, SOFT, Canvas, Point

_CELL, _MARGIN, _HEAD, _TITLE = 48, 24, 72, 28
_ISLAND = 16
_FLAGS = {None: "#b9cf8b", "red": "#c02f1d", "blue": "#1a5fb4"}
_FINISHED, _FRESH = "#23703a", "#a8328f"
_SEA = "#dcecef"
_ACROSS = 2  # boards side by side


def draw_hashi(scene: Scene, view: View, seat: int) -> Canvas:
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
