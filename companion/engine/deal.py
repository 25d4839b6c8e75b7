"""The deal: the cards before the first turn, and how they decide who starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from .cards import VALUES

if TYPE_CHECKING:
    from .state import State

St = TypeVar("St", bound="State[Any]")


@dataclass(frozen=True, slots=True)
class Deal:
    """One step of the deal: which seats wait for a card, and the cards so far. A tie is broken in a step of its own."""

    waiting: tuple[int, ...]  # one position for each card to come, so a seat may appear twice
    cards: tuple[tuple[int, int], ...] = ()  # (seat, value), without replaced cards
    starter: int | None = None  # named by the dealer
    tied: tuple[int, ...] = ()  # the seats tied for lowest, which get one more card each
    tied_at: int | None = None  # the card they tied with

    def got(self, seat: int, value: int) -> Deal:
        """The deal after a waiting seat got its card."""
        place = self.waiting.index(seat)
        waiting = self.waiting[:place] + self.waiting[place + 1 :]
        return Deal(waiting, (*self.cards, (seat, value)), self.starter, self.tied, self.tied_at)


class DealRules(Generic[St]):
    """How most games deal: the same number of cards to each, and the lowest card starts."""

    cards_dealt: ClassVar[int] = 1  # to each seat
    replaces_pairs: ClassVar[bool] = False  # a dealt card that pairs is replaced

    def ready(self, state: St) -> St:
        """The state between rounds, with the seats that wait for the first cards."""
        return state.but(deal=Deal(self.deal_order(state) * self.cards_dealt))

    def deal_order(self, state: St) -> tuple[int, ...]:
        """The seats that are dealt to, in order."""
        return state.those_in()

    def can_be_dealt(self, state: St, deal: Deal) -> bool:
        """Whether any card left could be dealt to the next waiting seat."""
        if not deal.waiting:
            return True
        pile = state.pile
        unseen = pile.after_shuffle if pile.left > 0 or pile.can_shuffle else (0,) * 11
        stack = state.seats[deal.waiting[0]].stack if self.replaces_pairs else ()
        return any(unseen[value] and value not in stack for value in VALUES)

    def on_deal(self, state: St, seat: int | None, value: int) -> St:
        """A card is dealt. Nobody loses on the deal: where the rules say so, a card that pairs is replaced."""
        assert seat is not None
        assert state.deal is not None
        if self.replaces_pairs and value in state.seats[seat].stack:
            return state.but(pile=state.pile.draw(value).discard((value,)))
        return self.dealt(state.give(seat, value), state.deal.got(seat, value))

    def dealt(self, state: St, deal: Deal) -> St:
        """When no seat waits any more, the lowest one starts; seats tied for lowest get one more card each."""
        if deal.waiting:
            return state.but(deal=deal)
        if deal.starter is not None:
            return self.start(state, deal.starter)
        lowest = self.lowest(state, deal.cards)
        if len(lowest) == 1:
            return self.start(state, lowest[0])
        theirs = (value for seat, value in deal.cards if seat in lowest)
        return state.but(deal=Deal(lowest, tied=lowest, tied_at=min(theirs, key=lambda v: self.rank(state, v))))

    def lowest(self, state: St, cards: Iterable[tuple[int, int]]) -> tuple[int, ...]:
        """The seats tied for the lowest card of this step, in seat order."""
        ranked = [(self.rank(state, value), seat) for seat, value in cards]
        least = min(ranked)[0]
        return tuple(sorted({seat for rank, seat in ranked if rank == least}))

    def rank(self, state: St, value: int) -> int:
        """How low a card ranks when it decides who starts."""
        return value

    def start(self, state: St, seat: int) -> St:
        """The deal is done; that seat has the first turn."""
        return state.but(phase="play", turn=seat, deal=None)

    def deal_names_starter(self, state: St) -> bool:
        """Whether the cards of the deal decide who starts."""
        return True

    def may_start(self, state: St, seat: int) -> bool:
        return seat in state.those_in()

    def on_start(self, state: St, seat: int) -> St:
        """The dealer names the starter, who starts at once in a tie, else when all cards are dealt."""
        assert state.deal is not None
        if state.deal.tied:
            return self.start(state, seat)
        return state.but(deal=replace(state.deal, starter=seat))
