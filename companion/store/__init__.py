"""The contract of a store, where tables are kept, and the errors it raises."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from companion.engine.sentence import Sentence
from companion.table.change import Change

MARKED = 64  # characters of the entries that go into a mark


@dataclass(frozen=True, slots=True)
class Row:
    """One recorded change. Nothing is ever deleted: undone and amended entries stay."""

    number: int  # 1 for the opening; the version of the table after it
    change: Change
    at: str
    client: str | None = None  # the caller's own id, so that a resend is applied once
    taken: str | None = field(default=None, compare=False)  # when the server took it; written, and not read back

    @property
    def mark(self) -> str:
        """A text that differs from the mark of a row with the same number, written after a backup was restored."""
        return f"{self.at} {self.change.kind} {chr(10).join(self.change.entries)[:MARKED]}"


@dataclass(frozen=True, slots=True)
class Standing:
    """What a write is checked against, read in one statement."""

    version: int
    secret: str  # the hash of the dealer's secret
    seen: bool  # whether this client id is recorded already
    offered: str | None = None  # until when anybody may take the deal
    mark: str = field(default="", compare=False)  # of the last row


@dataclass(frozen=True, slots=True)
class Takeover:
    """What a take-over of the deal is checked against."""

    epoch: int  # how often the deal went to another phone
    guesses: int  # wrong recovery codes since then
    barred: str | None  # no guess before this time
    last: str  # when the last change was taken


class DamagedTable(ValueError):
    """The recorded rows of a table cannot be read."""


class NotTheDealer(Exception):
    """The deal went to another phone in the meantime."""


class StaleEntry(Exception):
    """The table has moved on since the caller saw it."""


class StoreAway(Exception):
    """The store cannot be read or written now; the sentence says why. A change is written whole or not at all."""

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
        """Create a table with its first row; `StaleEntry` if the id is taken."""

    def names(self, table: str) -> tuple[str, ...] | None:
        """The seats a table was opened with; None if there is no such table."""

    def rows(self, table: str, after: int = 0) -> list[Row]:
        """The changes after a version, in order."""

    def standing(self, table: str, client: str | None = None) -> Standing | None:
        """Version, secret and whether a client id was seen; None if there is no such table."""

    def append(self, table: str, row: Row, secret: str | None = None, after: str | None = None) -> None:
        """Add a row. `NotTheDealer` if the secret is no longer valid; `StaleEntry` if its number is not the next one,
        its client id is recorded already, or the row before it has another mark than `after`."""

    def takeover(self, table: str) -> Takeover | None:
        """What a take-over is checked against; None if there is no such table."""

    def change_secret(self, table: str, secret: str, epoch: int) -> bool:
        """Make another phone the dealer, unless the deal has moved since that epoch. Offer and guesses are cleared."""

    def offer(self, table: str, until: str | None, secret: str) -> bool:
        """Offer the deal until that time; False if the secret is no longer valid."""

    def guessed(self, table: str, guesses: int, barred: str | None) -> bool:
        """Count a guess of the recovery code; False if another guess took that number in the meantime."""

    def ping(self) -> None:
        """Raise `StoreAway` if the store cannot be asked."""
