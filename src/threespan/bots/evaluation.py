"""What a search wants to know about a game beyond its rules, callable from any kernel on any game's state.

A game's advice lives in `bots/<game>/advice.py` and is handed over with `advise`; as in `core/rules.py`, kernels find
it by the type of the state. A game without advice gets the functions at the end of this file: all actions look alike,
rollouts go to the end, and nothing is said about what is hidden.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from threespan.core.compiling import choose_by_state
from threespan.core.kernel import kernel
from threespan.core.layout import Layout, State
from threespan.core.playout import MAX_LEGAL
from threespan.core.rules import MAX_SEATS, acting, outcome

MAX_ACTIONS = 4096  # no game has more numbers for actions
MAX_DEPTH = 192  # decisions below the root that a tree can hold
_WIN, _RANK = 0.9, 0.1  # what winning counts, and what each place below it

# What thinking needs beside the state. The generator's word comes last, as in `core/playout.py`.
DESK_DTYPE = np.dtype(
    (
        np.record,
        [
            ("actions", np.int16, (MAX_LEGAL,)),
            ("spare", np.int16, (MAX_LEGAL,)),
            ("ratings", np.float64, (MAX_LEGAL,)),
            ("scratch", np.int64, (80, 4)),  # for whatever a game's advice has to work out
            ("marks", np.int64, (MAX_ACTIONS,)),
            ("path", np.int64, (MAX_DEPTH,)),
            ("values", np.float64, (MAX_SEATS,)),
            ("scores", np.int32, (MAX_SEATS,)),
            ("ranks", np.int32, (MAX_SEATS,)),
            ("word", np.uint64),
        ],
    )
)


class Advice(NamedTuple):
    """A game's kernels for bots."""

    shortlist: Callable[..., Any]
    rate: Callable[..., Any]
    breadth: Callable[..., Any]
    evaluate: Callable[..., Any]
    ends_rollout: Callable[..., Any]
    is_exact: Callable[..., Any]

    @classmethod
    def of(cls, module: ModuleType) -> "Advice":
        """The functions that a module defines, and the usual ones for those it does not."""
        return cls(**{name: getattr(module, name, getattr(USUAL, name)) for name in cls._fields})


_advice: dict[tuple[tuple[str, ...], int], Advice] = {}


def advise(layout: Layout, advice: Advice) -> None:
    """Make a game's advice known by the layout of its state."""
    _advice[tuple(layout.dtype.names or ()), layout.dtype.itemsize] = advice


def load_advice() -> None:
    """Import the advice of all games. Before any search is compiled: Numba keeps what it has found."""
    for file in sorted(Path(__file__).parent.glob("*/advice.py")):
        import_module(f"threespan.bots.{file.parent.name}.advice")


def _advice_of(state: Any) -> Advice:
    return _advice.get((tuple(state.dtype.names), state.dtype.itemsize), USUAL)


def shortlist(state: State, seat: int, desk: Any, count: int) -> int:
    """Keep those of the `count` legal actions in `desk.actions` that are worth rating; how many are left."""
    return _advice_of(state).shortlist(state, seat, desk, count)  # type: ignore[no-any-return]


def rate(state: State, seat: int, action: int) -> float:
    """How promising a legal action looks at first sight; comparable among the actions of one decision.

    It reads what the seat may know, nothing else, and leaves the state as it was.
    """
    return _advice_of(state).rate(state, seat, action)  # type: ignore[no-any-return]


def breadth(state: State) -> int:
    """How many of the best-rated actions are worth a closer look."""
    return _advice_of(state).breadth(state)  # type: ignore[no-any-return]


def evaluate(state: State, desk: Any) -> None:
    """Write into `desk.values` what the state, finished or not, is worth to each seat, from 0 to 1."""
    _advice_of(state).evaluate(state, desk)


def ends_rollout(state: State, steps: int) -> bool:
    """Whether a rollout of `steps` actions so far ends here and leaves the rest to the evaluation.

    `steps` is -1 while the simulation is still in the tree.
    """
    return _advice_of(state).ends_rollout(state, steps)  # type: ignore[no-any-return]


def is_exact(state: State) -> bool:
    """Whether nothing is hidden and every outcome of chance deserves a branch: a node of the tree is one state."""
    return _advice_of(state).is_exact(state)  # type: ignore[no-any-return]


def _choice_of(name: str) -> Callable[[tuple[str, ...], int], Callable[..., Any]]:
    return lambda names, size: getattr(_advice.get((names, size), USUAL), name)


for _function in (shortlist, rate, breadth, evaluate, ends_rollout, is_exact):
    choose_by_state(_function, _choice_of(_function.__name__))


# The usual advice


@kernel
def share_wins(state: State, desk: Any) -> None:
    """Value a finished match by ranks: the win is shared among the first, the places below count a little."""
    players = state.players
    outcome(state, desk.scores, desk.ranks)
    for seat in range(players):
        same = better = 0
        for other in range(players):
            same += desk.ranks[other] == desk.ranks[seat]
            better += desk.ranks[other] < desk.ranks[seat]
        win = 1.0 / same if better == 0 else 0.0
        place = (players - better - 0.5 * (same + 1)) / max(players - 1, 1)
        desk.values[seat] = _WIN * win + _RANK * place
    if players == 1:
        score = float(desk.scores[0])
        desk.values[0] = 0.5 + 0.5 * score / (50.0 + abs(score))


@kernel
def _keep_all(state: State, seat: int, desk: Any, count: int) -> int:  # noqa: ARG001
    return count


@kernel
def _rate_alike(state: State, seat: int, action: int) -> float:  # noqa: ARG001
    return 0.0


@kernel
def _all(state: State) -> int:  # noqa: ARG001
    return MAX_LEGAL


@kernel
def _only_the_end(state: State, steps: int) -> bool:  # noqa: ARG001
    return acting(state) == 0


@kernel
def _not_exact(state: State) -> bool:  # noqa: ARG001
    return False


USUAL = Advice(_keep_all, _rate_alike, _all, share_wins, _only_the_end, _not_exact)
