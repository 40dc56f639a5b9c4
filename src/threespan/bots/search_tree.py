"""The tree of a search, inside kernels: one simulation descends, adds what is new, rolls out and backs up.

A node stands for an action that a seat (or chance) took after the action of its parent; node 0 is the root. Every
simulation imagines what is hidden anew, so the actions that are legal at a node may differ each time: a node counts
how often it could have been chosen (`available`), which is what its exploration is measured against (SO-ISMCTS). Chance
has nodes of its own only where the game says that a node is one exact state; else its outcomes share the nodes
that follow (open loop). Each node keeps the value of the seat that chose it, so everybody maximises for itself (max^n).
"""

from math import log, sqrt
from typing import Any

import numpy as np

from threespan.bots.evaluation import (
    MAX_DEPTH,
    breadth,
    ends_rollout,
    evaluate,
    is_exact,
    rate,
    shortlist,
)
from threespan.core.chance import below, stream
from threespan.core.kernel import called_kernel, kernel, lowest_bit
from threespan.core.rules import CHANCE, acting, apply, draw, imagine, legal, tickets

NONE = -1
ROOT = 0
_ALMOST = 1e-9  # the whim that decides between equals

NODE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("total", np.float64),  # the sum of the values for the seat that chose this node
            ("rating", np.float32),  # how the action looked at first sight
            ("visits", np.int32),
            ("available", np.int32),
            ("first", np.int32),  # the first child
            ("following", np.int32),  # the next child of the same parent
            ("action", np.int16),
            ("seat", np.int8),
            ("mixed", np.int8),  # whether chance has acted between this node and its children
        ],
    )
)

# A tree's size, and how it is grown.
TREE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("nodes", np.int64),
            ("serial", np.int64),  # of the last decision in any simulation
            ("exploration", np.float64),
            ("bias", np.float64),
            ("widening", np.float64),
            ("whim", np.float64),
            ("guided", np.int64),
        ],
    )
)


@kernel
def simulate_many(
    nodes: Any, trees: Any, seen: Any, works: Any, desks: Any, seat: int, first: int, stop: int, seed: Any
) -> None:
    """Run the simulations `first` to `stop` of a search; each has a stream of chance of its own."""
    tree, state, desk = trees[0], works[0], desks[0]
    for index in range(first, stop):
        works[0] = seen[0]
        desk.word = stream(seed, index)
        imagine(state, seat, desk)
        depth = _descend(nodes, tree, state, desk, seat)
        evaluate(state, desk)
        _back_up(nodes, desk, depth)


@called_kernel
def _descend(nodes: Any, tree: Any, state: Any, desk: Any, seat: int) -> int:
    """Play from the root through the tree and on by rollout; how many nodes of the tree were passed."""
    node, depth, steps = ROOT, 1, 0
    inside = True
    desk.path[0] = ROOT
    seats = acting(state)
    while seats != 0:
        inside = inside and depth < MAX_DEPTH and (depth == 1 or nodes[node].visits > 0)
        if tree.guided != 0 and ends_rollout(state, NONE if inside else steps):
            break
        mover = seat if seats >> seat & 1 else lowest_bit(seats)
        exact = is_exact(state)
        child = NONE
        if mover == CHANCE:
            action = draw(state, below(desk, tickets(state)))
            if inside:
                nodes[node].mixed = 1
                if exact:
                    child = _outcome_node(nodes, tree, node, action)
                    inside = child != NONE
        else:
            steps += not inside
            known = inside and exact and nodes[node].first != NONE
            count = 0 if known else _list_actions(state, mover, tree, desk, inside)
            if inside:
                if not known:
                    _add_children(nodes, tree, desk, node, mover, count)
                child = _choose_child(nodes, tree, desk, node, mover, known)
                inside = child != NONE
            if inside:
                action = nodes[child].action
            elif tree.guided != 0:
                action = desk.actions[_best_rated(desk, count)]
            else:
                action = desk.actions[below(desk, count)]
        apply(state, mover, action)
        if child != NONE:
            node = child
            desk.path[depth] = node
            depth += 1
        seats = acting(state)
    return depth


@called_kernel
def _list_actions(state: Any, seat: int, tree: Any, desk: Any, inside: bool) -> int:
    """Write the actions worth considering into the desk, rated, and in the tree the best ones first; their number."""
    count = legal(state, seat, desk.actions)
    if count == 1 and not inside:
        return count
    if tree.guided != 0:
        count = shortlist(state, seat, desk, count)
        rate_actions(state, seat, desk, count, _ALMOST if inside else tree.whim)
        if inside and count > breadth(state):
            keep_best(desk, count, breadth(state))
            count = breadth(state)
    elif inside:
        for index in range(count):
            desk.ratings[index] = below(desk, 1 << 20) * _ALMOST
    return count


@kernel
def rate_actions(state: Any, seat: int, desk: Any, count: int, whim: float) -> None:
    """Rate the actions in the desk, each a little up to `whim` too high."""
    for index in range(count):
        desk.ratings[index] = rate(state, seat, desk.actions[index]) + whim * below(desk, 1 << 20) / (1 << 20)


@kernel
def keep_best(desk: Any, count: int, wanted: int) -> None:
    """Move the `wanted` best-rated actions to the front, best first."""
    for place in range(wanted):
        best = place
        for index in range(place + 1, count):
            if desk.ratings[index] > desk.ratings[best]:
                best = index
        action, rating = desk.actions[place], desk.ratings[place]
        desk.actions[place], desk.ratings[place] = desk.actions[best], desk.ratings[best]
        desk.actions[best], desk.ratings[best] = action, rating


@kernel
def _best_rated(desk: Any, count: int) -> int:
    best = 0
    for index in range(1, count):
        if desk.ratings[index] > desk.ratings[best]:
            best = index
    return best


@kernel
def _new_node(nodes: Any, tree: Any, seat: int, action: int, rating: float) -> int:
    """A node that no simulation has passed yet; NONE if the tree is full."""
    index = tree.nodes
    if index == len(nodes):
        return NONE
    tree.nodes += 1
    node = nodes[index]
    node.total, node.visits, node.available = 0.0, 0, 0
    node.first = node.following = NONE
    node.action, node.seat, node.rating, node.mixed = action, seat, rating, 0
    return index  # type: ignore[no-any-return]


@kernel
def _hang(nodes: Any, parent: int, last: int, child: int) -> None:
    """Make a node the last child of its parent."""
    if child != NONE:
        if last == NONE:
            nodes[parent].first = child
        else:
            nodes[last].following = child


@kernel
def _outcome_node(nodes: Any, tree: Any, node: int, action: int) -> int:
    """The child of a node for an outcome of chance; NONE if it is new and the tree is full."""
    last, child = NONE, nodes[node].first
    while child != NONE and nodes[child].action != action:
        last, child = child, nodes[child].following
    if child == NONE:
        child = _new_node(nodes, tree, CHANCE, action, 0.0)
        _hang(nodes, node, last, child)
    return child  # type: ignore[no-any-return]


@kernel
def _add_children(nodes: Any, tree: Any, desk: Any, node: int, seat: int, count: int) -> None:
    """Give a node children for the actions in the desk that it has none for yet, and mark all that can be chosen."""
    tree.serial += 1
    serial = tree.serial
    for index in range(count):
        desk.marks[desk.actions[index]] = serial
    last, child = NONE, nodes[node].first
    while child != NONE:
        if nodes[child].seat == seat and desk.marks[nodes[child].action] == serial:
            desk.marks[nodes[child].action] = -serial
        last, child = child, nodes[child].following
    for index in range(count):
        action = desk.actions[index]
        if desk.marks[action] == serial:
            child = _new_node(nodes, tree, seat, action, desk.ratings[index])
            if child != NONE:
                _hang(nodes, node, last, child)
                last = child
                desk.marks[action] = -serial


@kernel
def _choose_child(nodes: Any, tree: Any, desk: Any, node: int, seat: int, all_fit: bool) -> int:
    """The best-rated child not tried yet, as long as the node is not wide enough; then the best by UCB1."""
    fresh, best, tried = NONE, NONE, 0
    best_bound = 0.0
    child = nodes[node].first
    while child != NONE:
        here = nodes[child]
        if all_fit or (here.seat == seat and desk.marks[here.action] == -tree.serial):
            here.available += 1
            if here.visits == 0:
                if fresh == NONE or here.rating > nodes[fresh].rating:
                    fresh = child
            else:
                tried += 1
                bound = here.total / here.visits + tree.exploration * sqrt(log(here.available) / here.visits)
                bound += tree.bias * here.rating / (here.visits + 1)
                if best == NONE or bound > best_bound:
                    best, best_bound = child, bound
        child = here.following
    if fresh != NONE and (tried == 0 or tree.widening == 0.0 or tried < tree.widening * sqrt(nodes[node].visits)):
        return fresh
    return best


@kernel
def _back_up(nodes: Any, desk: Any, depth: int) -> None:
    """Add the values in the desk to all nodes on the path."""
    for index in range(depth):
        node = nodes[desk.path[index]]
        node.visits += 1
        if node.seat < CHANCE:
            node.total += desk.values[node.seat]


@kernel
def transplant(nodes: Any, root: int, fresh: Any, origins: Any) -> int:
    """Copy a node and all below it to the beginning of `fresh`, where it becomes the root; how many nodes that are.

    `origins` has room for as many numbers as there are nodes.
    """
    fresh[ROOT] = nodes[root]
    fresh[ROOT].following = NONE
    origins[ROOT] = root
    count = 1
    index = 0
    while index < count:
        child = nodes[origins[index]].first
        if child != NONE:
            fresh[index].first = count
        while child != NONE:
            fresh[count] = nodes[child]
            origins[count] = child
            child = nodes[child].following
            if child != NONE:
                fresh[count].following = count + 1
            count += 1
        index += 1
    return count


@kernel
def look_once(seen: Any, seat: int, desks: Any, overlooked: float, seed: Any) -> int:
    """The best-rated action of those that are not overlooked, each with the same chance; never none at all."""
    state, desk = seen[0], desks[0]
    desk.word = stream(seed, 0)
    count = legal(state, seat, desk.actions)
    rate_actions(state, seat, desk, count, _ALMOST)
    best = NONE
    for index in range(count):
        noticed = below(desk, 1 << 20) >= overlooked * (1 << 20)
        if noticed and (best == NONE or desk.ratings[index] > desk.ratings[best]):
            best = index
    return desk.actions[below(desk, count) if best == NONE else best]  # type: ignore[no-any-return]
