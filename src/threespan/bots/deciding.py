"""A decision as one compiled entry of a game: `decide(states, workspaces, learnt)`.

`states` holds the observation, `learnt` what the bots have learnt; a workspace has everything else: the query, the
game's own `skill` and buffers, and the answer. An entry neither reads a clock nor starts threads. It returns whether it
is done; if not, it has simulated one batch and is called again, so that the caller can look at the clock in between.
"""

from collections.abc import Callable
from math import inf
from time import monotonic
from typing import Any

from threespan.bots.bot import Alternative, Budget, Decision
from threespan.bots.halving import MAX_CANDIDATES
from threespan.core.chance import seed_word
from threespan.core.kernel import kernel, wrapping_around
from threespan.core.memory import float64, int16, int64, record_type, uint64

MAX_STEPS = 16  # actions of a planned turn
UNLIMITED = 1 << 60  # simulations

QUERY_DTYPE = record_type(
    ("seat", int64),
    ("is_begun", int64),  # 0 in the first call of an entry, which then sets it to 1
    ("simulations", int64),  # the budget; UNLIMITED if there is none
    ("elapsed", float64),  # which share of the time is over; 0 if it is unlimited
    ("word", uint64),  # the seed
)

# The turns that were considered, best first. Their values and visits are those of `Decision`.
CHOICES_DTYPE = record_type(
    ("count", int64),
    ("lengths", int64, (MAX_CANDIDATES,)),
    ("visits", int64, (MAX_CANDIDATES,)),
    ("values", float64, (MAX_CANDIDATES,)),
    ("lines", int16, (MAX_CANDIDATES, MAX_STEPS)),
)


@kernel
def choose_only(choices: Any, action: int, value: float) -> None:
    """Answer with a single action."""
    choices.count = choices.lengths[0] = 1
    choices.visits[0] = 0
    choices.values[0] = value
    choices.lines[0, 0] = action


def run_decision(
    decide: Callable[[Any, Any, Any], bool],
    states: Any,
    workspaces: Any,
    learnt: Any,
    seat: int,
    budget: Budget,
    seed: int,
) -> Decision:
    """Call a decision entry until it is done or the budget is spent."""
    query = workspaces[0].query
    query.seat, query.word = seat, seed_word(seed)
    query.simulations = UNLIMITED if budget.simulations is None else budget.simulations
    query.is_begun, query.elapsed = 0, 0.0
    begin = monotonic()
    with wrapping_around():
        while not decide(states, workspaces, learnt):
            if budget.seconds is not None:
                query.elapsed = (monotonic() - begin) / budget.seconds if budget.seconds else inf
    return decision_of(workspaces[0].choices)


def decision_of(choices: Any) -> Decision:
    """The decision for the first of the choices; their first actions are its alternatives."""
    count = int(choices.count)
    values, visits = choices.values.tolist()[:count], choices.visits.tolist()[:count]
    lengths = choices.lengths.tolist()[:count]
    lines = [tuple(line[:length]) for line, length in zip(choices.lines.tolist(), lengths, strict=False)]
    alternatives: dict[int, Alternative] = {}
    for line, value, visited in zip(lines, values, visits, strict=True):
        alternatives.setdefault(line[0], Alternative(line[0], visited, value))
    return Decision(lines[0][0], lines[0], values[0], tuple(alternatives.values()), sum(visits))
