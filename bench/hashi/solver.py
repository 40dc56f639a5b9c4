"""How long the exact solver of Hashi solo takes: `python bench/hashi/solver.py --deals 20 --side A --seed 0`.

Deals are solved from the very start; with `--given-start` after a start number at random.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from statistics import mean, median
from typing import Any

from threespan.core.chance import MatchSeed
from threespan.core.match import Match
from threespan.games.hashi.game import GAME, HashiOptions
from threespan.review.hashi.solver import cards_of, solve


def main() -> None:
    """Solve the deals; a table to read, or JSON."""
    arguments = read_arguments()
    output = sys.stderr if arguments.json else sys.stdout
    solve_deal(arguments, -1)  # loads kernels and OR-Tools
    print("deal  score  seconds      cpu  proved", file=output)
    deals = []
    for index in range(arguments.deals):
        deals.append(deal := solve_deal(arguments, index))
        proved = "yes" if deal["proved"] else f"no, at most {deal['bound']}"
        print(f"{index:4}  {deal['score']:5}  {deal['seconds']:7.2f}  {deal['cpu_s']:7.2f}  {proved}", file=output)
    figures = summary(deals)
    if arguments.json:
        print(json.dumps({"side": arguments.side, "seed": arguments.seed, "deals": deals} | figures))
    else:
        print("\n".join(f"{name:10} {value}" for name, value in figures.items()))


def read_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--side", default="A")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, help="limit for each deal")
    parser.add_argument("--given-start", action="store_true", help="begin after a start number at random")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def solve_deal(arguments: argparse.Namespace, index: int) -> dict[str, Any]:
    """The figures of one deal; the same seed and index always give the same cards."""
    name = f"solver {arguments.seed} {index}"
    match = Match.new(GAME, HashiOptions(side=arguments.side), MatchSeed.of(name))
    if arguments.given_start:
        match.play(0, random.Random(name).choice(match.position.legal(0)))
    cards = cards_of(match)
    started, cpu_started = time.perf_counter(), time.process_time()
    solution = solve(match.position, cards, arguments.seconds)
    seconds, cpu_s = time.perf_counter() - started, time.process_time() - cpu_started
    return {
        "score": solution.score,
        "bound": solution.bound,
        "proved": solution.is_proved,
        "seconds": round(seconds, 3),
        "cpu_s": round(cpu_s, 3),
    }


def summary(deals: list[dict[str, Any]]) -> dict[str, Any]:
    """Scores and seconds of all deals together."""
    scores = Counter(deal["score"] for deal in deals)
    figures: dict[str, Any] = {
        "proved": sum(deal["proved"] for deal in deals),
        "mean_score": round(mean(scores.elements()), 2),
        "scores": dict(sorted(scores.items())),
    }
    for unit in ("seconds", "cpu_s"):
        times = [deal[unit] for deal in deals]
        values = {"median": median(times), "mean": mean(times), "worst": max(times)}
        figures[unit] = {name: round(value, 3) for name, value in values.items()}
    return figures


if __name__ == "__main__":
    main()
