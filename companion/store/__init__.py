"""Where tables are kept: what every store can do, and how it refuses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from companion.engine.sentence import Sentence
from companion.table.change import Change

MARKED = 64  # characters of the entries that are part of a mark


@dataclass(frozen=True, slots=True)
class Row:
    """One change on record. Nothing is ever deleted: undone and amended entries stay."""

    number: int  # 1 for the opening; the version of the table after it
    change: Change
    at: str
    client: str | None = None  # the caller's own id, so that a resend is applied once
    taken: str | None = field(default=None, compare=False)  # when the server took it; written, and not read back

    @property
    def mark(self) -> str:
        """Tells this row from one of the same number that was written after a backup had been restored."""
        return f"{self.at} {self.change.kind} {chr(10).join(self.change.entries)[:MARKED]}"


@dataclass(frozen=True, slots=True)
class Standing:
    """What must be known before a write. It is read in one statement."""

    version: int
    secret: str  # the hash of the dealer's secret
    seen: bool  # whether this client id is on record already
    offered: str | None = None  # until when the deal is offered to whoever takes it
    mark: str = field(default="", compare=False)  # of the last row


@dataclass(frozen=True, slots=True)
class Takeover:
    """What must be known before another phone takes the deal."""

    epoch: int  # how often the deal went to another phone
    guesses: int  # wrong recovery codes since then
    barred: str | None  # no guess before this time
    last: str  # when the last change was taken


class DamagedTable(ValueError):
    """What is on record for a table cannot be read."""


class NotTheDealer(Exception):
    """The deal went to another phone in the meantime."""


class StaleEntry(Exception):
    """The table has moved on since the caller saw it."""


class StoreAway(Exception):
    """The store cannot be read or written to at the moment; the sentence says why. A change is written whole or not."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class Unusable(Exception):
    """A database or a folder cannot be used as it is; the sentence says why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


class Store(Protocol):
    """Load a table, append with an expected version."""

    def create(self, table: str, names: tuple[str, ...], secret: str, row: Row) -> None:
        """A new table with its first row; `StaleEntry` if there is one of that id."""

    def names(self, table: str) -> tuple[str, ...] | None:
        """The seats a table was opened with; None if there is no such table."""

    def rows(self, table: str, after: int = 0) -> list[Row]:
        """The changes after a version, in order."""

    def standing(self, table: str, client: str | None = None) -> Standing | None:
        """Version, secret and whether an id was seen; None if there is no such table."""

    def append(self, table: str, row: Row, secret: str | None = None, after: str | None = None) -> None:
        """One more row; `NotTheDealer` if that secret is dead, `StaleEntry` if its number is not the next one, its
        id is on record, or the row before it has another mark than `after`."""

    def takeover(self, table: str) -> Takeover | None:
        """What must be known before another phone takes the deal; None if there is no such table."""

    def change_secret(self, table: str, secret: str, epoch: int) -> bool:
        """Another dealer, unless the deal went to somebody else since that epoch. Offer and guesses are cleared."""

    def offer(self, table: str, until: str | None, secret: str) -> bool:
        """The deal is offered until then, unless that secret is dead."""

    def guessed(self, table: str, guesses: int, barred: str | None) -> bool:
        """Count a try of the recovery code; False if another try took that number in the meantime."""

    def ping(self) -> None:
        """Do nothing, unless the store cannot be asked: then raise `StoreAway`."""
