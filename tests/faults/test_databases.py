"""A disk that is full or read-only, and a database server that stops, hangs or restarts."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from flask import Flask
from werkzeug.test import TestResponse

from companion.cli import main
from companion.engine.sentence import Sentence
from companion.store.failures import AWAY, FULL, OLD, READ_ONLY
from companion.store.opening import DATABASE
from companion.web import create_app
from tests.postgres import Postgres
from tests.web.conftest import close, deal_at
from tests.web.operation.conftest import FRENCH, NEVER, RECORD, Disk, in_time, is_away, sentence_in


@pytest.mark.parametrize(
    ("trouble", "sentence"), [(Disk.fill, FULL), (Disk.protect, READ_ONLY)], ids=["full", "read-only"]
)
def test_a_disk_that_cannot_be_written_is_reported_and_nothing_is_half_written(
    app_on_disk: Flask, tmp_path: Path, trouble: Callable[[Disk], None], sentence: Sentence
) -> None:
    disk = Disk(app_on_disk, tmp_path / DATABASE)
    dealt = deal_at(app_on_disk.test_client(), game="rocket")
    dealt.play("buy Ana 5")
    before, state_before = disk.rows(), dealt.state()
    much = ["buy Ana 1"] * 2_000  # several pages of the database

    trouble(disk)
    is_away(dealt.enter(*much, id="tap"), sentence)
    opening = {"record": RECORD + "\n".join(much)}
    is_away(dealt.client.post("/api/tables/import", json=opening), sentence)
    assert dealt.state() == state_before, "what is there can be read"
    assert dealt.client.get(f"/t/{dealt.table}").status_code == 200
    assert dealt.client.get("/healthz").status_code == 200
    assert disk.rows() == before, "neither a row of a change nor one of a table"

    disk.mend()
    assert dealt.enter(*much, id="tap").json["version"] == 3
    assert dealt.client.post("/api/tables/import", json=opening).status_code == 201
    assert [len(rows) for rows in disk.rows()] == [2, 4]


def test_a_full_disk_is_reported_in_french_too(app_on_disk: Flask, tmp_path: Path) -> None:
    disk = Disk(app_on_disk, tmp_path / DATABASE)
    dealt = deal_at(app_on_disk.test_client(), game="rocket")
    disk.fill()
    body = {"version": 1, "entries": ["buy Ana 1"] * 2_000}
    answer = dealt.call("POST", "/entries", body, headers={"Accept-Language": "fr"})
    is_away(answer, FRENCH[str(FULL)])


@contextmanager
def app_at(address: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """The program on a database server that has been migrated."""
    monkeypatch.setenv("DATABASE_URL", address)
    assert main(["migrate", "--data", str(folder)]) == 0
    app = create_app(config={"DATA": str(folder)})
    yield app
    close(app)


@pytest.fixture
def app_on_server(
    tmp_path: Path, new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Flask, str]]:
    """The program and the address of its database, on the server for tests or on our own."""
    address = new_postgres()
    with app_at(address, tmp_path, monkeypatch) as app:
        yield app, address


@pytest.fixture
def app_on_our_server(tmp_path: Path, postgres_server: Postgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """The program on our own database server, which tests may stop."""
    name = f"fifty_five_{secrets.token_hex(6)}"
    with psycopg.connect(postgres_server.address(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    with app_at(postgres_server.address(name), tmp_path, monkeypatch) as app:
        yield app


@contextmanager
def stopped(server: Postgres) -> Iterator[None]:
    server.stop()
    try:
        yield
    finally:
        server.start()


def fill_the_pool(app: Flask) -> None:
    """Open several connections, as several threads would."""
    engine = app.extensions["tables"].store.engine
    with engine.connect(), engine.connect(), engine.connect():
        pass


def test_a_read_only_database_server_is_reported(app_on_server: tuple[Flask, str]) -> None:
    app, address = app_on_server
    dealt = deal_at(app.test_client())
    before = dealt.everything()
    store = app.extensions["tables"].store
    name = store.engine.url.database
    for setting, works in (("on", False), ("off", True)):
        with psycopg.connect(address, autocommit=True) as owner:
            owner.execute("SET default_transaction_read_only = off")
            owner.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {setting}")
        store.close()  # the setting applies to new connections
        assert dealt.everything() == before
        opened = dealt.client.post("/api/tables", json={"seats": ["Ana", "Ben"], "game": "pairs"})
        entered = dealt.enter("6", id="tap")
        if works:
            assert (opened.status_code, entered.status_code) == (201, 200)
        else:
            is_away(opened, READ_ONLY)
            is_away(entered, READ_ONLY)
            assert app.extensions["tables"].store.ids() == [dealt.table]


def test_the_error_for_a_database_without_tables_names_the_command(app_on_server: tuple[Flask, str]) -> None:
    app, address = app_on_server
    dealt = deal_at(app.test_client())
    with psycopg.connect(address, autocommit=True) as owner:
        owner.execute("DROP TABLE changes, tables, listed, aliases, invitations, alembic_version")
    is_away(dealt.call("GET"), OLD)
    assert main(["migrate", "--data", app.config["DATA"]]) == 0
    assert dealt.call("GET").status_code == 404
    deal_at(dealt.client).play("6")


def test_a_stopped_database_server_is_reported_and_used_again_without_a_restart(
    app_on_our_server: Flask, postgres_server: Postgres
) -> None:
    dealt = deal_at(app_on_our_server.test_client())
    dealt.play("4")
    before = dealt.everything()
    fill_the_pool(app_on_our_server)
    with stopped(postgres_server):
        is_away(in_time(lambda: dealt.enter("6", id="tap")), AWAY)
        is_away(in_time(lambda: dealt.call("GET")), AWAY)
        is_away(in_time(lambda: dealt.client.get(f"/t/{dealt.table}")), AWAY)
        is_away(in_time(lambda: dealt.client.get("/healthz")), AWAY)
        late = create_app(config={"DATA": app_on_our_server.config["DATA"]})  # our program may start before it
        is_away(in_time(lambda: late.test_client().get("/healthz")), AWAY)
    assert late.test_client().get("/healthz").status_code == 200
    assert dealt.everything() == before
    assert dealt.enter("6", id="tap").json["version"] == 3


@pytest.mark.parametrize("first", ["look", "tap", "open", "offer", "health"])
def test_the_first_request_after_a_restart_of_the_database_is_answered(
    app_on_our_server: Flask, postgres_server: Postgres, first: str
) -> None:
    """Every connection in the pool is dead, but this has not been noticed yet."""
    phone = app_on_our_server.test_client()
    address = phone.post("/tables", data={"game": "pairs", "seats": "2"}).headers["Location"]
    fill_the_pool(app_on_our_server)
    with stopped(postgres_server):
        pass
    requests: dict[str, Callable[[], TestResponse]] = {
        "look": lambda: phone.get(address),
        "tap": lambda: phone.post(f"{address}/enter", data={"entry": "6", "version": "1"}),
        "open": lambda: phone.post("/tables", data={"game": "pairs", "seats": "2"}),
        "offer": lambda: phone.post(f"{address}/handover"),
        "health": lambda: phone.get("/healthz"),
    }
    answer = in_time(requests[first])
    assert answer.status_code in (200, 303), sentence_in(answer)


def resume(server: Postgres) -> None:
    """Resume all processes of the server, trying again if one of them ended meanwhile."""
    for _attempt in range(20):
        try:
            return server.resume()
        except ProcessLookupError:
            time.sleep(0.05)
    return server.resume()


def test_requests_are_answered_while_the_database_server_hangs(
    app_on_our_server: Flask, postgres_server: Postgres
) -> None:
    """This holds for a process that was connected to it, and for one that must connect first."""
    dealt = deal_at(app_on_our_server.test_client())
    before = dealt.everything()
    other = create_app(config={"DATA": app_on_our_server.config["DATA"]}).test_client()
    other.application.extensions["tables"].store.close()
    postgres_server.pause()
    with ThreadPoolExecutor(2) as pool:
        try:
            asked = [pool.submit(other.get, f"/t/{dealt.table}"), pool.submit(dealt.call, "GET")]
            _answered, waiting = wait(asked, timeout=NEVER)
            assert not waiting, "no answer came"
            for answer in asked:
                is_away(answer.result(), AWAY)
        finally:
            resume(postgres_server)
    assert in_time(lambda: dealt.call("GET")).status_code == 200
    assert other.get(f"/t/{dealt.table}").status_code == 200
    assert dealt.everything() == before
    assert dealt.enter("6").json["version"] == 2
