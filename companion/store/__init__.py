"""The contract of a store, where tables are kept, and the errors it raises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

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
    seat: str = ""  # that the asking phone has chosen


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in the list of a phone, and how far the table has come."""

    table: str
    dealt: bool  # the phone has dealt there; else it only followed
    seat: str  # that was chosen on the phone; empty if none was
    hidden: bool  # taken out of sight
    version: int
    at: str  # when the last change was made
    mark: str = field(default="", compare=False)  # of the last row


class SecretChange(NamedTuple):
    """A table whose dealer's secret is replaced: the hash it must have, and the new one."""

    table: str
    old: str
    new: str


class Invitation(NamedTuple):
    """The secret of a phone, sealed with a code for another phone, and until when it is valid."""

    sealed: str
    until: str


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

    def standing(self, table: str, client: str | None = None, phone: str | None = None) -> Standing | None:
        """Version, secret, whether a client id was seen, and a phone's seat; None if there is no such table."""

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
        """Count a guess of the recovery code; False if another guess was counted in the meantime."""

    def delete(self, table: str, secret: str | None = None) -> bool:
        """Delete a table and all that belongs to it; False if there is none, or the secret is no longer valid."""

    # -- phones: each is known by the fingerprint of its secret

    def listed(self, phone: str) -> list[Listed]:
        """The list of a phone's tables, the one played last first."""

    def remember(
        self,
        phone: str,
        table: str,
        dealt: bool | None = None,
        seat: str | None = None,
        hidden: bool | None = None,
    ) -> bool:
        """Add or change a table in a phone's list. None leaves a field as it is. False if there is no such table."""

    def copy_list(self, phone: str, to: str) -> None:
        """Add the tables and aliases of one phone's list to another list, which keeps its own where both have one."""

    def forget_list(self, phone: str) -> None:
        """Remove a phone's list, aliases and invitation; the tables stay."""

    def change_secrets(self, changes: Sequence[SecretChange], passed_on: bool = False) -> None:
        """Replace secrets that are still valid, all at once; `passed_on` counts each as a new phone at the deal."""

    def aliases(self, phone: str) -> dict[str, str]:
        """The aliases of a phone's list: a person's name, by the key of another name."""

    def set_alias(self, phone: str, key: str, name: str | None) -> None:
        """Set an alias in a phone's list; None removes it."""

    def invite(self, phone: str, code: str, invitation: Invitation, now: str) -> None:
        """Store an invitation to a phone's list under the hash of its code. It replaces the one before."""

    def withdraw(self, phone: str) -> None:
        """Delete a phone's invitation."""

    def claim(self, code: str) -> Invitation | None:
        """Use up the invitation with this code: only one caller gets it."""

    def ping(self) -> None:
        """Raise `StoreAway` if the store cannot be reached."""
