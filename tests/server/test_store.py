"""Every store (SQLite, PostgreSQL, memory) loses nothing, stores nothing twice and keeps the order."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from server.services import postgres
from threespan.core.errors import UserError
from threespan.server import store as package
from threespan.server.clock import now_ms
from threespan.server.settings import Settings
from threespan.server.store.opening import open_store
from threespan.server.store.schema import METADATA, REVISION
from threespan.server.store.store import Change, Conflict, KeyRow, Store, TableRow
from threespan.table.events import EventRow

Use = Callable[[Callable[[Store], Coroutine[Any, Any, None]]], None]


@pytest.fixture(scope="module")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgres(tmp_path_factory.mktemp("store")) as url:
        yield url


def address(kind: str, request: pytest.FixtureRequest, folder: Path) -> str:
    if kind == "sqlite":
        return f"sqlite:///{folder / 'sub' / 'tables.sqlite'}"
    return Settings(database=request.getfixturevalue("postgres_url")).database_url()


def run_on(url: str, work: Callable[[Store], Coroutine[Any, Any, None]]) -> None:
    async def main() -> None:
        store = open_store(url, durable=True)
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(main())


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return address(request.param, request, tmp_path)


@pytest.fixture(params=["sqlite", "postgres", "memory"])
def use(request: pytest.FixtureRequest, tmp_path: Path) -> Use:
    """Runs a coroutine on a store."""
    chosen = "memory://" if request.param == "memory" else address(request.param, request, tmp_path)
    return lambda work: run_on(chosen, work)


async def create(store: Store, row: TableRow, keys: list[KeyRow], rows: list[EventRow]) -> None:
    """A table with some events."""
    await store.create(row, keys)
    if rows:
        await store.append(row.id, rows, None)


def a_table(name: str, **values: Any) -> TableRow:
    plain = TableRow(name, b"{}", False, "gathering", now_ms(), now_ms(), None)
    return plain._replace(**values)


def events(first: int, count: int = 1, request: str | None = None) -> list[EventRow]:
    rows = [EventRow(first + index, 7, None, b"body %d" % (first + index)) for index in range(count)]
    return [rows[0]._replace(request=request), *rows[1:]]


def test_events_are_kept_in_order_and_none_is_overwritten(use: Use) -> None:
    async def work(store: Store) -> None:
        await create(store, a_table("order"), [KeyRow(b"hash", (0, 2))], events(0))
        await store.append("order", events(1, 3, "r1"), Change("playing", 5))
        with pytest.raises(Conflict):
            await store.append("order", events(3, 2), Change("over", None))
        assert await store.events("order") == [*events(0), *events(1, 3, "r1")]
        assert [row.sequence for row in await store.events("order", 1)] == [2, 3]
        row = await store.table("order")
        assert row is not None
        assert (row.status, row.wake_at) == ("playing", 5)
        assert await store.keys("order") == [KeyRow(b"hash", (0, 2))]
        assert await store.table("nowhere") is None

    use(work)


def test_concurrent_writers_never_get_the_same_sequence_number(use: Use) -> None:
    async def work(store: Store) -> None:
        await create(store, a_table("race"), [], [])
        for sequence in range(5):
            rows = [events(sequence, 1, f"{sequence}-{writer}") for writer in range(40)]
            done = await asyncio.gather(*(store.append("race", row, None) for row in rows), return_exceptions=True)
            assert [type(result) for result in done].count(Conflict) == 39
        assert [row.sequence for row in await store.events("race")] == [0, 1, 2, 3, 4]

    use(work)


def test_a_conflict_harms_nobody_in_the_same_transaction(use: Use) -> None:
    async def work(store: Store) -> None:
        names = [f"group{number}" for number in range(20)]
        for name in names:
            await create(store, a_table(name), [], [])
        await store.append("group3", events(0), None)
        done = await asyncio.gather(*(store.append(name, events(0), None) for name in names), return_exceptions=True)
        assert [name for name, result in zip(names, done, strict=True) if result is not None] == ["group3"]
        for name in names:
            assert len(await store.events(name)) == 1

    use(work)


def test_a_seat_has_one_key_only(use: Use) -> None:
    async def work(store: Store) -> None:
        await create(store, a_table("keys"), [KeyRow(b"a", (0,))], [])
        keys = [KeyRow(bytes([number]), (1,)) for number in range(10)]
        done = await asyncio.gather(*(store.add_key("keys", key) for key in keys), return_exceptions=True)
        assert [type(result) for result in done].count(Conflict) == 9
        assert len(await store.keys("keys")) == 2

    use(work)


def test_one_worker_has_the_lease_until_it_runs_out(use: Use) -> None:
    async def work(store: Store) -> None:
        await create(store, a_table("lease", wake_at=1), [], [])
        assert "lease" in await store.due(now_ms(), 100)
        assert await store.take_lease("lease", "w1", now_ms(), now_ms() + 60_000)
        assert not await store.take_lease("lease", "w2", now_ms(), now_ms() + 60_000)
        assert await store.take_lease("lease", "w1", now_ms(), now_ms() - 1)
        assert "lease" in await store.due(now_ms(), 100)
        assert await store.take_lease("lease", "w2", now_ms(), now_ms() + 60_000)
        assert "lease" not in await store.due(now_ms(), 100)

    use(work)


def test_old_tables_are_archived_and_an_event_brings_them_back(use: Use) -> None:
    async def work(store: Store) -> None:
        await create(store, a_table("old", is_public=True, updated_at=5), [], events(0))
        await create(store, a_table("new", is_public=True), [], [])
        assert await store.archive(6) == 1
        names = [row.id for row in await store.lobby(100, None)]
        assert "new" in names
        assert "old" not in names
        assert len(await store.events("old")) == 1
        await store.append("old", events(1), Change("playing", None))
        assert "old" in [row.id for row in await store.lobby(100, None)]

    use(work)


def test_the_lobby_and_what_is_due_come_in_order(use: Use) -> None:
    async def work(store: Store) -> None:
        for number in range(5):
            row = a_table(f"page{number}", is_public=True, created_at=10**15 + number // 2, wake_at=20 - number)
            await store.create(row, [])
        names = [f"page{number}" for number in (4, 3, 2, 1, 0)]
        first = await store.lobby(2, None)
        rest = await store.lobby(3, (first[-1].created_at, first[-1].id))
        assert [row.id for row in [*first, *rest]] == names
        assert [name for name in await store.due(20, 100) if name in names] == names
        assert [name for name in await store.due(17, 100) if name in names] == names[:2]
        await store.append("page2", events(0, 3), None)
        assert await store.last_sequences(["page1", "page2", "nowhere"]) == {"page2": 2}

    use(work)


def test_what_was_stored_survives_opening_the_database_again(url: str) -> None:
    async def first(store: Store) -> None:
        await create(store, a_table("again"), [], events(0))

    async def second(store: Store) -> None:
        assert await store.events("again") == events(0)

    run_on(url, first)
    run_on(url, second)


def test_the_migrations_build_what_the_schema_says(url: str) -> None:
    run_on(url, lambda store: store.ping())
    engine = create_engine(url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    engine.dispose()
    migrations = ScriptDirectory(str(Path(str(package.__file__)).parent / "migrations"))
    assert migrations.get_current_head() == REVISION


@pytest.mark.parametrize("address", ["sqlite:////proc/nowhere/x.sqlite", "nonsense://x", "postgresql://127.0.0.1:1/x"])
def test_a_database_that_cannot_be_used_is_named_in_one_line(address: str) -> None:
    with pytest.raises(UserError) as refused:
        open_store(Settings(database=address).database_url(), durable=True)
    assert "\n" not in str(refused.value)
