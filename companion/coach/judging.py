"""Luck and skill: a finished game entry by entry, with every decision compared with the coach's best choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeVar

from companion.engine.game import AnyGame
from companion.engine.notation import Entry
from companion.engine.odds import of_seat, past_shuffle
from companion.engine.options import YES
from companion.engine.play import Games, play
from companion.engine.state import AnyState
from companion.engine.verbs import VERBS
from companion.table.log import Step
from companion.table.table import Table

from .accounts import Account, Book
from .advice import Advice, Unit
from .coach import ADD_ONS, reckon
from .values import VALUED, GameValues

SEATS_CHANGE = frozenset(("sit", "leave", "order"))
SMALL_RISK = 1 / 5  # below it a pair is a bad beat
WORTH_TELLING: dict[Unit, float] = {"lose": 0.01, "chips": 0.1}  # the least cost of a mistake
MOST_BEATS = 3


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that cost something. `n` is the entry's number within the game."""

    n: int
    name: str
    entry: str
    cost: float


@dataclass(frozen=True, slots=True)
class Turn:
    """What the last entry of a round brought a seat."""

    n: int
    name: str
    gain: float


@dataclass(frozen=True, slots=True)
class Beat:
    """A pair that ended the round although drawing was right and the risk small."""

    n: int
    name: str
    cost: float
    risk: float


Moment = TypeVar("Moment", Mistake, Turn, Beat)


@dataclass(slots=True)
class GameLuck:
    """A judged game. It refers to the table only by the numbers of entries within the game."""

    game: str
    unit: Unit
    accounts: dict[str, Account]
    mistakes: list[Mistake] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    beats: list[Beat] = field(default_factory=list)

    def rename(self, old: str, new: str) -> None:
        """Give a seat another name, also in what it did before."""
        self.mistakes = renamed(self.mistakes, old, new)
        self.turns = renamed(self.turns, old, new)
        self.beats = renamed(self.beats, old, new)


def renamed(moments: list[Moment], old: str, new: str) -> list[Moment]:
    """The moments, with one seat's name replaced."""
    return [replace(moment, name=new) if moment.name == old else moment for moment in moments]


@dataclass(frozen=True, eq=False)
class GameLog:
    """One game of a table: its opening, and the entries that can be judged."""

    games: Games
    number: int  # the number of the game at the table, from 1
    first: int  # the number of its first entry
    opening: AnyState
    entries: tuple[Entry, ...]
    cut_short: bool  # another game began while a round was under way

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Games with the same key have the same result, so that it can be cached."""
        names = tuple(seat.name for seat in self.opening.seats)
        return (self.opening.game, names, self.opening.middle, *map(str, self.entries))

    def judge(self) -> GameLuck:
        """Judge the whole game. The coach's answer for each decision takes most of the time."""
        judging = self.judging()
        for _entry in judging.entries():
            pass
        return judging.found

    def judging(self) -> Judging:
        """The same entry by entry, for callers that can only spend a little time at once."""
        return Judging(self.games[self.opening.game], self)


def game_logs(table: Table, newest: int | None = None) -> Iterator[GameLog]:
    """The games of a table that can be judged: finished games of Pairs, and other games with a finished round.

    With `newest`, only that many of the latest entries are considered.
    """
    steps = table.steps(since=0 if newest is None else max(0, table.head.number + 1 - newest))
    starts = [index for index, step in enumerate(steps) if step.entry.verb == "game"]
    if 0 not in starts:
        starts = [*_rest_of_game(steps), *starts]
    for start, stop in pairwise([*starts, len(steps)]):
        opening = steps[start].state
        assert opening is not None  # always kept between rounds
        last = _last_judged(opening, steps[start:stop], ended=stop < len(steps))
        if last:
            first = steps[start]
            entries = tuple(step.entry for step in steps[start : start + last + 1])
            yield GameLog(table.games, first.game, first.number, opening, entries, cut_short=stop < len(steps))


def _rest_of_game(steps: Sequence[Step]) -> Iterator[int]:
    """Where judging can begin in a game that started before the first step: at the end of a round, if rounds count."""
    for index, step in enumerate(steps):
        if step.game != steps[0].game:
            return
        if step.state is not None and step.state.between:
            known = VALUED.get(step.state.game)
            if known is not None and known.by_round:
                yield index
            return


def _last_judged(opening: AnyState, steps: Sequence[Step], ended: bool) -> int:
    """The index of the last entry to judge, from the game's first; 0 if nothing can be judged."""
    options = opening.options
    shown = options["coach"] != "off" and options["odds"] != "off" and options["cards"] == YES
    if opening.game not in VALUED or not shown or any(options.get(add_on) == YES for add_on in ADD_ONS):
        return 0
    if not VALUED[opening.game].by_round:
        end = next((index for index, step in enumerate(steps) if step.outcome), 0)
        return 0 if any(step.entry.verb in SEATS_CHANGE for step in steps[: end + 1]) else end
    if ended and any(VERBS[step.entry.verb].by_seat for step in steps):
        return len(steps) - 1  # the last round is either finished or void because of the next game
    ends = [index for index, step in enumerate(steps) if step.result or step.entry.verb == "misdeal"]
    return ends[-1] if ends else 0


class Judging:
    """The judging of one game, entry by entry, in its book."""

    def __init__(self, game: AnyGame, log: GameLog) -> None:
        self.game = game
        self.log = log
        self.valued: GameValues = VALUED[game.key]
        self.book = Book()
        self.found = GameLuck(game.key, self.valued.unit, self.book.accounts)

    def entries(self) -> Iterator[Entry]:
        """Replay the game, and record what each entry changed, one at a time."""
        state = self.log.opening
        if not self.valued.by_round:
            self.book.open(self.valued.opening(state))
        for n, entry in enumerate(self.log.entries[1:], 1):
            before, state = state, play(self.log.games, state, entry)
            if self.valued.by_round and before.between and not state.between:
                self.book.open(self.valued.opening(state))
            self.enter(n, before, entry, state)
            yield entry
        if self.log.cut_short and self.book.values and self.valued.by_round:
            self.book.correct(dict.fromkeys(self.book.values, 0.0))
        if self.book.values:
            self.valued.close(self.book)

    def enter(self, n: int, before: AnyState, entry: Entry, after: AnyState) -> None:
        """Record one entry."""
        if entry.verb == "rename":
            old, new = entry.args
            old = before.seats[before.find(old)].name
            self.book.rename(old, new)
            self.found.rename(old, new)
        elif not self.book.values:
            return
        elif not VERBS[entry.verb].by_seat:
            self.book.correct(self.valued.corrected(before, after, self.book.values))
        else:
            advice = self.decide(n, before, entry)
            if after.result:
                self.end_round(n, before, after, advice)
        if self.valued.by_round and after.between and self.book.values:
            self.valued.close(self.book)

    def decide(self, n: int, state: AnyState, entry: Entry) -> Advice | None:
        """Record a choice, compared with the best one; nothing if the coach has no value for it."""
        chosen = "draw" if entry.verb == "card" else str(entry._replace(seat=None))
        advice = reckon(self.game, state)
        value = advice.value(chosen) if advice else None
        if advice is None or value is None:
            return None
        worth = self.valued.worth
        better, did = worth(state, advice.better), worth(state, value)
        cost = self.book.decide(advice.turn, better, did, self.valued.receivers(state))
        if cost > 0:
            self.found.mistakes.append(Mistake(n, advice.turn, chosen, cost))
        return advice

    def end_round(self, n: int, before: AnyState, after: AnyState, advice: Advice | None) -> None:
        """Record what the last entry of a round brought each seat."""
        assert after.result is not None
        gains = self.book.end_round(self.valued.end(after))
        self.found.turns += [Turn(n, name, gain) for name, gain in gains.items()]
        if after.result.how == "pair" and advice and advice.best in ("draw", None):
            assert before.turn is not None
            risk, _expected = of_seat(self.game, past_shuffle(self.game, before), before.turn)
            if risk < SMALL_RISK:
                self.found.beats.append(Beat(n, advice.turn, -gains[advice.turn], float(risk)))


# -- an evening: all judged games, and the moments that stand out


Judged = tuple[GameLog, GameLuck]


def luck(table: Table) -> dict[str, Any] | None:
    """Luck and skill of a table, as the API shows them; None if the current game hides them."""
    if is_hidden(table):
        return None
    return report((log, log.judge()) for log in game_logs(table))


def is_hidden(table: Table) -> bool:
    """Whether the table's rules hide luck and skill."""
    options = table.state.options
    return "off" in (options["coach"], options["odds"])


def may_judge(table: Table) -> bool:
    """True if luck and skill of a game of this table can be worked out, now or when it is over."""
    started = (step.entry.args[0] for step in table.steps() if step.entry.verb == "game")
    return not is_hidden(table) and any(key in VALUED for key in started)


def report(games: Iterable[Judged]) -> dict[str, Any]:
    """The judged games as plain data, ready for JSON."""
    judged = list(games)
    return {
        "games": [
            {
                "number": log.number,
                "game": found.game,
                "unit": found.unit,
                "seats": {name: account.report() for name, account in found.accounts.items()},
            }
            for log, found in judged
        ],
        "dearest": _by_unit(judged, "mistakes", "cost", WORTH_TELLING),
        "luckiest": _by_unit(judged, "turns", "gain", {}),
        "unluckiest": _by_unit(judged, "turns", "gain", {}, sign=-1),
        "beats": _beats(judged),
    }


def _by_unit(
    judged: list[Judged], what: str, key: str, least: dict[Unit, float], sign: int = 1
) -> dict[Unit, dict[str, Any]]:
    """For each unit the moment with the largest figure, if it is large enough to mention."""
    found: dict[Unit, dict[str, Any]] = {}
    for log, game in judged:
        for moment in getattr(game, what):
            size = sign * getattr(moment, key)
            known = sign * found[game.unit][key] if game.unit in found else least.get(game.unit, 0.0)
            if size > known:
                found[game.unit] = _with_number(log, moment)
    return found


def _beats(judged: list[Judged]) -> list[dict[str, Any]]:
    """The costliest bad beats, worst first."""
    beats = [_with_number(log, beat) for log, game in judged for beat in game.beats]
    return sorted(beats, key=lambda beat: beat["cost"], reverse=True)[:MOST_BEATS]


def _with_number(log: GameLog, moment: Any) -> dict[str, Any]:
    """A moment with the number of its entry in the table's log."""
    return asdict(moment) | {"n": log.first + moment.n}
