"""What an evening came to: every payment, who won what in which game, how points and chips went."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.play import play
from companion.engine.sentence import Sentence
from companion.engine.state import BANK, MIDDLE, AnyState

from .log import Step
from .table import Table

FROM_BANK = f":{BANK}"
IN_THE_MIDDLE = f":{MIDDLE}"  # pot, antes and carried chips alike: all that is nobody's yet

ChipsByName = dict[str, int]


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


@dataclass(frozen=True, slots=True)
class Played:
    """A game of the evening: what each won or lost in it, and every payment."""

    number: int
    key: str
    options: Mapping[str, str]  # as the game was started
    rounds: int
    change: ChipsByName  # of everybody, and of the middle if it has changed: always 0 in all
    lines: tuple[LedgerLine, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """How something went: for each name one figure at the start and one after each step (None: not at the table)."""

    steps: int
    lines: Mapping[str, tuple[int | None, ...]]
    game: int = 0  # of which game, if it is of one
    goal: int | None = None  # the points that end it


@dataclass(frozen=True, slots=True)
class Cash:
    """Chips bought from the bank, and given back to it."""

    bought: ChipsByName
    cashed: ChipsByName

    def net(self, name: str) -> int:
        return self.bought[name] - self.cashed[name]


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Somebody lost where a forfeit was at stake; `what` is empty if the table did not say."""

    game: int
    who: str
    what: str


# -- the ledger


def payments(table: Table) -> list[LedgerLine]:
    """Every payment of the evening, under the names people have now."""
    names: dict[str, str] = {}
    lines: list[LedgerLine] = []
    for step in reversed(table.steps()):
        for payment in reversed(step.paid):
            who, whom = names.get(payment.who, payment.who), names.get(payment.whom, payment.whom)
            lines.append(LedgerLine(step.number, step.game, step.round, who, whom, payment.amount, payment.why))
        if step.entry.verb == "rename" and step.before is not None:
            old, new = step.entry.args
            before = table.state_after(step.before)
            names[before.seats[before.find(old)].name] = names.get(new, new)
    return lines[::-1]


def ledger(table: Table) -> list[LedgerLine]:
    """Every payment, told from the one who pays, in the game it belongs to."""
    steps = table.steps()
    lines = []
    for line in payments(table):
        if line.amount < 0:
            line = replace(line, who=line.whom, whom=line.who, amount=-line.amount)
        step = steps[line.number]
        if step.entry.verb == "game" and step.before is not None and not _of_the_bank(line):
            # A new game gives back what was paid in the round it cut short.
            line = replace(line, game=step.before.game, round=step.before.round)
        lines.append(line)
    return lines


def cash(table: Table) -> Cash:
    """Chips bought in and cashed out, by name."""
    bought, cashed = _nothing(table), _nothing(table)
    for line in ledger(table):
        if line.who == FROM_BANK:
            bought[line.whom] += line.amount
        elif line.whom == FROM_BANK:
            cashed[line.who] += line.amount
    return Cash(bought, cashed)


def balances(table: Table) -> ChipsByName:
    """What each won or lost over the evening: chips bought are not won. What is nobody's yet is the middle's."""
    money = cash(table)
    return with_middle({seat.name: seat.chips - money.net(seat.name) for seat in table.state.everyone()})


def with_middle(change: ChipsByName) -> ChipsByName:
    """The middle has what the people lack."""
    missing = -sum(change.values())
    return {**change, IN_THE_MIDDLE: missing} if missing else change


def by_game(table: Table) -> tuple[Played, ...]:
    """The games of the evening, in order."""
    steps = table.steps()
    rounds = Counter(step.game for step in steps if step.result)
    lines: dict[int, list[LedgerLine]] = {}
    for line in ledger(table):
        lines.setdefault(line.game, []).append(line)
    games = []
    for first in (step for step in steps if step.entry.verb == "game"):
        mine = tuple(lines.get(first.game, ()))
        key, options = first.entry.args
        change = with_middle(_change(table, mine))
        games.append(Played(first.game, key, dict(options), rounds[first.game], change, mine))
    return tuple(games)


def _change(table: Table, lines: Sequence[LedgerLine]) -> ChipsByName:
    change = _nothing(table)
    for line in lines:
        if not _of_the_bank(line):
            for name, amount in ((line.who, -line.amount), (line.whom, line.amount)):
                if name in change:
                    change[name] += amount
    return change


def _of_the_bank(line: LedgerLine) -> bool:
    return FROM_BANK in (line.who, line.whom)


def _nothing(table: Table) -> ChipsByName:
    return {seat.name: 0 for seat in table.state.everyone()}


# -- how it went


def chips_by_game(table: Table, games: Sequence[Played] | None = None) -> Course:
    """What each has won or lost so far, after each game."""
    changes = [game.change for game in (by_game(table) if games is None else games)]
    return _sums(list(_nothing(table)), changes)


def chips_by_round(table: Table) -> Course:
    """The same after each round: for an evening of one game. The last figure is what holds now."""
    lines, changes, since = ledger(table), [], 0
    numbers = [line.number for line in lines]
    ends = [step.number for step in table.steps() if step.result]
    if ends:
        ends[-1] = table.head.number
    for end in ends:
        upto = bisect_right(numbers, end)
        changes.append(_change(table, lines[since:upto]))
        since = upto
    return _sums(list(_nothing(table)), changes)


def _sums(names: Sequence[str], changes: Sequence[ChipsByName]) -> Course:
    lines = {}
    for name in names:
        figures = [0]
        for change in changes:
            figures.append(figures[-1] + change.get(name, 0))
        lines[name] = tuple(figures)
    return Course(len(changes), lines)


def points_by_round(table: Table) -> tuple[Course, ...]:
    """For every game that keeps points, the points of those at the table after each round."""
    columns: dict[int, list[ChipsByName]] = {}
    goals: dict[int, int | None] = {}
    for step, names, state in _scored(table):
        game = table.games[state.game]
        keys: Mapping[str, Any] = game.own_keys(state)
        goals[step.game] = keys.get("limit", keys.get("goal"))
        points = {_now(names, seat.name): seat.points for seat in state.seats}
        column = columns.setdefault(step.game, [])
        if step.result or not column:
            column.append(points)
        else:
            column[-1] = points  # a correction is no round
    order = list(_nothing(table))
    courses = []
    for number, column in columns.items():
        people = [name for name in order if any(name in points for points in column)]
        lines = {name: tuple(points.get(name) for points in column) for name in people}
        courses.append(Course(len(column) - 1, lines, number, goals[number]))
    return tuple(courses)


def _scored(table: Table) -> Iterator[tuple[Step, Mapping[str, str], AnyState]]:
    """The entries after which the points may be others, with the state they led to."""
    state: AnyState | None = None
    passed: list[Step] = []  # since that state
    for step, names in _with_names(table):
        if step.state is not None:
            state, passed = step.state, []
        else:
            passed.append(step)
        if not step.result and step.entry.verb not in ("game", "points", "score"):
            continue
        assert state is not None
        for later in passed:
            state = play(table.games, state, later.entry)
        passed = []
        if table.games[state.game].scores_points:
            yield step, names, state


def forfeits(table: Table) -> tuple[Forfeit, ...]:
    """Who lost a game for a forfeit."""
    options: dict[str, str] = {}
    lost: dict[int, Forfeit] = {}
    for step, names in _with_names(table):
        if step.entry.verb == "game":
            key, given = step.entry.args
            known = table.games[key].options
            options = {"stakes": str(known["stakes"].default) if "stakes" in known else "", **dict(given)}
        if step.outcome and step.outcome.loser and options["stakes"] == "forfeit":
            who = _now(names, step.outcome.loser)
            lost[step.game] = Forfeit(step.game, who, options.get("forfeit", ""))
    return tuple(lost.values())


def _with_names(table: Table) -> list[tuple[Step, Mapping[str, str]]]:
    """Every step, with what the names of that time have become since."""
    names: dict[str, str] = {}
    found: list[tuple[Step, Mapping[str, str]]] = []
    for step in reversed(table.steps()):
        found.append((step, names))
        if step.entry.verb == "rename":
            # Before that nobody had the new name, so there are never more names than people.
            old, new = step.entry.args
            others = {name: now for name, now in names.items() if name != new.casefold()}
            names = {**others, old.casefold(): _now(names, new)}
    return found[::-1]


def _now(names: Mapping[str, str], name: str) -> str:
    return names.get(name.casefold(), name)
