"""A table is deleted for good: by its dealer, who is asked twice; then it is gone for everybody."""

from __future__ import annotations

import re

from flask import Flask
from flask.testing import FlaskClient

from .api_calls import is_error
from .conftest import Dealt, deal_at
from .test_phones import ana, listed

SURE = {"sure": "yes"}


def pages_of_a_table(app: Flask) -> list[str]:
    """The address of everything about a table that can be read."""
    rules = [
        rule for rule in app.url_map.iter_rules() if rule.arguments == {"table_id"} and "GET" in (rule.methods or ())
    ]
    assert len(rules) > 20
    return [rule.rule for rule in rules]


def assert_gone(client: FlaskClient, table: str) -> None:
    for rule in pages_of_a_table(client.application):
        assert client.get(rule.replace("<table_id>", table)).status_code == 404, rule


def test_a_program_deletes_a_table_with_the_dealers_secret(dealt: Dealt) -> None:
    dealt.play("7", "3")
    other = deal_at(dealt.client)
    answer = dealt.call("DELETE")
    assert (answer.status_code, answer.data) == (204, b"")
    assert_gone(dealt.client.application.test_client(), dealt.table)
    is_error(dealt.enter("9"), 404)
    is_error(dealt.do("POST", "/undo"), 404)
    is_error(dealt.call("DELETE"), 404)
    assert other.state()["version"] == 1
    store = dealt.client.application.extensions["tables"].store
    assert (store.names(dealt.table), store.rows(dealt.table), store.standing(dealt.table)) == (None, [], None)


def test_an_old_secret_deletes_nothing(dealt: Dealt) -> None:
    new = dealt.call("POST", "/handover").json["dealer"]
    is_error(dealt.call("DELETE"), 403)
    is_error(dealt.call("DELETE", secret=None), 401)
    assert dealt.state()["version"] == 1
    assert dealt.call("DELETE", secret=new).status_code == 204


def test_the_dealer_is_asked_twice(app: Flask) -> None:
    phone, follower = app.test_client(), app.test_client()
    table, stays = ana(phone), ana(phone)
    follower.post(f"/t/{table}/me", data={"me": "Ben"})
    assert f'href="/t/{table}/delete"' in phone.get(f"/t/{table}/evening").text
    first = phone.get(f"/t/{table}/delete").text
    assert "Delete for good…" in first
    assert 'name="sure"' not in first
    second = phone.post(f"/t/{table}/delete").text
    assert "Yes, delete it for everybody" in second
    assert re.search(r'name="sure" value="yes"', second)
    assert phone.get(f"/t/{table}").status_code == 200, "it was only asked"
    answer = phone.post(f"/t/{table}/delete", data=SURE)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/evenings")
    for client in (phone, follower, app.test_client()):
        assert_gone(client, table)
    assert listed(phone) == [stays]
    assert listed(follower) == []
    assert phone.post(f"/t/{table}/delete", data=SURE).status_code == 404


def test_a_phone_that_only_follows_deletes_nothing(app: Flask) -> None:
    phone, follower = app.test_client(), app.test_client()
    table = ana(phone)
    follower.post(f"/t/{table}/me", data={"me": "Ben"})
    assert f'href="/t/{table}/delete"' not in follower.get(f"/t/{table}/evening").text
    for client in (follower, app.test_client()):
        page = client.get(f"/t/{table}/delete").text
        assert "Only the dealer’s phone can delete the table." in page
        assert "Delete for good…" not in page
        assert client.post(f"/t/{table}/delete", data=SURE).status_code == 403
    assert phone.get(f"/t/{table}").status_code == 200


def test_a_table_deleted_by_one_process_is_gone_in_the_other(two_apps: tuple[Flask, Flask]) -> None:
    here, there = (app.test_client() for app in two_apps)
    dealt = deal_at(here)
    secret = {"Authorization": f"Bearer {dealt.secret}"}
    tap = {"version": 1, "entries": ["7"]}
    assert there.post(f"/api/tables/{dealt.table}/entries", json=tap, headers=secret).status_code == 200
    assert dealt.call("DELETE").status_code == 204
    more = {"version": 2, "entries": ["3"]}
    is_error(there.post(f"/api/tables/{dealt.table}/entries", json=more, headers=secret), 404)
    assert there.get(f"/t/{dealt.table}").status_code == 404
