"""The light queue and event behave like asyncio's."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from threespan.server.tables.websocket_protocol import LightEvent, LightQueue


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 10))


def test_messages_come_in_order_and_a_reader_waits_for_them() -> None:
    async def work() -> None:
        inbox = LightQueue()
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
        inbox = LightQueue()
        for _ in range(2):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(inbox.get(), 0.01)
        inbox.put_nowait("late")
        assert await inbox.get() == "late"

    run(work())


def test_all_waiters_wake_up_when_the_event_is_set() -> None:
    async def work() -> None:
        gate = LightEvent()
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
