"""The decision of a bot of Stege as one entry (bots/deciding.py): it chooses a whole turn.

Turns are rated by the sea that they lead to. If the skill says so, the best-rated ones are then simulated.
"""

from typing import Annotated, Any

from threespan.bots.deciding import CHOICES_DTYPE, QUERY_DTYPE, choose_only
from threespan.bots.halving import (
    HALVING_DTYPE,
    MAX_CANDIDATES,
    begin_halving,
    mean_value,
    needs_batch,
    note_batch,
    rank_candidates,
)
from threespan.bots.stege.simulate import add_rollouts
from threespan.bots.stege.turns import SCRATCH_DTYPE, TURN_BUFFER_SIZE, TURN_DTYPE, rate_turns
from threespan.bots.stege.value import FEATURES
from threespan.core.chance import below
from threespan.core.kernel import kernel, long_entry
from threespan.core.layout import States
from threespan.core.memory import array_type, float64, int64, record_type
from threespan.games.stege.rules import legal
from threespan.games.stege.state import LAYOUT, NONE, PIPS

_TAKES, _PLACES = 20, 6  # how many jetties and places to look at with a 1 or a 6
_PARTS = 1000  # the share of turns that are overlooked is counted in thousandths

SKILL_DTYPE = record_type(
    ("overlooked", float64),  # the share of turns
    ("candidates", int64),  # turns that are tried by simulation, MAX_CANDIDATES at most
    ("horizon", int64),  # turns that a simulation plays before the sea is weighed
)
LEARNT_DTYPE = record_type(("weights", float64, (FEATURES,)))
WORKSPACE_DTYPE = record_type(
    ("works", LAYOUT.kind, (1,)),
    ("query", QUERY_DTYPE),
    ("choices", CHOICES_DTYPE),
    ("skill", SKILL_DTYPE),
    ("halving", HALVING_DTYPE),
    ("turns", TURN_DTYPE, (TURN_BUFFER_SIZE,)),
    ("noticed", int64, (TURN_BUFFER_SIZE,)),  # the numbers of turns
    ("candidates", TURN_DTYPE, (MAX_CANDIDATES,)),
    ("scratch", SCRATCH_DTYPE),
)
Workspaces = Annotated[Any, array_type(WORKSPACE_DTYPE, 1)]
Learnt = Annotated[Any, array_type(LEARNT_DTYPE, 1)]


@long_entry
def decide(states: States, workspaces: Workspaces, learnt: Learnt) -> bool:
    """Choose a turn, or what is left of it; values are shares of a win."""
    workspace = workspaces[0]
    query, halving = workspace.query, workspace.halving
    if query.is_begun == 0:
        query.is_begun = 1
        workspace.works[0] = states[0]
        scratch = workspace.scratch
        if legal(workspace.works[0], query.seat, scratch.moves) == 1:
            choose_only(workspace.choices, scratch.moves[0], 0.0)
            return True
        begin_halving(halving, _find_candidates(workspace, learnt[0].weights), True)
    if needs_batch(halving, query.simulations, query.elapsed):
        add_rollouts(states, workspace, learnt[0].weights)
        note_batch(halving, PIPS)
        return False
    _answer(workspace)
    return True


@kernel
def _find_candidates(workspace: Any, weights: Any) -> int:
    """Write the best-rated of the turns that are noticed; returns their number."""
    query, scratch = workspace.query, workspace.scratch
    found = rate_turns(
        workspace.works[0], query.seat, weights, workspace.turns, scratch, _TAKES, _PLACES, is_thorough=True
    )
    scratch.word = query.word
    count = _notice(workspace, found)
    _shuffle(workspace.noticed, count, scratch)  # among equals none is preferred, whichever way it points
    # Each of several candidates is simulated with every side of the die at least once.
    most = min(count, workspace.skill.candidates, query.simulations // PIPS)
    return _take_best(workspace, count, max(1, most))


@kernel
def _notice(workspace: Any, found: int) -> int:
    """List the turns that are not overlooked, never none at all; returns their number."""
    overlooked = _PARTS * workspace.skill.overlooked
    noticed, scratch = workspace.noticed, workspace.scratch
    if overlooked == 0.0:
        for index in range(found):
            noticed[index] = index
        return found
    for index in range(found):
        noticed[index] = below(scratch, _PARTS) >= overlooked
    noticed[below(scratch, found)] = 1
    count = 0
    for index in range(found):
        if noticed[index] != 0:
            noticed[count] = index
            count += 1
    return count


@kernel
def _shuffle(numbers: Any, count: int, rng: Any) -> None:
    """Put the first `count` numbers into random order."""
    for last in range(count - 1, 0, -1):
        other = below(rng, last + 1)
        number = numbers[last]
        numbers[last] = numbers[other]
        numbers[other] = number


@kernel
def _take_best(workspace: Any, count: int, most: int) -> int:
    """Make the best-rated turns noticed the candidates, of equals those listed first; returns their number."""
    turns, noticed = workspace.turns, workspace.noticed
    for place in range(most):
        best = NONE
        for index in range(count):
            if noticed[index] != NONE and (best == NONE or turns[noticed[index]].value > turns[noticed[best]].value):
                best = index
        workspace.candidates[place] = turns[noticed[best]]
        noticed[best] = NONE
    return most


@kernel
def _answer(workspace: Any) -> None:
    """Write the candidates into the choices, best first; one that was not simulated is worth its rating."""
    choices, halving = workspace.choices, workspace.halving
    rank_candidates(halving)
    choices.count = halving.count
    for place in range(halving.count):
        index = halving.order[place]
        turn, visits = workspace.candidates[index], halving.visits[index]
        choices.visits[place] = visits
        choices.values[place] = mean_value(halving, index) if visits > 0 else turn.value
        choices.lengths[place] = _write_actions(turn, choices.lines[place])


@kernel
def _write_actions(turn: Any, line: Any) -> int:
    """Write the actions of a turn; returns their number."""
    count = 0
    for action in (turn.jetty, turn.place, turn.last):
        if action != NONE:
            line[count] = action
            count += 1
    return count
