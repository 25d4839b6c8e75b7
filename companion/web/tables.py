"""The tables a process has at hand: each as of a version, advanced by one change at a time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import NamedTuple

from flask import current_app

from companion.engine.notation import Entry
from companion.engine.sentence import EntryError, Sentence
from companion.games import GAMES
from companion.store import DamagedTable, NotTheDealer, Row, StaleEntry, Standing, Store
from companion.table.change import Change
from companion.table.table import Table

from .clock import now
from .dealing import NEW_ID, Dealing, UnknownTable, WrongSecret, fingerprint, is_offered, matches
from .forms import new_form_id
from .rate import OpeningRate
from .rows import note_written
from .slow import SlowWork

CACHE_BYTES = 400_000_000  # bytes kept in memory, all tables together
TABLE_BYTES = 50_000  # bytes a table weighs by itself
TRIMMED_EVERY = 64  # changes
CHARACTERS = 8  # of a record, at least, for an entry


class Stale(Exception):
    """The caller has not seen the newest version; here it is."""

    def __init__(self, table: Table) -> None:
        super().__init__("stale")
        self.table = table


class Cached(NamedTuple):
    """A table as this process saw it last, with the mark of its last row and the hash of the dealer's secret then."""

    table: Table
    secret: str
    mark: str

    def knows(self, secret: str) -> bool:
        return matches(secret, self.secret)


class Tables:
    """Load, create and change tables over a store. Correct with any number of processes: the store settles races."""

    def __init__(self, store: Store, openings: OpeningRate, slow: SlowWork) -> None:
        self.store = store
        self._slow = slow
        self.dealing = Dealing(store)
        self.secret_for = self.dealing.secret_for
        self._openings = openings
        self._cache: OrderedDict[str, Cached] = OrderedDict()

    def check_opening_rate(self, address: str | None, tables: int = 1) -> None:
        """Before much is done for new tables: may so many be opened from there?"""
        self._openings.demand(address, tables)

    def create(
        self,
        names: Sequence[str],
        entries: Sequence[Entry],
        address: str | None = None,
        client: str | None = None,
        mark: str = "",
        at: str | None = None,
    ) -> tuple[str, str, Table]:
        """A new table, opened from an address: its id (begun by a mark), the dealer's secret, and the table.

        A client's id opens it once. `at` is when it was played, if it was kept in a file.
        """
        table_id = mark + self.dealing.id_for(client)
        at = min(at, now()) if at else now()
        row = Row(1, Change("open", tuple(map(str, entries))), at, client)
        try:
            return table_id, *self._open(table_id, names, row, address)
        except StaleEntry:
            secret, table = self.secret_for(table_id, client), self.load(table_id)
            if table.version == 1 and self.store.rows(table_id)[0].change == row.change and table.names == tuple(names):
                self.dealing.authorise(table_id, secret)
                return table_id, secret, table
        # The same form again, by Back: another table is wanted.
        return self.create(names, entries, address, new_form_id(), mark, at)

    def read_record(self, record: str, address: str | None, preview: bool = False) -> Table:
        """The table a record tells of. Refused or only looked at, it counts like one that is opened."""
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

    def adopt(self, table_id: str, names: Sequence[str], row: Row, address: str | None = None) -> str:
        """A table that a phone opened by itself, under the id it has there: the dealer's secret, always the same."""
        if not NEW_ID.fullmatch(table_id) or row.client is None or not self.dealing.may_reopen(table_id, row.client):
            raise UnknownTable(table_id)
        try:
            secret, _table = self._open(table_id, names, replace(row, at=min(row.at, now())), address)
        except StaleEntry:  # it was sent twice at once, or somebody else has that id
            secret = self.secret_for(table_id, row.client)
            self.dealing.authorise(table_id, secret)
        return secret

    def _open(self, table_id: str, names: Sequence[str], row: Row, address: str | None) -> tuple[str, Table]:
        self.check_opening_rate(address)
        with self._slow.turn(len(row.change.entries)):
            opened = Table.open(GAMES, names, row.change.entries, row.at)
        opened.demand_length()
        self._openings.count(address)
        secret = self.secret_for(table_id, row.client)
        change = Change("open", tuple(str(step.entry) for step in opened.steps()))
        row = replace(row, change=change, taken=now())
        self.store.create(table_id, opened.names, fingerprint(secret), row)
        self._keep(table_id, opened, fingerprint(secret), row.mark)
        return secret, opened

    def load(self, table_id: str) -> Table:
        """The table as it is now."""
        return self._as_of(table_id, self.dealing.standing(table_id))

    def load_for(self, table_id: str, secret: str | None) -> tuple[Table, bool]:
        """The table, and whether this secret may write, in one look."""
        table, dealer, _offered = self.load_with_offer(table_id, secret)
        return table, dealer

    def load_with_offer(self, table_id: str, secret: str | None) -> tuple[Table, bool, bool]:
        """Also whether the deal is offered."""
        standing = self.dealing.standing(table_id)
        dealer = secret is not None and matches(secret, standing.secret)
        return self._as_of(table_id, standing), dealer, is_offered(standing)

    def write(
        self,
        table_id: str,
        secret: str | None,
        version: int,
        wanted: Change,
        client: str | None = None,
        at: str | None = None,
    ) -> Table:
        """Make a change that was decided at a version. An id that was seen before is applied once.

        `at` is when it was made, on a phone that could not tell us then.
        """
        cached = self._cache.get(table_id)
        if cached is not None and cached.table.version == version and secret and cached.knows(secret):
            try:
                return self._append(table_id, cached, wanted, client, at)
            except (EntryError, StaleEntry, NotTheDealer):
                pass  # the cached table may be old: ask the store before refusing
        standing = self.dealing.authorise(table_id, secret, client)
        table = self._as_of(table_id, standing)
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
        """One more change, in one statement: the store refuses it unless table, secret and id are as they must be."""
        at = min(at, now()) if at else now()  # a phone's clock may be ahead
        with self._slow.turn(entries_played(known.table, wanted)):
            changed = known.table.change_within_limits(wanted, at)
        row = Row(changed.version, changed.as_kept(wanted), at, client, now())
        self.store.append(table_id, row, known.secret, known.mark)
        note_written(row)
        self._keep(table_id, changed, known.secret, row.mark)
        return changed

    def preview(self, table_id: str, secret: str | None, version: int, wanted: Change) -> tuple[Table, list[Sentence]]:
        """The table as a change would leave it, and what would be different."""
        table = self._as_of(table_id, self.dealing.authorise(table_id, secret))
        if version != table.version:
            raise Stale(table)
        with self._slow.turn(entries_played(table, wanted)):
            return table.preview(wanted)

    def forget(self, table_id: str) -> None:
        """Not at hand any more: its rows were replaced in the store."""
        self._cache.pop(table_id, None)

    # -- inside

    def _too_late(self, table_id: str, client: str | None) -> Table:
        """Another phone was faster; or it was this very tap, sent twice at once, and then all is well."""
        newest = self.dealing.standing(table_id, client)
        fresh = self._as_of(table_id, newest)
        if newest.seen:
            return fresh
        raise Stale(fresh)

    def _as_of(self, table_id: str, standing: Standing) -> Table:
        """The table at hand, if it is as new as the store says; else brought up to date from the rows."""
        known = self._cache.get(table_id)
        if known is not None and known.table.version > standing.version:
            standing = self.dealing.standing(table_id)  # a tap came in between, or a backup was restored under us
        if known is None or known.table.version > standing.version:
            return self._replay(table_id, standing)
        table = known.table
        if table.version == standing.version:
            return table if known.mark == standing.mark else self._replay(table_id, standing)
        rows = self.store.rows(table_id, after=table.version - 1)
        if not rows or rows[0].mark != known.mark:  # a backup was restored under us, and they played on
            return self._replay(table_id, standing)
        with damage_named():
            for row in rows[1:]:
                table = table.change(row.change, row.at)
        self._keep(table_id, table, standing.secret, rows[-1].mark)
        return table

    def _replay(self, table_id: str, standing: Standing) -> Table:
        """The table from its rows. Whoever waited for this turn may find that somebody else has replayed it."""
        with self._slow.turn(standing.version):
            known = self._cache.get(table_id)
            if known is not None and (known.table.version, known.mark) == (standing.version, standing.mark):
                return known.table
            names, rows = self.store.names(table_id), self.store.rows(table_id)
            assert names is not None
            with damage_named():
                table = Table.from_changes(GAMES, names, ((row.change, row.at) for row in rows))
        self._keep(table_id, table, standing.secret, rows[-1].mark)
        return table

    def _keep(self, table_id: str, table: Table, secret: str, mark: str) -> None:
        """At hand from now on; what was not asked for longest goes first. Single steps only, for the threads' sake."""
        new = table_id not in self._cache
        self._cache[table_id] = Cached(table, secret, mark)
        with suppress(KeyError):  # another thread has let go of it
            self._cache.move_to_end(table_id)
        if new or table.version % TRIMMED_EVERY == 0:
            self._trim()

    def _trim(self) -> None:
        room = CACHE_BYTES
        for table_id, cached in reversed(list(self._cache.items())):
            room -= TABLE_BYTES + cached.table.weight
            if room < 0:
                self._cache.pop(table_id, None)


def entries_played(table: Table, wanted: Change) -> int:
    """How many entries a change plays: a repair plays everything after it again."""
    again = 0 if wanted.number is None else table.head.number - wanted.number
    return again + len(wanted.entries)


@contextmanager
def damage_named() -> Iterator[None]:
    """What was accepted once replays. If it does not, somebody else has written into the store."""
    try:
        yield
    except (EntryError, ValueError) as error:
        raise DamagedTable(str(error)) from error


def tables() -> Tables:
    """The tables of the running application."""
    found: Tables = current_app.extensions["tables"]
    return found
