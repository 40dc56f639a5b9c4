"""Whole rounds of one board: every number or none with every set of bridges or none, each rated once."""

from typing import Any

from threespan.bots.hashi.net import SIGHT_FIELDS, Values, look_before, net_value
from threespan.bots.hashi.value import MAX_ACTIVE, active_features, pile_bridges
from threespan.core.kernel import called_kernel, count_bits, kernel, lowest_bit
from threespan.core.layout import State
from threespan.core.memory import float64, int8, int64, new_record, new_records, record_type
from threespan.core.rules import LEGAL
from threespan.games.hashi.board import build, buildable, write
from threespan.games.hashi.rules import check_write
from threespan.games.hashi.scoring import POINTS_PER_ISLAND, award
from threespan.games.hashi.state import (
    DONE,
    ISLANDS,
    MAX_CARD_BRIDGES,
    MAX_NUMBER,
    NONE,
    ROUNDS,
    SKIP,
    WRITE,
    Pen,
    SeatStep,
)

MAX_TURNS = 16384  # a whole round has some hundred turns, seldom more than 3,000

# A turn: the island written on and the lines built on, -1 where there is none.
TURN_DTYPE = record_type(("value", float64), ("island", int8), ("lines", int8, (MAX_CARD_BRIDGES,)))
# What rating turns needs beside the state: the board as it was, room for features and for the network.
DESK_DTYPE = record_type(
    *SIGHT_FIELDS,
    ("listed", int64, (MAX_ACTIVE,)),
    ("masks", int64, (MAX_CARD_BRIDGES + 1, 4)),
    ("untried", int64, (MAX_CARD_BRIDGES,)),
    ("line", int64, (MAX_CARD_BRIDGES,)),
)


def new_desk() -> tuple[Any, Any]:
    """Room for one thread's work: a list of turns and a desk."""
    return new_records(MAX_TURNS, TURN_DTYPE), new_record(DESK_DTYPE)


@kernel
def save_masks(state: State, seat: int, desk: Any, depth: int) -> None:
    """Remember what a bridge or a number changes at once."""
    desk.masks[depth, 0] = state.closed[seat]
    desk.masks[depth, 1] = state.built[seat]
    desk.masks[depth, 2] = state.reached[seat]
    desk.masks[depth, 3] = state.finished[seat]


@kernel
def restore_masks(state: State, seat: int, desk: Any, depth: int) -> None:
    """Go back to what was remembered."""
    state.closed[seat] = desk.masks[depth, 0]
    state.built[seat] = desk.masks[depth, 1]
    state.reached[seat] = desk.masks[depth, 2]
    state.finished[seat] = desk.masks[depth, 3]


@kernel
def erase_bridge(state: State, seat: int, desk: Any, depth: int, line: int) -> None:
    """Take back the bridge drawn at `depth`."""
    state.bridges[seat, line] -= 1
    state.degree[seat, state.line_from[line]] -= 1
    state.degree[seat, state.line_to[line]] -= 1
    restore_masks(state, seat, desk, depth)


@kernel
def future_value(state: State, seat: int, values: Values, bridges_out: int, desk: Any) -> float:
    """What a board is worth from the next round on."""
    if state.round_number == ROUNDS:  # nothing is left to guess
        return POINTS_PER_ISLAND * count_bits(state.finished[seat])
    if len(values.net) > 0:
        return net_value(state, seat, bridges_out, values.net, desk)
    value = 0.0
    count = active_features(state, seat, bridges_out, ROUNDS + 1 - state.round_number, desk.listed)
    for index in range(count):
        value += values.weights[state.round_number, desk.listed[index]]
    return value


@kernel
def rate(state: State, seat: int, values: Values, bridges_out: int, desk: Any) -> float:
    """What a board is worth at the end of this round.

    `values.pay[round, bonus]` is what completing a race in a round is expected to pay; the network or, on boards that
    have none, the weights value the future.
    """
    before_red, before_blue, before_six = state.won_in[seat, 0], state.won_in[seat, 1], state.won_in[seat, 2]
    award(state, seat)
    round_number = state.round_number
    value = 0.0
    for bonus in range(3):
        if state.won_in[seat, bonus] == round_number:
            value += values.pay[round_number, bonus]
    value += future_value(state, seat, values, bridges_out, desk)
    state.won_in[seat, 0], state.won_in[seat, 1], state.won_in[seat, 2] = before_red, before_blue, before_six
    return value


@kernel
def board_value(state: State, seat: int, values: Values, desk: Any) -> float:
    """What a board between two rounds is worth."""
    bridges_out = pile_bridges(state)
    if len(values.net) > 0:
        look_before(state, seat, bridges_out, values.net, desk)
    return future_value(state, seat, values, bridges_out, desk)


@called_kernel
def rate_turns(state: State, seat: int, values: Values, turns: Any, desk: Any) -> int:
    """List every way to go on with the turn to its end, with its value; how many there are.

    From the beginning of a turn these are all turns, later all that is left of them. The state is left as it was.
    """
    count = 0
    bridges_out = pile_bridges(state)
    if len(values.net) > 0:
        look_before(state, seat, bridges_out, values.net, desk)
    for island in range(NONE, ISLANDS if state.step[seat] == SeatStep.WRITE else 0):
        save_masks(state, seat, desk, MAX_CARD_BRIDGES)
        anchored, numbered = state.anchored[seat], state.numbered[seat]
        if island != NONE:
            if check_write(state, seat, island, state.card_number) != LEGAL:
                continue
            write(state, seat, island, state.card_number)
        count = rate_bridges(state, seat, island, values, bridges_out, turns, desk, count)
        if island != NONE:
            state.number[seat, island] = 0
            state.anchored[seat], state.numbered[seat] = anchored, numbered
            restore_masks(state, seat, desk, MAX_CARD_BRIDGES)
    return count


@kernel
def rate_bridges(
    state: State, seat: int, island: int, values: Values, bridges_out: int, turns: Any, desk: Any, count: int
) -> int:
    """List and rate the turns that write on an island (or none): without bridges, then with each set of them."""
    bridges = state.bridges_left[seat]
    is_without = bridges == state.card_bridges  # the first turn of the list builds nothing, if that is still allowed
    depth = 0
    desk.untried[0] = buildable(state, seat)
    while depth >= 0:
        is_whole = is_without
        if not is_without:
            if desk.untried[depth] == 0 or count >= MAX_TURNS - 1:
                depth -= 1
                if depth >= 0:
                    erase_bridge(state, seat, desk, depth, desk.line[depth])
                continue
            line = lowest_bit(desk.untried[depth])
            desk.untried[depth] &= desk.untried[depth] - 1
            desk.line[depth] = line
            save_masks(state, seat, desk, depth)
            build(state, seat, line)
            is_whole = depth == bridges - 1
        if is_whole:
            turns[count].island = island
            for index in range(MAX_CARD_BRIDGES):
                turns[count].lines[index] = NONE if is_without or index >= bridges else desk.line[index]
            turns[count].value = rate(state, seat, values, bridges_out, desk)
            count += 1
            if not is_without:
                erase_bridge(state, seat, desk, depth, desk.line[depth])
            is_without = False
        else:
            depth += 1
            state.bridges_left[seat] = bridges - depth
            desk.untried[depth] = buildable(state, seat) >> desk.line[depth - 1] << desk.line[depth - 1]
    state.bridges_left[seat] = bridges
    return count


@kernel
def play_turn(state: State, seat: int, turn: Any) -> None:
    """Put the marks of a turn on the board, nothing more."""
    if turn.island != NONE:
        write(state, seat, turn.island, state.card_number)
    for index in range(MAX_CARD_BRIDGES):
        if turn.lines[index] != NONE:
            build(state, seat, turn.lines[index])


@kernel
def turn_actions(state: State, seat: int, turn: Any, actions: Any) -> int:
    """Write the steps of a turn as actions, the skips included, with the free pen also Done; how many there are."""
    count = 0
    if state.step[seat] == SeatStep.WRITE:
        actions[0] = SKIP if turn.island == NONE else WRITE + int(turn.island) * MAX_NUMBER + state.card_number - 1
        count = 1
    is_without = True
    for index in range(MAX_CARD_BRIDGES):
        if turn.lines[index] != NONE:
            actions[count] = state.line_action[turn.lines[index]]
            count += 1
            is_without = False
    if state.pen == Pen.FREE:
        actions[count] = DONE
        return count + 1
    if is_without:
        actions[count] = SKIP
        return count + 1
    return count
