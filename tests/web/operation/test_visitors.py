"""How many tables one address may open, with and without a proxy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.store.memory import MemoryStore
from companion.web.rate import HOUR, OpeningRate
from companion.web.slow import SlowWork
from companion.web.tables import Tables

from ..conftest import deal_at
from .conftest import RECORD, app_over, sentence_in

TABLE = {"seats": ["Ana", "Ben"], "game": "pairs"}
MANY = "Too many tables have been opened from here. Try again later."


def opening_from(phone: FlaskClient, address: str, **headers: str) -> int:
    """Open a table from an address; return the status."""
    return phone.post("/api/tables", json=TABLE, headers=headers, environ_base={"REMOTE_ADDR": address}).status_code


def test_an_address_opens_a_limited_number_of_tables() -> None:
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
        "Trop de tables ont été ouvertes d’ici. Réessaie plus tard.",
    )


def test_an_address_at_its_limit_can_play_on() -> None:
    phone = app_over(MemoryStore(), TABLES_PER_HOUR=1).test_client()
    phone.environ_base["REMOTE_ADDR"] = "203.0.113.7"
    dealt = deal_at(phone)
    assert opening_from(phone, "203.0.113.7") == 429
    dealt.play("4", "6")
    assert phone.get(f"/t/{dealt.table}").status_code == 200


def test_the_count_starts_again_after_an_hour() -> None:
    now = [HOUR * 1_000.0]
    app = app_over(MemoryStore())
    app.extensions["tables"] = Tables(MemoryStore(), OpeningRate(2, lambda: now[0]), SlowWork())
    phone = app.test_client()
    assert [opening_from(phone, "203.0.113.7") for _ in range(3)] == [201, 201, 429]
    now[0] += HOUR - 1
    assert opening_from(phone, "203.0.113.7") == 429
    now[0] += 1
    assert [opening_from(phone, "203.0.113.7") for _ in range(3)] == [201, 201, 429]


def test_an_ipv6_network_counts_as_one_address() -> None:
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
def test_tables_opened_from_this_machine_are_not_counted(address: str) -> None:
    phone = app_over(MemoryStore(), TABLES_PER_HOUR=1).test_client()
    assert [opening_from(phone, address) for _ in range(3)] == [201, 201, 201]


def test_a_table_that_was_refused_is_not_counted() -> None:
    phone = app_over(MemoryStore(), TABLES_PER_HOUR=1).test_client()
    phone.environ_base["REMOTE_ADDR"] = "203.0.113.7"
    for _ in range(2):
        assert phone.post("/api/tables", json={**TABLE, "game": "chess"}).status_code == 422
        assert phone.post("/api/tables", json={**TABLE, "seats": ["Ana"]}).status_code == 422
        assert phone.post("/tables", data={"seats": "99"}).status_code == 422
        assert phone.post("/new-evening", data={"table": "nobody's"}).status_code == 404
    assert opening_from(phone, "203.0.113.7") == 201
    assert opening_from(phone, "203.0.113.7") == 429


@pytest.mark.parametrize("how", [{"path": "/import", "data": {}}, {"path": "/api/tables/import", "json": {}}])
def test_a_record_that_cannot_be_read_is_counted(how: dict[str, Any]) -> None:
    """Finding its mistake costs as much as opening it."""
    phone = app_over(MemoryStore(), TABLES_PER_HOUR=2).test_client()
    phone.environ_base["REMOTE_ADDR"] = "203.0.113.7"
    path, (kind, _empty) = how["path"], list(how.items())[-1]
    for status in (422, 422, 429):
        assert phone.post(path, **{kind: {"record": f"{RECORD}11\n"}}).status_code == status
    assert opening_from(phone, "203.0.113.7") == 429
    assert opening_from(phone, "203.0.113.8") == 201


def test_every_way_to_open_a_table_is_counted() -> None:
    store = MemoryStore()
    old = deal_at(app_over(store).test_client()).table
    ways: list[Callable[[FlaskClient], TestResponse]] = [
        lambda phone: phone.post("/api/tables", json=TABLE),
        lambda phone: phone.post("/api/tables/import", json={"record": RECORD}),
        lambda phone: phone.post("/tables", data={"seats": "2", "game": "pairs"}),
        lambda phone: phone.post("/new-evening", data={"table": old}),
        lambda phone: phone.post("/import", data={"record": RECORD}),
    ]
    for way in ways:
        phone = app_over(store, TABLES_PER_HOUR=1).test_client()
        phone.environ_base["REMOTE_ADDR"] = "203.0.113.7"
        assert way(phone).status_code in (201, 303)
        for other in ways:
            assert other(phone).status_code == 429


FORWARDED = {"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "cards.example"}


def cookie_and_code(phone: FlaskClient) -> tuple[str, str]:
    """The dealer's cookie, and the page with the table's address."""
    opened = phone.post("/tables", data={"seats": "2", "game": "pairs"}, headers=FORWARDED)
    page = phone.get(f"{opened.headers['Location']}/code", headers=FORWARDED)
    assert page.status_code == 200
    return opened.headers["Set-Cookie"], page.text


def test_forwarded_headers_of_a_visitor_are_ignored() -> None:
    phone = app_over(MemoryStore(), TABLES_PER_HOUR=2).test_client()
    mine = [opening_from(phone, "198.51.100.1", **{**FORWARDED, "X-Forwarded-For": f"203.0.113.{i}"}) for i in range(3)]
    assert mine == [201, 201, 429]
    assert opening_from(phone, "198.51.100.2", **{"X-Forwarded-For": "127.0.0.1"}) == 201
    phone = app_over(MemoryStore()).test_client()
    cookie, page = cookie_and_code(phone)
    assert "Secure" not in cookie
    assert "http://localhost/t/" in page
    assert "cards.example" not in page


def test_forwarded_headers_of_our_proxy_are_used() -> None:
    phone = app_over(MemoryStore(), PROXIES=1, TABLES_PER_HOUR=2).test_client()
    for visitor in ("203.0.113.7", "203.0.113.8"):
        found = [opening_from(phone, "10.0.0.1", **{"X-Forwarded-For": visitor}) for _ in range(3)]
        assert found == [201, 201, 429]
    # The visitor sends a header of its own; our proxy appends the true address.
    liar = [opening_from(phone, "10.0.0.1", **{"X-Forwarded-For": f"192.0.2.{i}, 203.0.113.9"}) for i in range(3)]
    assert liar == [201, 201, 429]
    phone = app_over(MemoryStore(), PROXIES=1).test_client()
    cookie, page = cookie_and_code(phone)
    assert "Secure" in cookie
    assert "https://cards.example/t/" in page
