"""What the next card may do to a seat, where the table shows the odds."""

from __future__ import annotations

from fractions import Fraction

from companion.engine import odds
from companion.engine.game import AnyGame
from companion.engine.report import odds_shown
from companion.engine.state import AnyState
from functools import cached_property


def after_shuffle(game: AnyGame, state: AnyState) -> AnyState:
    """The state the next card will come from: where a shuffle is only due, the dealer is told to shuffle now."""
    return state.but(pile=state.pile.shuffle(state.options["burn"])) if game.shuffle_mark(state) else state


class Chances:
    """Risk and expected cost, seat by seat."""

    def __init__(self, game: AnyGame, state: AnyState) -> None:
        self.game = game
        self.state = state
        self.shown = odds_shown(state)
        self.looked = after_shuffle(game, state)

    @cached_property
    def total(self) -> int:
        """How many cards the next one may be."""
        return self.looked.pile.total

    @cached_property
    def now(self) -> tuple[Fraction, Fraction] | None:
        """Those of the player to act."""
        return None if self.state.turn is None else self.of(self.state.turn)

    def of(self, position: int) -> tuple[Fraction, Fraction] | None:
        known = self.shown and self.total and self.state.seats[position].state == "in"
        return odds.of_seat(self.game, self.looked, position) if known else None

    def risk_of(self, position: int) -> Fraction | None:
        found = self.of(position) if self.game.tells_risk(self.state) else None
        return found and found[0]

    def risk(self) -> Fraction | None:
        """The chance that one card now puts the player to act out."""
        return self.now[0] if self.now and self.game.tells_risk(self.state) else None

    def expected(self) -> Fraction | None:
        """What one card now costs the player to act, on average."""
        return self.now[1] if self.now and self.state.turn in self.game.pays_for_cards(self.state) else None

    def next_is(self, value: int) -> Fraction | None:
        """The chance that the next card has a value."""
        if not self.shown:
            return None
        kinds = self.game.kinds(odds.past_shuffle(self.game, self.looked))
        total = sum(kinds.values())
        return Fraction(kinds[str(value)], total) if total and str(value) in kinds else None
