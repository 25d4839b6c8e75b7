"""A database is migrated to the newest step completely or not at all, and one that we cannot use is left alone."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask
from sqlalchemy import inspect, text

from companion.cli import main
from companion.store import Row
from companion.store import schema as steps
from companion.store.models import db
from companion.store.opening import DATABASE, find_store, open_store
from companion.store.schema import NEWEST, Unusable, check_step, migrate, step_of
from companion.store.sql import SqlStore
from companion.table.change import Change
from companion.web import create_app
from companion.web.dealing import fingerprint
from companion.web.tables import Tables

FIXTURE = Path(__file__).parents[1] / "fixtures" / "release-0.1.0.sqlite3"
OLD_TABLE = "fixture-of-0-1-0"
OPENING = Row(1, Change("open", ("game pairs",)), "2025-01-01T20:00:00+00:00")
AT_ONCE = 6

Find = Callable[[], SqlStore]


def configured(folder: Path, address: str | None = None) -> Flask:
    app = Flask("store")
    app.config.update(DATA=str(folder), SQLALCHEMY_DATABASE_URI=address)
    return app


@pytest.fixture(autouse=True)
def _no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clear the environment, so that only the test chooses the database and the language."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("LANG", "C")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)


@pytest.fixture(params=["sqlite", "postgres"])
def new_database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Find]:
    """A function that creates an empty database and returns a function to open it, each time as a new process would."""

    def create() -> Find:
        folder = tmp_path_factory.mktemp("data")
        address = request.getfixturevalue("new_postgres")() if request.param == "postgres" else None

        def find() -> SqlStore:
            return find_store(configured(folder, address))

        return find

    return create


@pytest.fixture
def find(new_database: Callable[[], Find]) -> Find:
    return new_database()


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A data folder of release 0.1.0."""
    shutil.copy(FIXTURE, tmp_path / DATABASE)
    return tmp_path


def kept_in(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Every row of the two tables, limited to the columns of release 0.1.0."""
    old = sqlite3.connect(f"file:{FIXTURE}?mode=ro&immutable=1", uri=True)
    new = sqlite3.connect(file)
    try:
        found = {}
        for table, order in (("tables", "id"), ("changes", "table_id, number")):
            columns = [column[1] for column in old.execute(f"PRAGMA table_info({table})")]
            rows = new.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}")
            found[table] = [dict(zip(columns, row, strict=True)) for row in rows]
        return found
    finally:
        old.close()
        new.close()


def step(store: SqlStore) -> str | None:
    with store.connect() as connection:
        return step_of(connection)


def run_sql(store: SqlStore, *statements: str) -> None:
    with store.transaction() as connection:
        for statement in statements:
            connection.execute(text(statement))


def differences(store: SqlStore) -> list[Any]:
    """The differences between the schema and the models."""
    with store.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        return list(compare_metadata(MigrationContext.configure(connection, opts=options), db.metadata))


def scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(Path(steps.__file__).parent / "migrations"))
    return ScriptDirectory.from_config(config)


# -- a database of an earlier release


def test_a_database_of_release_0_1_0_is_upgraded_at_the_start_and_can_be_used(old: Path) -> None:
    before = kept_in(old / DATABASE)
    assert [len(rows) for rows in before.values()] == [1, 9]
    tables: Tables = create_app(config={"DATA": str(old)}).extensions["tables"]
    store = tables.store
    assert isinstance(store, SqlStore)
    assert step(store) == NEWEST
    assert kept_in(old / DATABASE) == before
    takeover = store.takeover(OLD_TABLE)
    assert takeover is not None
    assert takeover.last == before["changes"][-1]["at"], "nobody knows when the server took it"
    table = tables.load(OLD_TABLE)
    assert [str(one.entry) for one in table.steps()] == ["game pairs stakes=tacoma", "7", "3", "9", "4", "fold"]
    assert {seat.name: seat.points for seat in table.state.seats} == {"Ana": 0, "Benoît": 0, "Zoë Lee": 3}
    assert store.change_secret(OLD_TABLE, fingerprint("new"), 0)
    assert tables.write(OLD_TABLE, "new", 9, Change("enter", ("8",))).version == 10
    assert [row.number for row in store.rows(OLD_TABLE)] == list(range(1, 11))


def test_a_database_of_release_0_1_0_is_upgraded_by_the_command(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = kept_in(old / DATABASE)
    assert main(["migrate", "--data", str(old)]) == 0
    assert capsys.readouterr().out == f"The database is up to date now: step {NEWEST}.\n"
    store = find_store(configured(old))
    assert step(store) == NEWEST
    assert kept_in(old / DATABASE) == before
    assert main(["migrate", "--data", str(old)]) == 0
    assert capsys.readouterr().out == "The database is up to date.\n"
    assert kept_in(old / DATABASE) == before


def test_an_upgraded_database_is_like_a_new_one(old: Path) -> None:
    store = open_store(configured(old))
    assert differences(store) == []


# -- the steps


def test_the_newest_step_is_the_only_head() -> None:
    assert scripts().get_heads() == [NEWEST]


def test_the_file_of_every_step_begins_with_its_number_and_numbers_grow() -> None:
    found = list(scripts().walk_revisions())
    assert steps.FIRST in {script.revision for script in found}
    for script in found:
        assert Path(script.path).name.startswith(f"{script.revision}_")
        assert len(script.revision) == len(NEWEST)
        assert script.down_revision is None or str(script.down_revision) < script.revision, (
            "steps are printed apart by <"
        )


def test_a_new_database_has_exactly_the_schema_of_the_models(find: Find) -> None:
    store = find()
    assert migrate(store) is None, "it was empty"
    assert step(store) == NEWEST
    assert differences(store) == []
    assert migrate(store) == NEWEST


def test_a_step_that_fails_midway_changes_nothing(find: Find) -> None:
    """Another program's `changes` already exists, which fails only after `tables` was created."""
    store = find()
    run_sql(store, "CREATE TABLE changes (theirs VARCHAR)", "INSERT INTO changes VALUES ('untouched')")
    with pytest.raises(Exception):  # noqa: B017, PT011 - each database raises its own error
        migrate(store)
    assert inspect(store.engine).get_table_names() == ["changes"]
    assert step(store) is None
    with store.connect() as connection:
        assert connection.execute(text("SELECT theirs FROM changes")).all() == [("untouched",)]
    run_sql(store, "DROP TABLE changes")
    migrate(store)
    assert step(store) == NEWEST


def test_the_command_prints_a_message_if_a_step_fails(
    tmp_path: Path, find: Find, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = find()
    run_sql(store, "CREATE TABLE changes (theirs VARCHAR)")
    monkeypatch.setenv("DATABASE_URL", store.engine.url.render_as_string(hide_password=False))
    assert main(["migrate", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err.strip()


def test_processes_that_start_at_once_on_an_empty_database_all_succeed(new_database: Callable[[], Find]) -> None:
    for _round in range(3):
        find = new_database()
        stores = [find() for _ in range(AT_ONCE)]
        together = Barrier(AT_ONCE)

        def start(store: SqlStore, together: Barrier = together) -> str | None:
            together.wait(timeout=60)
            migrate(store)
            return step(store)

        with ThreadPoolExecutor(AT_ONCE) as pool:
            assert list(pool.map(start, stores)) == [NEWEST] * AT_ONCE
        stores[0].create("t", ("Ana", "Ben"), "hash", OPENING)
        assert stores[-1].rows("t") == [OPENING]


# -- a database of a later release


def test_a_database_of_a_newer_release_is_refused_and_left_alone(
    tmp_path: Path, find: Find, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = "The database was made by a newer release of Fifty-Five: install that release."
    store = find()
    migrate(store)
    store.create("t", ("Ana", "Ben"), "hash", OPENING)
    run_sql(store, "UPDATE alembic_version SET version_num = '9999'", "ALTER TABLE tables ADD COLUMN theirs VARCHAR")

    for refuse in (migrate, check_step):
        with pytest.raises(Unusable) as refused:
            refuse(store)
        assert str(refused.value.sentence) == sentence
    address = store.engine.url.render_as_string(hide_password=False)
    with pytest.raises(Unusable):
        create_app(config={"DATA": str(tmp_path), "SQLALCHEMY_DATABASE_URI": address})
    monkeypatch.setenv("DATABASE_URL", address)
    backup = str(tmp_path / "backup")
    for words in (["migrate"], ["check"], ["run", "--port", "0"], ["backup", backup]):
        assert main([*words, "--data", str(tmp_path / "owner")]) == 2, words
        printed = capsys.readouterr()
        assert (printed.out, printed.err) == ("", f"{sentence}\n"), words
    assert not Path(backup).exists()

    assert step(store) == "9999"
    assert "theirs" in {column["name"] for column in inspect(store.engine).get_columns("tables")}
    assert store.rows("t") == [OPENING]


# -- the address of the database


def test_the_error_for_an_outdated_database_server_names_the_command(
    tmp_path: Path,
    new_postgres: Callable[[], str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Several programs may share a server, so none of them migrates it by itself."""
    address = new_postgres()
    with pytest.raises(Unusable) as refused:
        open_store(configured(tmp_path, address))
    assert "“companion migrate”" in str(refused.value.sentence)
    store = find_store(configured(tmp_path, address))
    assert inspect(store.engine).get_table_names() == []

    monkeypatch.setenv("DATABASE_URL", address)
    assert main(["run", "--port", "0", "--data", str(tmp_path)]) == 2
    assert "“companion migrate”" in capsys.readouterr().err
    assert main(["migrate", "--data", str(tmp_path)]) == 0
    store = open_store(configured(tmp_path, address))
    store.create("t", ("Ana", "Ben"), "hash", OPENING)
    assert store.rows("t") == [OPENING]


def test_the_default_database_file_needs_no_command(tmp_path: Path) -> None:
    store = open_store(configured(tmp_path / "not" / "yet" / "there"))
    store.create("t", ("Ana", "Ben"), "hash", OPENING)
    assert store.rows("t") == [OPENING]


def test_an_address_that_begins_with_postgres_works(
    tmp_path: Path, new_postgres: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = new_postgres()
    assert address.startswith("postgresql://")
    monkeypatch.setenv("DATABASE_URL", address.replace("postgresql://", "postgres://"))
    assert main(["migrate", "--data", str(tmp_path)]) == 0
    store = open_store(configured(tmp_path))
    assert not store.embedded
    store.create("t", ("Ana", "Ben"), "hash", OPENING)
    assert store.rows("t") == [OPENING]


@pytest.mark.parametrize("address", ["mysql://fifty:five@127.0.0.1/tables", "oracle://127.0.0.1", "localhost/tables"])
def test_another_kind_of_database_is_refused_with_a_message(
    tmp_path: Path, address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", address)
    for words in (["migrate"], ["check"], ["run", "--port", "0"]):
        assert main([*words, "--data", str(tmp_path)]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.startswith("DATABASE_URL must name a PostgreSQL server")
        assert "five" not in printed.err.casefold().replace("fifty-five", ""), "no password on the screen"
    assert not (tmp_path / DATABASE).exists()
