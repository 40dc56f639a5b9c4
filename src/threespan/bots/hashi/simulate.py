"""Choosing a whole round by simulation: the best-rated turns are played out on the same sampled piles.

Rollouts take the best turn by the learnt values in every round; sequential halving gives the promising turns more of
them. All candidates of a stage meet the same cards, so their differences are not blurred by luck.
"""

from typing import Any

from threespan.bots.hashi.turns import best_turn, play_turn, rate_turns
from threespan.core.chance import below, stream
from threespan.core.kernel import count_bits, kernel
from threespan.core.layout import State
from threespan.games.hashi.rules import POINTS_PER_ISLAND, award, draw, tickets, turn_up
from threespan.games.hashi.state import BONUSES, CARD, ROUNDS


@kernel
def end_board_round(state: State, seat: int, pay: Any) -> float:
    """Close a round of one board; what its races pay."""
    award(state, seat)
    paid = 0.0
    for bonus in range(BONUSES):
        if state.won_in[seat, bonus] == state.round_number:
            paid += pay[state.round_number, bonus]
    return paid


@kernel
def roll_out(state: State, seat: int, weights: Any, pay: Any, rng: Any, turns: Any, desk: Any) -> float:
    """Play a board to its end by the learnt values on a random pile; the points it gets from here on."""
    total = 0.0
    while state.round_number < ROUNDS:
        turn_up(state, draw(state, below(rng, tickets(state))) - CARD)
        count = rate_turns(state, seat, weights, pay, turns, desk)
        play_turn(state, seat, turns[best_turn(turns, count)])
        total += end_board_round(state, seat, pay)
    return total + POINTS_PER_ISLAND * count_bits(state.finished[seat])


@kernel
def add_rollouts(
    start: Any,
    seat: int,
    candidates: Any,
    sums: Any,
    alive: Any,
    first: int,
    stop: int,
    seed: Any,
    weights: Any,
    pay: Any,
    works: Any,
    turns: Any,
    desks: Any,
    rngs: Any,
) -> None:
    """Play the piles `first` to `stop` with every candidate that is alive, and add up the points."""
    state, desk, rng = works[0], desks[0], rngs[0]
    for pile in range(first, stop):
        for index in range(len(candidates)):
            if alive[index]:
                works[0] = start[0]
                rng.word = stream(seed, pile)
                play_turn(state, seat, candidates[index])
                paid = end_board_round(state, seat, pay)
                sums[index] += paid + roll_out(state, seat, weights, pay, rng, turns, desk)
