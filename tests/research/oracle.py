"""Slow definitions to compare the fast code with, and positions to compare them in."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from threespan.core.game import Position
from threespan.core.registry import built_in_codes
from threespan.core.rules import CHANCE
from threespan.research.spaces import Setting
from threespan.research.tensor import Encoding, TensorField

GAMES = built_in_codes()
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
    """The tensor of an observation by definition, field by field."""
    seen = position.observe(seat).state
    return [number for part in setting.tensor_fields for number in encoded(part, seen, seat, setting)]


def encoded(part: TensorField, seen: Any, seat: int, setting: Setting) -> Iterator[int]:
    field = setting.game.layout.fields[part.field]
    values = np.asarray(seen[part.field])
    rows = [values.flatten()]
    if part.by_seat:
        order = [(seat + index) % setting.players for index in range(setting.players)]
        rows = [np.atleast_1d(values[shown]).flatten() for shown in order]
    possible = range(field.low, field.high + 1) if field.high - field.low < 2**16 else range(0)
    for row in rows:
        if part.encoding is Encoding.COUNTS:
            yield from (row.tolist().count(value) for value in possible)
            continue
        for value in row.tolist():
            if part.encoding is Encoding.VALUE:
                yield value
            elif part.encoding is Encoding.HOT:
                yield from (int(value == other) for other in possible)
            elif part.encoding is Encoding.SEAT:
                yield from (int(value == (seat + index) % setting.players) for index in range(setting.players))
            else:
                yield from (value >> bit & 1 for bit in range(part.bits))


def positions_of(setting: Setting, seed: int, count: int, stop_after: int = 10**9) -> list[Position]:
    """Positions of a random match, from its start to its end."""
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
