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
def add_rollouts(starts: Any, workspace: Any, weights: Any) -> None:
    """Add what the candidates that are still alive are worth in the next simulations, one for each side of the die.

    All candidates meet the same dice, and the first roll goes through all sides in turn.
    """
    seat, halving, scratch, state = workspace.query.seat, workspace.halving, workspace.scratch, workspace.works[0]
    word = stream(workspace.query.word, halving.done // PIPS)
    for number in range(halving.count):
        if halving.is_alive[number] != 0:
            total = 0.0
            for side in range(PIPS):
                workspace.works[0] = starts[0]
                scratch.word = word
                play_turn(state, seat, workspace.candidates[number])
                if state.step == TurnStep.ROLL:
                    apply(state, CHANCE, ROLL + side)
                total += play_on(state, seat, workspace.skill.horizon, weights, workspace.turns, scratch)
            halving.sums[number] += total


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
