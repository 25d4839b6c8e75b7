"""The application on each store, and a table with its dealer's phone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event
from werkzeug.test import TestResponse

from companion.store import Row
from companion.store.memory import MemoryStore
from companion.store.opening import DATABASE, find_store
from companion.store.schema import migrate
from companion.web import create_app, slow

Json = dict[str, Any]


def app_on(folder: Path) -> Flask:
    """A new application, as in another process, on the database in that folder."""
    return create_app(config={"DATA": str(folder), "SQLALCHEMY_DATABASE_URI": f"sqlite:///{folder / DATABASE}"})


def app_at(address: str, folder: Path) -> Flask:
    """The application on a database server; the database is migrated first."""
    config = {"DATA": str(folder), "SQLALCHEMY_DATABASE_URI": address}
    owner = Flask("owner")
    owner.config.update(config)
    store = find_store(owner)
    migrate(store)
    store.close()
    return create_app(config=config)


def close(app: Flask) -> None:
    app.extensions["tables"].store.close()


def statements(app: Flask) -> list[str]:
    """A list that collects every statement sent to SQLite, except transactions and settings."""
    sent: list[str] = []

    def note(statement: str) -> None:
        if not statement.lstrip().upper().startswith(("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA", "--")):
            sent.append(statement)

    def trace(connection: Any, *_rest: Any) -> None:
        connection.set_trace_callback(note)

    store = app.extensions["tables"].store
    store.close()
    event.listen(store.engine, "checkout", trace)
    return sent


@contextmanager
def waiting_room_full(app: Flask) -> Iterator[None]:
    """Take all places for slow requests."""
    places = app.extensions["slow work"]._places
    for _ in range(slow.PLACES):
        places.acquire(blocking=False)
    try:
        yield
    finally:
        for _ in range(slow.PLACES):
            places.release()


@dataclass
class Dealt:
    """A table and its dealer's phone."""

    client: FlaskClient
    table: str
    secret: str
    opening: Json
    version: int = 1  # the last version this phone saw

    def call(self, method: str, path: str = "", body: Any = None, secret: str | None = "", **more: Any) -> TestResponse:
        """A request about this table; `secret` None leaves the header out."""
        headers = dict(more.pop("headers", {}))
        if secret is not None:
            headers["Authorization"] = f"Bearer {secret or self.secret}"
        if body is not None:
            more["json"] = body
        answer = self.client.open(f"/api/tables/{self.table}{path}", method=method, headers=headers, **more)
        if answer.status_code == 200 and "version" in answer.json:
            self.version = answer.json["version"]
        return answer

    def enter(self, *entries: str, version: int | None = None, **more: Any) -> TestResponse:
        """Send entries in one call, at `version` or else at the last version this phone saw."""
        seen = self.version if version is None else version
        return self.call("POST", "/entries", {"version": seen, "entries": list(entries), **more})

    def play(self, *entries: str) -> Json:
        """Send each entry as a separate change; return the state after the last."""
        for entry in entries:
            before = self.version
            answer = self.enter(entry)
            assert answer.status_code == 200, answer.text
            assert answer.json["version"] == before + 1
        state: Json = answer.json
        return state

    def do(self, method: str, path: str, **body: Any) -> TestResponse:
        """A call at the last version this phone saw."""
        return self.call(method, path, {"version": self.version, **body})

    def state(self) -> Json:
        answer = self.call("GET", secret=None)
        assert answer.status_code == 200, answer.text
        state: Json = answer.json
        return state

    def log(self) -> list[Json]:
        lines: list[Json] = self.call("GET", "/log", secret=None).json["entries"]
        return lines

    def entries(self) -> list[str]:
        return [line["entry"] for line in self.log()]

    def everything(self) -> tuple[Json, list[Row]]:
        """The state the API reports and the stored rows, to test that nothing has changed."""
        return self.state(), self.client.application.extensions["tables"].store.rows(self.table)


class DealTable(Protocol):
    def __call__(self, *seats: str, game: str = "pairs", **options: Any) -> Dealt: ...


def deal_at(client: FlaskClient, *seats: str, game: str = "pairs", **options: Any) -> Dealt:
    """Open a table: Ana and Ben play Pairs, unless other seats or another game are given."""
    body = {"seats": list(seats or ("Ana", "Ben")), "game": game, "options": options}
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 201, answer.text
    return Dealt(client, answer.json["table"], answer.json["dealer"], answer.json["state"])


@pytest.fixture(scope="session")
def app_in_memory() -> Flask:
    return create_app(MemoryStore(), {"SECRET_KEY": "a key for tests"})


# One application serves all tests: each test has a table of its own, with a random id.
@pytest.fixture(scope="session", params=["memory", "sqlite", "postgres"])
def app(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    if request.param == "memory":
        yield request.getfixturevalue("app_in_memory")
        return
    folder = tmp_path_factory.mktemp("data")
    on_server = request.param == "postgres"
    made = app_at(request.getfixturevalue("new_postgres")(), folder) if on_server else app_on(folder)
    yield made
    close(made)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def anybody(app_in_memory: Flask) -> FlaskClient:
    """A client for requests that are answered without asking the store."""
    return app_in_memory.test_client()


@pytest.fixture
def deal(client: FlaskClient) -> DealTable:
    def open_table(*seats: str, game: str = "pairs", **options: Any) -> Dealt:
        return deal_at(client, *seats, game=game, **options)

    return open_table


@pytest.fixture
def dealt(deal: DealTable) -> Dealt:
    """A table of Pairs with Ana and Ben."""
    return deal()


@pytest.fixture
def in_memory(anybody: FlaskClient) -> Dealt:
    """A table of Pairs with Ana and Ben in memory, for requests that are refused without asking the store."""
    return deal_at(anybody)


@pytest.fixture
def two_apps(tmp_path: Path) -> Iterator[tuple[Flask, Flask]]:
    """Two applications, as in two processes, on one database."""
    both = app_on(tmp_path), app_on(tmp_path)
    yield both
    for app in both:
        close(app)
