"""Port: the points of this round that locking and drawing are worth.

Everything is worked out from the cards unseen now. Only a player's own draws are followed, because the draws of the
others change nothing on average. The others are assumed to stop where it is best for them against players who stop
where one more card would not raise their expected sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.engine.cards import VALUES, Counts
from companion.engine.odds import past_shuffle
from companion.engine.state import AnyState
from companion.games import GAMES
from companion.games.port import LOCK, PortState

from .advice import EQUAL, Advice, Choice, best_of

MARGIN = 0.1
HIGHEST_SUM = sum(VALUES)

Spread = Sequence[float]  # the chance of each final sum; a player who pairs has no sum
Ends = dict[int, Spread]  # by player
Award = Sequence[float]  # the expected award of each sum


class Stack(NamedTuple):
    """A player's cards, and those of them drawn in the calculation, as sets with a bit for each value."""

    cards: int
    drawn: int = 0

    def and_then(self, value: int) -> Stack:
        """The stack with one more card."""
        return Stack(self.cards | 1 << value, self.drawn | 1 << value)


Stops = Callable[[Stack], bool]


def advise(state: PortState) -> Advice:
    """The values of drawing and locking."""
    assert state.turn is not None
    me, players = state.turn, [i for i, seat in enumerate(state.seats) if seat.stack]
    dealt_from = past_shuffle(GAMES[state.game], state)
    draw, lock = Forecast(dealt_from, players).values(me)
    error = 0.5 if len(players) < 5 else 0.8
    options = (Choice("draw", draw, error), Choice(str(LOCK), lock, error))
    best = best_of("points", options, MARGIN)
    return Advice(state.seats[me].name, "points", "estimate", "stops", options, best)


class Forecast:
    """How the players of a round may end."""

    def __init__(self, state: AnyState, players: list[int]) -> None:
        self.unseen = Unseen(state.pile.unseen)
        self.players = players
        self.playing = [i for i in players if state.seats[i].state == "in"]
        self.stacks = {i: Stack(sum(1 << value for value in set(state.seats[i].stack))) for i in players}
        self.ends = {i: self.plain_end(state, i) for i in players}

    def plain_end(self, state: AnyState, player: int) -> Spread:
        """Final sums of a player who stops when one more card would not raise the expected sum; if locked, that sum."""
        seat = state.seats[player]
        if seat.state == "locked":
            return certain(sum(seat.stack))
        if seat.state == "out":
            return NO_SUM
        return self.unseen.spread(self.stacks[player], self.unseen.plain_stop)

    def values(self, me: int) -> tuple[float, float]:
        """What drawing and locking are worth to a player."""
        drawing = self.unseen.best_draw(self.stacks[me], self.award(me, self.best_ends(me, self.ends)))
        own = sum_of(self.stacks[me].cards)
        locked = self.ends | {me: certain(own)}
        return drawing, self.award(me, self.best_ends(me, locked))[own]

    def best_ends(self, me: int, plain: Ends) -> Ends:
        """Final sums if the others stop where it is best for them against the plain ends of all."""
        ends = dict(plain)
        for player in self.playing:
            if player != me:
                award = self.award(player, plain)
                ends[player] = self.unseen.spread(self.stacks[player], self.unseen.best_stop(award))
        return ends

    def award(self, player: int, ends: Ends) -> Award:
        """For each sum: a point for every player of the round, minus the number expected to end above it."""
        above = [sum(column) for column in zip(*(chances_above(ends[i]) for i in ends if i != player), strict=True)]
        return [len(self.players) - better for better in above]


class Unseen:
    """The unseen cards, from which each player's draws are followed separately."""

    def __init__(self, counts: Counts) -> None:
        self.counts = counts
        self.total = sum(counts)

    def count(self, stack: Stack, value: int) -> int:
        """How many cards of a value are unseen after a player's own draws."""
        return self.counts[value] - (stack.drawn >> value & 1)

    def after(self, stack: Stack) -> int:
        """How many cards are unseen after a player's own draws."""
        return self.total - stack.drawn.bit_count()

    def plain_stop(self, stack: Stack) -> bool:
        """Whether one more card would not raise the expected sum."""
        gained = lost = 0
        for value in VALUES:
            count = self.count(stack, value)
            if stack.cards >> value & 1:
                lost += count
            else:
                gained += count * value
        return gained <= sum_of(stack.cards) * lost

    def spread(self, stack: Stack, stops: Stops) -> Spread:
        """The chance of each final sum of a player who stops by a rule."""
        found = [0.0] * (HIGHEST_SUM + 1)
        reached = {stack: 1.0}
        while reached:
            longer: dict[Stack, float] = {}
            for now, chance in reached.items():
                if stops(now) or not self.after(now):
                    found[sum_of(now.cards)] += chance
                    continue
                for value in VALUES:
                    count = self.count(now, value)
                    if count and not now.cards >> value & 1:
                        then = now.and_then(value)
                        longer[then] = longer.get(then, 0.0) + chance * count / self.after(now)
            reached = longer
        return found

    def best_draw(self, stack: Stack, award: Award, known: dict[Stack, float] | None = None) -> float:
        """The expected award for drawing now and then stopping where it is best."""
        known = {} if known is None else known
        if stack not in known:
            total = 0.0
            for value in VALUES:
                count = self.count(stack, value)
                if count and not stack.cards >> value & 1:
                    then = stack.and_then(value)
                    total += count * max(award[sum_of(then.cards)], self.best_draw(then, award, known))
            known[stack] = total / self.after(stack) if self.after(stack) else 0.0
        return known[stack]

    def best_stop(self, award: Award) -> Stops:
        """The rule: lock where drawing promises no larger award. A difference by rounding does not count."""
        known: dict[Stack, float] = {}
        return lambda stack: award[sum_of(stack.cards)] >= self.best_draw(stack, award, known) - EQUAL


def sum_of(cards: int) -> int:
    """The sum of a set of values."""
    return SUMS[cards]


def certain(total: int) -> Spread:
    """The spread of a sum that is known."""
    return [float(other == total) for other in range(HIGHEST_SUM + 1)]


def chances_above(spread: Spread) -> list[float]:
    """For each sum, the chance that the final one is higher."""
    above, found = 0.0, []
    for chance in reversed(spread):
        found.append(above)
        above += chance
    return found[::-1]


NO_SUM: Spread = [0.0] * (HIGHEST_SUM + 1)
SUMS = [sum(value for value in VALUES if bits >> value & 1) for bits in range(2 << VALUES[-1])]
