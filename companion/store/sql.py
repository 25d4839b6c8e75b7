"""The store on a database: Flask-SQLAlchemy's engine, Core statements built and compiled once.

A tap and a poll are one statement each, sent over the pool's own connection: SQLAlchemy's way of running a statement
costs more than SQLite does. What takes several statements is a transaction of SQLAlchemy's.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from sqlite3 import OperationalError
from time import sleep
from typing import Any, TypeVar, cast

from sqlalchemy import (
    Connection,
    bindparam,
    event,
    exists,
    false,
    func,
    insert,
    literal_column,
    null,
    select,
    update,
)
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql import ClauseElement, Executable
from sqlalchemy.sql.compiler import SQLCompiler

from companion.table.change import Change, Kind

from . import NotTheDealer, Row, StaleEntry, Standing, Takeover
from .failures import ConnectionLost, failure_of
from .models import ChangeRow, TableRow

T = TypeVar("T")


# What is asked at every tap and every poll is built once.
_COLUMNS = ("table_id", "number", "kind", "entry", "entries", "client", "at")
_TABLE = TableRow.id == bindparam("table_id")
_MINE = ChangeRow.table_id == bindparam("table_id")
_NEWEST = select(func.max(ChangeRow.number)).where(_MINE).scalar_subquery()
_SEEN = exists().where(_MINE, ChangeRow.client == bindparam("client"))
_STANDING, _STANDING_AND_SEEN = (
    select(_NEWEST, TableRow.secret, seen, TableRow.offered).where(_TABLE) for seen in (false(), _SEEN)
)
_NAMES = select(TableRow.names).where(_TABLE)
_ROWS = (
    select(ChangeRow.number, ChangeRow.kind, ChangeRow.entry, ChangeRow.entries, ChangeRow.client, ChangeRow.at)
    .where(_MINE, ChangeRow.number > bindparam("after"))
    .order_by(ChangeRow.number)
)
_LAST = select(ChangeRow.at).where(_MINE).order_by(ChangeRow.number.desc()).limit(1).scalar_subquery()
_TAKEOVER = select(TableRow.epoch, TableRow.guesses, TableRow.barred, _LAST).where(_TABLE)
# The secret and the row before are looked at in the very statement that writes: a hand-over in between is
# noticed, and no number is ever left out.
_VALUES = select(*(bindparam(name, type_=ChangeRow.__table__.c[name].type).label(name) for name in _COLUMNS))
_FOLLOWS = exists().where(_MINE, ChangeRow.number == bindparam("number") - 1)
# Locked for this statement, so that a hand-over waits for it and nothing of the old dealer comes after (SQLite has one
# writer at a time anyway).
_DEALER = exists(select(TableRow.id).where(_TABLE, TableRow.secret == bindparam("secret")).with_for_update(read=True))
_APPEND, _APPEND_AS_DEALER = (
    insert(ChangeRow).from_select(list(_COLUMNS), _VALUES.where(_FOLLOWS, *more)) for more in ((), (_DEALER,))
)
_OFFER = update(TableRow).where(_TABLE, TableRow.secret == bindparam("mine")).values(offered=bindparam("until"))
_GUESSED = (
    update(TableRow)
    .where(_TABLE, TableRow.guesses == bindparam("count") - 1)
    .values(guesses=bindparam("count"), barred=bindparam("until"))
)
_PASS_ON = (
    update(TableRow)
    .where(_TABLE, TableRow.epoch == bindparam("old"))
    .values(secret=bindparam("new"), epoch=bindparam("next"), offered=null(), guesses=0, barred=null())
)
_IDS = select(TableRow.id).order_by(TableRow.created, TableRow.id)
_ANYTHING: Executable = select(literal_column("1"))


class Statement:
    """A statement in the words of one database."""

    def __init__(self, statement: Executable, engine: Engine) -> None:
        compiled = cast(ClauseElement, statement).compile(dialect=engine.dialect)
        self.text = str(compiled)
        self._order = cast(SQLCompiler, compiled).positiontup
        self._fixed = {name: value for name, value in compiled.params.items() if value is not None}  # its own numbers

    def arrange(self, values: dict[str, Any]) -> Any:
        """The values as the driver wants them: by place or by name."""
        known = self._fixed | values
        return [known[name] for name in self._order] if self._order is not None else known


class SqlStore:
    """Tables and changes in two tables; the primary key (table, number) settles every race."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.embedded = self.engine.dialect.name == "sqlite"
        if self.embedded:
            event.listen(self.engine, "connect", _safe_sqlite)
            event.listen(self.engine, "begin", _begin)
            self._whole = self.engine.execution_options(transaction="IMMEDIATE")
            self._still = self.engine.execution_options(transaction="DEFERRED")
        else:
            event.listen(self.engine, "do_connect", _with_deadline)
            # Who waits for a lock must see what was done under it; who copies must see one moment.
            self._whole = self.engine.execution_options(isolation_level="READ COMMITTED")
            self._still = self.engine.execution_options(isolation_level="REPEATABLE READ")
        self._driver: Any = self.engine.dialect.loaded_dbapi
        self._statements: dict[Executable, Statement] = {}
        self._idle: deque[Any] = deque()  # connections for single statements: the pool's own hand-out takes longer

    def close(self) -> None:
        """Let go of every connection; the next statement makes new ones."""
        while self._idle:
            with suppress(IndexError):  # another thread took the last one
                self._idle.pop().close()
        self.engine.dispose()

    def create(self, table: str, names: tuple[str, ...], secret: str, row: Row) -> None:
        try:
            self._create(table, names, secret, row)
        except ConnectionLost:
            if self.names(table) is None:  # else only the answer was lost
                self._create(table, names, secret, row)

    def _create(self, table: str, names: tuple[str, ...], secret: str, row: Row) -> None:
        with self.whole() as connection:
            connection.execute(
                insert(TableRow).values(id=table, names=json.dumps(names), secret=secret, created=row.at)
            )
            connection.execute(insert(ChangeRow).values(_columns(table, row)))

    def names(self, table: str) -> tuple[str, ...] | None:
        found = self._ask(_NAMES, table_id=table)
        return tuple(json.loads(found[0][0])) if found else None

    def rows(self, table: str, after: int = 0) -> list[Row]:
        return [
            Row(number, Change(cast(Kind, kind), tuple(entries.split("\n")) if entries else (), entry), at, client)
            for number, kind, entry, entries, client, at in self._ask(_ROWS, table_id=table, after=after)
        ]

    def standing(self, table: str, client: str | None = None) -> Standing | None:
        found = self._ask(_STANDING if client is None else _STANDING_AND_SEEN, table_id=table, client=client)
        return Standing(found[0][0], found[0][1], bool(found[0][2]), found[0][3]) if found else None

    def append(self, table: str, row: Row, secret: str | None = None) -> None:
        try:
            written = self._append(table, row, secret)
        except ConnectionLost:
            written = self._append_again(table, row, secret)
        if not written:
            standing = self.standing(table)
            dead = standing is not None and secret is not None and standing.secret != secret
            raise NotTheDealer(table) if dead else StaleEntry(table)

    def _append_again(self, table: str, row: Row, secret: str | None) -> int:
        """After a lost answer: it may have been written, or be under way at this moment."""
        if self._is_there(table, row):
            return 1
        try:
            return self._append(table, row, secret)
        except StaleEntry:
            if self._is_there(table, row):
                return 1
            raise

    def _is_there(self, table: str, row: Row) -> bool:
        return self.rows(table, after=row.number - 1)[:1] == [row]

    def _append(self, table: str, row: Row, secret: str | None) -> int:
        try:
            return self._do(_APPEND if secret is None else _APPEND_AS_DEALER, **_columns(table, row), secret=secret)
        except self._driver.IntegrityError as error:
            raise StaleEntry(table) from error

    def takeover(self, table: str) -> Takeover | None:
        found = self._ask(_TAKEOVER, table_id=table)
        return Takeover(*found[0]) if found else None

    def change_secret(self, table: str, secret: str, epoch: int) -> bool:
        try:
            return self._pass_on(table, secret, epoch)
        except ConnectionLost:
            standing = self.standing(table)
            written = standing is not None and standing.secret == secret  # only the answer was lost
            return written or self._pass_on(table, secret, epoch)

    def _pass_on(self, table: str, secret: str, epoch: int) -> bool:
        return self._do(_PASS_ON, table_id=table, new=secret, old=epoch, next=epoch + 1) == 1

    def offer(self, table: str, until: str | None, secret: str) -> bool:
        try:
            return self._do(_OFFER, table_id=table, until=until, mine=secret) == 1
        except ConnectionLost:
            return self._do(_OFFER, table_id=table, until=until, mine=secret) == 1

    def guessed(self, table: str, guesses: int, barred: str | None) -> bool:
        return self._do(_GUESSED, table_id=table, count=guesses, until=barred) == 1

    def ping(self) -> None:
        self._ask(_ANYTHING)

    def ids(self) -> list[str]:
        """Every table's id: for the owner of the database, never for a page."""
        return [found[0] for found in self._ask(_IDS)]

    # -- one statement, or several

    def _ask(self, statement: Executable, **values: Any) -> list[Any]:
        """One question. A connection that died while it lay in the pool is noticed here, and another one is asked."""
        with self._told():
            try:
                return self._run(statement, values, _rows)
            except ConnectionLost:
                return self._run(statement, values, _rows)

    def _do(self, statement: Executable, **values: Any) -> int:
        """One write; how many rows it touched."""
        with self._told():
            return self._run(statement, values, _count)

    def _run(self, statement: Executable, values: dict[str, Any], look: Callable[[Any], T]) -> T:
        known = self._statements.get(statement)
        if known is None:
            known = self._statements[statement] = Statement(statement, self.engine)
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self.engine.raw_connection()
        try:
            cursor = connection.cursor()
            cursor.execute(known.text, known.arrange(values))
            found = look(cursor)
            cursor.close()
        except BaseException as error:
            if isinstance(error, self._driver.Error) and self.engine.dialect.is_disconnect(error, connection, None):
                connection.invalidate(error)
                self.close()  # the others that lie idle are dead as well
                raise ConnectionLost from error
            connection.close()
            raise
        self._idle.append(connection)
        return found

    @contextmanager
    def connect(self) -> Iterator[Connection]:
        """Several questions."""
        with self._told(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def whole(self) -> Iterator[Connection]:
        """Several statements, all or none of them."""
        with self._told(), self._whole.begin() as connection:
            yield connection

    @contextmanager
    def still(self) -> Iterator[Connection]:
        """Several questions to the same moment, while others go on writing."""
        with self._told(), self._still.begin() as connection:
            yield connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        """A failing database is told in a sentence."""
        try:
            yield
        except (self._driver.Error, SQLAlchemyError) as error:
            trouble = failure_of(error)
            if trouble is None:
                raise
            raise trouble from error


def _rows(cursor: Any) -> list[Any]:
    found: list[Any] = cursor.fetchall()
    return found


def _count(cursor: Any) -> int:
    count: int = cursor.rowcount
    return count


def _columns(table: str, row: Row) -> dict[str, Any]:
    return {
        "table_id": table,
        "number": row.number,
        "kind": row.change.kind,
        "entry": row.change.number,
        "entries": "\n".join(row.change.entries),
        "client": row.client,
        "at": row.at,
    }


def _safe_sqlite(connection: Any, record: Any) -> None:
    """Every answered entry survives a power cut; readers do not wait for the writer."""
    connection.isolation_level = None  # a statement is its own transaction, unless one is begun below
    cursor = connection.cursor()
    for pragma in ("busy_timeout=5000", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    _write_ahead(cursor)
    cursor.close()


def _write_ahead(cursor: Any) -> None:
    """SQLite does not wait for its turn to switch a new file to WAL, and several processes may start at once."""
    for patience in range(100, -1, -1):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except OperationalError as error:
            if not patience or "locked" not in str(error):
                raise
            sleep(0.05)


def _with_deadline(dialect: Any, record: Any, arguments: Any, options: Any) -> Any:
    from .timeouts import ConnectionWithDeadline  # only here: the embedded database needs no psycopg

    return ConnectionWithDeadline.connect(*arguments, **options)


def _begin(connection: Connection) -> None:
    kind = connection.get_execution_options().get("transaction")
    if kind:
        connection.exec_driver_sql(f"BEGIN {kind}")
