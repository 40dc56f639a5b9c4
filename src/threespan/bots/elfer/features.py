"""What a seat of Elfer can tell at first sight about the position that an action leads to.

Everything is counted on masks of the number fields (see `games/elfer/state.py`), `upper` for rows 0 and 1, `lower` for
rows 2 and 3, and reads only what the seat knows: its own rack, the board, the sizes of bag and racks. A coloured tile
that is neither on the board nor on the own rack is elsewhere, in the bag or on a rack; so are the jokers left over.
"""

from enum import IntEnum
from typing import Any

from threespan.core.kernel import count_bits, kernel, lowest_bit
from threespan.core.layout import State
from threespan.games.elfer.state import (
    BIT_OF,
    COLOURED_A_ROW,
    FIELDS_FOR,
    HAND,
    JOKER,
    JOKER_FIELDS,
    KEEP,
    KINDS,
    LAY,
    MAX_LAID,
    NEIGHBOURS,
    NONE,
    NUMBER_FIELDS,
    NUMBERS,
    PAIR_STARTS,
    PART,
    PART_OF,
    STOP,
    SYMBOL,
    SYMBOL_PART,
    TILE_FOR,
    VALUE,
    Phase,
)
from threespan.games.elfer.tiles import is_first_on_bonus_bridge

_COLOURED_FIELDS = 2**PART - 1 & ~JOKER_FIELDS
_FEW = 5  # tiles on a rack that may be gone soon
_MANY_FITS = 8
_FAR = 6  # steps to an open field that are as good as any more
_GUARDS = 2  # own tiles on the way that are as good as any more


class Moment(IntEnum):
    """What an action leads to; each has weights of its own."""

    TURN_GOES_ON = 0
    TURN_ENDS = 1
    HANDED_ON = 2


class Feature(IntEnum):
    """What is counted after an action. Counts are scaled so that weights are of one size."""

    ALWAYS = 0
    NOTHING_FITS = 1  # of the own tiles
    ONE_FITS = 2
    TWO_FIT = 3
    FITS = 4
    JOKER_FITS = 5
    OWN_WAY = 6  # fields that own tiles can go to one after another, without help
    ONE_GAP = 7  # fields of own tiles that wait for one foreign tile
    STUCK = 8  # fields of own tiles that wait for more
    JOKERS = 9
    OTHERS_FIT = 10  # fields open to coloured tiles that are elsewhere
    OTHERS_JOKERS_FIT = 11
    NOTHING_FOR_OTHERS = 12
    ONE_FOR_OTHERS = 13
    OTHERS_NEXT = 14  # fields that such tiles would open to further ones
    PAIR = 15  # a tile may be handed on
    PAIR_AND_BURDEN = 16  # and there is one that waits
    BONUS = 17
    RACK = 18
    OTHERS_FIT_LATE = 19  # when another rack has few tiles
    NOTHING_FITS_LATE = 20
    WORTH = 21  # of the tile that leaves the rack
    SYMBOLS = 22
    FREE_TO_FINISH = 23  # no own tile waits for a foreign one
    GIFT_FITS = 24  # the tile handed on can be laid at once
    GIFT_STEPS = 25  # how far it is from the next open field
    GIFT_GUARDS = 26  # own tiles that keep it from being laid


FEATURES = len(Feature)
MOMENTS = len(Moment)


@kernel
def count(upper: int, lower: int) -> int:
    """How many fields two masks have."""
    return count_bits(upper) + count_bits(lower)


@kernel
def bridge_of(state: State, field: int) -> Any:
    """The field across a bridge, as masks; the field itself if there is no bridge."""
    across = state.bridge_to[field]
    return (BIT_OF[across], 0) if across < PART else (0, BIT_OF[across])


@kernel
def spread(state: State, upper: int, lower: int, to_upper: int, to_lower: int) -> Any:
    """The fields that are reached from some fields by steps to adjoining fields of the masks `to`."""
    reached_upper, reached_lower = upper, lower
    while upper | lower != 0:
        if upper != 0:
            field = lowest_bit(upper)
            upper &= upper - 1
        else:
            field = PART + lowest_bit(lower)
            lower &= lower - 1
        across_upper, across_lower = bridge_of(state, field)
        fresh_upper = (NEIGHBOURS[field, 0] | across_upper) & to_upper & ~reached_upper
        fresh_lower = (NEIGHBOURS[field, 1] | across_lower) & to_lower & ~reached_lower
        reached_upper |= fresh_upper
        reached_lower |= fresh_lower
        upper |= fresh_upper
        lower |= fresh_lower
    return reached_upper, reached_lower


@kernel
def beside(state: State, upper: int, lower: int) -> Any:
    """The fields that adjoin those of two masks."""
    near_upper = near_lower = 0
    while upper | lower != 0:
        if upper != 0:
            field = lowest_bit(upper)
            upper &= upper - 1
        else:
            field = PART + lowest_bit(lower)
            lower &= lower - 1
        across_upper, across_lower = bridge_of(state, field)
        near_upper |= NEIGHBOURS[field, 0] | across_upper
        near_lower |= NEIGHBOURS[field, 1] | across_lower
    return near_upper, near_lower


@kernel
def elsewhere(state: State, seat: int, laid_upper: int, laid_lower: int) -> Any:
    """The empty fields that tiles in the bag or on other racks may go to."""
    upper = _COLOURED_FIELDS & ~state.holds[seat, 0] & ~laid_upper
    lower = _COLOURED_FIELDS & ~state.holds[seat, 1] & ~laid_lower
    for kind in range(JOKER, SYMBOL):
        empty_upper, empty_lower = FIELDS_FOR[kind, 0] & ~laid_upper, FIELDS_FOR[kind, 1] & ~laid_lower
        if count(empty_upper, empty_lower) > state.rack[seat, kind]:
            upper |= empty_upper
            lower |= empty_lower
    return upper, lower


@kernel
def board_after(state: State, action: int) -> Any:
    """The masks of laid, open and fresh fields after an action."""
    laid_upper, laid_lower = state.laid[0], state.laid[1]
    open_upper, open_lower = state.inviting[0], state.inviting[1]
    fresh_upper, fresh_lower = state.fresh[0], state.fresh[1]
    field = action - LAY
    if field < NUMBER_FIELDS:
        upper, lower = (BIT_OF[field], 0) if field < PART else (0, BIT_OF[field])
        across_upper, across_lower = bridge_of(state, field)
        laid_upper |= upper
        laid_lower |= lower
        fresh_upper |= upper
        fresh_lower |= lower
        open_upper = (open_upper | NEIGHBOURS[field, 0] | across_upper) & ~laid_upper
        open_lower = (open_lower | NEIGHBOURS[field, 1] | across_lower) & ~laid_lower
    return laid_upper, laid_lower, open_upper, open_lower, fresh_upper, fresh_lower


@kernel
def leaving(state: State, action: int) -> int:
    """The kind of tile that leaves the rack by an action, NONE for none."""
    if action >= STOP or state.phase == Phase.BONUS:
        return NONE
    return action - HAND if action >= HAND else TILE_FOR[action - LAY]


@kernel
def own_after(state: State, seat: int, kind: int) -> Any:
    """The masks of fields that a rack has tiles for, without a tile of a kind."""
    upper, lower = state.holds[seat, 0], state.holds[seat, 1]
    if kind != NONE and state.rack[seat, kind] == 1:
        upper &= ~FIELDS_FOR[kind, 0]
        lower &= ~FIELDS_FOR[kind, 1]
    return upper, lower


@kernel
def held(state: State, seat: int, first: int, stop: int) -> int:
    """How many tiles of a range of kinds a rack has."""
    tiles = 0
    for kind in range(first, stop):
        tiles += state.rack[seat, kind]
    return tiles


@kernel
def smallest_other_rack(state: State, seat: int) -> int:
    """How many tiles the other player has who has fewest."""
    smallest = NUMBER_FIELDS
    for other in range(state.players):
        if other != seat:
            smallest = min(smallest, state.rack_size[other])
    return smallest


@kernel
def way_of_gift(state: State, seat: int, kind: int) -> Any:
    """Steps from a coloured tile's field to the next open one in its row, and tiles of the giver that lie between."""
    if kind >= JOKER:
        return 0, 0
    field = kind // COLOURED_A_ROW * NUMBERS + VALUE[kind] - 1
    row = field - field % NUMBERS
    fewest_steps, fewest_guards = _FAR, _GUARDS
    for direction in (-1, 1):
        here, steps, guards = field, 0, 0
        while row <= here < row + NUMBERS and state.inviting[PART_OF[here]] & BIT_OF[here] == 0:
            here += direction
            steps += 1
            if row <= here < row + NUMBERS:
                guards += state.holds[seat, PART_OF[here]] & BIT_OF[here] != 0
        if row <= here < row + NUMBERS:
            fewest_steps = min(fewest_steps, steps)
            fewest_guards = min(fewest_guards, guards)
    return fewest_steps, fewest_guards


@kernel
def moment_after(state: State, action: int) -> int:
    """What an action leads to."""
    if HAND <= action < STOP or action == KEEP:
        return Moment.HANDED_ON
    is_third = state.phase == Phase.LAY and state.laid_count == MAX_LAID - 1 and action < NUMBER_FIELDS
    return Moment.TURN_ENDS if is_third or action == STOP else Moment.TURN_GOES_ON


@kernel
def features(state: State, seat: int, action: int) -> Any:
    """The features of the position after a legal action, by `Feature`."""
    laid_upper, laid_lower, open_upper, open_lower, fresh_upper, fresh_lower = board_after(state, action)
    kind = leaving(state, action)
    own_upper, own_lower = own_after(state, seat, kind)
    own_upper &= ~laid_upper
    own_lower &= ~laid_lower
    fit_upper, fit_lower = own_upper & open_upper, own_lower & open_lower
    symbols_fit = count_bits(state.holds[seat, SYMBOL_PART] & state.inviting[SYMBOL_PART])
    fits = count(fit_upper, fit_lower) + symbols_fit - (NUMBER_FIELDS <= action < HAND)
    way_upper, way_lower = spread(state, fit_upper, fit_lower, own_upper, own_lower)
    away_upper, away_lower = elsewhere(state, seat, laid_upper, laid_lower)
    others_upper, others_lower = away_upper & open_upper, away_lower & open_lower
    others = count(others_upper, others_lower)
    others_jokers = count(others_upper & JOKER_FIELDS, others_lower & JOKER_FIELDS)
    near_upper, near_lower = beside(state, others_upper, others_lower)
    gaps = count(near_upper & own_upper & ~way_upper, near_lower & own_lower & ~way_lower)
    way = count(way_upper, way_lower)
    stuck = count(own_upper, own_lower) - way - gaps
    has_pair = (fresh_upper & fresh_upper >> 1 | fresh_lower & fresh_lower >> 1) & PAIR_STARTS != 0
    has_bonus = action < NUMBER_FIELDS and state.bag_size > 0 and is_first_on_bonus_bridge(state, action - LAY)
    is_late = smallest_other_rack(state, seat) <= _FEW
    gift_fits, steps, guards = False, 0, 0
    if HAND <= action < STOP:
        gift_fits = FIELDS_FOR[kind, 0] & open_upper | FIELDS_FOR[kind, 1] & open_lower != 0
        steps, guards = way_of_gift(state, seat, kind)
    return (
        1.0,
        1.0 * (fits == 0),
        1.0 * (fits == 1),
        1.0 * (fits == 2),
        min(fits, _MANY_FITS) / 4.0,
        count(fit_upper & JOKER_FIELDS, fit_lower & JOKER_FIELDS) / 4.0,
        way / 8.0,
        gaps / 4.0,
        stuck / 8.0,
        (held(state, seat, JOKER, SYMBOL) - (JOKER <= kind < SYMBOL)) / 2.0,
        (others - others_jokers) / 4.0,
        others_jokers / 4.0,
        1.0 * (others == 0),
        1.0 * (others == 1),
        count(near_upper & away_upper & ~open_upper, near_lower & away_lower & ~open_lower) / 8.0,
        1.0 * has_pair,
        1.0 * (has_pair and gaps + stuck > 0),
        1.0 * has_bonus,
        (state.rack_size[seat] - (kind != NONE)) / 10.0,
        1.0 * is_late * others / 4.0,
        1.0 * (is_late and fits == 0),
        0.0 if kind == NONE else VALUE[kind] / NUMBERS,
        (held(state, seat, SYMBOL, KINDS) - (kind >= SYMBOL)) / 2.0,
        1.0 * (gaps + stuck == 0),
        1.0 * gift_fits,
        min(steps, _FAR) / 4.0,
        min(guards, _GUARDS) / 2.0,
    )


@kernel
def score(state: State, seat: int, action: int, weights: Any) -> float:
    """How a policy likes a legal action; `weights` go by the number of players, the moment and the feature."""
    seen = features(state, seat, action)
    moment = moment_after(state, action)
    total = 0.0
    for index in range(FEATURES):
        total += weights[state.players, moment, index] * seen[index]
    return total
