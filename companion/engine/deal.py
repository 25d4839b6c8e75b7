"""The deal: the cards that come before the first turn, and who starts by them."""

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
    """Who waits for a card, and what this step of the deal has brought so far. A tie is a step of its own."""

    waiting: tuple[int, ...]  # a place for each card to come, so a seat may stand here twice
    cards: tuple[tuple[int, int], ...] = ()  # (seat, value), only those that count
    starter: int | None = None  # named by the dealer
    tied: tuple[int, ...] = ()  # the seats that were lowest together and get one more card each
    tied_at: int | None = None  # the card they had

    def got(self, seat: int, value: int) -> Deal:
        """That seat has a card it waited for."""
        place = self.waiting.index(seat)
        waiting = self.waiting[:place] + self.waiting[place + 1 :]
        return Deal(waiting, (*self.cards, (seat, value)), self.starter, self.tied, self.tied_at)


class DealRules(Generic[St]):
    """How most games deal: the same number of cards to each, and the lowest card starts."""

    cards_dealt: ClassVar[int] = 1  # to each seat
    replaces_pairs: ClassVar[bool] = False  # a card of the deal that pairs its owner is replaced

    def ready(self, state: St) -> St:
        """Between rounds: who will get the first cards."""
        return state.but(deal=Deal(self.deal_order(state) * self.cards_dealt))

    def deal_order(self, state: St) -> tuple[int, ...]:
        """The seats that get cards, in the order in which they wait."""
        return state.those_in()

    def can_be_dealt(self, state: St, deal: Deal) -> bool:
        """Whether some card could still serve the next seat that waits."""
        if not deal.waiting:
            return True
        pile = state.pile
        unseen = pile.after_shuffle if pile.left > 0 or pile.can_shuffle else (0,) * 11
        stack = state.seats[deal.waiting[0]].stack if self.replaces_pairs else ()
        return any(unseen[value] and value not in stack for value in VALUES)

    def on_deal(self, state: St, seat: int | None, value: int) -> St:
        """A card of the deal. Nobody loses on the deal: a pairing card is replaced where that is the rule."""
        assert seat is not None
        assert state.deal is not None
        if self.replaces_pairs and value in state.seats[seat].stack:
            return state.but(pile=state.pile.draw(value).discard((value,)))
        return self.dealt(state.give(seat, value), state.deal.got(seat, value))

    def dealt(self, state: St, deal: Deal) -> St:
        """When nobody waits any more, one seat starts, or those tied for lowest get one more card."""
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
        """How low a card counts for who starts."""
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
        """The dealer names the starter: at once in a tie, else when everybody has his cards."""
        assert state.deal is not None
        if state.deal.tied:
            return self.start(state, seat)
        return state.but(deal=replace(state.deal, starter=seat))
