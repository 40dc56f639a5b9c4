"""The turns that a seat of Elfer can plan: all its actions until the next seat or chance has its say.

Every turn is as likely as the learnt policy would be to play it, in whatever order. That is a first sight of what it is
worth; a search looks closer at the most likely ones.
"""

from typing import Any

from threespan.bots.deciding import MAX_STEPS
from threespan.bots.elfer.features import score
from threespan.core.chance import mix
from threespan.core.kernel import called_kernel, kernel
from threespan.core.layout import State, States
from threespan.core.mathematics import exp
from threespan.core.memory import float64, int16, int64, record_type, uint64
from threespan.games.elfer.rules import acting, apply, legal
from threespan.games.elfer.state import ACTIONS, PARTS

MAX_TURNS = 1024  # complete and incomplete ones; the least likely are left out
_MIN_PROBABILITY = 1e-4

TURN_DTYPE = record_type(
    ("actions", int16, (MAX_STEPS,)),
    ("length", int64),
    ("chance", float64),  # how likely the policy is to play it
    ("is_complete", int64),
    ("key", uint64),  # of the position it leads to
)

# What planning needs beside the state.
SCRATCH_DTYPE = record_type(("actions", int16, (ACTIONS,)), ("scores", float64, (ACTIONS,)), ("word", uint64))


@called_kernel
def score_actions(state: State, seat: int, weights: Any, scratch: Any) -> int:
    """Write the legal actions and their scores; how many there are."""
    count = legal(state, seat, scratch.actions)
    if count > 1:
        for index in range(count):
            scratch.scores[index] = score(state, seat, scratch.actions[index], weights)
    return count


@kernel
def best_action(state: State, seat: int, weights: Any, scratch: Any) -> int:
    """The action that the policy likes best."""
    count = score_actions(state, seat, weights, scratch)
    best = 0
    for index in range(1, count):
        if scratch.scores[index] > scratch.scores[best]:
            best = index
    return scratch.actions[best]  # type: ignore[no-any-return]


@kernel
def turn_scores_into_chances(scratch: Any, count: int) -> None:
    """Softmax."""
    if count == 1:
        scratch.scores[0] = 1.0
        return
    top = scratch.scores[0]
    for index in range(1, count):
        top = max(top, scratch.scores[index])
    total = 0.0
    for index in range(count):
        scratch.scores[index] = exp(scratch.scores[index] - top)
        total += scratch.scores[index]
    for index in range(count):
        scratch.scores[index] /= total


@kernel
def key_of(state: State, seat: int) -> Any:
    """A number that positions of one turn share only if they are the same."""
    sizes = state.phase + 16 * (state.laid_count + 16 * state.rack_size[seat])
    key = mix(uint64(sizes))
    for part in range(PARTS):
        key = mix(key + uint64(state.laid[part]))
        key = mix(key + uint64(state.holds[seat, part]))
    return mix(key + uint64(state.turn))


@kernel
def find_turns(seen: States, seat: int, weights: Any, turns: Any, states: Any, scratch: Any) -> int:
    """Write all turns but very unlikely ones, complete or not; how many there are. The first is empty."""
    states[0] = seen[0]
    turns[0].length, turns[0].chance, turns[0].is_complete = 0, 1.0, 0
    count, at = 1, 0
    while at < count:
        turn = turns[at]
        if acting(states[at]) != 1 << seat or turn.length == MAX_STEPS:
            turn.is_complete = 1
        else:
            choices = score_actions(states[at], seat, weights, scratch)
            turn_scores_into_chances(scratch, choices)
            for index in range(choices):
                chance = turn.chance * scratch.scores[index]
                if chance >= _MIN_PROBABILITY and count < len(turns):
                    count = add_turn(states, turns, seat, at, scratch.actions[index], chance, count)
        at += 1
    return count


@called_kernel
def add_turn(states: Any, turns: Any, seat: int, at: int, action: int, chance: float, count: int) -> int:
    """Prolong a turn by an action; a turn that leads where another has led makes that one more likely."""
    states[count] = states[at]
    apply(states[count], seat, action)
    key = key_of(states[count], seat)
    for other in range(1, count):
        if turns[other].key == key:
            turns[other].chance += chance
            return count
    turn = turns[count]
    for step in range(turns[at].length):
        turn.actions[step] = turns[at].actions[step]
    turn.actions[turns[at].length] = action
    turn.length = turns[at].length + 1
    turn.chance, turn.is_complete, turn.key = chance, 0, key
    return count + 1


@kernel
def keep_likeliest(turns: Any, count: int, wanted: int, candidates: Any) -> int:
    """Write the complete turns that the policy is most likely to play, likeliest first; how many there are."""
    found = 0
    for index in range(count):
        if turns[index].is_complete == 0:
            continue
        place = found
        while place > 0 and turns[index].chance > candidates[place - 1].chance:
            if place < wanted:
                candidates[place] = candidates[place - 1]
            place -= 1
        if place < wanted:
            candidates[place] = turns[index]
            found = min(found + 1, wanted)
    return found
