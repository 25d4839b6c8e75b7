"""What an evening came to: every payment, and who won what in which game.

What each has won stands in every state (`Seat.won`), so a sum over the evening or over a game is a difference of two
states: it costs the same after one game and after ten thousand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.engine.results import Payment
from companion.engine.sentence import Sentence
from companion.engine.state import BANK, MIDDLE, AnyState

from .log import Step
from .table import Table

FROM_BANK = f":{BANK}"
IN_THE_MIDDLE = f":{MIDDLE}"  # pot, antes and carried chips alike: all that is nobody's yet

MOST_SCANNED = 5_000  # payments, for one page

ChipsByName = dict[str, int]
NamesNow = Mapping[str, str]  # what names of some time, in small letters, have become since


class LedgerLine(NamedTuple):
    """A payment in the evening's ledger."""

    number: int
    game: int
    round: int
    who: str
    whom: str
    amount: int
    why: Sentence


@dataclass(frozen=True, slots=True)
class Played:
    """A game of the evening, and what each won or lost in it."""

    number: int
    key: str
    options: Mapping[str, str]  # as the game was started
    rounds: int
    change: ChipsByName  # of everybody, and of the middle if it has changed: always 0 in all


@dataclass(frozen=True, slots=True)
class Cash:
    """Chips bought from the bank, and given back to it."""

    bought: ChipsByName
    cashed: ChipsByName


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Somebody lost where a forfeit was at stake; `what` is empty if the table did not say."""

    game: int
    who: str
    what: str


# -- names


def steps_back(table: Table) -> Iterator[tuple[Step, NamesNow]]:
    """Every step, newest first, with what the names of that time have become. The names go on changing: copy them."""
    names: dict[str, str] = {}
    step: Step | None = table.head
    while step is not None:
        yield step, names
        if step.entry.verb == "rename":
            # Before that nobody had the new name, so there are never more names than people.
            old, new = step.entry.args
            names[old.casefold()] = names.pop(new.casefold(), new)
        step = step.before


def name_now(names: NamesNow, name: str) -> str:
    """What somebody is called today."""
    return names.get(name.casefold(), name) if names else name


# -- payments


def payments(table: Table) -> list[LedgerLine]:
    """Every payment of the evening as it was made, under the names people have now."""
    lines = [
        LedgerLine(step.number, step.game, step.round, *_parties(names, payment), payment.amount, payment.why)
        for step, names in steps_back(table)
        for payment in reversed(step.paid)
    ]
    return lines[::-1]


def newest_payments(table: Table, before: int | None = None) -> Iterator[LedgerLine]:
    """Every payment, newest first, told from the one who pays, in the game it belongs to.

    Only those of entries before one, if it is named.
    """
    for step, names in steps_back(table):
        if step.paid and (before is None or step.number < before):
            for payment in reversed(step.paid):
                yield _ledger_line(step, names, payment)


def newest_page(
    table: Table, most: int, before: int | None = None, whose: str = ""
) -> tuple[list[LedgerLine], int | None]:
    """So many of the newest payments, all or somebody's; and, if there may be more, the entry they are before.

    Those of one entry stay together. No page looks through very many, so one of somebody's may be empty.
    """
    lines: list[LedgerLine] = []
    entry = -1
    for scanned, line in enumerate(newest_payments(table, before)):
        if line.number != entry and (len(lines) >= most or scanned >= MOST_SCANNED):
            return lines, entry
        entry = line.number
        if not whose or whose in (line.who, line.whom):
            lines.append(line)
    return lines, None


def _parties(names: NamesNow, payment: Payment) -> tuple[str, str]:
    return name_now(names, payment.who), name_now(names, payment.whom)


def _ledger_line(step: Step, names: NamesNow, payment: Payment) -> LedgerLine:
    who, whom = _parties(names, payment)
    amount = payment.amount
    if amount < 0:
        who, whom, amount = whom, who, -amount
    at = step
    if step.entry.verb == "game" and step.before is not None and FROM_BANK not in (who, whom):
        at = step.before  # a new game gives back what was paid in the round it cut short
    return LedgerLine(step.number, at.game, at.round, who, whom, amount, payment.why)


# -- sums


def cash(table: Table) -> Cash:
    """Chips bought in and cashed out, by name."""
    people = table.state.everyone()
    return Cash({seat.name: seat.bought for seat in people}, {seat.name: seat.cashed for seat in people})


def won(state: AnyState, names: NamesNow | None = None) -> ChipsByName:
    """What each had won or lost over the evening by then, under the names people have now."""
    return {name_now(names or {}, seat.name): seat.won for seat in state.everyone()}


def balances(table: Table) -> ChipsByName:
    """What each won or lost over the evening. What is nobody's yet is the middle's."""
    return with_middle(won(table.state))


def with_middle(change: ChipsByName) -> ChipsByName:
    """The middle has what the people lack."""
    missing = -sum(change.values())
    return {**change, IN_THE_MIDDLE: missing} if missing else change


class GamesPlayed:
    """The games of an evening, by number from 1: found in one walk, and each worked out when it is asked for."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._starts: list[tuple[Step, NamesNow]] = []
        self._rounds: list[int] = []
        rounds = 0
        for step, names in steps_back(table):
            if step.result:
                rounds += 1
            if step.entry.verb == "game":
                self._starts.append((step, dict(names)))
                self._rounds.append(rounds)
                rounds = 0
        self._starts.reverse()
        self._rounds.reverse()

    def __len__(self) -> int:
        return len(self._starts)

    def won_before(self, number: int) -> ChipsByName:
        """What each had won or lost when a game began; after the last game, what holds now."""
        if number > len(self):
            return won(self.table.state)
        step, names = self._starts[number - 1]
        nothing = {seat.name: 0 for seat in self.table.state.everyone()}
        return {**nothing, **won(self.table.state_after(step), names)}

    def played(self, number: int) -> Played:
        """One game."""
        key, options = self._starts[number - 1][0].entry.args
        change = self.change(number, number)
        return Played(number, key, dict(options), self._rounds[number - 1], change)

    def change(self, first: int, last: int) -> ChipsByName:
        """What each won or lost from one game to another, both included."""
        before, after = self.won_before(first), self.won_before(last + 1)
        return with_middle({name: after[name] - before[name] for name in after})

    def forfeit(self, number: int) -> Forfeit | None:
        """Who lost the game, if it was for a forfeit."""
        table = self.table
        key, given = self._starts[number - 1][0].entry.args
        following, names = self._starts[number] if number < len(self) else (None, {})
        outcome = (following.before or table.head).outcome if following else table.head.outcome
        if outcome is None or outcome.loser is None:
            return None
        options = {"stakes": str(table.games[key].options["stakes"].default), **dict(given)}
        if options["stakes"] != "forfeit":
            return None
        return Forfeit(number, name_now(names, outcome.loser), options.get("forfeit", ""))


def by_game(table: Table) -> tuple[Played, ...]:
    """All the games of the evening, in order."""
    games = GamesPlayed(table)
    return tuple(games.played(number) for number in range(1, len(games) + 1))


def forfeits(table: Table) -> tuple[Forfeit, ...]:
    """Who lost a game for a forfeit."""
    games = GamesPlayed(table)
    return tuple(filter(None, (games.forfeit(number) for number in range(1, len(games) + 1))))
