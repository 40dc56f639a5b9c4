"""The statistics of a tournament: win rates, scores, ratings, pairs, seats, lengths and decision times."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, combinations
from statistics import fmean
from typing import Any, NamedTuple

from openskill.models import PlackettLuce

from threespan.arena.intervals import by_deal, mean_interval, share_interval
from threespan.arena.play import Result
from threespan.arena.tournament import Tournament


class Meeting(NamedTuple):
    """Bots that have played against each other; scores and ranks are in the order of the bots."""

    deal: int
    bots: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]

    def win_of(self, place: int) -> float:
        """The share of the win; a shared win counts in equal parts."""
        return 1 / self.ranks.count(1) if self.ranks[place] == 1 else 0.0


def meetings(tournament: Tournament, results: Iterable[Result]) -> list[Meeting]:
    """The matches in order or, for solo games, the deals that all bots have played; there the best score wins."""
    ordered = sorted(results, key=lambda result: result.index)
    if tournament.players > 1:
        return [Meeting(result.deal, result.bots, result.scores, result.ranks) for result in ordered]
    scores_of: dict[int, dict[int, int]] = {}
    for result in ordered:
        scores_of.setdefault(result.deal, {})[result.bots[0]] = result.scores[0]
    found = []
    for deal, score_of in scores_of.items():
        if len(score_of) == len(tournament.bots):
            scores = tuple(score_of[bot] for bot in range(len(tournament.bots)))
            ranks = tuple(1 + sum(other > score for other in scores) for score in scores)
            found.append(Meeting(deal, tuple(range(len(scores))), scores, ranks))
    return found


def summarise(tournament: Tournament, results: Sequence[Result], seconds: float) -> dict[str, Any]:
    """The results as printed by `threespan arena --json`. Only `seconds` and `decision_times` depend on the clock."""
    met = meetings(tournament, results)
    is_solo = tournament.players == 1
    return {
        "game": tournament.game,
        "options": tournament.options,
        "games": len(results),
        "seconds": round(seconds, 2),
        "planned": tournament.matches,
        "seed": tournament.seed,
        "bots": _bots(tournament, met),
        "pairs": [_pair(tournament, met, *pair) for pair in combinations(range(len(tournament.bots)), 2)],
        "seats": [] if is_solo else [_seat(results, seat) for seat in range(tournament.players)],
        "starter": None if is_solo else _starter(results),
        "length": _spread(Counter(result.length for result in results)),
        "decision_times": [_times(tournament, results, bot) for bot in range(len(tournament.bots))],
    }


def standings(tournament: Tournament, results: Iterable[Result]) -> list[dict[str, Any]]:
    """The part of the summary about single bots."""
    return _bots(tournament, meetings(tournament, results))


def rate(bots: int, met: Iterable[Meeting]) -> list[tuple[float, float]]:
    """OpenSkill ratings (Plackett-Luce): mean and standard deviation after all meetings in order."""
    model = PlackettLuce(tau=0.0)  # a bot's strength does not change
    ratings = [model.rating() for _ in range(bots)]
    for meeting in met:
        if len(meeting.bots) > 1:
            teams = [[ratings[bot]] for bot in meeting.bots]
            rated = model.rate(teams, ranks=[float(rank) for rank in meeting.ranks])
            for bot, [rating] in zip(meeting.bots, rated, strict=True):
                ratings[bot] = rating
    return [(rating.mu, rating.sigma) for rating in ratings]


def quantile(counts: Sequence[Sequence[int]], share: float) -> int:
    """The smallest value such that at least `share` of all values are not above it; `counts` has values and counts."""
    running = accumulate(count for _, count in counts)
    needed = share * sum(count for _, count in counts)
    return next(value for (value, _), so_far in zip(counts, running, strict=True) if so_far >= needed)


def bins(counts: Sequence[Sequence[int]], low: int, high: int, max_bins: int) -> tuple[int, list[int]]:
    """The width and the heights of equal bins from `low` on; `counts` has values and counts."""
    width = -(-(high - low + 1) // max_bins)
    heights = [0] * (-(-(high - low + 1) // width))
    for value, count in counts:
        heights[(value - low) // width] += count
    return width, heights


def _bots(tournament: Tournament, met: Sequence[Meeting]) -> list[dict[str, Any]]:
    ratings = rate(len(tournament.bots), met)
    return [_bot(tournament, met, bot, *ratings[bot]) for bot in range(len(tournament.bots))]


def _bot(tournament: Tournament, met: Sequence[Meeting], bot: int, mean: float, deviation: float) -> dict[str, Any]:
    own = [(meeting, meeting.bots.index(bot)) for meeting in met if bot in meeting.bots]
    wins = by_deal((meeting.deal, meeting.win_of(place)) for meeting, place in own)
    scores = by_deal((meeting.deal, meeting.scores[place]) for meeting, place in own)
    counts = Counter(meeting.scores[place] for meeting, place in own)
    return {
        "name": tournament.names[bot],
        "played": len(own),
        "wins": round(sum(part.total for part in wins), 3),
        "win_rate": round(sum(part.total for part in wins) / len(own), 4) if own else None,
        "win_rate_95": _rounded(share_interval(wins), 4),
        "mean_score": round(sum(part.total for part in scores) / len(own), 3) if own else None,
        "mean_score_95": _rounded(mean_interval(scores), 3),
        "rating": round(mean, 2),
        "rating_uncertainty": round(deviation, 2),
        "scores": sorted(counts.items()),
    }


def _pair(tournament: Tournament, met: Sequence[Meeting], one: int, other: int) -> dict[str, Any]:
    """Compare two bots: how often one was ranked ahead (a tie counts half), and the difference of scores."""
    ahead, lead = [], []
    for meeting in met:
        if one in meeting.bots and other in meeting.bots:
            a, b = meeting.bots.index(one), meeting.bots.index(other)
            ranks = meeting.ranks
            ahead.append((meeting.deal, 0.5 if ranks[a] == ranks[b] else float(ranks[a] < ranks[b])))
            lead.append((meeting.deal, meeting.scores[a] - meeting.scores[b]))
    return {
        "bots": [tournament.names[one], tournament.names[other]],
        "met": len(ahead),
        "ahead": sum(value for _, value in ahead),
        "ahead_rate": round(fmean(value for _, value in ahead), 4) if ahead else None,
        "ahead_rate_95": _rounded(share_interval(by_deal(ahead)), 4),
        "score_difference": round(fmean(value for _, value in lead), 3) if lead else None,
        "score_difference_95": _rounded(mean_interval(by_deal(lead)), 3),
    }


def _seat(results: Sequence[Result], seat: int) -> dict[str, Any]:
    return {"seat": seat} | _wins([(result, seat) for result in results])


def _starter(results: Sequence[Result]) -> dict[str, Any] | None:
    """The results of the seat that decides first; None if all start simultaneously."""
    started = [(result, result.starter) for result in results if result.starter is not None]
    return _wins(started) if started else None


def _wins(seated: Sequence[tuple[Result, int]]) -> dict[str, Any]:
    wins = by_deal((r.deal, 1 / r.ranks.count(1) if r.ranks[seat] == 1 else 0.0) for r, seat in seated)
    scores = [result.scores[seat] for result, seat in seated]
    return {
        "played": len(seated),
        "win_rate": round(sum(part.total for part in wins) / len(seated), 4) if seated else None,
        "win_rate_95": _rounded(share_interval(wins), 4),
        "mean_score": round(fmean(scores), 3) if scores else None,
    }


def _times(tournament: Tournament, results: Iterable[Result], bot: int) -> dict[str, Any]:
    own = [(result, result.bots.index(bot)) for result in results if bot in result.bots]
    decisions = sum(result.decisions[seat] for result, seat in own)
    return {
        "name": tournament.names[bot],
        "decisions": decisions,
        "mean_s": round(sum(r.thinking[seat] for r, seat in own) / decisions, 6) if decisions else None,
        "max_s": max((r.slowest[seat] for r, seat in own), default=None),
    }


def _spread(counts: Counter[int]) -> dict[str, Any] | None:
    """Mean, extremes and quantiles of whole numbers."""
    if not counts:
        return None
    ordered = sorted(counts.items())
    return {
        "mean": round(sum(value * count for value, count in ordered) / counts.total(), 2),
        "min": ordered[0][0],
        "tenth": quantile(ordered, 0.1),
        "median": quantile(ordered, 0.5),
        "ninetieth": quantile(ordered, 0.9),
        "max": ordered[-1][0],
    }


def _rounded(interval: tuple[float, float] | None, digits: int) -> list[float] | None:
    return None if interval is None else [round(end, digits) for end in interval]
