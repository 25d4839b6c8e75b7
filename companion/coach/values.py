"""How each game that is judged values its seats: Pairs, Rocket and Blackstone. High is good."""

from __future__ import annotations

from typing import Any, Protocol

from companion.engine.state import AnyState
from companion.games.blackstone import BlackstoneState
from companion.games.pairs import PairsState
from companion.games.rocket import RocketState

from .accounts import Book, Values
from .advice import Unit
from .cards import rocket_card
from .losing import chances


class GameValues(Protocol):
    """What the book of a game asks of the game."""

    unit: Unit
    by_round: bool  # every round is a story of its own, else the game is

    def opening(self, state: Any) -> Values:
        """What every seat can expect at the first card."""

    def worth(self, state: Any, value: float) -> float:
        """A value of the coach, for the player to act, as the book counts."""

    def receivers(self, state: Any) -> Values:
        """Who gains what the player to act gives away, and which part of it."""

    def end(self, state: Any) -> Values:
        """What every seat has when a round is over."""

    def corrected(self, before: Any, after: Any, values: Values) -> Values:
        """The values after an entry that is neither a card nor a choice."""

    def close(self, book: Book) -> None:
        """The story is over: write down its results."""


class PairsValues:
    """The chance of not losing, by the points."""

    unit: Unit = "lose"
    by_round = False

    def opening(self, state: PairsState) -> Values:
        """The chance of losing, with the sign turned: high is good."""
        return {name: -chance for name, chance in self.losing(state).items()}

    end = opening

    def losing(self, state: PairsState) -> Values:
        """Every seat's chance of losing the game, from the points."""
        needs = tuple(state.limit - seat.points for seat in state.seats)
        return dict(zip((seat.name for seat in state.seats), chances(state.game, needs), strict=True))

    def worth(self, state: PairsState, value: float) -> float:
        """A chance of losing, with the sign turned."""
        return -value

    def receivers(self, state: PairsState) -> Values:
        """In proportion to their chances of losing."""
        me = state.name(state.turn)
        others = {name: chance for name, chance in self.losing(state).items() if name != me}
        total = sum(others.values())
        return {name: chance / total for name, chance in others.items()}

    def corrected(self, before: PairsState, after: PairsState, values: Values) -> Values:
        """Between rounds the points tell everything; in a round only what they changed is new."""
        old, new = self.opening(before), self.opening(after)
        if after.between:
            return new
        return {name: value + (new[name] - old[name]) for name, value in values.items()}

    def close(self, book: Book) -> None:
        """`start` is the chance of losing at the opening; the result is that chance, less 1 for who lost."""
        for name, account in book.accounts.items():
            account.result = book.values[name] - account.start
            account.start = -account.start


class RoundsValues:
    """What Rocket and Blackstone share: every round is a story of its own, and counts in chips."""

    unit: Unit = "chips"
    by_round = True

    def end(self, state: AnyState) -> Values:
        """The chips of the round."""
        assert state.result is not None
        return {name: float(chips) for name, chips in state.result.chips.items()}

    def corrected(self, before: AnyState, after: AnyState, values: Values) -> Values:
        """A round made void is worth nothing to anybody; nothing else changes what a round is worth."""
        return dict.fromkeys(values, 0.0) if after.between else values

    def close(self, book: Book) -> None:
        """The chips are the results."""
        book.close()


class RocketValues(RoundsValues):
    """Each bet loses the house's edge on average; the dealer wins what the others lose."""

    def opening(self, state: RocketState) -> Values:
        """The edge of the bets."""
        edge = rocket_card().edges[state.options["decks"] - 1].best_play
        players = state.players()
        values = {seat.name: -edge * seat.bet if i in players else 0.0 for i, seat in enumerate(state.seats)}
        return values | {state.seats[state.dealer].name: -sum(values.values())}

    def worth(self, state: RocketState, value: float) -> float:
        """Parts of the bet as chips."""
        assert state.turn is not None
        return value * state.seats[state.turn].bet

    def receivers(self, state: RocketState) -> Values:
        """The dealer gains it all."""
        return {state.seats[state.dealer].name: 1.0}


class BlackstoneValues(RoundsValues):
    """Everybody has the same part in what was carried on."""

    def opening(self, state: BlackstoneState) -> Values:
        """The carried chips, which have joined the pot, shared."""
        return {seat.name: state.pot / len(state.seats) for seat in state.seats}

    def worth(self, state: BlackstoneState, value: float) -> float:
        """Chips are chips."""
        return value

    def receivers(self, state: BlackstoneState) -> Values:
        """The others still in, equally."""
        others = [state.seats[i].name for i in state.those_in() if i != state.turn]
        return {name: 1 / len(others) for name in others}


VALUED: dict[str, GameValues] = {"pairs": PairsValues(), "rocket": RocketValues(), "blackstone": BlackstoneValues()}
