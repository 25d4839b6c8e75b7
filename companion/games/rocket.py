"""Rocket: everybody against the dealer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.cards import CARDS_IN_A_DECK
from companion.engine.ending import Ending
from companion.engine.game import SHUFFLE, Game
from companion.engine.notation import Entry
from companion.engine.options import YES, decks_line, number, switch, with_value
from companion.engine.results import BEWARE_OF_PAIRS, Effect
from companion.engine.sentence import IllegalEntry, InvalidEntry, Sentence, say
from companion.engine.state import Seat, State
from companion.engine.verbs import Verb, by_name, form

FOLD = Entry("fold")
DEATH = 3


def payout(bet: int, value: int) -> int:
    """A tenth of the bet for each point of the card."""
    return bet // 10 * value


@dataclass(frozen=True, kw_only=True)
class RocketSeat(Seat):
    bet: int = 0


@dataclass(frozen=True, kw_only=True)
class RocketState(State[RocketSeat]):
    POSITIONS = ("turn", "dealer")
    LAST_POSITIONS = ("button",)

    dealer: int = 0
    button: int | None = None  # in the last round, if the table plays with one
    first: int | None = None  # the seat that starts each lap of this round

    def players(self) -> tuple[int, ...]:
        """The seats still in, without the dealer."""
        return tuple([i for i in self.those_in() if i != self.dealer])


class Rocket(Game[RocketState]):
    """Each player bets against the dealer, who must always draw and dies on a 3."""

    key = "rocket"
    title = say("Rocket")
    pitch = say("Everyone against the dealer")
    players = range(2, 8)
    state_type = RocketState
    seat_type = RocketSeat
    card_words = BEWARE_OF_PAIRS
    own_options = {
        "decks": number(say("Decks"), decks_line, 1, 1, 8),
        "bet": number(say("First bet"), with_value(say("first bet {value}")), 10, 0, 100_000, step=10),
        "max": number(
            say("Maximum bet"), with_value(say("max {value}")), None, 10, 100_000, step=10, unset=say("none")
        ),
        "button": switch(say("Button: lowest starts"), say("with a button")),
    }
    endings = {
        "dealer 3": Ending(say("the dealer’s 3")),
        "dealer pair": Ending(say("the dealer’s pair"), say("the dealer’s pair of {value}s")),
        "all out": Ending(say("all out"), say("everybody is out")),
    }
    own_verbs = by_name(
        Verb("bet", say("Betting"), (form(say("{name} bets {number}"), name="name", number="natural"),))
    )

    # -- before the deal: bets, and who deals

    def first_fields(self, count: int, options: Mapping[str, Any]) -> dict[str, Any]:
        if options["bet"] > options.get("max", options["bet"]):
            raise InvalidEntry(say("The first bet is above the maximum bet."))
        return {}

    def seat_for(self, person: Seat, options: Mapping[str, Any]) -> RocketSeat:
        seat = super().seat_for(person, options)
        assert isinstance(seat, RocketSeat)
        return seat if seat is person else seat.but(bet=options["bet"])

    def on_bet(self, state: RocketState, seat: int, bet: int) -> RocketState:
        """A multiple of ten up to the table's maximum. It stays until it is changed; 0 means sitting out."""
        if bet % 10:
            raise IllegalEntry(say("A bet is a multiple of 10."))
        if bet > state.options.get("max", bet):
            raise IllegalEntry(say("The maximum bet is {most}.", most=state.options["max"]))
        return state.seat_but(seat, bet=bet)

    def on_dealer(self, state: RocketState, seat: int) -> RocketState:
        return state.but(dealer=seat)

    def on_button(self, state: RocketState, seat: int) -> RocketState:
        if state.options["button"] != YES:
            raise IllegalEntry(say("This table plays without a button."))
        return state.but(button=seat)

    def ready(self, state: RocketState) -> RocketState:
        for position, seat in enumerate(state.seats):
            standing = "in" if seat.bet > 0 or position == state.dealer else "out"
            if seat.state != standing:
                state = state.seat_but(position, state=standing)
        return super().ready(state)

    # -- the deal: from the dealer's left, the dealer last

    def deal_order(self, state: RocketState) -> tuple[int, ...]:
        order = state.round_from(state.dealer + 1)
        return tuple(i for i in order if state.seats[i].state == "in") if state.players() else ()

    def deal_choices(self, state: RocketState) -> Iterator[Entry]:
        if state.waiting:
            yield from self.draws(state)
            if self.shuffle_is_due(state):
                yield SHUFFLE

    def refusal(self, state: RocketState, entry: Entry) -> Sentence:
        if state.phase in ("deal", "round over") and not state.waiting:
            return say("Nobody has bet.")
        return super().refusal(state, entry)

    def shuffle_is_due(self, state: RocketState) -> bool:
        """A fifth of the shoe or less is left: the table shuffles before the next deal."""
        fifth = CARDS_IN_A_DECK * state.pile.decks // 5
        return state.between and 0 < state.pile.left <= fifth

    def shuffle_mark(self, state: RocketState) -> str | None:
        due = state.options["cards"] == YES and self.shuffle_is_due(state)
        return "due" if due else super().shuffle_mark(state)

    def on_deal(self, state: RocketState, seat: int | None, value: int) -> RocketState:
        if seat == state.dealer and value == DEATH:
            return self.dealer_loses(state.give(seat, value), "dealer 3", value)
        return super().on_deal(state, seat, value)

    def lowest(self, state: RocketState, cards: Iterable[tuple[int, int]]) -> tuple[int, ...]:
        """The dealer's left starts; with a button the lowest card, ties going left of the last button."""
        if state.options["button"] != YES:
            return (self.lap(state, state.dealer + 1)[0],)
        tied = super().lowest(state, [(seat, value) for seat, value in cards if seat != state.dealer])
        last = state.dealer if state.button is None else state.button
        return (next(i for i in state.round_from(last + 1) if i in tied),)

    def deal_names_starter(self, state: RocketState) -> bool:
        return bool(state.options["button"] == YES)

    def may_start(self, state: RocketState, seat: int) -> bool:
        return seat in state.players()

    def start(self, state: RocketState, seat: int) -> RocketState:
        return super().start(state, seat).but(first=seat)

    # -- a lap: every player still in, then the dealer

    def lap(self, state: RocketState, first: int) -> list[int]:
        playing = state.players()
        return [*(i for i in state.round_from(first) if i in playing), state.dealer]

    def next_turn(self, state: RocketState, seat: int) -> RocketState:
        """The next player still in; the dealer after the last of them."""
        assert state.first is not None
        if seat == state.dealer:
            return state.but(turn=self.lap(state, state.first)[0])
        circle, playing = state.round_from(state.first), state.players()
        after = [i for i in circle[circle.index(seat) + 1 :] if i in playing]
        return state.but(turn=after[0] if after else state.dealer)

    def choices(self, state: RocketState) -> Iterator[Entry]:
        """The dealer must always draw."""
        yield from self.draws(state)
        if state.turn != state.dealer:
            yield FOLD

    def effect(self, state: RocketState, seat: int, value: int) -> Effect | None:
        """A pair costs a player a tenth of the bet for each point; a pair or a 3 puts the dealer out."""
        pairs = state.phase == "play" and value in state.seats[seat].stack
        if seat == state.dealer:
            return Effect("out") if pairs or value == DEATH else None
        return Effect("out", payout(state.seats[seat].bet, value)) if pairs else None

    def pays_for_cards(self, state: RocketState) -> tuple[int, ...]:
        return state.players()

    def on_card(self, state: RocketState, seat: int, value: int) -> RocketState:
        effect = self.effect(state, seat, value)
        state = state.give(seat, value)
        if effect is None:
            return self.next_turn(state, seat)
        if seat == state.dealer:
            return self.dealer_loses(state, "dealer 3" if value == DEATH else "dealer pair", value)
        state = state.pay(seat, state.dealer, effect.amount, say("a pair of {value}s", value=value))
        return self.player_leaves(state.seat_but(seat, state="out"), seat, value)

    def on_fold(self, state: RocketState, seat: int) -> RocketState:
        value = self.fold_card(state, seat)
        cost = payout(state.seats[seat].bet, value)
        state = state.pay(seat, state.dealer, cost, say("folded at {value}", value=value))
        return self.player_leaves(state.seat_but(seat, state="folded"), seat, value)

    def fold_card(self, state: RocketState, seat: int) -> int:
        """The lowest card in the player's and the dealer's stacks; other stacks do not count."""
        return min(state.seats[seat].stack + state.seats[state.dealer].stack)

    # -- the end: no player is in, or the dealer is out

    def player_leaves(self, state: RocketState, seat: int, value: int) -> RocketState:
        if state.players():
            return self.next_turn(state, seat)
        return self.finish(state, self.result(state, "all out", seat, value, winners=(state.dealer,)))

    def dealer_loses(self, state: RocketState, how: str, value: int) -> RocketState:
        """Every player still in is paid a tenth of the bet for each point."""
        pair = say("the dealer’s pair of {value}s", value=value)
        why = pair if how == "dealer pair" else say("the dealer’s 3")
        winners = state.players()
        for player in winners:
            state = state.pay(state.dealer, player, payout(state.seats[player].bet, value), why)
        return self.finish(state, self.result(state, how, state.dealer, value, winners=winners))

    def pass_on(self, state: RocketState) -> RocketState:
        """The dealer's role moves left after each round."""
        button = state.first if state.options["button"] == YES and state.first is not None else state.button
        return state.but(dealer=(state.dealer + 1) % len(state.seats), button=button)

    def next_first(self, state: RocketState) -> int:
        return state.dealer

    def clear(self, state: RocketState) -> RocketState:
        return super().clear(state).but(first=None)

    # -- what the screen shows

    def prices(self, state: RocketState) -> dict[str, int]:
        if state.turn is None or state.turn == state.dealer:
            return {}
        return {"fold": self.fold_price(state, state.turn)}

    def fold_price(self, state: RocketState, seat: int) -> int:
        return payout(state.seats[seat].bet, self.fold_card(state, seat))

    def own_keys(self, state: RocketState) -> dict[str, Any]:
        shown = {"dealer": state.name(state.dealer)}
        if state.options["button"] == YES:
            shown["button"] = state.name(state.button if state.first is None else state.first)
        return shown

    def own_seat_keys(self, state: RocketState, position: int) -> dict[str, Any]:
        shown = {"bet": state.seats[position].bet}
        if state.phase == "play" and position in state.players():
            shown["fold"] = self.fold_price(state, position)
        return shown
