"""A store in memory: for tests, and for the phone itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from . import NotTheDealer, Row, StaleEntry, Standing, Takeover


@dataclass
class _StoredTable:
    names: tuple[str, ...]
    secret: str
    rows: dict[int, Row] = field(default_factory=dict)
    clients: dict[str, int] = field(default_factory=dict)
    epoch: int = 0
    offered: str | None = None
    guesses: int = 0
    barred: str | None = None


class MemoryStore:
    """Everything is in dictionaries. `setdefault` decides who was first, without a lock."""

    def __init__(self) -> None:
        self._tables: dict[str, _StoredTable] = {}

    def create(self, table: str, names: tuple[str, ...], secret: str, row: Row) -> None:
        stored = _StoredTable(names, secret, {row.number: row}, {row.client: row.number} if row.client else {})
        if self._tables.setdefault(table, stored) is not stored:
            raise StaleEntry(table)

    def load(self, table: str, names: tuple[str, ...], secret: str, rows: Iterable[Row]) -> None:
        """Take over rows that were kept elsewhere, in order; a known table is continued."""
        stored = self._tables.setdefault(table, _StoredTable(names, secret))
        for row in rows:
            stored.rows[row.number] = row
            if row.client is not None:
                stored.clients[row.client] = row.number

    def forget(self, table: str) -> None:
        """Remove a table."""
        self._tables.pop(table, None)

    def tables(self) -> list[str]:
        return list(self._tables)

    def names(self, table: str) -> tuple[str, ...] | None:
        stored = self._tables.get(table)
        return stored.names if stored else None

    def rows(self, table: str, after: int = 0) -> list[Row]:
        stored = self._tables.get(table)
        return [stored.rows[number] for number in range(after + 1, len(stored.rows) + 1)] if stored else []

    def standing(self, table: str, client: str | None = None) -> Standing | None:
        stored = self._tables.get(table)
        if stored is None:
            return None
        version = len(stored.rows)
        number = stored.clients.get(client) if client is not None else None
        seen = number is not None and number <= version
        return Standing(version, stored.secret, seen, stored.offered, stored.rows[version].mark)

    def append(self, table: str, row: Row, secret: str | None = None, after: str | None = None) -> None:
        stored = self._tables.get(table)
        if stored is not None and secret is not None and stored.secret != secret:
            raise NotTheDealer(table)
        if stored is None or row.number > len(stored.rows) + 1:
            raise StaleEntry(table)
        if after is not None and stored.rows[row.number - 1].mark != after:
            raise StaleEntry(table)
        if row.client is not None and row.client in stored.clients:
            raise StaleEntry(table)
        if stored.rows.setdefault(row.number, row) is not row:
            raise StaleEntry(table)
        if row.client is not None:
            stored.clients[row.client] = row.number

    def takeover(self, table: str) -> Takeover | None:
        stored = self._tables.get(table)
        if stored is None:
            return None
        last = stored.rows[len(stored.rows)]
        return Takeover(stored.epoch, stored.guesses, stored.barred, last.taken or last.at)

    def change_secret(self, table: str, secret: str, epoch: int) -> bool:
        stored = self._tables[table]
        if stored.epoch != epoch:
            return False
        stored.epoch, stored.secret, stored.offered, stored.guesses, stored.barred = epoch + 1, secret, None, 0, None
        return True

    def offer(self, table: str, until: str | None, secret: str) -> bool:
        stored = self._tables[table]
        if stored.secret != secret:
            return False
        stored.offered = until
        return True

    def guessed(self, table: str, guesses: int, barred: str | None) -> bool:
        stored = self._tables[table]
        if stored.guesses != guesses - 1:
            return False
        stored.guesses, stored.barred = guesses, barred
        return True

    def ping(self) -> None:
        """Memory is always there."""
