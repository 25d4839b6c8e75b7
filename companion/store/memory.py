"""A store that lives as long as the program: for tests, and for the phone itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import Row, StaleEntry, Standing


@dataclass
class _Kept:
    names: tuple[str, ...]
    secret: str
    rows: dict[int, Row] = field(default_factory=dict)
    clients: dict[str, int] = field(default_factory=dict)


class MemoryStore:
    """Keeps everything in dictionaries. `setdefault` settles who was first, without a lock."""

    def __init__(self) -> None:
        self._tables: dict[str, _Kept] = {}

    def create(self, table: str, names: tuple[str, ...], secret: str, row: Row) -> None:
        kept = _Kept(names, secret, {row.number: row})
        if self._tables.setdefault(table, kept) is not kept:
            raise StaleEntry(table)

    def names(self, table: str) -> tuple[str, ...] | None:
        kept = self._tables.get(table)
        return kept.names if kept else None

    def rows(self, table: str, after: int = 0) -> list[Row]:
        kept = self._tables.get(table)
        return [kept.rows[number] for number in range(after + 1, len(kept.rows) + 1)] if kept else []

    def standing(self, table: str, client: str | None = None) -> Standing | None:
        kept = self._tables.get(table)
        if kept is None:
            return None
        number = kept.clients.get(client) if client is not None else None
        return Standing(len(kept.rows), kept.secret, number is not None and number <= len(kept.rows))

    def append(self, table: str, row: Row) -> None:
        kept = self._tables.get(table)
        if kept is None or row.number > len(kept.rows) + 1 or (row.client is not None and row.client in kept.clients):
            raise StaleEntry(table)
        if kept.rows.setdefault(row.number, row) is not row:
            raise StaleEntry(table)
        if row.client is not None:
            kept.clients[row.client] = row.number

    def change_secret(self, table: str, secret: str) -> None:
        self._tables[table].secret = secret
