"""Hawthorn: Pairs with a hand of five."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.ending import Ending
from companion.engine.game import SHUFFLE
from companion.engine.notation import Entry
from companion.engine.options import decks_line, number, with_value
from companion.engine.results import BEWARE_OF_PAIRS, Effect
from companion.engine.sentence import IllegalEntry, say
from companion.engine.state import POT, State
from companion.engine.verbs import by_name

from .hands import PLAY, HandSeat, HiddenHands

FOLD = Entry("fold")
HAND = 5


@dataclass(frozen=True, kw_only=True)
class HawthornState(State[HandSeat]):
    button: int | None = None
    lap: int = 0
    to_act: tuple[int, ...] = ()  # players who have not had their turn in this lap

    @property
    def source(self) -> str:
        """Where the next card comes from: the first one from the hand, ties from the deck, then by turns of a lap."""
        if self.deal is not None:
            return "deck" if self.deal.tied else "hand"
        return "deck" if self.lap % 2 else "hand"


class Hawthorn(HiddenHands[HawthornState]):
    """Five hidden cards each; laps from the deck and the hand by turns. The last one in takes the pot."""

    key = "hawthorn"
    title = say("Hawthorn")
    pitch = say("Five hidden cards")
    players = range(2, 9)
    state_type = HawthornState
    hand = HAND
    has_pot = True
    card_words = BEWARE_OF_PAIRS
    own_options = {
        "decks": number(say("Decks, two for 7 or 8 players"), decks_line, 1, 1, 2),
        "ante": number(say("Ante"), with_value(say("ante {value}")), 1, 0, 100_000),
    }
    endings = {"last in": Ending(say("last one in"), say("last one in takes the pot"))}
    own_verbs = by_name(PLAY)

    def check_players(self, count: int, options: Mapping[str, Any]) -> None:
        """Seven and eight need two decks."""
        super().check_players(count, options)
        if count > 6 and options["decks"] == 1:
            raise IllegalEntry(say("Hawthorn for 7 or 8 players needs two decks: set decks to 2."))

    def options_for(self, count: int) -> Mapping[str, str]:
        return {"decks": "2"} if count > 6 else {}

    # -- the deal: five hidden cards; each reveals one, the lowest starts and gets the button

    # Ties as in Pairs, with cards from the deck.
    replaces_pairs = True

    def shuffle_mark(self, state: HawthornState) -> str | None:
        return "needed" if SHUFFLE in self.legal(state) else super().shuffle_mark(state)

    def start(self, state: HawthornState, seat: int) -> HawthornState:
        return self.next_lap(super().start(state, seat).but(button=seat))

    # -- a lap: draw from the deck, or play from the hand, or fold

    def next_lap(self, state: HawthornState) -> HawthornState:
        """Laps start at the button."""
        assert state.button is not None
        order = tuple([i for i in state.round_from(state.button) if state.seats[i].state == "in"])
        return state.but(lap=state.lap + 1, turn=order[0], to_act=order)

    def choices(self, state: HawthornState) -> Iterator[Entry]:
        assert state.turn is not None
        if state.source == "deck":
            yield from self.draws(state)
        elif state.seats[state.turn].hand:
            yield from self.plays(state)
        yield FOLD

    def effect(self, state: HawthornState, seat: int, value: int) -> Effect | None:
        """A pair costs its value."""
        return Effect("out", value) if state.phase == "play" and value in state.seats[seat].stack else None

    def tells_risk(self, state: HawthornState) -> bool:
        return state.phase != "play" or state.source == "deck"

    def pays_for_cards(self, state: HawthornState) -> tuple[int, ...]:
        return state.those_in()

    def on_play(self, state: HawthornState, seat: int, value: int) -> HawthornState:
        """A card from the hand: the first one, or one in a hand lap, where a pair costs its value."""
        if state.deal is not None:
            return super().on_play(state, seat, value)
        paired = self.effect(state, seat, value)
        state = self.from_hand(state, seat, value)
        state = state.seat_but(seat, stack=(*state.seats[seat].stack, value))
        return self.placed(state, seat, value, paired)

    def on_card(self, state: HawthornState, seat: int, value: int) -> HawthornState:
        paired = self.effect(state, seat, value)
        return self.placed(state.give(seat, value), seat, value, paired)

    def placed(self, state: HawthornState, seat: int, value: int, paired: Effect | None) -> HawthornState:
        if paired is None:
            return self.next_turn(state, seat)
        state = state.pay(seat, POT, paired.amount, say("a pair of {value}s", value=value))
        return self.goes_out(state.seat_but(seat, state="out"), seat)

    def on_fold(self, state: HawthornState, seat: int) -> HawthornState:
        state = state.pay(seat, POT, self.fold_price(state), say("folded"))
        return self.goes_out(state.seat_but(seat, state="folded"), seat)

    def fold_price(self, state: HawthornState) -> int:
        """The lowest card visible among the players still in."""
        return min(value for i in state.those_in() for value in state.seats[i].stack)

    def goes_out(self, state: HawthornState, seat: int) -> HawthornState:
        """The last player in takes the pot at once. The button moves on when the player with it goes out."""
        remaining = state.those_in()
        if len(remaining) == 1:
            state, share = self.share_pot(state, remaining)
            result = self.result(state, "last in", remaining[0], winners=remaining, share=share)
            return self.finish(state, result)
        if seat == state.button:
            state = state.but(button=state.next_in(seat))
        return self.next_turn(state, seat)

    def next_turn(self, state: HawthornState, seat: int) -> HawthornState:
        to_act = tuple([i for i in state.to_act if i != seat])
        return state.but(turn=to_act[0], to_act=to_act) if to_act else self.next_lap(state)

    def clear(self, state: HawthornState) -> HawthornState:
        return super().clear(state).but(button=None, lap=0, to_act=())

    # -- what the screen shows

    def prices(self, state: HawthornState) -> dict[str, int]:
        return {"fold": self.fold_price(state)} if state.phase == "play" else {}

    def own_keys(self, state: HawthornState) -> dict[str, Any]:
        if state.phase != "play":
            return {"button": None, "source": state.source}
        return {"button": state.name(state.button), "lap": state.lap, "source": state.source}
