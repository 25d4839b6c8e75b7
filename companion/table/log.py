"""What a table's log is made of: live entries as a chain, newest first, and the ways back along it."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine.errors import EntryError, IllegalEntry, InvalidEntry
from companion.engine.notation import Entry
from companion.engine.sentence import Sentence
from companion.engine.state import AnyState, Outcome, Payment, Result

# Between rounds a state is always kept; in a long stretch without a round's end, one in so many.
KEEP_EVERY = 64


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Step:
    """One live entry, and what came of it."""

    number: int
    entry: Entry
    seat: str | None  # who drew or acted, also when the entry does not say so
    game: int  # the number of its game in the evening, from 1
    round: int
    paid: tuple[Payment, ...]
    result: Result | None
    outcome: Outcome | None
    at: str | None
    repaired: bool
    state: AnyState | None
    before: Step | None

    def without_state(self) -> Step:
        """For the chain: only states worth starting from are kept."""
        assert self.state is not None
        if self.state.between or self.number % KEEP_EVERY == 0:
            return self
        # Written out, as in `_changed`: `replace` would look at every field first, at every tap.
        return Step(
            self.number,
            self.entry,
            self.seat,
            self.game,
            self.round,
            self.paid,
            self.result,
            self.outcome,
            self.at,
            self.repaired,
            None,
            self.before,
        )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UndoPoint:
    """What undo or redo would go back to, and what it is called."""

    label: str
    head: Step
    earlier: UndoPoint | None


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A payment in the evening's ledger."""

    number: int
    game: int
    round: int
    who: str
    whom: str
    amount: int
    why: Sentence


class Refused(EntryError):
    """One of the entries does not fit; `at` is its place: in the call, or, for a repair, in the log."""

    def __init__(self, at: int, cause: EntryError) -> None:
        super().__init__(cause.sentence)
        self.at = at
        self.invalid = isinstance(cause, InvalidEntry)


class BeyondLimits(IllegalEntry):
    """The table is as long, or was changed as often, as a table may be."""


class NothingThere(EntryError):
    """There is nothing to undo or to redo."""
