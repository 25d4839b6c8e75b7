"""What the next card may do: its effects, the risk, the expected cost. Each is worked out once for a board."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from companion.engine import odds
from companion.engine.game import AnyGame
from companion.engine.options import YES
from companion.engine.report import odds_shown
from companion.engine.results import Effect
from companion.engine.state import AnyState


class Chances:
    """The odds of a state as a board shows them, as far as the table's rules allow."""

    def __init__(self, game: AnyGame, state: AnyState) -> None:
        self.game = game
        self.state = state
        self.shown = odds_shown(state) and state.options["cards"] == YES
        self.shuffle_mark = game.shuffle_mark(state)
        # A board asks for a shuffle even where it is only due, so the next card comes from the shuffled deck.
        shuffles = bool(self.shuffle_mark)
        self.dealt_from = state.but(pile=state.pile.shuffle(state.options["burn"])) if shuffles else state
        self.total = self.dealt_from.pile.total  # the cards that may come next

    @cached_property
    def next_seat(self) -> int | None:
        """The position of the seat that gets the next card, where that is known."""
        state = self.state
        if state.phase == "game over":
            return None
        if state.phase == "play":
            return state.turn
        return state.waiting[0] if state.waiting else None

    @cached_property
    def effects(self) -> Mapping[int, Effect]:
        """What the next card would do to its seat, by value; only the cards that have an effect."""
        return {} if self.next_seat is None else odds.effects(self.game, self.dealt_from, self.next_seat)

    @cached_property
    def now(self) -> tuple[Fraction, Fraction] | None:
        """Risk and expected cost of one card for the player to act."""
        return None if self.state.turn is None else self.of(self.state.turn)

    def of(self, position: int) -> tuple[Fraction, Fraction] | None:
        """Risk and expected cost of one card for a seat; None if it is out, or the odds are hidden."""
        if not self.shown or not self.total or self.state.seats[position].state != "in":
            return None
        if position != self.next_seat:
            return odds.of_seat(self.game, self.dealt_from, position)
        return odds.weighed(self.effects, self.dealt_from.pile)

    def risk_of(self, position: int) -> Fraction | None:
        """The chance that one card now puts a seat out."""
        found = self.of(position) if self.game.tells_risk(self.state) else None
        return found and found[0]

    def risk(self) -> Fraction | None:
        """The chance that one card now puts the player to act out."""
        return self.now[0] if self.now and self.game.tells_risk(self.state) else None

    def expected(self) -> Fraction | None:
        """What one card now costs the player to act, on average."""
        return self.now[1] if self.now and self.state.turn in self.game.pays_for_cards(self.state) else None

    def next_is(self, value: int) -> Fraction | None:
        """The chance that the next card has a value; None where it is not shown."""
        kinds = self.game.kinds(self.dealt_from) if self.shown else {}
        total = sum(kinds.values())
        return Fraction(kinds[str(value)], total) if total and str(value) in kinds else None
