"""What it is worth to mind the others' races in Hashi: `python bench/hashi/races.py --matches 400 --side A`.

Two players of the same skill meet. One expects of a race what it pays considering how likely another player is to be
first; the other expects what it would pay alone. Every deal is played twice, with seats changed.
"""

import argparse
import json
import random
from dataclasses import replace
from math import sqrt
from statistics import fmean, stdev

from threespan.bots.bot import Budget
from threespan.bots.hashi.player import HashiPlayer, Skill
from threespan.core.chance import MatchSeed
from threespan.core.match import Match
from threespan.games.hashi.game import GAME, HashiOptions

_WITHIN_95 = 1.96  # standard errors


def main() -> None:
    """Play; a line to read, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--side", default="A")
    parser.add_argument("--looks", type=int, nargs="*", default=[], help="turns looked at one, two... cards ahead")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    skill = Skill(knows_boards=True, looks=tuple(arguments.looks))
    budget = Budget()
    pairs = []
    for deal in range(arguments.matches // 2):
        minding, rival = HashiPlayer(skill), HashiPlayer(replace(skill, minds_others=False))
        first = play([minding, rival], arguments.side, deal, budget)
        second = play([rival, minding], arguments.side, deal, budget)
        pairs.append((share(first[0], first[1]) + share(second[1], second[0])) / 2)
    spread = _WITHIN_95 * stdev(pairs) / sqrt(len(pairs))
    figures = {"matches": 2 * len(pairs), "wins": round(fmean(pairs), 4), "within_95": round(spread, 4)}
    print(json.dumps(vars(arguments) | figures) if arguments.json else figures)


def share(own: int, other: int) -> float:
    """The share of a win."""
    return 0.5 if own == other else float(own > other)


def play(players: list[HashiPlayer], side: str, deal: int, budget: Budget) -> list[int]:
    """The scores of one match."""
    match = Match.new(GAME, HashiOptions(players=2, side=side), MatchSeed.of(f"hashi races {deal}"))
    seeds = random.Random(deal)
    while acting := match.position.acting():
        seat = acting[0]
        decision = players[seat].decide(match.position.observe(seat), seat, budget, seeds.getrandbits(60))
        match.play(seat, decision.action)
    return match.position.outcome()[0]


if __name__ == "__main__":
    main()
