"""Very long tables: their limits, and how slow requests about them wait."""

from __future__ import annotations

import re
import tracemalloc
from html import unescape

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.store.memory import MemoryStore
from companion.table import ledger, limits
from companion.table import table as evening
from companion.web import downloads, seats, slow, tables
from tests.markup import on_one_line

from ..conftest import Dealt, deal_at, waiting_room_full
from .conftest import RECORD, app_over


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def long_table(store: MemoryStore) -> Dealt:
    """A table of Rocket, where buying chips is always legal."""
    return deal_at(app_over(store).test_client(), game="rocket")


def restarted(dealt: Dealt, store: MemoryStore) -> Dealt:
    """The same table in a new process, whose cache is empty."""
    return Dealt(app_over(store).test_client(), dealt.table, dealt.secret, dealt.opening, dealt.version)


def refused(answer: TestResponse, code: str, sentence: str) -> None:
    assert answer.status_code == 422, answer.text
    assert (answer.json["error"], answer.json["message"]) == (code, sentence)


def exported(dealt: Dealt) -> Dealt:
    """Download the record and import it: the new table, with the same entries."""
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
    monkeypatch.setattr(limits, "MOST_ENTRIES", 5)
    sentence = "This table is full: a table has at most 5 entries. To go on, open a new table with the same people."
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


def test_a_table_changed_too_often_says_so_and_its_record_can_be_continued(
    long_table: Dealt, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_PLAYED", evening.KEEP_EVERY + 4)
    sentence = "This table has been changed too many times: save its file, then import it as a new table."
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
    monkeypatch.setattr(limits, "MOST_KEPT", 6)
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


SCORES = "game pairs cards=no limit=999"


@pytest.mark.parametrize("entry", ["score Ana 1", "buy Ana 1", "game blackstone"])
def test_a_table_uses_no_more_memory_than_its_weight_says(entry: str) -> None:
    names = [f"{letter}na" for letter in "ABCDEFGH"]
    entries = [SCORES, *[entry] * 800]
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        table = evening.Table.open(tables.GAMES, names, entries, "2026-11-17T21:00:00+00:00")
        weight = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert weight <= table.weight + tables.TABLE_BYTES
    assert table.weight < 6 * weight


def test_the_tables_kept_in_memory_are_limited_by_weight(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    app = app_over(store)
    client, cache = app.test_client(), app.extensions["tables"]._cache
    monkeypatch.setattr(tables, "CACHE_BYTES", 1_000_000)
    short = [deal_at(client).table for _ in range(6)]
    assert list(cache) == short
    for _ in range(5):
        record = "\n".join(("fifty-five 1", "seats Ana Ben", SCORES, *["score Ana 1"] * 100))
        newest = client.post("/api/tables/import", json={"record": record}).json["table"]
        assert sum(known.table.weight + tables.TABLE_BYTES for known in cache.values()) <= 1_000_000
    assert list(cache)[-1] == newest
    assert short[0] not in cache
    assert client.get(f"/api/tables/{short[0]}").status_code == 200, "it is read again"


def test_when_too_many_slow_requests_wait_more_are_refused(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests that replay or draw many entries are refused and change nothing. Taps, boards and short work go on."""
    monkeypatch.setattr(slow, "MANY", 20)
    app = app_over(store)
    mine = deal_at(app.test_client(), game="rocket")
    mine.play(*(f"buy Ana {chips}" for chips in range(1, 20)), *(f"buy Ana {chips}" for chips in range(1, 20)))
    visitor, restarted_app = app.test_client(), app_over(store)
    before = mine.everything()
    with waiting_room_full(app), waiting_room_full(restarted_app):
        for refused in (
            visitor.post("/api/tables/import", json={"record": RECORD + "buy Ana 5\n" * 40}),
            mine.do("DELETE", "/entries/1"),
            mine.do("DELETE", "/entries/1?preview=1"),
            mine.enter(*["buy Ana 1"] * 21),
            visitor.post(f"/t/{mine.table}/fork"),
            visitor.get(f"/t/{mine.table}/history?n=1&kind=remove", headers={"Authorization": f"Bearer {mine.secret}"}),
            visitor.get(f"/api/tables/{mine.table}/rows"),
            visitor.get(f"/t/{mine.table}/evening"),
            visitor.get(f"/t/{mine.table}/share.svg"),
            visitor.get(f"/t/{mine.table}/evening.csv"),
            visitor.get(f"/t/{mine.table}/record"),
            visitor.get(f"/t/{mine.table}/pass-on"),
            visitor.get("/phone/tables.txt"),
            visitor.post("/import", data={"record": f"{RECORD}\n{RECORD}", "preview": "1"}),
            restarted_app.test_client().get(f"/t/{mine.table}"),
        ):
            assert refused.status_code == 503, refused.request.path
            assert refused.headers["Retry-After"] == "2"
            assert "busy opening other long evenings" in unescape(refused.text)
        assert visitor.get(f"/t/{mine.table}").status_code == 200
        assert visitor.get(f"/t/{mine.table}/history").status_code == 200
        assert visitor.get(f"/t/{mine.table}/history?n=1&kind=remove").status_code == 200, "only the dealer repairs"
        assert mine.enter("buy Ana 1").status_code == 200
        assert mine.do("DELETE", "/entries/39").status_code == 200, "a repair of the last entry is short"
    assert mine.state()["seats"] == before[0]["seats"]
    assert visitor.get(f"/t/{mine.table}/evening").status_code == 200


def test_a_page_that_was_refused_reloads_itself(store: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow, "MANY", 1)
    app = app_over(store)
    mine = deal_at(app.test_client(), game="rocket")
    mine.play("buy Ana 1")
    with waiting_room_full(app):
        page = app.test_client().get(f"/t/{mine.table}/evening")
    assert (page.status_code, page.headers["Refresh"]) == (503, "2")


def test_only_the_dealer_makes_the_server_replay_for_a_rename(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rename in the middle of a round replays the round. A visitor is refused before that."""
    dealt = deal_at(app_over(store).test_client())
    dealt.play("7", "3", "9")
    monkeypatch.setattr(seats, "rename", None)
    form = {"name-0": "Ann", "version": dealt.version, "id": "a rename"}
    answer = dealt.client.application.test_client().post(f"/t/{dealt.table}/names", data=form)
    assert answer.status_code == 403


def paid_by_turns(dealt: Dealt) -> str:
    """The address of a table with thirty payments: fifteen by Ben, then fifteen by the bank."""
    dealt.play(*["pay Ben Ana 1"] * 15, *["buy Ana 2"] * 15)
    return f"/t/{dealt.table}"


def test_a_file_of_very_many_payments_links_to_the_older_ones(
    long_table: Dealt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "MOST_PAYMENTS", 12)
    address = f"{paid_by_turns(long_table)}/evening.csv"
    files: list[list[str]] = []
    while address:
        _head, *lines = long_table.client.get(address).text.splitlines()
        older = re.search(r"Older payments are in another file: http://localhost(/\S+)$", lines[0])
        address = older[1] if older else ""
        files.insert(0, lines[1:] if older else lines)
    assert list(map(len, files)) == [6, 12, 12]
    assert [line.split(",")[2] for lines in files for line in lines] == [str(number) for number in range(1, 31)]


def test_a_page_scans_a_limited_number_of_payments(long_table: Dealt, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player's old payments are found page by page."""
    monkeypatch.setattr(ledger, "MOST_SCANNED", 10)
    calls: list[int] = []
    tell = ledger._ledger_line
    monkeypatch.setattr(ledger, "_ledger_line", lambda *line: calls.append(1) or tell(*line))
    address = f"{paid_by_turns(long_table)}/payments?who=Ben"
    found = []
    for _page in range(3):
        page = on_one_line(long_table.client.get(address).text)
        assert len(calls) <= 11, "one more tells that there are older ones"
        calls.clear()
        found.append((page.count("<bdi>Ben</bdi> → "), "None on this page." in page))
        older = re.search(r'href="([^"]+)"> ?Older payments', page)
        address = unescape(older[1]) if older else ""
    assert found == [(0, True), (5, False), (10, False)]
    assert not address


PAGES = (
    "",
    "/history",
    "/history?n=1&kind=remove",
    "/evening",
    "/evening?by=game",
    "/evening?before=9",
    "/payments",
    "/luck",
)


def test_no_page_of_a_long_table_is_long(anybody: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """After three hundred games and forty people, every page is short, and showing it to a watcher replays no entry."""
    names = [f"P{number}" for number in range(40)]
    entries = [SCORES]
    for leaver, newcomer in zip(names, names[8:], strict=False):
        entries += [f"leave {leaver}", f"sit {newcomer}", f"score {newcomer} 3"]
    entries += ["game pairs cards=no limit=9 stakes=tacoma", "score P33 4", "score P34 9"] * 300
    record = "\n".join(("fifty-five 1", f"seats {' '.join(names[:8])}", *entries))
    table = anybody.post("/api/tables/import", json={"record": record}).json["table"]
    watcher = anybody.application.test_client()
    monkeypatch.setattr("companion.table.log.play", None)
    for page in PAGES:
        answer = watcher.get(f"/t/{table}{page}")
        assert answer.status_code == 200
        assert len(answer.data) < 200_000, page
