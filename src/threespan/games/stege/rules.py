"""The rules of Stege, each written once. Clause names are those of the rule book.

`check` is the definition of what is allowed; `legal` finds the same with sets of fields, many at a time. What they
need to know about jetties and stones is in jetties.py and stones.py.
"""

from enum import IntEnum
from typing import Any

from threespan.core.kernel import entry, kernel
from threespan.core.layout import State
from threespan.core.rules import CHANCE
from threespan.games.stege.fields import append_dense, append_sparse, beside, flip, flood, has, walk_ends
from threespan.games.stege.jetties import (
    across_places,
    down_places,
    fits_elsewhere,
    fits_somewhere,
    gives_jetty,
    has_jetty,
    jetty_field,
    open_water,
    toggle_jetty,
)
from threespan.games.stege.sets import is_empty, left, load, single, up
from threespan.games.stege.state import (
    AGAIN,
    ENDS,
    FIELDS,
    HOME,
    ISLAND,
    JETTY,
    KEEP,
    LAY,
    MAX_TURNS,
    MOVE,
    NONE,
    PASS,
    PASSING_ROUNDS,
    PIPS,
    PLACES,
    ROLL,
    START,
    STONES,
    TAKE,
    WIDTH,
    WORDS,
    TurnStep,
)
from threespan.games.stege.stones import (
    can_move,
    distance_left,
    is_at_the_door,
    is_on_island,
    move_stone,
    origin_of,
    steps_to,
    stone_ends,
    stones_home,
    target,
)


class Rule(IntEnum):
    """The clauses, in the order of the rule book."""

    LEGAL = 0
    NOT_NOW = 1
    OWN_ISLAND = 2
    EXACT_FIT = 3
    OVERLAP = 4
    OFF_BOARD = 5
    ON_ISLAND = 6
    ONE_STONE = 7
    ON_JETTIES = 8
    NO_GAP = 9
    NO_DIAGONAL = 10
    FULL_COUNT = 11
    FIELD_TAKEN = 12
    NO_SHUTTLE = 13
    EXACT_HOME = 14
    MUST_MOVE = 15
    MOVE_JETTY = 16
    JETTY_OCCUPIED = 17
    SAME_PLACE = 18
    THREE_ROLLS = 19
    NOT_AT_THE_DOOR = 20
    ALL_HOME = 21


# Who acts, and what is allowed


@kernel
def acting(state: State) -> int:
    """The seat whose turn it is; chance when the start or a roll is due."""
    if state.step == TurnStep.START or state.step == TurnStep.ROLL:
        return 1 << CHANCE
    return 0 if state.step == TurnStep.OVER else 1 << state.turn


@kernel
def check(state: State, seat: int, action: int) -> int:
    """The first clause that forbids an action, or LEGAL."""
    if seat == CHANCE:
        return check_chance(state, action)
    if acting(state) != 1 << seat or action < LAY or action >= START:
        return Rule.NOT_NOW
    if action < TAKE:
        return check_lay(state, action - LAY)
    if action < MOVE:
        return check_take(state, action - TAKE)
    if action < KEEP:
        return check_move(state, seat, (action - MOVE) // ENDS, (action - MOVE) % ENDS)
    if action == KEEP:
        return check_keep(state)
    return check_again(state, seat) if action == AGAIN else check_pass(state, seat)


@kernel
def check_chance(state: State, action: int) -> int:
    """Chance picks one of the seats, or rolls the die."""
    if state.step == TurnStep.START:
        return Rule.LEGAL if START <= action < START + state.players else Rule.NOT_NOW
    if state.step == TurnStep.ROLL:
        return Rule.LEGAL if ROLL <= action < ROLL + PIPS else Rule.NOT_NOW
    return Rule.NOT_NOW


@kernel
def check_lay(state: State, place: int) -> int:
    """Whether the jetty in hand may lie on a place."""
    if state.step != TurnStep.LAY and state.step != TurnStep.PLACE:
        return Rule.NOT_NOW
    row, column = place % FIELDS // WIDTH, place % WIDTH
    is_down = place >= FIELDS
    on_island = False
    for index in range(JETTY):
        row_here = row + index * is_down
        column_here = column + index * (not is_down)
        if row_here < WIDTH and column_here < WIDTH:
            field = row_here * WIDTH + column_here
            if has(state.planks, field):
                return Rule.OVERLAP
            on_island |= not has(state.water, field)
    last_row, last_column = row + (JETTY - 1) * is_down, column + (JETTY - 1) * (not is_down)
    if last_row >= state.board_size or last_column >= state.board_size:
        return Rule.OFF_BOARD
    if on_island:
        return Rule.ON_ISLAND
    return Rule.SAME_PLACE if place == state.taken else Rule.LEGAL


@kernel
def check_take(state: State, place: int) -> int:
    """Whether the jetty of a place may be taken."""
    if state.step == TurnStep.LAY:
        return Rule.NOT_NOW
    if state.step != TurnStep.JETTY or not has_jetty(state, place):
        return Rule.MOVE_JETTY
    for index in range(JETTY):
        if has(state.occupied, jetty_field(place, index)):
            return Rule.JETTY_OCCUPIED
    return Rule.LEGAL if fits_elsewhere(state, place) else Rule.SAME_PLACE


@kernel
def check_move(state: State, seat: int, stone: int, end: int) -> int:
    """Whether a stone may walk all pips to a field or, with the end HOME, onto the target island."""
    if state.step == TurnStep.AGAIN:
        return Rule.THREE_ROLLS
    if state.step != TurnStep.STONE:
        return Rule.NOT_NOW
    if end != HOME and is_on_island(state, end):
        return Rule.OWN_ISLAND
    if end != HOME and not has(state.planks, end):
        return Rule.ON_JETTIES
    spot = state.stone[seat, stone]
    is_taken = end != HOME and end != spot and has(state.occupied, end)
    if spot == HOME:
        return Rule.FIELD_TAKEN if is_taken else Rule.EXACT_HOME
    origin = origin_of(state, seat, spot)
    planks = load(state.planks)
    goal = load(state.island[target(state, seat)]) if end == HOME else single(end)
    ground = planks | goal
    if is_empty(flood(origin, ground, False) & goal):
        return Rule.NO_GAP if is_empty(flood(origin, ground, True) & goal) else Rule.NO_DIAGONAL
    steps = steps_to(planks, origin, goal, state.die)
    if steps == NONE or (end != HOME and steps < state.die):
        return Rule.FULL_COUNT
    if is_taken:
        return Rule.FIELD_TAKEN
    if steps < state.die:
        return Rule.EXACT_HOME
    ends, before = walk_ends(planks, origin, state.die)
    arrivals = beside(before) if end == HOME else ends
    return Rule.NO_SHUTTLE if is_empty(arrivals & goal) else Rule.LEGAL


@kernel
def check_keep(state: State) -> int:
    """Whether all jetties may stay where they are."""
    if state.step == TurnStep.PLACE:
        return Rule.MOVE_JETTY
    return Rule.LEGAL if state.step == TurnStep.JETTY else Rule.NOT_NOW


@entry
def check_again(state: State, seat: int) -> int:
    """Whether the player may roll again."""
    if state.step == TurnStep.LAY:
        return Rule.NOT_NOW
    if state.rolls == state.max_rolls or gives_jetty(state.die):
        return Rule.THREE_ROLLS
    if state.step == TurnStep.STONE and can_move(state, seat):
        return Rule.THREE_ROLLS
    return Rule.NOT_AT_THE_DOOR if is_at_the_door(state, seat) else Rule.LEGAL


@entry
def check_pass(state: State, seat: int) -> int:
    """Whether the player may lay nothing, or move nothing."""
    if state.step == TurnStep.LAY:
        return Rule.EXACT_FIT if fits_somewhere(open_water(state)) else Rule.LEGAL
    if state.step == TurnStep.PLACE:
        return Rule.MOVE_JETTY
    if state.step == TurnStep.JETTY:
        return Rule.NOT_NOW
    must_move = state.step == TurnStep.STONE and not state.may_pass and can_move(state, seat)
    return Rule.MUST_MOVE if must_move else Rule.LEGAL


# Legal actions


@kernel
def legal(state: State, seat: int, actions: Any) -> int:
    """Write the legal actions, ascending, into `actions`; how many there are."""
    if seat == CHANCE:
        return legal_chance(state, actions)
    if acting(state) != 1 << seat:
        return 0
    if state.step == TurnStep.LAY or state.step == TurnStep.PLACE:
        return legal_lays(state, actions)
    if state.step == TurnStep.JETTY:
        return legal_takes(state, actions)
    count = legal_moves(state, seat, actions) if state.step == TurnStep.STONE else 0
    if count == 0:
        if state.rolls < state.max_rolls and not gives_jetty(state.die) and not is_at_the_door(state, seat):
            actions[0] = AGAIN
            count = 1
        actions[count] = PASS
        count += 1
    elif state.may_pass:
        actions[count] = PASS
        count += 1
    return count


@kernel
def legal_chance(state: State, actions: Any) -> int:
    """The seats that may start, or the sides of the die."""
    first, count = START, 0
    if state.step == TurnStep.START:
        count = state.players
    elif state.step == TurnStep.ROLL:
        first, count = ROLL, PIPS
    for index in range(count):
        actions[index] = first + index
    return count


@kernel
def legal_lays(state: State, actions: Any) -> int:
    """All places for the jetty in hand; without any it stays out of the game."""
    open_fields = open_water(state)
    across, down = across_places(open_fields), down_places(open_fields)
    if state.taken >= FIELDS:
        down = down & ~single(state.taken - FIELDS)
    elif state.taken != NONE:
        across = across & ~single(state.taken)
    count = append_dense(across, LAY, actions, 0)
    count = append_dense(down, LAY + FIELDS, actions, count)
    if count == 0:
        actions[0] = PASS
        count = 1
    return count


@kernel
def legal_takes(state: State, actions: Any) -> int:
    """All jetties without a stone that can lie elsewhere, and KEEP."""
    occupied = load(state.occupied)
    across_taken = occupied | left(occupied | left(occupied))
    down_taken = occupied | up(occupied | up(occupied))
    found = append_sparse(load(state.across) & ~across_taken, TAKE, actions, 0)
    found = append_sparse(load(state.down) & ~down_taken, TAKE + FIELDS, actions, found)
    count = found
    if not fits_somewhere(open_water(state)):
        # Only now can it be that a jetty has nowhere to go but back.
        count = 0
        for index in range(found):
            action = actions[index]
            if fits_elsewhere(state, action - TAKE):
                actions[count] = action
                count += 1
    actions[count] = KEEP
    return count + 1


@kernel
def legal_moves(state: State, seat: int, actions: Any) -> int:
    """All full moves of all stones."""
    count = 0
    for stone in range(STONES):
        spot = state.stone[seat, stone]
        if spot != HOME:
            ends, comes_home = stone_ends(state, seat, spot)
            count = append_sparse(ends, MOVE + stone * ENDS, actions, count)
            if comes_home:
                actions[count] = MOVE + stone * ENDS + HOME
                count += 1
    return count


# Carrying actions out


@kernel
def apply(state: State, seat: int, action: int) -> None:
    """Carry out a legal action."""
    if action >= ROLL:
        roll(state, action - ROLL + 1)
    elif action >= START:
        state.turn = action - START
        state.step = TurnStep.LAY
    elif action < TAKE:
        toggle_jetty(state, action - LAY)
        if state.step == TurnStep.LAY:
            spend_jetty(state, seat)
        else:
            state.taken = NONE
            state.step = TurnStep.STONE
            if state.may_pass:
                state.passes = NONE
    elif action < MOVE:
        toggle_jetty(state, action - TAKE)
        state.taken = action - TAKE
        state.step = TurnStep.PLACE
    elif action < KEEP:
        move_stone(state, seat, (action - MOVE) // ENDS, (action - MOVE) % ENDS)
        state.passes = 0
        end_turn(state)
    elif action == KEEP:
        state.step = TurnStep.STONE
    elif action == AGAIN:
        state.die = 0
        state.step = TurnStep.ROLL
    elif state.step == TurnStep.LAY:
        spend_jetty(state, seat)
    else:
        if state.may_pass:
            count_pass(state, seat)
        end_turn(state)


@kernel
def roll(state: State, die: int) -> None:
    """The first roll of a turn counts; of further ones only a 1 or a 6 (THREE_ROLLS)."""
    state.die = die
    state.rolls += 1
    if gives_jetty(die):
        state.step = TurnStep.JETTY
    else:
        state.step = TurnStep.STONE if state.rolls == 1 else TurnStep.AGAIN


@kernel
def spend_jetty(state: State, seat: int) -> None:
    """A jetty is out of the hand. All have the same number, so the last seat in turn has the last one."""
    state.in_hand[seat] -= 1
    state.turn = (seat + 1) % state.players
    if state.in_hand[state.turn] == 0:
        state.step = TurnStep.ROLL


@kernel
def count_pass(state: State, seat: int) -> None:
    """A turn that is lost is no pass, and one in which a jetty was moved is more than a pass."""
    is_chosen = state.step == TurnStep.STONE and can_move(state, seat)
    state.passes = state.passes + 1 if is_chosen else 0


@kernel
def end_turn(state: State) -> None:
    """ALL_HOME, the limit of turns or three rounds of passes end the match; else the next seat rolls."""
    state.turns += 1
    state.die = state.rolls = 0
    is_stopped = state.turns == MAX_TURNS * state.players or state.passes == PASSING_ROUNDS * state.players
    if is_stopped or stones_home(state, state.turn) == STONES:
        state.step = TurnStep.OVER
    else:
        state.turn = (state.turn + 1) % state.players
        state.step = TurnStep.ROLL


@entry
def refresh(state: State) -> None:
    """Work out the derived sets from the jetties and stones."""
    for index in range(WORDS):
        state.planks[index] = state.occupied[index] = 0
    for place in range(PLACES):
        if has_jetty(state, place):
            for index in range(JETTY):
                flip(state.planks, jetty_field(place, index))
    for seat in range(state.players):
        for stone in range(STONES):
            spot = state.stone[seat, stone]
            if spot != ISLAND and spot != HOME:
                flip(state.occupied, spot)


# Chance


@kernel
def tickets(state: State) -> int:
    """One ticket for each seat, or for each side of the die."""
    return state.players if state.step == TurnStep.START else PIPS


@kernel
def draw(state: State, ticket: int) -> int:
    """The seat or the roll of a ticket."""
    return (START if state.step == TurnStep.START else ROLL) + ticket


@kernel
def weight(state: State, action: int) -> int:  # noqa: ARG001
    """Every seat and every side of the die has one ticket."""
    return 1


# Scoring


@kernel
def points(state: State, seat: int, clause: int) -> int:
    """ALL_HOME: a point for each stone at home."""
    return stones_home(state, seat) if clause == Rule.ALL_HOME else 0


@kernel
def outcome(state: State, scores: Any, ranks: Any) -> None:
    """Ranks by stones home, then by the distance left; equal ones share a rank."""
    for seat in range(state.players):
        scores[seat] = stones_home(state, seat)
        ranks[seat] = 1
    for seat in range(state.players):
        for other in range(state.players):
            if scores[other] > scores[seat]:
                ranks[seat] += 1
            elif scores[other] == scores[seat]:
                ranks[seat] += distance_left(state, other) < distance_left(state, seat)
