"""Bots of a worker: in threads where they are linked, so that their thinking delays no table, else in processes."""

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import msgspec

from threespan.bots.names import bot_names_of
from threespan.core.kernel import IS_LINKED
from threespan.core.registry import find_game_module
from threespan.server.loading import first_decision
from threespan.server.logs import LOG
from threespan.table.bot_query import BotQuery, query_for, turn_texts

_NICENESS = 5  # tables have priority
_TRIES = 3
_PARENT_CHECK_SECONDS = 5.0
_POLL_SECONDS = 0.2


class BotPool:
    """Answers bot queries.

    Linked kernels let other threads go on while they compute. The bots of games that have none (they search) run in
    processes that compile their kernels; if one dies, it is replaced and its queries are repeated.
    """

    def __init__(self, size: int) -> None:
        """Let that many bots think at a time; 0 for no bots."""
        self.size = size
        self._ready: set[str] = set()  # codes of games
        self._threads = ThreadPoolExecutor(max(1, size), "bot", initializer=_lower_priority)
        self._processes: ProcessPoolExecutor | None = None

    def is_ready(self, code: str) -> bool:
        """Whether the bots of a game have been loaded."""
        return not self.size or code in self._ready

    async def think(self, query: BotQuery) -> list[str]:
        """The actions, as texts, that a bot plays until its turn ends or something is revealed."""
        if are_bots_in_library(query.game):
            await _until_linked()
            return await asyncio.get_running_loop().run_in_executor(self._threads, answer, query)
        return await self._think_in_process(query)

    async def _think_in_process(self, query: BotQuery) -> list[str]:
        for attempt in range(_TRIES):
            pool = self._processes = self._processes or self._start()
            try:
                return await asyncio.get_running_loop().run_in_executor(
                    pool, _answer_encoded, msgspec.msgpack.encode(query)
                )
            except BrokenProcessPool:
                LOG.warning("bot process died", extra={"attempt": attempt})
                if self._processes is pool:
                    self._processes = None
                    pool.shutdown(wait=False, cancel_futures=True)
        raise RuntimeError("no bot process could answer")

    async def warm_up(self, code: str) -> None:
        """Load all bots of a game, or compile them the first time on a machine."""
        try:
            state = first_decision(code)
            for level in bot_names_of(code)[1:]:
                await self.think(query_for(state, state.acting()[0], level))
        finally:
            self._ready.add(code)

    def close(self) -> None:
        """Stop the threads and processes."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)

    def _start(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.size, context, initializer=_prepare)


def are_bots_in_library(code: str) -> bool:
    """Whether the bots of a game are linked, or going to be."""
    return IS_LINKED and find_game_module(code, "bots", "decide") is not None


async def _until_linked() -> None:
    """Wait for the library of the bots, which is linked in the background the first time in a source tree."""
    from threespan.core.linked import are_bots_linked

    while not are_bots_linked():
        await asyncio.sleep(_POLL_SECONDS)


def _lower_priority() -> None:
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)


def _prepare() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server stops its bot processes
    os.nice(_NICENESS)
    threading.Thread(target=_exit_with_server, daemon=True).start()


def _exit_with_server() -> None:
    """Exit when the server has been killed, since it can then no longer stop this process."""
    server = multiprocessing.parent_process()
    if server is not None:
        while server.is_alive() and os.getppid() == server.pid:
            server.join(_PARENT_CHECK_SECONDS)
        os._exit(1)


def _answer_encoded(encoded: bytes) -> list[str]:
    return answer(msgspec.msgpack.decode(encoded, type=BotQuery))


def answer(query: BotQuery) -> list[str]:
    """The answer to a query."""
    from threespan.bots.bot import Budget
    from threespan.bots.levels import find_bot

    seen = query.position()
    decision = find_bot(query.level).decide(seen.copy(), query.seat, Budget(), query.seed)
    return turn_texts(decision.line or (decision.action,), seen, query.seat)
