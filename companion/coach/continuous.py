"""Continuous Pairs: the chance of losing, if the game goes on for six laps by a rule after each choice.

The rule: fold when one card costs more than 0.55 folds. Prices change whenever somebody scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.engine.cards import VALUES, Counts, add
from companion.engine.notation import Entry
from companion.games.pairs import FOLD, PairsState

from .advice import Advice, Choice, best_of
from .losing import ROOTS, Position, dealt_after_shuffle, position_of, table

GAME = "continuous"
FOLDS_A_CARD_MAY_COST = 0.55
LAPS = 6
PATHS_FOR_ALL_SEATS = 4096
MARGIN = 0.03
CERTAIN = 1e30

Stacks = Sequence[Sequence[int]]


def advise(state: PairsState) -> Advice | None:
    """The values of drawing and of folding for the lowest card; None with an empty stack, which must draw."""
    position = position_of(state)
    if not position.stacks[position.me]:
        return None
    error = 0.07 if len(state.seats) < 6 else 0.04
    draw, fold = chances_after(position)
    options = (Choice("draw", draw, error), Choice(str(fold_entry(state)), fold, error))
    best = best_of("lose", options, MARGIN)
    return Advice(state.seats[position.me].name, "lose", "estimate", "rule", options, best)


def fold_entry(state: PairsState) -> Entry:
    """The fold of the lowest card; where several are lowest, from the first stack to the left."""
    assert state.turn is not None
    in_play = state.in_play()
    lowest = min(in_play)
    if in_play.count(lowest) == 1:
        return FOLD
    holder = holder_of(lowest, [seat.stack for seat in state.seats], state.turn)
    return Entry("fold", (lowest, state.seats[holder].name))


def holder_of(card: int, stacks: Stacks, seat: int) -> int:
    """The first stack to a seat's left that holds a card; the seat's own comes last."""
    count = len(stacks)
    return next(other % count for other in range(seat + 1, seat + count + 1) if card in stacks[other % count])


@lru_cache(maxsize=512)
def chances_after(position: Position) -> tuple[float, float]:
    """The chance that the player to act loses after a draw and after a fold, over the same paths."""
    paths = PATHS_FOR_ALL_SEATS // len(position.needs)
    weights = weights_by_need(len(position.needs), max(position.needs))
    not_kept = add(position.shuffled, (card for stack in position.stacks for card in stack))

    def mean(fold: bool) -> float:
        ways = (Path(position, not_kept, weights).play(position.me, number, fold) for number in range(1, paths + 1))
        return sum(ways) / paths

    return mean(fold=False), mean(fold=True)


class Path:
    """One way the game may go on. It is changed in place, because a position takes tens of thousands of turns."""

    def __init__(self, position: Position, not_kept: Counts, weights: Sequence[float]) -> None:
        self.needs = list(position.needs)
        self.weights = weights
        self.weight = sum([weights[need] for need in self.needs])
        self.stacks = [list(stack) for stack in position.stacks]
        self.unseen, self.total, self.left = list(position.unseen), sum(position.unseen), position.left
        self.not_kept = list(not_kept)
        self.burn = position.burn
        self.lowest = min([min(stack, default=10) for stack in self.stacks])

    def play(self, me: int, number: int, fold: bool) -> float:
        """The chance that I lose, after six laps that begin with my draw or my fold."""
        needs, stacks = self.needs, self.stacks
        count, seat, drawn = len(needs), me, 0
        for turn in range(LAPS * count):
            if self.left <= 0:
                self.shuffle()
            if stacks[seat] and (self.rule_folds(stacks[seat], needs[seat]) if turn else fold):
                self.take_lowest(seat)
            elif self.total:
                self.draw(seat, number * ROOTS[drawn] % 1.0)
                drawn += 1
            if needs[seat] <= 0:
                return float(seat == me)
            seat = seat + 1 if seat + 1 < count else 0
        return self.weights[needs[me]] / self.weight

    def shuffle(self) -> None:
        """Shuffle everything back except the kept cards and the stacks."""
        self.unseen = list(add(tuple(self.not_kept), (card for stack in self.stacks for card in stack), -1))
        self.total = sum(self.unseen)
        self.left = dealt_after_shuffle(self.total, self.burn)

    def rule_folds(self, stack: list[int], need: int) -> bool:
        """Whether one card costs more than 0.55 folds. The cost is the increase of the seat's chance of losing."""
        weights, unseen = self.weights, self.unseen
        others = self.weight - weights[need]
        now = weights[need] / self.weight
        of_a_card = 0.0
        for card in stack:
            then = weights[need - card]
            of_a_card += unseen[card] * (then / (others + then) - now)
        then = weights[need - self.lowest]
        return of_a_card > FOLDS_A_CARD_MAY_COST * self.total * (then / (others + then) - now)

    def draw(self, seat: int, place: float) -> None:
        """Draw the card at a place from 0 to 1 among the unseen cards, laid out by value. It may pair."""
        unseen, card = self.unseen, 10
        beyond = (1.0 - place) * self.total  # counted down from the tens, because most cards are high
        while beyond > unseen[card] and card > 1:
            beyond -= unseen[card]
            card -= 1
        unseen[card] -= 1
        self.total -= 1
        self.left -= 1
        if card in self.stacks[seat]:
            self.score(seat, card)
        else:
            self.stacks[seat].append(card)
            if card < self.lowest:
                self.lowest = card

    def take_lowest(self, seat: int) -> None:
        """Fold: take the lowest card from the first stack to the left that holds it."""
        self.stacks[holder_of(self.lowest, self.stacks, seat)].remove(self.lowest)
        self.score(seat, self.lowest)

    def score(self, seat: int, card: int) -> None:
        """Add the points, keep the card, discard the seat's stack."""
        need = self.needs[seat]
        self.weight += self.weights[need - card] - self.weights[need]
        self.needs[seat] = need - card
        self.not_kept[card] -= 1
        self.stacks[seat].clear()
        self.lowest = min([min(stack) for stack in self.stacks if stack], default=10)


@lru_cache(maxsize=64)
def weights_by_need(seats: int, most: int) -> Sequence[float]:
    """The weight of each need from 0 to the largest; those below 0 are at the end, where an index of -1 finds them.

    A seat that needs no more points has lost: its weight is so large that its chance is 1.
    """
    row = table(GAME)[seats]
    return [CERTAIN, *(row.of(need) for need in range(1, most + 1)), *[CERTAIN] * len(VALUES)]
