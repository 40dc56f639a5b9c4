"""The command `threespan`."""

import json
import locale
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from threespan import __version__
from threespan.core.errors import UserError
from threespan.core.game import Game
from threespan.core.kernel import is_compiled
from threespan.core.material import MATERIAL_VARIABLE
from threespan.core.options import read_options, split_settings
from threespan.core.record import RecordError, load_record, open_record, replay, verify
from threespan.core.registry import codes, find_game
from threespan.core.rulebook import LANGUAGES, Language
from threespan.core.rules import CHANCE, LEGAL, WATCHER

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=False)
record_app = typer.Typer(help="Check and show match records.", no_args_is_help=True)
app.add_typer(record_app, name="record")

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)

OptionWords = Annotated[list[str], typer.Option("--option", "-o", help="A game option as name=value; repeatable.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
MaterialFolder = Annotated[Path | None, typer.Option("--material", help="Folder with boards and decks of your own.")]
LanguageCode = Annotated[str | None, typer.Option("--language", "-l", help="en or de; default: the system's.")]


def main() -> None:
    """Run the command; what a user can mend becomes one line and exit code 2."""
    try:
        app()
    except UserError as error:
        err.print(f"threespan: {error}", markup=False)
        sys.exit(2)


@app.callback(invoke_without_command=True)
def start(context: typer.Context, version: Annotated[bool, typer.Option(help="Print the version.")] = False) -> None:
    """Three bridge games to play, to study and to research."""
    if version:
        out.print(__version__)
    elif context.invoked_subcommand is None:
        play()


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(help="hashi, stege or elfer: play it in this terminal.")] = None,
    port: Annotated[int, typer.Option(help="The port of the page.")] = 8000,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
    solo: Annotated[bool, typer.Option("--solo", help="Play alone.")] = False,
    players: Annotated[int | None, typer.Option(help="Players in all, bots included.")] = None,
    bot: Annotated[list[str] | None, typer.Option(help="A bot for one of the seats; repeatable.")] = None,
    option: OptionWords = [],  # noqa: B006 - Typer copies it
    seed: Annotated[str | None, typer.Option(help="A text that fixes all chance.")] = None,
    new: Annotated[bool, typer.Option("--new", help="Drop the unfinished match and begin a new one.")] = False,
    language: LanguageCode = None,
    material: MaterialFolder = None,
) -> None:
    """Play in the browser; or, if a game is named, in this terminal, where people share the screen."""
    from threespan.bots.levels import find_bot
    from threespan.terminal import open_table

    use_material(material)
    if game is None:
        play_in_browser(port, browser)
        return
    chosen = ready(game)
    settings: dict[str, Any] = dict(split_settings(option))
    if solo and (players or 1) > 1:
        raise UserError("--solo is for one player")
    if solo or players:
        settings["players"] = 1 if solo else players
    options = read_options(chosen.options, settings)
    bots = [find_bot(name) for name in bot or []]
    open_table(Console(highlight=False), chosen, options, choose_language(language), bots, seed, new).play()


def play_in_browser(port: int, browser: bool) -> None:
    """Run a server on this machine and open its page."""
    from threespan.server.serving import serve as run
    from threespan.server.settings import read_settings

    settings = read_settings({"port": port, "log_level": "warning"})
    url = f"http://127.0.0.1:{port}"
    err.print(f"Threespan gets ready; the first time this takes a minute. Then play at {url} (Ctrl+C ends it)")
    run(settings, "--open" if browser else "--tell")


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.")] = 8000,
    database: Annotated[str, typer.Option(help="sqlite:///FILE or postgresql://USER@HOST/NAME")] = "",
    bus: Annotated[str, typer.Option(help="memory:// or redis://HOST:PORT")] = "memory://",
    workers: Annotated[int, typer.Option(help="Processes that serve tables.")] = 1,
    settings: Annotated[list[str] | None, typer.Option("--set", help="Any other setting as name=value.")] = None,
) -> None:
    """Run a server for tables; docs/host.md tells how to run one for many."""
    from threespan.server.serving import serve as run
    from threespan.server.settings import read_settings

    values = {"host": host, "port": port, "database": database, "bus": bus, "workers": workers}
    run(read_settings(values | split_settings(settings or [])))


@app.command()
def arena(
    game: str,
    bots: Annotated[list[str], typer.Argument(help="The bots; with more bots than players, all choices of them meet.")],
    games: Annotated[int, typer.Option(min=1, help="How many matches, for each choice of bots.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 0,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; default: one a core.")] = None,
    cluster: Annotated[str | None, typer.Option(help="Play on the Ray cluster at this address; local: here.")] = None,
    record: Annotated[Path | None, typer.Option(help="Write a record of every match into this folder.")] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a page with plots, and the records, into a folder.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what the folder of records holds.")] = False,
    option: OptionWords = [],  # noqa: B006
    as_json: AsJson = False,
    material: MaterialFolder = None,
) -> None:
    """Let bots play many matches and count. Ctrl-C stops and shows what is done."""
    from threespan.arena.command import Means, run
    from threespan.arena.tournament import Tournament

    use_material(material)
    tournament = Tournament.of(ready(game).code, split_settings(option), bots, seed, games)
    means = Means(workers, cluster, record, report, resume)
    if code := run(tournament, means, out, err, as_json):
        raise typer.Exit(code)


@app.command()
def bench(games: Annotated[list[str] | None, typer.Argument()] = None, as_json: AsJson = False) -> None:
    """Measure the speed of the kernels beside their C twins."""
    from threespan.bench import measure

    figures = {}
    with progress_bar() as progress:
        task = progress.add_task("bench", total=None)
        for code in games or codes():
            progress.update(task, description=f"measuring {code}")
            figures[code] = measure(ready(code).code)
    if as_json:
        return print_json({"games": figures})
    table = Table("game", "playouts/s", "actions/s", "all cores", "of C", "first compile")
    for code, row in figures.items():
        ratio = "-" if row["c_ratio"] is None else f"{row['c_ratio']:.2f}"
        rates = [f"{row[key]:,}" for key in ("playouts_per_s", "actions_per_s", "all_cores_playouts_per_s")]
        table.add_row(code, *rates, ratio, f"{row['compile_s']:.1f} s")
    out.print(table)
    return None


@app.command()
def legal(
    file: Path,
    seat: Annotated[int | None, typer.Option(help="The seat; default: the first that acts.")] = None,
    why: Annotated[str | None, typer.Option(help="Ask about one action: is it legal, and if not, why?")] = None,
    as_json: AsJson = False,
    language: LanguageCode = None,
) -> None:
    """What is legal after the last event of a record."""
    with named(file):
        record = load_record(file)
        ready(record.header.game)
        position = replay(record).position
    game, acting = position.game, position.acting()
    seat = seat if seat is not None else next((s for s in acting if s != CHANCE), 0)
    if seat not in position.seats:
        raise UserError(f"there is no seat {seat}; there are {', '.join(map(str, position.seats))}")
    texts = [game.action_text(position.state, action) for action in position.legal(seat)]
    answer: dict[str, Any] = {
        "game": game.code,
        "to_act": ["chance" if s == CHANCE else s for s in acting],
        "seat": seat,
        "legal": texts,
    }
    if why is not None:
        action = game.parse_action(position.state, why)
        rule = position.check(seat, action)
        reasons = {code: "" if rule == LEGAL else game.book.refusal(rule, code) for code in LANGUAGES}
        answer["why"] = {"action": game.action_text(position.state, action), "rule": rule.name, **reasons}
    if as_json:
        return print_json(answer)
    if why is not None:
        reason = answer["why"][choose_language(language)]
        return out.print(
            f"{answer['why']['action']}: {answer['why']['rule']}{': ' if reason else ''}{reason}", markup=False
        )
    for text in texts:
        out.print(text, markup=False)
    return None


@app.command()
def rules(game: str, language: LanguageCode = None) -> None:
    """Print the rule book of a game."""
    print(find_game(game).book.markdown(choose_language(language)), end="")


@record_app.command("check")
def check_records(
    files: list[Path],
    unfinished: Annotated[bool, typer.Option("--unfinished", help="Accept matches that are not over.")] = False,
    as_json: AsJson = False,
) -> None:
    """Replay records and verify rules, chance and outcome."""
    failures = []
    with progress_bar() as progress:
        for file in progress.track(files, description="checking"):
            try:
                record = load_record(file)
                if record.header.game in codes():
                    ready(record.header.game)
                verify(record, unfinished)
            except RecordError as error:
                failures.append({"file": str(file), "line": error.line, "reason": error.reason})
    if as_json:
        print_json({"files": len(files), "ok": len(files) - len(failures), "failures": failures})
    else:
        for failure in failures:
            place = f", line {failure['line']}" if failure["line"] else ""
            err.print(f"threespan: {failure['file']}{place}: {failure['reason']}", markup=False)
        out.print(f"{len(files) - len(failures)} of {len(files)} records hold.")
    if failures:
        raise typer.Exit(2)


@record_app.command("show")
def show_record(file: Path, language: LanguageCode = None) -> None:
    """The match in text, position by position."""
    chosen = choose_language(language)
    with named(file):
        record = load_record(file)
        ready(record.header.game)
        match, steps = open_record(record)
        game = match.game
        header = record.header
        out.print(f"{game.book.page.title.in_(chosen)}, {json.dumps(header.options)}", markup=False)
        out.print(", ".join(f"{seat}: {name}" for seat, name in enumerate(header.seats)), markup=False)
        for line in steps:
            event = match.events[-1]
            name = "chance" if event.seat == CHANCE else header.seats[event.seat]
            out.print(f"\n[{line - 1}] {name}: {event.text}", style="bold", markup=False)
            out.print(game.picture(match.position.state, WATCHER, chosen))
    if match.position.is_over:
        scores, ranks = match.position.outcome()
        for seat, name in enumerate(header.seats):
            out.print(f"{name}: {scores[seat]} ({ranks[seat]}.)", style="bold", markup=False)


def ready(code: str) -> Game:
    """A game that can be played at once; says so if its rules must be compiled first."""
    game = find_game(code)
    if not is_compiled(game.folder):
        err.print(f"Compiling the rules of {code} for this machine; this happens once and takes some seconds.")
    return game


def use_material(folder: Path | None) -> None:
    """Let boards and decks come from a folder of the user's, too."""
    if folder is not None:
        os.environ[MATERIAL_VARIABLE] = str(folder)


def choose_language(code: str | None) -> Language:
    """The language asked for, else the system's if we speak it, else English."""
    if code is not None:
        for language in LANGUAGES:
            if code == language:
                return language
        raise UserError(f"the language '{code}' is not known; there are {', '.join(LANGUAGES)}")
    system = os.environ.get("LC_ALL") or os.environ.get("LANG") or locale.getlocale()[0] or ""
    return "de" if system.startswith("de") else "en"


def print_json(document: dict[str, Any]) -> None:
    """One JSON document on standard output."""
    print(json.dumps(document, ensure_ascii=False))


def progress_bar() -> Progress:
    """Progress on standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=err, transient=True)


@contextmanager
def named(file: Path) -> Iterator[None]:
    """Put the file's name before what is wrong with it."""
    try:
        yield
    except RecordError as error:
        raise UserError(f"{file}: {error}") from None
