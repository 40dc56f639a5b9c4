"""Simulations of Stege: play on by the best-rated turns for a while, then weigh the sea."""

from typing import Any

from threespan.bots.planning import best_turn
from threespan.bots.stege.turns import play_turn, rate_turns, win_chance_after
from threespan.core.chance import below, stream
from threespan.core.kernel import called_kernel, kernel
from threespan.core.layout import State
from threespan.core.rules import CHANCE
from threespan.games.stege.rules import apply, outcome
from threespan.games.stege.state import PIPS, ROLL, TurnStep

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
    scratches: Any,
) -> None:
    """Add what the candidates that are still alive are worth in the simulations `first` to `stop`.

    All candidates meet the same dice, and the first roll goes through all sides in turn.
    """
    state, scratch = work[0], scratches[0]
    for index in range(first, stop):
        for number in range(len(candidates)):
            if alive[number]:
                work[0] = start[0]
                scratch.word = stream(seed, index // PIPS)
                play_turn(state, seat, candidates[number])
                if state.step == TurnStep.ROLL:
                    apply(state, CHANCE, ROLL + index % PIPS)
                sums[number] += play_on(state, seat, horizon, weights, turns, scratch)


@called_kernel
def play_on(state: State, seat: int, horizon: int, weights: Any, turns: Any, scratch: Any) -> float:
    """Play `horizon` turns, after those that lay the first jetties; the chance of a seat to win then."""
    left = horizon
    while left > 0 and state.step != TurnStep.OVER:
        if state.step == TurnStep.ROLL:
            apply(state, CHANCE, ROLL + below(scratch, PIPS))
            continue
        mover, is_first_phase = state.turn, state.step == TurnStep.LAY
        play_best(state, mover, weights, turns, scratch)
        left -= state.turn != mover and not is_first_phase
    if state.step == TurnStep.OVER:
        outcome(state, scratch.scores, scratch.ranks)
        return 1.0 if scratch.ranks[seat] == 1 else 0.0
    return win_chance_after(state, seat, state.turn, weights, scratch)


@called_kernel
def play_best(state: State, seat: int, weights: Any, turns: Any, scratch: Any) -> None:
    """Play the turn of a seat that looks best without much care."""
    count = rate_turns(state, seat, weights, turns, scratch, _TAKES, _PLACES, False)
    play_turn(state, seat, turns[best_turn(turns, count)])
