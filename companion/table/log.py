"""A table's log: the live entries as a chain, newest first, and ways to walk back along it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.engine.game import SHUFFLE
from companion.engine.notation import Entry
from companion.engine.options import YES
from companion.engine.play import Games, open_table, play, play_with_seat
from companion.engine.record import RECORD_HEAD, print_seats
from companion.engine.results import Outcome, Payment, Result
from companion.engine.sentence import EntryError, IllegalEntry, InvalidEntry, say
from companion.engine.state import AnyState
from companion.engine.verbs import VERBS, Form

from .done import Done

# Objects of these classes and of `Table` are never changed. A test enforces this; `frozen=True` would make each entry
# 20% slower.

# A state is always kept between rounds; within a long round, after every so many entries.
KEEP_EVERY = 64


@dataclass(slots=True, eq=False, repr=False)
class Step:
    """One live entry, and what it led to."""

    number: int
    entry: Entry
    seat: str | None  # the player who drew or acted, even if the entry does not name them
    game: int  # the number of its game in the evening, from 1
    round: int
    paid: tuple[Payment, ...]
    result: Result | None
    outcome: Outcome | None
    at: str | None
    repaired: bool
    state: AnyState | None  # kept only at places to replay from
    before: Step | None
    states: int = 0  # how many earlier steps have kept theirs


@dataclass(slots=True, eq=False, repr=False)
class UndoPoint:
    """Where undo or redo would go, and what it would take back or restore.

    Without `done`, that is the one entry made since.
    """

    done: Done | None
    head: Step
    earlier: UndoPoint | None


class Refused(EntryError):
    """One of the entries is refused; `at` is its place in the call or, for a repair, in the log."""

    def __init__(self, at: int, cause: EntryError, entry: Entry | None = None) -> None:
        super().__init__(cause.sentence)
        self.at = at
        self.entry = entry  # None if it could not be read
        self.invalid = isinstance(cause, InvalidEntry)


class BeyondLimits(IllegalEntry):
    """The table is as long, or was changed as often, as the limits allow."""


class NothingThere(EntryError):
    """There is nothing to undo or to redo."""


@dataclass(slots=True, eq=False, repr=False)  # chains are long: comparing them would recurse
class Log:
    """The live entries of a table: in order, by number, or as a record."""

    games: Games
    names: tuple[str, ...]
    head: Step
    state: AnyState  # after the head

    # -- reading

    def step(self, number: int) -> Step:
        """The n-th live entry, from 0."""
        if not 0 <= number <= self.head.number:
            raise Refused(number, InvalidEntry(say("There is no entry {number}.", number=number)))
        step = self.head
        while step.number > number:
            assert step.before is not None
            step = step.before
        return step

    def steps(self, since: int = 0) -> list[Step]:
        """The live entries from number `since` on, oldest first."""
        found = []
        step: Step | None = self.head
        while step is not None and step.number >= since:
            found.append(step)
            step = step.before
        return found[::-1]

    def game_entry(self, step: Step | None = None) -> Entry:
        """The entry that started the current game, or the game of a step."""
        step = step or self.head
        while step.entry.verb != "game":
            assert step.before is not None
            step = step.before
        return step.entry

    def alternatives(self, number: int) -> list[Entry]:
        """What could have been entered instead: everything the player could have done then."""
        step = self.step(number)
        if step.before is None or not VERBS[step.entry.verb].by_seat:
            return []
        before = self.state_after(step.before)
        legal = self.games[before.game].legal(before)
        return [entry._replace(seat=step.entry.seat) for entry in legal if VERBS[entry.verb].by_seat]

    def missed(self, number: int) -> list[Entry]:
        """What may be missing just before an entry: everything that could have been done then, or a shuffle."""
        step = self.step(number)
        if step.before is None:
            return []
        before = self.state_after(step.before)
        legal = self.games[before.game].legal(before)
        done = [entry for entry in legal if VERBS[entry.verb].by_seat]
        may_shuffle = before.options["cards"] == YES and before.phase != "game over" and before.pile.can_shuffle
        return [*done, SHUFFLE] if may_shuffle else done

    def record(self, notes: bool = True) -> str:
        """The table as a text file that can be read back; notes name the player and the time."""
        lines = [RECORD_HEAD, print_seats(self.names)]
        for step in self.steps():
            derived = step.seat if step.entry.seat is None else None
            note = " ".join(filter(None, (derived, step.at))) if notes else ""
            lines.append(f"{step.entry}  # {note}" if note else str(step.entry))
        return "\n".join(lines) + "\n"

    # -- the chain

    def advance(
        self, head: Step | None, before: AnyState | None, entry: Entry, at: str | None, repaired: bool = False
    ) -> tuple[Step, AnyState]:
        """The chain with one more entry, and the state after it; the first entry has no head and no state before it."""
        if head is None or before is None:
            return first_step(self.games, self.names, entry, at, repaired)
        state, seat = play_with_seat(self.games, before, entry)
        number, result = head.number + 1, state.result
        step = Step(
            number,
            entry,
            before.name(seat),
            head.game + (entry.verb == "game"),
            result.round if result else state.round,
            state.paid,
            result,
            state.outcome,
            at,
            repaired,
            state if state.between or number % KEEP_EVERY == 0 else None,
            head,
            head.states + (head.state is not None),
        )
        return step, state

    def state_after(self, step: Step) -> AnyState:
        """The state after an entry, replayed from the last kept state."""
        missing: list[Step] = []
        known = step
        while known.state is None:
            assert known.before is not None
            missing.append(known)
            known = known.before
        state = known.state
        for later in reversed(missing):
            state = play(self.games, state, later.entry)
        return state


def card_forms(since: Step | None) -> Mapping[int, Form]:
    """The forms of a card that comes after this step; empty where a card is called by its value."""
    while since is not None and since.result is None and since.entry.verb not in ("game", "misdeal"):
        verb = VERBS[since.entry.verb]
        if verb.then:
            return verb.then
        since = since.before
    return {}


def first_step(
    games: Games, names: Sequence[str], entry: Entry, at: str | None, repaired: bool
) -> tuple[Step, AnyState]:
    """The beginning of a chain: the entry that starts the first game, and the state after it."""
    state = open_table(games, tuple(names), entry)
    return Step(0, entry, None, 1, state.round, state.paid, None, None, at, repaired, state, None), state
