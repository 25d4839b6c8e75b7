"""The sums of a phone's evenings: worked out in parts, and kept by the version of each table."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from hashlib import blake2s
from time import process_time
from typing import Any, NamedTuple, TypeVar

from flask import current_app

from companion.store import DamagedTable, Listed
from companion.table.standings import EveningSums, sum_up

from .dealing import UnknownTable
from .logs import log_damage
from .slow import Busy, SlowWork
from .tables import Tables

A_PART = 0.1  # seconds of CPU time for one request; at least one evening is summed up
AT_ONCE = 10.0  # the same for a program that asks for everything
# Games, some hundred bytes each. The newest evenings of a very long list are summed up, never more than fit in memory.
KEPT_GAMES, MOST_GAMES = 200_000, 50_000
KEPT_ANSWERS = 100
A_DAMAGED_TABLE = EveningSums("", "", (), ())

T = TypeVar("T")


class KeptSums(NamedTuple):
    """The sums of an evening, and which state of its table they are of."""

    version: int
    mark: str
    sums: EveningSums

    @property
    def weight(self) -> int:
        return 1 + len(self.sums.games)


class ListedSums(NamedTuple):
    """A table of the list with its sums."""

    listed: Listed
    sums: EveningSums


class SoFar(NamedTuple):
    """The evenings summed up so far, of how many, and when to ask again."""

    evenings: list[ListedSums]
    total: int
    held_up: bool

    @property
    def done(self) -> int:
        return len(self.evenings)

    @property
    def finished(self) -> bool:
        return self.done == self.total

    @property
    def ask_again(self) -> str:
        """The hx-trigger of the next request."""
        return "load delay:1s" if self.held_up else "load"


class Sums:
    """The sums in this process. The oldest are dropped first."""

    def __init__(self, tables: Tables, slow: SlowWork) -> None:
        self._tables = tables
        self._slow = slow
        self._kept: OrderedDict[str, KeptSums] = OrderedDict()
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()

    def sum_up(self, listed: Sequence[Listed], seconds: float = A_PART) -> SoFar:
        """Sum up some more of these evenings, unless other slow requests are waiting."""
        held_up = False
        if any(self._of(one) is None for one in self._those_that_fit(listed)):
            try:
                with self._slow.turn():
                    self._sum_up_some(listed, process_time() + seconds)
            except Busy:
                held_up = True
        fit = self._those_that_fit(listed)
        kept = ((one, self._of(one)) for one in fit)
        return SoFar([ListedSums(one, known.sums) for one, known in kept if known], len(fit), held_up)

    def all_of(self, listed: Sequence[Listed]) -> list[ListedSums]:
        """All of these evenings, with a pause for others after each part; `Busy` if that takes too long."""
        until = process_time() + AT_ONCE
        found = self.sum_up(listed)
        while not found.finished:
            if found.held_up or process_time() >= until:
                raise Busy
            found = self.sum_up(listed)
        return found.evenings

    def answer(self, evenings: Sequence[ListedSums], asked: Hashable, make: Callable[[], T]) -> T:
        """What was made of these evenings before, as long as none of them has changed; else it is made now."""
        seen = [(one.listed.table, one.listed.version, one.listed.mark) for one in evenings]
        key = blake2s(repr((seen, asked)).encode()).digest()
        known: T | None = self._answers.get(key)
        if known is not None:
            return known
        found = self._answers[key] = make()
        while len(self._answers) > KEPT_ANSWERS:
            self._answers.popitem(last=False)
        return found

    # -- inside

    def _of(self, one: Listed) -> KeptSums | None:
        kept = self._kept.get(one.table)
        return kept if kept and (kept.version, kept.mark) == (one.version, one.mark) else None

    def _those_that_fit(self, listed: Sequence[Listed]) -> Sequence[Listed]:
        weight = 0
        for place, one in enumerate(listed):
            known = self._of(one)
            weight += known.weight if known else 1
            if weight > MOST_GAMES:
                return listed[: place + 1]
        return listed

    def _sum_up_some(self, listed: Sequence[Listed], until: float) -> None:
        weight = 0
        for one in listed:
            old = self._of(one)
            known = old or KeptSums(one.version, one.mark, self._sums_of(one))
            self._kept[one.table] = known
            with suppress(KeyError):  # another thread has dropped it
                self._kept.move_to_end(one.table)
            weight += known.weight
            if weight > MOST_GAMES or (old is None and process_time() >= until):
                break
        self._trim()

    def _sums_of(self, one: Listed) -> EveningSums:
        try:
            return sum_up(self._tables.read_once(one))
        except UnknownTable:  # deleted in the meantime
            return A_DAMAGED_TABLE
        except DamagedTable:  # the other tables are fine
            log_damage(one.table)
            return A_DAMAGED_TABLE

    def _trim(self) -> None:
        left = KEPT_GAMES
        for table, kept in reversed(list(self._kept.items())):
            left -= kept.weight
            if left < 0:
                self._kept.pop(table, None)


def sums() -> Sums:
    """The sums of the running application."""
    found: Sums = current_app.extensions["sums"]
    return found
