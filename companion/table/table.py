"""An evening at one table: the seats and the log of entries, which can be undone and repaired.

A `Table` is never changed: every change makes a new one. The live entries form a chain of `Step`s, newest first, so
that one more entry costs the same after 10 and after 10,000. States are kept at the ends of rounds; any other is
replayed from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from companion.engine.game import SHUFFLE
from companion.engine.notation import Entry, clean_name, parse
from companion.engine.play import Games
from companion.engine.record import RecordError, read_record
from companion.engine.report import report
from companion.engine.sentence import EntryError, InvalidEntry, Sentence, say
from companion.engine.state import AnyState

from . import limits
from .change import Change
from .differences import differences
from .done import LABELLED, Done, entered
from .log import KEEP_EVERY, BeyondLimits, Log, NothingThere, Refused, Step, UndoPoint, first_step


@dataclass(slots=True, eq=False, repr=False)
class Table(Log):
    """A table as of a version."""

    version: int = 1
    past: UndoPoint | None = None
    future: UndoPoint | None = None
    played: int = 0  # an upper bound of the entries played to get here
    kept: int = 0  # how many entries are kept besides the log, for undo
    longest: int = 0  # the number of the last entry that redo may restore

    # -- opening

    @classmethod
    def open(cls, games: Games, names: Sequence[str], entries: Iterable[Entry | str], at: str | None = None) -> Self:
        """A new table. The first entry starts a game; none of the entries given here can be undone."""
        table: Self | None = None
        for number, entry in enumerate(entries):
            try:
                if table is None:
                    seats = tuple(map(clean_name, names))
                    table = cls(games, seats, *first_step(games, seats, _read(entry), at, repaired=False))
                else:
                    table = cls(games, seats, *table.advance(table.head, table.state, _read(entry), at))
            except EntryError as error:
                raise Refused(number, error) from error
        if table is None:
            raise Refused(0, InvalidEntry(say("An entry is missing.")))
        return table

    @classmethod
    def from_record(cls, games: Games, record: str, at: str | None = None) -> Self:
        """The table that a record describes."""
        names, entries = read_record(record)
        lines: list[int] = []

        def read() -> Iterator[Entry]:
            for line, entry in entries:
                lines.append(line)
                if len(lines) > limits.MOST_ENTRIES:
                    raise limits.too_long()
                yield entry

        try:
            return cls.open(games, names, read(), at)
        except (Refused, BeyondLimits) as refused:
            raise RecordError(lines[-1] if lines else record.count("\n") + 1, refused.sentence) from refused

    @classmethod
    def from_changes(cls, games: Games, names: Sequence[str], changes: Iterable[tuple[Change, str]]) -> Self:
        """The table that its changes, each with its time, lead to; the first one opens it."""
        (opening, opened), *later = changes
        table = cls.open(games, names, opening.entries, opened)
        for change, at in later:
            table = table.change(change, at)
        return table

    # -- changes

    def change_within_limits(self, wanted: Change, at: str | None = None) -> Self:
        """The table after a new change, unless it leads beyond the limits."""
        changed = self.change(wanted, at)
        if wanted.kind in ("enter", "insert"):  # undo and redo bring back only what was accepted once
            changed.demand_length(self.head.number + 1 if wanted.kind == "enter" else 0)
        limits.demand_played(max(self.head.number, changed.head.number) + 1, changed.played)
        return changed

    def preview(self, wanted: Change) -> tuple[Self, list[Sentence]]:
        """The table after a change, and what would be different; refused like the change itself."""
        changed = self.change_within_limits(wanted)
        return changed, differences(self, changed)

    def as_kept(self, wanted: Change) -> Change:
        """The change that led here in its stored form: every entry that was made, as it is printed."""
        if wanted.kind == "enter" and self.past is not None:
            steps = self.steps(since=self.past.head.number + 1)
        elif wanted.entries and wanted.number is not None:
            steps = self.steps(since=wanted.number)[: len(wanted.entries)]
        else:
            return wanted
        return Change(wanted.kind, tuple(str(step.entry) for step in steps), wanted.number)

    def change(self, wanted: Change, at: str | None = None) -> Self:
        """The table after a change, without checking limits: what was accepted once is always read again."""
        match wanted:
            case Change("enter", entries):
                return self.enter(entries, at, wanted.shuffles)
            case Change("amend", (entry,), int(number)):
                return self.amend(number, entry)
            case Change("amend round", (entry,), int(number)):
                return self.amend(number, entry, drop=True)
            case Change("insert", (_, *_) as entries, int(number)):
                return self.insert(number, *entries)
            case Change("remove", (), int(number)):
                return self.remove(number)
            case Change("cut", (), int(number)):
                return self.cut(number)
            case Change("undo"):
                return self.undo()
            case Change("redo"):
                return self.redo()
        raise ValueError(f"not a change: {wanted}")

    def enter(self, entries: Sequence[Entry | str], at: str | None = None, shuffles: bool = False) -> Self:
        """Make all the entries as one change, or none; with `shuffles`, also the shuffle that they imply."""
        if not entries:
            raise Refused(0, InvalidEntry(say("An entry is missing.")))
        head, state = self.head, self.state
        made: list[Entry] = []
        for index, raw in enumerate(entries):
            entry = None
            try:
                entry = _read(raw)
                if shuffles and index == 0 and self.games[state.game].implies_shuffle(state, entry):
                    head, state = self.advance(head, state, SHUFFLE, at)
                    made.append(SHUFFLE)
                head, state = self.advance(head, state, entry, at)
            except EntryError as error:
                raise Refused(index, error, entry) from error
            made.append(entry)
        return self._changed(head, state, None if len(made) == 1 else entered(made), len(made))

    def undo(self) -> Self:
        """Take back the last change, an entry or a repair alike."""
        if self.past is None:
            raise NothingThere(say("There is nothing to undo."))
        redo = UndoPoint(self.undone, self.head, self.future)
        return replace(
            self,
            head=self.past.head,
            state=self.state_after(self.past.head),
            version=self.version + 1,
            past=self.past.earlier,
            future=redo,
            played=self.played + KEEP_EVERY,
            longest=max(self.longest, self.head.number),
        )

    def redo(self) -> Self:
        """Restore what undo took back."""
        if self.future is None:
            raise NothingThere(say("There is nothing to redo."))
        undo = UndoPoint(self.future.done, self.head, self.past)
        return replace(
            self,
            head=self.future.head,
            state=self.state_after(self.future.head),
            version=self.version + 1,
            past=undo,
            future=self.future.earlier,
            played=self.played + KEEP_EVERY,
        )

    # -- repair

    def amend(self, number: int, entry: Entry | str, drop: bool = False) -> Self:
        """Replace an entry, and replay everything after it.

        With `drop`, later entries of the same round are removed: the round ended there.
        """
        old = self.step(number)
        following = number + 1
        if drop:
            after = self.steps(since=following)
            rest = [step for step in after if (step.game, step.round) == (old.game, old.round)]
            following += len(rest)
        return self._repair(number, (entry,), following, Done("amend", number=number, old=old.entry))

    def insert(self, number: int, *entries: Entry | str) -> Self:
        """Insert missing entries before this one."""
        self.step(number)
        return self._repair(number, entries, number, Done("insert", number=number))

    def remove(self, number: int) -> Self:
        """Remove an entry."""
        old = self.step(number)
        return self._repair(number, (), number + 1, Done("remove", number=number, old=old.entry))

    def cut(self, number: int) -> Self:
        """Remove everything after an entry."""
        step = self.step(number)
        done = Done("cut", number=number, old=step.entry)
        return self._changed(step, self.state_after(step), done, KEEP_EVERY, self.head.number - number)

    def _repair(self, number: int, entries: Sequence[Entry | str], following: int, done: Done) -> Self:
        """Replay with a change at one place; a refusal's `at` counts the entries as they are now."""
        rest = self.steps(since=following)
        head = self.step(number - 1) if number else None
        state = self.state_after(head) if head else None
        place = number
        try:
            for entry in entries:
                new = _read(entry)
                done = replace(done, entries=(*done.entries, new)[:LABELLED], count=len(entries))
                head, state = self.advance(head, state, new, self.step(number).at, repaired=True)
            for step in rest:
                place = step.number
                head, state = self.advance(head, state, step.entry, step.at, step.repaired)
        except EntryError as error:
            raise Refused(place, error) from error
        if head is None or state is None:
            raise Refused(0, InvalidEntry(say("The first entry must start a game.")))
        return self._changed(head, state, done, KEEP_EVERY + len(rest), self.head.number - number)

    # -- reading

    @property
    def undone(self) -> Done | None:
        """What undo would take back, or None."""
        if self.past is None:
            return None
        return self.past.done or entered([self.head.entry], self.head.seat)

    @property
    def weight(self) -> int:
        """An upper bound of the bytes it takes in memory, including what is kept for undo and redo."""
        besides = max(0, self.longest - self.head.number) + self.kept
        return limits.weight(self.head.number + besides, self.head.states + besides)

    def entries_played_by(self, wanted: Change) -> int:
        """How many entries must be played for a change: a repair replays everything after it."""
        again = 0 if wanted.number is None else self.head.number - wanted.number
        return again + len(wanted.entries)

    def report(self) -> dict[str, Any]:
        """The state as the API shows it."""
        return {
            "version": self.version,
            **report(self.games[self.state.game], self.state),
            "last": str(self.head.entry),
            "undo": self.past and str(self.undone),
            "redo": self.future and str(self.future.done),
        }

    # -- the chain

    def _changed(self, head: Step, state: AnyState, done: Done | None, played: int, copied: int = 0) -> Self:
        """The table with a new head; `copied` entries of the old log are kept for undo only."""
        kept = self.kept + copied
        few = kept <= limits.MOST_KEPT
        earlier = self.past if few else None  # after very many repairs, the oldest changes cannot be undone
        return type(self)(
            self.games,
            self.names,
            head,
            state,
            self.version + 1,
            UndoPoint(done, self.head, earlier),
            None,
            self.played + played,
            kept if few else copied,
        )

    def demand_length(self, before: int = 0) -> None:
        """Refuse a table that is too long; `before` is how many entries it had before those of the call."""
        limits.demand_length(self.head.number + 1, before)


def _read(entry: Entry | str) -> Entry:
    return entry if isinstance(entry, Entry) else parse(entry)
