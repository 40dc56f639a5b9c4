"""Monte Carlo tree search for any game: budgets, threads and the decision; the tree is in search_tree.py."""

from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from threespan.bots.bot import Alternative, Budget, Decision, acting_seat
from threespan.bots.evaluation import WORKSPACE_DTYPE, load_advice
from threespan.bots.search_tree import (
    NODE_DTYPE,
    NONE,
    ROOT,
    TREE_DTYPE,
    choose_best_rated,
    copy_subtree,
    simulate_many,
)
from threespan.core.chance import new_rng, stream
from threespan.core.game import Position
from threespan.core.rules import CHANCE

load_advice()

DEFAULT_SIMULATIONS = 1000  # if the budget has no limit
_MAX_NODES = 1 << 20
_NODES_PER_SIMULATION = 48
_BATCH = 32  # simulations between two looks at the clock
_TREES_KEPT = 8  # for all matches that are being played


@dataclass(frozen=True)
class SearchStyle:
    """The parameters of a search."""

    guided: bool = True  # use the game's advice; otherwise actions are rated alike and rollouts are random
    exploration: float = 0.7
    bias: float = 0.0  # weight of an action's rating besides the values found
    widening: float = 0.0  # tried actions per square root of visits; 0 tries all actions first
    noise: float = 0.1  # added to ratings, so that rollouts vary


class Tree:
    """A search tree, grown by one thread."""

    def __init__(self, seen: Position, seat: int, style: SearchStyle, seed: int, capacity: int) -> None:
        """Start with the root only."""
        self._seat, self._seed = seat, np.uint64(seed)
        self._seen = np.empty(1, seen.game.layout.dtype).view(np.recarray)
        self._seen[0] = seen.state
        self._work = np.empty_like(self._seen)
        self._workspace = np.zeros(1, WORKSPACE_DTYPE).view(np.recarray)
        self._tree = np.zeros(1, TREE_DTYPE).view(np.recarray)
        tree = self._tree[0]
        tree.nodes, tree.guided = 1, style.guided
        tree.exploration, tree.bias = style.exploration, style.bias
        tree.widening, tree.noise = style.widening, style.noise
        self.nodes: Any = np.empty(capacity, NODE_DTYPE).view(np.recarray)
        self.nodes[ROOT] = (0.0, 0.0, 0, 0, NONE, NONE, NONE, CHANCE, 0)
        self.simulations = 0

    def inherit(self, nodes: Any) -> None:
        """Start with the nodes of another tree; their simulations count."""
        if len(nodes) > len(self.nodes):
            return
        self.nodes[: len(nodes)] = nodes
        self._tree[0].nodes = len(nodes)
        self.simulations = sum(int(self.nodes[child].visits) for child in self.children(ROOT, self._seat))

    def subtree(self, action: int) -> Any:
        """A copy of the nodes below an action of the seat, or None if it was never tried."""
        for child in self.children(ROOT, self._seat):
            if self.nodes[child].action == action:
                size = int(self._tree[0].nodes)
                copy = np.empty(size, NODE_DTYPE).view(np.recarray)
                return copy[: copy_subtree(self.nodes, child, copy, np.empty(size, np.int64))].copy()
        return None

    def grow(self, simulations: int) -> None:
        """Run some simulations."""
        first, stop = self.simulations, self.simulations + simulations
        with np.errstate(over="ignore"):  # uncompiled, the generator overflows; the setting is per thread
            simulate_many(
                self.nodes, self._tree, self._seen, self._work, self._workspace, self._seat, first, stop, self._seed
            )
        self.simulations = stop

    def grow_within(self, simulations: int | None, deadline: float | None) -> None:
        """Run simulations until there are enough or time is up; at least one batch."""
        while simulations is None or self.simulations < simulations:
            left = _BATCH if simulations is None else simulations - self.simulations
            self.grow(min(_BATCH, left))
            if deadline is not None and perf_counter() >= deadline:
                break

    def children(self, parent: int, seat: int) -> list[int]:
        """The children of a node that a seat has tried."""
        found = []
        child = int(self.nodes[parent].first)
        while child != NONE:
            node = self.nodes[child]
            if node.seat == seat and node.visits:
                found.append(child)
            child = int(node.following)
        return found

    def line(self, action: int) -> tuple[int, ...]:
        """The most visited actions of the seat from `action` on, until chance or another seat acts."""
        actions: list[int] = []
        below = [child for child in self.children(ROOT, self._seat) if self.nodes[child].action == action]
        while below:
            node = max(below, key=lambda child: int(self.nodes[child].visits))
            actions.append(int(self.nodes[node].action))
            below = [] if self.nodes[node].chance_follows else self.children(node, self._seat)
        return tuple(actions)


class SearchMemory:
    """Trees for the next decision of the same turn.

    They are stored under the observation that the seat will have if nobody else acts and nothing is revealed, and are
    used only once.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._kept: OrderedDict[bytes, list[Any]] = OrderedDict()

    def __len__(self) -> int:
        """The number of decisions that trees are stored for."""
        return len(self._kept)

    def keep(self, seen: Position, seat: int, action: int, trees: list[Tree]) -> None:
        """Store the trees below an action, if the same seat acts next."""
        after = seen.copy()
        after.play(seat, action)
        if after.acting() != [seat]:
            return
        self._kept[after.observe(seat).state.tobytes()] = [tree.subtree(action) for tree in trees]
        if len(self._kept) > _TREES_KEPT:
            self._kept.popitem(last=False)

    def recall(self, seen: Position, trees: list[Tree]) -> None:
        """Start new trees with what is stored for an observation."""
        for tree, nodes in zip(trees, self._kept.pop(seen.state.tobytes(), []), strict=False):
            if nodes is not None:
                tree.inherit(nodes)


def search(
    seen: Position, seat: int, budget: Budget, seed: int, style: SearchStyle, memory: SearchMemory | None = None
) -> Decision:
    """Decide by Monte Carlo tree search. Values are winning probabilities.

    Every thread grows its own tree, and their visits are added up. With a limit of simulations, the decision depends on
    nothing but the observation, the seed, the simulations and the number of threads. With a memory, a search continues
    with the trees of the previous decision in the same turn, whose simulations count.
    """
    seat = acting_seat(seen, seat)
    legal = seen.legal(seat)
    if len(legal) == 1:
        return Decision(legal[0], (legal[0],))
    start = perf_counter()
    deadline = None if budget.seconds is None else start + budget.seconds
    simulations = budget.simulations
    if simulations is None and deadline is None:
        simulations = DEFAULT_SIMULATIONS
    threads = max(1, budget.threads if simulations is None else min(budget.threads, simulations))
    shares = [
        None if simulations is None else (index + 1) * simulations // threads - index * simulations // threads
        for index in range(threads)
    ]
    trees = [_new_tree(seen, seat, style, seed, index, share) for index, share in enumerate(shares)]
    if memory is not None:
        memory.recall(seen, trees)
    if threads == 1:
        trees[0].grow_within(shares[0], deadline)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda tree, share: tree.grow_within(share, deadline), trees, shares))
    decision = _decide(trees, seat)
    if memory is not None:
        memory.keep(seen, seat, decision.action, trees)
    return decision


def _new_tree(seen: Position, seat: int, style: SearchStyle, seed: int, index: int, share: int | None) -> Tree:
    with np.errstate(over="ignore"):
        word = int(stream(new_rng(seed).word, index))
    capacity = _MAX_NODES if share is None else min(_MAX_NODES, _NODES_PER_SIMULATION * share + 1024)
    return Tree(seen, seat, style, word, capacity)


def _decide(trees: list[Tree], seat: int) -> Decision:
    """Add up the trees and choose the most visited action."""
    visits: dict[int, int] = {}
    totals: dict[int, float] = {}
    for tree in trees:
        for child in tree.children(ROOT, seat):
            node = tree.nodes[child]
            action = int(node.action)
            visits[action] = visits.get(action, 0) + int(node.visits)
            totals[action] = totals.get(action, 0.0) + float(node.total)
    alternatives = [Alternative(action, count, totals[action] / count) for action, count in visits.items()]
    alternatives.sort(key=lambda tried: (-tried.visits, -tried.value, tried.action))
    best = alternatives[0]
    line = max((tree.line(best.action) for tree in trees), key=len)  # some trees may not have tried the action
    return Decision(best.action, line, best.value, tuple(alternatives), sum(tree.simulations for tree in trees))


def choose_by_rating(seen: Position, seat: int, overlooked: float, seed: int) -> Decision:
    """Choose the action that the game's advice rates best, overlooking each action with a given probability."""
    seat = acting_seat(seen, seat)
    view = np.empty(1, seen.game.layout.dtype).view(np.recarray)
    view[0] = seen.state
    workspace = np.zeros(1, WORKSPACE_DTYPE).view(np.recarray)
    with np.errstate(over="ignore"):
        action = int(choose_best_rated(view, seat, workspace, overlooked, new_rng(seed).word))
    return Decision(action, (action,))
