"""Learn the values of boards by playing: `python -m training.hashi.weights`.

In every sweep a player takes the turns that the values learnt so far rate best (sometimes one of the next best, for
variety). The weights of each round are then fitted by least squares to the points that were still to come on the boards
it met, drawn towards the weights of the sweep before. Values so follow the player they guide, and both improve.
"""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from threespan.bots.hashi.learnt import WEIGHTS
from threespan.bots.hashi.net import Values, no_net
from threespan.bots.hashi.simulate import end_board_round
from threespan.bots.hashi.turns import new_desk, play_turn, rate_turns
from threespan.bots.hashi.value import (
    FEATURES,
    FINISHED,
    ISLAND_KINDS,
    MAX_ACTIVE,
    active_features,
    pile_bridges,
    solo_pay,
)
from threespan.bots.planning import best_turn
from threespan.core.chance import RNG_DTYPE, below, stream
from threespan.core.kernel import count_bits, kernel
from threespan.core.options import read_options
from threespan.core.registry import find_game
from threespan.games.hashi.rules import apply, draw, legal, tickets, turn_up
from threespan.games.hashi.scoring import POINTS_PER_ISLAND
from threespan.games.hashi.state import CARD, ROUNDS, Flag, Phase
from training.common import argument_parser, command_line, scaled

_PULL = 40.0  # how strongly new weights are drawn towards the old ones, in boards
_OTHER_TURNS = 6  # how far down the list a varied turn may be
_PORTION = 250  # matches with a seed of their own
_SEEDS_OF_A_RUN = 1000


class Stage(NamedTuple):
    """Some sweeps with the same settings."""

    name: str
    sweeps: int
    matches: int  # a sweep, on each side
    variety: float  # the share of rounds with a turn that is not the best


STAGES = (
    Stage("broad", sweeps=19, matches=5000, variety=0.12),
    Stage("fine", sweeps=12, matches=8000, variety=0.05),
)


@kernel
def play_boards(
    start: Any,
    values: Values,
    variety: float,
    seed: Any,
    boards: Any,
    points: Any,
    works: Any,
    turns: Any,
    desks: Any,
    rngs: Any,
    actions: Any,
) -> None:
    """Play matches by the values, keeping the board after every round and the points that came after it."""
    state, desk, rng = works[0], desks[0], rngs[0]
    for match in range(len(boards)):
        works[0] = start[0]
        rng.word = stream(seed, match)
        apply(state, 0, actions[below(rng, legal(state, 0, actions))])
        boards[match, 0] = works[0]
        for round_number in range(1, ROUNDS + 1):
            turn_up(state, draw(state, below(rng, tickets(state))) - CARD)
            count = rate_turns(state, 0, values, turns, desk)
            chosen = best_turn(turns, count)
            if below(rng, 1000) < variety * 1000:
                for _ in range(min(count - 1, 1 + below(rng, _OTHER_TURNS))):
                    turns[chosen].value = -np.inf
                    chosen = best_turn(turns, count)
            play_turn(state, 0, turns[chosen])
            points[match, round_number] = end_board_round(state, 0, values.pay)
            state.phase = Phase.CARD
            boards[match, round_number] = works[0]
        points[match, ROUNDS] += POINTS_PER_ISLAND * count_bits(state.finished[0])
        for round_number in range(ROUNDS - 1, -1, -1):
            points[match, round_number] += points[match, round_number + 1]


@kernel
def describe(boards: Any, table: Any, active: Any) -> None:
    """The features of boards, one row each."""
    for index in range(len(boards)):
        board = boards[index]
        count = active_features(board, 0, pile_bridges(board), ROUNDS + 1 - board.round_number, active)
        for at in range(count):
            table[index, active[at]] += 1.0


def first_weights() -> Any:
    """Weights before anything is learnt: what is finished counts. After the last round that is the truth."""
    weights = np.zeros((ROUNDS + 1, FEATURES))
    for flag in Flag:
        weights[:, flag * ISLAND_KINDS + FINISHED] = POINTS_PER_ISLAND
    return weights


def meet_boards(start: Any, weights: Any, matches: int, variety: float, seed: int) -> tuple[Any, Any]:
    """The boards of so many matches after every round, and the points that were to come from round to round.

    Matches are played in portions with seeds of their own, so that it does not matter how many threads there are.
    """
    boards = np.empty((matches, ROUNDS + 1), start.dtype).view(np.recarray)
    points = np.zeros((matches, ROUNDS + 1))
    values = Values(weights, no_net(), solo_pay())

    def play_portion(first: int) -> None:
        rows = slice(first, first + _PORTION)
        turns, desks = new_desk()
        rng = np.empty(1, RNG_DTYPE).view(np.recarray)
        word = np.uint64(seed * 1_000_003 + first)
        actions = np.empty(64, np.int16)
        work = np.empty_like(start)
        play_boards(start, values, variety, word, boards[rows], points[rows], work, turns, desks, rng, actions)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(play_portion, range(0, matches, _PORTION)))
    return boards, points


def fit(boards: Any, points: Any, weights: Any) -> Any:
    """Weights for every round but the last from boards and the points that came after them."""
    fresh = weights.copy()
    for round_number in range(ROUNDS):
        table = np.zeros((len(boards), FEATURES))
        describe(np.ascontiguousarray(boards[:, round_number]).view(np.recarray), table, np.empty(MAX_ACTIVE, np.int64))
        # points[r] counts the points of round r and after; a board after round r is worth those from r + 1 on.
        to_come = points[:, round_number + 1]
        old = weights[round_number]
        normal = table.T @ table + _PULL * np.eye(FEATURES)
        fresh[round_number] = old + np.linalg.solve(normal, table.T @ (to_come - table @ old))
    return fresh


def start_states() -> list[Any]:
    """A match alone on each side, before its first decision."""
    game = find_game("hashi")
    starts = []
    for side in ("A", "B"):
        start = game.layout.batch(1)
        start[:] = game.start(read_options(game.options, {"side": side})).state
        starts.append(start)
    return starts


def main() -> None:
    """Learn and write the weights."""
    arguments = argument_parser("Learn the values of Hashi boards by playing.", WEIGHTS).parse_args()
    starts, weights = start_states(), first_weights()
    seed = arguments.seed * _SEEDS_OF_A_RUN
    boards = None
    for stage in STAGES:
        for sweep in range(scaled(stage.sweeps, arguments.scale)):
            begin = time.monotonic()
            matches = scaled(stage.matches, arguments.scale)
            met = [meet_boards(start, weights, matches, stage.variety, seed + at) for at, start in enumerate(starts)]
            seed += len(starts)
            boards = np.concatenate([boards for boards, _ in met]).view(np.recarray)
            points = np.concatenate([points for _, points in met])
            weights = fit(boards, points, weights)
            means = ", ".join(f"{points[:, 0].mean():.2f}" for _, points in met)
            took = time.monotonic() - begin
            print(f"{stage.name}, sweep {sweep + 1}: mean scores {means}; {took:.0f} s", file=sys.stderr, flush=True)
    assert boards is not None
    won_in = boards["won_in"][:, ROUNDS, 0]
    completed_by = np.array([((won_in > 0) & (won_in <= number)).mean(axis=0) for number in range(ROUNDS + 1)])
    made_by = command_line("training.hashi.weights", arguments)
    weights, completed_by = weights.astype(np.float32), completed_by.astype(np.float32)
    with arguments.out.open("wb") as file:
        np.savez_compressed(file, weights=weights, completed_by=completed_by, made_by=made_by)


if __name__ == "__main__":
    main()
