"""The functions that every game's rules provide, callable from any kernel on any game's state.

A game hands its kernels over once with `provide`. A generic kernel (a playout, a search) calls the functions
below; when Numba compiles it for a game's state it finds that game's kernels by the type of the state, so the
call costs nothing. Uncompiled, the same lookup happens at run time.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

from threespan.core.kernel import LIBRARY
from threespan.core.layout import Layout, State

MAX_SEATS = 4
CHANCE = MAX_SEATS  # the pseudo-seat that turns cards, rolls dice and draws tiles
WATCHER = -1  # a viewer without a seat
OVER = -1  # nobody acts any more
LEGAL = 0  # the same value in every game's Rule enumeration


class Rules(NamedTuple):
    """A game's kernels."""

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
    def of(cls, *modules: ModuleType) -> "Rules":
        """The kernels that a game's modules define under these names."""
        named = {name: value for module in modules for name, value in vars(module).items()}
        return cls(**{name: named[name] for name in cls._fields})


_provided: dict[tuple[tuple[str, ...], int], Rules] = {}


def provide(layout: Layout, rules: Rules) -> None:
    """Make a game's kernels known by the layout of its state."""
    _provided[tuple(layout.dtype.names or ()), layout.dtype.itemsize] = rules


def _rules_of(state: Any) -> Rules:
    return _provided[tuple(state.dtype.names), state.dtype.itemsize]


def acting(state: State) -> int:
    """Who acts: a mask of seats, or the bit of CHANCE alone, or 0 when the match is over."""
    return _rules_of(state).acting(state)  # type: ignore[no-any-return]


def check(state: State, seat: int, action: int) -> int:
    """The first clause that forbids an action, or LEGAL."""
    return _rules_of(state).check(state, seat, action)  # type: ignore[no-any-return]


def legal(state: State, seat: int, actions: Any) -> int:
    """Write the legal actions of a seat (or of CHANCE), ascending, into `actions`; how many there are."""
    return _rules_of(state).legal(state, seat, actions)  # type: ignore[no-any-return]


def apply(state: State, seat: int, action: int) -> None:
    """Carry out a legal action. Trusts its caller."""
    _rules_of(state).apply(state, seat, action)


def tickets(state: State) -> int:
    """How many equally likely outcomes chance has now."""
    return _rules_of(state).tickets(state)  # type: ignore[no-any-return]


def draw(state: State, ticket: int) -> int:
    """The action of CHANCE that belongs to a ticket."""
    return _rules_of(state).draw(state, ticket)  # type: ignore[no-any-return]


def weight(state: State, action: int) -> int:
    """How many of the tickets belong to an action of CHANCE."""
    return _rules_of(state).weight(state, action)  # type: ignore[no-any-return]


def points(state: State, seat: int, clause: int) -> int:
    """The points that a clause of the kind `score` gives a seat, as things stand."""
    return _rules_of(state).points(state, seat, clause)  # type: ignore[no-any-return]


def outcome(state: State, scores: Any, ranks: Any) -> None:
    """Write each seat's score and rank (1 is best, equal ones share) as things stand."""
    _rules_of(state).outcome(state, scores, ranks)


def hide(state: State, seat: int) -> None:
    """Blot out what a seat (or a WATCHER) may not know: the state becomes that seat's observation."""
    _rules_of(state).hide(state, seat)


def imagine(state: State, seat: int, rng: Any) -> None:
    """Fill an observation of `seat` with hidden things that fit it, every arrangement equally likely."""
    _rules_of(state).imagine(state, seat, rng)


def _choice_of(name: str) -> Callable[[tuple[str, ...], int], Callable[..., Any]]:
    return lambda names, size: getattr(_provided[names, size], name)


if not LIBRARY:
    from threespan.core.compiling import choose_by_state

    for _function in (acting, check, legal, apply, tickets, draw, weight, points, outcome, hide, imagine):
        choose_by_state(_function, _choice_of(_function.__name__))
