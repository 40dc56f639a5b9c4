"""Who knows what in Hashi: hiding what others do in a round, and imagining what they may have done."""

from typing import Any

from threespan.core.chance import below
from threespan.core.kernel import count_bits, kernel, lowest_bit, nth_bit
from threespan.core.layout import State
from threespan.games.hashi.board import build, buildable, refresh, write
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.pen import count_left, undo_round
from threespan.games.hashi.referee import cover_mistakes
from threespan.games.hashi.rules import FIRST_START, check_write, forget_round, note_drawn
from threespan.games.hashi.state import (
    ISLANDS,
    MAX_CARD_BRIDGES,
    MAX_NUMBER,
    MAX_ON_LINE,
    MAX_ROUND_BRIDGES,
    NONE,
    THIS_ROUND,
    WRITE,
    Flag,
    Pen,
    Phase,
    SeatStep,
)

FOUND = -1
CARELESS = 8  # with the free pen, one in so many rounds is imagined as drawn without a thought for the rules


@kernel
def hide(state: State, seat: int) -> None:
    """Take back what the others have done in this round; that they have finished may be seen."""
    for other in range(state.players):
        if other == seat:
            continue
        if state.phase == Phase.START:
            state.start[other] = NONE
        if state.pen == Pen.FREE:
            hide_free_board(state, other)
        elif state.phase == Phase.ROUND:
            is_marked = state.written[other] != NONE
            if is_marked:
                state.number[other, state.written[other]] = 0
            for index in range(MAX_CARD_BRIDGES):
                if state.drawn[other, index] != NONE:
                    state.bridges[other, state.drawn[other, index]] -= 1
                    is_marked = True
            forget_round(state, other)
            if is_marked:
                refresh(state, other)
            if state.step[other] != SeatStep.DONE:
                state.step[other] = SeatStep.WRITE


@kernel
def hide_free_board(state: State, seat: int) -> None:
    """The same for the free pen: erased marks are back, and mistakes look like any other mark."""
    if state.phase == Phase.ROUND:
        undo_round(state, seat)
        refresh(state, seat)
        if state.step[seat] != SeatStep.DONE:
            state.step[seat] = SeatStep.WRITE
    cover_mistakes(state, seat)


@kernel
def imagine(state: State, seat: int, rng: Any) -> None:
    """Give every other seat one of the ways in which it can have played so far, all lawful ones equally likely.

    With the free pen others may have drawn anything; but most people do not.
    """
    for other in range(state.players):
        if other == seat:
            continue
        done = state.step[other] == SeatStep.DONE
        if state.phase == Phase.START and done:
            state.start[other] = imagine_start(state, rng)
        if state.pen == Pen.FREE:
            refresh(state, other)  # mistakes show again
        if state.phase == Phase.ROUND:
            if state.pen == Pen.FREE and below(rng, CARELESS) == 0:
                draw_anything(state, other, done, rng)
            else:
                ways = play_way(state, other, done, NONE)
                play_way(state, other, done, below(rng, ways))
                if state.pen == Pen.FREE:
                    turn_into_marks(state, other)


@kernel
def imagine_start(state: State, rng: Any) -> int:
    """One of the start numbers."""
    islands = state.flagged[Flag.NO]
    chosen = below(rng, 2 * count_bits(islands))
    return WRITE + nth_bit(islands, chosen // 2) * MAX_NUMBER + FIRST_START + chosen % 2 - 1


@kernel
def play_way(state: State, seat: int, done: bool, wanted: int) -> int:
    """Count the ways in which a seat can have played this round so far; stop at the way `wanted` with FOUND.

    A way is a set of marks, whatever their order; `done` tells whether it is a whole turn or an unfinished one.
    """
    state.step[seat] = SeatStep.WRITE
    state.bridges_left[seat] = state.card_bridges
    state.written[seat] = NONE
    count = 0
    if not done:
        if count == wanted:
            return FOUND
        count += 1
    for island in range(NONE, ISLANDS):
        if island != NONE:
            if check_write(state, seat, island, state.card_number) != Rule.LEGAL:
                continue
            write(state, seat, island, state.card_number)
        state.written[seat] = island
        state.step[seat] = SeatStep.DONE if done else SeatStep.BRIDGE
        if count == wanted:
            return FOUND
        count = play_bridges(state, seat, done, wanted, count + 1)
        if count == FOUND:
            return FOUND
        if island != NONE:
            state.number[seat, island] = 0
            refresh(state, seat)
    return count


@kernel
def play_bridges(state: State, seat: int, done: bool, wanted: int, count: int) -> int:
    """The part of `play_way` after the number: all sets of bridges, each in ascending order of its lines."""
    # The lines not tried yet for the bridge at hand, and for the one and two before it. A library cannot have an array.
    untried, before, long_before = buildable(state, seat), 0, 0
    depth = 0
    while depth >= 0:
        if state.bridges_left[seat] == 1:  # the last bridge completes the turn: count its lines at once
            if done:
                if count <= wanted < count + count_bits(untried):
                    draw_bridge(state, seat, nth_bit(untried, wanted - count))
                    return FOUND
                count += count_bits(untried)
            untried = 0
        if untried == 0:
            untried, before, long_before = before, long_before, 0
            depth -= 1
            if depth >= 0:
                take_back_bridge(state, seat)
            continue
        line = lowest_bit(untried)
        untried, before, long_before = 0, untried & untried - 1, before
        draw_bridge(state, seat, line)
        if not done:
            if count == wanted:
                return FOUND
            count += 1
        depth += 1
        untried = buildable(state, seat) >> line << line
    return count


@kernel
def draw_bridge(state: State, seat: int, line: int) -> None:
    """One bridge of this round."""
    build(state, seat, line)
    note_drawn(state, seat, line)


@kernel
def take_back_bridge(state: State, seat: int) -> None:
    """Erase the last bridge of this round."""
    last = state.card_bridges - state.bridges_left[seat] - 1
    state.bridges[seat, state.drawn[seat, last]] -= 1
    state.drawn[seat, last] = NONE
    state.bridges_left[seat] += 1
    refresh(state, seat)


@kernel
def draw_anything(state: State, seat: int, done: bool, rng: Any) -> None:
    """What somebody may have drawn with the free pen who minds no rule: a number or none, up to six bridges."""
    state.step[seat] = SeatStep.WRITE
    if done or below(rng, 2) == 0:
        state.step[seat] = SeatStep.DONE if done else SeatStep.BRIDGE
        island = below(rng, ISLANDS + 1)
        if island < ISLANDS and state.number[seat, island] == 0:
            state.number[seat, island] = state.card_number
            state.marks[seat, THIS_ROUND] = 1 + island
        at = THIS_ROUND + 1
        for _ in range(below(rng, MAX_ROUND_BRIDGES + 1)):
            line = below(rng, max(state.lines, 1))
            if line < state.lines and state.bridges[seat, line] < MAX_ON_LINE:
                state.bridges[seat, line] += 1
                state.marks[seat, at] = 1 + ISLANDS + line
                at += 1
    count_left(state, seat)
    refresh(state, seat)


@kernel
def turn_into_marks(state: State, seat: int) -> None:
    """Note what was played in this round as the free pen does: as marks, in the order of their lines."""
    if state.written[seat] != NONE:
        state.marks[seat, THIS_ROUND] = 1 + state.written[seat]
    for index in range(MAX_CARD_BRIDGES):
        if state.drawn[seat, index] != NONE:
            state.marks[seat, THIS_ROUND + 1 + index] = 1 + ISLANDS + state.drawn[seat, index]
    forget_round(state, seat)
    count_left(state, seat)
    refresh(state, seat)
