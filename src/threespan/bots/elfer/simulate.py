"""Playing turns of Elfer out: all candidates meet the same imagined racks and the same order of the tiles in the bag.

So the differences between them are not blurred by luck. In a rollout every seat plays by the learnt policy.
"""

from typing import Any

import numpy as np

from threespan.bots.elfer.beliefs import imagine_likely
from threespan.bots.elfer.turns import SCRATCH_DTYPE, best_action
from threespan.bots.evaluation import WORKSPACE_DTYPE, evaluate
from threespan.core.chance import below, stream
from threespan.core.kernel import called_kernel, kernel, lowest_bit
from threespan.core.layout import State
from threespan.core.rules import CHANCE
from threespan.games.elfer.knowledge import imagine
from threespan.games.elfer.rules import acting, apply
from threespan.games.elfer.state import DRAWN, KINDS, LAYOUT, TILES, Phase

ORDER_DTYPE = np.dtype((np.record, [("tiles", np.int64, (TILES,)), ("next", np.int64)]))


class RolloutBuffers:
    """Room for simulations."""

    def __init__(self) -> None:
        """Nothing simulated yet."""
        self.worlds: Any = LAYOUT.batch(1)
        self.works: Any = LAYOUT.batch(1)
        self.orders: Any = np.zeros(1, ORDER_DTYPE).view(np.recarray)
        self.scratches: Any = np.zeros(1, SCRATCH_DTYPE).view(np.recarray)
        self.workspaces: Any = np.zeros(1, WORKSPACE_DTYPE).view(np.recarray)


@kernel
def shuffle_bag(state: State, order: Any, rng: Any) -> None:
    """Decide in which order the tiles of the bag will be drawn."""
    size = 0
    for kind in range(KINDS):
        for _ in range(state.bag[kind]):
            order.tiles[size] = kind
            size += 1
    for last in range(size - 1, 0, -1):
        other = below(rng, last + 1)
        order.tiles[last], order.tiles[other] = order.tiles[other], order.tiles[last]


@called_kernel
def roll_out(state: State, weights: Any, order: Any, scratch: Any) -> None:
    """Play a round to its end."""
    order.next = 0
    seats = acting(state)
    while seats != 0:
        seat = lowest_bit(seats)
        if seat == CHANCE:
            if state.phase <= Phase.SEARCH:
                break
            action = DRAWN + order.tiles[order.next]
            order.next += 1
        else:
            action = best_action(state, seat, weights, scratch)
        apply(state, seat, action)
        seats = acting(state)


@kernel
def add_rollouts(
    seen: Any,
    seat: int,
    turns: Any,
    alive: Any,
    sums: Any,
    first: int,
    stop: int,
    seed: Any,
    weights: Any,
    infers_from_play: bool,
    worlds: Any,
    works: Any,
    orders: Any,
    scratches: Any,
    workspaces: Any,
) -> None:
    """Play the worlds `first` to `stop` with every turn that is alive, and add up what they are worth to the seat."""
    world, work, order, scratch, workspace = worlds[0], works[0], orders[0], scratches[0], workspaces[0]
    for index in range(first, stop):
        worlds[0] = seen[0]
        scratch.word = stream(seed, index)
        if infers_from_play:
            imagine_likely(world, seat, scratch)
        else:
            imagine(world, seat, scratch)
        shuffle_bag(world, order, scratch)
        for at in range(len(turns)):
            if alive[at]:
                works[0] = worlds[0]
                for step in range(turns[at].length):
                    apply(work, seat, turns[at].actions[step])
                roll_out(work, weights, order, scratch)
                evaluate(work, workspace)
                sums[at] += workspace.values[seat]
