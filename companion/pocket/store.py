"""The phone's tables in memory: a copy of the journal, and a list of what must be written to it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, cast

from companion.store import Row
from companion.store.memory import MemoryStore
from companion.table.change import Change, Kind
from companion.web.addresses import is_demo
from companion.web.dealing import fingerprint, secret_of
from companion.web.rows import row_as_json

LOCAL_SECRET = "phone"  # whoever holds the phone deals; the server's secret stays in a cookie that no script can read
HERE = fingerprint(LOCAL_SECRET)
LIST = "list"  # the part of the journal's session with what the list says besides its tables

# One change of the journal: its object store, what to do there, and the value or its key.
Written = tuple[Literal["tables", "rows", "session"], Literal["add", "put", "delete"], Any]


def row_to_json(table: str, row: Row) -> dict[str, Any]:
    """A row as the journal keeps it, except for the note whether the server has it."""
    return {"table": table, **row_as_json(row)}


def row_from_json(row: Mapping[str, Any]) -> Row:
    change = Change(cast(Kind, row["kind"]), tuple(row["entries"]), row["entry"])
    return Row(row["number"], change, row["at"], row["client"])


class PhoneStore(MemoryStore):
    """Keeps tables in memory and notes every write, so that it can be put on the disk before it is shown.

    There is one phone, and its list is what is on its disk.
    """

    def __init__(self) -> None:
        super().__init__()
        self.written: list[Written] = []
        self.refused: dict[str, Mapping[str, Any]] = {}  # why the server refused the rows of a table
        self._copies: dict[str, int] = {}
        self._read: Mapping[str, Any] | None = None  # the journal's part of the list, as it was taken over last

    def create(self, table: str, names: tuple[str, ...], secret: str, row: Row) -> None:
        row = _with_id(row)
        super().create(table, names, secret, row)
        self._enlist(table)
        self._copies[table] = 0
        self.written.append(("tables", "add", {"id": table, "names": list(names), "copy": 0}))
        self.written.append(("rows", "add", {**row_to_json(table, row), "sent": 0}))

    def append(self, table: str, row: Row, secret: str | None = None, after: str | None = None) -> None:
        row = _with_id(row)
        super().append(table, row, secret, after)
        self.written.append(("rows", "add", {**row_to_json(table, row), "sent": 0}))

    def catch_up(self, tables: Iterable[Mapping[str, Any]], rows: Iterable[Mapping[str, Any]]) -> set[str]:
        """Add the rows of the journal that are not in memory; return the tables whose copy was replaced."""
        replaced = set()
        of_table: dict[str, list[Row]] = {table["id"]: [] for table in tables}
        for row in rows:
            of_table[row["table"]].append(row_from_json(row))
        for table in tables:
            key = table["id"]
            if self._copies.get(key) != table["copy"]:
                self.forget(key)
                self._copies[key] = table["copy"]
                replaced.add(key)
            self.load(key, tuple(table["names"]), fingerprint(secret_of(LOCAL_SECRET, key)), of_table[key])
            self._enlist(key)
            self.refused.pop(key, None)
            if table.get("refused"):
                self.refused[key] = table["refused"]
        return replaced

    def delete(self, table: str, secret: str | None = None) -> bool:
        written = self._of_table(table)
        if not super().delete(table, secret):
            return False
        self._copies.pop(table, None)
        self.written += written
        return True

    # -- the list

    def remember(
        self,
        phone: str,
        table: str,
        dealt: bool | None = None,
        seat: str | None = None,
        hidden: bool | None = None,
    ) -> bool:
        before = self._list()
        known = super().remember(HERE, table, dealt, seat, hidden)
        self._write_list(before)
        return known

    def set_alias(self, phone: str, key: str, name: str | None) -> None:
        before = self._list()
        super().set_alias(HERE, key, name)
        self._write_list(before)

    def read_seats(self, seats: Mapping[str, str]) -> None:
        """Take over the seats that a server knows, of the tables that are here."""
        for table, seat in seats.items():
            super().remember(HERE, table, seat=seat)

    def read_list(self, part: Mapping[str, Any]) -> None:
        """Take over what the journal's part says of the tables that are here, and the aliases."""
        if part == self._read:  # as at nearly every tap
            return
        self._read = part
        for one in self.listed(HERE):
            hidden, seat = one.table in part["hidden"], part["seats"].get(one.table, one.seat)
            super().remember(HERE, one.table, seat=seat, hidden=hidden)
        for key in self.aliases(HERE).keys() | part["aliases"].keys():
            super().set_alias(HERE, key, part["aliases"].get(key))

    def _enlist(self, table: str) -> None:
        if not is_demo(table):
            super().remember(HERE, table, dealt=True)

    def _list(self) -> dict[str, Any]:
        """The part of the journal's session that says what the list says besides its tables."""
        listed = sorted(self.listed(HERE), key=lambda one: one.table)
        return {
            "id": LIST,
            "seats": {one.table: one.seat for one in listed if one.seat},
            "hidden": [one.table for one in listed if one.hidden],
            "aliases": self.aliases(HERE),
        }

    def _write_list(self, before: Mapping[str, Any]) -> None:
        now = self._list()
        if now != before:
            self._read = now
            self.written.append(("session", "put", now))

    def _of_table(self, table: str) -> list[Written]:
        """What removes a table from the journal."""
        return [*(("rows", "delete", [table, row.number]) for row in self.rows(table)), ("tables", "delete", table)]

    def drop(self, table: str) -> None:
        """Remove a table from memory and from the journal."""
        self.written += self._of_table(table)
        self.forget(table)

    def forget(self, table: str) -> None:
        """Remove a table from memory only."""
        super().forget(table)
        self._read = None
        self._copies.pop(table, None)
        self.refused.pop(table, None)

    def version(self, table: str, copy: int) -> int:
        """The number of rows in memory of this copy of a table."""
        standing = self.standing(table) if self._copies.get(table) == copy else None
        return standing.version if standing else 0


def _with_id(row: Row) -> Row:
    """The row with a client id, so that the server enters it once."""
    return row if row.client else replace(row, client=secrets.token_hex(12))
