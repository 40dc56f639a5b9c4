"""Matches among bots: seats balanced, seeds numbered, every match repeatable by itself."""

import hashlib
import multiprocessing
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from threespan.bots.bot import find_bot
from threespan.core.chance import MatchSeed
from threespan.core.errors import UserError
from threespan.core.match import Match
from threespan.core.options import Options, read_options
from threespan.core.record import write_record
from threespan.core.registry import find_game

_MATCHES_PER_TASK = 20


@dataclass(frozen=True)
class Pairing:
    """What is played: a game with its options and the bots, one a seat."""

    game: str
    options: dict[str, Any]
    bots: tuple[str, ...]
    seed: int

    def read_options(self) -> Options:
        """The options with one seat a bot; raises UserError."""
        if self.options.get("players", len(self.bots)) != len(self.bots):
            raise UserError(f"{len(self.bots)} bots for {self.options['players']} players")
        return read_options(find_game(self.game).options, self.options | {"players": len(self.bots)})


@dataclass(frozen=True)
class Result:
    """How one match ended, by bot (not by seat)."""

    index: int
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    actions: int
    record: str


def play_match(pairing: Pairing, index: int) -> Result:
    """The `index`-th match of a tournament; bots move round the seats from match to match."""
    players = len(pairing.bots)
    # Each block of `players` matches has the same chance, with every bot once on every seat.
    block, turn = divmod(index, players)
    bot_at = [(seat + turn) % players for seat in range(players)]
    bots = [find_bot(pairing.bots[bot]) for bot in bot_at]
    seed = MatchSeed.of(f"arena {pairing.seed} {block}")
    match = Match.new(find_game(pairing.game), pairing.read_options(), seed, [bot.name for bot in bots])
    actions = 0
    while acting := match.position.acting():
        seat = acting[0]
        thought = hashlib.sha256(f"{pairing.seed} {index} {actions}".encode()).digest()
        seen = match.position.observe(seat)
        match.play(seat, bots[seat].choose(seen, seat, int.from_bytes(thought[:8], "big")))
        actions += 1
    scores, ranks = match.position.outcome()
    seat_of = [bot_at.index(bot) for bot in range(players)]
    return Result(
        index,
        tuple(scores[seat] for seat in seat_of),
        tuple(ranks[seat] for seat in seat_of),
        actions,
        write_record(match),
    )


def _play_some(pairing: Pairing, first: int, stop: int) -> list[Result]:
    return [play_match(pairing, index) for index in range(first, stop)]


def play_all(pairing: Pairing, games: int, workers: int | None = None) -> Iterator[Result]:
    """All matches in order, on one process a worker. The results do not depend on the number of workers."""
    pairing.read_options()
    workers = workers or os.cpu_count() or 1
    play_match(pairing, 0)  # compile once here, so that the workers find the kernels ready
    starts = range(0, games, _MATCHES_PER_TASK)
    if workers == 1 or len(starts) == 1:
        for index in range(games):
            yield play_match(pairing, index)
        return
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        tasks = [pool.submit(_play_some, pairing, start, min(games, start + _MATCHES_PER_TASK)) for start in starts]
        try:
            for task in tasks:
                yield from task.result()
        finally:
            pool.shutdown(cancel_futures=True)


class RecordFolder:
    """Writes the record of every match into a folder."""

    def __init__(self, folder: Path) -> None:
        """Make the folder if need be; raises UserError."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"{folder}: {error.strerror}") from None
        self.folder = folder

    def write(self, result: Result) -> None:
        """Write one record."""
        (self.folder / f"match-{result.index:06}.jsonl").write_text(result.record, "utf-8")


def seconds_since(start: float) -> float:
    """Seconds on the monotonic clock, rounded for people."""
    return round(time.monotonic() - start, 2)
