"""Rounds that end with one card, which a player scores and keeps; also the endless round, and points without cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from .cards import VALUES
from .game import Game
from .options import YES
from .sentence import IllegalEntry, say
from .state import State

St = TypeVar("St", bound=State[Any])
Stacks = Mapping[str, tuple[int, ...]]


class CardScored(Game[St]):
    """A round ends as soon as a player scores a card, which stays out of the deck until the game ends."""

    scores_points = True

    def score_card(self, state: St, how: str, seat: int, value: int, holder: int) -> St:
        """A seat scores and keeps a card out of the holder's stack."""
        stacks = state.stacks()
        return self.end_round(state.keep(seat, value, holder), how, seat, value, stacks)

    def end_round(self, state: St, how: str, seat: int, value: int, stacks: Stacks) -> St:
        """The round is over, with `stacks` as they were before the card was kept."""
        return self.finish(state, self.result(state, how, seat, value, points={seat: value}, stacks=stacks))

    def next_turn(self, state: St, seat: int) -> St:
        """The player to the left has the next turn."""
        return state.but(turn=state.next_in(seat))

    def holder(self, state: St, value: int) -> int:
        """The first seat with a card of that value in its stack."""
        return next(i for i, seat in enumerate(state.seats) if value in seat.stack)

    # -- points without cards, and corrections

    def on_score(self, state: St, seat: int, points: int) -> St:
        """A player took these points: the round ends, and a card of that value is kept if a copy is left."""
        if points not in VALUES:
            raise IllegalEntry(say("A round is worth 1 to 10 points."))
        if state.phase == "game over":
            raise IllegalEntry(say("The game is over: start the next one."))
        if state.between and state.phase != "play":
            state = self.begin(state)
        stacks = state.stacks()
        return self.end_round(self.keep_a_copy(state, seat, points), "scored", seat, points, stacks)

    def keep_a_copy(self, state: St, seat: int, value: int) -> St:
        """A card of that value is kept: from the unseen ones, else from a stack, else from the discards."""
        pile = state.pile
        if pile.unseen[value]:
            return state.but(pile=pile.surface(value)).seat_but(seat, kept=(*state.seats[seat].kept, value))
        if value in state.in_play():
            return state.keep(seat, value, self.holder(state, value))
        if pile.discards[value]:
            return state.but(pile=pile.pick_up(value)).seat_but(seat, kept=(*state.seats[seat].kept, value))
        return state

    def on_points(self, state: St, seat: int, points: int) -> St:
        """The limit or goal is checked at once, even in the middle of a round."""
        if state.phase == "game over":
            raise IllegalEntry(say("The game is over: correct an entry, or start the next game."))
        state = state.seat_but(seat, points=points)
        target = self.target(state)
        if target is None or points < target:
            return state
        return self.conclude(self.clear(state))


class Endless(CardScored[St]):
    """One endless round: only the stack of the player who scored goes, and play goes on to the left."""

    def end_round(self, state: St, how: str, seat: int, value: int, stacks: Stacks) -> St:
        """Only this player's stack is discarded. It counts as a round, and seats may change after it."""
        result = self.result(state, how, seat, value, points={seat: value}, stacks=stacks)
        under_way = state.phase == "play" or state.options["cards"] != YES
        state = state.discard_stacks((seat,)).seat_but(seat, points=state.seats[seat].points + value)
        state = state.but(phase="play" if under_way else "deal", between=True, round=state.round + 1)
        state = self.conclude(state)
        if state.phase == "game over":
            return self.clear(state).but(result=result, round=result.round)
        if state.turn is not None:
            state = self.next_turn(state, seat)
        return state.but(result=result.followed_by(state.name(state.turn)))

    def on_score(self, state: St, seat: int, points: int) -> St:
        if state.phase == "deal" and not state.between:
            raise IllegalEntry(say("Finish the deal first."))
        return super().on_score(state, seat, points)
