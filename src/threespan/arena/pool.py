"""Matches on the processes of one machine. A process that dies is replaced and its match is played again."""

import multiprocessing
import os
import signal
import threading
import traceback
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import NamedTuple

from threespan.arena.play import Played, play_match, practise
from threespan.arena.tournament import Tournament
from threespan.core.errors import UserError

DEATHS_ALLOWED = 3
_PATIENCE = 5.0  # seconds for a process to end by itself


class WorkersDied(UserError):
    """A match has ended its worker every time it was tried."""

    def __init__(self, index: int) -> None:
        """Complain about one match."""
        super().__init__(f"match {index} has ended {DEATHS_ALLOWED} workers; out of memory, or a crash in a bot?")


class MatchFailed(RuntimeError):
    """A bot or a game has raised an error in a match; the message holds the traceback of the worker."""

    def __init__(self, index: int, trace: str) -> None:
        """Complain about one match."""
        super().__init__(f"match {index} failed:\n{trace}")


def cores() -> int:
    """How many processes this machine runs at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_here(tournament: Tournament, indices: Iterable[int]) -> Iterator[Played]:
    """Play matches in this process, one after the other."""
    for index in indices:
        yield play_match(tournament, index)


def play_on_pool(tournament: Tournament, indices: Iterable[int], workers: int) -> Iterator[Played]:
    """Play matches on several processes; they come in the order in which they end."""
    pool = Pool(tournament, indices)
    try:
        pool.hire(workers)
        yield from pool.results()
    finally:
        pool.dismiss()


class _Failure(NamedTuple):
    """What a worker sends instead of a match."""

    error: str  # of the kind a user can mend, else empty
    trace: str


class _Worker:
    """A process that plays one match after the other."""

    def __init__(self, tournament: Tournament) -> None:
        """Start the process; it has nothing to play yet."""
        self.line, far_end = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=_work, args=(tournament, far_end), daemon=True)
        with _interrupts_held_back():
            self.process.start()
        far_end.close()  # so that the line ends when the process does
        self.index: int | None = None

    def play(self, index: int) -> None:
        """Hand over the next match. If the process is dead, its line will say so."""
        self.index = index
        with suppress(OSError):
            self.line.send(index)

    def dismiss(self) -> None:
        """End the process, at once if it is in the middle of a match."""
        self.line.close()
        if self.index is not None:
            self.process.kill()
        self.process.join(_PATIENCE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class Pool:
    """Workers and the matches they still have to play."""

    def __init__(self, tournament: Tournament, indices: Iterable[int]) -> None:
        """Nobody is hired yet."""
        self._tournament = tournament
        self._indices = iter(indices)
        self._again: deque[int] = deque()
        self._deaths: Counter[int] = Counter()
        self._workers: list[_Worker] = []

    def hire(self, workers: int) -> None:
        """Start so many workers, or fewer if there is not enough to play."""
        for _ in range(workers):
            index = self._next()
            if index is None:
                return
            self._workers.append(_Worker(self._tournament))
            self._workers[-1].play(index)

    def pids(self) -> list[int]:
        """The processes at work."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def results(self) -> Iterator[Played]:
        """Every match once, as soon as it has ended."""
        while busy := {worker.line: worker for worker in self._workers if worker.index is not None}:
            for line in wait(list(busy)):
                assert isinstance(line, Connection)
                if (played := self._receive(busy[line])) is not None:
                    yield played

    def dismiss(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.dismiss()
        self._workers.clear()

    def _next(self) -> int | None:
        return self._again.popleft() if self._again else next(self._indices, None)

    def _receive(self, worker: _Worker) -> Played | None:
        """What a worker has to say; None if it is dead, in which case another takes its place and match."""
        index = worker.index
        assert index is not None
        try:
            message = worker.line.recv()
        except (EOFError, OSError):
            self._replace(worker, index)
            return None
        if isinstance(message, _Failure):
            raise UserError(message.error) if message.error else MatchFailed(index, message.trace)
        assert isinstance(message, Played)
        worker.index = None
        if (following := self._next()) is not None:
            worker.play(following)
        return message

    def _replace(self, worker: _Worker, index: int) -> None:
        worker.dismiss()
        self._workers.remove(worker)
        self._deaths[index] += 1
        if self._deaths[index] == DEATHS_ALLOWED:
            raise WorkersDied(index)
        self._again.append(index)
        self.hire(1)


def _work(tournament: Tournament, line: Connection) -> None:
    """The life of a worker: it ends with its line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one who waits for the results
    with suppress(EOFError, OSError):
        has_practised = False
        while True:
            index = line.recv()
            line.send(_attempt(tournament, index, has_practised))
            has_practised = True


def _attempt(tournament: Tournament, index: int, has_practised: bool) -> Played | _Failure:
    try:
        if not has_practised:
            practise(tournament)
        return play_match(tournament, index)
    except UserError as error:
        return _Failure(str(error), "")
    except Exception:
        return _Failure("", traceback.format_exc())


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Let a process start with Ctrl-C ignored, else it would complain about one that comes while it imports."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
