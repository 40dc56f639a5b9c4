"""Positions of Stege from drawings.

A field is two signs: a stone or a blank, then what is below it.

    .      water             #      island
    < - >  a jetty across    ^ | v  a jetty down
    a..d   stones of seat 0  A..D   stones of seat 1

Rows and fields at the right and at the bottom may be left out; they are water. Stones that are not drawn wait on
their start island.
"""

from typing import Any

from asking import texts
from threespan.core.game import Position
from threespan.core.options import read_options
from threespan.games.stege.fields import flip
from threespan.games.stege.game import GAME
from threespan.games.stege.sets import load
from threespan.games.stege.state import FIELDS, HOME, NONE, WIDTH, TurnStep

_STONES = "abcdABCD"


def drawn(
    drawing: str,
    die: int = 0,
    step: TurnStep = TurnStep.STONE,
    rolls: int = 1,
    home: str = "",
    turn: int = 0,
    island: int = 2,
    taken: int = NONE,
    **options: Any,
) -> Position:
    """A moment on a small board (11 x 11); `home` names stones that have arrived."""
    chosen = read_options(GAME.options, {"jetties_each": 10} | options)
    material = {"board": {"size": 11, "island": island}}
    state = GAME.setup(chosen, material)
    state.step, state.turn, state.die, state.rolls, state.taken = step, turn, die, rolls if die else 0, taken
    state.in_hand[: chosen.players] = step is TurnStep.LAY
    for row, line in enumerate(drawing.strip("\n").split("\n")):
        for column, (stone, ground) in enumerate(zip(line[::2], line[1::2], strict=True)):
            field = row * WIDTH + column
            if ground in "<^":
                flip(state.across if ground == "<" else state.down, field)
            if stone in _STONES:
                put(state, stone, field)
    for stone in home:
        put(state, stone, HOME)
    GAME.refresh(state)
    return Position(GAME, chosen, material, state)


def put(state: Any, stone: str, spot: int) -> None:
    """Put a stone somewhere."""
    seat, index = divmod(_STONES.index(stone), 4)
    state.stone[seat, index] = spot


def draw(position: Position) -> str:
    """The drawing of a position, to see in a failing test what went wrong."""
    state = position.state
    size = int(state.board_size)
    grounds = ["." if load(state.water) >> field & 1 else "#" for field in range(FIELDS)]
    for words, signs, step in ((state.across, "<->", 1), (state.down, "^|v", WIDTH)):
        for field in range(FIELDS):
            if load(words) >> field & 1:
                for index, sign in enumerate(signs):
                    grounds[field + index * step] = sign
    stones = {int(spot): _STONES[index] for index, spot in enumerate(state.stone[:2].flat)}
    rows = [range(row * WIDTH, row * WIDTH + size) for row in range(size)]
    return "\n".join("".join(stones.get(field, " ") + grounds[field] for field in row) for row in rows)


def ends(position: Position, stone: str = "a", seat: int = 0) -> set[str]:
    """Where a stone may go."""
    moves = [text for text in texts(position, seat) if text.startswith(f"move {stone}")]
    return {text.rpartition(">")[2] for text in moves}
