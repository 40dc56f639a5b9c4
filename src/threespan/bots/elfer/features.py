"""What a seat of Elfer can tell at first sight about the position that an action leads to.

Everything is counted on masks of the number fields (see `games/elfer/state.py`), `upper` for rows 0 and 1, `lower` for
rows 2 and 3, and reads only what the seat knows: its own rack, the board, the sizes of bag and racks. A tile is
unseen if it is neither on the board nor on the own rack: in the bag or on another rack. A field is open
(`state.inviting`) if it is empty and a tile may go there.
"""

from collections import namedtuple
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
_LATE_RACK = 5  # tiles on another rack, or fewer: the round may end soon
_MAX_FITS = 8  # more count as so many
_MAX_STEPS = 6  # so do larger distances
_MAX_GUARDS = 2  # and more guards
# What counts are divided by, so that features are of about one size: by the largest that is usual.
_SCALE_2, _SCALE_4, _SCALE_8, _SCALE_10 = 2.0, 4.0, 8.0, 10.0


class Moment(IntEnum):
    """What an action leads to; each has weights of its own."""

    LAYING = 0  # more tiles may be laid; also PASS, which is never weighed against anything
    LAYING_ENDS = 1
    HANDING_DECIDED = 2  # a tile is handed on, or none is


class Feature(IntEnum):
    """What is counted after an action. Counts are scaled so that weights are of one size."""

    ALWAYS = 0
    NOTHING_FITS = 1  # of the own tiles
    ONE_FITS = 2
    TWO_FIT = 3
    FITS = 4
    JOKER_FITS = 5
    OWN_REACH = 6  # fields that own tiles can go to one after another, without help
    ONE_AWAY = 7  # fields of own tiles that open after one tile of somebody else's
    FAR_AWAY = 8  # fields of own tiles that open after more than one
    JOKERS = 9
    UNSEEN_FIT = 10  # open fields that unseen coloured tiles may go to
    UNSEEN_JOKERS_FIT = 11
    NOTHING_UNSEEN_FITS = 12
    ONE_UNSEEN_FITS = 13
    UNSEEN_NEXT = 14  # fields that such tiles would open to further unseen ones
    PAIR = 15  # a tile may be handed on
    PAIR_AND_BLOCKED = 16  # and there is one that cannot be laid without somebody else's tiles
    BONUS = 17
    RACK = 18
    UNSEEN_FIT_LATE = 19  # when another rack has few tiles; with jokers
    NOTHING_FITS_LATE = 20
    WORTH = 21  # of the tile that leaves the rack
    SYMBOLS = 22
    FREE_TO_FINISH = 23  # all own tiles can be laid without somebody else's
    GIFT_FITS = 24  # the tile handed on can be laid at once
    GIFT_STEPS = 25  # how far it is from the nearest open field
    GIFT_GUARDS = 26  # own tiles that keep it from being laid


# The values of all features, in the order of their numbers: kernels name them. Type checkers cannot know the fields.
_make_type: Any = namedtuple
FeatureValues = _make_type("FeatureValues", [feature.name.lower() for feature in Feature])

FEATURES = len(Feature)
MOMENTS = len(Moment)


@kernel
def count(upper: int, lower: int) -> int:
    """How many fields two masks have."""
    return count_bits(upper) + count_bits(lower)


@kernel
def across_bridge(state: State, field: int) -> Any:
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
        across_upper, across_lower = across_bridge(state, field)
        new_upper = (NEIGHBOURS[field, 0] | across_upper) & to_upper & ~reached_upper
        new_lower = (NEIGHBOURS[field, 1] | across_lower) & to_lower & ~reached_lower
        reached_upper |= new_upper
        reached_lower |= new_lower
        upper |= new_upper
        lower |= new_lower
    return reached_upper, reached_lower


@kernel
def neighbours_of(state: State, upper: int, lower: int) -> Any:
    """The fields that adjoin those of two masks; these may be among them."""
    near_upper = near_lower = 0
    while upper | lower != 0:
        if upper != 0:
            field = lowest_bit(upper)
            upper &= upper - 1
        else:
            field = PART + lowest_bit(lower)
            lower &= lower - 1
        across_upper, across_lower = across_bridge(state, field)
        near_upper |= NEIGHBOURS[field, 0] | across_upper
        near_lower |= NEIGHBOURS[field, 1] | across_lower
    return near_upper, near_lower


@kernel
def fields_for_unseen(state: State, seat: int, laid_upper: int, laid_lower: int) -> Any:
    """The empty fields that unseen tiles may go to."""
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
        across_upper, across_lower = across_bridge(state, field)
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
def distance_of_gift(state: State, seat: int, kind: int) -> Any:
    """How far a coloured tile's field is from the nearest open one in its row, and how many fields between are guarded.

    A field is guarded if the giver has the tile for it. Each number is the smaller one of the two directions.
    """
    if kind >= JOKER:
        return 0, 0
    field = kind // COLOURED_A_ROW * NUMBERS + VALUE[kind] - 1
    row = field - field % NUMBERS
    fewest_steps, fewest_guards = _MAX_STEPS, _MAX_GUARDS
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
        return Moment.HANDING_DECIDED
    is_third = state.phase == Phase.LAY and state.laid_count == MAX_LAID - 1
    is_last = is_third and action - LAY < NUMBER_FIELDS  # a free tile follows a symbol
    return Moment.LAYING_ENDS if is_last or action == STOP else Moment.LAYING


@kernel
def features(state: State, seat: int, action: int) -> Any:
    """The features of the position after a legal action."""
    laid_upper, laid_lower, open_upper, open_lower, fresh_upper, fresh_lower = board_after(state, action)
    kind = leaving(state, action)
    own_upper, own_lower = own_after(state, seat, kind)
    own_upper &= ~laid_upper
    own_lower &= ~laid_lower
    fit_upper, fit_lower = own_upper & open_upper, own_lower & open_lower
    symbols_fit = count_bits(state.holds[seat, SYMBOL_PART] & state.inviting[SYMBOL_PART])
    is_symbol_laid = NUMBER_FIELDS <= action < HAND  # its field still counts as open
    fit_count = count(fit_upper, fit_lower) + symbols_fit - is_symbol_laid
    reach_upper, reach_lower = spread(state, fit_upper, fit_lower, own_upper, own_lower)
    unseen_upper, unseen_lower = fields_for_unseen(state, seat, laid_upper, laid_lower)
    unseen_fit_upper, unseen_fit_lower = unseen_upper & open_upper, unseen_lower & open_lower
    unseen_count = count(unseen_fit_upper, unseen_fit_lower)
    unseen_jokers = count(unseen_fit_upper & JOKER_FIELDS, unseen_fit_lower & JOKER_FIELDS)
    near_upper, near_lower = neighbours_of(state, unseen_fit_upper, unseen_fit_lower)
    one_away_count = count(near_upper & own_upper & ~reach_upper, near_lower & own_lower & ~reach_lower)
    reach = count(reach_upper, reach_lower)
    far_away_count = count(own_upper, own_lower) - reach - one_away_count
    has_pair = (fresh_upper & fresh_upper >> 1 | fresh_lower & fresh_lower >> 1) & PAIR_STARTS != 0
    has_bonus = action - LAY < NUMBER_FIELDS and state.bag_size > 0 and is_first_on_bonus_bridge(state, action - LAY)
    is_late = smallest_other_rack(state, seat) <= _LATE_RACK
    does_gift_fit, steps, guards = False, 0, 0
    if HAND <= action < STOP:
        does_gift_fit = FIELDS_FOR[kind, 0] & open_upper | FIELDS_FOR[kind, 1] & open_lower != 0
        steps, guards = distance_of_gift(state, seat, kind)
    always = 1.0
    nothing_fits = 1.0 * (fit_count == 0)
    one_fits = 1.0 * (fit_count == 1)
    two_fit = 1.0 * (fit_count == 2)
    fits = min(fit_count, _MAX_FITS) / _SCALE_4
    joker_fits = count(fit_upper & JOKER_FIELDS, fit_lower & JOKER_FIELDS) / _SCALE_4
    own_reach = reach / _SCALE_8
    one_away = one_away_count / _SCALE_4
    far_away = far_away_count / _SCALE_8
    jokers = (held(state, seat, JOKER, SYMBOL) - (JOKER <= kind < SYMBOL)) / _SCALE_2
    unseen_fit = (unseen_count - unseen_jokers) / _SCALE_4
    unseen_jokers_fit = unseen_jokers / _SCALE_4
    nothing_unseen_fits = 1.0 * (unseen_count == 0)
    one_unseen_fits = 1.0 * (unseen_count == 1)
    unseen_next = count(near_upper & unseen_upper & ~open_upper, near_lower & unseen_lower & ~open_lower) / _SCALE_8
    pair = 1.0 * has_pair
    pair_and_blocked = 1.0 * (has_pair and one_away_count + far_away_count > 0)
    bonus = 1.0 * has_bonus
    rack = (state.rack_size[seat] - (kind != NONE)) / _SCALE_10
    unseen_fit_late = 1.0 * is_late * unseen_count / _SCALE_4
    nothing_fits_late = 1.0 * (is_late and fit_count == 0)
    worth = 0.0 if kind == NONE else VALUE[kind] / NUMBERS
    symbols = (held(state, seat, SYMBOL, KINDS) - (kind >= SYMBOL)) / _SCALE_2
    free_to_finish = 1.0 * (one_away_count + far_away_count == 0)
    gift_fits = 1.0 * does_gift_fit
    gift_steps = min(steps, _MAX_STEPS) / _SCALE_4
    gift_guards = min(guards, _MAX_GUARDS) / _SCALE_2
    return FeatureValues(
        always,
        nothing_fits,
        one_fits,
        two_fit,
        fits,
        joker_fits,
        own_reach,
        one_away,
        far_away,
        jokers,
        unseen_fit,
        unseen_jokers_fit,
        nothing_unseen_fits,
        one_unseen_fits,
        unseen_next,
        pair,
        pair_and_blocked,
        bonus,
        rack,
        unseen_fit_late,
        nothing_fits_late,
        worth,
        symbols,
        free_to_finish,
        gift_fits,
        gift_steps,
        gift_guards,
    )


@kernel
def score(state: State, seat: int, action: int, weights: Any) -> float:
    """The policy's score for a legal action; `weights` are indexed by number of players, moment and feature."""
    values = features(state, seat, action)
    players, moment = state.players, moment_after(state, action)
    # No loop: to index a tuple with a variable could raise, which an entry must not.
    return (  # type: ignore[no-any-return]
        weights[players, moment, Feature.ALWAYS] * values.always
        + weights[players, moment, Feature.NOTHING_FITS] * values.nothing_fits
        + weights[players, moment, Feature.ONE_FITS] * values.one_fits
        + weights[players, moment, Feature.TWO_FIT] * values.two_fit
        + weights[players, moment, Feature.FITS] * values.fits
        + weights[players, moment, Feature.JOKER_FITS] * values.joker_fits
        + weights[players, moment, Feature.OWN_REACH] * values.own_reach
        + weights[players, moment, Feature.ONE_AWAY] * values.one_away
        + weights[players, moment, Feature.FAR_AWAY] * values.far_away
        + weights[players, moment, Feature.JOKERS] * values.jokers
        + weights[players, moment, Feature.UNSEEN_FIT] * values.unseen_fit
        + weights[players, moment, Feature.UNSEEN_JOKERS_FIT] * values.unseen_jokers_fit
        + weights[players, moment, Feature.NOTHING_UNSEEN_FITS] * values.nothing_unseen_fits
        + weights[players, moment, Feature.ONE_UNSEEN_FITS] * values.one_unseen_fits
        + weights[players, moment, Feature.UNSEEN_NEXT] * values.unseen_next
        + weights[players, moment, Feature.PAIR] * values.pair
        + weights[players, moment, Feature.PAIR_AND_BLOCKED] * values.pair_and_blocked
        + weights[players, moment, Feature.BONUS] * values.bonus
        + weights[players, moment, Feature.RACK] * values.rack
        + weights[players, moment, Feature.UNSEEN_FIT_LATE] * values.unseen_fit_late
        + weights[players, moment, Feature.NOTHING_FITS_LATE] * values.nothing_fits_late
        + weights[players, moment, Feature.WORTH] * values.worth
        + weights[players, moment, Feature.SYMBOLS] * values.symbols
        + weights[players, moment, Feature.FREE_TO_FINISH] * values.free_to_finish
        + weights[players, moment, Feature.GIFT_FITS] * values.gift_fits
        + weights[players, moment, Feature.GIFT_STEPS] * values.gift_steps
        + weights[players, moment, Feature.GIFT_GUARDS] * values.gift_guards
    )
