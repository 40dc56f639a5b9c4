"""Who knows what in Elfer: hiding racks and bag, and imagining how the unseen tiles may be spread.

An observation keeps of every foreign rack its size and the tiles that the viewer handed on (`handed`) or has seen going
there as a bonus (`shown`) and that are certainly still there. All other unseen tiles are tipped into the bag;
`bag_size` still tells how many of them are really in it. What a seat's play gives away (it could not lay anything, it
had no 11) is not kept, with one exception: while the opening 11 is due, everybody knows who cannot have one. Who was
asked and has left the opening to others may have one or not.

`handed[seat]` is known to the giver and to the receiver, who both see all that changes it:
- the giver hands on a tile: one more of its kind;
- the receiver lays a tile of that kind: one less, since it may be the one that was handed on;
- the receiver hands on a tile: with two players the giver gets it and knows its kind; with more players it may be any
  kind, so one less of every kind. Only what is certain stays.

`shown[seat]` is known to everybody, by the same rules: laying a symbol makes one less of its kind certain, handing on a
tile one less of every kind. The left neighbour sees what is handed on and so may know more: `shown_left[seat]`. What is
shown and what is handed on are different tiles; if one of either is laid, one that was shown is taken to be gone.
"""

from typing import Any

from threespan.core.chance import below
from threespan.core.kernel import entry, kernel
from threespan.core.layout import State
from threespan.games.elfer.rules import DEALT
from threespan.games.elfer.state import ELEVEN_KINDS, FIELDS_FOR, KINDS, PARTS, ROWS, SYMBOL, Phase
from threespan.games.elfer.tiles import add_to_bag, add_to_rack, holds_eleven, left_of, take_from_bag, tile_of_ticket


@kernel
def hide(state: State, seat: int) -> None:
    """Tip the unknown tiles of the other racks into the bag; after the match all racks lie open."""
    if state.phase == Phase.OVER:
        return
    bag_size = state.bag_size
    for other in range(state.players):
        if other != seat:
            rack_size = state.rack_size[other]
            keep_known(state, other, seat)
            state.rack_size[other] = rack_size
            if left_of(state, other) != seat:
                for kind in range(KINDS):
                    state.handed[other, kind] = 0
                for row in range(ROWS):
                    state.shown_left[other, row] = state.shown[other, row]
    state.bag_size = bag_size


@kernel
def keep_known(state: State, other: int, seat: int) -> None:
    """Leave on a rack only what `seat` handed to it, or has seen going there as a bonus."""
    is_receiver = seat >= 0 and left_of(state, seat) == other
    is_left = left_of(state, other) == seat
    for part in range(PARTS):
        state.holds[other, part] = 0
    for kind in range(KINDS):
        known = state.handed[seat, kind] if is_receiver else 0
        if kind >= SYMBOL:
            row = kind - SYMBOL
            known += state.shown_left[other, row] if is_left else state.shown[other, row]
        add_to_bag(state, kind, state.rack[other, kind] - known)
        state.rack[other, kind] = known
        if known > 0:
            for part in range(PARTS):
                state.holds[other, part] |= FIELDS_FOR[kind, part]


@kernel
def imagine(state: State, seat: int, rng: Any) -> None:
    """Fill the other racks from the unseen tiles.

    Uniform means: as if the unseen tiles, each a thing of its own, were shuffled and dealt to the free places. So a
    spread that names kinds only has a chance in proportion to the number of ways in which single tiles can make it.
    What third parties know of each other's racks (`handed`) stays blank.
    """
    if state.phase == Phase.OVER:
        return
    if state.phase == Phase.SEARCH or is_open_after_search(state):
        deal_but_elevens(state, seat, rng)
        return
    deal_unseen(state, seat, rng)
    while state.phase == Phase.OPEN and not may_be_opener(state):
        hide(state, seat)
        deal_unseen(state, seat, rng)


@kernel
def deal_unseen(state: State, seat: int, rng: Any) -> None:
    """Deal tiles from the bag to the other racks until they have their sizes."""
    state.bag_size = 0
    for kind in range(KINDS):
        state.bag_size += state.bag[kind]
    for other in range(state.players):
        if other != seat:
            unknown = state.rack_size[other]
            for kind in range(KINDS):
                unknown -= state.rack[other, kind]
            state.rack_size[other] -= unknown
            for _ in range(unknown):
                kind = tile_of_ticket(state, below(rng, state.bag_size))
                take_from_bag(state, kind)
                add_to_rack(state, other, kind)


@kernel
def deal_but_elevens(state: State, seat: int, rng: Any) -> None:
    """Deal when no rack was dealt an 11: the seat that has drawn one in the search has it, the bag has the others."""
    if state.phase == Phase.OPEN and state.turn != seat:
        eleven = ELEVEN_KINDS[below(rng, len(ELEVEN_KINDS))]
        take_from_bag(state, eleven)
        add_to_rack(state, state.turn, eleven)
        state.rack_size[state.turn] -= 1  # the size had counted it already
    aside = 0
    for row in range(ROWS):
        if state.bag[ELEVEN_KINDS[row]] > 0:
            take_from_bag(state, ELEVEN_KINDS[row])
            aside |= 1 << row
    deal_unseen(state, seat, rng)
    for row in range(ROWS):
        add_to_bag(state, ELEVEN_KINDS[row], aside >> row & 1)


@entry
def is_open_after_search(state: State) -> bool:
    """Whether the opening 11 was drawn in the search: only then its rack has more tiles than were dealt."""
    return state.phase == Phase.OPEN and state.rack_size[state.turn] > DEALT[state.players]  # type: ignore[no-any-return]


@kernel
def may_be_opener(state: State) -> bool:
    """START_ELEVEN: whether the seat that opens is the first one with an 11, or has one and has chosen to open."""
    if has_chosen_to_open(state):
        return holds_eleven(state, state.turn)
    seat = state.starter
    while seat != state.turn:
        if holds_eleven(state, seat):
            return False
        seat = left_of(state, seat)
    return holds_eleven(state, seat)


@entry
def has_chosen_to_open(state: State) -> bool:
    """Whether the seat that opens did so before all had left it to others; those before it may have an 11, too."""
    return state.may_leave and state.leaves < state.players  # type: ignore[no-any-return]
