"""A store of each kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from companion.store import Row, Store
from companion.store.memory import MemoryStore
from companion.store.opening import find_store
from companion.store.schema import migrate
from companion.store.sql import SqlStore
from companion.table.change import Change

NAMES = ("Ana", "Ben")
OPENING = Row(1, Change("open", ("game pairs",)), "2025-01-01T20:00:00+00:00")

OpenSql = Callable[[], SqlStore]


def opener(folder: Path, address: str | None = None) -> Iterator[OpenSql]:
    """A function that opens the same database again, as another process would."""
    opened: list[SqlStore] = []

    def open_it() -> SqlStore:
        app = Flask("store")
        app.config.update(DATA=str(folder), SQLALCHEMY_DATABASE_URI=address)
        store = find_store(app)
        migrate(store)
        opened.append(store)
        return store

    yield open_it
    for store in opened:
        store.close()


@pytest.fixture
def open_sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenSql]:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    yield from opener(tmp_path)


@pytest.fixture
def open_postgres(tmp_path: Path, new_postgres: Callable[[], str]) -> Iterator[OpenSql]:
    yield from opener(tmp_path, new_postgres())


@pytest.fixture(params=["sqlite", "postgres"])
def open_sql(request: pytest.FixtureRequest) -> OpenSql:
    found: OpenSql = request.getfixturevalue(f"open_{request.param}")
    return found


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest) -> Store:
    """A store of each kind, with one table."""
    made: Store = MemoryStore() if request.param == "memory" else request.getfixturevalue(f"open_{request.param}")()
    made.create("t", NAMES, "hash", OPENING)
    return made


@pytest.fixture
def sql(open_sql: OpenSql) -> SqlStore:
    made = open_sql()
    made.create("t", NAMES, "hash", OPENING)
    return made


@pytest.fixture
def sqlite(open_sqlite: OpenSql) -> SqlStore:
    made = open_sqlite()
    made.create("t", NAMES, "hash", OPENING)
    return made
