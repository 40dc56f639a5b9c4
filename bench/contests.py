"""Shared by the scripts about strength: matches stored in a folder, played until time is up, counted by deal."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from rich.console import Console

from threespan import __version__
from threespan.arena.intervals import by_deal, mean_interval, share_interval
from threespan.arena.journal import Journal
from threespan.arena.play import Result, warm_up
from threespan.arena.pool import cores, play_here, play_on_pool
from threespan.arena.tournament import Tournament
from threespan.arena.view import ProgressDisplay
from threespan.core.errors import UserError

# The maximum seconds per decision on one core that the levels promise.
LIMITS_S = {"easy": 0.1, "medium": 0.3, "hard": 1.0, "expert": 2.0}
_SECONDS_PER_MINUTE = 60
_err = Console(stderr=True, highlight=False, soft_wrap=True)


class Estimate(NamedTuple):
    """A mean with its 95 % interval and the number of matches."""

    value: float
    low: float
    high: float
    matches: int

    def as_json(self) -> dict[str, Any]:
        """The estimate for the JSON files."""
        return {
            "value": round(self.value, 4),
            "low": round(self.low, 4),
            "high": round(self.high, 4),
            "matches": self.matches,
        }


@dataclass(frozen=True)
class RunOptions:
    """How to run matches: the folder, the processes, and the time limits."""

    folder: Path
    workers: int
    deadline: float  # of the monotonic clock
    seconds_each: float  # per contest

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> "RunOptions":
        """The options of a command; its time starts now."""
        minutes = inf if arguments.minutes is None else arguments.minutes
        each = inf if arguments.minutes_each is None else arguments.minutes_each
        deadline = time.monotonic() + _SECONDS_PER_MINUTE * minutes
        return cls(arguments.folder, arguments.workers, deadline, _SECONDS_PER_MINUTE * each)

    @property
    def without_time(self) -> "RunOptions":
        """The same without any time left: stored matches are read, but none are played."""
        return replace(self, deadline=-inf)


def add_run_arguments(parser: argparse.ArgumentParser, folder: str) -> None:
    """Add the arguments that all scripts about strength have."""
    parser.add_argument("--folder", type=Path, default=Path("build") / folder, help="folder for matches and results")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same deals")
    parser.add_argument("--workers", type=int, default=cores(), help="number of processes; default: one per core")
    parser.add_argument("--minutes", type=float, help="start no deal after so many minutes; the same command continues")
    parser.add_argument(
        "--minutes-each",
        type=float,
        help="the same per contest, including earlier runs, so that slow ones play fewer matches",
    )


def tournament_of(game: str, settings: dict[str, Any], bots: Sequence[str], seed: int, matches: int) -> Tournament:
    """A tournament of at least `matches` matches, in whole deals."""
    shape = Tournament.of(game, settings, bots, seed, 1)
    each_deal = shape.players * len(shape.tables)
    deals = -(-matches // each_deal)
    return Tournament.of(game, settings, bots, seed, deals * shape.players)


def team_tournament(game: str, settings: dict[str, Any], one: str, other: str, seed: int, matches: int) -> Tournament:
    """Two bots against each other with any number of players, each on half of the seats.

    Two players sit one against one, four sit two against two. Of three, all choices of three from two and two meet,
    hence both are equally often the pair. If both play alike, each team wins half of the matches.
    """
    players = int(settings["players"])
    size = max(1, -(-players // 2))
    return tournament_of(game, settings, [one] * size + [other] * size, seed, matches)


def play(
    tournament: Tournament, name: str, run_options: RunOptions, indices: Sequence[int] | None = None
) -> list[Result]:
    """Play the missing matches of a tournament, or some of them, while there is time.

    Answers all results so far, but of whole deals only.
    """
    wanted = list(tournament.indices()) if indices is None else indices
    with Journal(run_options.folder / name, tournament, resume=True) as journal:
        missing = [index for index in wanted if index not in journal.done]
        left = run_options.seconds_each - journal.seconds
        if missing and left > 0 and time.monotonic() < run_options.deadline:
            _play_missing(tournament, name, missing, journal, run_options, left)
        return whole_deals(tournament, wanted, journal.done.values())


def _play_missing(
    tournament: Tournament, name: str, missing: Sequence[int], journal: Journal, run_options: RunOptions, seconds: float
) -> None:
    warm_up(tournament)  # compile once, here, so that the workers can load the kernels
    earlier, start = journal.seconds, time.monotonic()
    in_time = begun_until(tournament, missing, min(run_options.deadline, start + seconds))
    workers = run_options.workers
    matches = play_here(tournament, in_time) if workers == 1 else play_on_pool(tournament, in_time, workers)
    with (
        ProgressDisplay(_err, name, len(journal.done) + len(missing), len(journal.done), lambda: "") as progress,
        closing(matches),  # type: ignore[type-var] # both are generators
    ):
        for played in matches:
            # The journal is enough here; records of hundreds of thousands of matches would fill a disk.
            journal.add(played._replace(record=""), earlier + time.monotonic() - start)
            progress.advance()


def begun_until(tournament: Tournament, indices: Iterable[int], deadline: float) -> Iterator[int]:
    """The matches to play: no deal starts after the deadline, but a started one is finished.

    What runs is never cut off, else long matches would be missing among the results.
    """
    deal = -1
    for index in indices:
        following = tournament.fixture(index).deal
        if following != deal and time.monotonic() >= deadline:
            return
        deal = following
        yield index


def whole_deals(tournament: Tournament, wanted: Sequence[int], results: Iterable[Result]) -> list[Result]:
    """The results of the deals whose wanted matches have all been played, in order."""
    found = {result.index: result for result in results}
    missing = {tournament.fixture(index).deal for index in wanted if index not in found}
    return [found[index] for index in wanted if index in found and found[index].deal not in missing]


def win_of(result: Result, seat: int) -> float:
    """The share of the win; a shared win counts in equal parts."""
    return 1 / result.ranks.count(1) if result.ranks[seat] == 1 else 0.0


def first_half_wins(tournament: Tournament, results: Sequence[Result]) -> list[tuple[int, float]]:
    """The share of each match won by the first half of the bots, with its deal."""
    half = len(tournament.bots) // 2
    return [
        (result.deal, sum(win_of(result, seat) for seat, bot in enumerate(result.bots) if bot < half))
        for result in results
    ]


def share_of(values: Sequence[tuple[int, float]]) -> Estimate | None:
    """The mean win rate of values with their deals; None if there are none."""
    if not values:
        return None
    return Estimate(fmean(value for _, value in values), *share_interval(by_deal(values)), len(values))


def mean_of(values: Sequence[tuple[int, float]]) -> Estimate | None:
    """The mean of points with their deals; None if there are fewer than two deals."""
    interval = mean_interval(by_deal(values)) if values else None
    return None if interval is None else Estimate(fmean(value for _, value in values), *interval, len(values))


def differences(one: Iterable[tuple[int, float]], other: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    """The difference between the means of two series, for each deal that both have."""
    first, second = _means(one), _means(other)
    return [(deal, first[deal] - second[deal]) for deal in sorted(first.keys() & second.keys())]


def _means(values: Iterable[tuple[int, float]]) -> dict[int, float]:
    found: dict[int, list[float]] = {}
    for deal, value in values:
        found.setdefault(deal, []).append(value)
    return {deal: fmean(own) for deal, own in found.items()}


class Times(NamedTuple):
    """The decision times of a bot."""

    decisions: int
    mean_s: float
    max_s: float


def times_of(played: Iterable[tuple[Tournament, Sequence[Result]]], bot: str) -> Times | None:
    """The decision times of a bot in several tournaments; None if it made no decisions."""
    own = [
        (result.decisions[seat], result.thinking[seat], result.slowest[seat])
        for tournament, results in played
        for result in results
        for seat, index in enumerate(result.bots)
        if tournament.bots[index] == bot
    ]
    decisions = sum(count for count, _, _ in own)
    if not decisions:
        return None
    return Times(decisions, sum(seconds for _, seconds, _ in own) / decisions, max(slowest for _, _, slowest in own))


def percent(estimate: Estimate | None) -> str:
    """A share with its interval, for a table."""
    if estimate is None:
        return "-"
    return f"{100 * estimate.value:.1f} % ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def points(estimate: Estimate | None, plus: str = "") -> str:
    """A mean with half the width of its interval, for a table; `plus` is "+" for differences."""
    if estimate is None:
        return "-"
    return f"{estimate.value:{plus}.2f} ± {(estimate.high - estimate.low) / 2:.2f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def title_of(game: str, settings: dict[str, Any]) -> str:
    """A heading such as `Nim, 3 players, largest 7`."""
    players = settings["players"]
    words = [game.capitalize(), "1 player" if players == 1 else f"{players} players"]
    for name, value in settings.items():
        if name != "players" and value is not False:
            words.append(name if value is True else f"{name} {value}")
    return ", ".join(words)


def folder_name(game: str, settings: dict[str, Any]) -> str:
    """A name for the folder of a game with its settings."""
    return "-".join([game, *(f"{name}_{value}" for name, value in sorted(settings.items()))])


def write_results(folder: Path, name: str, document: dict[str, Any], page: str) -> None:
    """Write the results as JSON and as Markdown."""
    folder.mkdir(parents=True, exist_ok=True)
    head = {"threespan": __version__, "cores": cores()}
    (folder / f"{name}.json").write_text(json.dumps(head | document, indent=1, ensure_ascii=False) + "\n", "utf-8")
    (folder / f"{name}.md").write_text(page.rstrip() + "\n", "utf-8")
    _err.print(f"{folder / name}.json and .md are written.", markup=False)


def run_script(main: Callable[[], None]) -> None:
    """Run a script; a UserError becomes one line and exit code 2."""
    try:
        main()
    except UserError as error:
        say(str(error))
        sys.exit(2)


def say(text: str) -> None:
    """Print a message to standard error."""
    _err.print(text, markup=False)
