"""Backup, restore, check and migrate: each works completely or not at all, and while people play."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Connection, select, text

from companion.cli import main
from companion.engine.notation import parse
from companion.server import admin
from companion.store import Listed
from companion.store.models import db
from companion.store.opening import DATABASE, KEY
from companion.store.sql import SqlStore
from companion.table.change import Change
from companion.web import create_app
from companion.web.dealing import fingerprint
from companion.web.tables import Tables

FIXTURE = Path(__file__).parents[1] / "fixtures" / "release-0.1.0.sqlite3"
COOKIE = "fifty-five"
BOTH = ("sqlite", "postgres")
DISK_FULL = OSError(28, "No space left on device")


@dataclass(frozen=True)
class Place:
    """A data folder, and the database server if there is one."""

    data: Path
    server: str | None
    companion: Callable[..., tuple[int, str, str]]

    def run(self, *words: str | Path) -> tuple[int, str, str]:
        """Run a command; return its exit code and its output."""
        return self.companion(self.server, words[0], "--data", self.data, *words[1:])

    def app(self) -> Flask:
        return create_app(config={"DATA": str(self.data), "SQLALCHEMY_DATABASE_URI": self.server})


NewPlace = Callable[[str], Place]


@dataclass
class AdminEvening:
    """Tables with a history, and the phone that deals at them."""

    app: Flask
    phone: FlaskClient
    ids: list[str] = field(default_factory=list)
    secrets: dict[str, str] = field(default_factory=dict)


@pytest.fixture
def new_place(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> NewPlace:
    """A function that creates an empty place of the given kind."""
    monkeypatch.setenv("LANG", "C")
    for name in ("LC_ALL", "LC_MESSAGES", "DATABASE_URL", "FIFTY_FIVE_SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)

    def companion(server: str | None, *words: str | Path) -> tuple[int, str, str]:
        with monkeypatch.context() as patch:
            if server:
                patch.setenv("DATABASE_URL", server)
            code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    def create(kind: str) -> Place:
        server = request.getfixturevalue("new_postgres")() if kind == "postgres" else None
        place = Place(tmp_path_factory.mktemp("place") / "data", server, companion)
        if server:
            assert place.run("migrate")[0] == 0
            shutil.rmtree(place.data)
        return place

    return create


@pytest.fixture(params=BOTH)
def place(request: pytest.FixtureRequest, new_place: NewPlace) -> Place:
    return new_place(request.param)


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    return tmp_path / "backup"


def play(place: Place) -> AdminEvening:
    """Open three tables with repairs, undo, taps sent twice, unusual names, a handover and wrong guesses."""
    app = place.app()
    evening = AdminEvening(app, app.test_client())
    form = {"game": "pairs", "seats": "3", "name-0": "Zoë", "name-1": "Anna Maria", "name-2": "名前"}
    address = evening.phone.post("/tables", data=form).headers["Location"]
    for version, entry in enumerate(("5", "9", "10", "5"), 1):
        answer = evening.phone.post(f"{address}/enter", data={"entry": entry, "version": version, "id": f"tap {entry}"})
        assert answer.status_code == 303 or entry == "5"
    evening.ids.append(address.rpartition("/")[2])
    for game in ("rocket", "blackstone"):
        answer = evening.phone.post("/api/tables", json={"seats": ["Ana", "O'Brien"], "game": game})
        evening.ids.append(answer.json["table"])
        evening.secrets[answer.json["table"]] = answer.json["dealer"]
    rocket, blackstone = evening.ids[1:]
    for method, path, body in (
        ("POST", "entries", {"version": 1, "entries": ["buy Ana 100", "bet O'Brien 50"], "id": "ä€😀"}),
        ("PUT", "entries/1", {"version": 2, "entry": "buy Ana 200"}),
        ("POST", "undo", {"version": 3}),
        ("POST", "redo", {"version": 4}),
        ("POST", "undo", {"version": 5}),
    ):
        assert call(evening, rocket, method, path, body) == 200
    store = app.extensions["tables"].store
    evening.secrets[rocket] = evening.phone.post(
        f"/api/tables/{rocket}/handover", headers={"Authorization": f"Bearer {evening.secrets[rocket]}"}
    ).json["dealer"]
    standing = store.standing(blackstone)
    assert standing is not None
    assert store.offer(blackstone, "2026-01-01T00:00:00+00:00", standing.secret)
    store.guessed(blackstone, 4, "2026-01-01T00:00:10+00:00")
    return evening


def call(evening: AdminEvening, table: str, method: str, path: str, body: dict[str, Any]) -> int:
    headers = {"Authorization": f"Bearer {evening.secrets[table]}"}
    answer = evening.phone.open(f"/api/tables/{table}/{path}", method=method, json=body, headers=headers)
    return answer.status_code


def rows(place: Place) -> dict[str, list[dict[str, Any]]]:
    """Every row of every table of the database."""
    store = place.app().extensions["tables"].store
    with store.connect() as connection:
        return {
            table.name: [dict(row) for row in connection.execute(select(table).order_by(*table.primary_key)).mappings()]
            for table in db.metadata.sorted_tables
        }


def contents(place: Place) -> dict[str, tuple[dict[str, Any], str]]:
    """The state and the record of every table, from a newly started program."""
    tables: Tables = place.app().extensions["tables"]
    store = tables.store
    assert isinstance(store, SqlStore)
    return {table: (tables.load(table).report(), tables.load(table).record()) for table in store.ids()}


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def deals_on(evening: AdminEvening, place: Place) -> None:
    """Assert that the same phone can deal at the tables of that place, by its cookie and by its secrets."""
    cookie = evening.phone.get_cookie(COOKIE)
    assert cookie is not None
    phone = place.app().test_client()
    phone.set_cookie(COOKIE, cookie.value)
    first, rocket, _blackstone = evening.ids
    version = phone.get(f"/api/tables/{first}").json["version"]
    answer = phone.post(f"/t/{first}/enter", data={"entry": "score Zoë 3", "version": version})
    assert answer.status_code == 303, answer.text
    later = AdminEvening(evening.app, phone, evening.ids, evening.secrets)
    assert call(later, rocket, "POST", "redo", {"version": 6}) == 200
    assert phone.get(f"/api/tables/{rocket}").json["version"] == 7


def fail_halfway(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Raise this error after all rows are copied: the disk is full, or the owner interrupts the command."""
    copy = admin.copy_rows

    def copy_and_fail(source: Connection, target: Connection) -> None:
        copy(source, target)
        raise error

    monkeypatch.setattr(admin, "copy_rows", copy_and_fail)


# -- backup


def test_a_backup_is_a_data_folder_that_can_be_run(place: Place, new_place: NewPlace, backup: Path) -> None:
    evening = play(place)
    assert place.run("backup", backup) == (
        0,
        f"Everything is in {backup}. To look at it: companion run --data {backup}\n",
        "",
    )
    assert sorted(files(backup)) == [DATABASE, KEY]
    assert (backup / KEY).read_bytes() == (place.data / KEY).read_bytes()
    assert stat.S_IMODE((backup / KEY).stat().st_mode) == 0o600
    assert stat.S_IMODE(backup.stat().st_mode) == 0o700, "the tables' addresses are in there"

    copy = Place(backup, None, place.companion)
    assert rows(copy) == rows(place)
    assert contents(copy) == contents(place)
    assert copy.run("check")[0] == 0
    deals_on(evening, copy)
    assert rows(copy) != rows(place), "what is played there stays there"


@dataclass
class Taps:
    """Somebody who keeps playing and opens new tables, and the answers they got."""

    app: Flask
    stopped: Event = field(default_factory=Event)
    answered: dict[str, int] = field(default_factory=dict)  # the newest version of each table
    count: int = 0
    wrong: list[str] = field(default_factory=list)

    def play(self) -> None:
        phone = self.app.test_client()
        while not self.stopped.is_set():
            opened = phone.post("/api/tables", json={"seats": ["Ana", "Ben"], "game": "rocket"})
            if opened.status_code != 201:
                self.wrong.append(opened.text)
                continue
            table, headers = opened.json["table"], {"Authorization": f"Bearer {opened.json['dealer']}"}
            self.answered[table] = 1
            for version in range(1, 6):
                body = {"version": version, "entries": ["shuffle", f"buy Ana {version}"], "id": str(version)}
                answer = phone.post(f"/api/tables/{table}/entries", json=body, headers=headers)
                if answer.status_code != 200:
                    self.wrong.append(answer.text)
                    break
                self.answered[table] = version + 1
                self.count += 1

    def wait_for_more(self, taps: int) -> None:
        """Wait for this many more answers; fail after a minute."""
        wanted, until = self.count + taps, time.monotonic() + 60
        while self.count < wanted and time.monotonic() < until:
            time.sleep(0.001)
        assert self.count >= wanted, "nobody can play during a backup"


class Slowly:
    """A connection whose every query waits until others have written more."""

    def __init__(self, source: Connection, taps: Taps) -> None:
        self.source, self.taps = source, taps

    def execution_options(self, **options: Any) -> Slowly:
        self.source.execution_options(**options)
        return self

    def execute(self, *asked: Any) -> Any:
        found = self.source.execute(*asked)
        self.taps.wait_for_more(15)
        return found


def test_a_backup_is_a_snapshot_and_does_not_block_taps(
    place: Place, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taps = Taps(place.app())
    copy_rows = admin.copy_rows

    def copy_slowly(source: Any, target: Connection) -> None:
        copy_rows(Slowly(source, taps), target)  # type: ignore[arg-type]

    monkeypatch.setattr(admin, "copy_rows", copy_slowly)
    player = Thread(target=taps.play)
    player.start()
    try:
        taps.wait_for_more(20)
        before = dict(taps.answered)
        code, _out, err = place.run("backup", backup)
    finally:
        taps.stopped.set()
        player.join(timeout=60)
    assert (code, err) == (0, "")
    assert taps.wrong == []

    copy = Place(backup, None, place.companion)
    found = copy.app().extensions["tables"].store
    for table, version in before.items():
        assert len(found.rows(table)) >= version, "what was answered before the backup is in it"
    assert len(found.ids()) < len(taps.answered), "what was opened after its moment is not"
    for table in found.ids():
        assert [row.number for row in found.rows(table)] == list(range(1, len(found.rows(table)) + 1))
    assert copy.run("check")[0] == 0


def test_a_backup_into_a_folder_with_something_in_it_is_refused(place: Place, backup: Path) -> None:
    play(place)
    backup.mkdir()
    (backup / "holidays.txt").write_text("from Greece")
    code, out, err = place.run("backup", backup)
    assert (code, out, err) == (2, "", f"{backup} is not empty: a backup needs a new folder.\n")
    assert files(backup.parent) == {"backup/holidays.txt": b"from Greece"}


def test_a_backup_does_not_overwrite_a_file(place: Place, backup: Path) -> None:
    play(place)
    backup.write_text("from Greece")
    assert place.run("backup", backup)[0] == 2
    assert files(backup.parent) == {"backup": b"from Greece"}


def test_a_second_backup_does_not_touch_the_first(place: Place, backup: Path) -> None:
    play(place)
    backup.mkdir()  # an empty folder is accepted
    assert place.run("backup", backup)[0] == 0
    before = files(backup)
    assert place.run("backup", backup)[0] == 2
    assert files(backup) == before


def test_a_failed_backup_leaves_no_files(place: Place, backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(place)
    with monkeypatch.context() as patch:
        fail_halfway(patch, DISK_FULL)
        code, out, err = place.run("backup", backup)
    assert (code, out) == (2, "")
    assert "No space left on device" in err
    assert list(backup.parent.iterdir()) == [], "nor under any other"
    with monkeypatch.context() as patch:
        fail_halfway(patch, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            place.run("backup", backup)
    assert list(backup.parent.iterdir()) == []
    assert place.run("backup", backup)[0] == 0


# -- restore


@pytest.mark.parametrize("there", BOTH)
@pytest.mark.parametrize("here", BOTH)
def test_everything_is_restored_between_any_two_kinds_of_database(
    new_place: NewPlace, here: str, there: str, backup: Path
) -> None:
    old, new = new_place(here), new_place(there)
    evening = play(old)
    assert old.run("backup", backup)[0] == 0
    before = files(backup)
    assert new.run("restore", backup) == (0, "Restored tables: 3.\n", "")
    assert rows(new) == rows(old), "secrets, offers and guesses included"
    assert contents(new) == contents(old)
    assert set(contents(new)) == set(evening.ids)
    assert files(backup) == before
    assert (new.data / KEY).read_bytes() == (old.data / KEY).read_bytes()
    assert stat.S_IMODE((new.data / KEY).stat().st_mode) == 0o600
    deals_on(evening, new)


def test_phones_can_deal_after_a_restore_into_a_place_that_has_its_own_key(
    place: Place, new_place: NewPlace, backup: Path
) -> None:
    """The new machine was started once to see whether it works, and has created a key."""
    evening = play(place)
    assert place.run("backup", backup)[0] == 0
    new = new_place("sqlite")
    assert new.app().test_client().get("/").status_code == 200
    assert new.run("restore", backup)[0] == 0
    deals_on(evening, new)


def test_a_restore_into_a_database_with_tables_is_refused(place: Place, new_place: NewPlace, backup: Path) -> None:
    other = new_place("sqlite")
    play(other)
    assert other.run("backup", backup)[0] == 0
    evening = play(place)
    before, key = rows(place), (place.data / KEY).read_bytes()
    code, out, err = place.run("restore", backup)
    assert (code, out) == (2, "")
    assert err == "There are tables in the database already: a backup is restored into an empty one.\n"
    assert rows(place) == before
    assert (place.data / KEY).read_bytes() == key
    deals_on(evening, place)


def test_an_interrupted_restore_leaves_an_empty_database(
    place: Place, new_place: NewPlace, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = new_place("sqlite")
    play(old)
    assert old.run("backup", backup)[0] == 0
    with monkeypatch.context() as patch:
        fail_halfway(patch, DISK_FULL)
        code, out, err = place.run("restore", backup)
    assert (code, out) == (2, "")
    assert "No space left on device" in err
    assert not any(rows(place).values())
    with monkeypatch.context() as patch:
        fail_halfway(patch, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            place.run("restore", backup)
    assert not any(rows(place).values())
    assert place.run("restore", backup)[0] == 0
    assert rows(place) == rows(old)


def test_a_backup_of_release_0_1_0_is_restored_and_left_unchanged(place: Place, backup: Path) -> None:
    backup.mkdir()
    shutil.copy(FIXTURE, backup / DATABASE)
    assert place.run("restore", backup) == (0, "Restored tables: 1.\n", "")
    assert files(backup) == {DATABASE: FIXTURE.read_bytes()}
    state, record = contents(place)["fixture-of-0-1-0"]
    assert {seat["name"]: seat["points"] for seat in state["seats"]} == {"Ana": 0, "Benoît": 0, "Zoë Lee": 3}
    assert state["version"] == 9
    assert [line.partition("  #")[0] for line in record.splitlines()[2:]] == [
        "game pairs stakes=tacoma",
        "7",
        "3",
        "9",
        "4",
        "fold",
    ]
    assert place.run("check")[0] == 0


def test_a_data_folder_after_a_power_cut_is_restored_with_all_its_taps(
    place: Place, new_place: NewPlace, backup: Path
) -> None:
    """The last changes are in a separate log file until the database is opened."""
    old = new_place("sqlite")
    play(old)
    shutil.copytree(old.data, backup)  # while the program is running, with open connections
    assert f"{DATABASE}-wal" in files(backup)
    assert place.run("restore", backup)[0] == 0
    assert rows(place) == rows(old)


def test_a_folder_that_is_not_a_backup_is_refused_and_nothing_is_created(place: Place, backup: Path) -> None:
    assert place.run("restore", backup) == (2, "", f"{backup} is not a backup: it has no {DATABASE}.\n")
    assert not place.data.exists()
    assert not backup.exists()


def test_a_damaged_backup_is_refused_with_a_message(place: Place, backup: Path) -> None:
    backup.mkdir()
    (backup / DATABASE).write_bytes(b"not a database, by any means" * 400)
    code, out, err = place.run("restore", backup)
    assert (code, out) == (2, "")
    assert err.strip()
    assert not any(rows(place).values())


# -- check


def test_intact_tables_are_counted(place: Place) -> None:
    evening = play(place)
    store = evening.app.extensions["tables"].store
    changes = sum(len(store.rows(table)) for table in evening.ids)
    assert place.run("check") == (0, f"Tables: 3, changes: {changes}. All replay correctly.\n", "")


def test_an_empty_database_is_intact(place: Place) -> None:
    if place.server is None:
        assert place.run("migrate")[0] == 0
    assert place.run("check") == (0, "Tables: 0, changes: 0. All replay correctly.\n", "")


HARM = {
    "UPDATE changes SET entries = 'fold' WHERE table_id = :table AND number = 2": "do not replay",
    "UPDATE changes SET entries = '11' WHERE table_id = :table AND number = 2": "do not replay",
    "UPDATE changes SET kind = 'redo' WHERE table_id = :table AND number = 2": "do not replay",
    "UPDATE changes SET kind = 'amend', entry = 99 WHERE table_id = :table AND number = 2": "do not replay",
    "UPDATE tables SET names = '[\"Ana\"]' WHERE id = :table": "do not replay",
    "DELETE FROM changes WHERE table_id = :table AND number = 2": "change 2 is missing.",
    "DELETE FROM changes WHERE table_id = :table AND number = 1": "change 1 is missing.",
    "UPDATE changes SET kind = 'shred' WHERE table_id = :table AND number = 3": "cannot be read",
    "DELETE FROM changes WHERE table_id = :table": "cannot be read",
    "UPDATE tables SET names = '5' WHERE id = :table": "its names are not a list of names",
    "UPDATE tables SET names = '[null,1]' WHERE id = :table": "its names are not a list of names",
    "UPDATE tables SET names = '{}' WHERE id = :table": "its names are not a list of names",
}


def open_tables(place: Place, count: int) -> tuple[SqlStore, list[str]]:
    """Open `count` tables with two taps each."""
    tables: Tables = place.app().extensions["tables"]
    ids = []
    for _ in range(count):
        table, secret, _table = tables.create(["Ana", "Ben"], [parse("game pairs")])
        tables.write(table, secret, 1, Change("enter", ("7",)))
        tables.write(table, secret, 2, Change("enter", ("3",)))
        ids.append(table)
    assert isinstance(tables.store, SqlStore)
    return tables.store, ids


def test_damaged_tables_are_named_and_the_others_are_fine(place: Place) -> None:
    store, ids = open_tables(place, len(HARM) + 2)
    with store.transaction() as connection:
        for table, harm in zip(ids, HARM, strict=False):
            assert connection.execute(text(harm), {"table": table}).rowcount, harm
    code, out, err = place.run("check")
    assert (code, out) == (1, "")
    *found, last = err.splitlines()
    assert last == f"Tables: {len(ids)}. {len(HARM)} of them do not replay."
    reasons = {line.removeprefix("Table ").partition(": ")[0]: line for line in found}
    assert len(found) == len(HARM)
    for table, why in zip(ids, HARM.values(), strict=False):
        assert why in reasons[table]


def test_a_table_with_unreadable_names_is_named_and_the_other_is_fine(place: Place) -> None:
    store, ids = open_tables(place, 2)
    with store.transaction() as connection:
        connection.execute(text("UPDATE tables SET names = '[\"Ana' WHERE id = :table"), {"table": ids[0]})
    code, out, err = place.run("check")
    assert (code, out) == (1, "")
    assert err.startswith(f"Table {ids[0]}: ")
    assert err.endswith("Tables: 2. 1 of them does not replay.\n")


@pytest.mark.parametrize(
    "damage", ["tables SET names = x'ff00'", "changes SET entries = x'37'", "changes SET at = x'00'"]
)
def test_a_value_of_the_wrong_type_does_not_stop_the_check(new_place: NewPlace, damage: str) -> None:
    """SQLite accepts such a value, PostgreSQL does not."""
    place = new_place("sqlite")
    store, ids = open_tables(place, 2)
    column = "id" if damage.startswith("tables") else "number = 2 AND table_id"
    with store.transaction() as connection:
        connection.execute(text(f"UPDATE {damage} WHERE {column} = :table"), {"table": ids[0]})
    code, out, err = place.run("check")
    assert (code, out) == (1, "")
    assert err.startswith(f"Table {ids[0]}: its changes cannot be read")
    assert err.endswith("Tables: 2. 1 of them does not replay.\n")


# -- the language


def test_the_commands_are_translated_into_french(place: Place, backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = play(place)
    monkeypatch.setenv("LANG", "fr_FR")
    assert place.run("check")[1].endswith(" Tout se rejoue sans erreur.\n")
    assert place.run("migrate")[1] == "La base de données est à jour.\n"
    assert place.run("backup", backup)[1].startswith(f"Tout est dans {backup}.")
    assert place.run("backup", backup)[2].startswith(f"{backup} n’est pas vide")
    assert place.run("restore", backup)[2].startswith("Il y a déjà des tables dans la base")
    with evening.app.extensions["tables"].store.transaction() as connection:
        connection.execute(
            text("DELETE FROM changes WHERE table_id = :table AND number = 2"), {"table": evening.ids[0]}
        )
    assert place.run("check")[2].splitlines() == [
        f"Table {evening.ids[0]}\u202f: il manque le changement 2.",
        "Tables\u202f: 3. 1 ne se rejoue pas.",
    ]


# -- lists of phones


def lists_of(place: Place, evening: AdminEvening) -> list[Listed]:
    """The list of the phone that dealt, as a newly started program knows it."""
    with evening.phone.session_transaction() as session:
        phone = fingerprint(session["phone"])
    store: SqlStore = place.app().extensions["tables"].store
    return store.listed(phone)


def with_a_list(place: Place) -> AdminEvening:
    """An evening whose phone deals at one table, follows another out of sight, and knows who is who."""
    evening = play(place)
    evening.phone.post(f"/t/{evening.ids[1]}/me", data={"me": "Ana"})
    with evening.phone.session_transaction() as session:
        phone = fingerprint(session["phone"])
    store = evening.app.extensions["tables"].store
    store.remember(phone, evening.ids[1], hidden=True)
    store.set_alias(phone, "zoe", "Zoë")
    return evening


def test_a_backup_has_the_lists_of_the_phones(place: Place, new_place: NewPlace, backup: Path) -> None:
    old = new_place("sqlite")
    evening = with_a_list(old)
    before = lists_of(old, evening)
    assert {one.table: (one.dealt, one.seat, one.hidden) for one in before} == {
        evening.ids[0]: (True, "", False),
        evening.ids[1]: (False, "Ana", True),
    }
    assert old.run("backup", backup)[0] == 0
    assert place.run("restore", backup)[0] == 0
    assert lists_of(place, evening) == before
    assert rows(place) == rows(old)
    deals_on(evening, place)


def test_a_backup_is_restored_over_lists_that_were_left_behind(place: Place, backup: Path) -> None:
    """All tables were deleted; other names of people and an invitation are still there."""
    evening = with_a_list(place)
    assert place.run("backup", backup)[0] == 0
    evening.phone.post("/phone/another")
    store = evening.app.extensions["tables"].store
    for table in evening.ids:
        assert store.delete(table)
    assert {name for name, kept in rows(place).items() if kept} == {"aliases", "invitations"}
    assert place.run("restore", backup) == (0, "Restored tables: 3.\n", "")
    deals_on(evening, place)
    assert rows(place)["invitations"] == []


def test_a_deleted_table_is_in_no_later_backup(place: Place, backup: Path) -> None:
    evening = with_a_list(place)
    gone = evening.ids[0]
    assert evening.phone.post(f"/t/{gone}/delete", data={"sure": "yes"}).status_code == 303
    evening.app.extensions["tables"].store.close()
    assert place.run("backup", backup)[0] == 0
    assert gone not in str(rows(place))
    assert "名前" not in str(rows(place))
    for folder in [backup, *([place.data] if place.server is None else [])]:
        for file in folder.iterdir():
            for word in (gone, "名前", "Anna Maria"):
                assert word.encode() not in file.read_bytes(), (file, word)


def test_a_list_that_names_a_table_which_was_removed_is_named(new_place: NewPlace) -> None:
    place = new_place("sqlite")
    evening = with_a_list(place)
    evening.app.extensions["tables"].store.close()
    with sqlite3.connect(place.data / DATABASE) as other_program:  # which does not keep foreign keys
        other_program.execute("DELETE FROM changes WHERE table_id = ?", [evening.ids[1]])
        other_program.execute("DELETE FROM tables WHERE id = ?", [evening.ids[1]])
    code, out, err = place.run("check")
    assert (code, out) == (1, "")
    assert err == f"Table {evening.ids[1]}: it is in a phone’s list, and does not exist.\n"


# -- prune


def aged(place: Place, table: str, days: int) -> None:
    """Let the last change of a table be so many days old."""
    time = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
    store = place.app().extensions["tables"].store
    with store.transaction() as connection:
        connection.execute(
            text("UPDATE changes SET at = :time, taken = :time WHERE table_id = :id"), {"time": time, "id": table}
        )


def test_prune_shows_what_it_would_delete_and_deletes_with_yes(place: Place) -> None:
    evening = with_a_list(place)
    pairs, rocket, blackstone = evening.ids
    aged(place, pairs, 400)
    aged(place, rocket, 300)
    changes = len(evening.app.extensions["tables"].store.rows(pairs))
    before = rows(place)
    code, out, err = place.run("prune", "--older-than", "365")
    assert (code, err) == (0, "")
    day = (datetime.now(UTC) - timedelta(days=400)).date().isoformat()
    listed = f"{pairs}: changes: {changes}, the last one on {day}.\n"
    assert out == f"{listed}Tables that would be deleted: 1. Add --yes to delete them.\n"
    assert rows(place) == before, "it was only shown"
    assert place.run("prune", "--older-than", "365", "--yes") == (0, f"{listed}Deleted tables: 1.\n", "")
    assert pairs not in str(rows(place))
    assert {table["id"] for table in rows(place)["tables"]} == {rocket, blackstone}
    assert [one.table for one in lists_of(place, evening)] == [rocket]
    assert place.run("prune", "--older-than", "365", "--yes") == (0, "Deleted tables: 0.\n", "")


def test_prune_spares_a_table_that_was_changed_meanwhile(place: Place) -> None:
    evening = play(place)
    store = evening.app.extensions["tables"].store
    aged(place, evening.ids[0], 400)
    assert not store.delete_silent(evening.ids[0], "2020-01-01T00:00:00+00:00")
    assert store.delete_silent(evening.ids[0], "2100-01-01T00:00:00+00:00")


@pytest.mark.parametrize("days", ["0", "-1", "x", "1.5", "", "999999"])
def test_prune_needs_a_number_of_days(new_place: NewPlace, days: str, capsys: pytest.CaptureFixture[str]) -> None:
    place = new_place("sqlite")
    with pytest.raises(SystemExit):
        main(["prune", f"--older-than={days}", "--data", str(place.data)])
    assert "is not a number of days" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["prune", "--data", str(place.data)])
