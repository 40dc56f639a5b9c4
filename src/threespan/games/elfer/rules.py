"""The rules of Elfer, each written once. Clause names are those of the rule book.

Fields, kinds of tile and the three parts of a mask are explained in `state.py`. Masks make the legal actions fast;
`check` is the definition they are tested against.
"""

from enum import IntEnum
from typing import Any

from threespan.core.kernel import entry, kernel, lowest_bit
from threespan.core.layout import State
from threespan.core.memory import constant
from threespan.core.rules import CHANCE
from threespan.games.elfer.state import (
    ACTIONS,
    BIT_OF,
    DRAW,
    DRAWN,
    ELEVENS,
    FIELDS,
    FIELDS_FOR,
    FULL_BAG,
    HAND,
    JOKER,
    JOKER_FIELDS,
    KEEP,
    KINDS,
    LAY,
    LEAVE,
    MAX_DRAWN,
    MAX_LAID,
    NONE,
    NUMBER_FIELDS,
    NUMBER_PARTS,
    OPEN,
    PART,
    PART_OF,
    PARTS,
    PASS,
    ROWS,
    SKIP,
    STARTS,
    STOP,
    SYMBOL,
    SYMBOL_PART,
    TILE_FOR,
    Phase,
)
from threespan.games.elfer.tiles import (
    add_to_bag,
    add_to_rack,
    can_lay,
    doubt,
    doubt_all,
    has_laid_neighbours,
    has_number_beside,
    has_place,
    holds_eleven,
    is_eleven,
    is_first_on_bonus_bridge,
    is_hidden,
    lay_symbol,
    left_of,
    put_on_board,
    rack_value,
    right_of,
    show_symbol,
    take_from_bag,
    take_from_rack,
    tile_of_ticket,
    touches,
)

DEALT = constant([0, 0, 20, 20, 15])  # tiles on each rack at the start, by the number of players


class Rule(IntEnum):
    """The clauses, in the order of the rule book."""

    LEGAL = 0
    NOT_NOW = 1
    START_ELEVEN = 2
    MUST_LAY = 3
    LIMIT_THREE = 4
    OWN_FIELD = 5
    MUST_TOUCH = 6
    STOP = 7
    BONUS_DRAW = 8
    HAND_ON = 9
    DRAW_THREE = 10
    EMPTY_BAG = 11
    RACK_EMPTY = 12
    SYMBOL_PLACE = 13
    FREE_TILE = 14


# Who acts, and what is allowed


@kernel
def acting(state: State) -> int:
    """Chance where a tile is drawn, else the seat whose turn it is."""
    if state.phase < Phase.OPEN:
        return 1 << CHANCE
    return 0 if state.phase == Phase.OVER else 1 << state.turn


@kernel
def check(state: State, seat: int, action: int) -> int:
    """The first clause that forbids an action, or LEGAL."""
    if acting(state) != 1 << seat or action < LAY or action >= ACTIONS:
        return Rule.NOT_NOW
    if seat == CHANCE:
        return check_chance(state, action)
    if state.phase == Phase.ASK or OPEN <= action <= LEAVE:
        return check_answer(state, seat, action)
    if action < HAND:
        return check_lay(state, seat, action - LAY)
    if action < STOP:
        return check_hand(state, seat, action - HAND)
    if action in (KEEP, SKIP):
        moment = Phase.HAND if action == KEEP else Phase.FREE
        return Rule.LEGAL if state.phase == moment else Rule.NOT_NOW
    if action >= DRAWN or state.phase == Phase.HAND:
        return Rule.NOT_NOW
    if action == STOP:
        return check_stop(state, seat)
    return check_draw(state, seat) if action == DRAW else check_pass(state, seat)


@kernel
def check_chance(state: State, action: int) -> int:
    """Whether chance may choose a starting seat or draw a tile: the tile must be in the bag."""
    if state.phase == Phase.START:
        return Rule.LEGAL if 0 <= action - STARTS < state.players else Rule.NOT_NOW
    if action < DRAWN or action >= STARTS:
        return Rule.NOT_NOW
    return Rule.LEGAL if state.bag[action - DRAWN] > 0 else Rule.EMPTY_BAG


@kernel
def check_answer(state: State, seat: int, action: int) -> int:
    """START_ELEVEN: where nobody must open, everybody is asked; to open takes an 11."""
    if state.phase != Phase.ASK:
        return Rule.START_ELEVEN if state.phase == Phase.OPEN else Rule.NOT_NOW
    if action == OPEN:
        return Rule.LEGAL if holds_eleven(state, seat) else Rule.START_ELEVEN
    return Rule.LEGAL if action == LEAVE else Rule.NOT_NOW


@kernel
def check_lay(state: State, seat: int, field: int) -> int:
    """Whether the seat may lay the tile of a field there."""
    phase = state.phase
    tile = TILE_FOR[field]
    is_number = field < NUMBER_FIELDS
    if phase == Phase.HAND:
        return Rule.NOT_NOW
    if phase == Phase.OPEN and not is_eleven(field):
        return Rule.START_ELEVEN
    if phase == Phase.LAY and state.laid_count == MAX_LAID:
        return Rule.LIMIT_THREE
    if state.board[field] != 0 or (phase != Phase.BONUS and state.rack[seat, tile] == 0):
        return Rule.OWN_FIELD
    if phase == Phase.LAY and is_number and not touches(state, field):
        return Rule.MUST_TOUCH
    if phase == Phase.BONUS and tile != state.bonus_tile:
        return Rule.BONUS_DRAW
    if phase == Phase.BONUS and not state.symbols_adjoin:
        return Rule.LEGAL
    if not is_number and not has_number_beside(state, field):
        return Rule.SYMBOL_PLACE
    if phase == Phase.FREE and not is_number:
        return Rule.FREE_TILE
    return Rule.LEGAL


@kernel
def check_hand(state: State, seat: int, kind: int) -> int:
    """HAND_ON: after a turn with two neighbours, one tile of the own rack."""
    if state.phase == Phase.OPEN:
        return Rule.START_ELEVEN
    if state.phase == Phase.BONUS:
        return Rule.BONUS_DRAW
    if state.phase != Phase.HAND or state.rack[seat, kind] == 0:
        return Rule.HAND_ON
    return Rule.LEGAL


@kernel
def check_stop(state: State, seat: int) -> int:
    """STOP: at any time after the first tile, once bonus and free tile are done with."""
    if state.phase == Phase.OPEN:
        return Rule.START_ELEVEN
    if state.phase == Phase.BONUS:
        return Rule.BONUS_DRAW
    if state.phase == Phase.FREE:
        return Rule.FREE_TILE
    if state.laid_count > 0:
        return Rule.LEGAL
    return Rule.MUST_LAY if can_lay(state, seat) else Rule.STOP


@kernel
def check_draw(state: State, seat: int) -> int:
    """DRAW_THREE: up to three tiles in a turn, if nothing fits and nothing has been laid."""
    if state.phase == Phase.OPEN:
        return Rule.START_ELEVEN
    if state.phase == Phase.LAY and state.laid_count == 0 and can_lay(state, seat):
        return Rule.MUST_LAY
    if state.phase == Phase.BONUS:
        return Rule.BONUS_DRAW
    if state.laid_count > 0 or state.drawn == MAX_DRAWN:
        return Rule.DRAW_THREE
    return Rule.EMPTY_BAG if state.bag_size == 0 else Rule.LEGAL


@kernel
def check_pass(state: State, seat: int) -> int:
    """EMPTY_BAG: only if nothing fits and nothing more can be drawn.

    Passing never goes round the whole table. With an empty bag all unlaid tiles are on racks. If a number field is
    empty, then, as the rows are connected and the opening 11 lies, some empty field adjoins a tile, and a tile for
    it is on a rack: its own coloured one, or a joker, since as many jokers of a number are unlaid as its fields are
    empty. If no number field is empty, every 1 and 20 lies, and an unlaid symbol has an empty field beside one.
    """
    if state.phase == Phase.OPEN:
        return Rule.START_ELEVEN
    if state.phase == Phase.BONUS:
        return Rule.BONUS_DRAW
    if state.phase == Phase.FREE:
        return Rule.FREE_TILE
    if state.laid_count > 0:
        return Rule.NOT_NOW
    if can_lay(state, seat):
        return Rule.MUST_LAY
    return Rule.DRAW_THREE if may_draw(state) else Rule.LEGAL


@entry
def may_draw(state: State) -> bool:
    """Whether a seat that can lay nothing still draws."""
    return state.drawn < MAX_DRAWN and state.bag_size > 0  # type: ignore[no-any-return]


# Legal actions


@kernel
def legal(state: State, seat: int, actions: Any) -> int:
    """Write the legal actions, ascending, into `actions`; how many there are."""
    if acting(state) != 1 << seat:
        return 0
    if seat == CHANCE:
        return legal_chance(state, actions)
    if state.phase == Phase.LAY:
        return legal_lays(state, seat, actions)
    if state.phase == Phase.HAND:
        return legal_hands(state, seat, actions)
    if state.phase == Phase.ASK:
        return legal_answers(state, seat, actions)
    count = 0
    for part in range(PARTS):
        if state.phase == Phase.BONUS:
            fields = FIELDS_FOR[state.bonus_tile, part]
            if state.symbols_adjoin and part == SYMBOL_PART:
                fields &= state.inviting[part]
        elif part == SYMBOL_PART:
            fields = 0
        else:
            fields = state.holds[seat, part] & (ELEVENS if state.phase == Phase.OPEN else ~0)
        count = add_fields(actions, count, part, fields & ~state.laid[part])
    if state.phase == Phase.FREE:
        actions[count] = SKIP
        count += 1
    return count


@kernel
def legal_lays(state: State, seat: int, actions: Any) -> int:
    """Lay something that fits; stop after the first tile; draw or pass if nothing fits."""
    count = 0
    if state.laid_count < MAX_LAID:
        for part in range(PARTS):
            count = add_fields(actions, count, part, state.holds[seat, part] & state.inviting[part])
    if state.laid_count > 0:
        actions[count] = STOP
        count += 1
    elif count == 0:
        actions[0] = DRAW if may_draw(state) else PASS
        count = 1
    return count


@kernel
def add_fields(actions: Any, count: int, part: int, fields: int) -> int:
    """Append the actions that lay on the fields of a mask.

    Mostly there is one or none: that is written without a branch that the processor would have to guess. The loop
    clears bits with `^`, since LLVM unrolls the usual `fields & (fields - 1)` eightfold, too much for so few.
    """
    first = LAY + part * PART
    actions[count] = first + lowest_bit(fields)
    count += fields != 0
    fields &= fields - 1
    while fields != 0:
        bit = lowest_bit(fields)
        actions[count] = first + bit
        count += 1
        fields ^= 1 << bit
    return count


@kernel
def legal_hands(state: State, seat: int, actions: Any) -> int:
    """Hand on any kind of tile that the rack has, or keep all."""
    count = 0
    for part in range(NUMBER_PARTS):
        fields = state.holds[seat, part] & ~JOKER_FIELDS
        while fields != 0:
            actions[count] = HAND + TILE_FOR[part * PART + lowest_bit(fields)]
            count += 1
            fields &= fields - 1
    for kind in range(JOKER, KINDS):
        actions[count] = HAND + kind
        count += state.rack[seat, kind] > 0
    actions[count] = KEEP
    return count + 1


@kernel
def legal_answers(state: State, seat: int, actions: Any) -> int:
    """Open with an 11, or leave that to others."""
    actions[0] = OPEN
    count = 1 if holds_eleven(state, seat) else 0
    actions[count] = LEAVE
    return count + 1


@kernel
def legal_chance(state: State, actions: Any) -> int:
    """The kinds of tile in the bag, or the seats that may start."""
    count = 0
    if state.phase == Phase.START:
        for seat in range(state.players):
            actions[count] = STARTS + seat
            count += 1
    else:
        for kind in range(KINDS):
            if state.bag[kind] > 0:
                actions[count] = DRAWN + kind
                count += 1
    return count


# Carrying actions out


@kernel
def apply(state: State, seat: int, action: int) -> None:
    """Carry out a legal action."""
    if seat == CHANCE:
        if state.phase == Phase.START:
            state.starter = state.turn = action - STARTS
            state.phase = Phase.DEAL
        else:
            take_from_bag(state, action - DRAWN)
            receive(state, action - DRAWN)
    elif action < HAND:
        lay(state, seat, action - LAY)
    elif action < STOP:
        hand_on(state, seat, action - HAND)
    elif action == STOP:
        if has_laid_neighbours(state):
            state.phase = Phase.HAND
        else:
            end_turn(state)
    elif action == DRAW:
        state.drawn += 1
        state.phase = Phase.DRAWING
    elif action == SKIP:
        state.phase = Phase.LAY
    elif action == OPEN:
        state.phase = Phase.OPEN
    elif action == LEAVE:
        leave(state)
    else:
        end_turn(state)


@kernel
def receive(state: State, kind: int) -> None:
    """A tile that was drawn goes where the moment wants it."""
    seat = state.turn
    if state.phase == Phase.BONUS_DRAWING:
        if kind >= SYMBOL and state.symbols_adjoin and not has_place(state, kind):
            add_to_rack(state, seat, kind)
            show_symbol(state, seat, kind - SYMBOL)
            state.phase = Phase.LAY
        else:
            state.bonus_tile = kind
            state.phase = Phase.BONUS
        return
    add_to_rack(state, seat, kind)
    if state.phase == Phase.DRAWING:
        state.phase = Phase.LAY
    elif state.phase == Phase.DEAL:
        if state.rack_size[seat] == DEALT[state.players]:
            state.turn = left_of(state, seat)
            if state.turn != state.starter:
                return
            if state.may_leave:
                state.phase = Phase.ASK
            else:
                find_opener(state)
    elif holds_eleven(state, seat):
        state.phase = Phase.OPEN
    else:
        state.turn = left_of(state, seat)


@kernel
def leave(state: State) -> None:
    """The next seat is asked; if all have left the opening to others, the first one with an 11 must open after all.

    Whoever tries that in an observation cannot know who that is. Then it looks as if chance had its say.
    """
    state.leaves += 1
    state.turn = left_of(state, state.turn)
    if state.leaves < state.players:
        return
    if is_hidden(state, state.turn):
        state.phase = Phase.SEARCH
    else:
        find_opener(state)


@kernel
def find_opener(state: State) -> None:
    """START_ELEVEN: the first seat with an 11 opens; if there is none, tiles are drawn until an 11 comes.

    Then all four 11s are in the bag, so the search always ends.
    """
    for _ in range(state.players):
        if holds_eleven(state, state.turn):
            state.phase = Phase.OPEN
            return
        state.turn = left_of(state, state.turn)
    state.phase = Phase.SEARCH


@kernel
def lay(state: State, seat: int, field: int) -> None:
    """Lay a tile, from the rack or as a bonus, and see what it brings.

    No field has two bridges and symbols have none, so a tile brings a bonus or a free tile, never two things.
    """
    if state.phase == Phase.BONUS:
        state.bonus_tile = NONE
    else:
        take_from_rack(state, seat, TILE_FOR[field])
        if field < NUMBER_FIELDS:
            doubt(state, right_of(state, seat), TILE_FOR[field])
        else:
            lay_symbol(state, seat, TILE_FOR[field] - SYMBOL)
        state.laid_count += state.phase != Phase.FREE
        state.leaves = 0
    state.fresh[PART_OF[field]] |= BIT_OF[field]
    put_on_board(state, field)
    if state.rack_size[seat] == 0:
        end_round(state)
    elif field >= NUMBER_FIELDS:
        state.phase = Phase.FREE
    elif state.bag_size > 0 and is_first_on_bonus_bridge(state, field):
        state.phase = Phase.BONUS_DRAWING
    else:
        state.phase = Phase.LAY


@kernel
def hand_on(state: State, seat: int, kind: int) -> None:
    """Give a tile to the left neighbour, and keep account of who knows of it."""
    left = left_of(state, seat)
    take_from_rack(state, seat, kind)
    doubt_all(state, seat, kind)
    add_to_rack(state, left, kind)
    state.handed[seat, kind] += 1
    if state.rack_size[seat] == 0:
        end_round(state)
    else:
        end_turn(state)


@kernel
def end_turn(state: State) -> None:
    """It is the left neighbour's turn."""
    for part in range(PARTS):
        state.fresh[part] = 0
    state.laid_count = 0
    state.drawn = 0
    state.turn = left_of(state, state.turn)
    state.phase = Phase.LAY


@kernel
def end_round(state: State) -> None:
    """RACK_EMPTY: the others get minus points; the next round begins one seat further left, if there is one."""
    for seat in range(state.players):
        state.minus[seat] += rack_value(state, seat)
        for kind in range(KINDS):
            state.handed[seat, kind] = 0
        for row in range(ROWS):
            state.shown[seat, row] = state.shown_left[seat, row] = 0
    if state.round_number == state.rounds:
        state.phase = Phase.OVER
    else:
        state.round_number += 1
        state.starter = left_of(state, state.starter)
        begin_round(state)


@entry
def begin_round(state: State) -> None:
    """Clear the board, fill the bag, deal to the starting seat."""
    for field in range(FIELDS):
        state.board[field] = 0
    for part in range(PARTS):
        state.laid[part] = state.fresh[part] = 0
        state.inviting[part] = 0 if part == SYMBOL_PART else ELEVENS
    state.bag_size = 0
    state.bag_mask = 0
    for kind in range(KINDS):
        state.bag[kind] = 0
        add_to_bag(state, kind, FULL_BAG[state.has_symbols, kind])
    for seat in range(state.players):
        state.rack_size[seat] = 0
        for part in range(PARTS):
            state.holds[seat, part] = 0
        for kind in range(KINDS):
            state.rack[seat, kind] = 0
    state.laid_count = 0
    state.drawn = 0
    state.turn = state.starter
    state.phase = Phase.DEAL


# Chance


@kernel
def tickets(state: State) -> int:
    """One ticket for each tile in the bag, or for each seat that may start."""
    return state.players if state.phase == Phase.START else state.bag_size  # type: ignore[no-any-return]


@kernel
def draw(state: State, ticket: int) -> int:
    """The tile, or the starting seat, of a ticket."""
    if state.phase == Phase.START:
        return STARTS + ticket
    return DRAWN + tile_of_ticket(state, ticket)


@kernel
def weight(state: State, action: int) -> int:
    """How many tiles of a kind may come; every seat may start alike."""
    return 1 if action >= STARTS else state.bag[action - DRAWN]


# Scoring


@kernel
def points(state: State, seat: int, clause: int) -> int:
    """RACK_EMPTY, the one clause of the score sheet: minus the tiles left over in the finished rounds."""
    return -state.minus[seat] if clause == Rule.RACK_EMPTY else 0


@kernel
def outcome(state: State, scores: Any, ranks: Any) -> None:
    """Scores and ranks as things stand; fewest minus points first, equal ones share a rank."""
    for seat in range(state.players):
        scores[seat] = points(state, seat, Rule.RACK_EMPTY)
    for seat in range(state.players):
        ranks[seat] = 1
        for other in range(state.players):
            ranks[seat] += scores[other] > scores[seat]
