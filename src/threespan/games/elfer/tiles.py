"""Where the tiles of Elfer are: on racks, in the bag, on the board. Counts by kind and masks move together."""

from threespan.core.kernel import count_bits, entry, kernel, nth_bit
from threespan.core.layout import State
from threespan.games.elfer.state import (
    BIT_OF,
    ELEVEN,
    ELEVENS,
    FIELDS_FOR,
    KINDS,
    MASKED,
    NEIGHBOURS,
    NUMBER_FIELDS,
    NUMBER_PARTS,
    NUMBERS,
    PAIR_STARTS,
    PART_OF,
    PARTS,
    ROWS,
    SYMBOL,
    SYMBOL_PART,
    VALUE,
)

# Seats


@entry
def left_of(state: State, seat: int) -> int:
    """The next seat."""
    return seat + 1 if seat + 1 < state.players else 0


@kernel
def right_of(state: State, seat: int) -> int:
    """The seat before."""
    return seat - 1 if seat > 0 else state.players - 1


# Racks and bag


@kernel
def add_to_rack(state: State, seat: int, kind: int) -> None:
    """Put a tile on a rack."""
    state.rack[seat, kind] += 1
    state.rack_size[seat] += 1
    for part in range(NUMBER_PARTS):
        state.holds[seat, part] |= FIELDS_FOR[kind, part]
    if kind >= SYMBOL:
        state.holds[seat, SYMBOL_PART] |= FIELDS_FOR[kind, SYMBOL_PART]


@kernel
def take_from_rack(state: State, seat: int, kind: int) -> None:
    """Take a tile from a rack."""
    left = state.rack[seat, kind] - 1  # kept at hand: to read it back from the state costs more than all the rest
    state.rack[seat, kind] = left
    state.rack_size[seat] -= 1
    if left == 0:
        for part in range(NUMBER_PARTS):
            state.holds[seat, part] &= ~FIELDS_FOR[kind, part]
        if kind >= SYMBOL:
            state.holds[seat, SYMBOL_PART] &= ~FIELDS_FOR[kind, SYMBOL_PART]


@kernel
def add_to_bag(state: State, kind: int, count: int) -> None:
    """Put tiles into the bag."""
    state.bag[kind] += count
    state.bag_size += count
    if kind < MASKED and count > 0:
        state.bag_mask |= 1 << kind


@kernel
def take_from_bag(state: State, kind: int) -> None:
    """Take a tile out of the bag."""
    state.bag[kind] -= 1
    state.bag_size -= 1
    if kind < MASKED:
        state.bag_mask &= ~(1 << kind)


@kernel
def tile_of_ticket(state: State, ticket: int) -> int:
    """The kind of the tile at place `ticket` of the bag, its tiles in the order of their kinds."""
    masked = count_bits(state.bag_mask)
    if ticket < masked:
        return nth_bit(state.bag_mask, ticket)
    ticket -= masked
    kind = MASKED
    while ticket >= state.bag[kind]:
        ticket -= state.bag[kind]
        kind += 1
    return kind


@kernel
def rack_value(state: State, seat: int) -> int:
    """What the tiles on a rack cost."""
    total = 0
    for kind in range(KINDS):
        total += state.rack[seat, kind] * VALUE[kind]
    return total


@entry
def holds_eleven(state: State, seat: int) -> bool:
    """Whether a rack has an 11."""
    return (state.holds[seat, 0] | state.holds[seat, 1]) & ELEVENS != 0  # type: ignore[no-any-return]


@kernel
def is_hidden(state: State, seat: int) -> bool:
    """Whether nothing is known of a rack that has been dealt: only in an observation of somebody else."""
    return state.holds[seat, 0] | state.holds[seat, 1] | state.holds[seat, 2] == 0  # type: ignore[no-any-return]


@kernel
def doubt(state: State, giver: int, kind: int) -> None:
    """A tile that `giver` handed to the left may be gone from that rack: one less of its kind is certain."""
    state.handed[giver, kind] -= state.handed[giver, kind] > 0


@kernel
def doubt_symbol(state: State, giver: int, seat: int, row: int) -> None:
    """A symbol of `seat` may be gone, as far as the right neighbour knows: one that was shown, else one handed on."""
    is_left = left_of(state, seat) == giver  # with two players
    shown = state.shown_left[seat, row] if is_left else state.shown[seat, row]
    if shown == 0:
        doubt(state, giver, SYMBOL + row)


@kernel
def show_symbol(state: State, seat: int, row: int) -> None:
    """A symbol has gone to a rack before everybody's eyes."""
    state.shown[seat, row] += 1
    state.shown_left[seat, row] += 1


@kernel
def lay_symbol(state: State, seat: int, row: int) -> None:
    """A symbol has left a rack before everybody's eyes: one less of its kind is certain."""
    doubt_symbol(state, right_of(state, seat), seat, row)
    state.shown[seat, row] -= state.shown[seat, row] > 0
    state.shown_left[seat, row] -= state.shown_left[seat, row] > 0


@kernel
def doubt_all(state: State, seat: int, kind: int) -> None:
    """A tile of this kind has left a rack, seen by the left neighbour only; to all others it may be any kind."""
    giver = right_of(state, seat)
    if giver == left_of(state, seat):
        if kind < SYMBOL:
            doubt(state, giver, kind)
        else:
            doubt_symbol(state, giver, seat, kind - SYMBOL)
    else:
        for other in range(SYMBOL):
            doubt(state, giver, other)
        for row in range(ROWS):
            doubt_symbol(state, giver, seat, row)
    for row in range(ROWS):
        state.shown[seat, row] -= state.shown[seat, row] > 0
        state.shown_left[seat, row] -= kind == SYMBOL + row and state.shown_left[seat, row] > 0


# Board


@entry
def put_on_board(state: State, field: int) -> None:
    """Note that a tile lies on a field."""
    part = PART_OF[field]
    state.board[field] = 1
    state.laid[part] |= BIT_OF[field]
    if field >= NUMBER_FIELDS:
        state.inviting[part] &= ~BIT_OF[field]
        return
    across = state.bridge_to[field]
    state.inviting[PART_OF[across]] |= BIT_OF[across]
    for other in range(PARTS):
        state.inviting[other] = (state.inviting[other] | NEIGHBOURS[field, other]) & ~state.laid[other]


@kernel
def touches(state: State, field: int) -> bool:
    """MUST_TOUCH: whether a number field adjoins a laid tile, or is an 11."""
    for part in range(NUMBER_PARTS):
        if NEIGHBOURS[field, part] & state.laid[part] != 0:
            return True
    across = state.bridge_to[field]
    return is_eleven(field) or state.board[across] != 0


@kernel
def has_number_beside(state: State, field: int) -> bool:
    """SYMBOL_PLACE: whether the 1 or the 20 beside a symbol field lies."""
    row, end = (field - NUMBER_FIELDS) // 2, (field - NUMBER_FIELDS) % 2
    return state.board[row * NUMBERS + end * (NUMBERS - 1)] != 0  # type: ignore[no-any-return]


@kernel
def is_eleven(field: int) -> bool:
    """Whether a field is one of the four 11s."""
    return field < NUMBER_FIELDS and field % NUMBERS == ELEVEN - 1


@kernel
def has_place(state: State, symbol: int) -> bool:
    """SYMBOL_PLACE: whether the 1 or the 20 lies beside an empty field of a symbol."""
    return FIELDS_FOR[symbol, SYMBOL_PART] & state.inviting[SYMBOL_PART] != 0  # type: ignore[no-any-return]


@entry
def can_lay(state: State, seat: int) -> bool:
    """Whether some tile of a rack fits under MUST_TOUCH and SYMBOL_PLACE."""
    holds, inviting = state.holds[seat], state.inviting
    return (holds[0] & inviting[0] | holds[1] & inviting[1] | holds[2] & inviting[2]) != 0  # type: ignore[no-any-return]


@kernel
def is_first_on_bonus_bridge(state: State, field: int) -> bool:
    """BONUS_DRAW: whether the tile just laid is the first at a bonus bridge."""
    if state.bonus_fields[PART_OF[field]] & BIT_OF[field] == 0:
        return False
    return state.board[state.bridge_to[field]] == 0  # type: ignore[no-any-return]


@kernel
def has_laid_neighbours(state: State) -> bool:
    """HAND_ON: whether two tiles of this turn lie next to each other in a row."""
    upper, lower = state.fresh[0], state.fresh[1]
    return (upper & upper >> 1 | lower & lower >> 1) & PAIR_STARTS != 0  # type: ignore[no-any-return]
