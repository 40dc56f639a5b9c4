"""Positions of Elfer that come from a text: checking that they can be played, and working out their masks."""

from typing import Any

from threespan.core.layout import PositionError, State
from threespan.games.elfer.rules import DEALT
from threespan.games.elfer.state import (
    ELEVEN_KINDS,
    ELEVENS,
    FIELDS,
    FULL_BAG,
    KINDS,
    MASKED,
    NONE,
    NUMBER_FIELDS,
    PART,
    PARTS,
    SYMBOL_PART,
    Phase,
    mask_of,
    tile_for,
)
from threespan.games.elfer.tiles import left_of, put_on_board

_BEFORE_PLAY = (Phase.START, Phase.DEAL, Phase.SEARCH, Phase.OPEN)
_AFTER_A_TILE = (Phase.BONUS_DRAWING, Phase.BONUS, Phase.FREE, Phase.HAND)


def refuse_contradictions(state: State) -> None:
    """Raise PositionError unless the played fields fit together. Observations are positions too."""
    _check_seats(state)
    _check_tiles(state)
    _check_phase(state)


def _check_seats(state: State) -> None:
    players = int(state.players)
    _demand(players >= 2, "at least two players are needed")
    _demand(state.turn < players and state.starter < players, f"there are only {players} seats")
    _demand(1 <= state.round_number <= state.rounds, f"the match has {state.rounds} rounds")
    for field in ("rack_size", "rack", "handed", "minus"):
        _demand(not state[field][players:].any(), f"{field}: there are only {players} seats")


def _check_tiles(state: State) -> None:
    """Every tile is in one place; where racks are hidden, the bag holds what is missing on them."""
    seen = state.bag + state.rack.sum(axis=0)
    for field in range(FIELDS):
        seen[tile_for(field)] += state.board[field]
    if state.bonus_tile != NONE:
        seen[state.bonus_tile] += 1
    for kind in range(KINDS):
        full = FULL_BAG[state.has_symbols, kind]
        _demand(seen[kind] == full, f"there are {seen[kind]} tiles of kind {kind} instead of {full}")
    hidden = state.rack_size - state.rack.sum(axis=1)
    _demand(hidden.min() >= 0, "a rack has more tiles than its size says")
    _demand(state.bag.sum() == state.bag_size + hidden.sum(), "the bag does not fit its size")
    for seat in range(state.players):
        left = left_of(state, seat)
        _demand((state.handed[seat] <= state.rack[left]).all(), f"seat {left} has not got what it was handed")


def _check_phase(state: State) -> None:
    """The moment is one that the rules lead to, and somebody can act in it."""
    phase = Phase(state.phase)
    _demand((state.bonus_tile != NONE) == (phase is Phase.BONUS), "a bonus tile is there just while it is to be laid")
    _demand(phase >= Phase.OPEN or state.bag_size > 0, "nothing can be drawn from an empty bag")
    fresh = [field for field in range(FIELDS) if state.fresh[field // PART] >> field % PART & 1]
    _demand(mask_of(fresh) == state.fresh.tolist(), "there is a tile of this turn beside the board")
    _demand(all(state.board[field] for field in fresh), "a tile of this turn does not lie on the board")
    _demand(state.laid_count <= len(fresh), "more tiles are counted in this turn than have been laid")
    _demand((state.laid_count > 0) == (len(fresh) > 0), "tiles of this turn are not counted")
    if phase in _BEFORE_PLAY:
        _demand(not state.board.any(), "the board is empty until the opening 11 is laid")
    else:
        _demand(state.board[:NUMBER_FIELDS].any(), "at least the opening 11 has been laid")
    if phase in _AFTER_A_TILE:
        _demand(state.laid_count > 0, "this comes after a tile has been laid")
    if phase in (Phase.START, Phase.DEAL):
        _demand(state.rack_size[state.turn] < DEALT[state.players], "this rack is full")
    if phase is Phase.SEARCH:
        _demand(all(state.bag[kind] for kind in ELEVEN_KINDS), "the search is for the 11s in the bag")
        _demand(state.bag_size >= len(ELEVEN_KINDS), "the bag is too small for the four 11s")
    if phase is Phase.OPEN:
        _check_opening(state)
    if phase in (Phase.LAY, *_AFTER_A_TILE):
        _demand(state.rack_size[: state.players].min() > 0, "the round is over when a rack is empty")


def _check_opening(state: State) -> None:
    """START_ELEVEN: the opening seat can have an 11, and no seat before it can."""
    rack, size = state.rack[state.turn], state.rack_size[state.turn]
    unseen = sum(int(state.bag[kind]) for kind in ELEVEN_KINDS)
    if rack.sum() < size:
        _demand(unseen > 0, "the opening seat cannot have an 11")
    else:
        _demand(_has_eleven(rack), "the opening seat has no 11")
    seat = state.starter
    while seat != state.turn:
        _demand(not _has_eleven(state.rack[seat]), f"seat {seat} has an 11 and would open")
        seat = left_of(state, seat)
    if size > DEALT[state.players]:
        _demand(unseen + rack[list(ELEVEN_KINDS)].sum() == len(ELEVEN_KINDS), "the search has found the first 11")
        _demand(state.bag_size >= len(ELEVEN_KINDS) - 1, "the bag is too small for the other 11s")
    else:
        sizes = state.rack_size[: state.players]
        _demand((sizes == DEALT[state.players]).all(), "everybody has as many tiles as were dealt")


def _has_eleven(rack: Any) -> bool:
    return any(rack[kind] for kind in ELEVEN_KINDS)


def _demand(fits: bool, otherwise: str) -> None:
    if not fits:
        raise PositionError(otherwise)


def refresh(state: State) -> None:
    """Work out the derived fields."""
    for name in ("laid", "inviting", "holds", "bag_mask"):
        state[name] = 0
    state.inviting[:SYMBOL_PART] = ELEVENS
    for field in range(FIELDS):
        if state.board[field]:
            put_on_board(state, field)
    for kind in range(KINDS):
        fields = mask_of([field for field in range(FIELDS) if tile_for(field) == kind])
        if kind < MASKED and state.bag[kind]:
            state.bag_mask |= 1 << kind
        for seat in range(state.players):
            if state.rack[seat, kind]:
                for part in range(PARTS):
                    state.holds[seat, part] |= fields[part]
