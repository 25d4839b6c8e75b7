"""The tables a process has at hand: each as of a version, advanced by one change at a time."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from time import sleep, time

from flask import current_app

from companion.engine.errors import EntryError, InvalidEntry
from companion.engine.notation import Entry, parse
from companion.engine.sentence import Sentence, say
from companion.games import GAMES
from companion.store import NotTheDealer, Row, StaleEntry, Standing, Store, StoreAway, Takeover
from companion.table.change import Change
from companion.table.table import Table

from .rate import OpeningRate

AT_HAND = 500_000  # entries kept in memory, all tables together: some 400 MB
A_TABLE = 500  # as many entries a table weighs by itself
TRIMMED_EVERY = 64  # changes
PATIENCE, LOOK_EVERY = 2.0, 0.02  # seconds for a table that another thread is opening
AN_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
OFFERED = 180  # seconds an offered deal can be taken
FREE_GUESSES = 3  # wrong PINs before one must wait, longer each time
FIRST_WAIT = 10  # seconds


class UnknownTable(Exception):
    """There is no table of that id."""


class NoSecret(Exception):
    """Writing needs the dealer's secret."""


class WrongSecret(Exception):
    """That is not the dealer's secret (any more)."""


class CannotTake(Exception):
    """The deal cannot be taken now; the sentence says why."""

    def __init__(self, sentence: Sentence, status: int = 409) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence
        self.status = status


class Stale(Exception):
    """The caller has not seen the newest version; here it is."""

    def __init__(self, table: Table) -> None:
        super().__init__("stale")
        self.table = table


def now() -> str:
    return later(0)


def later(seconds: float) -> str:
    return written_out(int(time() + seconds))


@lru_cache(maxsize=16)
def written_out(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).isoformat(timespec="seconds")


def fingerprint(secret: str) -> str:
    """Secrets are long and random, so a plain hash keeps them."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class AtHand:
    """A table as this process saw it last, and the hash of the dealer's secret then."""

    table: Table
    secret: str

    def knows(self, secret: str) -> bool:
        return hmac.compare_digest(fingerprint(secret), self.secret)


class Tables:
    """Load, create and change tables over a store. Correct with any number of processes: the store settles races."""

    def __init__(self, store: Store, openings: OpeningRate) -> None:
        self.store = store
        self._openings = openings
        self._at_hand: OrderedDict[str, AtHand] = OrderedDict()
        self._replaying: dict[str, object] = {}

    def demand_room(self, address: str | None) -> None:
        """Before much is done for a new table: may one be opened from there?"""
        self._openings.demand(address)

    def create(
        self, names: Sequence[str], entries: Sequence[Entry], address: str | None = None
    ) -> tuple[str, str, Table]:
        """A new table, opened from an address: its id, the dealer's secret, and the table."""
        self.demand_room(address)
        at = now()
        opened = Table.open(GAMES, names, entries, at)
        opened.demand_limits()
        self._openings.count(address)
        table_id, secret = secrets.token_urlsafe(12), secrets.token_urlsafe(24)
        row = Row(1, Change("open", tuple(map(str, entries))), at)
        self.store.create(table_id, tuple(names), fingerprint(secret), row)
        self._keep(table_id, opened, fingerprint(secret))
        return table_id, secret, opened

    def load(self, table_id: str) -> Table:
        """The table as it is now."""
        return self._as_of(table_id, self._standing(table_id, None))

    def look(self, table_id: str, secret: str | None) -> tuple[Table, bool]:
        """The table, and whether this secret may write, in one look."""
        table, dealer, _offered = self.look_closely(table_id, secret)
        return table, dealer

    def look_closely(self, table_id: str, secret: str | None) -> tuple[Table, bool, bool]:
        """Also whether the deal is offered."""
        standing = self._standing(table_id, None)
        dealer = secret is not None and _matches(secret, standing)
        return self._as_of(table_id, standing), dealer, bool(standing.offered and standing.offered > now())

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
        at_hand = self._at_hand.get(table_id)
        if at_hand is not None and at_hand.table.version == version and secret and at_hand.knows(secret):
            try:
                return self._append(table_id, at_hand.table, wanted, client, at_hand.secret)
            except (EntryError, StaleEntry, NotTheDealer):
                pass  # what is at hand may be old: look closely before it is refused
        standing = self._authorised(table_id, secret, client)
        table = self._as_of(table_id, standing)
        if standing.seen:
            return table
        if version != table.version:
            return self._too_late(table_id, client)
        try:
            return self._append(table_id, table, wanted, client, standing.secret)
        except StaleEntry:
            return self._too_late(table_id, client)
        except NotTheDealer:
            raise WrongSecret from None

    def _append(
        self,
        table_id: str,
        table: Table,
        wanted: Change | Callable[[Table], Change],
        client: str | None,
        secret: str,
    ) -> Table:
        """One more change, in one statement: the store refuses it unless table, secret and id are as they must be."""
        at = now()
        change = _canonical(wanted if isinstance(wanted, Change) else wanted(table))
        changed = table.change(change, at)
        changed.demand_limits(table.head.number + 1 if change.kind == "enter" else 0)
        self.store.append(table_id, Row(changed.version, change, at, client), secret)
        self._keep(table_id, changed, secret)
        return changed

    def preview(self, table_id: str, secret: str | None, version: int, change: Change) -> tuple[Table, Table]:
        """The table now, and as it would be."""
        table = self._as_of(table_id, self._authorised(table_id, secret, None))
        if version != table.version:
            raise Stale(table)
        changed = table.change(change)
        changed.demand_limits()
        return table, changed

    def hand_over(self, table_id: str, secret: str | None) -> str:
        """A new secret; the old one is dead."""
        epoch = self._takeover(
            table_id
        ).epoch  # read before the right is checked: who was faster in between keeps the deal
        self._authorised(table_id, secret, None)
        new = self._pass_on(table_id, epoch)
        if new is None:
            raise WrongSecret
        return new

    def offer(self, table_id: str, secret: str | None) -> None:
        """The dealer offers the deal to whoever takes it in the next minutes."""
        standing = self._authorised(table_id, secret, None)
        if not self.store.offer(table_id, later(OFFERED), standing.secret):
            raise WrongSecret

    def pin(self, table_id: str) -> str:
        """Six digits that let a watcher take over from a silent phone; another one after every hand-over."""
        return self._pin(table_id, self._takeover(table_id).epoch)

    def _pin(self, table_id: str, epoch: int) -> str:
        key = current_app.secret_key or b""
        key = key.encode() if isinstance(key, str) else key
        digest = hmac.new(key, f"pin {table_id} {epoch}".encode(), "sha256").digest()
        return f"{int.from_bytes(digest[:8], 'big') % 1_000_000:06}"

    def take(self, table_id: str, pin: str | None = None) -> str:
        """Another phone takes the deal: because it is offered, or with the PIN from a phone that is silent."""
        takeover = self._takeover(table_id)
        standing = self._standing(table_id, None)
        if not (standing.offered and standing.offered > now()):
            self._check_pin(table_id, pin, takeover)
        new = self._pass_on(table_id, takeover.epoch)
        if new is None:
            raise CannotTake(say("Another phone was faster: it deals now."))
        return new

    def _check_pin(self, table_id: str, pin: str | None, takeover: Takeover) -> None:
        if pin is None:
            raise CannotTake(say("That is not the table's PIN."), 403)
        if takeover.barred and takeover.barred > now():
            raise CannotTake(say("Too many wrong guesses: wait, then try again."), 429)
        if takeover.last > later(-current_app.config["TAKEOVER_SILENCE"]):
            raise CannotTake(say("The dealer's phone was used a moment ago: ask for the deal to be handed over."))
        # It is counted before it is looked at, so that guesses sent at once are one; the right one ends the count.
        guesses = takeover.guesses + 1
        wait = FIRST_WAIT * 2 ** min(12, guesses - FREE_GUESSES) if guesses >= FREE_GUESSES else 0
        if not self.store.guessed(table_id, guesses, later(wait) if wait else None):
            raise CannotTake(say("Too many wrong guesses: wait, then try again."), 429)
        if not hmac.compare_digest(pin.strip().encode(), self._pin(table_id, takeover.epoch).encode()):
            raise CannotTake(say("That is not the table's PIN."), 403)

    def _pass_on(self, table_id: str, epoch: int) -> str | None:
        new = secrets.token_urlsafe(24)
        return new if self.store.change_secret(table_id, fingerprint(new), epoch) else None

    def _takeover(self, table_id: str) -> Takeover:
        takeover = self.store.takeover(table_id) if AN_ID.fullmatch(table_id) else None
        if takeover is None:
            raise UnknownTable(table_id)
        return takeover

    # -- inside

    def _too_late(self, table_id: str, client: str | None) -> Table:
        """Another phone was faster; or it was this very tap, sent twice at once, and then all is well."""
        newest = self._standing(table_id, client)
        fresh = self._as_of(table_id, newest)
        if newest.seen:
            return fresh
        raise Stale(fresh)

    def _standing(self, table_id: str, client: str | None) -> Standing:
        # What cannot be an id is not asked for: some databases stumble over it.
        standing = self.store.standing(table_id, client) if AN_ID.fullmatch(table_id) else None
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
        at_hand = self._at_hand.get(table_id)
        table = at_hand.table if at_hand else None
        if table is not None and table.version > standing.version:
            standing = self._standing(table_id, None)  # a tap came in between, or a backup was restored under us
        if table is not None and table.version == standing.version:
            return table
        if table is None or table.version > standing.version:
            return self._replay(table_id, standing)
        for row in self.store.rows(table_id, after=table.version):
            table = table.change(row.change, row.at)
        self._keep(table_id, table, standing.secret)
        return table

    def _replay(self, table_id: str, standing: Standing) -> Table:
        """From the rows, by one thread at a time: the others wait a little, and do not all do the same work."""
        mine = object()
        if self._replaying.setdefault(table_id, mine) is not mine:
            return self._replayed(table_id)
        try:
            table = self._play_again(table_id)
            self._keep(table_id, table, standing.secret)  # before the others are let in
            return table
        finally:
            self._replaying.pop(table_id, None)

    def _replayed(self, table_id: str) -> Table:
        for _ in range(int(PATIENCE / LOOK_EVERY)):
            sleep(LOOK_EVERY)
            if table_id not in self._replaying:
                return self.load(table_id)
        raise StoreAway(say("This table is long, and is being opened: try again."))

    def _play_again(self, table_id: str) -> Table:
        names = self.store.names(table_id)
        assert names is not None
        return Table.from_changes(GAMES, names, ((row.change, row.at) for row in self.store.rows(table_id)))

    def _keep(self, table_id: str, table: Table, secret: str) -> None:
        """At hand from now on; what was not asked for longest goes first. Single steps only, for the threads' sake."""
        new = table_id not in self._at_hand
        self._at_hand[table_id] = AtHand(table, secret)
        with suppress(KeyError):  # another thread has let go of it
            self._at_hand.move_to_end(table_id)
        if new or table.version % TRIMMED_EVERY == 0:
            self._trim()

    def _trim(self) -> None:
        room = AT_HAND
        for table_id, at_hand in reversed(list(self._at_hand.items())):
            room -= A_TABLE + at_hand.table.weight
            if room < 0:
                self._at_hand.pop(table_id, None)


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
