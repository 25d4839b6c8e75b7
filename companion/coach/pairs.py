"""Pairs: the chance of losing the game after a draw and after a fold, if everybody then plays by the rule.

The rule: fold when one card costs more than one and a half folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.engine.cards import VALUES
from companion.games.pairs import PairsState, limit_for

from .advice import Advice, Choice, best_of
from .losing import ROOTS, Position, dealt_after_shuffle, losses, position_of, prices

GAME = "pairs"
FOLDS_A_CARD_MAY_COST = 1.5
PATHS = 512
LEAST_WEIGHT = 0.01  # of a path worth following
MARGIN = 0.01

Table = Sequence[Sequence[float]]  # by seat, then by value


def advise(state: PairsState) -> Advice:
    """The values of drawing and folding."""
    position = position_of(state)
    error = error_of(state)
    options = (
        Choice("draw", chance_after_draw(position), error),
        Choice("fold", chance_after_fold(position), error),
    )
    best = best_of("lose", options, MARGIN)
    return Advice(state.seats[position.me].name, "lose", "estimate", "rule", options, best)


def error_of(state: PairsState) -> float:
    """The error of the estimate, found by playing positions out. The weights were made for the printed limits."""
    seats = len(state.seats)
    if state.limit != limit_for(seats):
        return 0.05
    return 0.02 if seats < 5 else 0.03


def chance_after_fold(position: Position) -> float:
    """The chance of losing after taking the lowest card in play, which ends the round."""
    lowest = min(card for stack in position.stacks for card in stack)
    return losses(GAME, position.needs, position.me)[position.me][lowest]


@lru_cache(maxsize=2_048)
def chance_after_draw(position: Position) -> float:
    """The chance of losing after one draw, if then everybody plays the round out by the rule."""
    # By seat and value: my chance of losing after it, and what it costs the seat itself.
    lost = losses(GAME, position.needs, position.me)
    cost = [prices(GAME, position.needs, seat) for seat in range(len(position.needs))]
    return sum(_path(position, lost, cost, number) for number in range(1, PATHS + 1)) / PATHS


def _path(position: Position, lost: Table, cost: Table, number: int) -> float:
    """The chance of losing on one path of the round: it follows cards that do not pair, and weighs the pairs in."""
    unseen, left, shuffled = list(position.unseen), position.left, list(position.shuffled)
    total = sum(unseen)
    stacks = [set(stack) for stack in position.stacks]
    lowest = min(map(min, stacks))
    weight, value, seat = 1.0, 0.0, position.me
    for step, root in enumerate(ROOTS):
        if left <= 0:
            unseen, total = shuffled[:], sum(shuffled)
            left = dealt_after_shuffle(total, position.burn)
        stack, mine = stacks[seat], lost[seat]
        pairs = sum(unseen[card] for card in stack)
        if total == 0 or weight < LEAST_WEIGHT or (step and _folds(unseen, total, stack, cost[seat], lowest)):
            return value + weight * mine[lowest]
        value += weight * sum(unseen[card] * mine[card] for card in stack) / total
        if pairs == total:
            return value
        weight *= (total - pairs) / total
        card = _card_at(number * root % 1.0 * (total - pairs), unseen, stack)
        unseen[card] -= 1
        shuffled[card] -= 1
        stack.add(card)
        total, left, lowest = total - 1, left - 1, min(lowest, card)
        seat = (seat + 1) % len(stacks)
    return value


def _folds(unseen: list[int], total: int, stack: set[int], cost: Sequence[float], lowest: int) -> bool:
    """Whether the rule says to fold."""
    of_a_card = sum(unseen[card] * cost[card] for card in stack)
    return of_a_card > FOLDS_A_CARD_MAY_COST * total * cost[lowest]


def _card_at(place: float, unseen: list[int], stack: set[int]) -> int:
    """The card at a place among the unseen cards that do not pair, laid out by value."""
    card = 0
    for card in VALUES:
        if card not in stack:
            place -= unseen[card]
            if place < 0:
                break
    return card
