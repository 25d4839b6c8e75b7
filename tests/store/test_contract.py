"""The contract that every store keeps, tested on each of them; and the additional guarantees of the databases."""

from __future__ import annotations

import re
import sqlite3
import stat
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import insert, inspect, select, text, update
from sqlalchemy.exc import IntegrityError

from companion.store import NotTheDealer, Row, StaleEntry, Standing, Store, StoreAway, Takeover
from companion.store.failures import ConnectionLost
from companion.store.models import ChangeRow, TableRow
from companion.store.opening import DATABASE, KEY, POSTGRESQL_OPTIONS
from companion.store.sql import SqlStore
from companion.store.statements import APPENDS
from companion.table.change import Change, Kind

from .conftest import NAMES, OPENING, OpenSql

LATER = "2025-01-01T20:01:00+00:00"


def row(number: int, *entries: str, client: str | None = None) -> Row:
    return Row(number, Change("enter", entries or ("8",)), LATER, client)


@pytest.fixture
def impatient_threads() -> Iterator[None]:
    """Switch threads as often as possible, to find a gap between a check and a write."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


class SlowId(str):
    """An id that is slow to compare, so that another thread can act between a check and a write."""

    __slots__ = ()
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        time.sleep(0.0002)
        return str.__eq__(self, other) is True


def wins(stores: list[Store], numbers: range) -> list[int]:
    """Append each number from one thread per store at once; return the accepted numbers, with repetitions."""
    together = Barrier(len(stores))

    def race(place: int) -> list[int]:
        won = []
        for number in numbers:
            together.wait(timeout=60)
            try:
                stores[place].append("t", row(number, f"score Ana {place + 1}", client=SlowId(f"{place}-{number}")))
            except StaleEntry:
                continue
            won.append(number)
        return won

    with ThreadPoolExecutor(len(stores)) as pool:
        return sorted(number for won in pool.map(race, range(len(stores))) for number in won)


# -- every store


def test_a_new_table_has_its_names_its_secret_and_its_first_row(store: Store) -> None:
    assert store.names("t") == NAMES
    assert store.rows("t") == [OPENING]
    assert store.standing("t") == Standing(version=1, secret="hash", seen=False)


def test_an_unknown_table_has_no_names_standing_or_rows(store: Store) -> None:
    assert store.names("nobody") is None
    assert store.standing("nobody") is None
    assert store.standing("nobody", "id") is None
    assert store.rows("nobody") == []


def test_a_table_id_can_be_used_only_once(store: Store) -> None:
    with pytest.raises(StaleEntry):
        store.create("t", ("Eve", "Mallory"), "other", OPENING)
    assert store.names("t") == NAMES
    assert store.rows("t") == [OPENING]
    assert store.standing("t") == Standing(1, "hash", False)


@pytest.mark.parametrize(
    "names",
    [
        ("Zoë", "Benoît", "Łukasz"),
        ("Anna Maria", "O'Brien", "back\\slash"),
        ("名前", "🂡 Ace", "ß"),
        ("Ben", "Ana"),
        tuple("HGFEDCBA"),
    ],
)
def test_names_are_kept_exactly_and_in_order(store: Store, names: tuple[str, ...]) -> None:
    store.create("other", names, "hash", OPENING)
    assert store.names("other") == names


def test_rows_are_in_order_from_any_version(store: Store) -> None:
    rows = [row(number, str(number)) for number in range(2, 13)]
    for one in rows:
        store.append("t", one)
    assert store.rows("t") == [OPENING, *rows]
    assert store.rows("t", after=1) == rows
    assert store.rows("t", after=10) == rows[-2:]
    assert store.rows("t", after=12) == []


def test_changing_the_returned_list_does_not_change_the_store(store: Store) -> None:
    store.rows("t").append(row(2))
    assert store.rows("t") == [OPENING]


def test_the_version_is_the_number_of_the_last_row(store: Store) -> None:
    for number in (2, 3, 4):
        store.append("t", row(number))
        standing = store.standing("t")
        assert standing is not None
        assert standing.version == number


@pytest.mark.parametrize("number", [3, 4, 100])
def test_a_gap_in_the_numbers_is_refused(store: Store, number: int) -> None:
    """A process that knows newer rows than the store, as after a restore, must write nothing."""
    with pytest.raises(StaleEntry):
        store.append("t", row(number), "hash")
    with pytest.raises(StaleEntry):
        store.append("t", row(number))
    with pytest.raises(StaleEntry):
        store.append("nobody", row(2))
    assert store.rows("t") == [OPENING]


def test_a_row_is_refused_unless_the_row_before_it_is_the_expected_one(store: Store) -> None:
    """After a restore there may be a different row with the same number."""
    long = "\n".join(["Zoë"] * 50)
    store.append("t", row(2, "7"), after=OPENING.mark)
    store.append("t", row(3, long), "hash", after=row(2, "7").mark)
    for other in (row(3, "9"), replace(row(3, long), at="2026-01-01T00:00:00+00:00"), row(2, "7")):
        with pytest.raises(StaleEntry):
            store.append("t", row(4, "9"), "hash", after=other.mark)
    standing = store.standing("t")
    assert standing is not None
    assert standing.mark == row(3, long).mark
    store.append("t", row(4, "9"), "hash", after=standing.mark)
    assert store.rows("t", after=3) == [row(4, "9")]


@pytest.mark.parametrize("number", [1, 2])
def test_a_number_already_used_is_stale(store: Store, number: int) -> None:
    store.append("t", row(2, "7"))
    with pytest.raises(StaleEntry):
        store.append("t", row(number, "9", client="late"))
    assert store.rows("t") == [OPENING, row(2, "7")]
    assert store.standing("t", "late") == Standing(2, "hash", False)


def test_a_client_id_is_accepted_once(store: Store) -> None:
    store.append("t", row(2, "7", client="tap"))
    with pytest.raises(StaleEntry):
        store.append("t", row(3, "7", client="tap"))
    assert store.rows("t") == [OPENING, row(2, "7", client="tap")]
    assert store.standing("t", "tap") == Standing(2, "hash", True)


def test_a_client_id_is_remembered_for_ever(store: Store) -> None:
    store.append("t", row(2, client="tap"))
    for number in range(3, 8):
        store.append("t", row(number, client=f"tap {number}"))
    assert store.standing("t", "tap") == Standing(7, "hash", True)


def test_only_exact_ids_count_as_seen(store: Store) -> None:
    store.append("t", row(2, client="tap"))
    for other in ("Tap", "tap ", "ta", "", "%", "t_p"):
        standing = store.standing("t", other)
        assert standing is not None
        assert not standing.seen, other


def test_a_row_without_an_id_does_not_count_as_seen(store: Store) -> None:
    """Most rows have no id, and must not count as having the same one."""
    store.append("t", row(2))
    store.append("t", row(3))
    assert store.standing("t") == Standing(3, "hash", False)
    assert store.standing("t", None) == Standing(3, "hash", False)


def test_two_tables_may_have_the_same_ids_and_numbers(store: Store) -> None:
    store.create("other", ("Cleo", "Dan"), "another hash", OPENING)
    store.append("t", row(2, "7", client="tap"))
    assert store.standing("other", "tap") == Standing(1, "another hash", False)
    store.append("other", row(2, "9", client="tap"))
    assert store.rows("t", after=1) == [row(2, "7", client="tap")]
    assert store.rows("other", after=1) == [row(2, "9", client="tap")]


@pytest.mark.parametrize(
    "entries",
    [
        ("8",),
        ("shuffle", "8", "fold"),
        ('rename Ben "Benoît d\'Aubépine"',),
        ('game pairs forfeit="a song, loudly: #1; DROP TABLE tables; --"',),
        ("Zoë: 9", "名前: 8", "🂡: 7"),
        ("  8  ", "\t9"),
        ("%s ? :name {x} \\n \\",),
        ("8", "8", "8"),
    ],
)
def test_entries_are_kept_exactly_and_in_order(store: Store, entries: tuple[str, ...]) -> None:
    store.append("t", row(2, *entries))
    (kept,) = store.rows("t", after=1)
    assert kept.change.entries == entries


@pytest.mark.parametrize(
    ("kind", "entries", "number"),
    [
        ("enter", ("7", "8"), None),
        ("amend", ("7",), 0),
        ("amend round", ("score Ana 7",), 12),
        ("insert", ("7",), 3),
        ("remove", (), 4),
        ("undo", (), None),
        ("redo", (), None),
    ],
)
def test_every_kind_of_change_is_kept(store: Store, kind: Kind, entries: tuple[str, ...], number: int | None) -> None:
    change = Row(2, Change(kind, entries, number), LATER, "tap")
    store.append("t", change)
    assert store.rows("t", after=1) == [change]


@pytest.mark.parametrize("client", ["'; DROP TABLE changes; --", "ä€😀", 'say "hi"', "x" * 100, " "])
def test_client_ids_are_kept_exactly(store: Store, client: str) -> None:
    store.append("t", row(2, client=client))
    assert store.rows("t")[1].client == client
    assert store.standing("t", client) == Standing(2, "hash", True)


def test_changing_the_secret_changes_nothing_else(store: Store) -> None:
    store.create("other", NAMES, "untouched", OPENING)
    store.append("t", row(2))
    store.change_secret("t", "new hash", 0)
    assert store.standing("t") == Standing(2, "new hash", False)
    assert store.rows("t") == [OPENING, row(2)]
    assert store.names("t") == NAMES
    assert store.standing("other") == Standing(1, "untouched", False)


def test_the_deal_can_be_taken_only_once_per_epoch(store: Store) -> None:
    assert store.takeover("t") == Takeover(0, 0, None, OPENING.at)
    assert not store.offer("t", "2026-01-01T00:00:00+00:00", "a dead hash")
    assert store.standing("t") == Standing(1, "hash", False, None)
    assert store.offer("t", "2026-01-01T00:00:00+00:00", "hash")
    assert store.guessed("t", 1, None)
    assert store.guessed("t", 2, "2026-01-01T00:00:10+00:00")
    assert not store.guessed("t", 2, None), "another try was counted as that"
    assert not store.guessed("t", 4, None)
    standing = store.standing("t")
    assert standing is not None
    assert standing.offered == "2026-01-01T00:00:00+00:00"
    assert store.takeover("t") == Takeover(0, 2, "2026-01-01T00:00:10+00:00", OPENING.at)
    assert store.change_secret("t", "new hash", 0)
    assert not store.change_secret("t", "newer hash", 0), "somebody was faster"
    assert store.standing("t") == Standing(1, "new hash", False, None)
    assert store.takeover("t") == Takeover(1, 0, None, OPENING.at)
    assert store.takeover("nowhere") is None


def test_the_last_write_is_dated_by_when_the_server_took_it(store: Store) -> None:
    """The time in the row may be much older, if the phone was offline."""
    store.append("t", replace(row(2, "7"), taken="2025-01-02T00:00:00+00:00"), "hash")
    takeover = store.takeover("t")
    assert takeover is not None
    assert takeover.last == "2025-01-02T00:00:00+00:00"
    store.append("t", row(3, "9"), "hash")
    takeover = store.takeover("t")
    assert takeover is not None
    assert takeover.last == LATER, "a row of an older release has no other time than its own"
    assert store.rows("t", after=1) == [row(2, "7"), row(3, "9")]


def test_an_old_secret_cannot_write(store: Store) -> None:
    store.append("t", row(2), "hash")
    store.change_secret("t", "new hash", 0)
    with pytest.raises(NotTheDealer):
        store.append("t", row(3), "hash")
    assert [kept.number for kept in store.rows("t")] == [1, 2]
    store.append("t", row(3), "new hash")


@pytest.mark.usefixtures("impatient_threads")
def test_of_two_threads_with_the_same_number_exactly_one_wins(store: Store) -> None:
    numbers = range(2, 32)
    assert wins([store, store], numbers) == list(numbers)
    assert [kept.number for kept in store.rows("t")] == [1, *numbers]


@pytest.mark.usefixtures("impatient_threads")
def test_of_many_threads_with_the_same_number_exactly_one_wins(store: Store) -> None:
    numbers = range(2, 12)
    assert wins([store] * 6, numbers) == list(numbers)
    assert [kept.number for kept in store.rows("t")] == [1, *numbers]


# -- the database


def test_sqlite_is_set_up_to_survive_a_power_cut(sqlite: SqlStore) -> None:
    """Settings apply to one connection, so a second one of the pool is tested too."""
    with sqlite.engine.connect() as first, sqlite.engine.connect() as second:
        for connection in (first, second):
            asked = {
                pragma: connection.execute(text(f"PRAGMA {pragma}")).scalar()
                for pragma in ("journal_mode", "synchronous", "foreign_keys")
            }
            assert asked == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
            waits = connection.execute(text("PRAGMA busy_timeout")).scalar()
            assert isinstance(waits, int)
            assert waits >= 1000


def test_readers_do_not_wait_for_the_writer(sql: SqlStore, open_sql: OpenSql) -> None:
    other = open_sql()
    with sql.transaction() as writing:
        writing.execute(insert(ChangeRow).values(table_id="t", number=2, kind="enter", entries="8", at=LATER))
        assert len(writing.execute(select(ChangeRow)).all()) == 2
        assert other.rows("t") == [OPENING]
        writing.rollback()


def test_constraints_are_named_by_the_convention(sql: SqlStore) -> None:
    looked = inspect(sql.engine)
    assert set(looked.get_table_names()) >= {"tables", "changes"}
    assert looked.get_pk_constraint("tables")["name"] == "pk_tables"
    assert looked.get_pk_constraint("changes")["name"] == "pk_changes"
    assert [key["name"] for key in looked.get_foreign_keys("changes")] == ["fk_changes_table_id_tables"]
    assert [key["name"] for key in looked.get_unique_constraints("changes")] == ["uq_changes_table_id_client"]
    for table in looked.get_table_names():
        # PostgreSQL also lists the index that a unique constraint is made of.
        indexes = [index["name"] for index in looked.get_indexes(table) if "duplicates_constraint" not in index]
        checks = [check["name"] for check in looked.get_check_constraints(table)]
        assert all(re.fullmatch(rf"ix_{table}_\w+", name or "") for name in indexes)
        assert all(re.fullmatch(rf"ck_{table}_\w+", name or "") for name in checks)


def test_a_change_needs_its_table(sql: SqlStore) -> None:
    with pytest.raises(IntegrityError), sql.engine.begin() as connection:
        connection.execute(insert(ChangeRow).values(table_id="nobody", number=1, kind="enter", entries="8", at=LATER))
    assert sql.rows("nobody") == []


def test_a_table_whose_first_row_fails_is_not_created(sql: SqlStore) -> None:
    nothing: str = None  # type: ignore[assignment]
    with pytest.raises(IntegrityError):
        sql.create("half", NAMES, "hash", Row(1, Change("open", ("game pairs",)), nothing))
    assert sql.names("half") is None
    assert sql.standing("half") is None


def test_a_tap_of_the_old_dealer_during_a_handover_is_refused(sql: SqlStore, open_sql: OpenSql) -> None:
    """The tap waits for the handover to commit, and is then refused, so the new dealer has no surprise row."""
    other = open_sql()
    with ThreadPoolExecutor(1) as pool:
        with sql.transaction() as connection:
            connection.execute(update(TableRow).values(secret="new hash", epoch=1))
            tap = pool.submit(other.append, "t", row(2), "hash")
            time.sleep(0.3)
            assert not tap.done()
        with pytest.raises(NotTheDealer):
            tap.result(timeout=60)
    assert sql.rows("t") == [OPENING]


def test_a_handover_waits_for_a_tap_under_way(sql: SqlStore, open_sql: OpenSql) -> None:
    other = open_sql()
    with ThreadPoolExecutor(1) as pool:
        with sql.transaction() as connection:
            columns = {
                "table_id": "t",
                "number": 2,
                "kind": "enter",
                "entry": None,
                "entries": "8",
                "client": None,
                "taken": None,
            }
            connection.execute(APPENDS[True, False], {**columns, "at": LATER, "secret": "hash"})
            passed = pool.submit(other.change_secret, "t", "new hash", 0)
            time.sleep(0.3)
            assert not passed.done()
        assert passed.result(timeout=60)
    assert len(sql.rows("t")) == 2


def lose_one_answer(store: SqlStore, committed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lose the connection during the next write, after its commit or before."""
    do, lost = store._do, []

    def lose_once(*arguments: Any, **values: Any) -> int:
        done = do(*arguments, **values) if committed or lost else 0
        if not lost:
            lost.append(True)
            raise ConnectionLost
        return done

    monkeypatch.setattr(store, "_do", lose_once)


@pytest.mark.parametrize("committed", [True, False])
def test_a_handover_succeeds_even_if_the_connection_is_lost(
    sql: SqlStore, committed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise nobody would have the new secret, and nobody could deal at the table again."""
    lose_one_answer(sql, committed, monkeypatch)
    assert sql.change_secret("t", "new hash", 0)
    assert sql.standing("t") == Standing(1, "new hash", False)
    assert sql.takeover("t") == Takeover(1, 0, None, OPENING.at)


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize("client", ["tap", None])
def test_a_tap_is_written_once_even_if_the_connection_is_lost(
    sql: SqlStore, client: str | None, committed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lose_one_answer(sql, committed, monkeypatch)
    sql.append("t", row(2, "7", client=client), "hash", after=OPENING.mark)
    assert sql.rows("t") == [OPENING, row(2, "7", client=client)]


def test_a_reopened_database_has_everything(sql: SqlStore, open_sql: OpenSql) -> None:
    rows = [row(2, 'rename Ben "Zoë 🂡"', client="tap"), row(3, "7", "8")]
    for one in rows:
        sql.append("t", one)
    sql.change_secret("t", "new hash", 0)
    sql.close()
    again = open_sql()
    assert again.names("t") == NAMES
    assert again.rows("t") == [OPENING, *rows]
    assert again.standing("t", "tap") == Standing(3, "new hash", True)


def test_the_database_file_is_in_the_data_folder_and_readable(sqlite: SqlStore, tmp_path: Path) -> None:
    sqlite.append("t", row(2, "fold"))
    file = sqlite3.connect(tmp_path / DATABASE)
    try:
        assert file.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert file.execute("SELECT number, entries FROM changes ORDER BY number").fetchall() == [
            (1, "game pairs"),
            (2, "fold"),
        ]
    finally:
        file.close()


def test_two_stores_on_one_database_see_each_others_rows(sql: SqlStore, open_sql: OpenSql) -> None:
    other = open_sql()
    sql.append("t", row(2, "7", client="tap"))
    assert other.rows("t") == [OPENING, row(2, "7", client="tap")]
    assert other.standing("t", "tap") == Standing(2, "hash", True)
    other.append("t", row(3, "9"))
    assert sql.rows("t", after=2) == [row(3, "9")]
    with pytest.raises(StaleEntry):
        sql.append("t", row(3, "5"))
    with pytest.raises(StaleEntry):
        other.append("t", row(4, "7", client="tap"))
    other.create("theirs", ("Cleo", "Dan"), "their hash", OPENING)
    assert sql.names("theirs") == ("Cleo", "Dan")
    sql.change_secret("t", "new hash", 0)
    assert other.standing("t", "tap") == Standing(3, "new hash", True)


def test_of_two_stores_with_the_same_number_exactly_one_wins(sql: SqlStore, open_sql: OpenSql) -> None:
    numbers = range(2, 22)
    assert wins([sql, open_sql()], numbers) == list(numbers)
    assert [kept.number for kept in sql.rows("t")] == [1, *numbers]


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path, open_sqlite: OpenSql) -> None:
    open_sqlite()
    key = (tmp_path / KEY).read_bytes()
    assert len(key) >= 32
    assert stat.S_IMODE((tmp_path / KEY).stat().st_mode) == 0o600
    open_sqlite()
    assert (tmp_path / KEY).read_bytes() == key


def test_no_request_queues_for_a_connection_while_the_pool_is_stuck(open_postgres: OpenSql) -> None:
    """Otherwise a database server that hangs would block one thread after the other."""
    store = open_postgres()

    def refused() -> float:
        began = time.monotonic()
        with pytest.raises(StoreAway):
            store.ping()
        return time.monotonic() - began

    with ExitStack() as held:
        for _ in range(POSTGRESQL_OPTIONS["pool_size"]):
            held.enter_context(store.engine.connect())
        waited = refused()
        assert refused() < waited / 10
    store.ping()
    with ExitStack() as held:
        for _ in range(POSTGRESQL_OPTIONS["pool_size"] - 1):
            held.enter_context(store.engine.connect())
        with ThreadPoolExecutor(4) as pool:  # now they wait for one another again
            assert list(pool.map(lambda _: store.ping(), range(20))) == [None] * 20


def test_the_engine_handles_transactions_as_usual_in_sqlalchemy(sql: SqlStore) -> None:
    with sql.engine.connect() as connection:
        connection.execute(update(TableRow).values(secret="not committed"))
    assert sql.standing("t") == Standing(1, "hash", False)
    with sql.engine.begin() as connection:
        connection.execute(update(TableRow).values(secret="new hash"))
    assert sql.standing("t") == Standing(1, "new hash", False)
