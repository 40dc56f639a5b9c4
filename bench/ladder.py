"""Is every level stronger than the one below? `python bench/ladder.py GAME -o players=2 --games 400`.

All levels meet in pairs, with any number of players (see `team_tournament`); alone they play the same deals.
`--plan` does this for all games that have a plan (`plans.py`). What is played is kept: the same command goes on where
it was stopped, with Ctrl-C or by `--minutes`, and the results are written as JSON and Markdown into the folder each
time.
"""

import argparse
from itertools import combinations, pairwise
from typing import Any, NamedTuple

from contests import (
    LIMITS_S,
    Estimate,
    RunOptions,
    Times,
    add_run_arguments,
    differences,
    first_half_wins,
    folder_name,
    mean_of,
    percent,
    play,
    points,
    run_script,
    say,
    share_of,
    table,
    team_tournament,
    times_of,
    title_of,
    tournament_of,
    write_results,
)
from plans import read_plans

from threespan.arena.play import Result
from threespan.arena.tournament import Tournament
from threespan.arena.view import duration_text
from threespan.bots.names import bot_names
from threespan.core.options import read_options, split_settings
from threespan.core.registry import find_game

PLAN = [(game, settings) for game, plan in read_plans().items() for settings in plan.ladder]
_EVEN = 0.5


class Contest(NamedTuple):
    """Two levels that play against each other, the weaker one first; in solo games, a single level."""

    levels: tuple[str, ...]
    distance: int
    tournament: Tournament

    @property
    def name(self) -> str:
        """The name of its folder."""
        return "-".join(self.levels)


class Ladder:
    """The levels of a game with its settings, and their results."""

    def __init__(self, game: str, settings: dict[str, Any], arguments: argparse.Namespace) -> None:
        """Plan which levels meet, and how often."""
        self.game, self.settings, self.levels = game, settings, arguments.levels
        self.is_solo = settings["players"] == 1
        self.contests = [self._contest(levels, arguments) for levels in self._meetings()]
        self.results: dict[tuple[str, ...], list[Result]] = {contest.levels: [] for contest in self.contests}

    def _meetings(self) -> list[tuple[str, ...]]:
        return [(level,) for level in self.levels] if self.is_solo else list(combinations(self.levels, 2))

    def _contest(self, levels: tuple[str, ...], arguments: argparse.Namespace) -> Contest:
        distance = self.levels.index(levels[-1]) - self.levels.index(levels[0])
        matches = arguments.far if arguments.far and distance > 1 else arguments.games
        if self.is_solo:
            tournament = tournament_of(self.game, self.settings, levels, arguments.seed, matches)
        else:
            stronger, weaker = levels[1], levels[0]
            tournament = team_tournament(self.game, self.settings, stronger, weaker, arguments.seed, matches)
        return Contest(levels, distance, tournament)

    def play(self, contest: Contest, run_options: RunOptions) -> None:
        """Play a contest while there is time."""
        name = f"{folder_name(self.game, self.settings)}/{contest.name}"
        self.results[contest.levels] = play(contest.tournament, name, run_options)

    def score(self, level: str) -> Estimate | None:
        """The mean score of a level in a solo game, else None."""
        return mean_of(self._scores(level)) if self.is_solo else None

    def step(self, lower: str, higher: str) -> Estimate | None:
        """The advantage of the higher level: points on the same deals, or its win rate."""
        if self.is_solo:
            return mean_of(differences(self._scores(higher), self._scores(lower)))
        contest = next(contest for contest in self.contests if contest.levels == (lower, higher))
        return share_of(first_half_wins(contest.tournament, self.results[contest.levels]))

    def times(self, level: str) -> Times | None:
        """The decision times of a level."""
        return times_of(((contest.tournament, self.results[contest.levels]) for contest in self.contests), level)

    def _scores(self, level: str) -> list[tuple[int, float]]:
        return [(result.deal, float(result.scores[0])) for result in self.results[(level,)]]

    def is_shown(self, step: Estimate | None) -> bool:
        """Whether the higher level is stronger with 95 % confidence."""
        return step is not None and step.low > (0.0 if self.is_solo else _EVEN)

    def as_json(self) -> dict[str, Any]:
        """All results, for the JSON file."""
        pairs = [
            {"levels": [lower, higher], "stronger": self.is_shown(step)} | (step.as_json() if step else {"matches": 0})
            for lower, higher in combinations(self.levels, 2)
            for step in [self.step(lower, higher)]
        ]
        times = [{"level": level} | time._asdict() for level in self.levels if (time := self.times(level))]
        scores = [{"level": level} | score.as_json() for level in self.levels if (score := self.score(level))]
        return {
            "game": self.game,
            "settings": self.settings,
            "unit": "points" if self.is_solo else "share of wins of the second level",
            "planned": {contest.name: contest.tournament.matches for contest in self.contests},
            "pairs": pairs,
            "scores": scores,
            "times": times,
        }


def main() -> None:
    """Play the ladders and write the results."""
    arguments = read_arguments()
    entries = PLAN if arguments.plan else [(arguments.game, settings_of(arguments.game, arguments.option))]
    ladders = [Ladder(game, settings, arguments) for game, settings in entries]
    run_options = RunOptions.of(arguments)
    # Neighbouring levels first, since they decide whether a ladder is right.
    order = sorted(
        ((contest.distance, number, contest) for number, ladder in enumerate(ladders) for contest in ladder.contests),
        key=lambda entry: entry[:2],
    )
    for _, number, contest in order:
        try:
            ladders[number].play(contest, run_options)
        except KeyboardInterrupt:
            say("Stopped. Finished matches are kept; run the same command to continue.")
            run_options = run_options.without_time
            ladders[number].play(contest, run_options)
        write(ladders, arguments, run_options)


def read_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("game", nargs="?", help="the code of a game")
    what.add_argument("--plan", action="store_true", help="all games and numbers of players")
    parser.add_argument("-o", "--option", action="append", default=[], help="an option of the game, as name=value")
    parser.add_argument("--levels", nargs="+", default=bot_names(), help="weakest first; default: all")
    parser.add_argument("--games", type=int, default=400, help="matches per pair, or deals per level in solo games")
    parser.add_argument("--far", type=int, help="matches per pair more than one level apart")
    add_run_arguments(parser, "ladder")
    return parser.parse_args()


def settings_of(game: str, words: list[str]) -> dict[str, Any]:
    """The options of a command, including the number of players."""
    settings: dict[str, Any] = dict(split_settings(words))
    options = read_options(find_game(game).options, settings)
    return {"players": options.players} | {name: getattr(options, name) for name in settings if name != "players"}


def write(ladders: list[Ladder], arguments: argparse.Namespace, run_options: RunOptions) -> None:
    """Write all ladders that have results."""
    begun = [ladder for ladder in ladders if any(ladder.results.values())]
    document = {"seed": arguments.seed, "ladders": [ladder.as_json() for ladder in begun]}
    write_results(run_options.folder, "ladder", document, "\n\n".join(page(ladder) for ladder in begun))


def page(ladder: Ladder) -> str:
    """One ladder in Markdown."""
    parts = [f"### {title_of(ladder.game, ladder.settings)}", steps_table(ladder)]
    parts.append(scores_table(ladder) if ladder.is_solo else matrix(ladder))
    parts.append(times_table(ladder))
    if fewer := shortened(ladder):
        parts.append(fewer)
    return "\n\n".join(parts)


def steps_table(ladder: Ladder) -> str:
    """Every level compared with the one below."""
    text = (lambda step: points(step, "+")) if ladder.is_solo else percent
    head = ["step", "deals" if ladder.is_solo else "matches", "points more" if ladder.is_solo else "wins", "stronger"]
    rows = []
    for lower, higher in pairwise(ladder.levels):
        step = ladder.step(lower, higher)
        verdict = "" if step is None else "yes" if ladder.is_shown(step) else "**not shown**"
        rows.append([f"{higher} against {lower}", str(step.matches if step else 0), text(step), verdict])
    return table(head, rows)


def scores_table(ladder: Ladder) -> str:
    """The mean scores of the levels in a solo game."""
    return table(["level", "mean score"], ([level, points(ladder.score(level))] for level in ladder.levels))


def matrix(ladder: Ladder) -> str:
    """The win rate of the level in the row against the level in the column."""
    rows = []
    for row in ladder.levels:
        shares = ("" if row == column else share_text(ladder, row, column) for column in ladder.levels)
        rows.append([row, *shares])
    return table(["wins of", *ladder.levels], rows)


def share_text(ladder: Ladder, row: str, column: str) -> str:
    """A cell of the matrix."""
    is_higher = ladder.levels.index(row) > ladder.levels.index(column)
    step = ladder.step(column, row) if is_higher else ladder.step(row, column)
    if step is None:
        return "-"
    return f"{100 * (step.value if is_higher else 1 - step.value):.0f} %"


def times_table(ladder: Ladder) -> str:
    """Decision times, next to the limit of each level."""
    rows = []
    for level in ladder.levels:
        if times := ladder.times(level):
            limit = LIMITS_S.get(level)
            allowed = "" if limit is None else f"{limit:g} s" + (" **exceeded**" if times.max_s > limit else "")
            cells = [f"{times.decisions:,}", duration_text(times.mean_s), duration_text(times.max_s), allowed]
            rows.append([level, *cells])
    return table(["level", "decisions", "mean", "longest", "allowed"], rows)


def shortened(ladder: Ladder) -> str:
    """The contests with fewer matches than the longest one, by plan or for lack of time."""
    most = max(contest.tournament.matches for contest in ladder.contests)
    words = []
    for contest in ladder.contests:
        played, planned = len(ladder.results[contest.levels]), contest.tournament.matches
        if played < planned:
            words.append(f"{' and '.join(contest.levels)} {played} of {planned} (time)")
        elif planned < most:
            words.append(f"{' and '.join(contest.levels)} {planned} (far apart)")
    return f"Fewer than {most} matches: {', '.join(words)}." if words else ""


if __name__ == "__main__":
    run_script(main)
