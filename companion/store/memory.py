"""A store in memory: for tests, and for the phone itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from . import Invitation, Listed, NotTheDealer, Row, SecretChange, StaleEntry, Standing, Takeover


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


@dataclass
class _Place:
    """A table in a phone's list."""

    dealt: bool = False
    seat: str = ""
    hidden: bool = False


class MemoryStore:
    """Everything is in dictionaries. `setdefault` and `pop` decide who was first, without a lock."""

    def __init__(self) -> None:
        self._tables: dict[str, _StoredTable] = {}
        self._lists: dict[str, dict[str, _Place]] = {}  # by phone and table, the newest last
        self._aliases: dict[str, dict[str, str]] = {}
        self._invitations: dict[str, tuple[str, Invitation]] = {}  # phone and invitation, by the code's hash

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
        """Remove a table, also from every list."""
        self._tables.pop(table, None)
        for tables in list(self._lists.values()):
            tables.pop(table, None)

    def tables(self) -> list[str]:
        return list(self._tables)

    def names(self, table: str) -> tuple[str, ...] | None:
        stored = self._tables.get(table)
        return stored.names if stored else None

    def rows(self, table: str, after: int = 0) -> list[Row]:
        stored = self._tables.get(table)
        return [stored.rows[number] for number in range(after + 1, len(stored.rows) + 1)] if stored else []

    def standing(self, table: str, client: str | None = None, phone: str | None = None) -> Standing | None:
        stored = self._tables.get(table)
        if stored is None:
            return None
        version = len(stored.rows)
        number = stored.clients.get(client) if client is not None else None
        seen = number is not None and number <= version
        seat = self._place(phone, table).seat
        return Standing(version, stored.secret, seen, stored.offered, stored.rows[version].mark, seat)

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

    def delete(self, table: str, secret: str | None = None) -> bool:
        stored = self._tables.get(table)
        if stored is None or (secret is not None and stored.secret != secret):
            return False
        self.forget(table)
        return True

    # -- phones

    def listed(self, phone: str) -> list[Listed]:
        found = []
        for table in reversed(list(self._lists.get(phone, {}))):
            standing, place = self.standing(table), self._place(phone, table)
            if standing is not None:
                at = self._tables[table].rows[standing.version].at
                listed = Listed(table, place.dealt, place.seat, place.hidden, standing.version, at, standing.mark)
                found.append(listed)
        return sorted(found, key=lambda one: one.at, reverse=True)

    def _place(self, phone: str | None, table: str) -> _Place:
        return self._lists.get(phone or "", {}).get(table) or _Place()

    def remember(
        self,
        phone: str,
        table: str,
        dealt: bool | None = None,
        seat: str | None = None,
        hidden: bool | None = None,
    ) -> bool:
        if table not in self._tables:
            return False
        place = self._lists.setdefault(phone, {}).setdefault(table, _Place())
        place.dealt = place.dealt if dealt is None else dealt
        place.seat = place.seat if seat is None else seat
        place.hidden = place.hidden if hidden is None else hidden
        return True

    def copy_list(self, phone: str, to: str) -> None:
        for table, place in list(self._lists.get(phone, {}).items()):
            known = self._lists.setdefault(to, {}).setdefault(table, replace(place))
            known.dealt = known.dealt or place.dealt
        self._aliases[to] = {**self.aliases(phone), **self.aliases(to)}

    def forget_list(self, phone: str) -> None:
        self._lists.pop(phone, None)
        self._aliases.pop(phone, None)
        self.withdraw(phone)

    def change_secrets(self, changes: Sequence[SecretChange], passed_on: bool = False) -> None:
        for table, old, new in changes:
            stored = self._tables.get(table)
            if stored is not None and stored.secret == old:
                stored.secret = new
                stored.epoch += passed_on

    def aliases(self, phone: str) -> dict[str, str]:
        return dict(self._aliases.get(phone, {}))

    def set_alias(self, phone: str, key: str, name: str | None) -> None:
        aliases = self._aliases.setdefault(phone, {})
        if name is None:
            aliases.pop(key, None)
        else:
            aliases[key] = name

    def invite(self, phone: str, code: str, invitation: Invitation, now: str) -> None:
        self.withdraw(phone)
        self._invitations[code] = phone, invitation

    def withdraw(self, phone: str) -> None:
        for code, (whose, _invitation) in list(self._invitations.items()):
            if whose == phone:
                self._invitations.pop(code, None)

    def claim(self, code: str) -> Invitation | None:
        _phone, invitation = self._invitations.pop(code, ("", None))
        return invitation

    def ping(self) -> None:
        """Memory can always be reached."""
