"""Bots in processes of their own, so that thinking never holds up the tables."""

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import msgspec

from threespan.bots.names import bot_names
from threespan.core.game import Material, Position
from threespan.core.options import read_options
from threespan.core.registry import codes, find_game
from threespan.server.logs import LOG

_NICE = 5  # tables come first
_TRIES = 3
_LOOK_SECONDS = 5.0


class Question(msgspec.Struct, frozen=True, array_like=True):
    """What would a bot do? Everything it needs, and nothing that its seat may not know."""

    game: str
    options: dict[str, int | bool | str]
    material: Material
    seen: bytes  # the seat's observation
    seat: int
    level: str
    seed: int


class Thinkers:
    """Processes that answer questions. One that dies is replaced, and its questions are asked again."""

    def __init__(self, processes: int) -> None:
        """As many processes; they start with the first question."""
        self.processes = processes
        self.is_ready = processes == 0  # whether everything has been loaded that they need
        self._pool: ProcessPoolExecutor | None = None

    async def think(self, question: Question) -> list[str]:
        """The actions, in text form, that a bot wants to play until something new happens."""
        for attempt in range(_TRIES):
            pool = self._pool = self._pool or self._start()
            try:
                return await asyncio.get_running_loop().run_in_executor(pool, _answer, msgspec.msgpack.encode(question))
            except BrokenProcessPool:
                LOG.warning("a thinking process died", extra={"attempt": attempt})
                if self._pool is pool:
                    self._pool = None
                    pool.shutdown(wait=False, cancel_futures=True)
        raise RuntimeError("no process could answer")

    async def warm_up(self) -> None:
        """Let the processes load (or, the first time on a machine, compile) what they need, game by game."""
        for code in codes():
            game = find_game(code)
            options = read_options(game.options, {})
            position = game.start(options)
            values = msgspec.to_builtins(options)
            while position.acting() and position.acting()[0] not in position.seats:
                position.play(position.acting()[0], position.legal(position.acting()[0])[0])
            seat = position.acting()[0]
            for level in bot_names()[1:]:
                state = position.observe(seat).state.tobytes()
                await self.think(Question(code, values, position.material, state, seat, level, 1))

    def close(self) -> None:
        """Stop the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def _start(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.processes, context, initializer=_prepare)


def _prepare() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server tells us when to stop
    os.nice(_NICE)
    threading.Thread(target=_end_with_server, daemon=True).start()


def _end_with_server() -> None:
    """A server that was killed can tell nobody to stop."""
    server = multiprocessing.parent_process()
    if server is not None:
        while server.is_alive() and os.getppid() == server.pid:
            server.join(_LOOK_SECONDS)
        os._exit(1)


def _answer(encoded: bytes) -> list[str]:
    """Runs in a thinking process, which alone needs the bots themselves."""
    from threespan.bots.bot import Budget
    from threespan.bots.levels import find_bot

    question = msgspec.msgpack.decode(encoded, type=Question)
    game = find_game(question.game)
    options = read_options(game.options, question.options)
    seen = Position(game, options, question.material, game.layout.from_bytes(question.seen))
    decision = find_bot(question.level).decide(seen.copy(), question.seat, Budget(), question.seed)
    return _line_text(seen, question.seat, decision.line or (decision.action,))


def _line_text(seen: Position, seat: int, line: tuple[int, ...]) -> list[str]:
    texts: list[str] = []
    for action in line:
        if seat not in seen.acting():
            break
        texts.append(seen.game.action_text(seen.state, action))
        seen.play(seat, action)
    return texts
