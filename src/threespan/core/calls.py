"""The rules as Python calls them: each function takes an array of one state."""

from typing import Annotated, Any

from threespan.core.chance import RNG_DTYPE
from threespan.core.kernel import entry
from threespan.core.layout import States
from threespan.core.memory import array_type, int16, int32
from threespan.core.rules import (
    LEGAL,
    MAX_SEATS,
    acting,
    apply,
    check,
    draw,
    hide,
    imagine,
    legal,
    outcome,
    points,
    tickets,
)

_Actions = Annotated[Any, array_type(int16, 1 << 15)]  # room for every action
OUTCOME = array_type(int32, 2, MAX_SEATS)  # scores, then ranks
_Generators = Annotated[Any, array_type(RNG_DTYPE, 1)]


@entry
def who_acts(states: States) -> int:
    """The mask of seats that act."""
    return acting(states[0])


@entry
def check_action(states: States, seat: int, action: int) -> int:
    """The first clause that forbids an action, or LEGAL."""
    return check(states[0], seat, action)


@entry
def list_legal(states: States, seat: int, actions: _Actions) -> int:
    """Write the legal actions of a seat into `actions` and return their number."""
    return legal(states[0], seat, actions)


@entry
def apply_action(states: States, seat: int, action: int) -> None:
    """Apply an action that is known to be legal."""
    apply(states[0], seat, action)


@entry
def try_action(states: States, seat: int, action: int) -> int:
    """Apply an action if it is legal; returns LEGAL or the first clause that forbids it."""
    rule = check(states[0], seat, action)
    if rule == LEGAL:
        apply(states[0], seat, action)
    return rule


@entry
def count_tickets(states: States) -> int:
    """The number of equally likely outcomes of the current chance event."""
    return tickets(states[0])


@entry
def draw_ticket(states: States, ticket: int) -> int:
    """The action of CHANCE for one of these outcomes."""
    return draw(states[0], ticket)


@entry
def count_points(states: States, seat: int, clause: int) -> int:
    """The points that a clause gives a seat."""
    return points(states[0], seat, clause)


@entry
def write_outcome(states: States, table: Annotated[Any, OUTCOME]) -> None:
    """Write the seats' scores into the first row of `table` and their ranks into the second."""
    outcome(states[0], table[0], table[1])


@entry
def hide_from(states: States, seat: int) -> None:
    """Remove everything that a seat may not know."""
    hide(states[0], seat)


@entry
def imagine_for(states: States, seat: int, generators: _Generators) -> None:
    """Fill in the hidden part of an observation at random."""
    imagine(states[0], seat, generators[0])
