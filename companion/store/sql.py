"""The store on a database. A tap is one statement, and so is a poll."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.sql import Executable

from companion.table.change import Change, Kind

from . import (
    DamagedTable,
    Invitation,
    Listed,
    NotTheDealer,
    Row,
    SecretChange,
    StaleEntry,
    Standing,
    Takeover,
    statements,
)
from .database import Database
from .failures import ConnectionLost
from .models import ChangeRow, TableRow


class SqlStore(Database):
    """Tables and changes. The primary key (table, number) decides every race."""

    def create(self, table: str, names: tuple[str, ...], secret: str, row: Row) -> None:
        try:
            self._create(table, names, secret, row)
        except ConnectionLost:
            if self.names(table) is None:  # else only the answer was lost
                self._create(table, names, secret, row)
        except IntegrityError as error:
            if self.names(table) is None:
                raise
            raise StaleEntry(table) from error

    def _create(self, table: str, names: tuple[str, ...], secret: str, row: Row) -> None:
        with self.transaction() as connection:
            connection.execute(
                insert(TableRow).values(id=table, names=json.dumps(names), secret=secret, created=row.at)
            )
            connection.execute(insert(ChangeRow).values(_columns(table, row)))

    def names(self, table: str) -> tuple[str, ...] | None:
        found = self._ask(statements.NAMES, table_id=table)
        return _names(found[0][0]) if found else None

    def rows(self, table: str, after: int = 0) -> list[Row]:
        return [_row(*columns) for columns in self._ask(statements.ROWS, table_id=table, after=after)]

    def standing(self, table: str, client: str | None = None, phone: str | None = None) -> Standing | None:
        question = statements.STANDING[client is not None, phone is not None]
        found = self._ask(question, table_id=table, client=client, phone=phone)
        if not found:
            return None
        version, secret, seen, offered, mark, seat = found[0]
        if not isinstance(version, int) or not isinstance(secret, str) or not isinstance(offered, str | None):
            raise DamagedTable("its standing has a value of the wrong kind")
        return Standing(version, secret, bool(seen), offered, mark, seat or "")

    def append(self, table: str, row: Row, secret: str | None = None, after: str | None = None) -> None:
        try:
            self._append(table, row, secret, after)
        except ConnectionLost:
            self._append_again(table, row, secret, after)

    def _append_again(self, table: str, row: Row, secret: str | None, after: str | None) -> None:
        """After a lost answer: the row may have been written, or be under way at this moment."""
        if self._is_there(table, row):
            return
        try:
            self._append(table, row, secret, after)
        except StaleEntry:
            if not self._is_there(table, row):
                raise

    def _is_there(self, table: str, row: Row) -> bool:
        return self.rows(table, after=row.number - 1)[:1] == [row]

    def _append(self, table: str, row: Row, secret: str | None, after: str | None) -> None:
        statement = statements.APPENDS[secret is not None, after is not None]
        try:
            self._do(statement, **_columns(table, row), secret=secret, after=after)
        except IntegrityError as error:
            standing = self.standing(table)
            dead = standing is not None and secret is not None and standing.secret != secret
            raise (NotTheDealer(table) if dead else StaleEntry(table)) from error

    def takeover(self, table: str) -> Takeover | None:
        found = self._ask(statements.TAKEOVER, table_id=table)
        if not found:
            return None
        epoch, guesses, barred, last = found[0]
        if not isinstance(epoch, int) or not isinstance(guesses, int) or not isinstance(last, str):
            raise DamagedTable("its deal has a value of the wrong kind")
        return Takeover(epoch, guesses, barred, last)

    def change_secret(self, table: str, secret: str, epoch: int) -> bool:
        try:
            return self._pass_on(table, secret, epoch)
        except ConnectionLost:
            standing = self.standing(table)
            written = standing is not None and standing.secret == secret  # only the answer was lost
            return written or self._pass_on(table, secret, epoch)

    def _pass_on(self, table: str, secret: str, epoch: int) -> bool:
        return self._do(statements.PASS_ON, table_id=table, new=secret, old=epoch, next=epoch + 1) == 1

    def offer(self, table: str, until: str | None, secret: str) -> bool:
        try:
            return self._do(statements.OFFER, table_id=table, until=until, mine=secret) == 1
        except ConnectionLost:
            return self._do(statements.OFFER, table_id=table, until=until, mine=secret) == 1

    def guessed(self, table: str, guesses: int, barred: str | None) -> bool:
        return self._do(statements.GUESSED, table_id=table, count=guesses, until=barred) == 1

    def delete(self, table: str, secret: str | None = None) -> bool:
        if secret is None:
            return self._delete(statements.CLOSE, table)
        return self._delete(statements.CLOSE_BY_DEALER, table, mine=secret)

    def _delete(self, close: Executable, table: str, **demanded: str) -> bool:
        """Delete a table if the statement `close` finds it."""
        with self.transaction() as connection:
            if not connection.execute(close, {"table_id": table, **demanded}).rowcount:
                return False
            for statement in statements.DELETE:
                connection.execute(statement, {"table_id": table})
        return True

    def ping(self) -> None:
        self._ask(statements.ANYTHING)

    # -- for the commands of the owner, never for a page

    def ids(self) -> list[str]:
        """Every table's id."""
        return [found[0] for found in self._ask(statements.IDS)]

    def silent(self, before: str) -> list[tuple[str, int, str]]:
        """The tables without a change since a time: each with its number of changes, and when the last was taken."""
        return [(table, changes, last) for table, changes, last in self._ask(statements.SILENT, before=before)]

    def delete_silent(self, table: str, before: str) -> bool:
        """Delete a table unless it was changed since."""
        return self._delete(statements.CLOSE_SILENT, table, before=before)

    def listed_but_gone(self) -> list[str]:
        """Tables in a list that do not exist, as after another program has removed them."""
        return [found[0] for found in self._ask(statements.LISTED_BUT_GONE)]

    # -- the lists of phones, their aliases and invitations: no tap asks for them

    def listed(self, phone: str) -> list[Listed]:
        try:
            return self._listed(statements.LISTED, phone)
        except DamagedTable:  # the other tables are fine
            return self._listed(statements.LISTED_BESIDE_DAMAGE, phone)

    def _listed(self, question: Executable, phone: str) -> list[Listed]:
        found = self._ask(question, phone=phone)
        if not all(isinstance(at, str) for *_rest, at, _mark in found):
            raise DamagedTable("a table in the list has an invalid time")
        return [Listed(table, bool(dealt), seat, bool(hidden), *rest) for table, dealt, seat, hidden, *rest in found]

    def remember(
        self,
        phone: str,
        table: str,
        dealt: bool | None = None,
        seat: str | None = None,
        hidden: bool | None = None,
    ) -> bool:
        values = {"whose": phone, "of": table, "is_dealt": dealt, "own_seat": seat, "is_hidden": hidden}
        return self._put(statements.UPDATE_LISTED, statements.ADD_LISTED, **values)

    def copy_list(self, phone: str, to: str) -> None:
        try:
            self._in_one(statements.COPY_LIST, from_phone=phone, to_phone=to)
        except IntegrityError:  # another request has added the same table
            self._in_one(statements.COPY_LIST, from_phone=phone, to_phone=to)

    def forget_list(self, phone: str) -> None:
        self._in_one(statements.FORGET_LIST, phone=phone)

    def change_secrets(self, changes: Sequence[SecretChange], passed_on: bool = False) -> None:
        statement = statements.CHANGE_SECRET_AND_DEALER if passed_on else statements.CHANGE_SECRET
        if changes:
            with self.transaction() as connection:
                connection.execute(statement, [{"of": table, "old": old, "new": new} for table, old, new in changes])

    def aliases(self, phone: str) -> dict[str, str]:
        return dict(map(tuple, self._ask(statements.ALIASES, phone=phone)))

    def set_alias(self, phone: str, key: str, name: str | None) -> None:
        if name is None:
            self._do(statements.REMOVE_ALIAS, phone=phone, of=key)
        else:
            self._put(statements.UPDATE_ALIAS, statements.ADD_ALIAS, whose=phone, of=key, other=name)

    def invite(self, phone: str, code: str, invitation: Invitation, now: str) -> None:
        self._do(statements.SWEEP, now=now)
        values = {"whose": phone, "new": code, "secret": invitation.sealed, "end": invitation.until}
        self._put(statements.INVITE_AGAIN, statements.INVITE, **values)

    def withdraw(self, phone: str) -> None:
        self._do(statements.WITHDRAW, phone=phone)

    def claim(self, code: str) -> Invitation | None:
        found = self._ask(statements.INVITATION, of=code)
        return Invitation(*found[0]) if found and self._do(statements.USE_UP, of=code) == 1 else None

    def _put(self, update: Executable, add: Executable, **values: Any) -> bool:
        """Update a row, or add it if it is not there. False if neither is possible."""
        if self._do(update, **values):
            return True
        try:
            self._do(add, **values)
        except IntegrityError:  # another request was faster, or there is no such table
            return self._do(update, **values) == 1
        return True

    def _in_one(self, several: Sequence[Executable], **values: str) -> None:
        with self.transaction() as connection:
            for statement in several:
                connection.execute(statement, values)


def _names(raw: Any) -> tuple[str, ...]:
    try:
        names = json.loads(raw) if isinstance(raw, str) else None
    except (ValueError, RecursionError):
        names = None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise DamagedTable("its names are not a list of names")
    return tuple(names)


def _row(number: Any, kind: Any, entry: Any, entries: Any, client: Any, at: Any) -> Row:
    """A row, checked: SQLite lets other programs put anything into any column."""
    texts = (kind, entries, at, "" if client is None else client)
    numbers = (number, 0 if entry is None else entry)
    if not all(isinstance(one, str) for one in texts) or not all(isinstance(one, int) for one in numbers):
        raise DamagedTable(f"change {number} has a value of the wrong kind")
    if not _is_time(at):
        raise DamagedTable(f"change {number} has an invalid time")
    change = Change(cast(Kind, kind), tuple(entries.split("\n")) if entries else (), entry)
    return Row(number, change, at, client)


def _is_time(at: str) -> bool:
    try:
        return datetime.fromisoformat(at).tzinfo is not None
    except ValueError:
        return False


def _columns(table: str, row: Row) -> dict[str, Any]:
    return {
        "table_id": table,
        "number": row.number,
        "kind": row.change.kind,
        "entry": row.change.number,
        "entries": "\n".join(row.change.entries),
        "client": row.client,
        "at": row.at,
        "taken": row.taken,
    }
