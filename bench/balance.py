"""Whether a seat, the start or a side is an advantage: `python bench/balance.py --level expert --games 240`.

Bots of one level play against each other. For each game and number of players: the share of wins of each seat and,
where somebody begins, of each place in the order of turns, with 95 % intervals beside the fair share; a share more than
3 % above it is flagged. Hashi's sides are compared by their scores on the same cards. What is played is kept: the same
command goes on where it was stopped.
"""

import argparse
from collections.abc import Sequence
from typing import Any

from contests import (
    Estimate,
    Means,
    add_means,
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

from threespan.arena.play import Result
from threespan.arena.tournament import Tournament

PLAN: list[tuple[str, dict[str, Any]]] = [
    *[("hashi", {"players": 1, "side": side}) for side in "AB"],
    *[("hashi", {"players": players, "side": side}) for players in (2, 3, 4) for side in "AB"],
    ("stege", {"players": 2}),
    ("stege", {"players": 2, "seating": "opposite"}),
    ("stege", {"players": 3}),
    ("stege", {"players": 3, "head_start": True}),
    ("stege", {"players": 4}),
    *[("elfer", {"players": players, "symbols": symbols}) for players in (2, 3, 4) for symbols in (False, True)],
]
TOLERATED = 0.03
LEGEND = (
    "A share more than 3 % above the fair one is *above* if its whole interval is, *probably above* if its interval "
    "lies above the fair share, and else *perhaps above*."
)


class Field:
    """A game with its settings, played by bots of one level."""

    def __init__(self, game: str, settings: dict[str, Any], arguments: argparse.Namespace) -> None:
        """Nothing is played yet."""
        self.game, self.settings = game, settings
        self.players = int(settings["players"])
        self.fair = 1 / self.players
        bots = [arguments.level] * self.players
        self.tournament = Tournament.of(game, settings, bots, arguments.seed, arguments.games * self.players)
        self.results: list[Result] = []

    def play(self, means: Means) -> None:
        """Play while there is time, every deal once: between bots that are all alike, moving round tells nothing."""
        once = [index for index in self.tournament.indices() if index % self.players == 0]
        name = f"{folder_name(self.game, self.settings)}/{self.tournament.bots[0]}"
        self.results = play(self.tournament, name, means, once)

    def seats(self) -> list[Estimate | None]:
        """The share of wins of every seat."""
        return [
            share_of([(result.deal, win_of(result, seat)) for result in self.results]) for seat in range(self.players)
        ]

    def turns(self) -> list[Estimate | None]:
        """The share of wins by the order of turns, whoever begins first; empty where all begin at once."""
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
        """Everything that is known."""
        score = mean_of(self.scores())
        return {
            "game": self.game,
            "settings": self.settings,
            "matches": len(self.results),
            "planned": self.tournament.games // self.players,
            "fair": round(self.fair, 4),
            "seats": [shown_share(share, self.fair) for share in self.seats()] if self.players > 1 else [],
            "turns": [shown_share(share, self.fair) for share in self.turns()] if self.players > 1 else [],
            "mean_score": score.as_json() if score else None,
        }


def shown_share(share: Estimate | None, fair: float) -> dict[str, Any]:
    """A share for the JSON file, with its flag."""
    return {} if share is None else share.as_json() | {"flag": flag(share, fair)}


def flag(share: Estimate, fair: float) -> str:
    """What to say of a share: nothing unless it is more than 3 % above the fair one."""
    if share.value - fair <= TOLERATED:
        return ""
    if share.low - fair > TOLERATED:
        return "above"
    return "probably above" if share.low > fair else "perhaps above"


def main() -> None:
    """Play the plan and write what came of it."""
    arguments = read_arguments()
    fields = [Field(game, settings, arguments) for game, settings in PLAN if is_wanted(game, settings, arguments)]
    means = Means.of(arguments)
    for field in fields:
        try:
            field.play(means)
        except KeyboardInterrupt:
            say("Stopped. What is played is kept; the same command goes on.")
            means = means.without_time
            field.play(means)
        write(fields, arguments)


def is_wanted(game: str, settings: dict[str, Any], arguments: argparse.Namespace) -> bool:
    """Whether an entry of the plan is asked for; without words about it, all are."""
    has_game = not arguments.game or game in arguments.game
    return has_game and (not arguments.players or settings["players"] in arguments.players)


def read_arguments() -> argparse.Namespace:
    """What to play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="one of hashi, stege and elfer; repeatable; default: all")
    parser.add_argument("--players", type=int, action="append", help="a number of players; repeatable; default: all")
    parser.add_argument("--level", default="expert", help="of all bots; expert@100ms for less time to think")
    parser.add_argument("--games", type=int, default=240, help="matches for each game and number of players")
    add_means(parser, "balance")
    return parser.parse_args()


def write(fields: Sequence[Field], arguments: argparse.Namespace) -> None:
    """Write what has been played."""
    begun = [field for field in fields if field.results]
    document = {
        "level": arguments.level,
        "seed": arguments.seed,
        "fields": [field.as_json() for field in begun],
        "sides": [side | {"difference": gap.as_json()} for side, gap in side_gaps(begun)],
    }
    parts = [f"Bots: {arguments.level}. {LEGEND}", seats_table(begun), turns_table(begun), sides_table(begun)]
    write_results(arguments.folder, "balance", document, "\n\n".join(part for part in parts if part))


def seats_table(fields: Sequence[Field]) -> str:
    """The shares of wins by seat."""
    rows = [row(field, field.seats()) for field in fields if field.players > 1]
    return "Wins by seat:\n\n" + shares_table("seat", rows) if rows else ""


def turns_table(fields: Sequence[Field]) -> str:
    """The shares of wins by order of turns."""
    rows = [row(field, turns) for field in fields if field.players > 1 and (turns := field.turns())]
    return "Wins by the order of turns:\n\n" + shares_table("turn", rows) if rows else ""


def row(field: Field, shares: Sequence[Estimate | None]) -> list[str]:
    """A line of a table of shares."""
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
    """A table of shares, one column a seat or turn."""
    columns = [f"{what} {number}" for number in range(1, max(field_players()) + 1)]
    return table(["game", "matches", "fair", *columns, "more than 3 % above"], rows)


def side_gaps(fields: Sequence[Field]) -> list[tuple[dict[str, Any], Estimate]]:
    """By how many points side A is easier than side B on the same deals, for each number of players."""
    gaps = []
    for field in fields:
        if field.settings.get("side") == "A":
            other = next((f for f in fields if f.settings == field.settings | {"side": "B"}), None)
            if other and (gap := mean_of(differences(field.scores(), other.scores()))):
                gaps.append(({"players": field.players}, gap))
    return gaps


def sides_table(fields: Sequence[Field]) -> str:
    """Hashi's sides by their mean scores."""
    gaps = {side["players"]: gap for side, gap in side_gaps(fields)}
    rows = []
    for players, gap in gaps.items():
        means = [
            mean_of(field.scores())
            for side in "AB"
            for field in fields
            if field.settings == {"players": players, "side": side}
        ]
        rows.append([str(players), str(gap.matches), *(points(mean) for mean in means), points(gap, "+")])
    return table(["players", "deals", "side A", "side B", "A more than B"], rows) if rows else ""


if __name__ == "__main__":
    run_script(main)
