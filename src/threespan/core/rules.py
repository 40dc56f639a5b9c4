"""The kernels that every game has to implement, callable from any kernel on any game's state.

A game registers its kernels once with `register_kernels`. Generic kernels (a playout, a search) call the functions
below; when Numba compiles them for a game's state it finds that game's kernels by the type of the state, so the call
costs nothing. Uncompiled, the same lookup happens at run time.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

from threespan.core.errors import UserError
from threespan.core.kernel import IS_LINKED, source_of
from threespan.core.layout import Layout, State

MAX_SEATS = 4
MAX_ACTIONS = 4096  # that a game has numbers for
CHANCE = MAX_SEATS  # the pseudo-seat that turns cards, rolls dice and draws tiles
WATCHER = -1  # a viewer without a seat
OVER = -1  # instead of a seat: the match is over
MAX_LEGAL = 1024  # no game has more choices in one decision
LEGAL = 0  # the same value in every game's Rule enum


class RulesError(UserError):
    """A game's kernels are incomplete, not registered, or cannot be told apart from another game's."""


class RuleKernels(NamedTuple):
    """The kernels of a game's rules; the functions of the same names below say what each has to do."""

    acting: Callable[..., Any]
    check: Callable[..., Any]
    legal: Callable[..., Any]
    apply: Callable[..., Any]
    tickets: Callable[..., Any]
    draw: Callable[..., Any]
    weight: Callable[..., Any]
    points: Callable[..., Any]
    outcome: Callable[..., Any]
    hide: Callable[..., Any]
    imagine: Callable[..., Any]

    @classmethod
    def of(cls, *modules: ModuleType) -> "RuleKernels":
        """Collect the kernels with these names from a game's modules; raises RulesError."""
        named = {name: value for module in modules for name, value in vars(module).items()}
        for name in cls._fields:
            if not callable(named.get(name)):
                files = " or ".join(str(module.__file__) for module in modules)
                raise RulesError(f"the kernel '{name}' is missing in {files}; core/rules.py says what it has to do")
        return cls(**{name: named[name] for name in cls._fields})


_registered: dict[tuple[tuple[str, ...], int], RuleKernels] = {}
_layouts: dict[tuple[tuple[str, ...], int], Layout] = {}


def register_kernels(layout: Layout, kernels: RuleKernels) -> None:
    """Register a game's kernels for the layout of its state; raises RulesError if another game has the same layout."""
    before = _registered.setdefault(layout.key, kernels)
    _layouts.setdefault(layout.key, layout)
    if before != kernels:
        one, two = source_of(before.acting).parent, source_of(kernels.acting).parent
        raise RulesError(f"the states of {one} and {two} have the same fields; rename a field in one state.py")


def registered_kernels(layout: Layout) -> RuleKernels | None:
    """The kernels that are registered for a layout, or None."""
    return _registered.get(layout.key)


def layout_of(states: Any) -> Layout | None:
    """The layout of the game whose states an array contains, or None."""
    found = _layouts.get((tuple(states.dtype.names or ()), states.dtype.itemsize))
    return found if found is not None and found.dtype == states.dtype else None


def _kernels_of(state: Any) -> RuleKernels:
    if IS_LINKED:  # but its game is not
        return _find_kernels(tuple(state.fields), state.size)
    return _find_kernels(tuple(state.dtype.names), state.dtype.itemsize)


def _find_kernels(names: tuple[str, ...], size: int) -> RuleKernels:
    found = _registered.get((names, size))
    if found is None:
        raise RulesError(
            f"no kernels are registered for a state with the fields {', '.join(names)}; "
            "the game.py of its game must end with register_kernels(LAYOUT, GAME.kernels)"
        )
    return found


def acting(state: State) -> int:
    """Who acts: a mask of seats, or the bit of CHANCE alone, or 0 when the match is over."""
    return _kernels_of(state).acting(state)  # type: ignore[no-any-return]


def check(state: State, seat: int, action: int) -> int:
    """The first clause that forbids an action, or LEGAL."""
    return _kernels_of(state).check(state, seat, action)  # type: ignore[no-any-return]


def legal(state: State, seat: int, actions: Any) -> int:
    """Write the legal actions of a seat (or CHANCE) into `actions`, ascending, and return their number."""
    return _kernels_of(state).legal(state, seat, actions)  # type: ignore[no-any-return]


def apply(state: State, seat: int, action: int) -> None:
    """Apply a legal action. Does not check it."""
    _kernels_of(state).apply(state, seat, action)


def tickets(state: State) -> int:
    """The number of equally likely outcomes (tickets) of the current chance event."""
    return _kernels_of(state).tickets(state)  # type: ignore[no-any-return]


def draw(state: State, ticket: int) -> int:
    """The action of CHANCE for a ticket from 0 to tickets - 1. Several tickets may give the same action."""
    return _kernels_of(state).draw(state, ticket)  # type: ignore[no-any-return]


def weight(state: State, action: int) -> int:
    """How many of the tickets give an action of CHANCE."""
    return _kernels_of(state).weight(state, action)  # type: ignore[no-any-return]


def points(state: State, seat: int, clause: int) -> int:
    """The points that a clause of the kind `score` would give a seat if the match ended now."""
    return _kernels_of(state).points(state, seat, clause)  # type: ignore[no-any-return]


def outcome(state: State, scores: Any, ranks: Any) -> None:
    """Write each seat's score and rank (1 is best, ties share a rank) if the match ended now."""
    _kernels_of(state).outcome(state, scores, ranks)


def hide(state: State, seat: int) -> None:
    """Remove what a seat (or WATCHER) may not know: the state becomes that viewer's observation."""
    _kernels_of(state).hide(state, seat)


def imagine(state: State, seat: int, rng: Any) -> None:
    """Fill in the hidden part of an observation of `seat` at random, each possible arrangement equally likely."""
    _kernels_of(state).imagine(state, seat, rng)


def _kernel_finder(name: str) -> Callable[[tuple[str, ...], int], Callable[..., Any]]:
    return lambda names, size: getattr(_find_kernels(names, size), name)


if not IS_LINKED:
    from threespan.core.compiling import choose_by_state

    for _function in (acting, check, legal, apply, tickets, draw, weight, points, outcome, hide, imagine):
        choose_by_state(_function, _kernel_finder(_function.__name__))
