"""The phone's tables in memory: a copy of the journal, which tells what must be written to it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal, cast

from companion.store import Row
from companion.store.memory import MemoryStore
from companion.table.change import Change, Kind
from companion.web.dealing import fingerprint
from companion.web.rows import row_as_json

LOCAL_SECRET = "phone"  # whoever holds the phone deals; the server's secret stays in a cookie that no script can read
HERE = fingerprint(LOCAL_SECRET)

# What the journal is told: a store of it, what to do there, and the value or its key.
Written = tuple[Literal["tables", "rows", "session"], Literal["add", "put", "delete"], Any]


def row_to_json(table: str, row: Row) -> dict[str, Any]:
    """A row as the journal has it; whether the server has it is the journal's business."""
    return {"table": table, **row_as_json(row)}


def row_from_json(row: Mapping[str, Any]) -> Row:
    change = Change(cast(Kind, row["kind"]), tuple(row["entries"]), row["entry"])
    return Row(row["number"], change, row["at"], row["client"])


class PhoneStore(MemoryStore):
    """Keeps tables in memory and notes every write, so that it can be put on the disk before it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[Written] = []
        self.refused: dict[str, Mapping[str, Any]] = {}  # what the server said to the rows of a table
        self._copies: dict[str, int] = {}

    def create(self, table: str, names: tuple[str, ...], secret: str, row: Row) -> None:
        row = _with_id(row)
        super().create(table, names, secret, row)
        self._copies[table] = 0
        self.written.append(("tables", "add", {"id": table, "names": list(names), "copy": 0}))
        self.written.append(("rows", "add", {**row_to_json(table, row), "sent": 0}))

    def append(self, table: str, row: Row, secret: str | None = None, after: str | None = None) -> None:
        row = _with_id(row)
        super().append(table, row, secret, after)
        self.written.append(("rows", "add", {**row_to_json(table, row), "sent": 0}))

    def catch_up(self, tables: Iterable[Mapping[str, Any]], rows: Iterable[Mapping[str, Any]]) -> set[str]:
        """What the journal has and this memory has not; the tables whose copy was replaced."""
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
            self.load(key, tuple(table["names"]), HERE, of_table[key])
            self.refused.pop(key, None)
            if table.get("refused"):
                self.refused[key] = table["refused"]
        return replaced

    def drop(self, table: str) -> None:
        """This phone has no such table any more."""
        self.written += [("rows", "delete", [table, row.number]) for row in self.rows(table)]
        self.written.append(("tables", "delete", table))
        self.forget(table)

    def forget(self, table: str) -> None:
        """Out of the memory, not out of the journal."""
        super().forget(table)
        self._copies.pop(table, None)
        self.refused.pop(table, None)

    def newest_last(self) -> list[str]:
        """Tables in the order they were used."""
        return sorted(self.tables(), key=lambda table: self.rows(table)[-1].at)

    def version(self, table: str, copy: int) -> int:
        """How many rows of this copy of a table are here."""
        standing = self.standing(table) if self._copies.get(table) == copy else None
        return standing.version if standing else 0


def _with_id(row: Row) -> Row:
    """A row has an id, so that the server takes it once."""
    return row if row.client else replace(row, client=secrets.token_hex(12))
