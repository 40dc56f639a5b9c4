"""What play gives away in Elfer: who has had a turn has mostly laid what fitted.

`imagine` of the game makes all spreads of the unseen tiles equally likely. In play they are not: a tile whose field has
been open for a while is rather in the bag than on a rack. How much rarer it is on the rack of a player who had the last
turn, the last but one, and so on, was counted in matches of bots (`docs/bots.md`).
"""

from typing import Any

from threespan.bots.elfer.features import neighbours_of
from threespan.core.chance import below
from threespan.core.kernel import kernel
from threespan.core.layout import State
from threespan.core.memory import constant
from threespan.games.elfer.knowledge import imagine
from threespan.games.elfer.state import ELEVENS, FIELDS_FOR, KINDS, Phase
from threespan.games.elfer.tiles import add_to_rack, take_from_bag, tile_of_ticket

# In 256ths, by the turns that have passed since the player's own.
KEPT_PER_256 = constant([256, 32, 56, 80])
_ALL = 256
_MAX_TRIES = 6


@kernel
def long_open(state: State) -> Any:
    """The masks of number fields that were open before this turn began."""
    upper, lower = state.laid[0] & ~state.fresh[0], state.laid[1] & ~state.fresh[1]
    near_upper, near_lower = neighbours_of(state, upper, lower)
    return (near_upper | ELEVENS) & ~state.laid[0], (near_lower | ELEVENS) & ~state.laid[1]


@kernel
def imagine_likely(state: State, seat: int, rng: Any) -> None:
    """Fill the other racks from the unseen tiles, tiles that could have been laid less often than others."""
    if state.phase <= Phase.OPEN or state.phase >= Phase.OVER:  # nothing has been laid yet, or all racks lie open
        imagine(state, seat, rng)
        return
    open_upper, open_lower = long_open(state)
    state.bag_size = 0
    for kind in range(KINDS):
        state.bag_size += state.bag[kind]
    for ago in range(1, state.players):
        other = seat - ago + (state.players if ago > seat else 0)
        unknown = state.rack_size[other]
        for kind in range(KINDS):
            unknown -= state.rack[other, kind]
        state.rack_size[other] -= unknown
        for _ in range(unknown):
            kind = tile_of_ticket(state, below(rng, state.bag_size))
            tries = 1
            while (
                FIELDS_FOR[kind, 0] & open_upper | FIELDS_FOR[kind, 1] & open_lower != 0
                and tries < _MAX_TRIES
                and below(rng, _ALL) >= KEPT_PER_256[ago]
            ):
                kind = tile_of_ticket(state, below(rng, state.bag_size))
                tries += 1
            take_from_bag(state, kind)
            add_to_rack(state, other, kind)
