"""The JSON API: who may write at a table, and how that right is handed over."""

from __future__ import annotations

import pytest
from flask import Flask

from companion.store import SecretChange
from companion.web.dealing import fingerprint, secret_of

from .api_calls import HANDOVER, WRITES, is_error
from .conftest import Dealt, DealTable, Json


@pytest.mark.parametrize(("method", "path", "body"), [*WRITES, HANDOVER])
def test_writing_without_a_secret_is_401(dealt: Dealt, method: str, path: str, body: Json) -> None:
    before = dealt.everything()
    is_error(dealt.call(method, path, body, secret=None), 401)
    assert dealt.everything() == before


@pytest.mark.parametrize(("method", "path", "body"), [*WRITES, HANDOVER])
def test_writing_with_a_wrong_secret_is_403(dealt: Dealt, method: str, path: str, body: Json) -> None:
    before = dealt.everything()
    for wrong in (dealt.secret[:-1], dealt.secret + "x", dealt.secret.swapcase()):
        is_error(dealt.call(method, path, body, secret=wrong), 403)
    assert dealt.everything() == before


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Basic {secret}", "{secret}"])
def test_a_header_without_a_bearer_secret_is_401(dealt: Dealt, header: str) -> None:
    headers = {"Authorization": header.format(secret=dealt.secret)}
    body = {"version": 1, "entries": ["8"]}
    is_error(dealt.call("POST", "/entries", body, secret=None, headers=headers), 401)


def test_the_secret_of_another_table_is_a_wrong_one(deal: DealTable) -> None:
    mine, other = deal(), deal()
    is_error(mine.call("POST", "/entries", {"version": 1, "entries": ["8"]}, secret=other.secret), 403)


def test_the_stored_hash_does_not_work_as_a_secret(app: Flask, dealt: Dealt) -> None:
    stored = app.extensions["tables"].store.standing(dealt.table).secret
    is_error(dealt.call("POST", "/entries", {"version": 1, "entries": ["8"]}, secret=stored), 403)


def test_a_known_id_does_not_replace_the_secret(dealt: Dealt) -> None:
    body = {"version": 1, "entries": ["8"], "id": "tap"}
    assert dealt.call("POST", "/entries", body).status_code == 200
    is_error(dealt.call("POST", "/entries", body, secret=None), 401)
    is_error(dealt.call("POST", "/entries", body, secret="wrong"), 403)


def rekey(app: Flask, dealt: Dealt, phone: str) -> None:
    """Let a phone deal instead of the program."""
    old, new = fingerprint(dealt.secret), fingerprint(secret_of(phone, dealt.table))
    app.extensions["tables"].store.change_secrets([SecretChange(dealt.table, old, new)])


def test_the_cookie_of_the_pages_gives_the_same_right(app: Flask, dealt: Dealt) -> None:
    phone = app.test_client()
    with phone.session_transaction() as session:
        session["phone"] = "the secret of a phone"
    rekey(app, dealt, "the secret of a phone")
    address = f"/api/tables/{dealt.table}/entries"
    assert phone.post(address, json={"version": 1, "entries": ["8"]}).status_code == 200
    with phone.session_transaction() as session:
        session["phone"] = "the secret of another phone"
    is_error(phone.post(address, json={"version": 2, "entries": ["8"]}), 403)


def test_reading_needs_only_the_tables_id(app: Flask, dealt: Dealt) -> None:
    stranger = app.test_client()
    assert stranger.get(f"/api/tables/{dealt.table}").json == dealt.opening
    assert stranger.get(f"/api/tables/{dealt.table}/log").status_code == 200


def test_ids_and_secrets_cannot_be_guessed(deal: DealTable) -> None:
    tables = [deal() for _ in range(20)]
    words = {table.table for table in tables} | {table.secret for table in tables}
    assert len(words) == 40
    assert min(map(len, words)) >= 16


def test_after_a_handover_the_old_secret_is_refused(dealt: Dealt) -> None:
    before = dealt.everything()
    answer = dealt.call("POST", "/handover")
    assert answer.status_code == 200
    assert set(answer.json) == {"dealer"}
    new = answer.json["dealer"]
    assert new != dealt.secret
    assert dealt.everything() == before
    for method, path, body in [*WRITES, HANDOVER]:
        is_error(dealt.call(method, path, body), 403)
    entered = dealt.call("POST", "/entries", {"version": 1, "entries": ["4"]}, secret=new)
    assert entered.status_code == 200
    assert entered.json["version"] == 2
    third = dealt.call("POST", "/handover", secret=new).json["dealer"]
    is_error(dealt.call("POST", "/handover", secret=new), 403)
    assert dealt.call("POST", "/undo", {"version": 2}, secret=third).status_code == 200


def test_a_handover_of_one_table_leaves_the_others_alone(deal: DealTable) -> None:
    mine, other = deal(), deal()
    mine.call("POST", "/handover")
    assert other.play("4")["version"] == 2
