"""The engine as the store uses it: settings of SQLite, transactions, and failures as sentences."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from sqlite3 import OperationalError
from time import monotonic, sleep
from typing import Any

from sqlalchemy import Connection, event
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import QueuePool
from sqlalchemy.sql import Executable

from . import StoreAway
from .failures import AWAY, MOVED, ConnectionLost, failure_of

LOOK_EVERY = 0.5  # seconds between two checks of the database file
TOO_LATE = 2.0  # seconds after which a statement is not tried again: the dealer has waited long enough


class DatabaseFile:
    """SQLite goes on writing into a file that was removed or replaced. So we check that the file is still the same, and
    so is its write-ahead log (`-wal`), which holds the newest changes."""

    def __init__(self, path: str | None) -> None:
        self._path = path or ""
        self._identity: tuple[int, int] | None = None
        self._log: tuple[int, int] | None = None
        self._next_look = 0.0

    def remember(self, *_event: Any) -> None:
        """Remember the file of the first connection; every later one must be the same."""
        if self._identity is None:
            self._identity = self._find()

    def demand(self) -> None:
        """Raise `StoreAway` if the file is gone, within a second."""
        if monotonic() < self._next_look:
            return
        if self._identity is not None and self._find() != self._identity:
            raise StoreAway(MOVED)
        log = self._find("-wal")
        if self._log is not None and log != self._log:
            raise StoreAway(MOVED)
        self._log = log
        if log is not None:  # the first statement makes it
            self._next_look = monotonic() + LOOK_EVERY

    def forget_log(self) -> None:
        """SQLite removes the log with its last connection, and makes another one later."""
        self._log = None
        self._next_look = 0.0

    def _find(self, ending: str = "") -> tuple[int, int] | None:
        try:
            found = os.stat(self._path + ending)
        except OSError:
            return None
        return (found.st_dev, found.st_ino) if found.st_size or ending else None


class Database:
    """An engine, and how statements reach it. A failure of the database is raised as `StoreAway` with a sentence."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.embedded = engine.dialect.name == "sqlite"
        self._file: DatabaseFile | None = None
        self._stuck = False  # a wait for a connection timed out, and no statement has succeeded since
        self._single = self._several = self._snapshots = engine
        if self.embedded:
            self._file = DatabaseFile(engine.url.database)
            event.listen(engine, "connect", _set_up_sqlite)
            event.listen(engine, "connect", self._file.remember)
        else:
            event.listen(engine, "do_connect", _connect_with_deadline)
            self._single = engine.execution_options(isolation_level="AUTOCOMMIT")
            # A transaction that waits for a lock must see what was done under it; a copy must be of one moment.
            self._several = engine.execution_options(isolation_level="READ COMMITTED")
            self._snapshots = engine.execution_options(isolation_level="REPEATABLE READ")

    def close(self) -> None:
        """Close every connection; the next statement opens a new one."""
        self.engine.dispose()
        if self._file is not None:
            self._file.forget_log()

    # -- one statement, in a transaction of its own

    def _ask(self, statement: Executable, **values: Any) -> Sequence[Any]:
        """Run one query and return its rows. A lost connection is replaced once."""
        try:
            return self._fetch(statement, values)
        except ConnectionLost:
            return self._fetch(statement, values)

    def _fetch(self, statement: Executable, values: dict[str, Any]) -> Sequence[Any]:
        with self._failures(), self._single.connect() as connection:
            return connection.execute(statement, values).all()

    def _do(self, statement: Executable, **values: Any) -> int:
        """Run one write and return the number of rows it changed."""
        with self._failures(), self._single.begin() as connection:
            return connection.execute(statement, values).rowcount

    # -- several statements

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """A connection for several queries."""
        with self._failures(), self._single.connect() as connection:
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection for several statements, which succeed or fail together."""
        with self._failures(), self._several.begin() as connection:
            if self.embedded:
                # The driver begins at the first write: too late, as another writer may have changed what was read.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection for several queries about one moment, while others write."""
        with self._failures(), self._snapshots.begin() as connection:
            if self.embedded:
                connection.exec_driver_sql("BEGIN")  # the driver does not begin one for a SELECT
            yield connection

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Raise an error of the database as `StoreAway`, with a sentence; `ConnectionLost` if it may be tried again."""
        if self._file is not None:
            self._file.demand()
        self._demand_connections()
        began = monotonic()
        try:
            yield
            self._stuck = False
        except SQLAlchemyError as error:
            self._stuck = self._stuck or isinstance(error, PoolTimeout)
            failure = failure_of(error)
            if failure is None:
                raise
            if isinstance(failure, ConnectionLost) and monotonic() - began > TOO_LATE:
                failure = StoreAway(AWAY)
            raise failure from error

    def _demand_connections(self) -> None:
        """Raise `StoreAway` at once while the server hangs: waiting would use up one thread after the other."""
        pool = self.engine.pool
        if self._stuck and isinstance(pool, QueuePool) and pool.checkedout() >= pool.size():
            raise StoreAway(AWAY) from PoolTimeout("all connections are in use")


def _set_up_sqlite(connection: Any, record: Any) -> None:
    """Every answered entry survives a power cut; readers do not wait for the writer."""
    cursor = connection.cursor()
    for pragma in ("busy_timeout=5000", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    _write_ahead(cursor)
    cursor.close()


def _write_ahead(cursor: Any) -> None:
    """Switch a new file to WAL. SQLite does not wait for a lock here, and several processes may start at once."""
    for tries_left in range(100, -1, -1):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except OperationalError as error:
            if not tries_left or "locked" not in str(error):
                raise
            sleep(0.05)


def _connect_with_deadline(dialect: Any, record: Any, arguments: Any, options: Any) -> Any:
    from .timeouts import ConnectionWithDeadline  # only here: the embedded database needs no psycopg

    return ConnectionWithDeadline.connect(*arguments, **options)
