"""Who pays whom when a game of Pairs is lost: forfeit, and seven ways to settle in chips."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.engine.sentence import InvalidEntry, Sentence, say

DEFAULT_SUM = 6

Points = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Owed:
    """The chips that the loser pays to each player, or as one prize shared by the lowest."""

    each: Mapping[str, int]
    prize: int = 0
    shared_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scores:
    """The points at the end, with the loser apart from the others."""

    loser: str
    lost: int
    others: Points

    @property
    def least(self) -> int:
        return min(self.others.values())

    @property
    def lowest(self) -> tuple[str, ...]:
        return tuple(name for name, points in self.others.items() if points == self.least)


def forfeit(scores: Scores, sum_: int) -> Owed:
    """Nothing in chips: the loser owes a forfeit."""
    return Owed({})


def downspear(scores: Scores, sum_: int) -> Owed:
    """1 to each other player."""
    return Owed(dict.fromkeys(scores.others, 1))


def norland(scores: Scores, sum_: int) -> Owed:
    """1 to each of the lowest."""
    return Owed(dict.fromkeys(scores.lowest, 1))


def cutchfeld(scores: Scores, sum_: int) -> Owed:
    """The loser's points, shared by the lowest."""
    return Owed({}, scores.lost, scores.lowest)


def tacoma(scores: Scores, sum_: int) -> Owed:
    """A fixed sum, shared by the lowest."""
    return Owed({}, sum_, scores.lowest)


def olympia(scores: Scores, sum_: int) -> Owed:
    """The difference to the lowest score, shared by the lowest."""
    return Owed({}, scores.lost - scores.least, scores.lowest)


def portland(scores: Scores, sum_: int) -> Owed:
    """To each other player the difference to their points."""
    return Owed({name: scores.lost - points for name, points in scores.others.items()})


STAKES: dict[str, Callable[[Scores, int], Owed]] = {
    "forfeit": forfeit,
    "downspear": downspear,
    "seattle": downspear,  # the same stakes under their later name
    "norland": norland,
    "cutchfeld": cutchfeld,
    "tacoma": tacoma,
    "olympia": olympia,
    "portland": portland,
}
STAKES_TITLES: dict[str, Sentence] = {
    "forfeit": say("Forfeit"),
    "downspear": say("Downspear"),
    "seattle": say("Seattle"),
    "norland": say("Norland"),
    "cutchfeld": say("Cutchfeld"),
    "tacoma": say("Tacoma"),
    "olympia": say("Olympia"),
    "portland": say("Portland"),
}
# What the loser pays, for players who do not know the stakes by the names of cities.
STAKES_WORDS: dict[str, Sentence] = {
    "forfeit": say("the loser owes a forfeit"),
    "tacoma": say("the loser pays a fixed sum to the lowest · Tacoma"),
    "downspear": say("the loser pays 1 to each · Downspear, Seattle"),
    "norland": say("the loser pays 1 to each of the lowest · Norland"),
    "cutchfeld": say("the loser pays their points to the lowest · Cutchfeld"),
    "olympia": say("the loser pays the difference to the lowest · Olympia"),
    "portland": say("the loser pays each the difference · Portland"),
}
SAME_STAKES = {"seattle": "downspear"}  # two names for the same stakes


def owed_under(stakes: str, points: Points, loser: str, sum_: int = DEFAULT_SUM) -> Owed:
    """What the loser owes under these stakes."""
    others = {name: value for name, value in points.items() if name != loser}
    return STAKES[stakes](Scores(loser, points[loser], others), sum_)


def chips_after(stakes: str, points: Points, carried: int = 0, sum_: int = DEFAULT_SUM) -> tuple[dict[str, int], int]:
    """The change in chips for each player, and the chips carried over. The loser has the most points."""
    most = max(points.values())
    losers = [name for name, value in points.items() if value == most]
    if len(losers) > 1:
        raise InvalidEntry(say("Two players have the most points: who lost?"))
    owed = owed_under(stakes, points, losers[0], sum_)
    chips = dict.fromkeys(points, 0)
    for name, amount in owed.each.items():
        chips[name] += amount
        chips[losers[0]] -= amount
    if owed.shared_by:
        share, rest = divmod(owed.prize + carried, len(owed.shared_by))
        for name in owed.shared_by:
            chips[name] += share
        chips[losers[0]] -= owed.prize
        carried = rest
    return chips, carried
