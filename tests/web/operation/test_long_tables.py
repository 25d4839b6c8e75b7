"""A table that never ends."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from companion.store.memory import MemoryStore
from companion.table import table as evening

from ..conftest import Dealt, deal_at
from .conftest import RECORD, app_over


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
    sentence = "This table is full: it has 5 entries. Open a new table."
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
