"""An evening at one table: the seats and the log of entries, which can be undone and repaired.

A `Table` is frozen. The live entries form a chain of `Step`s, newest first, so that one more entry costs the
same after 10 and after 10,000. States are kept at the ends of rounds; any other is replayed from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from companion.engine.errors import EntryError, InvalidEntry
from companion.engine.notation import (
    RECORD_HEAD,
    Entry,
    RecordError,
    clean_name,
    parse,
    print_seats,
    read_record,
)
from companion.engine.play import Games, open_table, play
from companion.engine.report import report
from companion.engine.sentence import Sentence, say
from companion.engine.state import AnyState
from companion.engine.verbs import VERBS

from .change import Change
from .differences import differences
from .log import KEEP_EVERY, BeyondLimits, LedgerLine, NothingThere, Refused, Step, UndoPoint

# How many entries of one change are told in what undo would take back.
LABELLED = 4
# An evening has a few hundred entries. The limits keep a table from filling the memory, and its replay from
# taking minutes: entries on the log; entries ever played for it; entries kept only so that a repair can be undone.
# What was accepted once is always read again, whatever the limits are by then.
MOST_ENTRIES = 20_000
MOST_PLAYED = 100_000
MOST_KEPT = 50_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # chains are long: comparing them would recurse
class Table:
    """A table as of a version."""

    games: Games
    names: tuple[str, ...]
    head: Step
    version: int = 1
    past: UndoPoint | None = None
    future: UndoPoint | None = None
    played: int = 0  # how many entries were played, at most, to get here
    kept: int = 0  # how many are kept besides the log, for undo
    longest: int = 0  # the last entry that redo may bring back

    # -- opening

    @classmethod
    def open(cls, games: Games, names: Sequence[str], entries: Iterable[Entry | str], at: str | None = None) -> Self:
        """A new table. The first entry starts a game; none of the entries given here can be undone."""
        table: Self | None = None
        for number, entry in enumerate(entries):
            try:
                if table is None:
                    seats = tuple(map(clean_name, names))
                    table = cls(games, seats, _first_step(games, seats, _read(entry), at))
                else:
                    table = replace(table, head=table._advance(table.head, _read(entry), at))
            except EntryError as error:
                raise Refused(number, error) from error
        if table is None:
            raise Refused(0, InvalidEntry(say("An entry is missing.")))
        return table

    @classmethod
    def from_record(cls, games: Games, record: str, at: str | None = None) -> Self:
        """The table a record tells of."""
        names, entries = read_record(record)
        lines: list[int] = []

        def read() -> Iterator[Entry]:
            for line, entry in entries:
                lines.append(line)
                if len(lines) > MOST_ENTRIES:
                    raise too_long()
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

    # -- moving on

    def change(self, wanted: Change, at: str | None = None) -> Self:
        """The table after a change, or a refusal."""
        match wanted:
            case Change("enter", entries):
                return self.enter(entries, at)
            case Change("amend", (entry,), int(number)):
                return self.amend(number, entry)
            case Change("amend round", (entry,), int(number)):
                return self.amend(number, entry, drop=True)
            case Change("insert", (entry,), int(number)):
                return self.insert(number, entry)
            case Change("remove", (), int(number)):
                return self.remove(number)
            case Change("cut", (), int(number)):
                return self.cut(number)
            case Change("undo"):
                return self.undo()
            case Change("redo"):
                return self.redo()
        raise ValueError(f"not a change: {wanted}")

    def enter(self, entries: Sequence[Entry | str], at: str | None = None) -> Self:
        """All the entries, as one change, or none of them."""
        if not entries:
            raise Refused(0, InvalidEntry(say("An entry is missing.")))
        head = self.head
        texts = []
        for index, raw in enumerate(entries):
            try:
                entry = _read(raw)
                head = self._advance(head, entry, at)
            except EntryError as error:
                raise Refused(index, error) from error
            texts.append(str(entry))
        shown = texts if len(texts) <= LABELLED else [*texts[:LABELLED], "…"]
        return self._changed(head, ", ".join(shown), len(texts), old=head.before if len(texts) == 1 else None)

    def undo(self) -> Self:
        """Take back the last change, an entry or a repair alike."""
        if self.past is None:
            raise NothingThere(say("There is nothing to undo."))
        redo = UndoPoint(self.past.label, self.head.without_state(), self.future)
        return replace(
            self,
            head=self._with_state(self.past.head),
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
        undo = UndoPoint(self.future.label, self.head.without_state(), self.past)
        return replace(
            self,
            head=self._with_state(self.future.head),
            version=self.version + 1,
            past=undo,
            future=self.future.earlier,
            played=self.played + KEEP_EVERY,
        )

    # -- repair

    def amend(self, number: int, entry: Entry | str, drop: bool = False) -> Self:
        """Another entry in the place of one, and everything after it played again.

        With `drop`, what came after it in the same round goes: the round ended there.
        """
        old = self.step(number)
        following = number + 1
        if drop:
            after = self.steps(since=following)
            rest = [step for step in after if (step.game, step.round) == (old.game, old.round)]
            following += len(rest)
        return self._repair(number, entry, following, f" instead of {old.entry}")

    def insert(self, number: int, entry: Entry | str) -> Self:
        """A missed entry before one."""
        self.step(number)
        return self._repair(number, entry, number, " inserted")

    def remove(self, number: int) -> Self:
        """One entry taken out."""
        old = self.step(number)
        return self._repair(number, None, number + 1, f"{old.entry} removed")

    def cut(self, number: int) -> Self:
        """Back to an entry: everything after it goes."""
        step = self._with_state(self.step(number))
        return self._changed(step, f"back to entry {number}: {step.entry}", KEEP_EVERY, self.head.number - number)

    def _repair(self, number: int, entry: Entry | str | None, following: int, label: str) -> Self:
        """Replay with a change at one place; `at` of a refusal counts the entries as they are now."""
        rest = self.steps(since=following)
        head = self._with_state(self.step(number - 1)) if number else None
        place = number
        try:
            if entry is not None:
                new = _read(entry)
                label = f"{new}{label}"
                was = self.step(number).at
                if head is None:
                    head = replace(_first_step(self.games, self.names, new, was), repaired=True)
                else:
                    head = replace(self._advance(head, new, was), repaired=True)
            for step in rest:
                place = step.number
                if head is None:
                    head = _first_step(self.games, self.names, step.entry, step.at)
                else:
                    head = replace(self._advance(head, step.entry, step.at), repaired=step.repaired)
        except EntryError as error:
            raise Refused(place, error) from error
        if head is None:
            raise Refused(0, InvalidEntry(say("The first entry must start a game.")))
        return self._changed(head, f"entry {number}: {label}", KEEP_EVERY + len(rest), self.head.number - number)

    def changes_to(self, other: Table) -> list[Sentence]:
        """What is different on another table: for the preview of a repair."""
        return differences(self, other)

    # -- looking

    @property
    def state(self) -> AnyState:
        assert self.head.state is not None
        return self.head.state

    @property
    def weight(self) -> int:
        """How many entries are in memory because of it."""
        return max(self.head.number, self.longest) + self.kept

    def report(self) -> dict[str, Any]:
        """The state as the API tells it."""
        return {
            "version": self.version,
            **report(self.games[self.state.game], self.state),
            "last": str(self.head.entry),
            "undo": self.past and self.past.label,
            "redo": self.future and self.future.label,
        }

    def step(self, number: int) -> Step:
        """The n-th live entry, from 0."""
        if not 0 <= number <= self.head.number:
            raise Refused(number, InvalidEntry(say("There is no entry {number}.", number=number)))
        step = self.head
        while step.number > number:
            assert step.before is not None
            step = step.before
        return step

    def game_entry(self) -> Entry:
        """What started the game on the table."""
        step = self.head
        while step.entry.verb != "game":
            assert step.before is not None
            step = step.before
        return step.entry

    def steps(self, since: int = 0) -> list[Step]:
        """The live entries from one on, oldest first."""
        found = []
        step: Step | None = self.head
        while step is not None and step.number >= since:
            found.append(step)
            step = step.before
        return found[::-1]

    def alternatives(self, number: int) -> list[Entry]:
        """What an entry may have been instead: all that the player could have done then."""
        step = self.step(number)
        if step.before is None or not VERBS[step.entry.verb].by_seat:
            return []
        before = self._with_state(step.before).state
        assert before is not None
        legal = self.games[before.game].legal(before)
        return [replace(entry, seat=step.entry.seat) for entry in legal if VERBS[entry.verb].by_seat]

    def log(self) -> list[dict[str, Any]]:
        """The live entries as the API tells them."""
        return [
            {
                "n": step.number,
                "entry": str(step.entry),
                "seat": step.seat,
                "round": step.round,
                "at": step.at,
                "repaired": step.repaired,
            }
            for step in self.steps()
        ]

    def record(self) -> str:
        """The table as a text file that can be read back."""
        lines = [RECORD_HEAD, print_seats(self.names)]
        for step in self.steps():
            derived = step.seat if step.entry.seat is None else None
            notes = " ".join(note for note in (derived, step.at) if note)
            lines.append(f"{step.entry}  # {notes}" if notes else str(step.entry))
        return "\n".join(lines) + "\n"

    def ledger(self) -> list[LedgerLine]:
        """Every payment of the evening, under the names people have now."""
        names: dict[str, str] = {}
        lines: list[LedgerLine] = []
        for step in reversed(self.steps()):
            for payment in reversed(step.paid):
                who, whom = names.get(payment.who, payment.who), names.get(payment.whom, payment.whom)
                lines.append(LedgerLine(step.number, step.game, step.round, who, whom, payment.amount, payment.why))
            if step.entry.verb == "rename" and step.before is not None:
                old, new = step.entry.args
                before = self._with_state(step.before).state
                assert before is not None
                names[before.seats[before.find(old)].name] = names.get(new, new)
        return lines[::-1]

    # -- the chain

    def _changed(self, head: Step, label: str, played: int, copied: int = 0, old: Step | None = None) -> Self:
        """The table with another head; `copied` entries of the old log live on for undo alone.

        `old` is the former head as the chain keeps it, if it is at hand.
        """
        kept = self.kept + copied
        earlier = self.past if kept <= MOST_KEPT else None  # after very many repairs the oldest cannot be undone
        return type(self)(
            self.games,
            self.names,
            head,
            self.version + 1,
            UndoPoint(label, old or self.head.without_state(), earlier),
            None,
            self.played + played,
            kept if kept <= MOST_KEPT else copied,
        )

    def demand_limits(self, entered_after: int = 0) -> None:
        """A change that leads beyond them is refused; `entered_after` so many entries came those of the call."""
        if self.head.number >= MOST_ENTRIES:
            raise Refused(MOST_ENTRIES - entered_after, too_long())
        if self.played > MOST_PLAYED:
            raise BeyondLimits(say("This table was changed too often: save its record and open that."))

    def _advance(self, head: Step, entry: Entry, at: str | None) -> Step:
        """One more entry on the chain."""
        before = head.state
        assert before is not None
        state = play(self.games, before, entry)
        result = state.result
        return Step(
            number=head.number + 1,
            entry=entry,
            seat=self._actor(before, entry),
            game=head.game + (entry.verb == "game"),
            round=result.round if result else state.round,
            paid=state.paid,
            result=result,
            outcome=state.outcome,
            at=at,
            repaired=False,
            state=state,
            before=head.without_state(),
        )

    def _actor(self, state: AnyState, entry: Entry) -> str | None:
        if not VERBS[entry.verb].by_seat:
            return None
        return state.name(self.games[state.game].actor(state, entry))

    def _with_state(self, step: Step) -> Step:
        """The step with its state, replayed from the last one that was kept."""
        missing: list[Step] = []
        known = step
        while known.state is None:
            assert known.before is not None
            missing.append(known)
            known = known.before
        state = known.state
        for later in reversed(missing):
            state = play(self.games, state, later.entry)
        return replace(step, state=state)


def too_long() -> BeyondLimits:
    return BeyondLimits(say("This table is full: it has {most} entries. Start a new one.", most=MOST_ENTRIES))


def _read(entry: Entry | str) -> Entry:
    return entry if isinstance(entry, Entry) else parse(entry)


def _first_step(games: Games, names: tuple[str, ...], entry: Entry, at: str | None) -> Step:
    state = open_table(games, names, entry)
    return Step(0, entry, None, 1, state.round, state.paid, None, None, at, False, state, None)
