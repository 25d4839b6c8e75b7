"""Two phones at the same moment: the state that one of them read may be old when it acts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask

from companion.store import Row, Standing
from companion.store.memory import MemoryStore
from companion.web import create_app, slow
from companion.web.dealing import CannotTake, WrongSecret
from companion.web.tables import Tables

from .conftest import deal_at


class Overtaken(MemoryStore):
    """A store in which somebody else acts just after `standing` was read."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], object] | None = None
        self.read = 0

    def standing(self, table: str, client: str | None = None, phone: str | None = None) -> Standing | None:
        found = super().standing(table, client, phone)
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile:
            meanwhile()
        return found

    def rows(self, table: str, after: int = 0) -> list[Row]:
        self.read += 1
        time.sleep(0.05)
        return super().rows(table, after)


@pytest.fixture
def app() -> Iterator[Flask]:
    made = create_app(Overtaken(), {"SECRET_KEY": "a key for tests", "TAKEOVER_SILENCE": -1})
    with made.test_request_context():
        yield made


@pytest.fixture
def tables(app: Flask) -> Tables:
    found: Tables = app.extensions["tables"]
    return found


@pytest.fixture
def store(tables: Tables) -> Overtaken:
    assert isinstance(tables.store, Overtaken)
    return tables.store


def test_an_offered_deal_can_be_taken_only_once(app: Flask, tables: Tables, store: Overtaken) -> None:
    dealt = deal_at(app.test_client())
    tables.dealing.offer(dealt.table, dealt.secret)
    store.meanwhile = lambda: tables.dealing.take(dealt.table, "who was first")
    with pytest.raises(CannotTake):
        tables.dealing.take(dealt.table, "who was late")
    assert tables.load_for(dealt.table, "who was first")[1]


def test_a_deal_can_be_handed_over_only_once(app: Flask, tables: Tables, store: Overtaken) -> None:
    dealt = deal_at(app.test_client())
    first: list[str] = []
    store.meanwhile = lambda: first.append(tables.dealing.hand_over(dealt.table, dealt.secret))
    with pytest.raises(WrongSecret):
        tables.dealing.hand_over(dealt.table, dealt.secret)
    assert tables.load_for(dealt.table, first[0])[1]


def test_a_phone_that_no_longer_deals_cannot_offer_the_deal(app: Flask, tables: Tables, store: Overtaken) -> None:
    dealt = deal_at(app.test_client())
    store.meanwhile = lambda: tables.dealing.hand_over(dealt.table, dealt.secret)
    with pytest.raises(WrongSecret):
        tables.dealing.offer(dealt.table, dealt.secret)
    assert not tables.look(dealt.table, None).offered


def test_a_code_checked_before_a_handover_does_not_take_the_deal(app: Flask, tables: Tables, store: Overtaken) -> None:
    dealt = deal_at(app.test_client())
    code = tables.dealing.recovery_code(dealt.table)
    new: list[str] = []
    store.meanwhile = lambda: new.append(tables.dealing.hand_over(dealt.table, dealt.secret))
    with pytest.raises(CannotTake):
        tables.dealing.take(dealt.table, "another phone", code)
    assert tables.load_for(dealt.table, new[0])[1]


def test_taking_without_a_code_is_not_counted_as_a_guess(app: Flask, tables: Tables, store: Overtaken) -> None:
    dealt = deal_at(app.test_client())
    for _ in range(5):
        with pytest.raises(CannotTake):
            tables.dealing.take(dealt.table, "another phone")
    takeover = store.takeover(dealt.table)
    assert takeover is not None
    assert takeover.guesses == 0


def test_a_poll_overtaken_by_a_tap_does_not_replay_the_evening(app: Flask, tables: Tables, store: Overtaken) -> None:
    dealt = deal_at(app.test_client())
    store.read = 0
    store.meanwhile = lambda: dealt.enter("7")
    assert tables.load(dealt.table).version == 2
    assert store.read == 0


def test_a_long_table_requested_by_many_after_a_restart_is_replayed_once(
    app: Flask, tables: Tables, store: Overtaken, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow, "MANY", 0)
    monkeypatch.setattr(tables, "_slow", slow.SlowWork())
    dealt = deal_at(app.test_client())
    dealt.play("7", "3")
    tables._cache.clear()
    store.read = 0
    with ThreadPoolExecutor(slow.PLACES) as pool:
        versions = list(pool.map(lambda _: tables.load(dealt.table).version, range(slow.PLACES)))
    assert versions == [3] * slow.PLACES
    assert store.read == 1


def test_a_watchers_broken_form_shows_a_watchers_board(app: Flask) -> None:
    dealt = deal_at(app.test_client())
    somebody = app.test_client()
    for form in ({"entry": "7"}, {"entry": "7", "version": "1", "id": "\x01"}):
        answer = somebody.post(f"/t/{dealt.table}/enter", data=form, headers={"HX-Request": "true"})
        assert answer.status_code == 422
        assert 'class="board watch' in answer.text
        assert 'class="keys"' not in answer.text


def test_an_empty_id_is_invalid_in_the_api(app: Flask) -> None:
    dealt = deal_at(app.test_client())
    answer = dealt.enter("7", id="")
    assert (answer.status_code, answer.json["error"]) == (422, "invalid")
