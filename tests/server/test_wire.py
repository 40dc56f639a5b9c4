"""The queue and the gate of a connection: as asyncio's, only lighter."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from threespan.server.wire import Gate, Inbox


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 10))


def test_messages_come_in_order_and_a_reader_waits_for_them() -> None:
    async def work() -> None:
        inbox = Inbox()
        assert inbox.empty()
        reader = asyncio.create_task(inbox.get())
        await asyncio.sleep(0)
        assert not reader.done()
        for number in range(3):
            inbox.put_nowait(number)
        assert await reader == 0
        assert [await inbox.get(), await inbox.get()] == [1, 2]
        assert inbox.empty()

    run(work())


def test_a_reader_that_gives_up_takes_no_message_with_it() -> None:
    async def work() -> None:
        inbox = Inbox()
        for _ in range(2):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(inbox.get(), 0.01)
        inbox.put_nowait("late")
        assert await inbox.get() == "late"

    run(work())


def test_all_who_wait_go_on_when_the_gate_opens_and_stop_when_it_is_closed() -> None:
    async def work() -> None:
        gate = Gate()
        await gate.wait()
        gate.clear()
        assert not gate.is_set()
        waiting = [asyncio.create_task(gate.wait()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        gate.set()
        await asyncio.gather(*waiting[1:])
        assert gate.is_set()
        gate.clear()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(gate.wait(), 0.01)

    run(work())
