"""The tables a process has at hand: each as of a version, advanced by one change at a time."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from flask import current_app

from companion.changes import Change, apply
from companion.engine.errors import InvalidEntry
from companion.engine.notation import Entry, parse
from companion.games import GAMES
from companion.store import Row, StaleEntry, Standing, Store
from companion.table import Table

AT_HAND = 1_000


class UnknownTable(Exception):
    """There is no table of that id."""


class NoSecret(Exception):
    """Writing needs the dealer's secret."""


class WrongSecret(Exception):
    """That is not the dealer's secret (any more)."""


class Stale(Exception):
    """The caller has not seen the newest version; here it is."""

    def __init__(self, table: Table) -> None:
        super().__init__("stale")
        self.table = table


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def fingerprint(secret: str) -> str:
    """Secrets are long and random, so a plain hash keeps them."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Tables:
    """Load, create and change tables over a store. Correct with any number of processes: the store settles races."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._at_hand: OrderedDict[str, Table] = OrderedDict()

    def create(self, names: Sequence[str], entries: Sequence[Entry]) -> tuple[str, str, Table]:
        """A new table: its id, the dealer's secret, and the table."""
        at = now()
        opened = Table.open(GAMES, names, entries, at)
        table_id, secret = secrets.token_urlsafe(12), secrets.token_urlsafe(24)
        row = Row(1, Change("open", tuple(map(str, entries))), at)
        self.store.create(table_id, tuple(names), fingerprint(secret), row)
        self._keep(table_id, opened)
        return table_id, secret, opened

    def load(self, table_id: str) -> Table:
        """The table as it is now."""
        return self._as_of(table_id, self._standing(table_id, None))

    def look(self, table_id: str, secret: str | None) -> tuple[Table, bool]:
        """The table, and whether this secret may write, in one look."""
        standing = self._standing(table_id, None)
        return self._as_of(table_id, standing), secret is not None and _matches(secret, standing)

    def write(
        self,
        table_id: str,
        secret: str | None,
        version: int,
        wanted: Change | Callable[[Table], Change],
        client: str | None = None,
    ) -> Table:
        """Make a change that was decided at a version; it may depend on the table as it stands.

        An id that was seen before is applied once.
        """
        standing = self._authorised(table_id, secret, client)
        table = self._as_of(table_id, standing)
        if standing.seen:
            return table
        if version != table.version:
            return self._too_late(table_id, client)
        at = now()
        change = _canonical(wanted if isinstance(wanted, Change) else wanted(table))
        changed = apply(table, change, at)
        try:
            self.store.append(table_id, Row(changed.version, change, at, client))
        except StaleEntry:
            return self._too_late(table_id, client)
        self._keep(table_id, changed)
        return changed

    def preview(self, table_id: str, secret: str | None, version: int, change: Change) -> tuple[Table, Table]:
        """The table now, and as it would be."""
        table = self._as_of(table_id, self._authorised(table_id, secret, None))
        if version != table.version:
            raise Stale(table)
        return table, apply(table, change)

    def hand_over(self, table_id: str, secret: str | None) -> str:
        """A new secret; the old one is dead."""
        self._authorised(table_id, secret, None)
        new = secrets.token_urlsafe(24)
        self.store.change_secret(table_id, fingerprint(new))
        return new

    # -- inside

    def _too_late(self, table_id: str, client: str | None) -> Table:
        """Another phone was faster; or it was this very tap, sent twice at once, and then all is well."""
        newest = self._standing(table_id, client)
        fresh = self._as_of(table_id, newest)
        if newest.seen:
            return fresh
        raise Stale(fresh)

    def _standing(self, table_id: str, client: str | None) -> Standing:
        standing = self.store.standing(table_id, client)
        if standing is None:
            raise UnknownTable(table_id)
        return standing

    def _authorised(self, table_id: str, secret: str | None, client: str | None) -> Standing:
        standing = self._standing(table_id, client)
        if secret is None:
            raise NoSecret
        if not _matches(secret, standing):
            raise WrongSecret
        return standing

    def _as_of(self, table_id: str, standing: Standing) -> Table:
        """The table at hand, if it is as new as the store says; else brought up to date from the rows."""
        table = self._at_hand.get(table_id)
        if table is not None and table.version == standing.version:
            return table
        if table is None or table.version > standing.version:
            table = self._replay(table_id)
        else:
            for row in self.store.rows(table_id, after=table.version):
                table = apply(table, row.change, row.at)
        self._keep(table_id, table)
        return table

    def _replay(self, table_id: str) -> Table:
        names = self.store.names(table_id)
        opening, *later = self.store.rows(table_id)
        assert names is not None
        table = Table.open(GAMES, names, opening.change.entries, opening.at)
        for row in later:
            table = apply(table, row.change, row.at)
        return table

    def _keep(self, table_id: str, table: Table) -> None:
        self._at_hand[table_id] = table
        self._at_hand.move_to_end(table_id)
        while len(self._at_hand) > AT_HAND:
            self._at_hand.popitem(last=False)


def _matches(secret: str, standing: Standing) -> bool:
    return hmac.compare_digest(fingerprint(secret), standing.secret)


def _canonical(change: Change) -> Change:
    """Entries are stored as they are printed, not as they were typed; what cannot be read is refused later."""
    texts = []
    for raw in change.entries:
        try:
            texts.append(str(parse(raw)))
        except InvalidEntry:
            texts.append(raw)
    return Change(change.kind, tuple(texts), change.number)


def tables() -> Tables:
    """The tables of the running application."""
    found: Tables = current_app.extensions["tables"]
    return found
