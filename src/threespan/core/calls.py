"""The rules as Python calls them: on an array of one state."""

from typing import Annotated, Any

import numpy as np

from threespan.core.kernel import entry, kernel
from threespan.core.layout import States
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

_Actions = Annotated[Any, np.dtype((np.int16, (1 << 15,)))]  # as many as there can be
_Table = Annotated[Any, np.dtype((np.int32, (2, MAX_SEATS)))]


@entry
def who_acts(states: States) -> int:
    """Who acts."""
    return acting(states[0])


@entry
def check_action(states: States, seat: int, action: int) -> int:
    """The first clause that forbids an action, or LEGAL."""
    return check(states[0], seat, action)


@entry
def list_legal(states: States, seat: int, actions: _Actions) -> int:
    """Write the legal actions of a seat; how many there are."""
    return legal(states[0], seat, actions)


@entry
def carry_out(states: States, seat: int, action: int) -> None:
    """Carry out an action that is known to be legal."""
    apply(states[0], seat, action)


@entry
def try_action(states: States, seat: int, action: int) -> int:
    """Carry out an action if it is legal; the first clause that forbids it, or LEGAL."""
    rule = check(states[0], seat, action)
    if rule == LEGAL:
        apply(states[0], seat, action)
    return rule


@entry
def count_tickets(states: States) -> int:
    """How many equally likely outcomes chance has now."""
    return tickets(states[0])


@entry
def draw_ticket(states: States, ticket: int) -> int:
    """The action of CHANCE that belongs to a ticket."""
    return draw(states[0], ticket)


@entry
def count_points(states: States, seat: int, clause: int) -> int:
    """The points that a clause gives a seat."""
    return points(states[0], seat, clause)


@entry
def work_out(states: States, table: _Table) -> None:
    """Write the seats' scores into the first row of a table and their ranks into the second."""
    outcome(states[0], table[0], table[1])


@entry
def hide_from(states: States, seat: int) -> None:
    """Blot out what a seat may not know."""
    hide(states[0], seat)


@kernel
def imagine_for(states: States, seat: int, generators: Any) -> None:
    """Fill an observation with hidden things that fit it."""
    imagine(states[0], seat, generators[0])
