"""The accounts of an evening as somebody with a pencil keeps them: from the log, and the chips after each entry."""

from __future__ import annotations

from collections import Counter

from companion.engine.notation import parse
from companion.engine.verbs import VERBS

from .night import Night

Figures = dict[str, int]


class Pencil:
    """What everybody has won or lost by each entry, with today's names, and what is owed since all was settled."""

    def __init__(self, night: Night) -> None:
        self.night = night
        self.entries = [parse(line["entry"]) for line in night.log]
        bank = self.from_the_bank()
        self.won = [self.by_entry(place, bank[place]) for place in range(len(self.entries))]
        self.today = self.names_today()
        settled = [place for place, entry in enumerate(self.entries) if entry.verb == "settled"]
        self.settled = settled[-1] if settled else None

    def from_the_bank(self) -> list[Figures]:
        """What each has from the bank after each entry. The buy-in is bought once, by who has never bought."""
        after: list[Figures] = []
        bank: Counter[str] = Counter()
        bought: set[str] = set()
        for entry, state in zip(self.entries, self.night.states, strict=True):
            if entry.verb == "buy":
                name = state.seats[state.find(entry.args[0])].name
                bank[name] += entry.args[1]
                bought.add(name)
            if entry.verb == "rename":
                old = next(name for name in {*after[-1], *bought, entry.args[0]} if name == entry.args[0])
                bank[entry.args[1]] = bank.pop(old, 0)
                bought = {entry.args[1] if name == old else name for name in bought}
            if entry.verb in ("game", "sit") and state.options["buyin"]:
                for seat in state.seats:
                    if seat.name not in bought:
                        bank[seat.name] += state.options["buyin"]
                        bought.add(seat.name)
            after.append(dict(bank))
        return after

    def by_entry(self, place: int, bank: Figures) -> Figures:
        state = self.night.states[place]
        return {seat.name: seat.chips - bank.get(seat.name, 0) for seat in state.everyone()}

    def names_today(self) -> list[dict[str, str]]:
        """For every entry, today's name of everybody who was known then."""
        renames = [(place, *entry.args) for place, entry in enumerate(self.entries) if entry.verb == "rename"]
        names = []
        for place in range(len(self.entries)):
            now = {name: name for name in self.won[place]}
            for when, old, new in renames:
                if when > place:
                    now = {then: new if name == old else name for then, name in now.items()}
            names.append(now)
        return names

    def at(self, place: int) -> Figures:
        """What each had won after an entry, under today's names."""
        return {self.today[place][name]: chips for name, chips in self.won[place].items()}

    def change(self, first: int, last: int) -> Figures:
        """What each won after the first and up to the last of these entries."""
        before, after = self.at(first), self.at(last)
        return {name: after[name] - before.get(name, 0) for name in after}

    @property
    def owed(self) -> Figures:
        last = len(self.entries) - 1
        return self.at(last) if self.settled is None else self.change(self.settled, last)

    def games(self) -> dict[int, tuple[int, int | None]]:
        """Where each game of the evening begins to count, and where the next one starts, by its number."""
        starts = [place for place, entry in enumerate(self.entries) if entry.verb == "game"]
        counting = enumerate(zip(starts, [*starts[1:], None], strict=True), 1)
        if self.settled is None:
            return dict(counting)
        # A game that settled up in its middle counts from there; one before that no longer counts.
        since = self.settled
        return {number: (max(first, since), end) for number, (first, end) in counting if end is None or end > since}

    def played(self) -> int:
        """The number of games in which something was entered by somebody, paid or scored."""
        starts = [place for place, entry in enumerate(self.entries) if entry.verb == "game"]
        return sum(
            any(self.is_played(place) for place in range(first + 1, end))
            for first, end in zip(starts, [*starts[1:], len(self.entries)], strict=True)
        )

    def is_played(self, place: int) -> bool:
        entry = self.entries[place]
        by_seat = bool(self.night.log[place]["seat"])
        return by_seat or VERBS[entry.verb].draws or entry.verb in ("pay", "score")

    def change_in(self, number: int) -> Figures:
        """What each has won in one game; who came later had nothing before."""
        first, end = self.games()[number]
        now = len(self.entries) - 1
        return {**dict.fromkeys(self.at(now), 0), **self.change(first, now if end is None else end)}

    def forfeits(self) -> list[tuple[str, str]]:
        """Who owes a forfeit, and what, game by game."""
        owed = []
        for first, end in self.games().values():
            final = (len(self.entries) if end is None else end) - 1
            state = self.night.states[final]
            over_before = self.night.states[first].outcome is not None
            if state.outcome and state.outcome.loser and state.options.get("stakes") == "forfeit" and not over_before:
                owed.append((self.today[final][state.outcome.loser], state.options.get("forfeit", "")))
        return owed
