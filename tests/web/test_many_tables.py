"""All tables of a phone saved in one file, and that file imported again."""

from __future__ import annotations

import gc
import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from flask.testing import FlaskClient

from companion.store.memory import MemoryStore
from companion.table.table import Table
from companion.web import create_app, importing, slow
from companion.web import files as many_tables
from companion.web.dealing import fingerprint

FILE = """fifty-five 1
# played 2026-03-01T21:15:00+00:00
seats Ana Ben
game pairs
7
3

fifty-five 1
# played 2026-03-02T22:40:00+00:00
seats Cleo Dan Eve
game rocket
"""


@pytest.fixture
def phone() -> FlaskClient:
    return new_phone()


def new_phone(**config: int) -> FlaskClient:
    return create_app(MemoryStore(), {"SECRET_KEY": "key", **config}).test_client()


def tables_on(phone: FlaskClient) -> list[str]:
    """The ids of the tables in the phone's list, newest first."""
    return re.findall(r'class="tile" href="/t/([^"]+)"', phone.get("/phone").text)


def logs(phone: FlaskClient) -> list[list[str]]:
    return [
        [line["entry"] for line in phone.get(f"/api/tables/{table}/log").json["entries"]] for table in tables_on(phone)
    ]


def opened_from(phone: FlaskClient, text: str, client: str = "form-0123456789abcdef") -> int:
    return phone.post("/import", data={"record": text, "id": client}).status_code


def test_reading_a_file_is_one_turn_of_slow_work(phone: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables in it take no turns of their own, for which they would wait for ever."""
    monkeypatch.setattr(slow, "MANY", 1)
    assert opened_from(phone, FILE) == 303
    assert phone.get("/phone/tables.txt").text.count("fifty-five 1") == 2
    assert logs(phone) == [["game rocket"], ["game pairs", "7", "3"]]


def test_all_tables_can_be_moved_to_another_phone_in_one_file(phone: FlaskClient) -> None:
    phone.post("/tables", data={"game": "pairs", "seats": "2", "name-0": "Ana", "name-1": "Ben"})
    (table,) = tables_on(phone)
    phone.post(f"/t/{table}/enter", data={"version": "1", "entry": "7"})
    phone.post("/tables", data={"game": "blackstone", "seats": "3"})
    saved = phone.get("/phone/tables.txt")
    assert saved.headers["Content-Disposition"] == 'attachment; filename="fifty-five-tables.txt"'
    assert saved.text.count("fifty-five 1") == 2
    assert saved.text.index("game pairs") < saved.text.index("game blackstone"), "the newest is last"
    other = new_phone()
    assert opened_from(other, saved.text) == 303
    assert logs(other) == logs(phone) == [["game blackstone"], ["game pairs", "7"]]
    assert not set(tables_on(other)) & set(tables_on(phone)), "a file gives nobody the right to the old table"


def test_the_tables_of_a_file_are_shown_before_they_are_opened(phone: FlaskClient) -> None:
    page = phone.post("/import", data={"record": FILE, "preview": "1"}).text
    for words in ("Pairs", "Ana, Ben", "2 entries", "Rocket", "Cleo, Dan, Eve", "Open 2 tables here"):
        assert words in page
    assert tables_on(phone) == []
    (text,) = re.findall(r'name="record" value="([^"]*)"', page)
    assert opened_from(phone, unescape(text)) == 303
    assert logs(phone) == [["game rocket"], ["game pairs", "7", "3"]]


def test_the_list_says_when_each_was_played(phone: FlaskClient) -> None:
    """A date in the future is shown as today, and an impossible date is left out."""
    yesterday = (datetime.now(UTC) - timedelta(days=1)).isoformat(timespec="seconds")
    file = FILE.replace("2026-03-01T21:15:00+00:00", yesterday)
    page = phone.post("/import", data={"record": file.replace("2026-03", "2099-03"), "preview": "1"}).text
    assert "1 day ago · 2 entries" in page
    assert "today · 0 entries" in page
    page = phone.post("/import", data={"record": file.replace("2026-03", "2026-13"), "preview": "1"}).text
    assert "1 day ago · 2 entries" in page
    assert ">0 entries" in page
    assert opened_from(phone, file.replace("2026-03-02", "2025-02-31")) == 303
    assert phone.get("/evenings").status_code == 200


def test_an_evening_keeps_its_date_but_a_future_date_becomes_today(phone: FlaskClient) -> None:
    opened_from(phone, FILE.replace("2026-03-02", "2099-03-02"))
    assert "2026-03-01T21:15:00+00:00" in phone.get("/phone/tables.txt").text
    assert "2099" not in phone.get("/phone/tables.txt").text


def test_tables_already_on_the_phone_stay_as_they_are(phone: FlaskClient) -> None:
    opened_from(phone, FILE)
    _rocket, pairs = before = tables_on(phone)
    phone.post(f"/t/{pairs}/enter", data={"version": "1", "entry": "9"})
    page = phone.post("/import", data={"record": FILE, "preview": "1"}).text
    assert page.count("already on this phone") == 2
    assert opened_from(phone, FILE, "form-another0123456789") == 303
    assert set(tables_on(phone)) == set(before), "an older copy of a table that went on is no new table"
    assert sorted(map(len, logs(phone))) == [1, 4]
    # A record that differs is a new table.
    assert opened_from(phone, FILE.replace("7\n3", "7\n4"), "form-third0123456789") == 303
    assert len(tables_on(phone)) == 3
    assert ["game pairs", "7", "3", "9"] in logs(phone)


def test_a_form_sent_twice_opens_each_table_once(phone: FlaskClient) -> None:
    """The first answer, with its cookie, was lost: the phone has the cookie that came with the form."""
    phone.get("/import")
    cookie = phone.get_cookie("fifty-five")
    assert cookie
    for _ in range(2):
        tab = phone.application.test_client()
        tab.set_cookie("fifty-five", cookie.value)
        assert opened_from(tab, FILE) == 303
    assert len(tables_on(tab)) == len(phone.application.extensions["tables"].store.tables()) == 2


def test_a_long_file_is_read_in_parts(phone: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "PART", 2)
    evenings = [f"fifty-five 1\nseats Ana Ben\ngame pairs\n{card}\n" for card in (1, 2, 3, 4, 5)]
    page = phone.post("/import", data={"record": "".join(evenings), "preview": "1"}).text
    for words in ("1–2 of 5", "3–4 of 5", "5–5 of 5"):
        assert words in page
        assert page.count('<li class="panel">') == (1 if words == "5–5 of 5" else 2)
        assert ("The other tables of the file come next." in page) == (words != "5–5 of 5")
        hidden = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
        page = phone.post("/import", data={name: unescape(value) for name, value in hidden}, follow_redirects=True).text
    assert sorted(log[-1] for log in logs(phone)) == ["1", "2", "3", "4", "5"]
    assert "<h1>My tables</h1>" in page


def test_a_part_that_is_on_the_phone_already_can_be_passed_over(
    phone: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "PART", 1)
    opened_from(phone, FILE)
    page = phone.post("/import", data={"record": FILE, "preview": "1"}).text
    assert "already on this phone" in page
    assert "Go on" in page
    assert "Open 1 table here" in phone.post("/import", data={"record": FILE}).text


def test_a_file_is_read_without_holding_all_tables_of_the_phone(
    phone: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def count() -> int:
        gc.collect()
        return sum(isinstance(one, Table) for one in gc.get_objects())

    opened_from(phone, FILE)
    for table in tables_on(phone):
        phone.application.extensions["tables"].forget(table)
    before, held = count(), list[int]()
    read = importing.read_table
    monkeypatch.setattr(importing, "read_table", lambda *given: held.append(count()) or read(*given))
    page = phone.post("/import", data={"record": FILE, "preview": "1"}).text
    assert page.count("already on this phone") == 2
    assert held == [before, before]


def test_a_wrong_line_is_named_and_nothing_is_opened(phone: FlaskClient) -> None:
    answer = phone.post("/import", data={"record": FILE + "11\n"})
    assert answer.status_code == 422
    assert "Line 12: " in answer.text
    assert tables_on(phone) == []


def test_the_size_of_a_file_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    phone = new_phone(TABLES_OF_A_PHONE=1)
    answer = phone.post("/import", data={"record": FILE})
    assert (answer.status_code, tables_on(phone)) == (422, [])
    assert "New tables in this file: 2. This phone has room for 1 more." in answer.text
    monkeypatch.setattr(many_tables, "MOST_TABLES", 1)
    assert "This file is too long." in phone.post("/import", data={"record": FILE}).text
    monkeypatch.setattr(many_tables, "MOST_TABLES", 2)
    monkeypatch.setattr(many_tables, "MOST_LINES", 10)
    assert "This file is too long." in phone.post("/import", data={"record": FILE}).text
    for ending in ("\n", "\r"):  # lines are counted before they are read
        assert "This file is too long." in phone.post("/import", data={"record": ending * 21}).text


def test_a_file_opens_all_its_tables_or_none() -> None:
    phone = new_phone(TABLES_PER_HOUR=1)
    there = {"REMOTE_ADDR": "198.51.100.7"}
    answer = phone.post("/import", data={"record": FILE}, environ_base=there)
    assert (answer.status_code, tables_on(phone)) == (429, [])
    assert phone.post("/tables", data={"game": "pairs", "seats": "2"}, environ_base=there).status_code == 303


def test_each_table_of_a_file_counts_as_an_opening() -> None:
    phone = new_phone(TABLES_PER_HOUR=3)
    there = {"REMOTE_ADDR": "198.51.100.7"}
    answers = [phone.post("/import", data={"record": FILE, "preview": "1"}, environ_base=there) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 429]


def test_a_phone_without_tables_offers_no_file(phone: FlaskClient) -> None:
    assert "Save all tables" not in phone.get("/phone").text
    assert phone.get("/phone/tables.txt").text == ""


# -- what the list says of the tables


def list_of(phone: FlaskClient) -> list[tuple[str, bool, str]]:
    """The first entry, whether it is out of sight, and the seat, of each table in the list."""
    with phone.session_transaction() as session:
        own = fingerprint(session["phone"])
    store = phone.application.extensions["tables"].store
    return [(store.names(one.table)[0], one.hidden, one.seat) for one in store.listed(own)]


def aliases_of(phone: FlaskClient) -> dict[str, str]:
    with phone.session_transaction() as session:
        return dict(phone.application.extensions["tables"].store.aliases(fingerprint(session["phone"])))


@pytest.fixture
def saved(phone: FlaskClient) -> str:
    """A file of three tables with a name, a seat, one out of sight, and two names of one person."""
    for first in ("Ana", "Cleo", "Eve"):
        address = phone.post("/tables", data={"seats": "2", "name-0": first, "name-1": "Ben"}).headers["Location"]
    phone.post(f"{address}/evening/enter", data={"version": "1", "title": "The Anchor"})
    phone.post(f"{address}/me", data={"me": "Ben"})
    with phone.session_transaction() as session:
        own = fingerprint(session["phone"])
    store = phone.application.extensions["tables"].store
    hidden = next(one.table for one in store.listed(own) if store.names(one.table)[0] == "Cleo")
    store.remember(own, hidden, hidden=True)
    store.set_alias(own, "ben", "Benoît")
    return phone.get("/phone/tables.txt").text


def test_the_file_holds_names_aliases_and_what_is_out_of_sight(phone: FlaskClient, saved: str) -> None:
    other = new_phone()
    assert opened_from(other, saved) == 303
    assert (
        sorted(list_of(other))
        == sorted(list_of(phone))
        == [
            ("Ana", False, ""),
            ("Cleo", True, ""),
            ("Eve", False, "Ben"),
        ]
    )
    assert aliases_of(other) == {"ben": "Benoît"}
    assert len(tables_on(other)) == 2, "what is out of sight stays so"
    assert 'title "The Anchor"' in [entry for log in logs(other) for entry in log]
    assert other.get("/phone/tables.txt").text == saved


def test_reading_the_file_twice_changes_nothing(phone: FlaskClient, saved: str) -> None:
    other = new_phone()
    opened_from(other, saved)
    before = list_of(other), aliases_of(other), tables_on(other)
    assert opened_from(other, saved, "form-another0123456789") == 303
    assert (list_of(other), aliases_of(other), tables_on(other)) == before
    assert opened_from(phone, saved, "form-third0123456789") == 303
    assert phone.get("/phone/tables.txt").text == saved


def test_what_the_phone_knows_stays_when_a_file_is_read(phone: FlaskClient, saved: str) -> None:
    other = new_phone()
    opened_from(other, saved)
    with other.session_transaction() as session:
        own = fingerprint(session["phone"])
    store = other.application.extensions["tables"].store
    store.set_alias(own, "ben", "Benjamin")
    for one in store.listed(own):
        store.remember(own, one.table, hidden=False)
    opened_from(other, saved, "form-another0123456789")
    assert aliases_of(other)["ben"] == "Benjamin"
    assert not any(hidden for _name, hidden, _seat in list_of(other))


def test_a_file_of_one_table_keeps_its_date_and_its_place(phone: FlaskClient) -> None:
    one = "\n".join((*FILE.splitlines()[:2], "# out of sight", '# seat "Ben"', *FILE.splitlines()[2:6], ""))
    assert opened_from(phone, one) == 303
    assert list_of(phone) == [("Ana", True, "Ben")]
    assert "2026-03-01T21:15:00+00:00" in phone.get("/phone/tables.txt").text


@pytest.mark.parametrize(
    "line",
    ['# also "ben": "ben"', '# also "a": "Ana"', '# also "": "Ben"', '# also "x": "' + "W" * 30 + '"', '# seat "Zoe"'],
)
def test_a_note_that_makes_no_sense_is_passed_over(phone: FlaskClient, line: str) -> None:
    assert opened_from(phone, f"{FILE}\n{line}\n") == 303
    assert aliases_of(phone) == {}
    assert len(tables_on(phone)) == 2


def test_a_file_of_all_tables_leaves_the_cache_to_the_tables_in_play(phone: FlaskClient) -> None:
    opened_from(phone, FILE)
    cache = phone.application.extensions["tables"]._cache
    cache.clear()
    assert phone.get("/phone/tables.txt").text.count("fifty-five 1") == 2
    assert phone.post("/import", data={"record": FILE, "preview": "1"}).text.count("already on this phone") == 2
    assert not cache
