"""The program in somebody's cellar: the store goes away and comes back, visitors are too many, logs tell nothing."""

from __future__ import annotations

import json
import logging
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError
from werkzeug.test import TestResponse

from companion import __version__
from companion.cli import main
from companion.engine.sentence import Sentence
from companion.store import Row, Store, StoreAway
from companion.store.failures import AWAY, FULL, OLD, READ_ONLY
from companion.store.memory import MemoryStore
from companion.store.opening import DATABASE
from companion.store.sql import SqlStore
from companion.table import table as evening
from companion.table.change import Change
from companion.web import create_app, logs
from companion.web.rate import HOUR, OpeningRate
from companion.web.tables import Tables

from ..postgres import Postgres
from .conftest import Dealt, Json, close, deal_at

KEY = "a key for tests"
NEVER = 15  # seconds after which a dealer believes that no answer comes
RECORD = "fifty-five 1\nseats Ana Ben\ngame rocket\nbuy Ana 5\n"
FRENCH = {
    str(AWAY): "Les tables sont injoignables. Ce qui a été saisi est gardé.",
    str(FULL): "Le disque du serveur est plein. Ce qui a été saisi est gardé.",
}


class Shaky:
    """A store that goes away, before or just after it has done what it was asked to; and comes back."""

    def __init__(self) -> None:
        self.inner = MemoryStore()
        self.before: Exception | None = None
        self.after: Exception | None = None

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.inner, name)

        def ask(*args: Any, **kwargs: Any) -> Any:
            if self.before is not None:
                raise self.before
            found = method(*args, **kwargs)
            if self.after is not None and name in ("append", "create"):
                raise self.after
            return found

        return ask


def app_over(store: Any, **config: Any) -> Flask:
    over: Store = store
    return create_app(over, {"SECRET_KEY": KEY, **config})


@pytest.fixture(autouse=True)
def _own_log() -> Iterator[None]:
    """The logger is one for all applications of a process: it is left as it was found."""
    logger = logging.getLogger("companion")
    before = logger.handlers, logger.level
    yield
    logger.handlers = before[0]
    logger.setLevel(before[1])


@pytest.fixture
def shaky() -> Shaky:
    return Shaky()


@pytest.fixture
def phone(shaky: Shaky) -> FlaskClient:
    return app_over(shaky).test_client()


def sentence_in(answer: TestResponse) -> str:
    """What an answer says to whoever reads it."""
    if answer.is_json:
        message: str = answer.json["message"]
        return message
    text = unescape(answer.text)
    return text.partition('role="alert">')[2].partition("</p>")[0] if "<html" in text else text


def is_away(answer: TestResponse, sentence: Sentence | str) -> None:
    assert answer.status_code == 503, answer.text
    assert sentence_in(answer) == str(sentence)


def in_time(ask: Callable[[], TestResponse]) -> TestResponse:
    """An answer, rather than none."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(ask).result(timeout=NEVER)


# -- is it there?


def test_whoever_watches_over_it_hears_that_all_is_well(client: FlaskClient) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json) == (200, {"status": "ok", "version": __version__})


def test_whoever_watches_over_it_hears_that_the_store_is_away(shaky: Shaky, phone: FlaskClient) -> None:
    shaky.before = StoreAway(AWAY)
    is_away(phone.get("/healthz"), AWAY)
    shaky.before = None
    assert phone.get("/healthz").status_code == 200


# -- the store is away


def requests_of(app: Flask, table: str) -> list[tuple[str, str]]:
    """Every address that asks the store, and how it is asked."""
    found = [
        (method, rule.rule.replace("<table_id>", table).replace("<int:number>", "1"))
        for rule in app.url_map.iter_rules()
        if "table_id" in rule.arguments
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]
    assert len(found) > 30
    assert not any("<" in path for _method, path in found)
    return [
        *found,
        ("POST", "/tables"),
        ("POST", "/again"),
        ("POST", "/import"),
        ("POST", "/api/tables"),
        ("POST", "/api/tables/import"),
    ]


def ask(phone: FlaskClient, method: str, path: str, **headers: str) -> TestResponse:
    """As the page or a program would, with everything an address may want."""
    version = {"version": 1, "entry": "7"}
    if path.startswith("/api"):
        body = {**version, "entries": ["7"], "seats": ["Ana", "Ben"], "game": "pairs", "record": RECORD}
        return phone.open(path, method=method, json=None if method == "GET" else body, headers=headers)
    form = {**version, "game": "pairs", "seats": "2", "record": RECORD, "table": "any", "seat": "Ana", "points": "3"}
    return phone.open(path, method=method, data=None if method == "GET" else form, headers=headers)


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", str(AWAY)), ("fr", FRENCH[str(AWAY)])], ids=["English", "French"]
)
def test_every_page_and_every_program_is_told_that_the_store_is_away(
    shaky: Shaky, phone: FlaskClient, language: str, sentence: str
) -> None:
    address = phone.post("/tables", data={"game": "pairs", "seats": "2"}).headers["Location"]
    shaky.before = StoreAway(AWAY)
    for method, path in [*requests_of(phone.application, address.rpartition("/")[2]), ("GET", "/")]:
        answer = ask(phone, method, path, **{"Accept-Language": language})
        is_away(answer, sentence)
        if path.startswith("/api"):
            assert answer.json == {"error": "away", "message": sentence}
            continue
        assert answer.mimetype == "text/html", path
        assert f'<html lang="{language}"' in answer.text
        fragment = ask(phone, method, path, **{"Accept-Language": language, "HX-Request": "true"})
        assert (fragment.status_code, fragment.mimetype, fragment.text) == (503, "text/plain", sentence), path
    shaky.before = None
    assert phone.get(address).status_code == 200
    answer = phone.post(f"{address}/enter", data={"entry": "7", "version": "1"}, headers={"HX-Request": "true"})
    assert answer.status_code == 200


def test_rules_and_look_ups_need_no_store(shaky: Shaky, phone: FlaskClient) -> None:
    shaky.before = StoreAway(AWAY)
    for path in (
        "/",
        "/new",
        "/import",
        "/rules",
        "/rules/pairs",
        "/lookup",
        "/offline",
        "/api/lookup/limit?players=4",
    ):
        assert phone.get(path).status_code == 200, path


def test_a_tap_that_was_not_kept_is_not_shown(shaky: Shaky, phone: FlaskClient) -> None:
    dealt = deal_at(phone)
    dealt.play("4")
    before = dealt.everything()
    shaky.before = StoreAway(AWAY)
    assert dealt.enter("6", id="tap").status_code == 503
    shaky.before = None
    assert dealt.everything() == before
    assert dealt.enter("6", id="tap").json["version"] == 3
    assert dealt.entries() == ["game pairs", "4", "6"]


def test_a_tap_that_failed_in_the_last_step_is_not_shown(shaky: Shaky, phone: FlaskClient) -> None:
    """All was looked at, the card was played; and then it could not be written."""
    dealt = deal_at(phone)
    before = dealt.everything()

    def fail(*_: Any) -> None:
        raise StoreAway(FULL)

    shaky.append = fail  # type: ignore[method-assign, assignment]
    is_away(dealt.enter("6", id="tap"), FULL)
    assert dealt.everything() == before
    page = phone.get(f"/t/{dealt.table}", headers={"HX-Request": "true"})
    assert page.headers["ETag"].strip('"').startswith("1-")
    del shaky.append
    assert dealt.enter("6", id="tap").json["version"] == 2
    assert dealt.entries() == ["game pairs", "6"]


def test_what_another_process_enters_in_place_of_a_lost_tap_is_what_is_shown(shaky: Shaky, phone: FlaskClient) -> None:
    """The lost tap would have had the same version: nobody may take the one for the other."""
    dealt = deal_at(phone)

    def fail(*_: Any) -> None:
        raise StoreAway(AWAY)

    shaky.append = fail  # type: ignore[method-assign, assignment]
    assert dealt.enter("6", id="lost").status_code == 503
    del shaky.append
    other = Dealt(app_over(shaky).test_client(), dealt.table, dealt.secret, dealt.opening)
    other.play("9")
    assert dealt.state() == other.state()
    assert dealt.entries() == ["game pairs", "9"]
    dealt.play("4")
    assert dealt.entries() == other.entries() == ["game pairs", "9", "4"]


@pytest.mark.parametrize("cold", [False, True], ids=["same process", "another process"])
def test_a_tap_that_was_kept_but_not_answered_is_entered_once(shaky: Shaky, phone: FlaskClient, cold: bool) -> None:
    dealt = deal_at(phone)
    shaky.after = StoreAway(AWAY)
    assert dealt.enter("6", id="tap").status_code == 503
    shaky.after = None
    if cold:
        dealt.client = app_over(shaky).test_client()
    answer = dealt.enter("6", id="tap")
    assert (answer.status_code, answer.json["version"]) == (200, 2)
    assert dealt.enter("6", id="tap").json["version"] == 2
    assert dealt.entries() == ["game pairs", "6"]
    assert dealt.enter("8", id="next").json["version"] == 3


# -- a disk that is full, a disk that cannot be written


class Disk:
    """The settings that every connection to a database file is taken out with."""

    def __init__(self, app: Flask, file: Path) -> None:
        self.store: SqlStore = app.extensions["tables"].store
        self.file = file
        self.settings: tuple[str, ...] = ()
        event.listen(self.store.engine, "checkout", self._set)

    def _set(self, connection: Any, *_: Any) -> None:
        cursor = connection.cursor()
        for setting in self.settings:
            cursor.execute(f"PRAGMA {setting}")
            cursor.fetchall()
        cursor.close()

    def _now(self, *settings: str) -> None:
        """For the connections that are open already, and for those to come."""
        self.settings = settings
        for connection in self.store._idle:
            self._set(connection)

    def fill(self) -> None:
        self._now("max_page_count=1")  # no smaller than it is, but no larger either

    def protect(self) -> None:
        self._now("query_only=1")

    def mend(self) -> None:
        self._now("max_page_count=1073741823", "query_only=0")

    def rows(self) -> list[list[Any]]:
        """Everything in the file, as another program reads it; and that the file is sound."""
        file = sqlite3.connect(self.file)
        try:
            assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert file.execute("PRAGMA foreign_key_check").fetchall() == []
            return [file.execute(f"SELECT * FROM {table}").fetchall() for table in ("tables", "changes")]
        finally:
            file.close()


@pytest.fixture
def app_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    app = create_app(config={"DATA": str(tmp_path)})
    yield app
    close(app)


@pytest.mark.parametrize(
    ("trouble", "sentence"), [(Disk.fill, FULL), (Disk.protect, READ_ONLY)], ids=["full", "read-only"]
)
def test_a_disk_that_cannot_take_more_is_told_and_nothing_is_half_written(
    app_on_disk: Flask, tmp_path: Path, trouble: Callable[[Disk], None], sentence: Sentence
) -> None:
    disk = Disk(app_on_disk, tmp_path / DATABASE)
    dealt = deal_at(app_on_disk.test_client(), game="rocket")
    dealt.play("buy Ana 5")
    before, told = disk.rows(), dealt.state()
    much = ["buy Ana 1"] * 2_000  # some pages

    trouble(disk)
    is_away(dealt.enter(*much, id="tap"), sentence)
    opening = {"record": RECORD + "\n".join(much)}
    is_away(dealt.client.post("/api/tables/import", json=opening), sentence)
    assert dealt.state() == told, "what is there can be read"
    assert dealt.client.get(f"/t/{dealt.table}").status_code == 200
    assert dealt.client.get("/healthz").status_code == 200
    assert disk.rows() == before, "neither a row of a change nor one of a table"

    disk.mend()
    assert dealt.enter(*much, id="tap").json["version"] == 3
    assert dealt.client.post("/api/tables/import", json=opening).status_code == 201
    assert [len(rows) for rows in disk.rows()] == [2, 4]


def test_a_full_disk_is_told_in_french_too(app_on_disk: Flask, tmp_path: Path) -> None:
    disk = Disk(app_on_disk, tmp_path / DATABASE)
    dealt = deal_at(app_on_disk.test_client(), game="rocket")
    disk.fill()
    body = {"version": 1, "entries": ["buy Ana 1"] * 2_000}
    answer = dealt.call("POST", "/entries", body, headers={"Accept-Language": "fr"})
    is_away(answer, FRENCH[str(FULL)])


# -- a database server


@contextmanager
def app_at(address: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """The program on a server that is up to date."""
    monkeypatch.setenv("DATABASE_URL", address)
    assert main(["migrate", "--data", str(folder)]) == 0
    app = create_app(config={"DATA": str(folder)})
    yield app
    close(app)


@pytest.fixture
def app_on_server(
    tmp_path: Path, new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Flask, str]]:
    """With the address of its database, on whatever server is given."""
    address = new_postgres()
    with app_at(address, tmp_path, monkeypatch) as app:
        yield app, address


@pytest.fixture
def app_on_our_server(tmp_path: Path, postgres_server: Postgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """On the server that may be stopped."""
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
    """Several threads have asked before."""
    engine = app.extensions["tables"].store.engine
    with engine.connect(), engine.connect(), engine.connect():
        pass


def test_a_server_that_may_not_be_written_to_is_told(app_on_server: tuple[Flask, str]) -> None:
    app, address = app_on_server
    dealt = deal_at(app.test_client())
    before = dealt.everything()
    store, name = app.extensions["tables"].store, address.rpartition("/")[2]
    for setting, works in (("on", False), ("off", True)):
        with psycopg.connect(address, autocommit=True) as owner:
            owner.execute("SET default_transaction_read_only = off")
            owner.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {setting}")
        store.close()  # the server says it to new connections
        assert dealt.everything() == before
        opened = dealt.client.post("/api/tables", json={"seats": ["Ana", "Ben"], "game": "pairs"})
        entered = dealt.enter("6", id="tap")
        if works:
            assert (opened.status_code, entered.status_code) == (201, 200)
        else:
            is_away(opened, READ_ONLY)
            is_away(entered, READ_ONLY)
            assert app.extensions["tables"].store.ids() == [dealt.table]


def test_a_server_without_tables_says_which_command_helps(app_on_server: tuple[Flask, str]) -> None:
    app, address = app_on_server
    dealt = deal_at(app.test_client())
    with psycopg.connect(address, autocommit=True) as owner:
        owner.execute("DROP TABLE changes, tables, alembic_version")
    is_away(dealt.call("GET"), OLD)
    assert main(["migrate", "--data", app.config["DATA"]]) == 0
    assert dealt.call("GET").status_code == 404
    deal_at(dealt.client).play("6")


def test_a_server_that_was_stopped_is_told_and_used_again_without_a_restart(
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
        late = create_app(config={"DATA": app_on_our_server.config["DATA"]})  # it may start first
        is_away(in_time(lambda: late.test_client().get("/healthz")), AWAY)
    assert late.test_client().get("/healthz").status_code == 200
    assert dealt.everything() == before
    assert dealt.enter("6", id="tap").json["version"] == 3


@pytest.mark.parametrize("first", ["look", "tap", "open", "offer", "health"])
def test_the_first_request_after_a_restart_of_the_server_is_answered(
    app_on_our_server: Flask, postgres_server: Postgres, first: str
) -> None:
    """Every connection in the pool is dead, and nobody knows yet."""
    phone = app_on_our_server.test_client()
    address = phone.post("/tables", data={"game": "pairs", "seats": "2"}).headers["Location"]
    fill_the_pool(app_on_our_server)
    with stopped(postgres_server):
        pass
    requests: dict[str, Callable[[], TestResponse]] = {
        "look": lambda: phone.get(address),
        "tap": lambda: phone.post(f"{address}/enter", data={"entry": "6", "version": "1"}),
        "open": lambda: phone.post("/tables", data={"game": "pairs", "seats": "2"}),
        "offer": lambda: phone.post(f"{address}/hand"),
        "health": lambda: phone.get("/healthz"),
    }
    answer = in_time(requests[first])
    assert answer.status_code in (200, 303), sentence_in(answer)


def resume(server: Postgres) -> None:
    """All of its processes, also when one that has just ended cannot be woken any more."""
    for _attempt in range(20):
        try:
            return server.resume()
        except ProcessLookupError:
            time.sleep(0.05)
    return server.resume()


def test_a_server_that_hangs_does_not_hang_the_pub(app_on_our_server: Flask, postgres_server: Postgres) -> None:
    """Neither a process that was connected to it, nor one that must connect first."""
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


# -- many tables from one address

TABLE = {"seats": ["Ana", "Ben"], "game": "pairs"}
MANY = "Many tables were opened from here: wait a while before the next one."


def opening_from(phone: FlaskClient, address: str, **headers: str) -> int:
    """Open a table from an address: how that was answered."""
    return phone.post("/api/tables", json=TABLE, headers=headers, environ_base={"REMOTE_ADDR": address}).status_code


def test_an_address_opens_so_many_tables_and_others_go_on() -> None:
    phone = app_over(MemoryStore(), TABLES_PER_HOUR=2).test_client()
    assert [opening_from(phone, "203.0.113.7") for _ in range(4)] == [201, 201, 429, 429]
    assert opening_from(phone, "203.0.113.8") == 201
    answer = phone.post("/api/tables", json=TABLE, environ_base={"REMOTE_ADDR": "203.0.113.7"})
    assert answer.json == {"error": "busy", "message": MANY}
    answer = phone.post(
        "/tables", data={"seats": "2"}, headers={"Accept-Language": "fr"}, environ_base={"REMOTE_ADDR": "203.0.113.7"}
    )
    assert (answer.status_code, sentence_in(answer)) == (
        429,
        "Beaucoup de tables ont été ouvertes d’ici\xa0: attendez un peu avant la suivante.",
    )


def test_whoever_may_open_no_more_plays_on() -> None:
    phone = app_over(MemoryStore(), TABLES_PER_HOUR=1).test_client()
    phone.environ_base["REMOTE_ADDR"] = "203.0.113.7"
    dealt = deal_at(phone)
    assert opening_from(phone, "203.0.113.7") == 429
    dealt.play("4", "6")
    assert phone.get(f"/t/{dealt.table}").status_code == 200


def test_the_next_hour_is_another_one() -> None:
    now = [HOUR * 1_000.0]
    app = app_over(MemoryStore())
    app.extensions["tables"] = Tables(MemoryStore(), OpeningRate(2, lambda: now[0]))
    phone = app.test_client()
    assert [opening_from(phone, "203.0.113.7") for _ in range(3)] == [201, 201, 429]
    now[0] += HOUR - 1
    assert opening_from(phone, "203.0.113.7") == 429
    now[0] += 1
    assert [opening_from(phone, "203.0.113.7") for _ in range(3)] == [201, 201, 429]


def test_a_household_with_ipv6_is_one_address() -> None:
    phone = app_over(MemoryStore(), TABLES_PER_HOUR=2).test_client()
    home = ["2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "2001:db8:0:1:2:3:4:5"]
    assert [opening_from(phone, address) for address in home] == [201, 201, 429]
    assert opening_from(phone, "2001:db8:0:2::1") == 201
    assert [opening_from(phone, address) for address in ("198.51.100.1", "::ffff:198.51.100.1", "198.51.100.1")] == [
        201,
        201,
        429,
    ]
    assert opening_from(phone, "::ffff:198.51.100.2") == 201
    assert [opening_from(phone, "fe80::1%eth0") for _ in range(3)] == [201, 201, 429]


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_this_machine_is_not_counted(address: str) -> None:
    phone = app_over(MemoryStore(), TABLES_PER_HOUR=1).test_client()
    assert [opening_from(phone, address) for _ in range(3)] == [201, 201, 201]


def test_a_table_that_was_refused_is_not_counted() -> None:
    phone = app_over(MemoryStore(), TABLES_PER_HOUR=1).test_client()
    phone.environ_base["REMOTE_ADDR"] = "203.0.113.7"
    for _ in range(2):
        assert phone.post("/api/tables", json={**TABLE, "game": "chess"}).status_code == 422
        assert phone.post("/api/tables", json={**TABLE, "seats": ["Ana"]}).status_code == 422
        assert phone.post("/api/tables/import", json={"record": f"{RECORD}11\n"}).status_code == 422
        assert phone.post("/tables", data={"seats": "99"}).status_code == 422
        assert phone.post("/import", data={"record": "nonsense"}).status_code == 422
        assert phone.post("/again", data={"table": "nobody's"}).status_code == 404
    assert opening_from(phone, "203.0.113.7") == 201
    assert opening_from(phone, "203.0.113.7") == 429


def test_a_phone_counts_each_of_the_ways_to_open_a_table() -> None:
    store = MemoryStore()
    old = deal_at(app_over(store).test_client()).table
    ways: list[Callable[[FlaskClient], TestResponse]] = [
        lambda phone: phone.post("/api/tables", json=TABLE),
        lambda phone: phone.post("/api/tables/import", json={"record": RECORD}),
        lambda phone: phone.post("/tables", data={"seats": "2", "game": "pairs"}),
        lambda phone: phone.post("/again", data={"table": old}),
        lambda phone: phone.post("/import", data={"record": RECORD}),
    ]
    for way in ways:
        phone = app_over(store, TABLES_PER_HOUR=1).test_client()
        phone.environ_base["REMOTE_ADDR"] = "203.0.113.7"
        assert way(phone).status_code in (201, 303)
        for other in ways:
            assert other(phone).status_code == 429


# -- a proxy in front

FORWARDED = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "cards.example"}


def cookie_and_code(phone: FlaskClient) -> tuple[str, str]:
    """The cookie that a dealer gets, and the page with the table's address."""
    opened = phone.post("/tables", data={"seats": "2", "game": "pairs"}, headers=FORWARDED)
    page = phone.get(f"{opened.headers['Location']}/code", headers=FORWARDED)
    assert page.status_code == 200
    return opened.headers["Set-Cookie"], page.text


def test_what_a_visitor_says_of_himself_is_not_believed() -> None:
    phone = app_over(MemoryStore(), TABLES_PER_HOUR=2).test_client()
    mine = [opening_from(phone, "198.51.100.1", **{**FORWARDED, "X-Forwarded-For": f"203.0.113.{i}"}) for i in range(3)]
    assert mine == [201, 201, 429]
    assert opening_from(phone, "198.51.100.2", **{"X-Forwarded-For": "127.0.0.1"}) == 201
    phone = app_over(MemoryStore()).test_client()
    cookie, page = cookie_and_code(phone)
    assert "Secure" not in cookie
    assert "http://localhost/t/" in page
    assert "cards.example" not in page


def test_what_our_proxy_says_of_a_visitor_is_believed() -> None:
    phone = app_over(MemoryStore(), PROXIES=1, TABLES_PER_HOUR=2).test_client()
    for visitor in ("203.0.113.7", "203.0.113.8"):
        found = [opening_from(phone, "10.0.0.1", **{"X-Forwarded-For": visitor}) for _ in range(3)]
        assert found == [201, 201, 429]
    # The visitor puts something in front; our proxy's word is the last one.
    liar = [opening_from(phone, "10.0.0.1", **{"X-Forwarded-For": f"192.0.2.{i}, 203.0.113.9"}) for i in range(3)]
    assert liar == [201, 201, 429]
    phone = app_over(MemoryStore(), PROXIES=1).test_client()
    cookie, page = cookie_and_code(phone)
    assert "Secure" in cookie
    assert "https://cards.example/t/" in page


# -- a table that never ends


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def long_table(store: MemoryStore) -> Dealt:
    """Rocket, where one can always buy."""
    return deal_at(app_over(store).test_client(), game="rocket")


def restarted(dealt: Dealt, store: MemoryStore) -> Dealt:
    """The same table in a process that has nothing at hand."""
    return Dealt(app_over(store).test_client(), dealt.table, dealt.secret, dealt.opening, dealt.version)


def refused(answer: TestResponse, code: str, sentence: str) -> None:
    assert answer.status_code == 422, answer.text
    assert (answer.json["error"], answer.json["message"]) == (code, sentence)


def exported(dealt: Dealt) -> Dealt:
    """The record can be downloaded, and is a table again."""
    record = dealt.client.get(f"/t/{dealt.table}/record")
    assert record.status_code == 200
    opened = dealt.client.post("/api/tables/import", json={"record": record.text})
    assert opened.status_code == 201, opened.text
    again = Dealt(dealt.client, opened.json["table"], opened.json["dealer"], opened.json["state"])
    assert again.entries() == dealt.entries()
    return again


def test_a_full_table_says_so_and_stays_as_it_is(
    long_table: Dealt, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evening, "MOST_ENTRIES", 5)
    sentence = "This table is full: it has 5 entries. Start a new one."
    long_table.play("buy Ana 1", "buy Ana 2")
    before = long_table.everything()
    all_or_nothing = long_table.enter("buy Ana 3", "buy Ana 4", "buy Ana 5")
    refused(all_or_nothing, "illegal", sentence)
    assert all_or_nothing.json["at"] == 2
    assert long_table.everything() == before
    long_table.play("buy Ana 3", "buy Ana 4")
    before = long_table.everything()
    for dealt in (long_table, restarted(long_table, store)):
        refused(dealt.enter("buy Ana 5"), "illegal", sentence)
        refused(dealt.do("POST", "/entries/1", entry="buy Ana 5"), "illegal", sentence)
        assert dealt.everything() == before
        exported(dealt)
        answer = dealt.client.post(
            f"/t/{dealt.table}/enter",
            data={"entry": "buy Ana 5", "version": dealt.version},
            headers={"Authorization": f"Bearer {dealt.secret}"},
        )
        assert answer.status_code == 422
        assert sentence in answer.text
        too_long = RECORD + "buy Ana 5\n" * 4
        answer = dealt.client.post("/api/tables/import", json={"record": too_long})
        refused(answer, "invalid", sentence)
        assert answer.json["line"] == 8
    assert long_table.do("PUT", "/entries/1", entry="buy Ana 9").status_code == 200, "it can still be repaired"
    assert long_table.do("DELETE", "/entries/1").status_code == 200
    assert long_table.enter("buy Ana 5").status_code == 200


def test_a_table_changed_too_often_says_so_and_its_record_is_played_on(
    long_table: Dealt, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evening, "MOST_PLAYED", evening.KEEP_EVERY + 4)
    sentence = "This table was changed too often: save its record and open that."
    long_table.play("buy Ana 1", "buy Ana 2", "buy Ana 3")
    assert long_table.do("POST", "/undo").status_code == 200
    before = long_table.everything()
    for dealt in (long_table, restarted(long_table, store)):
        for method, path, body in (
            ("POST", "/undo", {}),
            ("POST", "/redo", {}),
            ("PUT", "/entries/1", {"entry": "buy Ana 9"}),
            ("POST", "/entries/1", {"entry": "buy Ana 9"}),
            ("DELETE", "/entries/1", {}),
            ("POST", "/entries", {"entries": ["buy Ana 4", "buy Ana 5"]}),
        ):
            refused(dealt.do(method, path, **body), "illegal", sentence)
        assert dealt.everything() == before
        again = exported(dealt)
        again.play("buy Ana 4")
        assert again.do("POST", "/undo").status_code == 200
    long_table.play("buy Ana 4")
    refused(restarted(long_table, store).enter("buy Ana 5"), "illegal", sentence)


def test_after_very_many_repairs_the_oldest_cannot_be_undone(
    long_table: Dealt, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evening, "MOST_KEPT", 6)
    long_table.play("buy Ana 1", "buy Ana 2", "buy Ana 3", "buy Ana 4")
    for chips in (5, 6, 7):  # three entries after it are kept each time
        assert long_table.do("PUT", "/entries/1", entry=f"buy Ana {chips}").status_code == 200
    state, record = long_table.state(), long_table.entries()
    for dealt in (long_table, restarted(long_table, store)):
        assert dealt.state() == state, "a restart forgets neither more nor less"
        assert dealt.entries() == record
        undone = dealt.do("POST", "/undo")
        assert undone.status_code == 200
        assert undone.json["undo"] is None
        before = dealt.everything()
        refused(dealt.do("POST", "/undo"), "nothing", "There is nothing to undo.")
        assert dealt.everything() == before
        assert dealt.entries()[1] == "buy Ana 6"
        exported(dealt)
        assert dealt.do("POST", "/redo").status_code == 200
        long_table.version = dealt.version
        state = dealt.state()


# -- logs


def lines(capsys: pytest.CaptureFixture[str]) -> list[Json]:
    """What was logged since it was asked last."""
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_every_request_is_one_line_without_anybodys_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    app = app_over(MemoryStore(), LOG=True, TAKEOVER_SILENCE=-1)
    dealer, watcher = app.test_client(), app.test_client()
    form = {"seats": "2", "game": "pairs", "name-0": "Zebulon", "name-1": "Ottilie", "o-forfeit": "a madrigal"}
    address = dealer.post("/tables", data=form).headers["Location"]
    table = address.rpartition("/")[2]
    (line,) = lines(capsys)
    assert (line["event"], line["method"], line["route"], line["status"]) == ("request", "POST", "/tables", 303)
    assert isinstance(line["ms"], float)

    opened = dealer.post("/api/tables", json={"seats": ["Zebulon", "Ottilie"], "game": "pairs"})
    headers = {"Authorization": f"Bearer {opened.json['dealer']}"}
    api = f"/api/tables/{opened.json['table']}"
    with app.test_request_context():
        pin = app.extensions["tables"].dealing.pin(table)
    requests: list[tuple[str, Callable[[], TestResponse], str | None, int]] = [
        ("GET", lambda: dealer.get(f"{address}?me=Zebulon&pin={pin}"), "/t/<table_id>", 200),
        ("GET", lambda: dealer.get(f"{address}/hand"), "/t/<table_id>/hand", 200),
        ("POST", lambda: dealer.post(f"{address}/enter", data={"entry": "sit Balthasar", "version": "1"}), "/t/<table_id>/enter", 303),
        ("POST", lambda: dealer.post(f"{address}/enter", data={"entry": "leave Melchior", "version": "2"}), "/t/<table_id>/enter", 422),
        ("POST", lambda: watcher.post(f"{address}/take", data={"pin": pin}), "/t/<table_id>/take", 303),
        ("GET", lambda: watcher.get(f"{address}/record"), "/t/<table_id>/record", 200),
        ("POST", lambda: dealer.post(f"{api}/entries", json={"version": 1, "entries": ["sit Balthasar"], "id": "my-own-id"}, headers=headers), "/api/tables/<table_id>/entries", 200),
        ("GET", lambda: dealer.get(api, headers={"If-None-Match": '"2"'}), "/api/tables/<table_id>", 304),
        ("GET", lambda: dealer.get("/api/lookup/stakes?stakes=cutchfeld&points=Zebulon:17,Ottilie:10"), "/api/lookup/stakes", 200),
        ("GET", lambda: dealer.get(f"/Zebulon/{table}?pin={pin}"), None, 404),
        ("GET", lambda: dealer.get("/t/nobody-Zebulon"), "/t/<table_id>", 404),
        ("POST", lambda: dealer.post("/api/tables", data="Zebulon"), "/api/tables", 400),
    ]  # fmt: skip
    capsys.readouterr()
    written = ""
    for method, send, route, status in requests:
        assert send().status_code == status, route
        logged = capsys.readouterr().err
        (line,) = [json.loads(one) for one in logged.splitlines()]
        assert (line["method"], line["route"], line["status"]) == (method, route, status)
        assert line["ms"] >= 0
        written += logged
    cookie = dealer.get_cookie("fifty-five")
    assert cookie is not None
    secret = (
        *(table, opened.json["table"], opened.json["dealer"], cookie.value, pin, "my-own-id"),
        *("Zebulon", "Ottilie", "Balthasar", "Melchior", "madrigal", "sit ", "leave ", "cutchfeld", "127.0.0.1", "?"),
    )
    assert [word for word in secret if word in written] == []
    tags = [json.loads(one)["table"] for one in written.splitlines()]
    assert len(set(tags[:6])) == 1, "but one can tell which lines are of the same table"
    assert tags[0] != tags[6]


def test_nothing_is_logged_of_requests_unless_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    deal_at(app_over(MemoryStore()).test_client()).play("4")
    assert capsys.readouterr().err == ""


def test_a_request_that_breaks_is_logged_by_its_kind_and_place_alone(
    shaky: Shaky, capsys: pytest.CaptureFixture[str]
) -> None:
    dealt = deal_at(app_over(shaky).test_client(), "Zebulon", "Ottilie")
    try:
        raise KeyError("Zebulon as well")
    except KeyError as cause:
        shaky.before = RuntimeError("Zebulon entered 7")
        shaky.before.__cause__ = cause
    answer = dealt.call("GET")
    assert (answer.status_code, answer.json["error"]) == (500, "broken")
    assert "Zebulon" not in answer.text
    logged = capsys.readouterr().err
    (line,) = [json.loads(one) for one in logged.splitlines()]
    assert (line["level"], line["error"], line["route"]) == ("error", "RuntimeError", "/api/tables/<table_id>")
    assert any("test_operation.py" in place for place in line["trace"])
    assert "Zebulon" not in logged
    assert dealt.table not in logged


def test_a_store_that_is_away_is_logged_with_the_kind_of_its_trouble(
    app_on_disk: Flask, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.init_app(app_on_disk)  # to where this test can read it
    dealt = deal_at(app_on_disk.test_client(), "Zebulon", "Ottilie", game="rocket")
    Disk(app_on_disk, tmp_path / DATABASE).protect()
    assert dealt.enter("sit Balthasar").status_code == 503
    logged = capsys.readouterr().err
    (line,) = [json.loads(one) for one in logged.splitlines()]
    assert (line["level"], line["cause"], line["route"]) == (
        "error",
        "OperationalError SQLITE_READONLY",
        "/api/tables/<table_id>/entries",
    )
    assert [word for word in ("Zebulon", "Balthasar", dealt.table, dealt.secret) if word in logged] == []


def test_an_error_of_the_database_tells_no_names_and_no_secrets(
    app_on_disk: Flask, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.init_app(app_on_disk)  # to where this test can read it
    store: SqlStore = app_on_disk.extensions["tables"].store
    row = Row(1, Change("open", ("game pairs",)), "2025-01-01T20:00:00+00:00")
    store.create("t", ("Zebulon", "Ottilie"), "hash-of-a-secret", row)
    with pytest.raises(IntegrityError) as broken:
        store.create("t", ("Zebulon", "Ottilie"), "hash-of-a-secret", row)
    assert "INSERT INTO tables" in str(broken.value)
    assert "Zebulon" not in str(broken.value)
    assert "hash-of-a-secret" not in str(broken.value)

    with store.transaction() as connection:
        connection.exec_driver_sql("CREATE TRIGGER no BEFORE INSERT ON tables BEGIN SELECT RAISE(ABORT, 'no'); END")
    answer = app_on_disk.test_client().post("/api/tables", json={"seats": ["Zebulon", "Ottilie"], "game": "pairs"})
    assert answer.status_code == 500
    logged = capsys.readouterr().err
    (line,) = [json.loads(one) for one in logged.splitlines()]
    assert line["error"] == "IntegrityError"
    assert "Zebulon" not in logged
