"""The referee of the free pen beside an oracle: `PYTHONPATH=tests python bench/hashi/referee.py --boards 10000`.

Lawful turns, of a bot or at random, are spoilt in every way there is: marks too many, too few, in other places, in
another order, erased or not. The game and an oracle written from the rule book (tests/hashi/free_oracle.py) judge every
board after every step; what they disagree about is printed.
"""

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache

from hashi.free_matches import Duel, any_lawful_turn
from threespan.bots.hashi.player import HashiPlayer, Skill
from threespan.core.game import Position

_MATCHES_A_TASK = 10


@cache
def _bot() -> HashiPlayer:
    return HashiPlayer(Skill())


def bot_turn(position: Position, seat: int, seed: int) -> list[str]:
    """The turn that a bot would play: boards on which islands get finished."""
    seen = position.observe(seat)
    line = _bot().decide(seen, seat, None, seed).line
    return [seen.game.action_text(seen.state, action) for action in line]


def run(first: int, thoroughness: float) -> dict[str, int]:
    """Some matches; raises Disagreement."""
    figures = {"matches": 0, "boards": 0, "moments_with_mistakes": 0, "erased": 0, "struck_out": 0, "races": 0}
    for seed in range(first, first + _MATCHES_A_TASK):
        duel = Duel(seed, bot_turn if seed % 2 else any_lawful_turn, thoroughness)
        duel.run()
        boards = duel.judge.boards
        figures["matches"] += 1
        figures["boards"] += len(boards)
        figures["moments_with_mistakes"] += duel.mistakes
        figures["erased"] += duel.erased
        figures["struck_out"] += sum(len(board.struck) for board in boards)
        figures["races"] += sum(len(board.races) for board in boards)
    return figures


def main() -> None:
    """Judge until there are enough boards; a line to read, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--thoroughness", type=float, default=0.02, help="share of moments to ask of every action")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    start, total = time.perf_counter(), dict[str, int]()
    first = arguments.seed
    with ProcessPoolExecutor(arguments.workers) as pool:
        while total.get("boards", 0) < arguments.boards:
            seeds = [first + _MATCHES_A_TASK * task for task in range(4 * arguments.workers)]
            first = seeds[-1] + _MATCHES_A_TASK
            for figures in pool.map(run, seeds, [arguments.thoroughness] * len(seeds)):
                total = {name: total.get(name, 0) + count for name, count in figures.items()}
    figures_and_time = total | {"seconds": round(time.perf_counter() - start)}
    print(json.dumps(figures_and_time) if arguments.json else figures_and_time)


if __name__ == "__main__":
    main()
