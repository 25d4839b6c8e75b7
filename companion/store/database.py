"""How statements reach the database: one by itself, or several in a transaction.

A tap and a poll are one statement each. It is compiled once and sent over a connection that is kept for it, because
SQLAlchemy's own way of running a statement costs more than SQLite does. Several statements are a transaction of
SQLAlchemy's.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from sqlite3 import OperationalError
from time import monotonic, sleep
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, event
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql import ClauseElement, Executable
from sqlalchemy.sql.compiler import SQLCompiler

from . import StoreAway
from .failures import MOVED, ConnectionLost, failure_of
from .turns import Turns

T = TypeVar("T")
LOOK_EVERY = 0.5  # seconds between two looks at the database file


class CompiledStatement:
    """A statement in the words of one database."""

    def __init__(self, statement: Executable, engine: Engine) -> None:
        compiled = cast(ClauseElement, statement).compile(dialect=engine.dialect)
        self.text = str(compiled)
        self._order = cast(SQLCompiler, compiled).positiontup
        self._constants = {name: value for name, value in compiled.params.items() if value is not None}

    def arrange(self, values: dict[str, Any]) -> Any:
        """The values as the driver wants them: by place or by name."""
        known = self._constants | values
        return list(map(known.__getitem__, self._order)) if self._order is not None else known


class FailuresInSentences:
    """A `with` block in which an error of the database becomes a `StoreAway` with a sentence."""

    def __init__(self, driver: Any) -> None:
        self._errors = (driver.Error, SQLAlchemyError)

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        failure = failure_of(error) if isinstance(error, self._errors) else None
        if failure is not None:
            raise failure from error


class DatabaseFile:
    """SQLite goes on writing into a file that was removed or replaced. So we look whether it is still the same, and
    whether the one beside it is, which holds the newest changes."""

    def __init__(self, path: str | None) -> None:
        self._path = path or ""
        self._identity: tuple[int, int] | None = None
        self._log: tuple[int, int] | None = None
        self._next_look = 0.0

    def remember(self, *_event: Any) -> None:
        """The file of the first connection is ours; every later one must be the same."""
        if self._identity is None:
            self._identity = self._find()

    def demand(self) -> None:
        """Refuse to go on without the file, within a second."""
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
        """SQLite removes it with its last connection, and makes another one."""
        self._log = None
        self._next_look = 0.0

    def _find(self, ending: str = "") -> tuple[int, int] | None:
        try:
            found = os.stat(self._path + ending)
        except OSError:
            return None
        return (found.st_dev, found.st_ino) if found.st_size or ending else None


class Database:
    """An engine, and what it is asked. A failure of the database is raised as `StoreAway` with a sentence."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.embedded = engine.dialect.name == "sqlite"
        self._file: DatabaseFile | None = None
        self._turns: Turns | None = None
        if self.embedded:
            self._file = DatabaseFile(engine.url.database)
            event.listen(engine, "connect", _set_up_sqlite)
            event.listen(engine, "connect", self._file.remember)
            event.listen(engine, "begin", _begin)
            self._for_transactions = engine.execution_options(transaction="IMMEDIATE")
            self._for_snapshots = engine.execution_options(transaction="DEFERRED")
        else:
            self._turns = Turns()
            event.listen(engine, "do_connect", _connect_with_deadline)
            # A transaction that waits for a lock must see what was done under it; a copy must be of one moment.
            self._for_transactions = engine.execution_options(isolation_level="READ COMMITTED")
            self._for_snapshots = engine.execution_options(isolation_level="REPEATABLE READ")
        self._driver: Any = engine.dialect.loaded_dbapi
        self._failures = FailuresInSentences(self._driver)
        self._compiled: dict[Executable, CompiledStatement] = {}
        self._idle: deque[Any] = deque()  # connections for single statements: the pool takes longer to hand one out

    def close(self) -> None:
        """Let go of every connection; the next statement makes new ones."""
        while self._idle:
            with suppress(IndexError):  # another thread took the last one
                self._idle.pop().close()
        self.engine.dispose()
        if self._file is not None:
            self._file.forget_log()

    # -- one statement

    def _ask(self, statement: Executable, **values: Any) -> list[Any]:
        """One question. A connection that died while it was idle is noticed here, and another one is asked."""
        with self._failures:
            try:
                return self._run(statement, values, _all_rows)
            except ConnectionLost:
                return self._run(statement, values, _all_rows)

    def _do(self, statement: Executable, **values: Any) -> int:
        """One write; how many rows it touched."""
        with self._failures:
            return self._run(statement, values, _row_count)

    def _run(self, statement: Executable, values: dict[str, Any], result_of: Callable[[Any], T]) -> T:
        if self._file is not None:
            self._file.demand()
        if self._turns is None:
            return self._send(statement, values, result_of)
        with self._turns.turn():
            return self._send(statement, values, result_of)

    def _send(self, statement: Executable, values: dict[str, Any], result_of: Callable[[Any], T]) -> T:
        compiled = self._compiled.get(statement)
        if compiled is None:
            compiled = self._compiled[statement] = CompiledStatement(statement, self.engine)
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self.engine.raw_connection()
        try:
            cursor = connection.cursor()
            cursor.execute(compiled.text, compiled.arrange(values))
            result = result_of(cursor)
            cursor.close()
        except BaseException as error:
            if isinstance(error, self._driver.Error) and self.engine.dialect.is_disconnect(error, connection, None):
                connection.invalidate(error)
                self.close()  # the other idle connections are dead as well
                raise ConnectionLost from error
            connection.close()
            raise
        self._idle.append(connection)
        return result

    # -- several statements

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """Several questions."""
        with self._failures, self.engine.connect() as connection:
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Several statements, all or none of them."""
        if self._file is not None:
            self._file.demand()
        with (
            self._turns.turn() if self._turns else nullcontext(),
            self._failures,
            self._for_transactions.begin() as connection,
        ):
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Several questions to the same moment, while others go on writing."""
        with self._failures, self._for_snapshots.begin() as connection:
            yield connection


def _all_rows(cursor: Any) -> list[Any]:
    rows: list[Any] = cursor.fetchall()
    return rows


def _row_count(cursor: Any) -> int:
    count: int = cursor.rowcount
    return count


def _set_up_sqlite(connection: Any, record: Any) -> None:
    """Every answered entry survives a power cut; readers do not wait for the writer."""
    connection.isolation_level = None  # a statement is its own transaction, unless one is begun below
    cursor = connection.cursor()
    for pragma in ("busy_timeout=5000", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    _write_ahead(cursor)
    cursor.close()


def _write_ahead(cursor: Any) -> None:
    """SQLite does not wait for its turn to switch a new file to WAL, and several processes may start at once."""
    for tries_left in range(100, -1, -1):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except OperationalError as error:
            if not tries_left or "locked" not in str(error):
                raise
            sleep(0.05)


def _begin(connection: Connection) -> None:
    kind = connection.get_execution_options().get("transaction")
    if kind:
        connection.exec_driver_sql(f"BEGIN {kind}")


def _connect_with_deadline(dialect: Any, record: Any, arguments: Any, options: Any) -> Any:
    from .timeouts import ConnectionWithDeadline  # only here: the embedded database needs no psycopg

    return ConnectionWithDeadline.connect(*arguments, **options)
