"""Random play inside kernels, for any game; an entry, so that it also runs where kernels were linked beforehand."""

from typing import Annotated, Any, NamedTuple

from threespan.core.chance import below, seed_word, stream
from threespan.core.game import Position
from threespan.core.kernel import kernel, long_entry, lowest_bit, wrapping_around
from threespan.core.layout import States
from threespan.core.memory import array_type, int16, int32, int64, new_record, record_type, uint64
from threespan.core.rules import CHANCE, MAX_LEGAL, MAX_SEATS, acting, apply, draw, legal, outcome, tickets

# What random play needs besides the state: a generator (`word`, see chance.py) and room for legal actions.
# The word comes last: otherwise Numba would take the record for a plain generator and warn about it.
SCRATCH_DTYPE = record_type(("actions", int16, (MAX_LEGAL,)), ("word", uint64))

_TALLY_DTYPE = record_type(
    ("repeats", int64),
    ("seed", uint64),
    ("totals", int64, (MAX_SEATS,)),  # of the scores
    ("scores", int32, (MAX_SEATS,)),  # of the last match, as the ranks
    ("ranks", int32, (MAX_SEATS,)),
    ("scratch", SCRATCH_DTYPE),
)
_Tallies = Annotated[Any, array_type(_TALLY_DTYPE, 1)]


class RandomMatches(NamedTuple):
    """The sum of the scores of each seat over some matches, and the number of actions."""

    totals: list[int]
    actions: int


@kernel
def random_action(state: Any, seat: int, scratch: Any) -> int:
    """A random legal action of a seat, or a random action of CHANCE."""
    if seat == CHANCE:
        return draw(state, below(scratch, tickets(state)))
    # int: uncompiled, an action would be computed with as 16 bits.
    return int(scratch.actions[below(scratch, legal(state, seat, scratch.actions))])


@kernel
def play_out(state: Any, scratch: Any) -> int:
    """Play a state to its end at random; returns the number of actions, without those of chance."""
    count = 0
    seats = acting(state)
    while seats != 0:
        seat = lowest_bit(seats)
        apply(state, seat, random_action(state, seat, scratch))
        count += seat != CHANCE
        seats = acting(state)
    return count


@long_entry
def play_matches(works: States, starts: States, tallies: _Tallies) -> int:
    """Play a start state to its end at random, as often as the tally asks for; returns the number of actions."""
    tally = tallies[0]
    count = 0
    for number in range(tally.repeats):
        works[0] = starts[0]
        tally.scratch.word = stream(tally.seed, number)
        count += play_out(works[0], tally.scratch)
        outcome(works[0], tally.scores, tally.ranks)
        for seat in range(MAX_SEATS):
            tally.totals[seat] += tally.scores[seat]
    return count


def play_at_random(position: Position, repeats: int, seed: int = 0) -> RandomMatches:
    """Play a position to its end at random, `repeats` times, on one core."""
    layout = position.game.layout
    works, starts = layout.array_copy(position.state), layout.array_copy(position.state)
    tallies = new_record(_TALLY_DTYPE)
    tallies[0].repeats, tallies[0].seed = repeats, seed_word(seed)
    with wrapping_around():
        actions = play_matches(works, starts, tallies)
    return RandomMatches(tallies[0].totals.tolist(), int(actions))
