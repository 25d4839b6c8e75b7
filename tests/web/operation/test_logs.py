"""Which parts of a request are logged, and which never are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy.exc import IntegrityError
from werkzeug.test import TestResponse

from companion.store import Row
from companion.store.memory import MemoryStore
from companion.store.opening import DATABASE
from companion.store.sql import SqlStore
from companion.table.change import Change
from companion.web import logs

from ..conftest import Json, deal_at
from .conftest import Disk, Shaky, app_over


def lines(capsys: pytest.CaptureFixture[str]) -> list[Json]:
    """The lines logged since the last call."""
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
        code = app.extensions["tables"].dealing.recovery_code(table)
    requests: list[tuple[str, Callable[[], TestResponse], str | None, int]] = [
        ("GET", lambda: dealer.get(f"{address}?me=Zebulon&code={code}"), "/t/<table_id>", 200),
        ("GET", lambda: dealer.get(f"{address}/handover"), "/t/<table_id>/handover", 200),
        ("POST", lambda: dealer.post(f"{address}/enter", data={"entry": "sit Balthasar", "version": "1"}), "/t/<table_id>/enter", 303),
        ("POST", lambda: dealer.post(f"{address}/enter", data={"entry": "leave Melchior", "version": "2"}), "/t/<table_id>/enter", 422),
        ("POST", lambda: watcher.post(f"{address}/take", data={"recovery": code}), "/t/<table_id>/take", 303),
        ("GET", lambda: watcher.get(f"{address}/record"), "/t/<table_id>/record", 200),
        ("POST", lambda: dealer.post(f"{api}/entries", json={"version": 1, "entries": ["sit Balthasar"], "id": "my-own-id"}, headers=headers), "/api/tables/<table_id>/entries", 200),
        ("GET", lambda: dealer.get(api, headers={"If-None-Match": '"2"'}), "/api/tables/<table_id>", 304),
        ("GET", lambda: dealer.get("/api/lookup/stakes?stakes=cutchfeld&points=Zebulon:17,Ottilie:10"), "/api/lookup/stakes", 200),
        ("GET", lambda: dealer.get(f"/Zebulon/{table}?code={code}"), None, 404),
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
        *(table, opened.json["table"], opened.json["dealer"], cookie.value, code, "my-own-id"),
        *("Zebulon", "Ottilie", "Balthasar", "Melchior", "madrigal", "sit ", "leave ", "cutchfeld", "127.0.0.1", "?"),
    )
    assert [word for word in secret if word in written] == []
    tags = [json.loads(one)["table"] for one in written.splitlines()]
    assert len(set(tags[:6])) == 1, "but one can tell which lines are of the same table"
    assert tags[0] != tags[6]


def test_requests_are_not_logged_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    deal_at(app_over(MemoryStore()).test_client()).play("4")
    assert capsys.readouterr().err == ""


def test_a_fault_is_logged_with_its_type_and_place_only(shaky: Shaky, capsys: pytest.CaptureFixture[str]) -> None:
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
    assert any("operation/conftest.py" in place for place in line["trace"])
    assert "Zebulon" not in logged
    assert dealt.table not in logged


def test_a_store_that_is_away_is_logged_with_its_error_code(
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


def test_a_database_error_reveals_no_names_and_no_secrets(
    app_on_disk: Flask, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.init_app(app_on_disk)  # to where this test can read it
    store: SqlStore = app_on_disk.extensions["tables"].store
    never: str = None  # type: ignore[assignment]
    row = Row(1, Change("open", ("game pairs",)), never)
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
