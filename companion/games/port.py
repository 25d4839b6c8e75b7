"""Port: lock the highest stack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.engine.ending import Ending
from companion.engine.notation import Entry
from companion.engine.results import BEWARE_OF_PAIRS, Effect
from companion.engine.sentence import say
from companion.engine.state import Seat, State

from .race import Race

LOCK = Entry("lock")


def award(players: int, better: int) -> int:
    """As many points as there are players for the best sum, one fewer for each better sum."""
    return players - better


@dataclass(frozen=True, kw_only=True)
class PortState(State[Seat]):
    """Port adds no fields."""


class Port(Race[PortState]):
    """Draw towards a high stack and lock it before it pairs. Points are good."""

    key = "port"
    title = say("Port")
    pitch = say("Lock before you pair")
    players = range(2, 8)
    state_type = PortState
    burn = 5
    card_words = BEWARE_OF_PAIRS._replace(risk=say("draw, out on a pair"))
    endings = {**Race.endings, "locked": Ending(say("all locked or out"))}

    # Deal and ties as in Pairs.
    replaces_pairs = True

    def ready(self, state: PortState) -> PortState:
        """Only leaders who are tied at the goal play another round."""
        playing = self.leaders(state) or range(len(state.seats))
        for position, seat in enumerate(state.seats):
            standing = "in" if position in playing else "out"
            if seat.state != standing:
                state = state.seat_but(position, state=standing)
        return super().ready(state)

    def choices(self, state: PortState) -> Iterator[Entry]:
        yield from self.draws(state)
        yield LOCK

    def effect(self, state: PortState, seat: int, value: int) -> Effect | None:
        """A pair puts you out with nothing."""
        return Effect("out") if state.phase == "play" and value in state.seats[seat].stack else None

    def on_card(self, state: PortState, seat: int, value: int) -> PortState:
        paired = self.effect(state, seat, value)
        state = state.give(seat, value)
        return self.go_on(state.seat_but(seat, state="out") if paired else state, seat)

    def on_lock(self, state: PortState, seat: int) -> PortState:
        """No more cards this round."""
        return self.go_on(state.seat_but(seat, state="locked"), seat)

    def go_on(self, state: PortState, seat: int) -> PortState:
        if state.those_in():
            return state.but(turn=state.next_in(seat))
        return self.rank_stacks(state)

    def rank_stacks(self, state: PortState) -> PortState:
        """All are locked or out: the best sum earns as many points as players, the next one fewer."""
        players = sum(1 for seat in state.seats if seat.stack)
        sums = {i: sum(seat.stack) for i, seat in enumerate(state.seats) if seat.state == "locked"}
        # Equal sums take the higher award; the rank below them is skipped.
        awards = {i: award(players, sum(other > own for other in sums.values())) for i, own in sums.items()}
        best = tuple(i for i, award in awards.items() if award == players)
        how = "locked" if sums else "all out"
        who = best[0] if len(best) == 1 else None
        return self.finish(state, self.result(state, how, who, points=awards, winners=best))

    def conclude(self, state: PortState) -> PortState:
        leaders = self.leaders(state)
        return self.win(state, leaders) if len(leaders) == 1 else state

    def own_seat_keys(self, state: PortState, position: int) -> dict[str, Any]:
        return {"sum": sum(state.seats[position].stack)}
