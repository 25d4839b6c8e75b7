"""My tables on another phone: by a code that works once and for three minutes; and a phone is taken away again."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from time import time

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.store.memory import MemoryStore
from companion.web import clock, create_app
from companion.web.another_phone import sealed, unsealed

from .conftest import app_on, close
from .test_phones import ana, deals_at, kept_in_cookie, listed

Freeze = Callable[[float], None]


@pytest.fixture
def freeze(monkeypatch: pytest.MonkeyPatch) -> Freeze:
    """Stop the clock, so many seconds after the start of the test."""
    start = time()

    def at(seconds: float) -> None:
        monkeypatch.setattr(clock, "time", lambda: start + seconds)

    at(0)
    return at


def code_of(phone: FlaskClient) -> str:
    """The code that a phone shows, as it is typed."""
    page = phone.post("/phone/another").text
    shown = re.search(r'<b class="code">([^<]+)</b>', page)
    assert shown
    return shown[1]


def add(phone: FlaskClient, code: str) -> int:
    """Type the code on another phone; the status of the answer."""
    page = phone.get("/phone/add", query_string={"code": code}).text
    hidden = re.search(r'name="code" value="([^"]+)"', page)
    assert hidden
    return phone.post("/phone/add", data={"code": hidden[1]}).status_code


def two_phones(app: Flask) -> tuple[FlaskClient, FlaskClient]:
    return app.test_client(), app.test_client()


def test_another_phone_sees_and_deals_at_the_same_tables(app: Flask) -> None:
    one, other = two_phones(app)
    tables = [ana(one) for _ in range(3)]
    assert add(other, code_of(one)) == 303
    assert sorted(listed(other)) == sorted(tables)
    assert all(deals_at(other, table) for table in tables)
    assert all(deals_at(one, table, 2) for table in tables)
    later = ana(other)
    assert deals_at(one, later), "also at those that are opened afterwards"
    assert later in listed(one)


def test_the_tables_of_the_other_phone_join_the_list(app: Flask) -> None:
    one, other = two_phones(app)
    first, second = ana(one), ana(other)
    followed = ana(app.test_client())
    other.post(f"/t/{followed}/me", data={"me": "Ben"})
    page = other.get("/phone/add").text
    assert "The 2 tables that are here now join them." in page
    assert add(other, code_of(one)) == 303
    assert sorted(listed(one)) == sorted(listed(other)) == sorted([first, second, followed])
    for phone, version in ((one, 1), (other, 2)):
        assert deals_at(phone, first, version)
        assert deals_at(phone, second, version)
        assert not deals_at(phone, followed)


def test_a_scanned_code_is_a_link_to_the_question(app: Flask) -> None:
    one, other = two_phones(app)
    table = ana(one)
    code = re.sub(r"\s", "", code_of(one))
    link = f"http://localhost/phone/add?code={code}"
    assert other.post("/join", data={"code": link}).headers["Location"].endswith(f"/phone/add?code={code}")
    page = other.get(link).text
    assert "Get the tables" in page
    assert table not in listed(other), "the link alone does nothing: messengers open links for a preview"
    assert other.post("/phone/add", data={"code": link}).status_code == 303
    assert listed(other) == [table]


@pytest.mark.parametrize(("seconds", "valid"), [(0, True), (179, True), (181, False), (10**6, False)])
def test_a_code_is_valid_for_three_minutes(app: Flask, freeze: Freeze, seconds: int, valid: bool) -> None:
    one, other = two_phones(app)
    table = ana(one)
    code = code_of(one)
    freeze(seconds)
    answer = other.post("/phone/add", data={"code": code})
    assert answer.status_code == (303 if valid else 422)
    assert listed(other) == ([table] if valid else [])
    assert ("it works once, for three minutes" in answer.text) == (not valid)


def test_a_code_used_twice_is_refused(app: Flask) -> None:
    one, other = two_phones(app)
    table, third = ana(one), app.test_client()
    code = code_of(one)
    assert add(other, code) == 303
    assert add(third, code) == 422
    assert listed(third) == []
    assert not deals_at(third, table)
    assert deals_at(other, table)


def test_a_new_code_ends_the_one_before(app: Flask) -> None:
    one, other = two_phones(app)
    ana(one)
    old = code_of(one)
    new = code_of(one)
    assert add(other, old) == 422
    assert add(other, new) == 303


@pytest.mark.parametrize("code", ["", "abcd efgh jkmn pqrs", "\0", "x" * 500, "/phone/add?code="])
def test_a_code_that_was_never_shown_changes_nothing(app: Flask, code: str) -> None:
    one, other = two_phones(app)
    ana(one)
    mine = ana(other)
    code_of(one)
    assert other.post("/phone/add", data={"code": code}).status_code == 422
    assert listed(other) == [mine]
    assert deals_at(other, mine)


def test_a_phone_that_scans_its_own_code_stays_as_it_is(app: Flask) -> None:
    phone = app.test_client()
    table = ana(phone)
    add(phone, code_of(phone))
    assert listed(phone) == [table]
    assert deals_at(phone, table)


def test_two_phones_that_scan_each_other_end_up_with_one_list(app: Flask) -> None:
    one, other = two_phones(app)
    first, second = ana(one), ana(other)
    of_one, of_other = code_of(one), code_of(other)
    assert sorted([add(one, of_other), add(other, of_one)]) == [303, 422]
    assert sorted(listed(one)) == sorted(listed(other)) == sorted([first, second])
    for phone, version in ((one, 1), (other, 2)):
        assert deals_at(phone, first, version)
        assert deals_at(phone, second, version)


class InBetween(MemoryStore):
    """A store in which another phone acts just before a code is claimed."""

    meanwhile: Callable[[], object] | None = None

    def claim(self, code: str):  # type: ignore[no-untyped-def]
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile:
            meanwhile()
        return super().claim(code)


def test_two_phones_that_scan_each_other_at_the_same_moment_lose_nothing() -> None:
    store = InBetween()
    one, other = two_phones(create_app(store, {"SECRET_KEY": "a key for tests"}))
    first, second = ana(one), ana(other)
    of_one, of_other = code_of(one), code_of(other)
    between: list[int] = []
    store.meanwhile = lambda: between.append(other.post("/phone/add", data={"code": of_one}).status_code)
    status = one.post("/phone/add", data={"code": of_other}).status_code
    assert [status, *between].count(303) <= 1, "never has each the secret of the other"
    assert deals_at(one, first)
    assert deals_at(other, second)


def test_two_phones_of_one_owner_open_tables_at_once(tmp_path: Path) -> None:
    app = app_on(tmp_path)
    one, other = two_phones(app)
    ana(one)
    add(other, code_of(one))
    together = Barrier(2)

    def open_some(phone: FlaskClient) -> list[str]:
        together.wait(timeout=60)
        return [ana(phone) for _ in range(10)]

    with ThreadPoolExecutor(2) as pool:
        opened = [table for some in pool.map(open_some, (one, other)) for table in some]
    assert len(set(opened)) == 20
    assert set(opened) < set(listed(one)) == set(listed(other))
    assert all(deals_at(phone, table, version) for version, phone in enumerate((one, other), 1) for table in opened)
    close(app)


# -- taken away again


def test_a_phone_that_forgets_leaves_the_tables_of_the_others(app: Flask) -> None:
    one, other = two_phones(app)
    table = ana(one)
    add(other, code_of(one))
    assert other.post("/forget").status_code == 303
    assert listed(other) == []
    assert not deals_at(other, table)
    assert kept_in_cookie(other).keys().isdisjoint({"language", "people"})
    assert listed(one) == [table]
    assert deals_at(one, table)


def test_the_tables_are_taken_off_a_lost_phone(app: Flask) -> None:
    one, lost = two_phones(app)
    stranger = app.test_client()
    tables, others = [ana(one), ana(one)], ana(stranger)
    one.post(f"/t/{others}/me", data={"me": "Ben"})
    add(lost, code_of(one))
    code = code_of(lost)
    one.get("/phone/alone")
    cookie = one.get_cookie("fifty-five")
    assert cookie
    assert one.post("/phone/alone").status_code == 303
    assert sorted(listed(one)) == sorted([*tables, others])
    assert listed(lost) == []
    assert not any(deals_at(lost, table) for table in tables)
    assert all(deals_at(one, table) for table in tables)
    assert deals_at(stranger, others), "nothing changes for the tables of others"
    assert add(app.test_client(), code) == 422, "a code that the lost phone has shown is void"
    # The answer was lost: the same form is sent again, with the cookie from before.
    again = app.test_client()
    again.set_cookie("fifty-five", cookie.value)
    assert again.post("/phone/alone").status_code == 303
    assert all(deals_at(again, table, 2) for table in tables)


# -- what the server keeps


def test_neither_the_code_nor_the_secret_is_in_the_database(tmp_path: Path) -> None:
    app = app_on(tmp_path)
    phone = app.test_client()
    ana(phone)
    code = re.sub(r"\s", "", code_of(phone))
    secret = kept_in_cookie(phone)["phone"]
    close(app)
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert code.encode() not in kept
    assert secret.encode() not in kept
    assert secret.encode().hex().encode() not in kept


def test_what_is_sealed_with_a_code_is_read_with_that_code_only() -> None:
    for secret in ("x" * 32, "ab" * 32):
        assert unsealed(sealed(secret, "code"), "code") == secret
        assert sealed(secret, "code") != sealed(secret, "cod") != secret
