"""Positions of Elfer from drawings: what the terminal shows can be read back. Bridges may be left out.

A row is its colour and twenty fields: a number for a tile, `5*` for one of this turn, anything else for an empty
field. With symbols, a field more at each end: `x` for a tile, `x*` for one of this turn.
"""

from typing import Any

from threespan.core.game import Position
from threespan.core.options import read_options
from threespan.core.rules import CHANCE
from threespan.games.elfer.game import GAME
from threespan.games.elfer.notation import tile_text
from threespan.games.elfer.rules import Rule
from threespan.games.elfer.state import (
    COLOURS,
    ENDS,
    FULL_BAG,
    KINDS,
    NONE,
    NUMBERS,
    PART,
    Phase,
    field_at,
    symbol_field,
    tile_for,
)

REST = "rest"

# Nothing has been laid yet.
EMPTY = """
yellow  .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
red     .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
blue    .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
green   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
"""


def drawn(
    drawing: str,
    *racks: str,
    bag: str = REST,
    phase: Phase = Phase.LAY,
    turn: int = 0,
    laid: int | None = None,
    draws: int = 0,
    bonus: str = "",
    **options: Any,
) -> Position:
    """A turn of the seat `turn`; racks and bag are lists of tiles, one of them may be the REST.

    Tiles of this turn count as laid from the rack unless `laid` says how many did.
    """
    options = {"players": len(racks), "starts": 0} | options
    position = GAME.start(read_options(GAME.options, options))
    state = position.state
    state.phase, state.turn, state.drawn = phase, turn, draws
    state.bag, state.bag_size = 0, 0
    left = {tile_text(state, kind): int(FULL_BAG[state.has_symbols, kind]) for kind in range(KINDS)}
    kinds = {tile_text(state, kind): kind for kind in range(KINDS)}
    fresh = [0, 0, 0]
    for field, is_fresh in fields_of(drawing):
        state.board[field] = 1
        left[tile_text(state, tile_for(field))] -= 1
        fresh[field // PART] |= is_fresh << field % PART
    state.fresh = fresh
    state.laid_count = sum(mask.bit_count() for mask in fresh) if laid is None else laid
    state.bonus_tile = kinds[bonus] if bonus else NONE
    if bonus:
        left[bonus] -= 1
    places: list[tuple[Any, str]] = [(state.bag, bag), *((state.rack[seat], text) for seat, text in enumerate(racks))]
    for counts, text in sorted(places, key=lambda place: place[1] == REST):
        tiles = [tile for tile, count in left.items() for _ in range(count)] if text == REST else text.split()
        for tile in tiles:
            counts[kinds[tile]] += 1
            left[tile] -= 1
    state.bag_size = state.bag.sum()
    state.rack_size = state.rack.sum(axis=1)
    if bag != REST and REST not in racks:
        raise ValueError(f"nobody has {[tile for tile, count in left.items() if count]}")
    GAME.refresh(state)
    return position


def fields_of(drawing: str) -> list[tuple[int, bool]]:
    """The fields with a tile, and whether it is of this turn."""
    found = []
    for line in drawing.splitlines():
        words = line.replace("*", "* ").split()
        if not words or words[0] not in COLOURS:
            continue
        row, cells = COLOURS.index(words[0]), words[1:]
        fields = [field_at(row, number) for number in range(1, NUMBERS + 1)]
        if len(cells) == NUMBERS + len(ENDS):
            fields = [symbol_field(row, 0), *fields, symbol_field(row, 1)]
        for field, cell in zip(fields, cells, strict=True):
            mark = cell.rstrip("*")
            if mark.isdigit() or mark == "x":
                assert mark in ("x", str(field % NUMBERS + 1)), f"{mark} stands in a wrong place of {words[0]}"
                found.append((field, cell.endswith("*")))
    return found


def ask(position: Position, action: str, seat: int | None = None) -> Rule:
    """What `check` says of an action, by default of the seat whose turn it is."""
    seat = int(position.state.turn) if seat is None else seat
    return Rule(position.check(seat, GAME.parse_action(position.state, action)))


def play(position: Position, *actions: str) -> Position:
    """Carry out actions of whoever is to act."""
    for action in actions:
        (seat,) = position.acting()
        position.play(seat, GAME.parse_action(position.state, action))
    return position


def texts(position: Position) -> list[str]:
    """The legal actions of whoever is to act, in their text form."""
    (seat,) = position.acting()
    return [GAME.action_text(position.state, action) for action in position.legal(seat)]


def rack(position: Position, seat: int) -> list[str]:
    """The tiles that can be seen on a rack."""
    counts = position.state.rack[seat]
    return [tile_text(position.state, kind) for kind in range(KINDS) for _ in range(counts[kind])]


def chance_acts(position: Position) -> bool:
    """Whether a tile is to be drawn."""
    return position.acting() == [CHANCE]
