"""The decision of a bot of Elfer: by the learnt policy alone, or a whole turn chosen by simulations on top of it."""

from typing import Annotated, Any

from threespan.bots.deciding import CHOICES_DTYPE, QUERY_DTYPE, choose_only
from threespan.bots.elfer.learnt import LEARNT_DTYPE
from threespan.bots.elfer.simulate import ENDING_DTYPE, ORDER_DTYPE, add_rollouts
from threespan.bots.elfer.turns import (
    MAX_TURNS,
    SCRATCH_DTYPE,
    TURN_DTYPE,
    find_turns,
    keep_likeliest,
    score_actions,
)
from threespan.bots.halving import (
    HALVING_DTYPE,
    MAX_CANDIDATES,
    begin_halving,
    mean_value,
    needs_batch,
    note_batch,
    rank_candidates,
)
from threespan.core.chance import below
from threespan.core.kernel import kernel, long_entry
from threespan.core.layout import State, States
from threespan.core.memory import array_type, float64, int64, record_type
from threespan.games.elfer.rules import legal
from threespan.games.elfer.state import ELEVEN_KINDS, LAYOUT, LEAVE, NONE, OPEN, Phase

WORLDS_PER_BATCH = 4
_FINE = 1 << 20  # how finely chances are told apart

# See `Skill` in player.py.
SKILL_DTYPE = record_type(
    ("attention", float64),
    ("considers_others", int64),
    ("infers_from_play", int64),
    ("candidates", int64),
)

WORKSPACE_DTYPE = record_type(
    ("world", LAYOUT.kind, (1,)),  # an imagined one
    ("work", LAYOUT.kind, (1,)),  # the same after a candidate
    ("states", LAYOUT.kind, (MAX_TURNS,)),  # that turns lead to
    ("query", QUERY_DTYPE),
    ("skill", SKILL_DTYPE),
    ("choices", CHOICES_DTYPE),
    ("halving", HALVING_DTYPE),
    ("turns", TURN_DTYPE, (MAX_TURNS,)),
    ("candidates", TURN_DTYPE, (MAX_CANDIDATES,)),
    ("order", ORDER_DTYPE),
    ("ending", ENDING_DTYPE),
    ("scratch", SCRATCH_DTYPE),
)
Workspaces = Annotated[Any, array_type(WORKSPACE_DTYPE, 1)]
Learnt = Annotated[Any, array_type(LEARNT_DTYPE, 1)]


@long_entry
def decide(states: States, workspaces: Workspaces, learnt: Learnt) -> bool:
    """Decide on an observation, as `deciding.py` says; values are shares of a win."""
    workspace = workspaces[0]
    query, halving = workspace.query, workspace.halving
    weights = learnt[0].weights if workspace.skill.considers_others != 0 else learnt[0].selfish_weights
    if query.is_begun == 0:
        query.is_begun = 1
        if answer_at_once(states, workspace, weights):
            return True
    if needs_batch(halving, query.simulations, query.elapsed):
        add_rollouts(states, workspace, weights, WORLDS_PER_BATCH)
        note_batch(halving, WORLDS_PER_BATCH)
        return False
    rank_candidates(halving)
    write_choices(workspace.choices, halving, workspace.candidates)
    return True


@kernel
def answer_at_once(seen: States, workspace: Any, weights: Any) -> bool:
    """Answer if there is nothing to simulate, else begin with the turns that look best; whether it has answered."""
    state, seat, skill, scratch = seen[0], workspace.query.seat, workspace.skill, workspace.scratch
    if state.phase == Phase.ASK:
        choose_only(workspace.choices, opening_answer(state, seat), 0.0)
        return True
    if legal(state, seat, scratch.actions) == 1:
        choose_only(workspace.choices, scratch.actions[0], 0.0)
        return True
    if skill.candidates > 1:
        count = find_turns(seen, seat, weights, workspace.turns, workspace.states, scratch)
        found = keep_likeliest(workspace.turns, count, skill.candidates, workspace.candidates)
        if found > 0:  # not if every turn is one of too many
            begin_halving(workspace.halving, found, False)
            return False
    scratch.word = workspace.query.word
    choose_only(workspace.choices, glance(state, seat, skill.attention, weights, scratch), 0.0)
    return True


@kernel
def opening_answer(state: State, seat: int) -> int:
    """Open with an 11 that another tile of the rack can follow, else leave it to others.

    Simulated rounds find no difference between the two, so it is not worth thinking about; and a bot that thinks longer
    with an 11 than without would tell everybody that it has one.
    """
    for eleven in ELEVEN_KINDS:
        if state.rack[seat, eleven] > 0 and state.rack[seat, eleven - 1] + state.rack[seat, eleven + 1] > 0:
            return OPEN
    return LEAVE


@kernel
def glance(state: State, seat: int, attention: float, weights: Any, scratch: Any) -> int:
    """The action that scores best among those that are noticed; any, if none is."""
    count = score_actions(state, seat, weights, scratch)
    best = NONE
    for index in range(count):
        is_noticed = below(scratch, _FINE) < attention * _FINE
        if is_noticed and (best == NONE or scratch.scores[index] > scratch.scores[best]):
            best = index
    if best == NONE:
        best = below(scratch, count)
    return scratch.actions[best]  # type: ignore[no-any-return]


@kernel
def write_choices(choices: Any, halving: Any, candidates: Any) -> None:
    """Write the candidates as they are ranked."""
    choices.count = halving.count
    for place in range(halving.count):
        index = halving.order[place]
        choices.lengths[place] = candidates[index].length
        choices.visits[place] = halving.visits[index]
        choices.values[place] = mean_value(halving, index)
        for step in range(candidates[index].length):
            choices.lines[place, step] = candidates[index].actions[step]
