"""Who is ahead over many evenings: the sums of each evening by name, and of each person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import add
from typing import NamedTuple

from .ledger import ChipsByName, NamesNow, name_now, steps_back, won
from .log import Step
from .people import People
from .table import Table

RANKED_FROM = 3  # games


@dataclass(frozen=True, slots=True)
class GameSums:
    """The sums of one game of an evening, under today's names."""

    key: str
    counts: bool  # it is over or, where no points end it, has a finished round
    people: tuple[str, ...]  # who sat at the table when a round or the game ended
    loser: str | None
    winners: tuple[str, ...]
    chips: ChipsByName


@dataclass(frozen=True, slots=True)
class EveningSums:
    """The sums of an evening: small, and without references to the table."""

    at: str  # when it was played last
    title: str
    names: tuple[str, ...]  # of all who sat at the table, those at it now first
    games: tuple[GameSums, ...]

    def of_game(self, key: str) -> EveningSums:
        """The same evening with the games of one kind; of all kinds without a key."""
        return replace(self, games=tuple(game for game in self.games if not key or game.key == key))

    def chips(self) -> ChipsByName:
        """What each won or lost in all its games."""
        sums: ChipsByName = {}
        for game in self.games:
            for name, chips in game.chips.items():
                sums[name] = sums.get(name, 0) + chips
        return sums


def sum_up(table: Table) -> EveningSums:
    """The sums of an evening, in one pass over its log."""
    games: list[GameSums] = []
    game = _GameMaker(table, table.head, won(table.state))
    at = ""
    for step, names in steps_back(table):
        if not at and (step.seat or step.result):
            at = step.at or ""
        game.read(step, names)
        if step.entry.verb == "game":
            before = won(table.state_after(step), names)
            games.append(game.sum_up(step, before))
            if step.before:
                game = _GameMaker(table, step.before, before, dict(names))
    seated = tuple(seat.name for seat in table.state.everyone())
    return EveningSums(at or table.head.at or "", table.state.title, seated, tuple(reversed(games)))


class _GameMaker:
    """Makes the sums of one game from its steps, read backwards."""

    def __init__(self, table: Table, last: Step, after: ChipsByName, names: NamesNow | None = None) -> None:
        self.table = table
        self.after = after
        self.outcome = last.outcome
        self.names: NamesNow = names or {}  # as of the last step
        self.people: dict[str, None] = {}
        if self.outcome:
            self._sat(self.outcome.chips, self.names)

    def read(self, step: Step, names: NamesNow) -> None:
        if step.result:
            self._sat(step.result.points, names)

    def _sat(self, found: Iterable[str], names: NamesNow) -> None:
        self.people.update(dict.fromkeys(name_now(names, name) for name in found))

    def sum_up(self, start: Step, before: ChipsByName) -> GameSums:
        """The game that began with this step."""
        key = start.entry.args[0]
        state = self.table.state_after(start)
        endless = self.table.games[key].target(state) is None
        changes = {name: chips - before.get(name, 0) for name, chips in self.after.items()}
        loser = self.outcome.loser if self.outcome else None
        return GameSums(
            key,
            self.outcome is not None or (endless and bool(self.people)),
            tuple(self.people),
            loser and name_now(self.names, loser),
            tuple(name_now(self.names, name) for name in self.outcome.winners) if self.outcome else (),
            {name: chips for name, chips in changes.items() if chips},
        )


# -- the sums


class Sums(NamedTuple):
    """What games and evenings add up to for one person."""

    evenings: int = 0
    games: int = 0
    lost: int = 0
    won: int = 0
    chips: int = 0

    def plus(self, more: Sums) -> Sums:
        return Sums(*map(add, self, more))

    @property
    def merit(self) -> tuple[Fraction, int]:
        """The rank of people: games won minus games lost, as a share of those played; then chips. More is better."""
        return Fraction(self.won - self.lost, max(1, self.games)), self.chips


@dataclass(frozen=True, slots=True)
class PersonStanding:
    """A person's sums, and the place they give; people who are equally good share one."""

    key: str
    name: str
    sums: Sums
    rank: int | None = None  # from some games on


SumsByKey = dict[str, Sums]
NOTHING = Sums()


def count(found: SumsByKey, key: str, more: Sums) -> None:
    """Add to the sums of one person, or of one game."""
    found[key] = found.get(key, NOTHING).plus(more)


def sums_of_game(game: GameSums, people: People) -> SumsByKey:
    """What a game adds for each person. One person at two seats has played it once."""
    found: SumsByKey = {}
    if game.counts:
        loser, winners = people.of(game.loser), people.all_of(game.winners)
        for key in people.all_of(game.people):
            found[key] = Sums(games=1, lost=key == loser, won=key in winners)
    for name, chips in game.chips.items():
        for key in people.all_of([name]):
            count(found, key, Sums(chips=chips))
    return found


def sums_of_evening(evening: EveningSums, people: People) -> SumsByKey:
    """What an evening adds for each person who has played a game, or won or lost chips."""
    found: SumsByKey = {}
    for game in evening.games:
        for key, more in sums_of_game(game, people).items():
            found[key] = found.get(key, Sums(evenings=1)).plus(more)
    return {key: sums for key, sums in found.items() if sums.games or sums.chips}


def standings(evenings: Iterable[EveningSums], people: People) -> list[PersonStanding]:
    """Everybody's sums: those with a rank by rank, then the others by the number of their games."""
    found: SumsByKey = {}
    for evening in evenings:
        for key, more in sums_of_evening(evening, people).items():
            count(found, key, more)
    merits = sorted((sums.merit for sums in found.values() if sums.games >= RANKED_FROM), reverse=True)
    ranks: dict[tuple[Fraction, int], int] = {}
    for place, merit in enumerate(merits, 1):
        ranks.setdefault(merit, place)
    listed = [
        PersonStanding(key, people.name(key), sums, ranks[sums.merit] if sums.games >= RANKED_FROM else None)
        for key, sums in found.items()
    ]
    return sorted(listed, key=_place)


def _place(one: PersonStanding) -> tuple[object, ...]:
    return (one.rank is None, one.rank or 0, -one.sums.games, -one.sums.chips, one.key)


def since(evenings: Iterable[EveningSums], day: str) -> list[EveningSums]:
    """The evenings played on a day or later; all of them for no day."""
    return [evening for evening in evenings if evening.at >= day]


# -- one person


@dataclass(frozen=True, slots=True)
class Together:
    """The sums of the games that two people played together."""

    key: str
    name: str
    games: int
    lost: int
    their_lost: int


@dataclass(frozen=True, slots=True)
class PersonEvening:
    """An evening as it was for one person."""

    number: int  # its place in the list, from 0
    at: str
    title: str
    sums: Sums


@dataclass(frozen=True, slots=True)
class PersonRecord:
    """One person over many evenings."""

    key: str
    name: str
    sums: Sums
    games: Mapping[str, Sums]  # by the key of the game, the most played first
    others: tuple[Together, ...]  # by games together, the most first
    nights: tuple[PersonEvening, ...]  # in the order of the list

    @property
    def best(self) -> PersonEvening:
        return max(self.nights, key=_of_night)

    @property
    def worst(self) -> PersonEvening:
        return min(self.nights, key=_of_night)


def _of_night(night: PersonEvening) -> tuple[int, int]:
    return night.sums.chips, night.sums.won - night.sums.lost


def record_of(key: str, evenings: Sequence[EveningSums], people: People) -> PersonRecord | None:
    """One person's games and evenings; None if nobody with this key has played."""
    nights, sums = [], NOTHING
    games: SumsByKey = {}
    mine: SumsByKey = {}  # my part of the games together, by the other person
    theirs: SumsByKey = {}
    for number, evening in enumerate(evenings):
        of_evening = sums_of_evening(evening, people).get(key)
        if of_evening is None:
            continue
        nights.append(PersonEvening(number, evening.at, evening.title, of_evening))
        sums = sums.plus(of_evening)
        for game in evening.games:
            of_game = sums_of_game(game, people)
            own = of_game.pop(key, NOTHING)
            count(games, game.key, own)
            if own.games:
                for other, part in of_game.items():
                    count(mine, other, own)
                    count(theirs, other, part)
    if not nights:
        return None
    others = [
        Together(other, people.name(other), mine[other].games, mine[other].lost, theirs[other].lost) for other in mine
    ]
    return PersonRecord(
        key,
        people.name(key),
        sums,
        {game: games[game] for game in sorted(games, key=lambda one: -games[one].games) if games[game] != NOTHING},
        tuple(sorted(others, key=lambda one: (-one.games, one.key))),
        tuple(nights),
    )
