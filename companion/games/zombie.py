"""Zombie Life: fill the Refuge, feed the Horde, hide in time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.engine.ending import Ending
from companion.engine.notation import Entry
from companion.engine.results import CardWords, Effect
from companion.engine.sentence import say
from companion.engine.state import State
from companion.engine.verbs import Verb, by_name, form

from .ages import OLDEST, AgedSeat, ByAge
from .race import GOAL, Race

PASS, REFUGE, HORDE = Entry("pass"), Entry("refuge"), Entry("horde")
GRABS = tuple(Entry("grab", (value,)) for value in range(11))


def turned_down(cards: int, others: int) -> int:
    """How many cards a player turns face down on passing: one for each other player still in."""
    return min(cards, others)


@dataclass(frozen=True, kw_only=True)
class ZombieSeat(AgedSeat):
    facedown: int = 0
    fell: int = 0  # its place in the order of elimination in this round, 0 if not eliminated
    fell_before: int = 0  # the same in the last finished round


@dataclass(frozen=True, kw_only=True)
class ZombieState(State[ZombieSeat]):
    POSITIONS = ("turn", "dealer")

    horde: tuple[int, ...] = ()
    drawn: int | None = None
    dealer: int | None = None  # the seat that deals, from the second round on
    handed_out: bool = False  # whether a round has been finished

    def on_the_table(self) -> tuple[int, ...]:
        drawn = () if self.drawn is None else (self.drawn,)
        return (*self.in_play(), *self.horde, *drawn)


class Zombie(ByAge[ZombieState], Race[ZombieState]):
    """Put each card into your Refuge or the Horde; pass before you are overwhelmed."""

    key = "zombie"
    title = say("Zombie Life")
    pitch = say("Refuge or Horde")
    players = range(2, 9)
    state_type = ZombieState
    seat_type = ZombieSeat
    card_words = CardWords(risk=say("overwhelmed"))
    seat_of_round = {"facedown": 0, "fell": 0}
    own_options = {**GOAL, **OLDEST}
    endings = {**Race.endings, "passed": Ending(say("all have passed"), say("all have passed or are out"))}
    own_verbs = by_name(
        Verb("refuge", say("Placing a card"), (form(say("puts it in the Refuge"), short=say("Refuge")),), by_seat=True),
        Verb("horde", say("Placing a card"), (form(say("puts it in the Horde"), short=say("Horde")),), by_seat=True),
        Verb(
            "grab",
            say("Taking from the Horde"),
            (form(say("takes the {value} from the Horde"), value="card"),),
            by_seat=True,
        ),
    )

    # -- the deal: the lowest card starts; later the player with the fewest points deals

    def ready(self, state: ZombieState) -> ZombieState:
        return super().ready(state.but(dealer=self.giver(state) if state.handed_out else None))

    def giver(self, state: ZombieState) -> int:
        """The seat with the fewest points; if tied, the one eliminated first, else the oldest."""
        least = min(seat.points for seat in state.seats)
        poorest = [i for i, seat in enumerate(state.seats) if seat.points == least]
        fallen = [i for i in poorest if state.seats[i].fell_before]
        if fallen:
            return min(fallen, key=lambda i: state.seats[i].fell_before)
        return self.oldest(state, poorest)

    def next_first(self, state: ZombieState) -> int | None:
        return state.dealer

    # -- the turn: draw, take from the Horde, or pass

    def choices(self, state: ZombieState) -> Iterator[Entry]:
        assert state.turn is not None
        if state.drawn is not None:
            yield from (REFUGE, HORDE)
            return
        yield from self.draws(state)
        # The last player in may go on, but not take from the Horde.
        if len(state.those_in()) > 1:
            missing = set(state.horde) - set(state.seats[state.turn].stack)
            yield from (GRABS[value] for value in sorted(missing))
        yield PASS

    def effect(self, state: ZombieState, seat: int, value: int) -> Effect | None:
        """Overwhelmed: the value is in the Refuge and in the Horde."""
        both = value in state.seats[seat].stack and value in state.horde
        return Effect("out") if state.phase == "play" and both else None

    def on_card(self, state: ZombieState, seat: int, value: int) -> ZombieState:
        """A place must not hold the value twice; if only one place is legal, the card goes there."""
        if self.effect(state, seat, value):
            return self.overwhelmed(state.give(seat, value), seat)
        state = state.but(pile=state.pile.draw(value), drawn=value)
        if value in state.horde:
            return self.on_refuge(state, seat)
        if value in state.seats[seat].stack:
            return self.on_horde(state, seat)
        return state

    def on_refuge(self, state: ZombieState, seat: int) -> ZombieState:
        assert state.drawn is not None
        seats = state.seats_but(seat, stack=(*state.seats[seat].stack, state.drawn))
        return self.go_on(state.but(seats=seats, drawn=None), seat)

    def on_horde(self, state: ZombieState, seat: int) -> ZombieState:
        assert state.drawn is not None
        return self.go_on(state.but(horde=(*state.horde, state.drawn), drawn=None), seat)

    def on_grab(self, state: ZombieState, seat: int, value: int) -> ZombieState:
        rest = tuple(card for card in state.horde if card != value)
        seats = state.seats_but(seat, stack=(*state.seats[seat].stack, value))
        return self.go_on(state.but(seats=seats, horde=rest), seat)

    def overwhelmed(self, state: ZombieState, seat: int) -> ZombieState:
        """Out, Refuge and card discarded; one card of each passer is turned up again."""
        fallen = 1 + max(other.fell for other in state.seats)
        state = state.discard_stacks((seat,)).seat_but(seat, state="out", fell=fallen)
        for position, other in enumerate(state.seats):
            if other.facedown:
                state = state.seat_but(position, facedown=other.facedown - 1)
        return self.go_on(state, seat)

    def on_pass(self, state: ZombieState, seat: int) -> ZombieState:
        """Safe: one card is turned face down for each other player still in."""
        facedown = turned_down(len(state.seats[seat].stack), len(state.those_in()) - 1)
        return self.go_on(state.seat_but(seat, state="passed", facedown=facedown), seat)

    # -- the end: each passer scores a point for each card face up

    def go_on(self, state: ZombieState, seat: int) -> ZombieState:
        if state.those_in():
            return state.but(turn=state.next_in(seat))
        points = {
            i: len(player.stack) - player.facedown for i, player in enumerate(state.seats) if player.state == "passed"
        }
        how = "passed" if points else "all out"
        return self.finish(state, self.result(state, how, points=points))

    def pass_on(self, state: ZombieState) -> ZombieState:
        seats = tuple([seat.but(fell_before=seat.fell) for seat in state.seats])
        return state.but(seats=seats, handed_out=True)

    def clear(self, state: ZombieState) -> ZombieState:
        """The Horde and all Refuges are discarded."""
        drawn = () if state.drawn is None else (state.drawn,)
        state = super().clear(state)
        return state.but(pile=state.pile.discard((*state.horde, *drawn)), horde=(), drawn=None)

    def conclude(self, state: ZombieState) -> ZombieState:
        """The most points win; tied players share the win."""
        leaders = self.leaders(state)
        return self.win(state, leaders) if leaders else state

    # -- what the screen shows

    def own_keys(self, state: ZombieState) -> dict[str, Any]:
        return {
            **super().own_keys(state),
            "horde": list(state.horde),
            "drawn": state.drawn,
            "dealer": state.name(state.dealer),
        }

    def own_seat_keys(self, state: ZombieState, position: int) -> dict[str, Any]:
        return {"facedown": state.seats[position].facedown}
