"""Search for any game: budgets, threads and the decision; the tree itself is in search_tree.py."""

from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from threespan.bots.bot import Alternative, Budget, Decision
from threespan.bots.evaluation import DESK_DTYPE, load_advice
from threespan.bots.search_tree import NODE_DTYPE, NONE, ROOT, TREE_DTYPE, look_once, simulate_many, transplant
from threespan.core.chance import new_rng, stream
from threespan.core.game import Position
from threespan.core.rules import CHANCE

load_advice()

DEFAULT_SIMULATIONS = 1000  # where the budget sets no limit
_MOST_NODES = 1 << 20
_NODES_PER_SIMULATION = 48
_BATCH = 32  # simulations between two looks at the clock
_TREES_KEPT = 8  # decisions, of all matches that are played at the same time


@dataclass(frozen=True)
class Style:
    """How a search grows its tree."""

    guided: bool = True  # by the game's advice; else all actions look alike and rollouts are random
    exploration: float = 0.7
    bias: float = 0.0  # how much the first sight counts beside the values found
    widening: float = 0.0  # tried actions per square root of visits; 0 tries all actions first
    whim: float = 0.1  # how far rollouts stray from the best-rated actions


class Tree:
    """One tree, grown by one thread."""

    def __init__(self, seen: Position, seat: int, style: Style, seed: int, capacity: int) -> None:
        """A root and nothing else."""
        self._seat, self._seed = seat, np.uint64(seed)
        self._seen = np.empty(1, seen.game.layout.dtype).view(np.recarray)
        self._seen[0] = seen.state
        self._work = np.empty_like(self._seen)
        self._desk = np.zeros(1, DESK_DTYPE).view(np.recarray)
        self._tree = np.zeros(1, TREE_DTYPE).view(np.recarray)
        tree = self._tree[0]
        tree.nodes, tree.guided = 1, style.guided
        tree.exploration, tree.bias = style.exploration, style.bias
        tree.widening, tree.whim = style.widening, style.whim
        self.nodes: Any = np.empty(capacity, NODE_DTYPE).view(np.recarray)
        self.nodes[ROOT] = (0.0, 0.0, 0, 0, NONE, NONE, NONE, CHANCE, 0)
        self.simulations = 0

    def inherit(self, nodes: Any) -> None:
        """Begin with nodes that another tree has grown; their simulations count as the own."""
        if len(nodes) > len(self.nodes):
            return
        self.nodes[: len(nodes)] = nodes
        self._tree[0].nodes = len(nodes)
        self.simulations = sum(int(self.nodes[child].visits) for child in self.children(ROOT, self._seat))

    def below(self, action: int) -> Any:
        """A copy of the nodes from an action of the seat on, or None if it was never tried."""
        for child in self.children(ROOT, self._seat):
            if self.nodes[child].action == action:
                size = int(self._tree[0].nodes)
                fresh = np.empty(size, NODE_DTYPE).view(np.recarray)
                return fresh[: transplant(self.nodes, child, fresh, np.empty(size, np.int64))].copy()
        return None

    def grow(self, simulations: int) -> None:
        """Run so many simulations."""
        first, stop = self.simulations, self.simulations + simulations
        with np.errstate(over="ignore"):  # uncompiled, the generator wraps; the setting belongs to a thread
            simulate_many(
                self.nodes, self._tree, self._seen, self._work, self._desk, self._seat, first, stop, self._seed
            )
        self.simulations = stop

    def grow_within(self, simulations: int | None, deadline: float | None) -> None:
        """Run simulations until there are enough or the time is up; at least one batch."""
        while simulations is None or self.simulations < simulations:
            left = _BATCH if simulations is None else simulations - self.simulations
            self.grow(min(_BATCH, left))
            if deadline is not None and perf_counter() >= deadline:
                break

    def children(self, parent: int, seat: int) -> list[int]:
        """The nodes below a node that a seat has tried."""
        found = []
        child = int(self.nodes[parent].first)
        while child != NONE:
            node = self.nodes[child]
            if node.seat == seat and node.visits:
                found.append(child)
            child = int(node.following)
        return found

    def line(self, action: int) -> tuple[int, ...]:
        """The most visited actions of the seat from `action` on, until chance or somebody else acts."""
        actions: list[int] = []
        below = [child for child in self.children(ROOT, self._seat) if self.nodes[child].action == action]
        while below:
            node = max(below, key=lambda child: int(self.nodes[child].visits))
            actions.append(int(self.nodes[node].action))
            below = [] if self.nodes[node].mixed else self.children(node, self._seat)
        return tuple(actions)


class Memory:
    """What searches have found out about the next decision of the same turn.

    It is kept by what the seat will see then, if nobody else acts and nothing is revealed before, and is used once.
    """

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._kept: OrderedDict[bytes, list[Any]] = OrderedDict()

    def __len__(self) -> int:
        """How many decisions are prepared."""
        return len(self._kept)

    def keep(self, seen: Position, seat: int, action: int, trees: list[Tree]) -> None:
        """Keep what the trees know about the time after an action, if the seat goes on at once."""
        after = seen.copy()
        after.play(seat, action)
        if after.acting() != [seat]:
            return
        self._kept[after.observe(seat).state.tobytes()] = [tree.below(action) for tree in trees]
        if len(self._kept) > _TREES_KEPT:
            self._kept.popitem(last=False)

    def recall(self, seen: Position, trees: list[Tree]) -> None:
        """Let new trees begin with what is kept about an observation."""
        for tree, nodes in zip(trees, self._kept.pop(seen.state.tobytes(), []), strict=False):
            if nodes is not None:
                tree.inherit(nodes)


def search(
    seen: Position, seat: int, budget: Budget, seed: int, style: Style, memory: Memory | None = None
) -> Decision:
    """Decide by Monte Carlo tree search. Values are shares of a win.

    Every thread grows a tree of its own and the visits are added up: with a limit of simulations the decision depends
    on the observation, the seed, the simulations and the number of threads, and on nothing else. With a memory, a
    search goes on with the trees of the decision before in the same turn, whose simulations count.
    """
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
    trees = [_plant(seen, seat, style, seed, index, share) for index, share in enumerate(shares)]
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


def _plant(seen: Position, seat: int, style: Style, seed: int, index: int, share: int | None) -> Tree:
    with np.errstate(over="ignore"):
        word = int(stream(new_rng(seed).word, index))
    capacity = _MOST_NODES if share is None else min(_MOST_NODES, _NODES_PER_SIMULATION * share + 1024)
    return Tree(seen, seat, style, word, capacity)


def _decide(trees: list[Tree], seat: int) -> Decision:
    """Add up the trees; the most visited action is the choice."""
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
    line = max((tree.line(best.action) for tree in trees), key=len)  # a tree may not have tried the action at all
    return Decision(best.action, line, best.value, tuple(alternatives), sum(tree.simulations for tree in trees))


def glance(seen: Position, seat: int, overlooked: float, seed: int) -> Decision:
    """Decide at first sight by the game's advice, overlooking each action with a given chance."""
    view = np.empty(1, seen.game.layout.dtype).view(np.recarray)
    view[0] = seen.state
    desk = np.zeros(1, DESK_DTYPE).view(np.recarray)
    with np.errstate(over="ignore"):
        action = int(look_once(view, seat, desk, overlooked, new_rng(seed).word))
    return Decision(action, (action,))
