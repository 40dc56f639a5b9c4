"""Simulations of Stege: play on by the best-rated turns for a while, then weigh the sea."""

from typing import Any

from threespan.bots.stege.turns import best_turn, play_turn, rate_turns, worth
from threespan.core.chance import below, stream
from threespan.core.kernel import called_kernel, kernel
from threespan.core.layout import State
from threespan.core.rules import CHANCE
from threespan.games.stege.rules import apply, outcome
from threespan.games.stege.state import PIPS, ROLL, Step

_TAKES, _PLACES = 3, 3  # how far a simulated player looks round with a 1 or a 6


@kernel
def add_rollouts(
    start: Any,
    seat: int,
    candidates: Any,
    sums: Any,
    alive: Any,
    first: int,
    stop: int,
    horizon: int,
    seed: Any,
    weights: Any,
    work: Any,
    turns: Any,
    shops: Any,
) -> None:
    """Add what the candidates that are still alive are worth in the simulations `first` to `stop`.

    All candidates meet the same dice, and the first roll goes through all sides in turn.
    """
    state, shop = work[0], shops[0]
    for index in range(first, stop):
        for number in range(len(candidates)):
            if alive[number]:
                work[0] = start[0]
                shop.word = stream(seed, index // PIPS)
                play_turn(state, seat, candidates[number])
                if state.step == Step.ROLL:
                    apply(state, CHANCE, ROLL + index % PIPS)
                sums[number] += play_on(state, seat, horizon, weights, turns, shop)


@called_kernel
def play_on(state: State, seat: int, horizon: int, weights: Any, turns: Any, shop: Any) -> float:
    """Play `horizon` turns, after those that lay the first jetties; the chance of a seat to win then."""
    left = horizon
    while left > 0 and state.step != Step.OVER:
        if state.step == Step.ROLL:
            apply(state, CHANCE, ROLL + below(shop, PIPS))
            continue
        mover, is_first_phase = state.turn, state.step == Step.LAY
        play_best(state, mover, weights, turns, shop)
        left -= state.turn != mover and not is_first_phase
    if state.step == Step.OVER:
        outcome(state, shop.scores, shop.ranks)
        return 1.0 if shop.ranks[seat] == 1 else 0.0
    return worth(state, seat, state.turn, weights, shop)


@called_kernel
def play_best(state: State, seat: int, weights: Any, turns: Any, shop: Any) -> None:
    """Play the turn of a seat that looks best without much care."""
    count = rate_turns(state, seat, weights, turns, shop, _TAKES, _PLACES, False)
    play_turn(state, seat, turns[best_turn(turns, count)])
