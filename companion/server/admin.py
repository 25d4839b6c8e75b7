"""Commands for the person who runs the server: migrate, backup, restore, check, prune."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from companion.engine.sentence import EntryError, Sentence, say, say_many
from companion.games import GAMES
from companion.i18n import of_environment, translate
from companion.store import Row, StoreAway, Unusable
from companion.store.models import db
from companion.store.opening import DATABASE, KEY, find_store, store_at
from companion.store.schema import NEWEST, check_step, migrate
from companion.store.sql import SqlStore
from companion.table.table import Table

ROWS_AT_ONCE = 1_000
DONE, FOUND, REFUSED = 0, 1, 2  # exit codes; FOUND: a table does not replay; REFUSED: it could not be done

Result = tuple[list[Sentence], int]  # what is printed at the end, and the exit code


def run_command(command: str, data: str, *given: Any) -> int:
    """Run one of the commands below and print its result, in the language of the terminal."""
    try:
        sentences, code = COMMANDS[command](data, *given)
    except Unusable as refusal:
        sentences, code = [refusal.sentence], REFUSED
    except StoreAway as failure:  # with the cause, which no page shows
        sentences, code = [say("{what} ({why})", what=failure.sentence, why=str(failure.__cause__).strip())], REFUSED
    except OSError as error:
        sentences, code = [say("{file}: {why}", file=error.filename or data, why=error.strerror)], REFUSED
    except SQLAlchemyError as error:
        cause = str(getattr(error, "orig", None) or error).strip()
        sentences, code = [say("The database refused; nothing was changed: {why}", why=cause)], REFUSED
    for sentence in sentences:
        print(translate(sentence, of_environment(dict(os.environ))), file=sys.stderr if code else sys.stdout)
    return code


@contextmanager
def opened(data: str | Path, embedded: bool = False) -> Iterator[tuple[Flask, SqlStore]]:
    """A temporary application and its store: at DATABASE_URL or, with `embedded`, in the folder."""
    app = Flask("companion")
    app.config["DATA"] = str(data)
    store = store_at(app, None) if embedded else find_store(app)
    try:
        yield app, store
    finally:
        store.close()


def demand_database(data: str) -> None:
    """Raise `Unusable` if there is no database: a command that only reads makes no file."""
    if not os.environ.get("DATABASE_URL") and not (Path(data) / DATABASE).exists():
        raise Unusable(say("There is no database in {folder}.", folder=data))


def update(data: str) -> Result:
    """Bring the database up to date."""
    with opened(data) as (_app, store):
        before = migrate(store)
    if before == NEWEST:
        return [say("The database is up to date.")], DONE
    return [say("The database is up to date now: step {step}.", step=NEWEST)], DONE


# -- backup: the copy is a data folder that can be run


def back_up(data: str, folder: str) -> Result:
    """Copy everything as of one moment, while the program runs. The folder gets its name when the copy is complete."""
    target = Path(folder).absolute()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise Unusable(say("{folder} is not empty: a backup needs a new folder.", folder=folder))
    demand_database(data)
    if not os.environ.get("FIFTY_FIVE_SECRET_KEY") and not (Path(data) / KEY).exists():
        raise Unusable(say("There is no secret key in {folder}: without it no phone could go on dealing.", folder=data))
    target.parent.mkdir(parents=True, exist_ok=True)
    with (
        opened(data) as (app, store),
        tempfile.TemporaryDirectory(dir=target.parent, prefix=f"{target.name}.part-") as draft,
    ):
        check_step(store)
        with opened(draft, embedded=True) as (_app, copy):
            migrate(copy)
            with store.snapshot() as source, copy.transaction() as written:
                copy_rows(source, written)
        write_key(Path(draft) / KEY, app.secret_key)
        _flush_to_disk(Path(draft))
        os.rename(draft, target)
        os.mkdir(draft)  # because the temporary folder is removed at the end of this block
    return [say("Everything is in {folder}. To look at it: companion run --data {folder}", folder=folder)], DONE


def restore(data: str, folder: str) -> Result:
    """Put a backup into an empty database."""
    backup = Path(folder).absolute()
    if not (backup / DATABASE).is_file():
        raise Unusable(say("{folder} is not a backup: it has no {file}.", folder=folder, file=DATABASE))
    Path(data).mkdir(mode=0o700, parents=True, exist_ok=True)
    with opened(data) as (_app, store), tempfile.TemporaryDirectory(dir=data, prefix="restore-") as draft:
        migrate(store)
        if store.ids():
            raise Unusable(say("There are tables in the database already: a backup is restored into an empty one."))
        # A copy is migrated, so that an older backup stays as it is. Where a program was killed, its last taps are in
        # the file that ends in -wal.
        for name in (DATABASE, f"{DATABASE}-wal"):
            if (backup / name).is_file():
                shutil.copy(backup / name, draft)
        with opened(draft, embedded=True) as (_copy, copy):
            migrate(copy)
            with copy.snapshot() as source, store.transaction() as written:
                empty(written)
                copy_rows(source, written)
        if (backup / KEY).is_file():
            write_key(Path(data) / KEY, (backup / KEY).read_bytes())
        return [say("Restored tables: {count}.", count=len(store.ids()))], DONE


def copy_rows(source: Connection, target: Connection) -> None:
    for table in db.metadata.sorted_tables:
        found = source.execution_options(yield_per=ROWS_AT_ONCE).execute(select(table))
        for some in found.mappings().partitions():
            target.execute(insert(table), [dict(row) for row in some])


def empty(target: Connection) -> None:
    """Delete every row: a database without tables may still hold other names of people."""
    for table in reversed(db.metadata.sorted_tables):
        target.execute(delete(table))


def write_key(path: Path, key: str | bytes | None) -> None:
    """Write the key, in place of one that may be there."""
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(key.encode() if isinstance(key, str) else key or b"")
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


def _flush_to_disk(folder: Path) -> None:
    """Wait until every file is on the disk."""
    for path in (*folder.iterdir(), folder):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# -- check


def check(data: str) -> Result:
    """Replay every table; count them, and name those that fail."""
    demand_database(data)
    wrong: list[Sentence] = []
    changes = 0
    with opened(data) as (_app, store):
        check_step(store)
        ids = store.ids()
        for table in ids:
            count, why = replay(store, table)
            changes += count
            if why is not None:
                wrong.append(say("Table {table}: {why}", table=table, why=why))
        gone = store.listed_but_gone()
    lost = [say("Table {table}: it is in a phone’s list, and does not exist.", table=table) for table in gone]
    if lost and not wrong:
        return lost, FOUND
    if not wrong:
        return [
            say("Tables: {tables}, changes: {changes}. All replay correctly.", tables=len(ids), changes=changes)
        ], DONE
    found = say_many(
        "Tables: {tables}. {wrong} of them does not replay.",
        "Tables: {tables}. {wrong} of them do not replay.",
        len(wrong),
        wrong=len(wrong),
        tables=len(ids),
    )
    return [*wrong, *lost, found], FOUND


def replay(store: SqlStore, table: str) -> tuple[int, Sentence | None]:
    """The number of changes, and why they do not replay (None if they do)."""
    try:
        rows = store.rows(table)
        return len(rows), why_it_does_not_replay(store, table, rows)
    except ValueError as error:  # names or rows that cannot be read
        return 0, say("its changes cannot be read: {why}", why=str(error))


def why_it_does_not_replay(store: SqlStore, table: str, rows: Sequence[Row]) -> Sentence | None:
    for number, row in enumerate(rows, 1):
        if row.number != number:
            return say("change {number} is missing.", number=number)
    try:
        Table.from_changes(GAMES, store.names(table) or (), ((row.change, row.at) for row in rows))
    except EntryError as error:
        return say("its changes do not replay: {why}", why=error.sentence)
    return None


# -- prune


def prune(data: str, older_than: int, yes: bool) -> Result:
    """Delete the tables that have had no change for so many days, or only list them."""
    demand_database(data)
    before = (datetime.now(UTC) - timedelta(days=older_than)).isoformat(timespec="seconds")
    with opened(data) as (_app, store):
        check_step(store)
        silent = store.silent(before)
        listed = [
            say("{table}: changes: {changes}, the last one on {day}.", table=table, changes=changes, day=last[:10])
            for table, changes, last in silent
        ]
        if not yes:
            found = say("Tables that would be deleted: {count}. Add --yes to delete them.", count=len(silent))
            return [*listed, found], DONE
        deleted = sum(store.delete_silent(table, before) for table, _changes, _last in silent)
    return [*listed, say("Deleted tables: {count}.", count=deleted)], DONE


COMMANDS: dict[str, Callable[..., Result]] = {
    "migrate": update,
    "backup": back_up,
    "restore": restore,
    "check": check,
    "prune": prune,
}
