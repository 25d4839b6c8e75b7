"""The store on a database: Flask-SQLAlchemy's engine, Core statements, one transaction a write."""

from __future__ import annotations

import json
from typing import Any, cast

from flask import Flask
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    ForeignKey,
    MetaData,
    UniqueConstraint,
    bindparam,
    event,
    exists,
    false,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from companion.changes import Change, Kind

from . import Door, NotTheDealer, Row, StaleEntry, Standing


class Base(DeclarativeBase):
    # Names by rule from day one, so that a later migration can find every constraint.
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class TableRow(Base):
    __tablename__ = "tables"

    id: Mapped[str] = mapped_column(primary_key=True)
    names: Mapped[str]  # JSON list of the seats at the opening
    secret: Mapped[str]  # hash of the dealer's secret
    created: Mapped[str]
    epoch: Mapped[int] = mapped_column(default=0)  # how often the deal went to another phone
    offered: Mapped[str | None]  # until when it is offered
    guesses: Mapped[int] = mapped_column(default=0)  # wrong PINs since then
    barred: Mapped[str | None]  # no guess before this time


class ChangeRow(Base):
    __tablename__ = "changes"
    __table_args__ = (UniqueConstraint("table_id", "client"),)

    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    entry: Mapped[int | None]  # the entry that was repaired
    entries: Mapped[str]  # one a line
    client: Mapped[str | None]
    at: Mapped[str]


# Asked at every tap and every poll, so built once.
_MINE = ChangeRow.table_id == bindparam("wanted")
_NEWEST = select(func.max(ChangeRow.number)).where(_MINE).scalar_subquery()
_SEEN = exists().where(_MINE, ChangeRow.client == bindparam("id_seen"))
_STANDING, _STANDING_AND_SEEN = (
    select(_NEWEST, TableRow.secret, seen, TableRow.offered).where(TableRow.id == bindparam("wanted"))
    for seen in (false(), _SEEN)
)


class SqlStore:
    """Tables and changes in two tables; the primary key (table, number) settles every race."""

    def __init__(self, app: Flask) -> None:
        self._db = SQLAlchemy(app, model_class=Base)
        with app.app_context():
            self.engine: Engine = self._db.engine
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine, "connect", _safe_sqlite)
            event.listen(self.engine, "begin", _begin_immediately)
        Base.metadata.create_all(self.engine)

    def create(self, table: str, names: tuple[str, ...], secret: str, row: Row) -> None:
        with self.engine.begin() as connection:
            connection.execute(
                insert(TableRow).values(id=table, names=json.dumps(names), secret=secret, created=row.at)
            )
            connection.execute(insert(ChangeRow).values(_columns(table, row)))

    def names(self, table: str) -> tuple[str, ...] | None:
        with self.engine.connect() as connection:
            found = connection.execute(select(TableRow.names).where(TableRow.id == table)).scalar()
        return None if found is None else tuple(json.loads(found))

    def rows(self, table: str, after: int = 0) -> list[Row]:
        wanted = (
            select(
                ChangeRow.number,
                ChangeRow.kind,
                ChangeRow.entry,
                ChangeRow.entries,
                ChangeRow.client,
                ChangeRow.at,
            )
            .where(ChangeRow.table_id == table, ChangeRow.number > after)
            .order_by(ChangeRow.number)
        )
        with self.engine.connect() as connection:
            found = connection.execute(wanted).all()
        return [
            Row(number, Change(cast(Kind, kind), tuple(entries.split("\n")) if entries else (), entry), at, client)
            for number, kind, entry, entries, client, at in found
        ]

    def standing(self, table: str, client: str | None = None) -> Standing | None:
        wanted = _STANDING if client is None else _STANDING_AND_SEEN
        with self.engine.connect() as connection:
            found = connection.execute(wanted, {"wanted": table, "id_seen": client}).first()
        return Standing(found[0], found[1], bool(found[2]), found[3]) if found else None

    def append(self, table: str, row: Row, secret: str | None = None) -> None:
        columns = _columns(table, row)
        # The secret is looked at in the very statement that writes: a hand-over in between is noticed.
        values = select(*(literal(value, type_of(name)).label(name) for name, value in columns.items()))
        mine = values.where(exists().where(TableRow.id == table, TableRow.secret == secret)) if secret else values
        try:
            with self.engine.begin() as connection:
                written = connection.execute(insert(ChangeRow).from_select(list(columns), mine)).rowcount
        except IntegrityError as error:
            raise StaleEntry(table) from error
        if not written:
            raise NotTheDealer(table)

    def door(self, table: str) -> Door | None:
        last = select(ChangeRow.at).where(ChangeRow.table_id == table).order_by(ChangeRow.number.desc()).limit(1)
        wanted = select(TableRow.epoch, TableRow.guesses, TableRow.barred, last.scalar_subquery())
        with self.engine.connect() as connection:
            found = connection.execute(wanted.where(TableRow.id == table)).first()
        return Door(*found) if found else None

    def change_secret(self, table: str, secret: str, epoch: int) -> bool:
        mine = update(TableRow).where(TableRow.id == table, TableRow.epoch == epoch)
        changed = mine.values(secret=secret, epoch=epoch + 1, offered=None, guesses=0, barred=None)
        with self.engine.begin() as connection:
            return connection.execute(changed).rowcount == 1

    def offer(self, table: str, until: str | None) -> None:
        self._change(table, offered=until)

    def guessed(self, table: str, guesses: int, barred: str | None) -> None:
        self._change(table, guesses=guesses, barred=barred)

    def _change(self, table: str, **values: Any) -> None:
        with self.engine.begin() as connection:
            connection.execute(update(TableRow).where(TableRow.id == table).values(**values))


def type_of(column: str) -> Any:
    return ChangeRow.__table__.c[column].type


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
    connection.isolation_level = None  # transactions are begun below, not by the driver
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_immediately(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN")
