"""Play matches on several processes of this machine. If one dies, it is replaced and its match is repeated."""

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

from threespan.arena.play import PlayedMatch, play_match, warm_up
from threespan.arena.tournament import Tournament
from threespan.core.errors import UserError

MAX_CRASHES = 3
_STOP_SECONDS = 5.0  # for a process to end by itself


class WorkersDied(UserError):
    """A match has crashed its worker every time it was tried."""

    def __init__(self, index: int) -> None:
        """Report the index of the match."""
        super().__init__(f"match {index} has crashed {MAX_CRASHES} workers; out of memory, or a crash in a bot?")


class MatchFailed(RuntimeError):
    """A bot or a game has raised an exception; the message contains the worker's traceback."""

    def __init__(self, index: int, trace: str) -> None:
        """Report the index of the match."""
        super().__init__(f"match {index} failed:\n{trace}")


def cores() -> int:
    """The number of processors available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_here(tournament: Tournament, indices: Iterable[int]) -> Iterator[PlayedMatch]:
    """Play matches in this process, one after the other."""
    for index in indices:
        yield play_match(tournament, index)


def play_on_pool(tournament: Tournament, indices: Iterable[int], workers: int) -> Iterator[PlayedMatch]:
    """Play matches on several processes, yielded in the order in which they end."""
    pool = Pool(tournament, indices)
    try:
        pool.start_workers(workers)
        yield from pool.results()
    finally:
        pool.stop()


class _Failure(NamedTuple):
    """What a worker sends if a match fails."""

    error: str  # the message of a UserError, else empty
    trace: str


class _Worker:
    """A process that plays one match after the other."""

    def __init__(self, tournament: Tournament) -> None:
        """Start the process; it waits for its first match."""
        self.connection, worker_end = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=_work, args=(tournament, worker_end), daemon=True)
        with _ignoring_interrupts():
            self.process.start()
        worker_end.close()  # so that the connection closes when the process ends
        self.index: int | None = None

    def play(self, index: int) -> None:
        """Send the next match. If the process has died, reading from the connection will fail."""
        self.index = index
        with suppress(OSError):
            self.connection.send(index)

    def stop(self) -> None:
        """Stop the process; kill it if it is playing a match."""
        self.connection.close()
        if self.index is not None:
            self.process.kill()
        self.process.join(_STOP_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class Pool:
    """Workers and the remaining matches."""

    def __init__(self, tournament: Tournament, indices: Iterable[int]) -> None:
        """Start without workers."""
        self._tournament = tournament
        self._indices = iter(indices)
        self._retries: deque[int] = deque()
        self._crashes: Counter[int] = Counter()
        self._workers: list[_Worker] = []

    def start_workers(self, workers: int) -> None:
        """Start workers, but no more than there are matches."""
        for _ in range(workers):
            index = self._next()
            if index is None:
                return
            self._workers.append(_Worker(self._tournament))
            self._workers[-1].play(index)

    def pids(self) -> list[int]:
        """The process ids of the workers."""
        return [worker.process.pid for worker in self._workers if worker.process.pid is not None]

    def results(self) -> Iterator[PlayedMatch]:
        """Yield every match once, as soon as it has ended."""
        while busy := {worker.connection: worker for worker in self._workers if worker.index is not None}:
            for connection in wait(list(busy)):
                assert isinstance(connection, Connection)
                if (played := self._receive(busy[connection])) is not None:
                    yield played

    def stop(self) -> None:
        """Stop all workers."""
        for worker in self._workers:
            worker.stop()
        self._workers.clear()

    def _next(self) -> int | None:
        return self._retries.popleft() if self._retries else next(self._indices, None)

    def _receive(self, worker: _Worker) -> PlayedMatch | None:
        """Receive a match from a worker; None if it has died and was replaced."""
        index = worker.index
        assert index is not None
        try:
            message = worker.connection.recv()
        except (EOFError, OSError):
            self._replace(worker, index)
            return None
        if isinstance(message, _Failure):
            raise UserError(message.error) if message.error else MatchFailed(index, message.trace)
        assert isinstance(message, PlayedMatch)
        worker.index = None
        if (following := self._next()) is not None:
            worker.play(following)
        return message

    def _replace(self, worker: _Worker, index: int) -> None:
        worker.stop()
        self._workers.remove(worker)
        self._crashes[index] += 1
        if self._crashes[index] == MAX_CRASHES:
            raise WorkersDied(index)
        self._retries.append(index)
        self.start_workers(1)


def _work(tournament: Tournament, connection: Connection) -> None:
    """The main loop of a worker; it ends when the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    with suppress(EOFError, OSError):
        is_warm = False
        while True:
            index = connection.recv()
            connection.send(_attempt(tournament, index, is_warm))
            is_warm = True


def _attempt(tournament: Tournament, index: int, is_warm: bool) -> PlayedMatch | _Failure:
    try:
        if not is_warm:
            warm_up(tournament)
        return play_match(tournament, index)
    except UserError as error:
        return _Failure(str(error), "")
    except Exception:
        return _Failure("", traceback.format_exc())


@contextmanager
def _ignoring_interrupts() -> Iterator[None]:
    """Start a process with Ctrl-C ignored; otherwise it would print a traceback if interrupted while importing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
