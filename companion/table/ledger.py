"""The accounts of an evening: every payment, and what each player won in each game.

Every state has the winnings so far (`Seat.won`), so a sum over the evening or over a game is the difference of two
states: it costs the same after one game and after ten thousand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.engine.notation import Entry
from companion.engine.results import Outcome, Payment
from companion.engine.sentence import Sentence
from companion.engine.state import BANK, MIDDLE, AnyState

from .log import Step
from .table import Table

FROM_BANK = f":{BANK}"
IN_THE_MIDDLE = f":{MIDDLE}"  # pot, antes and carried chips: all that belongs to nobody yet

MOST_SCANNED = 5_000  # payments read for one page

ChipsByName = dict[str, int]
NamesNow = Mapping[str, str]  # today's names by earlier ones (case-folded)


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
    """A game of the evening, and what each player won or lost in it."""

    number: int
    key: str
    options: Mapping[str, str]  # as the game was started
    rounds: int
    change: ChipsByName  # by name, and for the middle if it has changed: the sum is always 0


@dataclass(frozen=True, slots=True)
class Cash:
    """Chips bought from the bank, and returned to it."""

    bought: ChipsByName
    cashed: ChipsByName


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A lost game with a forfeit at stake; `what` is empty if the table did not name it."""

    game: int
    who: str
    what: str


# -- names


def steps_back(table: Table) -> Iterator[tuple[Step, NamesNow]]:
    """Every step, newest first, with today's names by those of that time. The names change as you go: copy them."""
    names: dict[str, str] = {}
    step: Step | None = table.head
    while step is not None:
        yield step, names
        if step.entry.verb == "rename":
            # Nobody had the new name before, so there are never more names than people.
            old, new = step.entry.args
            names[old.casefold()] = names.pop(new.casefold(), new)
        step = step.before


def name_now(names: NamesNow, name: str) -> str:
    """Today's name of a player."""
    return names.get(name.casefold(), name) if names else name


# -- payments


def payments(table: Table) -> list[LedgerLine]:
    """Every payment of the evening as it was made, with today's names."""
    lines = [
        LedgerLine(step.number, step.game, step.round, *_parties(names, payment), payment.amount, payment.why)
        for step, names in steps_back(table)
        for payment in reversed(step.paid)
    ]
    return lines[::-1]


def newest_payments(table: Table, before: int | None = None) -> Iterator[LedgerLine]:
    """Every payment, newest first, with a positive amount and in the game it belongs to.

    With `before`, only the payments of earlier entries.
    """
    for step, names in steps_back(table):
        if step.paid and (before is None or step.number < before):
            for payment in reversed(step.paid):
                yield _ledger_line(step, names, payment)


def newest_page(
    table: Table, most: int, before: int | None = None, whose: str = ""
) -> tuple[list[LedgerLine], int | None]:
    """The newest payments, of everybody or of one player, and the entry to continue `before` if there may be more.

    Payments of one entry stay together. A page reads a limited number of them, so a player's page may be empty.
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
        at = step.before  # a new game returns what was paid in the round it cut short
    return LedgerLine(step.number, at.game, at.round, who, whom, amount, payment.why)


# -- sums


def cash(table: Table) -> Cash:
    """Chips bought in and cashed out, by name."""
    people = table.state.everyone()
    return Cash({seat.name: seat.bought for seat in people}, {seat.name: seat.cashed for seat in people})


def won(state: AnyState, names: NamesNow | None = None) -> ChipsByName:
    """What each player had won or lost over the evening by then, with today's names."""
    return {name_now(names or {}, seat.name): seat.won for seat in state.everyone()}


def with_middle(change: ChipsByName) -> ChipsByName:
    """The same with the middle, which holds the chips that belong to nobody yet."""
    missing = -sum(change.values())
    return {**change, IN_THE_MIDDLE: missing} if missing else change


class GamesPlayed:
    """The games of an evening since everything was settled: found in one pass, each worked out when it is asked for.

    Games are counted from 1 over the whole evening. The first one may have begun before the settlement.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.last = table.head.game
        self.settled: Step | None = None  # the last settlement
        self._starts: list[tuple[Step, NamesNow]] = []  # where each game begins to count
        self._rounds: list[int] = []
        self.empty: set[int] = set()  # games in which nothing was entered
        rounds, played = 0, False
        for step, names in steps_back(table):
            if step.entry.verb == "settled" and self.settled is None:
                self.settled = step
                if played:  # the game went on after it
                    self._begins(step, names, rounds)
            rounds += step.result is not None
            is_game = step.entry.verb == "game"  # it returns what the game before it had paid
            paid = not is_game and any(FROM_BANK not in (payment.who, payment.whom) for payment in step.paid)
            played = played or bool(step.seat or step.result or paid)
            if is_game:
                if not played:
                    self.empty.add(step.game)
                if self.settled is None:
                    self._begins(step, names, rounds)
                rounds, played = 0, False
        self._starts.reverse()
        self._rounds.reverse()
        self.first = self.last - len(self._starts) + 1

    def _begins(self, step: Step, names: NamesNow, rounds: int) -> None:
        self._starts.append((step, dict(names)))
        self._rounds.append(rounds)

    def __len__(self) -> int:
        return len(self._starts)

    def won_before(self, number: int) -> ChipsByName:
        """What each player had won or lost when a game began to count; after the last game, by now."""
        if number > self.last:
            return won(self.table.state)
        step, names = self._starts[number - self.first]
        nothing = {seat.name: 0 for seat in self.table.state.everyone()}
        return {**nothing, **won(self.table.state_after(step), names)}

    def played(self, number: int) -> Played:
        """One game."""
        key, options = self._entry(number).args
        change = self.change(number, number)
        return Played(number, key, dict(options), self._rounds[number - self.first], change)

    def change(self, first: int, last: int) -> ChipsByName:
        """What each player won or lost from the first to the last of these games."""
        before, after = self.won_before(first), self.won_before(last + 1)
        return with_middle({name: after[name] - before[name] for name in after})

    def owed(self) -> ChipsByName:
        """What each player has won or lost since the settlement."""
        return self.change(self.first, self.last)

    def settled_before(self) -> ChipsByName:
        """What each player had won or lost at the settlement."""
        return with_middle(self.won_before(self.first))

    def forfeit(self, number: int) -> Forfeit | None:
        """The forfeit of a game, if it was played for one and is lost. A game without stakes has none."""
        table, outcome = self.table, self.outcome(number)
        key, given = self._entry(number).args
        if outcome is None or outcome.loser is None:
            return None
        known, chosen = table.games[key].options, dict(given)
        if "stakes" not in known or chosen.get("stakes", known["stakes"].default) != "forfeit":
            return None
        return Forfeit(number, outcome.loser, chosen.get("forfeit", ""))

    def outcome(self, number: int) -> Outcome | None:
        """How a game ended, with today's names; None if it did not, or before everything was settled."""
        start = self._starts[number - self.first][0]
        following, names = self._starts[number - self.first + 1] if number < self.last else (None, {})
        outcome = (following.before or self.table.head).outcome if following else self.table.head.outcome
        if outcome is None or start.outcome:
            return None
        loser, winners = outcome.loser, tuple(name_now(names, name) for name in outcome.winners)
        return replace(outcome, loser=loser and name_now(names, loser), winners=winners)

    def _entry(self, number: int) -> Entry:
        """The entry that started a game."""
        return self.table.game_entry(self._starts[number - self.first][0])


def balances(table: Table) -> ChipsByName:
    """What each player has won or lost over the whole evening; chips that belong to nobody yet are the middle's."""
    return with_middle(won(table.state))


def by_game(table: Table) -> tuple[Played, ...]:
    """The games of the evening since everything was settled, in order."""
    games = GamesPlayed(table)
    return tuple(games.played(number) for number in range(games.first, games.last + 1))


def forfeits(table: Table) -> tuple[Forfeit, ...]:
    """The forfeits still owed."""
    games = GamesPlayed(table)
    return tuple(filter(None, (games.forfeit(number) for number in range(games.first, games.last + 1))))
