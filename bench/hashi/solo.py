"""How close the bots come to the best play of Hashi solo: `python bench/hashi/solo.py --deals 100 --side A`.

Every level plays the same deals; the exact solver, which knows all cards, says what could have been scored. With
`--optima FILE` the solver's results are kept, and deals that are in the file are not solved again. The levels get their
simulations without a limit of time, so that the scores do not depend on how busy the machine is.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from threespan.bots.bot import Budget
from threespan.bots.hashi.levels import SKILLS
from threespan.bots.levels import find_bot
from threespan.bots.names import bot_names
from threespan.core.chance import MatchSeed
from threespan.core.match import Match
from threespan.games.hashi.game import GAME, RANKS_UP_TO, HashiOptions
from threespan.review.hashi.solver import cards_of, solve

SOLVER = "solver"
_WITHIN_95 = 1.96  # standard errors
_HIGHEST = 60


class Task(NamedTuple):
    """A deal and who plays it: a bot, or the solver."""

    side: str
    deal: str
    player: str


class Result(NamedTuple):
    """What a player scored in a deal, and how long it thought."""

    score: int
    decisions: int
    thinking_s: float
    slowest_s: float


def main() -> None:
    """Play and solve; tables to read, or JSON."""
    arguments = read_arguments()
    output = sys.stderr if arguments.json else sys.stdout
    deals = [f"hashi solo {arguments.seed} {index}" for index in range(arguments.deals)]
    optima = known_optima(arguments.optima, arguments.side)
    unsolved = [Task(arguments.side, deal, SOLVER) for deal in deals if deal not in optima]
    optima |= {task.deal: result.score for task, result in run_all(unsolved, arguments.workers)}
    keep_optima(arguments.optima, arguments.side, optima)
    best = [optima[deal] for deal in deals]
    print(f"side {arguments.side}, {len(deals)} deals, best possible {fmean(best):.2f}", file=output)
    print("level       mean          95 %  of best       95 %  lowest to highest   ms: mean  slowest", file=output)
    figures: dict[str, Any] = {SOLVER: summary([Result(score, 0, 0.0, 0.0) for score in best], best)}
    for level in arguments.levels:
        tasks = [Task(arguments.side, deal, level) for deal in deals]
        results = dict(run_all(tasks, arguments.workers))
        figures[level] = summary([results[task] for task in tasks], best)
        print(line(level, figures[level]), file=output)
    print("\n" + rank_table(figures), file=output)
    if arguments.json:
        print(json.dumps({"side": arguments.side, "seed": arguments.seed, "deals": len(deals), "players": figures}))


def read_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--side", default="A")
    parser.add_argument("--levels", nargs="+", default=[name for name in bot_names() if name != "random"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1, help="processes; times are honest with one only")
    parser.add_argument("--optima", type=Path, help="file that keeps what the solver found")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def known_optima(file: Path | None, side: str) -> dict[str, int]:
    """What the solver found earlier, by deal."""
    if file is None or not file.exists():
        return {}
    return dict(json.loads(file.read_text()).get(side, {}))


def keep_optima(file: Path | None, side: str, optima: dict[str, int]) -> None:
    """Write what the solver found beside what is there of other sides."""
    if file is not None:
        kept = json.loads(file.read_text()) if file.exists() else {}
        file.write_text(json.dumps(kept | {side: optima}, indent=1) + "\n")


def run_all(tasks: list[Task], workers: int) -> Iterable[tuple[Task, Result]]:
    """Do all tasks, here or in processes of their own, and say how far they are."""
    if workers == 1:
        yield from told(tasks, map(run, tasks))
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        yield from told(tasks, pool.map(run, tasks))


def told(tasks: list[Task], results: Iterable[Result]) -> Iterable[tuple[Task, Result]]:
    """Tasks with their results; every tenth is reported."""
    for done, (task, result) in enumerate(zip(tasks, results, strict=True), start=1):
        if done % 10 == 0:
            print(f"{task.player}: {done} of {len(tasks)}", file=sys.stderr, flush=True)
        yield task, result


def run(task: Task) -> Result:
    """Play or solve one deal."""
    match = Match.new(GAME, HashiOptions(side=task.side), MatchSeed.of(task.deal))
    if task.player == SOLVER:
        solution = solve(match.position, cards_of(match))
        assert solution.is_proved
        return Result(solution.score, 0, 0.0, 0.0)
    return play(match, task.player, random.Random(task.deal))


def play(match: Match, level: str, seeds: random.Random) -> Result:
    """Let a level play a match to its end, every step timed."""
    bot, budget = find_bot(level), Budget(simulations=simulations_of(level))
    times = []
    while match.position.acting():
        seen = match.position.observe(0)
        begin = time.perf_counter()
        action = bot.decide(seen, 0, budget, seeds.getrandbits(60)).action
        times.append(time.perf_counter() - begin)
        match.play(0, action)
    return Result(match.position.outcome()[0][0], len(times), sum(times), max(times))


def simulations_of(level: str) -> int | None:
    """How many simulations a level makes for a decision."""
    return SKILLS[level].budget.simulations if level in SKILLS else None


def summary(results: list[Result], best: list[int]) -> dict[str, Any]:
    """The figures of one player beside the best possible scores of the same deals."""
    scores = [result.score for result in results]
    ratio = fmean(scores) / fmean(best)
    # The ratio of two means of pairs: its error is that of the differences score - ratio * best.
    squares = sum((score - ratio * most) ** 2 for score, most in zip(scores, best, strict=True))
    error = _WITHIN_95 * standard_error(squares, len(scores)) / fmean(best)
    spread = _WITHIN_95 * standard_error(sum((score - fmean(scores)) ** 2 for score in scores), len(scores))
    return {
        "mean": round(fmean(scores), 3),
        "mean_95": [round(fmean(scores) - spread, 3), round(fmean(scores) + spread, 3)],
        "of_best": round(ratio, 4),
        "of_best_95": [round(ratio - error, 4), round(ratio + error, 4)],
        "scores": dict(sorted(Counter(scores).items())),
        "ranks": ranks(scores),
        "mean_ms": round(1000 * sum(r.thinking_s for r in results) / max(1, sum(r.decisions for r in results)), 1),
        "slowest_ms": round(1000 * max(result.slowest_s for result in results), 1),
    }


def standard_error(squares: float, count: int) -> float:
    """The standard error of a mean from the sum of squared deviations."""
    return sqrt(squares / max(1, count - 1) / count)


def ranks(scores: list[int]) -> list[int]:
    """How often each of the twelve ranks was reached."""
    reached = Counter(sum(score > limit for limit in RANKS_UP_TO) for score in scores)
    return [reached[rank] for rank in range(len(RANKS_UP_TO) + 1)]


def line(level: str, figures: dict[str, Any]) -> str:
    """One line of the table of levels."""
    low, high = figures["mean_95"]
    least, most = figures["of_best_95"]
    scores = list(figures["scores"])
    return (
        f"{level:10} {figures['mean']:5.2f}  {low:5.2f}-{high:5.2f}  {figures['of_best']:7.3f}  {least:.3f}-{most:.3f}"
        f"  {scores[0]:6} to {scores[-1]:2}        {figures['mean_ms']:8.1f}  {figures['slowest_ms']:7.0f}"
    )


def rank_table(figures: dict[str, Any]) -> str:
    """How often each player reached each rank."""
    limits = [*RANKS_UP_TO, _HIGHEST]
    lines = ["up to     " + "".join(f"{limit:5}" for limit in limits)]
    lines += [f"{name:10}" + "".join(f"{count:5}" for count in found["ranks"]) for name, found in figures.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
