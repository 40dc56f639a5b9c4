"""The command `threespan arena`: play what is missing, keep it, show it."""

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
from threespan.arena.play import Played, Result, practise
from threespan.arena.pool import cores, play_here, play_on_pool
from threespan.arena.report import write_report
from threespan.arena.summary import standings, summarise
from threespan.arena.tournament import Tournament
from threespan.arena.view import Progression, print_summary, standings_table
from threespan.core.errors import UserError

INTERRUPTED = 130  # the exit code after Ctrl-C, as shells have it
RECORDS = "records"  # the folder in a report


@dataclass(frozen=True)
class Means:
    """Where a tournament is played and where its results go."""

    workers: int | None = None
    cluster: str | None = None
    record: Path | None = None
    report: Path | None = None
    resume: bool = False

    @property
    def folder(self) -> Path | None:
        """The folder of the journal and the records."""
        return self.record or (self.report / RECORDS if self.report else None)


def run(tournament: Tournament, means: Means, out: Console, err: Console, as_json: bool) -> int:
    """Play a tournament and show it; returns the exit code."""
    if means.resume and means.folder is None:
        raise UserError("--resume needs the folder of the tournament: --record DIR or --report DIR")
    if tournament.games % tournament.players:
        err.print(f"{tournament.games} matches do not seat all bots alike; a multiple of {tournament.players} does.")
    with Journal(means.folder, tournament, means.resume) if means.folder else nullcontext() as journal:
        results, seconds, is_interrupted = _play(tournament, means, journal, err)
        summary = summarise(tournament, results, seconds) | {"interrupted": is_interrupted}
        if means.report and means.folder:
            page = write_report(means.report, tournament, summary, results, means.folder)
            err.print(f"The report is {page}", markup=False)
    if as_json:
        print(json.dumps(summary, ensure_ascii=False))
    else:
        print_summary(out, summary)
    if is_interrupted:
        kept = "; --resume goes on" if journal else ""
        err.print(f"Stopped after {len(results):,} of {tournament.matches:,} matches{kept}.", markup=False)
    return INTERRUPTED if is_interrupted else 0


def play(tournament: Tournament, indices: Sequence[int], means: Means) -> Generator[Played, None, None]:
    """Play matches where the means say; the results do not depend on it, only their order does."""
    if not indices:
        return
    if means.cluster in (None, LOCAL):
        practise(tournament)  # compile here and once, so that the workers find the kernels ready
    workers = means.workers or cores()
    if means.cluster:
        yield from play_on_cluster(tournament, indices, means.cluster, means.workers)
    elif workers == 1:
        yield from play_here(tournament, indices)
    else:
        yield from play_on_pool(tournament, indices, workers)


def _play(
    tournament: Tournament, means: Means, journal: Journal | None, err: Console
) -> tuple[list[Result], float, bool]:
    """The results in order, the seconds they took, and whether Ctrl-C has ended it."""
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
            Progression(err, title, tournament.matches, len(done), interim) as progress,
            closing(play(tournament, missing, means)) as matches,
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
