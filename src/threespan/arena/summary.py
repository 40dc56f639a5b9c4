"""What a tournament shows: shares of wins with intervals, scores, ratings."""

from collections.abc import Sequence
from math import sqrt
from typing import Any

from openskill.models import PlackettLuce

from threespan.arena.tournament import Pairing, Result

_Z_95 = 1.959964


def wilson_interval(wins: float, played: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share of wins."""
    if played == 0:
        return 0.0, 1.0
    share, z2 = wins / played, _Z_95**2
    middle = (share + z2 / (2 * played)) / (1 + z2 / played)
    spread = _Z_95 / (1 + z2 / played) * sqrt(share * (1 - share) / played + z2 / (4 * played**2))
    return max(0.0, middle - spread), min(1.0, middle + spread)


def summarise(pairing: Pairing, results: Sequence[Result], seconds: float) -> dict[str, Any]:
    """The tournament as `threespan arena --json` prints it. A shared win counts in equal parts."""
    ratings = rate(pairing, results)
    bots = []
    for bot, name in enumerate(unique_names(pairing.bots)):
        wins = sum(1 / result.ranks.count(1) for result in results if result.ranks[bot] == 1)
        played = len(results)
        low, high = wilson_interval(wins, played)
        bots.append(
            {
                "name": name,
                "played": played,
                "wins": round(wins, 3),
                "win_rate": round(wins / played, 4) if played else None,
                "win_rate_95": [round(low, 4), round(high, 4)],
                "mean_score": round(sum(r.scores[bot] for r in results) / played, 3) if played else None,
                "rating": round(ratings[bot], 2),
            }
        )
    return {
        "game": pairing.game,
        "options": pairing.options | {"players": len(pairing.bots)},
        "games": len(results),
        "seconds": seconds,
        "bots": bots,
    }


def unique_names(names: Sequence[str]) -> list[str]:
    """Bots of the same name told apart by a number."""
    return [
        name if names.count(name) == 1 else f"{name} {names[: at + 1].count(name)}" for at, name in enumerate(names)
    ]


def rate(pairing: Pairing, results: Sequence[Result]) -> list[float]:
    """OpenSkill ratings (Plackett-Luce, mean) after all matches in order."""
    model = PlackettLuce()
    ratings = [[model.rating()] for _ in pairing.bots]
    if len(ratings) > 1:
        for result in results:
            ratings = model.rate(ratings, ranks=[float(rank) for rank in result.ranks])
    return [team[0].mu for team in ratings]
