"""The store goes away and comes back: every request gets a message, and no tap is lost or doubled."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.store import StoreAway
from companion.store.failures import AWAY, FULL
from tests.web.conftest import Dealt, deal_at
from tests.web.operation.conftest import FRENCH, RECORD, Shaky, app_over, is_away


def test_the_health_check_says_that_all_is_well(client: FlaskClient) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json) == (200, {"status": "ok"})


def test_the_health_check_says_that_the_store_is_away(shaky: Shaky, phone: FlaskClient) -> None:
    shaky.before = StoreAway(AWAY)
    is_away(phone.get("/healthz"), AWAY)
    shaky.before = None
    assert phone.get("/healthz").status_code == 200


def requests_of(app: Flask, table: str) -> list[tuple[str, str]]:
    """The method and address of every request that uses the store."""
    found = [
        (method, rule.rule.replace("<table_id>", table).replace("<int:number>", "1"))
        for rule in app.url_map.iter_rules()
        if "table_id" in rule.arguments and rule.endpoint != "demo.turn_up"  # only a demonstration has this route
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]
    assert len(found) > 30
    assert not any("<" in path for _method, path in found)
    return [
        *found,
        ("POST", "/tables"),
        ("POST", "/new-evening"),
        ("POST", "/import"),
        ("POST", "/api/tables"),
        ("POST", "/api/tables/import"),
    ]


def ask(phone: FlaskClient, method: str, path: str, **headers: str) -> TestResponse:
    """Send a request as a page or a program would, with every field that any address may need."""
    version = {"version": 1, "entry": "7"}
    if path.startswith("/api"):
        body = {**version, "entries": ["7"], "seats": ["Ana", "Ben"], "game": "pairs", "record": RECORD}
        return phone.open(path, method=method, json=None if method == "GET" else body, headers=headers)
    form = {**version, "game": "pairs", "seats": "2", "record": RECORD, "table": "any", "seat": "Ana", "points": "3"}
    return phone.open(path, method=method, data=None if method == "GET" else form, headers=headers)


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", str(AWAY)), ("fr", FRENCH[str(AWAY)])], ids=["English", "French"]
)
def test_every_page_and_every_api_call_says_that_the_store_is_away(
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


def test_a_tap_that_was_not_stored_is_not_shown(shaky: Shaky, phone: FlaskClient) -> None:
    dealt = deal_at(phone)
    dealt.play("4")
    before = dealt.everything()
    shaky.before = StoreAway(AWAY)
    assert dealt.enter("6", id="tap").status_code == 503
    shaky.before = None
    assert dealt.everything() == before
    assert dealt.enter("6", id="tap").json["version"] == 3
    assert dealt.entries() == ["game pairs", "4", "6"]


def test_a_tap_that_failed_while_being_stored_is_not_shown(shaky: Shaky, phone: FlaskClient) -> None:
    """The tap was checked and the card played, but then it could not be written."""
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


def test_an_entry_of_another_process_in_place_of_a_lost_tap_is_shown(shaky: Shaky, phone: FlaskClient) -> None:
    """The lost tap would have had the same version, so the two must not be confused."""
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
def test_a_tap_that_was_stored_but_not_answered_is_entered_once(shaky: Shaky, phone: FlaskClient, cold: bool) -> None:
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
