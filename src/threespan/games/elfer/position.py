"""Positions of Elfer that come from a text: what is wrong with them, and working out their masks."""

from collections.abc import Iterator
from typing import Any

from threespan.core.layout import State, numbers_of, refuse
from threespan.games.elfer.knowledge import has_chosen_to_open
from threespan.games.elfer.rules import DEALT
from threespan.games.elfer.state import (
    ELEVEN_KINDS,
    ELEVENS,
    ENDS,
    FIELDS,
    FIELDS_FOR,
    FULL_BAG,
    KINDS,
    MASKED,
    NONE,
    NUMBER_FIELDS,
    PARTS,
    SYMBOL,
    SYMBOL_PART,
    Phase,
    field_at,
    fields_in,
    symbol_field,
    tile_for,
)
from threespan.games.elfer.tiles import left_of, put_on_board

_BEFORE_PLAY = (Phase.START, Phase.DEAL, Phase.SEARCH, Phase.ASK, Phase.OPEN)
_AFTER_A_TILE = (Phase.BONUS_DRAWING, Phase.BONUS, Phase.FREE, Phase.HAND)


def refresh(state: State) -> None:
    """Work out the derived fields; raises PositionError where the played ones contradict each other."""
    refuse(complaints(state))
    for name in ("laid", "inviting", "holds", "bag_mask"):
        state[name] = 0
    state.inviting[:SYMBOL_PART] = ELEVENS
    for field in range(FIELDS):
        if state.board[field]:
            put_on_board(state, field)
    for kind in range(KINDS):
        if kind < MASKED and state.bag[kind]:
            state.bag_mask |= 1 << kind
        for seat in range(state.players):
            if state.rack[seat, kind]:
                for part in range(PARTS):
                    state.holds[seat, part] |= FIELDS_FOR[kind, part]


def complaints(state: State) -> Iterator[str]:
    """Every reason why the played fields contradict each other. Observations are positions too."""
    yield from _seat_complaints(state)
    yield from _shown_complaints(state)
    yield from _tile_complaints(state)
    yield from _asking_complaints(state)
    yield from _moment_complaints(state)
    if state.phase == Phase.OPEN:
        yield from _opening_complaints(state)


def _seat_complaints(state: State) -> Iterator[str]:
    players = int(state.players)
    if players < 2:
        yield "at least two players are needed"
    if state.turn >= players or state.starter >= players:
        yield f"there are only {players} seats"
    if not 1 <= state.round_number <= state.rounds:
        yield f"the match has {state.rounds} rounds"
    for field in ("rack_size", "rack", "handed", "shown", "shown_left", "minus"):
        if any(numbers_of(state[field][players:])):
            yield f"{field}: there are only {players} seats"


def _tile_complaints(state: State) -> Iterator[str]:
    """Every tile is in one place; where racks are hidden, the bag holds what is missing on them."""
    racks = state.rack.tolist()
    seen = [sum(tiles) for tiles in zip(state.bag.tolist(), *racks, strict=True)]
    for field in range(FIELDS):
        seen[tile_for(field)] += state.board[field]
    if state.bonus_tile != NONE:
        seen[state.bonus_tile] += 1
    for kind in range(KINDS):
        full = FULL_BAG[state.has_symbols, kind]
        if seen[kind] != full:
            yield f"there are {seen[kind]} tiles of kind {kind} instead of {full}"
    hidden = [size - sum(rack) for size, rack in zip(state.rack_size.tolist(), racks, strict=True)]
    if min(hidden) < 0:
        yield "a rack has more tiles than its size says"
    if sum(state.bag.tolist()) != state.bag_size + sum(hidden):
        yield "the bag does not fit its size"
    for seat in range(state.players):
        left = left_of(state, seat)
        known = state.handed[seat].tolist()
        shown = (state.shown_left if left_of(state, left) == seat else state.shown)[left]
        known[SYMBOL:] = [handed + seen_go for handed, seen_go in zip(known[SYMBOL:], shown.tolist(), strict=True)]
        if any(count > held for count, held in zip(known, racks[left], strict=True)):
            yield f"seat {left} has not got what it was handed"


def _shown_complaints(state: State) -> Iterator[str]:
    """Symbols go to racks openly only where they need a number beside them; the left neighbour knows of as many."""
    shown, shown_left = numbers_of(state.shown), numbers_of(state.shown_left)
    symbols = [count for rack in state.rack.tolist() for count in rack[SYMBOL:]]
    if any(shown_left) and not state.symbols_adjoin:
        yield "shown: every bonus symbol is laid"
    if any(count > left_count for count, left_count in zip(shown, shown_left, strict=True)):
        yield "shown: everybody knows more than the left neighbour"
    if any(count > held for count, held in zip(shown_left, symbols, strict=True)):
        yield "shown: a symbol is not on the rack that it went to"


def _moment_complaints(state: State) -> Iterator[str]:
    """The moment is one that the rules lead to, and somebody can act in it."""
    phase = Phase(state.phase)
    if (state.bonus_tile != NONE) != (phase is Phase.BONUS):
        yield "a bonus tile is there just while it is to be laid"
    if state.bonus_tile >= SYMBOL and state.symbols_adjoin and not _has_place(state, state.bonus_tile - SYMBOL):
        yield "a bonus symbol without a number beside its fields goes to the rack"
    if phase < Phase.OPEN and state.bag_size == 0:
        yield "nothing can be drawn from an empty bag"
    yield from _fresh_complaints(state)
    if phase in _BEFORE_PLAY and any(state.board.tolist()):
        yield "the board is empty until the opening 11 is laid"
    if phase not in _BEFORE_PLAY and not any(state.board.tolist()[:NUMBER_FIELDS]):
        yield "at least the opening 11 has been laid"
    if phase in _AFTER_A_TILE and state.laid_count == 0:
        yield "this comes after a tile has been laid"
    if phase in (Phase.START, Phase.DEAL) and state.rack_size[state.turn] >= DEALT[state.players]:
        yield "this rack is full"
    if phase is Phase.SEARCH and not all(state.bag[kind] for kind in ELEVEN_KINDS):
        yield "the search is for the 11s in the bag"
    if phase is Phase.SEARCH and state.bag_size < len(ELEVEN_KINDS):
        yield "the bag is too small for the four 11s"
    if phase in (Phase.LAY, *_AFTER_A_TILE) and min(state.rack_size.tolist()[: state.players]) == 0:
        yield "the round is over when a rack is empty"


def _has_place(state: State, row: int) -> bool:
    """Whether a number lies beside an empty symbol field of a row."""
    return any(
        state.board[field_at(row, number)] and not state.board[symbol_field(row, end)]
        for end, number in enumerate(ENDS)
    )


def _fresh_complaints(state: State) -> Iterator[str]:
    """The tiles of this turn lie on the board and are counted."""
    marked = fields_in(state.fresh.tolist())
    fresh = [field for field in marked if field < FIELDS]
    if fresh != marked:
        yield "there is a tile of this turn beside the board"
    if not all(state.board[field] for field in fresh):
        yield "a tile of this turn does not lie on the board"
    if state.laid_count > len(fresh):
        yield "more tiles are counted in this turn than have been laid"
    if (state.laid_count > 0) != (len(fresh) > 0):
        yield "tiles of this turn are not counted"


def _asking_complaints(state: State) -> Iterator[str]:
    """Where nobody must open, the seats are asked from the starting seat on, until one opens."""
    phase, players = Phase(state.phase), int(state.players)
    if phase is Phase.ASK and not state.may_leave:
        yield "nobody is asked who opens"
    if state.leaves and not (state.may_leave and phase in (Phase.ASK, Phase.OPEN, Phase.SEARCH)):
        yield "leaves: nobody has been asked who opens"
    asked = (state.starter + state.leaves) % players
    if phase is Phase.ASK and (state.leaves >= players or state.turn != asked):
        yield "leaves: the seats are asked in turn"
    if phase is Phase.ASK and not _are_racks_as_dealt(state):
        yield "everybody has as many tiles as were dealt"
    if state.may_leave and phase is Phase.SEARCH and state.leaves != players:
        yield "leaves: first everybody is asked who opens"
    if state.may_leave and phase is Phase.OPEN and state.leaves < players and state.turn != asked:
        yield "leaves: the seats are asked in turn"


def _opening_complaints(state: State) -> Iterator[str]:
    """START_ELEVEN: the opening seat can have an 11, and no seat before it can."""
    rack, size = state.rack[state.turn].tolist(), state.rack_size[state.turn]
    unseen = sum(int(state.bag[kind]) for kind in ELEVEN_KINDS)
    is_hidden = sum(rack) < size
    if is_hidden and unseen == 0:
        yield "the opening seat cannot have an 11"
    if not is_hidden and not _has_eleven(rack):
        yield "the opening seat has no 11"
    seat = state.turn if has_chosen_to_open(state) else state.starter
    while seat != state.turn:
        if _has_eleven(state.rack[seat]):
            yield f"seat {seat} has an 11 and would open"
        seat = left_of(state, seat)
    if size <= DEALT[state.players]:
        if not _are_racks_as_dealt(state):
            yield "everybody has as many tiles as were dealt"
        return
    if unseen + sum(rack[kind] for kind in ELEVEN_KINDS) != len(ELEVEN_KINDS):
        yield "the search has found the first 11"
    if state.bag_size < len(ELEVEN_KINDS) - 1:
        yield "the bag is too small for the other 11s"


def _are_racks_as_dealt(state: State) -> bool:
    players = int(state.players)
    return all(size == DEALT[players] for size in state.rack_size.tolist()[:players])


def _has_eleven(rack: Any) -> bool:
    return any(rack[kind] for kind in ELEVEN_KINDS)
