"""The search tree in kernels: a simulation descends, adds new nodes, rolls out and backs up the values.

A node stands for an action of a seat (or chance) after the action of its parent; node 0 is the root. Every simulation
imagines the hidden part of the state afresh, so the legal actions at a node may differ each time: a node counts how
often it was available, and its exploration term uses that count (SO-ISMCTS). Chance has its own nodes only if the game
says that a node is one exact state; otherwise its outcomes share the nodes that follow (open loop). Each node stores
the value for the seat that chose it, so every seat maximises its own value (max^n).
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
_TIE_BREAK = 1e-9  # noise that decides between equal ratings

NODE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("total", np.float64),  # sum of the values for the seat that chose this node
            ("rating", np.float32),  # of the action, by the game's advice
            ("visits", np.int32),
            ("available", np.int32),
            ("first", np.int32),  # the first child
            ("following", np.int32),  # the next sibling
            ("action", np.int16),
            ("seat", np.int8),
            ("chance_follows", np.int8),  # whether chance acts between this node and its children
        ],
    )
)

# The size of a tree and the parameters of the search.
TREE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("nodes", np.int64),
            ("serial", np.int64),  # number of the last decision, over all simulations
            ("exploration", np.float64),
            ("bias", np.float64),
            ("widening", np.float64),
            ("noise", np.float64),
            ("guided", np.int64),
        ],
    )
)


@kernel
def simulate_many(
    nodes: Any, trees: Any, seen: Any, works: Any, workspaces: Any, seat: int, first: int, stop: int, seed: Any
) -> None:
    """Run the simulations `first` to `stop` - 1 of a search, each with its own random generator."""
    tree, state, workspace = trees[0], works[0], workspaces[0]
    for index in range(first, stop):
        works[0] = seen[0]
        workspace.word = stream(seed, index)
        imagine(state, seat, workspace)
        depth = _descend(nodes, tree, state, workspace, seat)
        evaluate(state, workspace)
        _back_up(nodes, workspace, depth)


@called_kernel
def _descend(nodes: Any, tree: Any, state: Any, workspace: Any, seat: int) -> int:
    """Play from the root through the tree, then a rollout; returns the number of tree nodes passed."""
    node, depth, steps = ROOT, 1, 0
    inside = True
    workspace.path[0] = ROOT
    seats = acting(state)
    while seats != 0:
        inside = inside and depth < MAX_DEPTH and (depth == 1 or nodes[node].visits > 0)
        if tree.guided != 0 and ends_rollout(state, NONE if inside else steps):
            break
        mover = seat if seats >> seat & 1 else lowest_bit(seats)
        exact = is_exact(state)
        child = NONE
        if mover == CHANCE:
            action = draw(state, below(workspace, tickets(state)))
            if inside:
                nodes[node].chance_follows = 1
                if exact:
                    child = _outcome_node(nodes, tree, node, action)
                    inside = child != NONE
        else:
            steps += not inside
            known = inside and exact and nodes[node].first != NONE
            count = 0 if known else _list_actions(state, mover, tree, workspace, inside)
            if inside:
                if not known:
                    _add_children(nodes, tree, workspace, node, mover, count)
                child = _choose_child(nodes, tree, workspace, node, mover, known)
                inside = child != NONE
            if inside:
                action = nodes[child].action
            elif tree.guided != 0:
                action = workspace.actions[_best_rated(workspace, count)]
            else:
                action = workspace.actions[below(workspace, count)]
        apply(state, mover, action)
        if child != NONE:
            node = child
            workspace.path[depth] = node
            depth += 1
        seats = acting(state)
    return depth


@called_kernel
def _list_actions(state: Any, seat: int, tree: Any, workspace: Any, inside: bool) -> int:
    """Write the actions to consider with ratings into the workspace, best first in the tree; returns their number."""
    count = legal(state, seat, workspace.actions)
    if count == 1 and not inside:
        return count
    if tree.guided != 0:
        count = shortlist(state, seat, workspace, count)
        rate_actions(state, seat, workspace, count, _TIE_BREAK if inside else tree.noise)
        if inside and count > breadth(state):
            keep_best(workspace, count, breadth(state))
            count = breadth(state)
    elif inside:
        for index in range(count):
            workspace.ratings[index] = below(workspace, 1 << 20) * _TIE_BREAK
    return count


@kernel
def rate_actions(state: Any, seat: int, workspace: Any, count: int, noise: float) -> None:
    """Rate the actions in the workspace; a random number up to `noise` is added to each rating."""
    for index in range(count):
        workspace.ratings[index] = rate(state, seat, workspace.actions[index]) + noise * below(workspace, 1 << 20) / (
            1 << 20
        )


@kernel
def keep_best(workspace: Any, count: int, wanted: int) -> None:
    """Move the `wanted` best-rated actions to the front, best first."""
    for place in range(wanted):
        best = place
        for index in range(place + 1, count):
            if workspace.ratings[index] > workspace.ratings[best]:
                best = index
        action, rating = workspace.actions[place], workspace.ratings[place]
        workspace.actions[place], workspace.ratings[place] = workspace.actions[best], workspace.ratings[best]
        workspace.actions[best], workspace.ratings[best] = action, rating


@kernel
def _best_rated(workspace: Any, count: int) -> int:
    best = 0
    for index in range(1, count):
        if workspace.ratings[index] > workspace.ratings[best]:
            best = index
    return best


@kernel
def _new_node(nodes: Any, tree: Any, seat: int, action: int, rating: float) -> int:
    """Add a node without visits; returns NONE if the tree is full."""
    index = tree.nodes
    if index == len(nodes):
        return NONE
    tree.nodes += 1
    node = nodes[index]
    node.total, node.visits, node.available = 0.0, 0, 0
    node.first = node.following = NONE
    node.action, node.seat, node.rating, node.chance_follows = action, seat, rating, 0
    return index  # type: ignore[no-any-return]


@kernel
def _append_child(nodes: Any, parent: int, last: int, child: int) -> None:
    """Append a node to the children of a parent; `last` is the last child so far."""
    if child != NONE:
        if last == NONE:
            nodes[parent].first = child
        else:
            nodes[last].following = child


@kernel
def _outcome_node(nodes: Any, tree: Any, node: int, action: int) -> int:
    """The child for an outcome of chance, added if it is new; NONE if the tree is full."""
    last, child = NONE, nodes[node].first
    while child != NONE and nodes[child].action != action:
        last, child = child, nodes[child].following
    if child == NONE:
        child = _new_node(nodes, tree, CHANCE, action, 0.0)
        _append_child(nodes, node, last, child)
    return child  # type: ignore[no-any-return]


@kernel
def _add_children(nodes: Any, tree: Any, workspace: Any, node: int, seat: int, count: int) -> None:
    """Add missing children for the actions in the workspace, and mark all children that can be chosen."""
    tree.serial += 1
    serial = tree.serial
    for index in range(count):
        workspace.marks[workspace.actions[index]] = serial
    last, child = NONE, nodes[node].first
    while child != NONE:
        if nodes[child].seat == seat and workspace.marks[nodes[child].action] == serial:
            workspace.marks[nodes[child].action] = -serial
        last, child = child, nodes[child].following
    for index in range(count):
        action = workspace.actions[index]
        if workspace.marks[action] == serial:
            child = _new_node(nodes, tree, seat, action, workspace.ratings[index])
            if child != NONE:
                _append_child(nodes, node, last, child)
                last = child
                workspace.marks[action] = -serial


@kernel
def _choose_child(nodes: Any, tree: Any, workspace: Any, node: int, seat: int, all_fit: bool) -> int:
    """The best-rated untried child while the node is not wide enough, then the best child by UCB1."""
    untried, best, tried = NONE, NONE, 0
    best_bound = 0.0
    child = nodes[node].first
    while child != NONE:
        here = nodes[child]
        if all_fit or (here.seat == seat and workspace.marks[here.action] == -tree.serial):
            here.available += 1
            if here.visits == 0:
                if untried == NONE or here.rating > nodes[untried].rating:
                    untried = child
            else:
                tried += 1
                bound = here.total / here.visits + tree.exploration * sqrt(log(here.available) / here.visits)
                bound += tree.bias * here.rating / (here.visits + 1)
                if best == NONE or bound > best_bound:
                    best, best_bound = child, bound
        child = here.following
    if untried != NONE and (tried == 0 or tree.widening == 0.0 or tried < tree.widening * sqrt(nodes[node].visits)):
        return untried
    return best


@kernel
def _back_up(nodes: Any, workspace: Any, depth: int) -> None:
    """Add the values in the workspace to all nodes on the path."""
    for index in range(depth):
        node = nodes[workspace.path[index]]
        node.visits += 1
        if node.seat < CHANCE:
            node.total += workspace.values[node.seat]


@kernel
def copy_subtree(nodes: Any, root: int, copy: Any, origins: Any) -> int:
    """Copy a node and all nodes below it to `copy`, where it becomes the root; returns the number of nodes.

    `origins` is scratch memory for one number per node.
    """
    copy[ROOT] = nodes[root]
    copy[ROOT].following = NONE
    origins[ROOT] = root
    count = 1
    index = 0
    while index < count:
        child = nodes[origins[index]].first
        if child != NONE:
            copy[index].first = count
        while child != NONE:
            copy[count] = nodes[child]
            origins[count] = child
            child = nodes[child].following
            if child != NONE:
                copy[count].following = count + 1
            count += 1
        index += 1
    return count


@kernel
def choose_best_rated(seen: Any, seat: int, workspaces: Any, overlooked: float, seed: Any) -> int:
    """The best-rated action, overlooking each with a given probability; a random one if all are overlooked."""
    state, workspace = seen[0], workspaces[0]
    workspace.word = stream(seed, 0)
    count = legal(state, seat, workspace.actions)
    rate_actions(state, seat, workspace, count, _TIE_BREAK)
    best = NONE
    for index in range(count):
        noticed = below(workspace, 1 << 20) >= overlooked * (1 << 20)
        if noticed and (best == NONE or workspace.ratings[index] > workspace.ratings[best]):
            best = index
    return workspace.actions[below(workspace, count) if best == NONE else best]  # type: ignore[no-any-return]
