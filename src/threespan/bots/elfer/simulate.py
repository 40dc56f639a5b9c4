"""Playing turns of Elfer out: all candidates meet the same imagined racks and the same order of the tiles in the bag.

So the differences between them are not blurred by luck. In a rollout every seat plays by the learnt policy.
"""

from typing import Any

from threespan.bots.elfer.advice import evaluate
from threespan.bots.elfer.beliefs import imagine_likely
from threespan.bots.elfer.turns import best_action
from threespan.core.chance import below, stream
from threespan.core.kernel import called_kernel, kernel, lowest_bit
from threespan.core.layout import State, States
from threespan.core.memory import float64, int32, int64, record_type
from threespan.core.rules import CHANCE, MAX_SEATS
from threespan.games.elfer.knowledge import imagine
from threespan.games.elfer.rules import acting, apply
from threespan.games.elfer.state import DRAWN, KINDS, TILES, Phase

ORDER_DTYPE = record_type(("tiles", int64, (TILES,)), ("next", int64))

# What the end of a rollout is worth to each seat.
ENDING_DTYPE = record_type(
    ("values", float64, (MAX_SEATS,)),
    ("scores", int32, (MAX_SEATS,)),
    ("ranks", int32, (MAX_SEATS,)),
)


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
def add_rollouts(seen: States, workspace: Any, weights: Any, worlds: int) -> None:
    """Play the next imagined worlds with every candidate that is alive, and add up what they are worth to the seat."""
    seat, halving, scratch = workspace.query.seat, workspace.halving, workspace.scratch
    world, work = workspace.world[0], workspace.work[0]
    for index in range(halving.done, halving.done + worlds):
        workspace.world[0] = seen[0]
        scratch.word = stream(workspace.query.word, index)
        if workspace.skill.infers_from_play != 0:
            imagine_likely(world, seat, scratch)
        else:
            imagine(world, seat, scratch)
        shuffle_bag(world, workspace.order, scratch)
        for at in range(halving.count):
            if halving.is_alive[at] != 0:
                workspace.work[0] = workspace.world[0]
                turn = workspace.candidates[at]
                for step in range(turn.length):
                    apply(work, seat, turn.actions[step])
                roll_out(work, weights, workspace.order, scratch)
                evaluate(work, workspace.ending)
                halving.sums[at] += workspace.ending.values[seat]
