"""The rules as Python calls them: on an array of one state.

To hand an array to a kernel costs a quarter of a microsecond, to hand over a record five.
"""

from typing import Any

from threespan.core.kernel import kernel
from threespan.core.rules import LEGAL, acting, apply, check, draw, hide, imagine, legal, outcome, points, tickets


@kernel
def who_acts(states: Any) -> int:
    """Who acts."""
    return acting(states[0])


@kernel
def check_action(states: Any, seat: int, action: int) -> int:
    """The first clause that forbids an action, or LEGAL."""
    return check(states[0], seat, action)


@kernel
def list_legal(states: Any, seat: int, actions: Any) -> int:
    """Write the legal actions of a seat; how many there are."""
    return legal(states[0], seat, actions)


@kernel
def carry_out(states: Any, seat: int, action: int) -> None:
    """Carry out an action that is known to be legal."""
    apply(states[0], seat, action)


@kernel
def try_action(states: Any, seat: int, action: int) -> int:
    """Carry out an action if it is legal; the first clause that forbids it, or LEGAL."""
    rule = check(states[0], seat, action)
    if rule == LEGAL:
        apply(states[0], seat, action)
    return rule


@kernel
def count_tickets(states: Any) -> int:
    """How many equally likely outcomes chance has now."""
    return tickets(states[0])


@kernel
def draw_ticket(states: Any, ticket: int) -> int:
    """The action of CHANCE that belongs to a ticket."""
    return draw(states[0], ticket)


@kernel
def count_points(states: Any, seat: int, clause: int) -> int:
    """The points that a clause gives a seat."""
    return points(states[0], seat, clause)


@kernel
def work_out(states: Any, table: Any) -> None:
    """Write the seats' scores into the first row of a table and their ranks into the second."""
    outcome(states[0], table[0], table[1])


@kernel
def hide_from(states: Any, seat: int) -> None:
    """Blot out what a seat may not know."""
    hide(states[0], seat)


@kernel
def imagine_for(states: Any, seat: int, generators: Any) -> None:
    """Fill an observation with hidden things that fit it."""
    imagine(states[0], seat, generators[0])
