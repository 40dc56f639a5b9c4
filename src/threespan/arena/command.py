"""The command `threespan arena`: play the missing matches, store and show the results."""

import json
import time
from collections.abc import Generator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from threespan.arena.cluster import LOCAL, play_on_cluster
from threespan.arena.journal import Journal
from threespan.arena.play import PlayedMatch, Result, warm_up
from threespan.arena.pool import cores, play_here, play_on_pool
from threespan.arena.report import write_report
from threespan.arena.summary import standings, summarise
from threespan.arena.tournament import Tournament
from threespan.arena.view import ProgressDisplay, print_summary, standings_table
from threespan.core.errors import UserError

INTERRUPTED = 130  # the usual exit code after Ctrl-C
RECORDS = "records"  # the subfolder of a report


@dataclass(frozen=True)
class RunOptions:
    """Where to play a tournament and where to put its results."""

    workers: int | None = None
    cluster: str | None = None
    record: Path | None = None
    report: Path | None = None
    resume: bool = False

    @property
    def folder(self) -> Path | None:
        """The folder of the journal and the records."""
        return self.record or (self.report / RECORDS if self.report else None)


def run(tournament: Tournament, run_options: RunOptions, out: Console, err: Console, as_json: bool) -> int:
    """Play a tournament and show its results; returns the exit code."""
    if run_options.resume and run_options.folder is None:
        raise UserError("--resume needs the folder of the tournament; add --record DIR or --report DIR")
    if tournament.games % tournament.players:
        hint = f"use a multiple of {tournament.players}"
        err.print(f"With {tournament.games} matches, bots do not play every seat equally often; {hint}.")
    with (
        Journal(run_options.folder, tournament, run_options.resume) if run_options.folder else nullcontext() as journal
    ):
        results, seconds, is_interrupted = _play(tournament, run_options, journal, err)
        summary = summarise(tournament, results, seconds) | {"interrupted": is_interrupted}
        if run_options.report and run_options.folder:
            page = write_report(run_options.report, tournament, summary, results, run_options.folder)
            err.print(f"The report is {page}", markup=False)
    if as_json:
        print(json.dumps(summary, ensure_ascii=False))
    else:
        print_summary(out, summary)
    if is_interrupted:
        kept = "; --resume continues" if journal else ""
        err.print(f"Stopped after {len(results):,} of {tournament.matches:,} matches{kept}.", markup=False)
    return INTERRUPTED if is_interrupted else 0


def play(tournament: Tournament, indices: Sequence[int], run_options: RunOptions) -> Generator[PlayedMatch, None, None]:
    """Play matches in this process, in a pool or on a cluster; only the order of the results depends on that."""
    if not indices:
        return
    if run_options.cluster in (None, LOCAL):
        warm_up(tournament)  # compile once, here, so that the workers can load the kernels
    workers = run_options.workers or cores()
    if run_options.cluster:
        yield from play_on_cluster(tournament, indices, run_options.cluster, run_options.workers)
    elif workers == 1:
        yield from play_here(tournament, indices)
    else:
        yield from play_on_pool(tournament, indices, workers)


def _play(
    tournament: Tournament, run_options: RunOptions, journal: Journal | None, err: Console
) -> tuple[list[Result], float, bool]:
    """The results in order, the seconds they took, and whether the run was interrupted."""
    done = dict(journal.done) if journal else {}
    missing = [index for index in tournament.indices() if index not in done]
    earlier = journal.seconds if journal else 0.0
    start = time.monotonic()

    def interim() -> Any:
        return standings_table(standings(tournament, done.values()))

    is_interrupted = False
    title = f"{tournament.game}, {len(tournament.bots)} bots" if len(tournament.bots) > 1 else tournament.game
    try:
        with (
            ProgressDisplay(err, title, tournament.matches, len(done), interim) as progress,
            closing(play(tournament, missing, run_options)) as matches,
        ):
            for played in matches:
                if journal:
                    journal.add(played, earlier + time.monotonic() - start)
                done[played.result.index] = played.result
                progress.advance()
    except KeyboardInterrupt:
        is_interrupted = True
    seconds = earlier + (time.monotonic() - start if missing else 0.0)
    return [done[index] for index in sorted(done)], seconds, is_interrupted
