"""A decision of Hashi as one compiled entry (see deciding.py): whole rounds, by the learnt values or by simulations."""

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
from threespan.bots.hashi.ahead import (
    COMPARISON_DTYPE,
    LEVEL_DTYPE,
    MAX_CARDS,
    begin_comparison,
    look_at_next,
    needs_look,
    rank_by_looks,
)
from threespan.bots.hashi.learnt import Learnt
from threespan.bots.hashi.net import Values
from threespan.bots.hashi.simulate import add_rollouts
from threespan.bots.hashi.turns import DESK_DTYPE, MAX_TURNS, TURN_DTYPE, board_value, rate_turns, turn_actions
from threespan.bots.hashi.value import write_race_pay, write_solo_pay
from threespan.core.chance import RNG_DTYPE, below
from threespan.core.kernel import kernel, long_entry
from threespan.core.layout import State, States
from threespan.core.memory import array_type, float64, int8, int16, int64, record_type
from threespan.games.hashi.board import write
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.rules import legal
from threespan.games.hashi.scoring import points
from threespan.games.hashi.state import (
    ACTIONS,
    BONUSES,
    DONE,
    ERASE_NUMBER,
    LAYOUT,
    MAX_NUMBER,
    NONE,
    ROUNDS,
    Pen,
    Phase,
    SeatStep,
)

_PILES = 4  # sampled piles in a batch of rollouts

# How the turns of a decision are compared.
_BY_RATING, _BY_ROLLOUTS, _BY_LOOKS = 0, 1, 2

SKILL_DTYPE = record_type(
    ("attention", float64),
    ("minds_races", int64),
    ("minds_others", int64),
    ("knows_boards", int64),
    ("candidates", int64),
    ("looks", int64, (MAX_CARDS,)),  # 0 where no candidate is looked at
)
WORKSPACE_DTYPE = record_type(
    ("query", QUERY_DTYPE),
    ("choices", CHOICES_DTYPE),
    ("skill", SKILL_DTYPE),
    ("halving", HALVING_DTYPE),
    ("comparison", COMPARISON_DTYPE),
    ("rng", RNG_DTYPE),
    ("way", int64),  # how the turns are compared
    ("count", int64),  # candidates
    ("paid", float64),  # points of races that are already completed
    ("pay", float64, (ROUNDS + 1, BONUSES)),
    ("works", LAYOUT.kind, (2 * MAX_CARDS + 1,)),
    ("desk", DESK_DTYPE),
    ("levels", LEVEL_DTYPE, (MAX_CARDS,)),
    ("candidates", TURN_DTYPE, (MAX_CANDIDATES,)),
    ("actions", int16, (ACTIONS,)),
    ("turns", TURN_DTYPE, (MAX_TURNS,)),
    ("is_noticed", int8, (MAX_TURNS,)),
)
Workspaces = Annotated[Any, array_type(WORKSPACE_DTYPE, 1)]


@long_entry
def decide(states: States, workspaces: Workspaces, learnt: Learnt) -> bool:
    """Go on with a decision; whether it is done. Values are points at the end of the match."""
    start, room, known = states[0], workspaces[0], learnt[0]
    values = Values(known.weights, known.net[: known.rows if room.skill.knows_boards != 0 else 0], room.pay)
    if room.query.is_begun == 0:
        room.query.is_begun = 1
        if start.phase == Phase.START:
            choose_start(start, room, values)
            return True
        mending = find_mending(start, room)
        if mending != NONE:
            choose_only(room.choices, mending, 0.0)
            return True
        expect_pay(start, room, known.completed_by)
        if not find_candidates(start, room, values):
            value = board_value(room.works[0], room.query.seat, values, room.desk)
            choose_only(room.choices, DONE, room.paid + value)
            return True
        begin_comparing(start, room, len(values.net) > 0)
    if compare_further(start, room, values):
        return False
    write_choices(start, room)
    return True


@kernel
def choose_start(start: State, room: Any, values: Values) -> None:
    """The start number that is best for the own board or, passed to the left, worst for the neighbour's."""
    seat = room.query.seat
    best_value, best_action = 0.0, NONE
    for index in range(legal(start, seat, room.actions)):
        action = int(room.actions[index])
        room.works[0] = start
        write(room.works[0], seat, action // MAX_NUMBER, action % MAX_NUMBER + 1)
        value = board_value(room.works[0], seat, values, room.desk)
        is_better = value >= best_value if start.players == 1 else value < best_value
        if best_action == NONE or is_better:
            best_value, best_action = value, action
    choose_only(room.choices, best_action, best_value)


@kernel
def find_mending(start: State, room: Any) -> int:
    """The action that erases a mistake somebody has made for whom a bot plays now, or NONE."""
    if start.pen == Pen.STRICT:
        return NONE
    count = legal(start, room.query.seat, room.actions)
    last = int(room.actions[count - 1])
    return last if last >= ERASE_NUMBER else NONE


@kernel
def expect_pay(start: State, room: Any, completed_by: Any) -> None:
    """Note what races have paid, and what completing each one in each round pays in the eyes of the player."""
    seat = room.query.seat
    room.paid = 0.0
    for bonus in range(BONUSES):
        room.paid += points(start, seat, Rule.RED_FLAGS + bonus)
    if room.skill.minds_races == 0:
        for round_number in range(ROUNDS + 1):
            for bonus in range(BONUSES):
                room.pay[round_number, bonus] = 0.0
    elif start.players == 1 or room.skill.minds_others == 0:
        write_solo_pay(room.pay)
    else:
        write_race_pay(start, seat, completed_by, room.pay)


@kernel
def find_candidates(start: State, room: Any, values: Values) -> bool:
    """Rate all turns and keep the best of those that are noticed, best first; whether there are any.

    With the free pen somebody else may have begun what cannot be completed by the rules.
    """
    seat, skill = room.query.seat, room.skill
    room.works[0] = start
    count = 0
    if start.step[seat] == SeatStep.WRITE or start.bridges_left[seat] > 0:
        count = rate_turns(room.works[0], seat, values, room.turns, room.desk)
    notice_turns(room, count)
    most = skill.candidates
    if len(values.net) > 0:
        for cards in range(MAX_CARDS):
            most = max(most, skill.looks[cards])
    room.count = 0
    for index in range(count):
        if room.is_noticed[index] != 0:
            keep_candidate(room, room.turns[index], min(most, MAX_CANDIDATES))
    return room.count > 0  # type: ignore[no-any-return]


@kernel
def notice_turns(room: Any, count: int) -> None:
    """Mark the turns that the player notices: as many as its attention says, at least one."""
    for index in range(count):
        room.is_noticed[index] = 1
    if room.skill.attention < 1 and count > 0:
        room.rng.word = room.query.word
        for index in range(count):
            room.is_noticed[index] = below(room.rng, 1000) < 1000 * room.skill.attention
        room.is_noticed[below(room.rng, count)] = 1


@kernel
def keep_candidate(room: Any, turn: Any, most: int) -> None:
    """Put a turn in its place among the best ones; of equals the first comes first."""
    place = room.count
    while place > 0 and turn.value > room.candidates[place - 1].value:
        if place < most:
            room.candidates[place] = room.candidates[place - 1]
        place -= 1
    if place < most:
        room.candidates[place] = turn
        room.count = min(room.count + 1, most)


@kernel
def begin_comparing(start: State, room: Any, has_net: bool) -> None:
    """Choose how the candidates are compared; in the last round their ratings are exact."""
    room.way = _BY_RATING
    if room.count > 1 and start.round_number < ROUNDS:
        room.way = _BY_LOOKS if has_net and room.skill.looks[0] > 0 else _BY_ROLLOUTS
    begin_halving(room.halving, room.count, False)
    begin_comparison(room.comparison, room.candidates, room.count, start.round_number)


@kernel
def compare_further(start: State, room: Any, values: Values) -> bool:
    """Simulate one batch, or look at one candidate; False if there is nothing more to find out."""
    query, seat = room.query, room.query.seat
    if room.way == _BY_LOOKS and needs_look(room.comparison, room.skill.looks, query.simulations, query.elapsed):
        look_at_next(
            start, seat, room.candidates, room.comparison, values, room.works, room.levels, room.turns, room.desk
        )  # fmt: skip
        return True
    if room.way == _BY_ROLLOUTS and needs_batch(room.halving, query.simulations, query.elapsed):
        add_rollouts(
            start, seat, room.candidates, room.halving, _PILES, query.word, values, room.works, room.turns, room.desk,
            room.rng,
        )  # fmt: skip
        note_batch(room.halving, _PILES)
        return True
    return False


@kernel
def write_choices(start: State, room: Any) -> None:
    """Answer with all candidates, best first."""
    choices, halving, comparison = room.choices, room.halving, room.comparison
    rank_candidates(halving)
    rank_by_looks(comparison)
    choices.count = room.count
    for place in range(room.count):
        if room.way == _BY_ROLLOUTS:
            index = halving.order[place]
            value, visits = mean_value(halving, index), halving.visits[index]
        else:  # without looks the values are the ratings
            index = comparison.order[place]
            value, visits = comparison.values[index], comparison.visits[index]
        choices.values[place] = value + room.paid
        choices.visits[place] = visits
        choices.lengths[place] = turn_actions(start, room.query.seat, room.candidates[index], choices.lines[place])
