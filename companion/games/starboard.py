"""Starboard: bets on a common hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.engine.ending import Ending
from companion.engine.game import Game
from companion.engine.notation import Entry
from companion.engine.options import choice, number, with_value
from companion.engine.results import BEWARE_OF_PAIRS, Effect
from companion.engine.sentence import Sentence, say
from companion.engine.state import POT, Seat, State

LOCK = Entry("lock")
PRICE_OF_A_CARD = 1


@dataclass(frozen=True, kw_only=True)
class StarboardSeat(Seat):
    locked_at: int | None = None
    beaten_at: int | None = None  # locked with so many cards, and beaten by a longer lock


@dataclass(frozen=True, kw_only=True)
class StarboardState(State[StarboardSeat]):
    POSITIONS = ("turn", "button")

    button: int = 0
    common: tuple[int, ...] = ()

    def on_the_table(self) -> tuple[int, ...]:
        return self.common


class Starboard(Game[StarboardState]):
    """Pay to lengthen a hand all share, and lock while it is longest."""

    key = "starboard"
    title = say("Starboard")
    pitch = say("One hand, one pot")
    players = range(2, 8)
    state_type = StarboardState
    seat_type = StarboardSeat
    seat_of_round = {"locked_at": None, "beaten_at": None}
    has_pot = True
    card_words = BEWARE_OF_PAIRS
    own_options = {
        "ante": number(say("Ante"), with_value(say("ante {value}")), 1, 0, 100_000),
        "locks": choice(
            say("A lock is beaten by"),
            "lock",
            {"lock": say("a longer lock"), "draw": say("any longer hand")},
            {"draw": say("locks beaten by any longer hand")},
        ),
    }
    endings = {"locked": Ending(say("all locked or out"), say("locked with the most cards"))}

    # -- the deal: two common cards; if they pair, the second is replaced

    def deal_order(self, state: StarboardState) -> tuple[int, ...]:
        return ()

    def deal_names_starter(self, state: StarboardState) -> bool:
        return False

    def on_deal(self, state: StarboardState, seat: int | None, value: int) -> StarboardState:
        pile = state.pile.draw(value)
        if value in state.common:
            return state.but(pile=pile.discard((value,)))
        state = state.but(pile=pile, common=(*state.common, value))
        return self.start(state, state.button) if len(state.common) == 2 else state

    # -- the turn: draw or lock

    def choices(self, state: StarboardState) -> Iterator[Entry]:
        """When all others are out, the last player must lock; if another has locked, drawing is still allowed."""
        others = [seat.state for i, seat in enumerate(state.seats) if i != state.turn]
        if others.count("out") < len(others):
            yield from self.draws(state)
        yield LOCK

    def effect(self, state: StarboardState, seat: int, value: int) -> Effect | None:
        return Effect("out") if state.phase == "play" and value in state.common else None

    def on_card(self, state: StarboardState, seat: int, value: int) -> StarboardState:
        """A card costs 1. If it pairs, both cards are discarded, and the drawer is out."""
        paired = self.effect(state, seat, value)
        state = state.pay(seat, POT, PRICE_OF_A_CARD, say("a card"))
        pile = state.pile.draw(value)
        if paired:
            rest = tuple(card for card in state.common if card != value)
            state = state.but(common=rest, pile=pile.discard((value, value)))
            return self.go_on(state.seat_but(seat, state="out"), seat)
        state = state.but(common=(*state.common, value), pile=pile)
        if state.options["locks"] == "draw":
            state = self.kill_shorter_locks(state)
        return self.go_on(state, seat)

    def on_lock(self, state: StarboardState, seat: int) -> StarboardState:
        """A lock shorter than an earlier one is out at once; a longer lock puts the shorter ones out."""
        length = len(state.common)
        if length < self.longest_lock(state):
            return self.go_on(state.seat_but(seat, state="out", beaten_at=length), seat)
        state = self.kill_shorter_locks(state)
        return self.go_on(state.seat_but(seat, state="locked", locked_at=length), seat)

    def longest_lock(self, state: StarboardState) -> int:
        """The length at which somebody is locked; 0 if nobody is."""
        return max((seat.locked_at or 0 for seat in state.seats), default=0)

    def kill_shorter_locks(self, state: StarboardState) -> StarboardState:
        length = len(state.common)
        for position, seat in enumerate(state.seats):
            if seat.locked_at is not None and seat.locked_at < length:
                state = state.seat_but(position, state="out", locked_at=None, beaten_at=seat.locked_at)
        return state

    def go_on(self, state: StarboardState, seat: int) -> StarboardState:
        """When all are locked or out, those locked (with the most cards) share the pot."""
        if state.those_in():
            return state.but(turn=state.next_in(seat))
        winners = tuple(i for i, other in enumerate(state.seats) if other.state == "locked")
        state, share = self.share_pot(state, winners)
        who = winners[0] if len(winners) == 1 else None
        return self.finish(state, self.result(state, "locked", who, winners=winners, share=share))

    # -- the button moves left each round

    def pass_on(self, state: StarboardState) -> StarboardState:
        return state.but(button=(state.button + 1) % len(state.seats))

    def next_first(self, state: StarboardState) -> int:
        return state.button

    def on_button(self, state: StarboardState, seat: int) -> StarboardState:
        return state.but(button=seat)

    def clear(self, state: StarboardState) -> StarboardState:
        state = super().clear(state)
        return state.but(common=(), pile=state.pile.discard(state.common))

    # -- what the screen shows

    def prices(self, state: StarboardState) -> dict[str, int]:
        drawing = state.phase == "play" and any(entry != LOCK for entry in self.legal(state))
        return {"draw": PRICE_OF_A_CARD} if drawing else {}

    def fate(self, state: StarboardState, position: int) -> Sentence | None:
        seat = state.seats[position]
        if seat.locked_at is not None:
            return say("locked at {count}", count=seat.locked_at)
        if seat.beaten_at is not None:
            return say("beaten at {count}", count=seat.beaten_at)
        return say("paired") if seat.state == "out" else None

    def own_seat_keys(self, state: StarboardState, position: int) -> dict[str, Any]:
        return {"locked_at": state.seats[position].locked_at}

    def own_keys(self, state: StarboardState) -> dict[str, Any]:
        return {"button": state.name(state.button), "common": list(state.common)}
