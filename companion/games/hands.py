"""What Hawthorn and Pirates' Inn share: hidden hands, of which everyone first shows one chosen card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import compress
from typing import Any, ClassVar, TypeVar

from companion.engine.cards import CARDS_IN_A_DECK, VALUES
from companion.engine.game import SHUFFLE, Game
from companion.engine.notation import Entry
from companion.engine.sentence import IllegalEntry, say
from companion.engine.state import Seat, State
from companion.engine.verbs import Verb, form

PLAYS = tuple(Entry("play", (value,)) for value in range(11))  # by value, like the counts
PLAY = Verb(
    "play",
    say("Playing from the hand"),
    (form(say("plays the {value}"), value="card"),),
    by_seat=True,
    draws=True,
)


@dataclass(frozen=True, kw_only=True)
class HandSeat(Seat):
    hand: int = 0  # how many hidden cards; whose value nobody else knows


St = TypeVar("St", bound=State[Any])


class HiddenHands(Game[St]):
    """Every round the whole deck is shuffled, and each player gets a hidden hand."""

    hand: ClassVar[int]  # how many cards each gets
    whole_deck_each_round = True
    seat_type = HandSeat
    seat_of_round = {"hand": 0}

    def check_players(self, count: int, options: Mapping[str, Any]) -> None:
        """The hands must leave a card to draw."""
        super().check_players(count, options)
        if options["burn"] + count * self.hand >= CARDS_IN_A_DECK * options.get("decks", 1):
            raise IllegalEntry(
                say("Too many cards are burned: not enough are left to deal the hands. Burn fewer cards: see Options.")
            )

    def begin(self, state: St) -> St:
        state = super().begin(state).each_seat(hand=self.hand)
        return state.but(pile=state.pile.hide(self.hand * len(state.seats)))

    def first_card(self, state: St) -> bool:
        """Whether the chosen cards are being shown. If there is a tie-break, its cards come from the deck."""
        return state.deal is not None and not state.deal.tied

    def deal_choices(self, state: St) -> Iterator[Entry]:
        if not self.first_card(state):
            yield from super().deal_choices(state)
        elif state.between and state.pile.left < self.hand * len(state.seats):
            yield SHUFFLE
        else:
            yield from self.plays(state)

    def plays(self, state: St) -> Iterable[Entry]:
        return compress(PLAYS, state.pile.unseen)

    def from_hand(self, state: St, seat: int, value: int) -> St:
        """A card leaves a hand; the caller puts it somewhere."""
        left = state.seats[seat].hand - 1
        return state.seat_but(seat, hand=left).but(pile=state.pile.reveal(value))

    def dangers(self, state: St, seat: int) -> dict[str, tuple[int, ...]]:
        """The cards that would put a player out when turned up, by the player whose stack they are turned up for."""
        effects = {value: self.effect(state, seat, value) for value in VALUES}
        return {state.seats[seat].name: tuple(value for value, effect in effects.items() if effect and effect.is_bad)}

    def on_play(self, state: St, seat: int, value: int) -> St:
        """The chosen card is shown and joins its owner's stack."""
        deal = state.deal
        assert deal is not None
        state = self.from_hand(state, seat, value)
        state = state.seat_but(seat, stack=(*state.seats[seat].stack, value))
        return self.dealt(state, deal.got(seat, value))
