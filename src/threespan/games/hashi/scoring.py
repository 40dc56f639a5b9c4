"""What boards are worth: the races, the finished islands, and who wins."""

from typing import Any

from threespan.core.kernel import count_bits, entry, kernel, lowest_bit
from threespan.core.layout import State
from threespan.core.memory import constant
from threespan.games.hashi.clauses import Rule
from threespan.games.hashi.state import BONUSES, Bonus, Flag, Phase

CONNECTED = 6  # islands that SIX_CONNECTED asks for
POINTS_PER_ISLAND = 2

# What each race pays the first and the others; in solo play, until which card it pays in full.
FULL_PAY = (9, 7, 8)
LATE_PAY = (5, 3, 4)
SOLO_LIMIT = (12, 7, 12)
# As arrays: kernels would check whether an index fits a tuple.
_FULL_PAY, _LATE_PAY, _SOLO_LIMIT = constant(FULL_PAY), constant(LATE_PAY), constant(SOLO_LIMIT)


@kernel
def award(state: State, seat: int) -> None:
    """Note the races that a seat has completed by the end of this round."""
    for bonus in range(BONUSES):
        if state.won_in[seat, bonus] == 0 and race_islands(state, seat, bonus, state.finished[seat]) != 0:
            state.won_in[seat, bonus] = state.round_number


@kernel
def race_islands(state: State, seat: int, bonus: int, finished: int) -> int:
    """Those of the finished islands that complete a race, or none, as a mask."""
    if bonus == Bonus.SIX_CONNECTED:
        return connected_islands(state, seat, finished)
    wanted = state.flagged[Flag.RED if bonus == Bonus.RED_FLAGS else Flag.BLUE]
    return wanted if finished & wanted == wanted else 0


@kernel
def connected_islands(state: State, seat: int, finished: int) -> int:
    """SIX_CONNECTED: six or more finished islands joined by bridges, no unfinished one between them, or none."""
    while count_bits(finished) >= CONNECTED:
        group = finished_group(state, seat, finished)
        if count_bits(group) >= CONNECTED:
            return group
        finished &= ~group
    return 0


@kernel
def finished_group(state: State, seat: int, islands: int) -> int:
    """Of some finished islands, the first and all that bridges join to it without leaving them."""
    group = islands & -islands
    frontier = group
    while frontier != 0:
        lines = state.touching[lowest_bit(frontier)] & state.built[seat]
        frontier &= frontier - 1
        while lines != 0:
            line = lowest_bit(lines)
            lines &= lines - 1
            new = (1 << state.line_from[line] | 1 << state.line_to[line]) & islands & ~group
            group |= new
            frontier |= new
    return group


@entry
def points(state: State, seat: int, clause: int) -> int:
    """The points that a seat has from one clause of the score sheet."""
    if clause == Rule.FINISHED_ISLAND:
        return POINTS_PER_ISLAND * count_bits(state.finished[seat]) if state.phase == Phase.OVER else 0
    bonus = clause - Rule.RED_FLAGS
    won_in = state.won_in[seat, bonus]
    return pay(state, bonus, won_in) if won_in != 0 else 0


@kernel
def pay(state: State, bonus: int, won_in: int) -> int:
    """What a race pays a seat that completes it in the round `won_in`."""
    if state.players == 1:
        return _FULL_PAY[bonus] if won_in <= _SOLO_LIMIT[bonus] else _LATE_PAY[bonus]  # type: ignore[no-any-return]
    for other in range(state.players):
        if 0 < state.won_in[other, bonus] < won_in:
            return _LATE_PAY[bonus]  # type: ignore[no-any-return]
    return _FULL_PAY[bonus]  # type: ignore[no-any-return]


@kernel
def score(state: State, seat: int) -> int:
    """The points of a seat from all clauses of the score sheet."""
    total = 0
    for clause in range(Rule.RED_FLAGS, Rule.SHARED_WIN):
        total += points(state, seat, clause)
    return total


@kernel
def outcome(state: State, scores: Any, ranks: Any) -> None:
    """Scores and ranks as things stand; SHARED_WIN: equal points share a rank."""
    for seat in range(state.players):
        scores[seat] = score(state, seat)
    for seat in range(state.players):
        ranks[seat] = 1
        for other in range(state.players):
            ranks[seat] += scores[other] > scores[seat]
