"""Is a seat, starting or a side an advantage? `python bench/balance.py --level expert --games 240`.

Bots of one level play against each other. For each game and number of players, it prints the win rate of each seat
and, if there is a starting player, of each place in the order of turns, with 95 % intervals next to the fair share; a
rate more than 3 % above it is flagged. If a plan says so, two values of an option are compared on the same deals.
Finished matches are kept: the same command continues where it was stopped.
"""

import argparse
from collections.abc import Sequence
from typing import Any

from contests import (
    Estimate,
    RunOptions,
    add_run_arguments,
    differences,
    folder_name,
    mean_of,
    percent,
    play,
    points,
    run_script,
    say,
    share_of,
    table,
    title_of,
    win_of,
    write_results,
)
from plans import Compared, read_plans

from threespan.arena.play import Result
from threespan.arena.tournament import Tournament

PLANS = read_plans()
PLAN = [(game, settings) for game, plan in PLANS.items() for settings in plan.balance]
TOLERATED = 0.03
LEGEND = (
    "A rate more than 3 % above the fair one is *above* if its whole interval is, *probably above* if its interval "
    "is above the fair share, and otherwise *perhaps above*."
)


class Field:
    """A game with its settings, played by bots of one level."""

    def __init__(self, game: str, settings: dict[str, Any], arguments: argparse.Namespace) -> None:
        """Prepare the tournament."""
        self.game, self.settings = game, settings
        self.players = int(settings["players"])
        self.fair = 1 / self.players
        bots = [arguments.level] * self.players
        self.tournament = Tournament.of(game, settings, bots, arguments.seed, arguments.games * self.players)
        self.results: list[Result] = []

    def play(self, run_options: RunOptions) -> None:
        """Play while there is time, each deal once: between identical bots, changing seats would not tell anything."""
        once = [index for index in self.tournament.indices() if index % self.players == 0]
        name = f"{folder_name(self.game, self.settings)}/{self.tournament.bots[0]}"
        self.results = play(self.tournament, name, run_options, once)

    def seats(self) -> list[Estimate | None]:
        """The win rate of every seat."""
        return [
            share_of([(result.deal, win_of(result, seat)) for result in self.results]) for seat in range(self.players)
        ]

    def turns(self) -> list[Estimate | None]:
        """The win rates by order of turns, the starting player first; empty if all start simultaneously."""
        begun = [(result, result.starter) for result in self.results if result.starter is not None]
        if not begun:
            return []
        return [
            share_of([(result.deal, win_of(result, (starter + place) % self.players)) for result, starter in begun])
            for place in range(self.players)
        ]

    def scores(self) -> list[tuple[int, float]]:
        """The scores of all seats, with their deals."""
        return [(result.deal, float(score)) for result in self.results for score in result.scores]

    def as_json(self) -> dict[str, Any]:
        """All results, for the JSON file."""
        score = mean_of(self.scores())
        return {
            "game": self.game,
            "settings": self.settings,
            "matches": len(self.results),
            "planned": self.tournament.games // self.players,
            "fair": round(self.fair, 4),
            "seats": [share_as_json(share, self.fair) for share in self.seats()] if self.players > 1 else [],
            "turns": [share_as_json(share, self.fair) for share in self.turns()] if self.players > 1 else [],
            "mean_score": score.as_json() if score else None,
        }


def share_as_json(share: Estimate | None, fair: float) -> dict[str, Any]:
    """A share for the JSON file, with its flag."""
    return {} if share is None else share.as_json() | {"flag": flag(share, fair)}


def flag(share: Estimate, fair: float) -> str:
    """The flag of a share: empty unless it is more than 3 % above the fair one."""
    if share.value - fair <= TOLERATED:
        return ""
    if share.low - fair > TOLERATED:
        return "above"
    return "probably above" if share.low > fair else "perhaps above"


def main() -> None:
    """Play the plan and write the results."""
    arguments = read_arguments()
    fields = [Field(game, settings, arguments) for game, settings in PLAN if is_selected(game, settings, arguments)]
    run_options = RunOptions.of(arguments)
    for field in fields:
        try:
            field.play(run_options)
        except KeyboardInterrupt:
            say("Stopped. Finished matches are kept; run the same command to continue.")
            run_options = run_options.without_time
            field.play(run_options)
        write(fields, arguments)


def is_selected(game: str, settings: dict[str, Any], arguments: argparse.Namespace) -> bool:
    """Whether the command line selects an entry of the plan; by default all are."""
    has_game = not arguments.game or game in arguments.game
    return has_game and (not arguments.players or settings["players"] in arguments.players)


def read_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="the code of a game with a plan; repeatable; default: all")
    parser.add_argument("--players", type=int, action="append", help="a number of players; repeatable; default: all")
    parser.add_argument("--level", default="expert", help="of all bots; expert@100ms for less time to think")
    parser.add_argument("--games", type=int, default=240, help="matches for each game and number of players")
    add_run_arguments(parser, "balance")
    return parser.parse_args()


def write(fields: Sequence[Field], arguments: argparse.Namespace) -> None:
    """Write the results so far."""
    begun = [field for field in fields if field.results]
    document = {
        "level": arguments.level,
        "seed": arguments.seed,
        "fields": [field.as_json() for field in begun],
        "compared": [
            {"game": game, "option": compared.option, "players": pair[0].players, "difference": gap.as_json()}
            for game, compared in comparisons()
            for pair, gap in gaps(begun, game, compared)
        ],
    }
    parts = [f"Bots: {arguments.level}. {LEGEND}", seats_table(begun), turns_table(begun)]
    parts += [compared_table(begun, game, compared) for game, compared in comparisons()]
    write_results(arguments.folder, "balance", document, "\n\n".join(part for part in parts if part))


def seats_table(fields: Sequence[Field]) -> str:
    """The win rates by seat."""
    rows = [row(field, field.seats()) for field in fields if field.players > 1]
    return "Wins by seat:\n\n" + shares_table("seat", rows) if rows else ""


def turns_table(fields: Sequence[Field]) -> str:
    """The win rates by order of turns."""
    rows = [row(field, turns) for field in fields if field.players > 1 and (turns := field.turns())]
    return "Wins by the order of turns:\n\n" + shares_table("turn", rows) if rows else ""


def row(field: Field, shares: Sequence[Estimate | None]) -> list[str]:
    """A row of a table of win rates."""
    cells = [percent(share) for share in shares] + [""] * (max(field_players()) - len(shares))
    flags = [
        f"{number} {words}" for number, share in enumerate(shares, 1) if share and (words := flag(share, field.fair))
    ]
    head = [title_of(field.game, field.settings), str(len(field.results)), f"{100 * field.fair:.1f} %"]
    return [*head, *cells, ", ".join(flags)]


def field_players() -> list[int]:
    """The numbers of players in the plan."""
    return [int(settings["players"]) for _, settings in PLAN]


def shares_table(what: str, rows: Sequence[Sequence[str]]) -> str:
    """A table of win rates, one column per seat or turn."""
    columns = [f"{what} {number}" for number in range(1, max(field_players()) + 1)]
    return table(["game", "matches", "fair", *columns, "more than 3 % above"], rows)


def comparisons() -> list[tuple[str, Compared]]:
    """The games whose plan compares two values of an option."""
    return [(game, plan.compared) for game, plan in PLANS.items() if plan.compared]


def gaps(fields: Sequence[Field], game: str, compared: Compared) -> list[tuple[tuple[Field, Field], Estimate]]:
    """The differences of scores between the two values of an option, on the same deals."""
    found = []
    for field in fields:
        if field.game == game and field.settings.get(compared.option) == compared.first:
            settings = field.settings | {compared.option: compared.second}
            other = next((one for one in fields if one.game == game and one.settings == settings), None)
            if other and (gap := mean_of(differences(field.scores(), other.scores()))):
                found.append(((field, other), gap))
    return found


def compared_table(fields: Sequence[Field], game: str, compared: Compared) -> str:
    """Two values of an option by their mean scores."""
    rows = [
        [str(pair[0].players), str(gap.matches), *(points(mean_of(one.scores())) for one in pair), points(gap, "+")]
        for pair, gap in gaps(fields, game, compared)
    ]
    option, first, second = compared.option, compared.first, compared.second
    head = ["players", "deals", f"{option} {first}", f"{option} {second}", f"{first} more than {second}"]
    return table(head, rows) if rows else ""


if __name__ == "__main__":
    run_script(main)
