"""Choosing a whole round by simulation: the best-rated turns are played on with the same sampled piles.

Rollouts take the best-rated turn in every round to the end.
Sequential halving gives the promising turns more of them. All candidates of a stage meet the same cards, and each card
comes next equally often, so their differences are little blurred by luck.
"""

from typing import Any

from threespan.bots.hashi.net import Values
from threespan.bots.hashi.turns import play_turn, rate_turns
from threespan.bots.planning import best_turn
from threespan.core.chance import below, stream
from threespan.core.kernel import count_bits, kernel
from threespan.core.layout import State
from threespan.games.hashi.rules import draw, tickets, turn_up
from threespan.games.hashi.scoring import POINTS_PER_ISLAND, award
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
def roll_out(state: State, seat: int, values: Values, ticket: int, rng: Any, turns: Any, desk: Any) -> float:
    """Play a board to the end by the values; the points it gets.

    The first card is that of `ticket`, the others are random.
    """
    if state.round_number == ROUNDS:
        return POINTS_PER_ISLAND * count_bits(state.finished[seat])
    total = 0.0
    while True:
        turn_up(state, draw(state, ticket) - CARD)
        chosen = best_turn(turns, rate_turns(state, seat, values, turns, desk))
        if state.round_number == ROUNDS:
            return total + turns[chosen].value  # type: ignore[no-any-return]
        play_turn(state, seat, turns[chosen])
        total += end_board_round(state, seat, values.pay)
        ticket = below(rng, tickets(state))


@kernel
def add_rollouts(
    start: State,
    seat: int,
    candidates: Any,
    halving: Any,
    piles: int,
    seed: Any,
    values: Values,
    works: Any,
    turns: Any,
    desk: Any,
    rng: Any,
) -> None:
    """Play on with the next piles for every candidate that is alive, and add up the points."""
    state = works[0]
    for index in range(halving.count):
        if halving.is_alive[index] != 0:
            points = 0.0
            for pile in range(halving.done, halving.done + piles):
                works[0] = start
                rng.word = stream(seed, pile)
                play_turn(state, seat, candidates[index])
                paid = end_board_round(state, seat, values.pay)
                points += paid + roll_out(state, seat, values, pile % tickets(state), rng, turns, desk)
            halving.sums[index] += points
