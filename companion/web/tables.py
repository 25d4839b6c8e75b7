"""The tables that a process keeps in memory, each at a version and advanced by one change at a time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from flask import current_app

from companion.engine.notation import Entry
from companion.engine.sentence import EntryError, Sentence
from companion.games import GAMES
from companion.store import Listed, NotTheDealer, Row, StaleEntry, Standing, Store
from companion.table.change import Change
from companion.table.table import Table

from .clock import now
from .dealing import NEW_ID, Dealing, UnknownTable, WrongSecret, fingerprint, is_offered, matches
from .forms import new_form_id
from .rate import OpeningRate
from .rows import damage_named, note_written
from .slow import SlowWork

# All cached tables together: some 250 evenings. A table beyond these is replayed at every tap. But Python's garbage
# collector looks through all of them now and then, and everybody waits: half a second with eight tables at their limit.
CACHE_BYTES = 80_000_000
TABLE_BYTES = 50_000  # of a cached table, besides its entries
TRIMMED_EVERY = 64  # changes
CHARACTERS = 8  # that an entry takes in a record, at least


class Stale(Exception):
    """The caller has not seen the newest version, which comes with the error."""

    def __init__(self, table: Table) -> None:
        super().__init__("stale")
        self.table = table


class Cached(NamedTuple):
    """A table as this process saw it last, with the hash of the dealer's secret and the mark of its last row."""

    table: Table
    secret: str
    mark: str

    def knows(self, secret: str) -> bool:
        return matches(secret, self.secret)


class Look(NamedTuple):
    """How far a table has come, and what one phone may do there: enough for a poll, which does not need the table."""

    standing: Standing
    dealer: bool  # whether this phone deals
    offered: bool
    seat: str  # that was chosen on this phone; empty if none


class Tables:
    """Load, create and change tables over a store. Correct with any number of processes: the store settles races."""

    def __init__(self, store: Store, openings: OpeningRate, slow: SlowWork) -> None:
        self.store = store
        self._slow = slow
        self.dealing = Dealing(store)
        self._openings = openings
        self._cache: OrderedDict[str, Cached] = OrderedDict()

    def check_opening_rate(self, address: str | None, tables: int = 1) -> None:
        """Refuse an address that may not open so many tables now, before any work is done."""
        self._openings.demand(address, tables)

    def create(
        self,
        names: Sequence[str],
        entries: Sequence[Entry],
        address: str | None = None,
        client: str | None = None,
        mark: str = "",
        at: str | None = None,
        phone: str | None = None,
    ) -> tuple[str, str, Table]:
        """Open a table: its id (which begins with `mark`), the dealer's secret, and the table.

        The same client id opens one table only. `at` is when the table was played, if it comes from a file. `phone` is
        the secret of the phone that opens it; a program has none.
        """
        table_id = mark + self.dealing.id_for(client)
        at = min(at, now()) if at else now()
        row = Row(1, Change("open", tuple(map(str, entries))), at, client)
        try:
            return table_id, *self._open(table_id, names, row, address, phone)
        except StaleEntry:
            secret, table = self.dealing.secret_for(table_id, phone), self.load(table_id)
            if table.version == 1 and self.store.rows(table_id)[0].change == row.change and table.names == tuple(names):
                self.dealing.authorise(table_id, secret)
                return table_id, secret, table
        # Not a resend: somebody went back to the form and sent it again, to open another table.
        return self.create(names, entries, address, new_form_id(), mark, at, phone)

    def read_record(self, record: str, address: str | None, preview: bool = False) -> Table:
        """The table of a record. A record that is refused or only previewed counts as an opening, too."""
        self.check_opening_rate(address)
        opens = False
        try:
            with self._slow.turn(len(record) // CHARACTERS):
                read = Table.from_record(GAMES, record)
            opens = not preview
            return read
        finally:
            if not opens:
                self._openings.count(address)

    def adopt(self, table_id: str, names: Sequence[str], row: Row, address: str | None, phone: str) -> str:
        """Open a table that a phone has opened offline, under the same id. Returns the dealer's secret."""
        if not NEW_ID.fullmatch(table_id) or row.client is None or not self.dealing.may_reopen(table_id, row.client):
            raise UnknownTable(table_id)
        try:
            secret, _table = self._open(table_id, names, replace(row, at=min(row.at, now())), address, phone)
        except StaleEntry:  # sent twice at once, or the id is taken
            secret = self.dealing.secret_for(table_id, phone)
            self.dealing.authorise(table_id, secret)
        return secret

    def _open(
        self, table_id: str, names: Sequence[str], row: Row, address: str | None, phone: str | None
    ) -> tuple[str, Table]:
        self.check_opening_rate(address)
        with self._slow.turn(len(row.change.entries)):
            opened = Table.open(GAMES, names, row.change.entries, row.at)
        opened.demand_length()
        self._openings.count(address)
        secret = self.dealing.secret_for(table_id, phone)
        change = Change("open", tuple(str(step.entry) for step in opened.steps()))
        row = replace(row, change=change, taken=now())
        self.store.create(table_id, opened.names, fingerprint(secret), row)
        self._keep(table_id, opened, fingerprint(secret), row.mark)
        return secret, opened

    def load(self, table_id: str) -> Table:
        """The table as it is now."""
        return self.load_as_of(table_id, self.dealing.standing(table_id))

    def load_for(self, table_id: str, secret: str | None) -> tuple[Table, bool]:
        """The table, and whether this is the dealer's secret, in one read of the store."""
        look = self.look(table_id, secret)
        return self.load_as_of(table_id, look.standing), look.dealer

    def read_once(self, one: Listed) -> Table:
        """The table of a list as it is now. It is not cached: a long list leaves the cache to the tables in play."""
        known = self._cache.get(one.table)
        if known is not None and (known.table.version, known.mark) == (one.version, one.mark):
            return known.table
        return self._from_rows(one.table)[0]

    def look(self, table_id: str, secret: str | None, phone: str | None = None) -> Look:
        """What the store says of a table, without the table itself."""
        standing = self.dealing.standing(table_id, phone=phone)
        dealer = secret is not None and matches(secret, standing.secret)
        return Look(standing, dealer, is_offered(standing), standing.seat)

    def write(
        self,
        table_id: str,
        secret: str | None,
        version: int,
        wanted: Change,
        client: str | None = None,
        at: str | None = None,
    ) -> Table:
        """Make a change that was decided at a version. A client id is applied once.

        `at` is when the change was made, on a phone that was offline then.
        """
        cached = self._cache.get(table_id)
        if cached is not None and cached.table.version == version and secret and cached.knows(secret):
            try:
                return self._append(table_id, cached, wanted, client, at)
            except (EntryError, StaleEntry, NotTheDealer):
                pass  # the cached table may be old: ask the store before refusing
        standing = self.dealing.authorise(table_id, secret, client)
        table = self.load_as_of(table_id, standing)
        if standing.seen:
            return table
        if version != table.version:
            return self._too_late(table_id, client)
        try:
            return self._append(table_id, Cached(table, standing.secret, standing.mark), wanted, client, at)
        except StaleEntry:
            return self._too_late(table_id, client)
        except NotTheDealer:
            raise WrongSecret from None

    def _append(self, table_id: str, known: Cached, wanted: Change, client: str | None, at: str | None) -> Table:
        """Write one change in one statement: the store checks the row before, the secret and the client id."""
        at = min(at, now()) if at else now()  # the clock of a phone may be fast
        with self._slow.turn(known.table.entries_played_by(wanted)):
            changed = known.table.change_within_limits(wanted, at)
        row = Row(changed.version, changed.as_kept(wanted), at, client, now())
        self.store.append(table_id, row, known.secret, known.mark)
        note_written(row)
        self._keep(table_id, changed, known.secret, row.mark)
        return changed

    def preview(self, table_id: str, secret: str | None, version: int, wanted: Change) -> tuple[Table, list[Sentence]]:
        """The table as a change would leave it, and what would be different."""
        table = self.load_as_of(table_id, self.dealing.authorise(table_id, secret))
        if version != table.version:
            raise Stale(table)
        with self._slow.turn(table.entries_played_by(wanted)):
            return table.preview(wanted)

    def delete(self, table_id: str, secret: str | None) -> None:
        """Delete a table and all that belongs to it."""
        standing = self.dealing.authorise(table_id, secret)
        if not self.store.delete(table_id, standing.secret):
            self.dealing.authorise(table_id, secret)  # raises: it was deleted or handed over in between
            raise WrongSecret
        self.forget(table_id)

    def forget(self, table_id: str) -> None:
        """Drop a table from the cache: its rows were replaced in the store."""
        self._cache.pop(table_id, None)

    # -- inside

    def _too_late(self, table_id: str, client: str | None) -> Table:
        """Raise `Stale`, because another phone was faster; return the table if it was the same tap, sent twice."""
        newest = self.dealing.standing(table_id, client)
        fresh = self.load_as_of(table_id, newest)
        if newest.seen:
            return fresh
        raise Stale(fresh)

    def load_as_of(self, table_id: str, standing: Standing) -> Table:
        """The cached table, brought up to date from the rows if the store has more of them."""
        known = self._cache.get(table_id)
        if known is not None and known.table.version > standing.version:
            standing = self.dealing.standing(table_id)  # a tap came in between, or a backup was restored
        if known is None or known.table.version > standing.version:
            return self._replay(table_id, standing)
        table = known.table
        if table.version == standing.version:
            return table if known.mark == standing.mark else self._replay(table_id, standing)
        rows = self.store.rows(table_id, after=table.version - 1)
        if not rows or rows[0].mark != known.mark:  # a backup was restored, and play went on
            return self._replay(table_id, standing)
        with damage_named():
            for row in rows[1:]:
                table = table.change(row.change, row.at)
        self._keep(table_id, table, standing.secret, rows[-1].mark)
        return table

    def _replay(self, table_id: str, standing: Standing) -> Table:
        """The table replayed from its rows, unless another request has done so while this one waited."""
        with self._slow.turn(standing.version):
            known = self._cache.get(table_id)
            if known is not None and (known.table.version, known.mark) == (standing.version, standing.mark):
                return known.table
            table, mark = self._from_rows(table_id)
        self._keep(table_id, table, standing.secret, mark)
        return table

    def _from_rows(self, table_id: str) -> tuple[Table, str]:
        """The table, replayed from all its rows, and the mark of the last one."""
        names, rows = self.store.names(table_id), self.store.rows(table_id)
        if names is None:
            raise UnknownTable(table_id)
        entries = sum(len(row.change.entries) for row in rows)
        with self._slow.turn(entries), damage_named():
            return Table.from_changes(GAMES, names, ((row.change, row.at) for row in rows)), rows[-1].mark

    def _keep(self, table_id: str, table: Table, secret: str, mark: str) -> None:
        """Put a table into the cache. Every step is atomic, so threads need no lock."""
        new = table_id not in self._cache
        self._cache[table_id] = Cached(table, secret, mark)
        with suppress(KeyError):  # another thread has dropped it
            self._cache.move_to_end(table_id)
        if new or table.version % TRIMMED_EVERY == 0:
            self._trim()

    def _trim(self) -> None:
        """Drop the tables that were not used for longest, until the rest fits."""
        left = CACHE_BYTES
        for table_id, cached in reversed(list(self._cache.items())):
            left -= TABLE_BYTES + cached.table.weight
            if left < 0:
                self._cache.pop(table_id, None)


def tables() -> Tables:
    """The tables of the running application."""
    found: Tables = current_app.extensions["tables"]
    return found
