"""Advice: optional kernels of a game that guide the search, callable from any kernel on any game's state.

A game's advice is in `bots/GAME/advice.py` (for a game outside this package, `PACKAGE/bots/advice.py`): any of the
functions below. As in `core/rules.py`, kernels find them by the type of the state. Missing functions are replaced by
the defaults at the end of this file: all actions are rated alike, and rollouts are played to the end.
"""

from collections.abc import Callable
from functools import cache
from inspect import isfunction
from types import ModuleType
from typing import Any, NamedTuple

from threespan.core.errors import UserError
from threespan.core.kernel import IS_LINKED, kernel
from threespan.core.layout import State
from threespan.core.memory import float64, int16, int32, int64, record_type, uint64
from threespan.core.registry import codes, find_game, find_game_module
from threespan.core.rules import MAX_ACTIONS, MAX_LEGAL, MAX_SEATS, acting, outcome

MAX_DEPTH = 192  # of a tree, in decisions
_WIN_WEIGHT, _RANK_WEIGHT = 0.9, 0.1  # in the value of a finished match

# The memory that a search needs besides the state. The generator's word comes last, as in `core/playout.py`.
WORKSPACE_DTYPE = record_type(
    ("actions", int16, (MAX_LEGAL,)),
    ("spare", int16, (MAX_LEGAL,)),
    ("ratings", float64, (MAX_LEGAL,)),
    ("scratch", int64, (80, 4)),  # for the game's advice
    ("marks", int64, (MAX_ACTIONS,)),
    ("path", int64, (MAX_DEPTH,)),
    ("values", float64, (MAX_SEATS,)),
    ("scores", int32, (MAX_SEATS,)),
    ("ranks", int32, (MAX_SEATS,)),
    ("word", uint64),
)


class AdviceError(UserError):
    """A game's advice has a function with an unknown name."""


class Advice(NamedTuple):
    """The advice of a game; the functions of the same names below say what each has to do."""

    shortlist: Callable[..., Any]
    rate: Callable[..., Any]
    breadth: Callable[..., Any]
    evaluate: Callable[..., Any]
    ends_rollout: Callable[..., Any]
    is_exact: Callable[..., Any]

    @classmethod
    def of(cls, code: str, module: ModuleType) -> "Advice":
        """The functions that a game's module defines, with defaults for the others; raises AdviceError."""
        for name, value in vars(module).items():
            if name not in cls._fields and not name.startswith("_") and _is_own_function(module, value):
                raise AdviceError(
                    f"{module.__file__}: '{name}' is not advice for the bots of '{code}'; advice is one of "
                    f"{', '.join(cls._fields)}, and names of helper functions must start with an underscore"
                )
        return cls(**{name: getattr(module, name, getattr(DEFAULT_ADVICE, name)) for name in cls._fields})


def _is_own_function(module: ModuleType, value: object) -> bool:
    """Whether a value is a function, compiled or not, that the module defines itself."""
    return isfunction(getattr(value, "py_func", value)) and getattr(value, "__module__", "") == module.__name__


_advice: dict[tuple[tuple[str, ...], int], Advice] = {}


@cache
def has_advice(code: str) -> bool:
    """Whether a game has its own advice; registers it for the layout of the game's state."""
    module = find_game_module(code, "bots", "advice")
    if module is None:
        return False
    advice, state = Advice.of(code, module), find_game(code).layout.dtype
    _advice[tuple(state.names or ()), state.itemsize] = advice
    return True


def load_advice() -> None:
    """Register the advice of all games. This must happen before a search is compiled, since Numba looks it up once."""
    for code in codes():
        has_advice(code)


def _advice_of(state: Any) -> Advice:
    return _advice.get((tuple(state.dtype.names), state.dtype.itemsize), DEFAULT_ADVICE)


def shortlist(state: State, seat: int, workspace: Any, count: int) -> int:
    """Keep those of the `count` legal actions in `workspace.actions` that are worth rating; returns their number."""
    return _advice_of(state).shortlist(state, seat, workspace, count)  # type: ignore[no-any-return]


def rate(state: State, seat: int, action: int) -> float:
    """A quick rating of a legal action, comparable among the actions of one decision.

    It may only read what the seat may know, and must not change the state.
    """
    return _advice_of(state).rate(state, seat, action)  # type: ignore[no-any-return]


def breadth(state: State) -> int:
    """How many of the best-rated actions the tree should consider."""
    return _advice_of(state).breadth(state)  # type: ignore[no-any-return]


def evaluate(state: State, workspace: Any) -> None:
    """Write the value of a state, finished or not, for each seat into `workspace.values`, from 0 to 1."""
    _advice_of(state).evaluate(state, workspace)


def ends_rollout(state: State, steps: int) -> bool:
    """Whether a rollout stops here, after `steps` actions, and the state is evaluated.

    `steps` is -1 while the simulation is still in the tree.
    """
    return _advice_of(state).ends_rollout(state, steps)  # type: ignore[no-any-return]


def is_exact(state: State) -> bool:
    """Whether a tree node is exactly one state: nothing is hidden, and outcomes of chance have their own nodes."""
    return _advice_of(state).is_exact(state)  # type: ignore[no-any-return]


def _advice_finder(name: str) -> Callable[[tuple[str, ...], int], Callable[..., Any]]:
    return lambda names, size: getattr(_advice.get((names, size), DEFAULT_ADVICE), name)


if not IS_LINKED:
    from threespan.core.compiling import choose_by_state

    for _function in (shortlist, rate, breadth, evaluate, ends_rollout, is_exact):
        choose_by_state(_function, _advice_finder(_function.__name__))


# The default advice


@kernel
def share_wins(state: State, workspace: Any) -> None:
    """The value of a finished match by ranks: winners share the win, and the other ranks count a little."""
    players = state.players
    outcome(state, workspace.scores, workspace.ranks)
    for seat in range(players):
        same = better = 0
        for other in range(players):
            same += workspace.ranks[other] == workspace.ranks[seat]
            better += workspace.ranks[other] < workspace.ranks[seat]
        win = 1.0 / same if better == 0 else 0.0
        place = (players - better - 0.5 * (same + 1)) / max(players - 1, 1)
        workspace.values[seat] = _WIN_WEIGHT * win + _RANK_WEIGHT * place
    if players == 1:
        score = float(workspace.scores[0])
        workspace.values[0] = 0.5 + 0.5 * score / (50.0 + abs(score))


@kernel
def _keep_all(state: State, seat: int, workspace: Any, count: int) -> int:  # noqa: ARG001
    return count


@kernel
def _rate_alike(state: State, seat: int, action: int) -> float:  # noqa: ARG001
    return 0.0


@kernel
def _unlimited(state: State) -> int:  # noqa: ARG001
    return MAX_LEGAL


@kernel
def _only_at_the_end(state: State, steps: int) -> bool:  # noqa: ARG001
    return acting(state) == 0


@kernel
def _not_exact(state: State) -> bool:  # noqa: ARG001
    return False


DEFAULT_ADVICE = Advice(_keep_all, _rate_alike, _unlimited, share_wins, _only_at_the_end, _not_exact)
