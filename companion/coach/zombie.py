"""Zombie Life, last player in: what drawing and passing are worth in points, exactly.

The rule looks one card ahead. The cards that gain a point are the unseen ones of values not in the Refuge; the cards
that ruin are the unseen ones of values in both places. Draw while the first are more than the second times the cards
in the Refuge. This is best play, because the reasons to stop only grow. A card that fits both places goes into the
Refuge.
"""

from __future__ import annotations

from companion.engine.cards import VALUES, Counts
from companion.games.zombie import PASS, ZombieState

from .advice import EQUAL, Advice, Choice, best_of


def advise(state: ZombieState) -> Advice | None:
    """The values of drawing and passing."""
    if state.turn is None or not has_answer(state):
        return None
    seat = state.seats[state.turn]
    going_on = GoingOn(state.pile.total - state.pile.left)
    draw = going_on.draw(set_of(seat.stack), set_of(state.horde), state.pile.unseen)
    options = (Choice("draw", draw), Choice(str(PASS), float(len(seat.stack))))
    return Advice(seat.name, "points", "exact", "no shuffle", options, best_of("points", options, EQUAL))


def has_answer(state: ZombieState) -> bool:
    """Whether there is an answer: only for the last player in, and not while a card waits for its place."""
    return state.drawn is None and len(state.those_in()) == 1


def set_of(cards: tuple[int, ...]) -> int:
    """The values of these cards as a set, with a bit for each."""
    return sum(1 << value for value in set(cards))


class GoingOn:
    """The expected points of a player who goes on by the rule, each position worked out once."""

    def __init__(self, out_of_reach: int) -> None:
        self.out_of_reach = out_of_reach  # unseen cards that cannot be dealt: burned or lost
        self.known: dict[tuple[int, int], float] = {}  # the unseen cards follow from what was drawn

    def value(self, refuge: int, horde: int, unseen: Counts) -> float:
        """The points if the player draws as long as the rule says so, then passes."""
        if (refuge, horde) not in self.known:
            draws = sum(unseen) > self.out_of_reach and rule_draws(refuge, horde, unseen)
            passing = float(refuge.bit_count())
            self.known[refuge, horde] = self.draw(refuge, horde, unseen) if draws else passing
        return self.known[refuge, horde]

    def draw(self, refuge: int, horde: int, unseen: Counts) -> float:
        """The points after a draw: 0 if overwhelmed, else with the card in the Refuge or, where it must, the Horde."""
        points = 0.0
        for value in VALUES:
            card = 1 << value
            if unseen[value] and not refuge & horde & card:
                rest = (*unseen[:value], unseen[value] - 1, *unseen[value + 1 :])
                in_horde = bool(refuge & card)
                after = (refuge, horde | card) if in_horde else (refuge | card, horde)
                points += unseen[value] * self.value(*after, rest)
        return points / sum(unseen)


def rule_draws(refuge: int, horde: int, unseen: Counts) -> bool:
    """Whether the rule says to draw: one more card gains more than it risks."""
    gaining = sum(unseen[value] for value in VALUES if not refuge >> value & 1)
    ruining = sum(unseen[value] for value in VALUES if refuge & horde & 1 << value)
    return gaining > refuge.bit_count() * ruining
