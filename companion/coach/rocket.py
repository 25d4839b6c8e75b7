"""Rocket: what drawing and folding are worth to a player, exactly, in parts of the bet.

The other players change nothing: the cards they will draw are as good as any. So it is a duel of two sets of values,
the player's and the dealer's, with the unseen cards minus those that the two have drawn since.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from companion.engine.cards import VALUES, Counts
from companion.games.rocket import DEATH, FOLD, RocketState

from .advice import EQUAL, Advice, Choice, Method, best_of

# With fewer cards left a shuffle in the round is likely, and the values are no longer exact.
FEWEST_CARDS = 20
FEWEST_CARDS_EACH = 4
ERROR_NEAR_A_SHUFFLE = 0.08

Worths = list[float]
Layer = dict[int, Worths]  # by one side's set: the worths over the other side's sets

# A set of values is an int with a bit for each. For every set: the sum of its values, in tenths of the bet ...
TENTHS = [sum(value for value in VALUES if bits >> value & 1) / 10 for bits in range(2 << VALUES[-1])]
# ... and what a fold is worth if these are the cards of player and dealer.
FOLDS = [-next((value for value in VALUES if bits >> value & 1), 0) / 10 for bits in range(2 << VALUES[-1])]


def advise(state: RocketState) -> Advice | None:
    """The values of drawing and folding; None for the dealer, who has no choice."""
    if state.turn is None or state.turn == state.dealer:
        return None
    seat = state.seats[state.turn]
    own, dealers = seat.stack, state.seats[state.dealer].stack
    near = is_shuffle_near(state)
    error = ERROR_NEAR_A_SHUFFLE if near else 0.0
    options = (
        Choice("draw", draw_value(state.pile.unseen, bits_of(own), bits_of(dealers)), error),
        Choice(str(FOLD), FOLDS[bits_of(own + dealers)], error),
    )
    method: Method = "estimate" if near else "exact"
    return Advice(seat.name, "bet", method, "no shuffle", options, best_of("bet", options, EQUAL))


def is_shuffle_near(state: RocketState) -> bool:
    """Whether the cards may run out in this round."""
    return state.pile.left < max(FEWEST_CARDS, FEWEST_CARDS_EACH * len(state.those_in()))


def bits_of(cards: tuple[int, ...]) -> int:
    """The values of these cards as a set."""
    return sum(1 << value for value in set(cards))


@lru_cache(maxsize=4_096)
def draw_value(unseen: Counts, own: int = 0, dealers: int = 0, folding: bool = True) -> float:
    """What drawing is worth to a player who then plays as well as possible (or, without `folding`, always draws).

    With empty stacks it is the worth of a whole round.
    """
    return Duel(unseen, own, dealers, folding).draws()[0][0]


class Duel:
    """A player against the dealer from one decision on, worked out backwards from the end, lap by lap.

    After n laps both have drawn n cards. All pairs of such sets form layer n; its rows run along the player's sets or
    along the dealer's, whichever stay the same while a card is drawn.
    """

    def __init__(self, unseen: Counts, own: int, dealers: int, folding: bool = True) -> None:
        self.unseen, self.total = unseen, sum(unseen)
        self.own, self.dealers = own, dealers
        self.folding = folding
        self.own_new = [value for value in VALUES if not own >> value & 1]
        self.dealers_new = [value for value in VALUES if not dealers >> value & 1 and value != DEATH]

    def draws(self, lap: int = 0) -> Layer:
        """What drawing is worth in a lap: by the player's set, over the dealer's sets."""
        last = min(len(self.own_new) - 1, len(self.dealers_new))
        rows = self.player_draws(last, self.dealer_draws(last, {}))
        for number in reversed(range(lap, last)):
            values = self.best_choices(number + 1, rows)
            rows = self.player_draws(number, self.dealer_draws(number, values))
        return rows

    def player_draws(self, lap: int, turns: Layer) -> Layer:
        """A pair costs its value; any other card is followed by the dealer's turn."""
        cards = self.total - 2 * lap
        along = sets_of(self.dealers_new, lap)
        weights = self.weights(along)
        rows = {}
        for drawn in sets_of(self.own_new, lap):
            stack = self.own | drawn
            lost = self.tenths(stack, drawn)
            row = [TENTHS[stack & other] - lost for other in along]
            for value in self.own_new:
                if not drawn >> value & 1:
                    row = plus(row, weights[value], turns[drawn | 1 << value])
            rows[drawn] = [worth / cards for worth in row] if cards > 0 else [0.0] * len(row)
        return rows

    def dealer_draws(self, lap: int, values: Layer) -> Layer:
        """A pair pays the player its value, and so does a 3; after any other card the player chooses again."""
        cards = self.total - 2 * lap - 1
        along = sets_of(self.own_new, lap + 1)
        weights = self.weights(along)
        rows = {}
        for drawn in sets_of(self.dealers_new, lap):
            ending = self.dealers | drawn | 1 << DEATH
            won = self.tenths(ending, drawn)
            row = [won - TENTHS[ending & other] for other in along]
            for value in self.dealers_new if values else ():
                if not drawn >> value & 1:
                    row = plus(row, weights[value], values[drawn | 1 << value])
            rows[drawn] = [worth / cards for worth in row] if cards > 0 else [0.0] * len(row)
        return turned(rows, along)

    def best_choices(self, lap: int, draws: Layer) -> Layer:
        """The better of drawing and folding: by the dealer's set, over the player's sets."""
        along = sets_of(self.dealers_new, lap)
        if self.folding:
            for drawn, row in draws.items():
                both = self.own | self.dealers | drawn
                draws[drawn] = [max(worth, FOLDS[both | other]) for worth, other in zip(row, along, strict=True)]
        return turned(draws, along)

    def tenths(self, cards: int, drawn: int) -> float:
        """The sum of the unseen cards of these values, in tenths of the bet, after some were drawn."""
        unseen = sum(self.unseen[value] * value for value in VALUES if cards >> value & 1)
        return unseen / 10 - TENTHS[drawn]

    def weights(self, sets: list[int]) -> dict[int, list[int]]:
        """For each value, how many of its cards are unseen after each of these sets was drawn."""
        return {value: [self.unseen[value] - (drawn >> value & 1) for drawn in sets] for value in VALUES}


def sets_of(values: list[int], size: int) -> list[int]:
    """All sets of `size` of these values."""
    return [sum(1 << value for value in chosen) for chosen in combinations(values, size)]


def plus(row: Worths, weights: list[int], worths: Worths) -> Worths:
    """The row plus other worths, each times its weight."""
    return [so_far + weight * worth for so_far, weight, worth in zip(row, weights, worths, strict=True)]


def turned(rows: Layer, along: list[int]) -> Layer:
    """The layer transposed: from one side's sets to the other's."""
    return {key: list(column) for key, column in zip(along, zip(*rows.values(), strict=True), strict=True)}
