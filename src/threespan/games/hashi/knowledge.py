"""Who knows what in Hashi: hiding what others do in a round, and imagining what they may have done."""

from typing import Any

import numpy as np

from threespan.core.chance import below
from threespan.core.kernel import count_bits, kernel, lowest_bit, nth_bit
from threespan.core.layout import State
from threespan.games.hashi.rules import (
    FIRST_START,
    Rule,
    build,
    buildable,
    check_write,
    forget_round,
    note_drawn,
    refresh,
    write,
)
from threespan.games.hashi.state import (
    ISLANDS,
    MAX_CARD_BRIDGES,
    MAX_NUMBER,
    NONE,
    WRITE,
    Flag,
    Phase,
    Step,
)

FOUND = -1


@kernel
def hide(state: State, seat: int) -> None:
    """Take back what the others have done in this round; that they have finished may be seen."""
    for other in range(state.players):
        if other == seat:
            continue
        if state.phase == Phase.START:
            state.start[other] = NONE
        if state.phase == Phase.ROUND:
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
            if state.step[other] != Step.DONE:
                state.step[other] = Step.WRITE


@kernel
def imagine(state: State, seat: int, rng: Any) -> None:
    """Give every other seat one of the ways in which it can have played so far, all equally likely."""
    for other in range(state.players):
        if other == seat:
            continue
        done = state.step[other] == Step.DONE
        if state.phase == Phase.START and done:
            state.start[other] = imagine_start(state, rng)
        if state.phase == Phase.ROUND:
            ways = play_way(state, other, done, NONE)
            play_way(state, other, done, below(rng, ways))


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
    state.step[seat] = Step.WRITE
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
        state.step[seat] = Step.DONE if done else Step.BRIDGE
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
    untried = np.zeros(MAX_CARD_BRIDGES, np.int64)  # for the first, second and third bridge
    untried[0] = buildable(state, seat)
    depth = 0
    while depth >= 0:
        if state.bridges_left[seat] == 1:  # the last bridge completes the turn: count its lines at once
            if done:
                if count <= wanted < count + count_bits(untried[depth]):
                    draw_bridge(state, seat, nth_bit(untried[depth], wanted - count))
                    return FOUND
                count += count_bits(untried[depth])
            untried[depth] = 0
        if untried[depth] == 0:
            depth -= 1
            if depth >= 0:
                take_back_bridge(state, seat)
            continue
        line = lowest_bit(untried[depth])
        untried[depth] &= untried[depth] - 1
        draw_bridge(state, seat, line)
        if not done:
            if count == wanted:
                return FOUND
            count += 1
        depth += 1
        untried[depth] = buildable(state, seat) >> line << line
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
