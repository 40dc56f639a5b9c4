"""The report of a tournament: a single self-contained HTML page."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any

from threespan import __version__
from threespan.arena.intervals import Z_95
from threespan.arena.play import Result
from threespan.arena.plots import Bar, Scale, bars, histogram
from threespan.arena.tournament import Tournament
from threespan.arena.view import duration_text, mean_text, range_text, share_text
from threespan.core.errors import UserError
from threespan.core.registry import find_game

PAGE = "index.html"
SUMMARY = "summary.json"
_COLOURS = 8
_START_RATING = 25.0
_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
"""


def write_report(
    folder: Path, tournament: Tournament, summary: dict[str, Any], results: Sequence[Result], records: Path
) -> Path:
    """Write the page and its data as JSON; returns the file of the page."""
    page = Page(tournament, summary, results, os.path.relpath(records, folder)).text()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SUMMARY).write_text(json.dumps(summary, ensure_ascii=False, indent=1) + "\n", "utf-8")
        (folder / PAGE).write_text(page, "utf-8")
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}") from None
    return folder / PAGE


class Page:
    """Builds the page; bots are sorted from strongest to weakest."""

    def __init__(
        self, tournament: Tournament, summary: dict[str, Any], results: Sequence[Result], records: str
    ) -> None:
        """Prepare a page; `records` is the folder of the records, relative to the page."""
        self.tournament, self.summary, self.results, self.records = tournament, summary, results, records
        self.is_contest = len(tournament.bots) > 1
        self.bots = list(enumerate(summary["bots"]))
        self.bots.sort(key=lambda item: (-item[1]["rating"], -(item[1]["mean_score"] or 0)))

    def text(self) -> str:
        """The whole page."""
        title = find_game(self.tournament.game).rule_book.title.in_("en")
        style = (resources.files("threespan.arena") / "report.css").read_text("utf-8")
        names = ", ".join(self.tournament.names)
        parts = [_HEAD.format(title=escape(f"{title}: {names}"), style=style)]
        parts.append(f"<h1>{escape(title)}</h1>\n<p class='lead'>{escape(names)}</p>\n")
        parts.append(self.facts())
        parts.append('<div class="grid">\n')
        parts += self.cards() if self.results else []
        parts.append(self.method())
        parts.append("</div>\n</main>\n</body>\n</html>\n")
        return "".join(parts)

    def facts(self) -> str:
        """How much was played, with a note if the tournament is not finished."""
        done, planned = self.summary["games"], self.summary["planned"]
        decisions = sum(times["decisions"] for times in self.summary["decision_times"])
        items = [(f"{done:,}", "matches"), (f"{decisions:,}", "decisions")]
        items += [(duration_text(self.summary["seconds"]), "of play"), (str(self.tournament.seed), "seed")]
        listed = "".join(f"<li><b>{number}</b><span>{what}</span></li>" for number, what in items)
        note = f'<p class="note">Not finished: {done:,} of {planned:,} matches.</p>\n' if done < planned else ""
        return f'<ul class="facts">{listed}</ul>\n{note}'

    def cards(self) -> Iterator[str]:
        """All cards with results."""
        yield self.standings()
        if self.is_contest:
            yield self.ratings()
            yield self.win_rates()
            yield self.matrix()
        yield self.scores()
        if self.summary["seats"]:
            yield self.seats()
        yield self.times()
        yield self.length()
        yield self.notable()

    def standings(self) -> str:
        """The table of the bots."""
        heads = ["played", *(["rating", "win rate"] if self.is_contest else []), "mean score"]
        head = '<th class="left">bot</th>' + "".join(f'<th class="{text}">{text}</th>' for text in heads)
        rows = []
        for at, bot in self.bots:
            cells = []
            if self.is_contest:
                cells.append(f"{bot['rating']:.1f}" + _small(f"± {Z_95 * bot['rating_uncertainty']:.1f}"))
                cells.append(share_text(bot["win_rate"]) + _small(range_text(bot["win_rate_95"])))
            mean, _, spread = mean_text(bot["mean_score"], bot["mean_score_95"]).partition(" ")
            cells.append(mean + _small(spread))
            row = f'<td class="played">{bot["played"]:,}</td>' + "".join(f"<td>{cell}</td>" for cell in cells)
            rows.append(f"<tr>{self.who(at)}{row}</tr>")
        table = f"<table class='standings'><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        return _card("Standings", "Ranges are 95 % intervals.", f'<div class="scroll">{table}</div>', is_wide=True)

    def ratings(self) -> str:
        """OpenSkill ratings as bars around the initial rating."""
        rows = []
        for at, bot in self.bots:
            spread = Z_95 * bot["rating_uncertainty"]
            low, high = bot["rating"] - spread, bot["rating"] + spread
            text = f"{bot['rating']:.1f} ± {spread:.1f}"
            rows.append(Bar(bot["name"], at % _COLOURS, bot["rating"], low, high, text))
        scale = Scale.around([_START_RATING, *(end for row in rows for end in (row.low, row.high))])
        plot = bars(rows, scale, "Ratings with 95 % intervals", "{:g}".format, _START_RATING)
        return _card("Ratings", "OpenSkill (Plackett-Luce); every bot starts at 25.", plot)

    def win_rates(self) -> str:
        """Win rates as bars around the even share."""
        even = 1 / (len(self.bots) if self.tournament.players == 1 else self.tournament.players)
        rows = [_win_bar(bot["name"], at % _COLOURS, bot) for at, bot in self.bots if bot["played"]]
        plot = bars(rows, Scale(0, 1), "Win rates with 95 % intervals", "{:.0%}".format, even)
        return _card("Win rates", f"A shared win counts in equal parts; an even share is {even:.0%}.", plot)

    def matrix(self) -> str:
        """How often each bot was ranked ahead of each other bot."""
        ahead = {}
        for pair in self.summary["pairs"]:
            (one, other), rate, interval = pair["bots"], pair["ahead_rate"], pair["ahead_rate_95"]
            ahead[one, other] = (rate, interval)
            ahead[other, one] = (None if rate is None else 1 - rate, [1 - interval[1], 1 - interval[0]])
        numbers = range(1, len(self.bots) + 1)
        names = [bot["name"] for _, bot in self.bots]
        columns = [f'<th title="{escape(name)}">{number}</th>' for number, name in zip(numbers, names, strict=True)]
        rows = []
        for number, name in zip(numbers, names, strict=True):
            cells = [
                _matrix_cell(*ahead[name, other]) if name != other else '<td class="self"></td>' for other in names
            ]
            rows.append(f'<tr><th class="who">{number}&ensp;{escape(name)}</th>{"".join(cells)}</tr>')
        table = (
            f'<table class="matrix"><thead><tr><th></th>{"".join(columns)}</tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table>"
        )
        where = "the same deals" if self.tournament.players == 1 else "the same match"
        hint = f"How often the bot of the row came before the bot of the column in {where}; a tie counts half."
        return _card("Win matrix", hint, f'<div class="scroll">{table}</div>', is_wide=True)

    def scores(self) -> str:
        """A histogram for every bot, all on the same scale."""
        seen = [score for _, bot in self.bots for score, _ in bot["scores"]]
        if not seen:
            return ""
        low, high = min(seen), max(seen)
        plots = []
        for at, bot in self.bots:
            plot = histogram(bot["scores"], low, high, at % _COLOURS, bot["mean_score"], f"Scores of {bot['name']}")
            head = f"<h3>{escape(bot['name'])}<span>mean {bot['mean_score']:.2f}</span></h3>"
            plots.append(f"<div>{head}{plot}</div>")
        hint = "Distribution of scores; the dashed line is the mean."
        columns = 4 if len(plots) in (4, 7, 8) else min(3, len(plots))
        body = f'<div class="many" style="--columns:{columns}">{"".join(plots)}</div>'
        return _card("Scores", hint, body, is_wide=True)

    def seats(self) -> str:
        """Whether a seat, or starting, is an advantage."""
        rows = [_win_bar(f"Seat {seat['seat']}", 0, seat) for seat in self.summary["seats"]]
        if self.summary["starter"]:
            rows.append(_win_bar("Whoever starts", 1, self.summary["starter"]))
        even = 1 / self.tournament.players
        scale = Scale.around([even, *(end for row in rows for end in (row.low, row.high))], within=(0.0, 1.0))
        plot = bars(rows, scale, "Win rates by seat", "{:.0%}".format, even)
        return _card("Seats", f"Win rate by seat, whoever sits there; an even share is {even:.0%}.", plot)

    def length(self) -> str:
        """How long the matches are."""
        counts = sorted(Counter(result.length for result in self.results).items())
        spread = self.summary["length"]
        plot = histogram(counts, spread["min"], spread["max"], 2, spread["mean"], "Decisions in a match")
        hint = "Mean {mean:.1f} decisions; median {median}, 90 % of the matches at most {ninetieth}."
        has_row_to_itself = bool(self.summary["seats"])
        return _card("Length of a match", hint.format(**spread), plot, is_wide=has_row_to_itself)

    def times(self) -> str:
        """How long the bots think."""
        rows = []
        for at, _ in self.bots:
            times = self.summary["decision_times"][at]
            if times["decisions"]:
                mean, longest = max(times["mean_s"], 1e-6), max(times["max_s"], 1e-6)
                text = f"{duration_text(mean)}, at most {duration_text(longest)}"
                rows.append(Bar(times["name"], at % _COLOURS, mean, mean, longest, text))
        scale = Scale.of_powers([end for row in rows for end in (row.low, row.high)])
        plot = bars(rows, scale, "Seconds per decision, mean and longest", duration_text, scale.ticks()[0])
        return _card("Time to decide", "Mean and longest time per decision, on a logarithmic scale.", plot)

    def notable(self) -> str:
        """Interesting matches, with links to their records."""
        rows = []
        for what, result in self.worth_a_look():
            seated = ", ".join(
                f"{escape(self.tournament.names[bot])}: {score}"
                for bot, score in zip(result.bots, result.scores, strict=True)
            )
            link = escape(f"{self.records}/match-{result.index:06}.jsonl")
            cells = f'<td class="left wrap">{seated}</td><td><a href="{link}">match {result.index}</a></td>'
            rows.append(f'<tr><td class="left wrap">{escape(what)}</td>{cells}</tr>')
        body = f'<div class="scroll"><table><tbody>{"".join(rows)}</tbody></table></div>'
        folder = f'<a href="{escape(self.records)}/">{len(self.results):,} records</a>'
        hint = f"Of {folder}; <code>threespan record show FILE</code> replays one."
        return _card("Matches worth a look", hint, body, is_wide=True)

    def worth_a_look(self) -> Iterator[tuple[str, Result]]:
        """The longest and the shortest match, and the best score of every bot."""
        for at, bot in self.bots:
            own = [(r.scores[r.bots.index(at)], -r.index, r) for r in self.results if at in r.bots]
            if own:
                yield f"Best score of {bot['name']}", max(own)[2]
        yield "Longest", max(self.results, key=lambda result: result.length)
        yield "Shortest", min(self.results, key=lambda result: result.length)

    def method(self) -> str:
        """What was played, and how to repeat it."""
        players, games, tables = self.tournament.players, self.tournament.games, len(self.tournament.tables)
        seating = (
            "Bots play alone, all of them on the same deals."
            if players == 1
            else f"{players} matches in a row share a seed, and every bot plays every seat once; the order around the "
            "table changes from deal to deal, and all tables play the same deals."
        )
        return _card(
            "How it was played",
            "",
            f"<pre>{escape(self.tournament.command)}</pre>"
            f'<p class="hint">{tables:,} {"table" if tables == 1 else "tables"}, {games:,} matches each. {seating} '
            "Intervals take into account that matches of one deal are related. The same seed gives the same matches "
            "with any number of workers, unless a bot has a time limit. "
            f'Threespan {__version__}; all figures: <a href="{SUMMARY}">{SUMMARY}</a>.</p>',
            is_wide=True,
        )

    def who(self, at: int) -> str:
        """A bot's name in its colour."""
        name = escape(self.tournament.names[at])
        return f'<td class="who"><span class="swatch c{at % _COLOURS}"></span>{name}</td>'


def _card(title: str, hint: str, body: str, is_wide: bool = False) -> str:
    kind = "card wide" if is_wide else "card"
    small = f'<p class="hint">{hint}</p>' if hint else ""
    return f'<section class="{kind}"><h2>{escape(title)}</h2>{small}{body}</section>\n'


def _win_bar(name: str, colour: int, entry: dict[str, Any]) -> Bar:
    low, high = entry["win_rate_95"]
    return Bar(name, colour, entry["win_rate"], low, high, share_text(entry["win_rate"]))


def _small(text: str) -> str:
    return f" <small>{text}</small>"


def _matrix_cell(rate: float | None, interval: Sequence[float]) -> str:
    if rate is None:
        return "<td>-</td>"
    kind = "up" if rate >= 0.5 else "down"
    low, high = (f"{end:.0%}" for end in interval)
    strength = 0.08 + 1.1 * abs(rate - 0.5)
    return f'<td class="{kind}" style="--strength:{strength:.2f}">{rate:.1%}<small>{low} to {high}</small></td>'
