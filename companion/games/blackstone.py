"""Blackstone: take stones, and never a second black one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from companion.engine.cards import CARDS_IN_A_DECK, NONE, VALUES, Counts
from companion.engine.ending import Ending
from companion.engine.game import SHUFFLE, Game
from companion.engine.notation import Entry
from companion.engine.odds import at_least
from companion.engine.options import number, with_value
from companion.engine.results import Effect
from companion.engine.sentence import say
from companion.engine.state import POT, Seat, State
from companion.engine.verbs import Verb, by_name, form

PASS, WHITE, WHITES = Entry("pass"), Entry("white"), Entry("whites")
TAKES = tuple(Entry("take", (count,)) for count in range(CARDS_IN_A_DECK + 1))  # there is no take 0
BLACK = 10
ANTE = 5
WHITE_STONE = form(say("draws a white stone"), short=say("white stone"))
BLACK_STONE = form(say("draws a black stone"), short=say("black stone"))
FRONT = "front"  # the antes still in front of the players


def pass_fine(white: int, ante: int = ANTE) -> int:
    """The ante and half the white stones, rounded up."""
    return ante + (white + 1) // 2


def bust_fine(white: int, ante: int = ANTE) -> int:
    """The ante and all the white stones."""
    return ante + white


def second_black(taken: int, held: int, unseen_white: int, unseen_black: int) -> Fraction:
    """The chance that a player who holds some black stones has two after taking that many cards."""
    return at_least(2 - held, taken, unseen_black, unseen_white + unseen_black)


@dataclass(frozen=True, kw_only=True)
class BlackstoneState(State[Seat]):
    front: int = 0
    white: int = 0  # stones in the middle, and the values of those entered by value:
    white_values: tuple[int, ...] = ()
    last: int = 1  # the number taken last: nobody takes fewer
    pending: int = 0  # announced, not yet turned up

    def on_the_table(self) -> tuple[int, ...]:
        return (*self.in_play(), *self.white_values)

    def chips_accounted_for(self) -> int:
        return super().chips_accounted_for() + self.front

    @property
    def unseen_white(self) -> int:
        return sum(self.pile.unseen[1:BLACK]) - self.pile.unnamed

    @property
    def least(self) -> int:
        """The fewest cards that may be taken: the last number, but never more than are left."""
        return min(self.last, self.pile.left)


class Blackstone(Game[BlackstoneState]):
    """Tens are black stones. Take ever more cards, or pay to pass: the second black one costs most."""

    key = "blackstone"
    title = say("Blackstone")
    pitch = say("Beware your second 10")
    players = range(2, 9)
    state_type = BlackstoneState
    has_pot = True
    own_options = {"ante": number(say("Ante"), with_value(say("ante {value}")), ANTE, 0, 100_000)}
    endings = {
        "last in": Ending(say("last one in"), say("last one in takes the pot")),
        "black": Ending(say("second black stone")),
    }
    own_verbs = by_name(
        Verb(
            "take",
            say("Taking cards"),
            (form(say("takes {count}"), count="count"),),
            by_seat=True,
            draws=True,
            then={value: BLACK_STONE if value == BLACK else WHITE_STONE for value in VALUES},
        ),
        Verb("white", say("Entering a white stone"), (WHITE_STONE,), by_seat=True, draws=True),
        Verb(
            "whites",
            say("Entering white stones"),
            (form(say("draws only white stones"), short=say("all white")),),
            by_seat=True,
            draws=True,
        ),
    )

    # Every round is a game of its own.
    whole_deck_each_round = True

    # -- the deal: one card each, the lowest starts; ties as in Pairs, but pairs are ignored

    def ante(self, state: BlackstoneState, position: int) -> BlackstoneState:
        """The ante stays in front of a player who is in."""
        return state.pay(position, FRONT, state.options["ante"], say("ante"))

    def start(self, state: BlackstoneState, seat: int) -> BlackstoneState:
        """White stones go to the middle. Each player keeps one black stone at most; the rest are shuffled back."""
        whites = tuple(value for value in state.in_play() if value != BLACK)
        pile = state.pile
        for position, player in enumerate(state.seats):
            blacks = tuple(value for value in player.stack if value == BLACK)
            pile = pile.put_back(blacks[1:])
            state = state.seat_but(position, stack=blacks[:1])
        state = state.but(pile=pile, white_values=whites, white=len(whites))
        return super().start(state, seat)

    # -- the turn: take or pass

    def choices(self, state: BlackstoneState) -> Iterator[Entry]:
        if state.pile.left == 0 and state.pile.can_shuffle:
            yield SHUFFLE
        elif state.pending:
            yield from self.draws(state)
            if state.unseen_white:
                yield WHITE
            if state.pending <= min(state.unseen_white, state.pile.left):
                yield WHITES
        elif state.pile.left:
            yield from TAKES[state.least : state.pile.left + 1]
        if not state.pending:
            yield PASS

    def may_turn_up(self, state: BlackstoneState) -> Counts:
        """A white stone can come only while one is unseen, whatever its value."""
        unseen = state.pile.unseen
        return unseen if state.unseen_white > 0 else (*NONE[:BLACK], unseen[BLACK])

    def on_take(self, state: BlackstoneState, seat: int, count: int) -> BlackstoneState:
        """The number is announced; the cards follow one by one."""
        return state.but(last=count, pending=count)

    def on_white(self, state: BlackstoneState, seat: int, count: int = 1) -> BlackstoneState:
        """White stones go to the middle."""
        state = state.but(pile=state.pile.draw_unnamed(count), white=state.white + count)
        return self.turned(state, seat, count)

    def on_whites(self, state: BlackstoneState, seat: int) -> BlackstoneState:
        return self.on_white(state, seat, state.pending)

    def on_card(self, state: BlackstoneState, seat: int, value: int) -> BlackstoneState:
        """A black stone stays with the player who took it; a second one ends the round."""
        if value != BLACK:
            state = state.but(
                pile=state.pile.draw(value), white_values=(*state.white_values, value), white=state.white + 1
            )
        else:
            state = state.give(seat, BLACK)
            if len(state.seats[seat].stack) == 2:
                return self.second_stone(state, seat)
        return self.turned(state, seat, 1)

    def turned(self, state: BlackstoneState, seat: int, count: int) -> BlackstoneState:
        state = state.but(pending=state.pending - count)
        return state if state.pending else state.but(turn=state.next_in(seat))

    # -- what it costs, and the end

    def on_pass(self, state: BlackstoneState, seat: int) -> BlackstoneState:
        """Ante and half the white stones, rounded up. The last one in takes the pot."""
        state = self.lose_ante(state, seat, pass_fine(state.white, 0), "passed")
        winners = state.those_in()
        if len(winners) > 1:
            return state.but(turn=state.next_in(seat))
        return self.pay_out(state, "last in", winners[0], None, winners)

    def second_stone(self, state: BlackstoneState, seat: int) -> BlackstoneState:
        """Ante and all white stones; those still in share the pot."""
        state = self.lose_ante(state, seat, bust_fine(state.white, 0), "out")
        return self.pay_out(state, "black", seat, BLACK, state.those_in())

    def lose_ante(self, state: BlackstoneState, seat: int, fine: int, standing: str) -> BlackstoneState:
        owner = state.seats[seat].name
        state = state.pay(FRONT, POT, state.options["ante"], say("ante of {name}", name=owner))
        why = say("passed") if standing == "passed" else say("second black stone")
        return state.pay(seat, POT, fine, why).seat_but(seat, state=standing)

    def pay_out(
        self, state: BlackstoneState, how: str, who: int, value: int | None, winners: tuple[int, ...]
    ) -> BlackstoneState:
        for winner in winners:
            state = state.pay(FRONT, winner, state.options["ante"], say("ante back"))
        state, share = self.share_pot(state, winners)
        return self.finish(state, self.result(state, how, who, value, winners=winners, share=share))

    def clear(self, state: BlackstoneState) -> BlackstoneState:
        return super().clear(state).but(white=0, white_values=(), last=1, pending=0)

    # -- odds: by colour only

    def effect(self, state: BlackstoneState, seat: int, value: int) -> Effect | None:
        second = state.phase == "play" and value == BLACK and BLACK in state.seats[seat].stack
        return Effect("out", bust_fine(state.white, state.options["ante"])) if second else None

    def kinds(self, state: BlackstoneState) -> dict[str, int]:
        if state.phase != "play":
            return super().kinds(state)
        return {"white": state.unseen_white, str(BLACK): state.pile.unseen[BLACK]}

    def tells_risk(self, state: BlackstoneState) -> bool:
        return False

    def chances(self, state: BlackstoneState) -> dict[str, dict[int, Fraction]]:
        """For every number that may be taken, the chance of a second black stone."""
        if state.turn is None or state.pending or not state.pile.left:
            return {}
        held = len(state.seats[state.turn].stack)
        white, black = state.unseen_white, state.pile.unseen[BLACK]
        takes = range(state.least, state.pile.left + 1)
        return {"second": {count: second_black(count, held, white, black) for count in takes}}

    # -- what the screen shows

    def prices(self, state: BlackstoneState) -> dict[str, int]:
        if state.phase != "play":
            return {}
        ante = state.options["ante"]
        return {"pass": pass_fine(state.white, ante), "bust": bust_fine(state.white, ante)}

    def own_keys(self, state: BlackstoneState) -> dict[str, Any]:
        return {"white": state.white, "take": {"min": state.least, "pending": state.pending}}

    def own_seat_keys(self, state: BlackstoneState, position: int) -> dict[str, Any]:
        seat = state.seats[position]
        in_front = state.options["ante"] if seat.state == "in" and not state.between else 0
        return {"black": seat.stack.count(BLACK), "front": in_front}
