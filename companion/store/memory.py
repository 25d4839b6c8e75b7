"""A store that lives as long as the program: for tests, and for the phone itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import Row, StaleEntry, Standing


@dataclass
class _Kept:
    names: tuple[str, ...]
    secret: str
    rows: list[Row] = field(default_factory=list)


class MemoryStore:
    """Keeps everything in dictionaries."""

    def __init__(self) -> None:
        self._tables: dict[str, _Kept] = {}

    def create(self, table: str, names: tuple[str, ...], secret: str, row: Row) -> None:
        if table in self._tables:
            raise StaleEntry(table)
        self._tables[table] = _Kept(names, secret, [row])

    def names(self, table: str) -> tuple[str, ...] | None:
        kept = self._tables.get(table)
        return kept.names if kept else None

    def rows(self, table: str, after: int = 0) -> list[Row]:
        kept = self._tables.get(table)
        return kept.rows[after:] if kept else []

    def standing(self, table: str, client: str | None = None) -> Standing | None:
        kept = self._tables.get(table)
        if kept is None:
            return None
        seen = client is not None and any(row.client == client for row in kept.rows)
        return Standing(len(kept.rows), kept.secret, seen)

    def append(self, table: str, row: Row) -> None:
        rows = self._tables[table].rows
        if row.number != len(rows) + 1 or (row.client is not None and any(row.client == r.client for r in rows)):
            raise StaleEntry(table)
        rows.append(row)

    def change_secret(self, table: str, secret: str) -> None:
        self._tables[table].secret = secret
