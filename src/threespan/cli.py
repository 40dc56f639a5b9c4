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
from threespan.core.errors import EXIT_CODE, UserError, printable
from threespan.core.game import Game
from threespan.core.kernel import IS_LINKED, LIBRARIES, is_compiled
from threespan.core.libraries import COMPILE, LIBRARY_VARIABLE, has_compiler, is_packed, uncompiled_notice
from threespan.core.material import MATERIAL_VARIABLE
from threespan.core.options import read_options, split_settings
from threespan.core.picture import picture_of
from threespan.core.record import RecordError, load_record, open_record, replay, verify
from threespan.core.registry import built_in_codes, codes, find_game
from threespan.core.rules import CHANCE, LEGAL, WATCHER
from threespan.core.words import DEFAULT_LANGUAGE, LANGUAGES, Language, supported_language

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=False)
record_app = typer.Typer(help="Check and show match records.", no_args_is_help=True)
app.add_typer(record_app, name="record")

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)

GameOptions = Annotated[list[str], typer.Option("--option", "-o", help="A game option as name=value; repeatable.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
MaterialFolder = Annotated[Path | None, typer.Option("--material", help="Folder with your own boards and decks.")]
LanguageCode = Annotated[
    str | None, typer.Option("--language", "-l", help=f"One of {', '.join(LANGUAGES)}; default: the system language.")
]


LanOption = Annotated[bool, typer.Option("--lan", help="Let others in the local network join.")]


_MAX_LINE_LENGTH = 1000  # of an error message
_MAX_NAME_LENGTH = 40  # of a player's name, when a match is shown


def main() -> None:
    """Run the command; a UserError becomes one line on standard error and exit code 2."""
    try:
        app()
    except UserError as error:
        err.print(f"threespan: {printable(str(error), _MAX_LINE_LENGTH)}", markup=False)
        sys.exit(EXIT_CODE)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option(help="Print the version.")] = False,
    lan: LanOption = False,
) -> None:
    """Three bridge games to play, to study and to research."""
    if version:
        out.print(__version__)
    elif context.invoked_subcommand is None:
        play(lan=lan)
    elif lan:
        raise UserError("--lan is for playing in the browser; use threespan --lan, or threespan play --lan")


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(help="The code of a game, to play it in this terminal.")] = None,
    port: Annotated[int, typer.Option(help="The port of the page.")] = 8000,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
    lan: LanOption = False,
    solo: Annotated[bool, typer.Option("--solo", help="Play alone.")] = False,
    players: Annotated[int | None, typer.Option(help="Number of players, including bots.")] = None,
    bot: Annotated[list[str] | None, typer.Option(help="A bot for one of the seats; repeatable.")] = None,
    option: GameOptions = [],  # noqa: B006 - Typer copies it
    seed: Annotated[str | None, typer.Option(help="A text that determines all dice, cards and tiles.")] = None,
    new: Annotated[bool, typer.Option("--new", help="Discard the unfinished match and start a new one.")] = False,
    language: LanguageCode = None,
    material: MaterialFolder = None,
) -> None:
    """Play in the browser or, if a game is named, in this terminal."""
    from threespan.bots.levels import find_bot
    from threespan.terminal import open_table

    use_material(material)
    if game is None:
        play_in_browser(port, browser, lan)
        return
    if lan:
        raise UserError("--lan is for playing in the browser; do not name a game")
    chosen = prepare_game(game)
    settings: dict[str, Any] = dict(split_settings(option))
    if solo and (players or 1) > 1:
        raise UserError("--solo is for one player")
    if solo or players:
        settings["players"] = 1 if solo else players
    options = read_options(chosen.options, settings)
    bots = [find_bot(name) for name in bot or []]
    open_table(Console(highlight=False), chosen, options, choose_language(language), bots, seed, new).play()


def play_in_browser(port: int, browser: bool, lan: bool) -> None:
    """Run a server on this machine and open its page."""
    from threespan.server.serving import serve as run
    from threespan.server.settings import read_settings

    settings = read_settings({"port": port, "log_level": "warning"} | ({"host": "0.0.0.0"} if lan else {}))
    url = f"http://127.0.0.1:{port}"
    err.print(f"Starting Threespan at {url} (Ctrl+C to stop)")
    run(settings, "--open" if browser else "--announce")


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 for any free port.")] = 8000,
    database: Annotated[str, typer.Option(help="sqlite:///FILE or postgresql://USER@HOST/NAME")] = "",
    bus: Annotated[str, typer.Option(help="memory:// or redis://HOST:PORT")] = "memory://",
    workers: Annotated[int, typer.Option(help="Number of worker processes.")] = 1,
    settings: Annotated[list[str] | None, typer.Option("--set", help="Any other setting as name=value.")] = None,
) -> None:
    """Run a server; docs/host.md explains how to run a public one."""
    from threespan.server.serving import serve as run
    from threespan.server.settings import read_settings

    values = {"host": host, "port": port, "database": database, "bus": bus, "workers": workers}
    run(read_settings(values | split_settings(settings or [])))


@app.command()
def arena(
    game: str,
    bots: Annotated[list[str], typer.Argument(help="The bots; if there are more than players, all combinations play.")],
    games: Annotated[int, typer.Option(min=1, help="Number of matches for each combination of bots.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same matches.")] = 0,
    workers: Annotated[int | None, typer.Option(min=1, help="Number of processes; default: one per core.")] = None,
    cluster: Annotated[
        str | None, typer.Option(help="Play on the Ray cluster at this address; 'local' starts one here.")
    ] = None,
    record: Annotated[Path | None, typer.Option(help="Write a record of every match into this folder.")] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write an HTML report with plots, and the records, into this folder.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the tournament in the folder of records.")] = False,
    option: GameOptions = [],  # noqa: B006
    as_json: AsJson = False,
    material: MaterialFolder = None,
) -> None:
    """Let bots play a tournament. Ctrl-C stops it and shows the results so far."""
    from threespan.arena.command import RunOptions, run
    from threespan.arena.tournament import Tournament

    use_material(material)
    tournament = Tournament.of(prepare_game(game).code, split_settings(option), bots, seed, games)
    run_options = RunOptions(workers, cluster, record, report, resume)
    if code := run(tournament, run_options, out, err, as_json):
        raise typer.Exit(code)


@app.command()
def bench(games: Annotated[list[str] | None, typer.Argument()] = None, as_json: AsJson = False) -> None:
    """Measure the speed of the rules compared with C."""
    compile_kernels()
    from threespan.bench import measure

    figures = {}
    with progress_bar() as progress:
        task = progress.add_task("bench", total=None)
        for code in games or codes():
            progress.update(task, description=f"measuring {code}")
            figures[code] = measure(prepare_game(code).code)
    if as_json:
        return print_json({"games": figures})
    table = Table("game", "playouts/s", "actions/s", "all cores", "of C", "linked, of C", "first compile")
    for code, row in figures.items():
        ratios = ["-" if row[key] is None else f"{row[key]:.2f}" for key in ("c_ratio", "linked_c_ratio")]
        rates = [f"{row[key]:,}" for key in ("playouts_per_s", "actions_per_s", "all_cores_playouts_per_s")]
        table.add_row(code, *rates, *ratios, f"{row['compile_s']:.1f} s")
    out.print(table)
    return None


@app.command()
def legal(
    file: Path,
    seat: Annotated[int | None, typer.Option(help="The seat; default: the first acting seat.")] = None,
    why: Annotated[str | None, typer.Option(help="An action: is it legal and, if not, why?")] = None,
    as_json: AsJson = False,
    language: LanguageCode = None,
) -> None:
    """List the legal actions at the end of a record."""
    with naming_file(file):
        record = load_record(file)
        prepare_game(record.header.game)
        match = replay(record)
    position, game, acting = match.position, match.game, match.acting()
    seat = seat if seat is not None else next((s for s in acting if s != CHANCE), 0)
    if seat not in position.seats:
        raise UserError(f"there is no seat {seat}; the seats are {', '.join(map(str, position.seats))}")
    actions = position.legal(seat) if acting else []
    texts = [game.action_text(position.state, action) for action in actions]
    answer: dict[str, Any] = {
        "game": game.code,
        "to_act": ["chance" if s == CHANCE else s for s in acting],
        "seat": seat,
        "legal": texts,
    }
    if why is not None:
        action = game.parse_action(position.state, why)
        rule = position.check(seat, action) if acting else game.rule_enum["NOT_NOW"]
        reasons = {code: "" if rule == LEGAL else position.rule_book.refusal(rule, code) for code in LANGUAGES}
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
def rules(
    game: str,
    option: GameOptions = [],  # noqa: B006
    language: LanguageCode = None,
) -> None:
    """Print the rule book of a game; with options, the one for such a match."""
    found = find_game(game)
    book = found.rule_book
    if option:
        book = book.for_options(read_options(found.options, split_settings(option)))
    print(book.markdown(choose_language(language)), end="")


@app.command("new-game")
def new_game(
    code: Annotated[str, typer.Argument(help="The code of the game: lower-case letters, digits, underscores.")],
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="The folder in which to create it.")] = Path(),
) -> None:
    """Create a working skeleton for a new game."""
    from threespan.new_game import write_game

    written = write_game(code, folder)
    lines = [
        f"{written} is a working game. Tell Threespan where it is, then play and test it:",
        f'  export PYTHONPATH="{written.parent.resolve()}" THREESPAN_GAMES={code}',
        f"  threespan play {code} --bot easy",
        f"  python -m threespan.testing {code}",
        f"{written / 'README.md'} has more.",
    ]
    out.print("\n".join(lines), markup=False)


@record_app.command("check")
def check_records(
    files: list[Path],
    unfinished: Annotated[bool, typer.Option("--unfinished", help="Accept unfinished matches.")] = False,
    as_json: AsJson = False,
) -> None:
    """Replay records, and verify the rules, the chance events and the outcome."""
    failures = []
    with progress_bar() as progress:
        for file in progress.track(files, description="checking"):
            try:
                record = load_record(file)
                if record.header.game in codes():
                    prepare_game(record.header.game)
                verify(record, unfinished)
            except RecordError as error:
                failures.append({"file": str(file), "line": error.line, "reason": error.reason})
    if as_json:
        print_json({"files": len(files), "ok": len(files) - len(failures), "failures": failures})
    else:
        for failure in failures:
            place = f", line {failure['line']}" if failure["line"] else ""
            complaint = f"{failure['file']}{place}: {failure['reason']}"
            err.print(f"threespan: {printable(complaint, _MAX_LINE_LENGTH)}", markup=False)
        out.print(f"{len(files) - len(failures)} of {len(files)} records are valid.")
    if failures:
        raise typer.Exit(2)


@record_app.command("show")
def show_record(file: Path, language: LanguageCode = None) -> None:
    """Print a match as text, position by position."""
    chosen = choose_language(language)
    with naming_file(file):
        record = load_record(file)
        prepare_game(record.header.game)
        match, events = open_record(record)
        game = match.game
        names = [printable(name, _MAX_NAME_LENGTH) for name in record.header.seats]
        out.print(f"{game.rule_book.title.in_(chosen)}, {json.dumps(record.header.options)}", markup=False)
        out.print(", ".join(f"{seat}: {name}" for seat, name in enumerate(names)), markup=False)
        for line in events:
            event = match.events[-1]
            sentence = game.report(match.position.state, event.action_text, event.seat, names, chosen)
            out.print(f"\n[{line - 1}] {sentence} ({event.action_text})", style="bold", markup=False)
            out.print(picture_of(game, match.position.state, WATCHER, chosen, names))
    if match.is_over:
        scores, ranks = match.outcome()
        for seat, name in enumerate(names):
            resigned = ", resigned" if seat in match.resigned else ""
            out.print(f"{name}: {scores[seat]} ({ranks[seat]}.{resigned})", style="bold", markup=False)


def prepare_game(code: str) -> Game:
    """The game with a code; prints a notice if its rules have to be compiled first, or cannot be."""
    game = find_game(code)
    if is_packed(LIBRARIES) and code not in built_in_codes():
        err.print(f"threespan: {uncompiled_notice(code)}", markup=False)
    elif not IS_LINKED and not is_compiled(game.folder):
        err.print(f"Compiling the rules of {code} for this machine; this happens once and takes some seconds.")
    return game


def compile_kernels() -> None:
    """Start again with kernels that are compiled at run time, if they come from libraries; raises UserError."""
    if not has_compiler():
        raise UserError("this needs the compiler; install threespan[build]")
    if IS_LINKED:
        os.environ[LIBRARY_VARIABLE] = COMPILE
        os.execv(sys.executable, [sys.executable, "-m", "threespan", *sys.argv[1:]])


def use_material(folder: Path | None) -> None:
    """Also load boards and decks from the user's own folder."""
    if folder is not None:
        os.environ[MATERIAL_VARIABLE] = str(folder)


def choose_language(code: str | None) -> Language:
    """The given language, or else the system's if it is supported, or else English."""
    if code is not None:
        if code not in LANGUAGES:
            raise UserError(f"the language '{code}' is not supported; choose one of {', '.join(LANGUAGES)}")
        return code
    system = os.environ.get("LC_ALL") or os.environ.get("LANG") or locale.getlocale()[0] or ""
    return supported_language(system) or DEFAULT_LANGUAGE


def print_json(document: dict[str, Any]) -> None:
    """Print a JSON document to standard output, with bytes of file names that are not text escaped."""
    print(json.dumps(document, ensure_ascii=False).encode("utf-8", "backslashreplace").decode())


def progress_bar() -> Progress:
    """A progress bar on standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=err, transient=True)


@contextmanager
def naming_file(file: Path) -> Iterator[None]:
    """Prefix errors with the name of the file."""
    try:
        yield
    except RecordError as error:
        raise UserError(f"{file}: {error}") from None
