"""Bots in separate processes, so that their thinking never delays the tables."""

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import msgspec

from threespan.bots.names import bot_names
from threespan.core.registry import codes
from threespan.server.loading import first_decision
from threespan.server.logs import LOG
from threespan.table.bot_query import BotQuery, query_for, turn_texts

_NICENESS = 5  # tables have priority
_TRIES = 3
_PARENT_CHECK_SECONDS = 5.0


class BotPool:
    """Processes that answer bot queries. If one dies, it is replaced and its queries are repeated."""

    def __init__(self, processes: int) -> None:
        """Use that many processes; they start with the first query."""
        self.processes = processes
        self.is_ready = processes == 0  # whether `warm_up` has finished
        self._pool: ProcessPoolExecutor | None = None

    async def think(self, query: BotQuery) -> list[str]:
        """The actions, as texts, that a bot plays until its turn ends or something is revealed."""
        for attempt in range(_TRIES):
            pool = self._pool = self._pool or self._start()
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, _answer, msgspec.msgpack.encode(query))
            except BrokenProcessPool:
                LOG.warning("bot process died", extra={"attempt": attempt})
                if self._pool is pool:
                    self._pool = None
                    pool.shutdown(wait=False, cancel_futures=True)
        raise RuntimeError("no bot process could answer")

    async def warm_up(self) -> None:
        """Make the processes load all bots, or compile them the first time on a machine."""
        for code in codes():
            state = first_decision(code)
            for level in bot_names()[1:]:
                await self.think(query_for(state, state.acting()[0], level))

    def close(self) -> None:
        """Stop the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def _start(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.processes, context, initializer=_prepare)


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


def _answer(encoded: bytes) -> list[str]:
    """Answer a query. Runs in a bot process; only those import the bots."""
    from threespan.bots.bot import Budget
    from threespan.bots.levels import find_bot

    query = msgspec.msgpack.decode(encoded, type=BotQuery)
    seen = query.position()
    decision = find_bot(query.level).decide(seen.copy(), query.seat, Budget(), query.seed)
    return turn_texts(decision.line or (decision.action,), seen, query.seat)
