"""Slow definitions that the fast ways are compared with, and matches to compare them in."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from threespan.core.game import Position
from threespan.core.rules import CHANCE
from threespan.research.spaces import Setting
from threespan.research.tensor import Piece, Spelling

GAMES = ("hashi", "stege", "elfer")
OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("hashi", {"players": 1}),
    ("hashi", {"players": 2, "side": "B"}),
    ("hashi", {"players": 3}),
    ("hashi", {"players": 4}),
    ("stege", {"players": 2, "seating": "opposite"}),
    ("stege", {"players": 3, "starts": 1}),
    ("stege", {"players": 4, "jetties_each": 3}),
    ("elfer", {"players": 2}),
    ("elfer", {"players": 3, "symbols": True, "rounds": "match"}),
    ("elfer", {"players": 4, "starts": 2, "rounds": 2}),
]
OPTION_IDS = [f"{code}-{'-'.join(map(str, options.values()))}" for code, options in OPTIONS]


def tensor_of(position: Position, seat: int, setting: Setting) -> list[int]:
    """What a tensor should say of an observation, written down field by field."""
    seen = position.observe(seat).state
    return [number for piece in setting.description.pieces for number in spelt(piece, seen, seat, setting)]


def spelt(piece: Piece, seen: Any, seat: int, setting: Setting) -> Iterator[int]:
    field = setting.game.layout.fields[piece.field]
    values = np.asarray(seen[piece.field])
    rows = [values.flatten()]
    if piece.by_seat:
        order = [(seat + index) % setting.players for index in range(setting.players)]
        rows = [np.atleast_1d(values[shown]).flatten() for shown in order]
    possible = range(field.low, field.high + 1) if field.high - field.low < 2**16 else range(0)
    for row in rows:
        if piece.spelling is Spelling.COUNTS:
            yield from (row.tolist().count(value) for value in possible)
            continue
        for value in row.tolist():
            if piece.spelling is Spelling.VALUE:
                yield value
            elif piece.spelling is Spelling.HOT:
                yield from (int(value == other) for other in possible)
            elif piece.spelling is Spelling.SEAT:
                yield from (int(value == (seat + index) % setting.players) for index in range(setting.players))
            else:
                yield from (value >> bit & 1 for bit in range(piece.bits))


def positions_of(setting: Setting, seed: int, count: int, stop_after: int = 10**9) -> list[Position]:
    """Positions of a random match, spread from its start to its end."""
    chooser = random.Random(seed)
    position = setting.game.start(setting.options)
    found: list[Position] = []
    while (acting := position.acting()) and len(found) < stop_after:
        found.append(position.copy())
        seat = chooser.choice(acting)
        if seat == CHANCE:
            position.play(CHANCE, position.draw(chooser.randrange(position.tickets())))
        else:
            position.play(seat, chooser.choice(position.legal(seat)))
    found.append(position)
    return found[:: max(1, len(found) // count)]
