"""A ninth game that only the tests have: a new game needs its rulebook and one registration.

Lantern: two cards to each player, then draw towards the light. A player who meets it takes the pot; one who goes
beyond it is out. Each player may drop one card a round.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from companion.engine import notation
from companion.engine.ending import Ending
from companion.engine.game import Game
from companion.engine.notation import Entry
from companion.engine.options import number, with_value
from companion.engine.results import CardWords, Effect, Outcome
from companion.engine.sentence import say
from companion.engine.state import MIDDLE, POT, Seat, State
from companion.engine.verbs import VERBS, Verb, by_name, form
from companion.games import GAMES, register

PASS = Entry("pass")


@dataclass(frozen=True, kw_only=True)
class LanternSeat(Seat):
    dropped: bool = False


@dataclass(frozen=True, kw_only=True)
class LanternState(State[LanternSeat]):
    """Lantern adds no fields."""


class Lantern(Game[LanternState]):
    """Draw towards the light, and not beyond it."""

    key = "lantern"
    title = say("Lantern")
    pitch = say("Meet the light")
    players = range(2, 9)
    state_type = LanternState
    seat_type = LanternSeat
    has_pot = True
    card_words = CardWords(out=say("dark"), bank=say("light: {amount}"), risk=say("into the dark"))
    whole_deck_each_round = True
    cards_dealt = 2
    own_options = {
        "light": number(say("Light"), with_value(say("light {value}")), 21, 11, 99),
        "ante": number(say("Ante"), with_value(say("ante {value}")), 1, 0, 100_000),
    }
    own_verbs = by_name(
        Verb(
            "drop",
            say("Dropping a card"),
            (form(say("drops the {value}"), label=say("Drop the {value}"), value="card"),),
            by_seat=True,
        )
    )
    endings = {
        "light": Ending(say("the light"), say("met the light with a {value}")),
        "nearest": Ending(say("nearest to the light")),
        "dark": Ending(say("all in the dark")),
    }

    # -- the turn: draw, drop a card (once), or pass

    def choices(self, state: LanternState) -> Iterator[Entry]:
        assert state.turn is not None
        seat = state.seats[state.turn]
        yield from self.draws(state)
        if not seat.dropped and len(seat.stack) > 1:
            yield from (Entry("drop", (value,)) for value in sorted(set(seat.stack)))
        yield PASS

    def effect(self, state: LanternState, seat: int, value: int) -> Effect | None:
        """A player beyond the light pays the ante again; one who meets it banks the pot."""
        beyond = sum(state.seats[seat].stack) + value - state.options["light"]
        if state.phase != "play" or beyond < 0:
            return None
        return Effect("out", state.options["ante"]) if beyond else Effect("bank", state.pot)

    def pays_for_cards(self, state: LanternState) -> tuple[int, ...]:
        return state.those_in()

    def on_card(self, state: LanternState, seat: int, value: int) -> LanternState:
        effect = self.effect(state, seat, value)
        state = state.give(seat, value)
        if effect is None:
            return self.go_on(state, seat)
        if effect.does == "bank":
            return self.take_pot(state, "light", (seat,), value)
        state = state.pay(seat, POT, effect.amount, say("in the dark"))
        return self.go_on(state.seat_but(seat, state="out"), seat)

    def on_drop(self, state: LanternState, seat: int, value: int) -> LanternState:
        state = state.take_from_stack(seat, value).seat_but(seat, dropped=True)
        return self.go_on(state.but(pile=state.pile.discard((value,))), seat)

    def on_pass(self, state: LanternState, seat: int) -> LanternState:
        return self.go_on(state.seat_but(seat, state="passed"), seat)

    # -- the end: the light is met, or nobody goes on

    def go_on(self, state: LanternState, seat: int) -> LanternState:
        """When nobody is left to draw, the players nearest to the light share the pot."""
        if state.those_in():
            return state.but(turn=state.next_in(seat))
        sums = {i: sum(other.stack) for i, other in enumerate(state.seats) if other.state == "passed"}
        within = {i: total for i, total in sums.items() if total <= state.options["light"]}
        if not within:
            state = state.pay(POT, MIDDLE, state.pot, say("carried"))
            return self.finish(state, self.result(state, "dark"))
        best = max(within.values())
        return self.take_pot(state, "nearest", tuple(i for i, total in within.items() if total == best), None)

    def take_pot(self, state: LanternState, how: str, winners: tuple[int, ...], value: int | None) -> LanternState:
        state, share = self.share_pot(state, winners)
        who = winners[0] if len(winners) == 1 else None
        return self.finish(state, self.result(state, how, who, value, winners=winners, share=share))

    def clear(self, state: LanternState) -> LanternState:
        return super().clear(state).each_seat(dropped=False)

    # -- what the screen shows

    def own_keys(self, state: LanternState) -> dict[str, Any]:
        return {"light": state.options["light"]}


class ShortLantern(Lantern):
    """Lantern that is over as soon as somebody is ahead. A dropped card is kept. Subclasses say who has won or lost."""

    whole_deck_each_round = False

    def on_drop(self, state: LanternState, seat: int, value: int) -> LanternState:
        return self.go_on(state.keep(seat, value, seat).seat_but(seat, dropped=True), seat)

    def ended(self, ahead: str, behind: str) -> dict[str, Any]:
        """Who has won and who has lost."""
        raise NotImplementedError

    def conclude(self, state: LanternState) -> LanternState:
        names = [state.seats[i].name for i in sorted(range(len(state.seats)), key=lambda i: -state.seats[i].chips)]
        chips = {seat.name: seat.chips for seat in state.seats}
        if not chips[names[0]]:
            return state
        reason = say("{name} has seen the light.", name=names[0])
        return self.end_game(state, Outcome(**self.ended(names[0], names[-1]), chips=chips, reason=reason))


class LosersLantern(ShortLantern):
    """Whoever sees the light has lost. There are no stakes."""

    def ended(self, ahead: str, behind: str) -> dict[str, Any]:
        return {"loser": ahead}


class WinnersLantern(ShortLantern):
    """Whoever sees the light has won, while others are still in; whoever has paid most has lost."""

    def ended(self, ahead: str, behind: str) -> dict[str, Any]:
        return {"winners": (ahead,), "loser": behind}


@contextmanager
def ninth_game(kind: type[Lantern] = Lantern) -> Iterator[Lantern]:
    """Register Lantern, or a game like it, for the duration of the context."""
    games, verbs, lantern = dict(GAMES), dict(VERBS), kind()
    register(lantern)
    try:
        yield lantern
    finally:
        for table, before in ((GAMES, games), (VERBS, verbs)):
            table.clear()
            table.update(before)  # type: ignore[arg-type]
        notation._parse_line.cache_clear()
