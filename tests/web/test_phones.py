"""A phone is one secret: what its cookie holds, where it deals, and the list of its tables."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.store import Row
from companion.store.memory import MemoryStore
from companion.table.change import Change
from companion.web import create_app

from .conftest import deal_at, statements
from .test_rows import NEW, OPENING, row, sent

OLD_COOKIE = Path(__file__).parents[1] / "fixtures" / "cookie-of-release-0.1.0.json"
TAP = {"version": "1", "entry": "7"}


def opened(phone: FlaskClient, **form: str) -> str:
    """The id of a new table."""
    answer = phone.post("/tables", data={"game": "pairs", "seats": "2", **form})
    assert answer.status_code == 303
    return answer.headers["Location"].rpartition("/")[2]


def deals_at(phone: FlaskClient, table: str, version: int = 1) -> bool:
    answer = phone.post(f"/t/{table}/enter", data={"version": str(version), "entry": "buy Ana 5"})
    return answer.status_code == 303


def listed(phone: FlaskClient) -> list[str]:
    """The ids of the tables in a phone's list, as its page shows them."""
    found: list[str] = []
    page: str | None = "/evenings"
    while page:
        text = phone.get(page).text
        found += re.findall(r'class="tile" href="/t/([^"/]+)"', text)
        more = re.search(r'href="(/evenings\?from=\d+)"', text)
        page = more[1] if more else None
    return found


def kept_in_cookie(phone: FlaskClient) -> dict[str, Any]:
    with phone.session_transaction() as session:
        return dict(session)


def ana(phone: FlaskClient) -> str:
    return opened(phone, **{"name-0": "Ana", "name-1": "Ben"})


def test_a_phone_that_opens_sixty_tables_deals_at_all_of_them(app: Flask) -> None:
    phone = app.test_client()
    tables = [ana(phone) for _ in range(60)]
    before = phone.get_cookie("fifty-five")
    for table in tables:
        assert deals_at(phone, table)
    assert sorted(listed(phone)) == sorted(tables)
    assert phone.get_cookie("fifty-five") == before
    assert not any(table in str(kept_in_cookie(phone)) for table in tables), "nothing of a table is in the cookie"


def test_the_secret_of_one_table_opens_no_other(app: Flask) -> None:
    """It is made from the phone's secret, which cannot be worked out from it."""
    phone = app.test_client()
    one, other = ana(phone), ana(phone)
    secret = kept_in_cookie(phone)["phone"]
    assert all(secret not in phone.get(f"/t/{table}{page}").text for table in (one, other) for page in ("", "/code"))
    stored = app.extensions["tables"].store
    assert len({stored.standing(one).secret, stored.standing(other).secret, secret}) == 3


def test_a_phone_sees_no_table_of_another_phone(app: Flask) -> None:
    phone, other = app.test_client(), app.test_client()
    table = ana(phone)
    assert listed(other) == []
    ana(other)
    assert table not in listed(other)
    assert not deals_at(other, table)


# -- cookies of release 0.1.0


@pytest.fixture
def old() -> dict[str, Any]:
    """A cookie written by release 0.1.0, with its server's key and the tables it knew."""
    found: dict[str, Any] = json.loads(OLD_COOKIE.read_text("utf-8"))
    return found


@pytest.fixture
def old_phone(old: dict[str, Any]) -> FlaskClient:
    store = MemoryStore()
    for minute, (table, kept) in enumerate(old["tables"].items()):
        opening = Row(1, Change("open", tuple(kept["opening"])), f"2026-11-19T20:0{minute}:00+00:00")
        store.create(table, tuple(kept["names"]), kept["secret"], opening)
    app = create_app(store, {"SECRET_KEY": old["key"], "PERMANENT_SESSION_LIFETIME": 10**9})
    return with_cookie(app, old["cookie"])


def with_cookie(app: Flask, cookie: str) -> FlaskClient:
    phone = app.test_client()
    phone.set_cookie("fifty-five", cookie)
    return phone


def tap(phone: FlaskClient, table: str, version: int = 1) -> int:
    return phone.post(f"/t/{table}/enter", data={"version": str(version), "entry": "7"}).status_code


def test_an_old_cookie_keeps_its_right_to_deal(old: dict[str, Any], old_phone: FlaskClient) -> None:
    assert [tap(old_phone, table) for table in old["dealt"]] == [303] * 3
    assert tap(old_phone, old["followed"]) == 403
    kept = kept_in_cookie(old_phone)
    assert set(kept) == {"_permanent", "language", "people", "phone", "setup"}, "nothing of a table is left in it"
    assert kept["language"] == "fr"
    assert [tap(old_phone, table, 2) for table in old["dealt"]] == [303] * 3


@pytest.mark.parametrize("path", ["/static/app.css", "/sw.js", "/manifest.webmanifest", "/healthz"])
def test_no_cookie_comes_with_a_file_that_caches_share(old_phone: FlaskClient, path: str) -> None:
    answer = old_phone.get(path)
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers


def test_the_tables_of_an_old_cookie_join_the_list(old: dict[str, Any], old_phone: FlaskClient) -> None:
    assert listed(old_phone) == [old["followed"], *reversed(old["dealt"])]
    old_phone.post("/settings", data={"language": "en"})
    code = old_phone.get(f"/t/{old['followed']}/code").text
    assert "Takeover code" in code, "it is shown where a seat was chosen"
    assert "Takeover code" not in old_phone.application.test_client().get(f"/t/{old['followed']}/code").text


def test_an_old_cookie_works_again_after_a_lost_answer(old: dict[str, Any], old_phone: FlaskClient) -> None:
    """The answer that brought the new cookie never arrived."""
    assert [tap(old_phone, table) for table in old["dealt"]] == [303] * 3
    again = with_cookie(old_phone.application, old["cookie"])
    assert [tap(again, table, 2) for table in old["dealt"]] == [303] * 3
    assert kept_in_cookie(again)["phone"] == kept_in_cookie(old_phone)["phone"]


def test_an_old_cookie_of_a_phone_that_only_watched_gets_a_secret_of_its_own(app: Flask) -> None:
    table = deal_at(app.test_client()).table
    secrets = []
    for _ in range(2):
        phone = app.test_client()
        with phone.session_transaction() as session:
            session["me"] = {table: "Ana"}
        assert listed(phone) == [table]
        secrets.append(kept_in_cookie(phone)["phone"])
    assert secrets[0] != secrets[1]


# -- the deal goes from phone to phone


def test_a_phone_that_takes_an_offered_deal_has_the_table_in_its_list(app: Flask) -> None:
    first, next_one = app.test_client(), app.test_client()
    table = ana(first)
    first.post(f"/t/{table}/handover")
    assert next_one.post(f"/t/{table}/take").status_code == 303
    assert deals_at(next_one, table)
    assert not deals_at(first, table, 2)
    assert listed(next_one) == listed(first) == [table]
    next_one.post(f"/t/{table}/handover")
    first.post(f"/t/{table}/take")
    assert deals_at(first, table, 2)
    assert not deals_at(next_one, table, 3)


def test_a_phone_that_takes_over_by_code_has_the_table_in_its_list(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.config, "TAKEOVER_SILENCE", -1)
    first, next_one = app.test_client(), app.test_client()
    table = ana(first)
    with app.app_context():
        code = app.extensions["tables"].dealing.recovery_code(table)
    assert next_one.post(f"/t/{table}/take", data={"recovery": "000000"}).status_code in (403, 429) or code == "000000"
    assert listed(next_one) == []
    assert next_one.post(f"/t/{table}/take", data={"recovery": code}).status_code == 303
    assert listed(next_one) == [table]
    assert deals_at(next_one, table)
    assert not deals_at(first, table, 2)


def test_a_secret_handed_over_by_a_program_ends_the_right_of_the_cookie(app: Flask) -> None:
    phone = app.test_client()
    table = ana(phone)
    new = phone.post(f"/api/tables/{table}/handover").json["dealer"]
    assert not deals_at(phone, table)
    answer = app.test_client().post(
        f"/api/tables/{table}/entries",
        json={"version": 1, "entries": ["7"]},
        headers={"Authorization": f"Bearer {new}"},
    )
    assert answer.status_code == 200


# -- tables that were opened without signal


def test_a_table_opened_without_signal_joins_the_list_of_the_phone_that_sends_it(app: Flask) -> None:
    phone, table = app.test_client(), f"{NEW}-{id(app)}"
    known = ana(phone)
    assert sent(phone, table, OPENING, row(2, "7")).status_code == 200
    assert set(listed(phone)) == {known, table}
    assert deals_at(phone, table, 2)
    assert sent(app.test_client(), table, row(4, "9")).status_code == 401


def test_a_phone_that_lost_its_cookie_proves_that_it_opened_the_table(app: Flask) -> None:
    first, again, stranger = (app.test_client() for _ in range(3))
    table = f"{NEW}-again-{id(app)}"
    assert sent(first, table, OPENING).status_code == 200  # and this answer is lost
    assert sent(stranger, table, row(2, "7"), opening="an id that is made up").status_code == 401
    ana(stranger)
    assert sent(stranger, table, row(2, "7"), opening="an id that is made up").status_code == 403
    assert sent(again, table, row(2, "7"), opening=OPENING["client"]).status_code == 200
    assert listed(again) == [table]
    assert deals_at(again, table, 2)


def test_the_proof_is_void_once_the_deal_went_to_another_phone(app: Flask) -> None:
    first, dealer, again = (app.test_client() for _ in range(3))
    table = f"{NEW}-void-{id(app)}"
    assert sent(first, table, OPENING).status_code == 200
    first.post(f"/t/{table}/handover")
    dealer.post(f"/t/{table}/take")
    assert sent(again, table, row(2, "7"), opening=OPENING["client"]).status_code == 401
    assert deals_at(dealer, table)


# -- cost


def test_a_tap_and_a_poll_are_one_statement_on_a_phone_with_many_tables(tmp_path: Path) -> None:
    app = create_app(None, {"DATA": str(tmp_path)})
    sent_to_sqlite = statements(app)
    phone, watcher = app.test_client(), app.test_client()
    tables = [ana(phone) for _ in range(30)]
    for table in tables[:10]:
        watcher.post(f"/t/{table}/me", data={"me": "Ben"})
    for client, method, path, data in (
        (phone, "POST", "/enter", TAP),
        (watcher, "GET", "", None),
        (watcher, "GET", "?seen=an-older-board", None),
    ):
        sent_to_sqlite.clear()
        answer = client.open(f"/t/{tables[3]}{path}", method=method, data=data, headers={"HX-Request": "true"})
        assert answer.status_code == 200
        assert len(sent_to_sqlite) == 1, sent_to_sqlite
