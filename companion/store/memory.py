"""A store that lives as long as the program: for tests, and for the phone itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import NotTheDealer, Row, StaleEntry, Standing, Takeover


@dataclass
class _Kept:
    names: tuple[str, ...]
    secret: str
    rows: dict[int, Row] = field(default_factory=dict)
    clients: dict[str, int] = field(default_factory=dict)
    epoch: int = 0
    offered: str | None = None
    guesses: int = 0
    barred: str | None = None


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
        return Standing(len(kept.rows), kept.secret, number is not None and number <= len(kept.rows), kept.offered)

    def append(self, table: str, row: Row, secret: str | None = None) -> None:
        kept = self._tables.get(table)
        if kept is not None and secret is not None and kept.secret != secret:
            raise NotTheDealer(table)
        if kept is None or row.number > len(kept.rows) + 1 or (row.client is not None and row.client in kept.clients):
            raise StaleEntry(table)
        if kept.rows.setdefault(row.number, row) is not row:
            raise StaleEntry(table)
        if row.client is not None:
            kept.clients[row.client] = row.number

    def takeover(self, table: str) -> Takeover | None:
        kept = self._tables.get(table)
        return Takeover(kept.epoch, kept.guesses, kept.barred, kept.rows[len(kept.rows)].at) if kept else None

    def change_secret(self, table: str, secret: str, epoch: int) -> bool:
        kept = self._tables[table]
        if kept.epoch != epoch:
            return False
        kept.epoch, kept.secret, kept.offered, kept.guesses, kept.barred = epoch + 1, secret, None, 0, None
        return True

    def offer(self, table: str, until: str | None, secret: str) -> bool:
        kept = self._tables[table]
        if kept.secret != secret:
            return False
        kept.offered = until
        return True

    def guessed(self, table: str, guesses: int, barred: str | None) -> bool:
        kept = self._tables[table]
        if kept.guesses != guesses - 1:
            return False
        kept.guesses, kept.barred = guesses, barred
        return True

    def ping(self) -> None:
        """It is always there."""
