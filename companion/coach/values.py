"""How the judged games (Pairs, Rocket, Blackstone) value their seats. Higher is better."""

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
    """The figures of one game that its book needs."""

    unit: Unit
    by_round: bool  # each round has its own account, else the whole game

    def opening(self, state: Any) -> Values:
        """What each seat can expect at the first card."""

    def worth(self, state: Any, value: float) -> float:
        """A value of the coach, for the player to act, in the units of the book."""

    def receivers(self, state: Any) -> Values:
        """The share of the player's mistakes that each other seat gains."""

    def end(self, state: Any) -> Values:
        """The value of each seat at the end of a round."""

    def corrected(self, before: Any, after: Any, values: Values) -> Values:
        """The values after an entry that is neither a card nor a choice."""

    def close(self, book: Book) -> None:
        """Record the results at the end."""


class PairsValues:
    """The chance of not losing, from the points."""

    unit: Unit = "lose"
    by_round = False

    def opening(self, state: PairsState) -> Values:
        """The negative chance of losing: higher is better."""
        return {name: -chance for name, chance in self.losing(state).items()}

    end = opening

    def losing(self, state: PairsState) -> Values:
        """Each seat's chance of losing the game, from the points."""
        needs = tuple(state.limit - seat.points for seat in state.seats)
        return dict(zip((seat.name for seat in state.seats), chances(state.game, needs), strict=True))

    def worth(self, state: PairsState, value: float) -> float:
        """The negative of a chance of losing."""
        return -value

    def receivers(self, state: PairsState) -> Values:
        """The others, in proportion to their chances of losing."""
        me = state.name(state.turn)
        others = {name: chance for name, chance in self.losing(state).items() if name != me}
        total = sum(others.values())
        return {name: chance / total for name, chance in others.items()}

    def corrected(self, before: PairsState, after: PairsState, values: Values) -> Values:
        """Between rounds the values follow from the points; within a round the change of points is added."""
        old, new = self.opening(before), self.opening(after)
        if after.between:
            return new
        return {name: value + (new[name] - old[name]) for name, value in values.items()}

    def close(self, book: Book) -> None:
        """`start` is the chance of losing at the opening; the result is that chance, minus 1 for the loser."""
        for name, account in book.accounts.items():
            account.result = book.values[name] - account.start
            account.start = -account.start


class RoundsValues:
    """Shared by Rocket and Blackstone: each round has its own account, in chips."""

    unit: Unit = "chips"
    by_round = True

    def end(self, state: AnyState) -> Values:
        """The chips of the round."""
        assert state.result is not None
        return {name: float(chips) for name, chips in state.result.chips.items()}

    def corrected(self, before: AnyState, after: AnyState, values: Values) -> Values:
        """A void round is worth nothing to anybody; no other correction changes what a round is worth."""
        return dict.fromkeys(values, 0.0) if after.between else values

    def close(self, book: Book) -> None:
        """The chips are the results."""
        book.close()


class RocketValues(RoundsValues):
    """Each bet loses the house edge on average; the dealer wins what the others lose."""

    def opening(self, state: RocketState) -> Values:
        """The house edge on each bet."""
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
    """Each seat has the same share of the carried chips."""

    def opening(self, state: BlackstoneState) -> Values:
        """An equal share of the carried chips, which have joined the pot."""
        return {seat.name: state.pot / len(state.seats) for seat in state.seats}

    def worth(self, state: BlackstoneState, value: float) -> float:
        """The coach's value is in chips already."""
        return value

    def receivers(self, state: BlackstoneState) -> Values:
        """The others still in, equally."""
        others = [state.seats[i].name for i in state.those_in() if i != state.turn]
        return {name: 1 / len(others) for name in others}


VALUED: dict[str, GameValues] = {"pairs": PairsValues(), "rocket": RocketValues(), "blackstone": BlackstoneValues()}
