"""Pairs: the game of the pub, and the two add-ons it shares with Continuous Pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.ending import Ending
from companion.engine.notation import Entry
from companion.engine.options import YES, choice, free_text, no_line, number, switch, with_value
from companion.engine.results import BEWARE_OF_PAIRS, Effect, Outcome
from companion.engine.scoring import CardScored
from companion.engine.sentence import say, say_many
from companion.engine.state import MIDDLE, POT, Seat, State
from companion.engine.verbs import Verb, by_name, form

from .stakes import DEFAULT_SUM, SAME_STAKES, STAKES_TITLES, STAKES_WORDS, owed_under

FOLD, EIGHT = Entry("fold"), Entry("eight")


def limit_for(players: int) -> int:
    """60 divided by the number of players, plus 1; from six players on it stays 11."""
    return 60 // min(players, 6) + 1


@dataclass(frozen=True, kw_only=True)
class PairsState(State[Seat]):
    limit: int
    pending: int = 0  # Pieces of Eight: cards still to come
    again: bool = False  # Calamities: after a 7 the player has another turn


class Pairs(CardScored[PairsState]):
    """Draw without making a pair, or fold and take the lowest card. Points are bad."""

    key = "pairs"
    title = say("Pairs")
    pitch = say("Don’t be the one who pairs")
    players = range(2, 9)
    state_type = PairsState
    burn = 5
    points_are_bad = True
    target_line = say("limit {value}")
    card_words = BEWARE_OF_PAIRS
    own_options = {
        "limit": number(
            say("Limit"), with_value(say("limit {value}")), None, 1, 999, unset=say("by number of players")
        ),
        "stakes": choice(say("Stakes"), "forfeit", STAKES_WORDS, STAKES_TITLES, SAME_STAKES),
        "sum": number(
            say("Tacoma amount"),
            with_value(say("amount {value}")),
            DEFAULT_SUM,
            1,
            100_000,
            counts_with=("stakes", "tacoma"),
        ),
        "forfeit": free_text(
            say("The forfeit"), no_line, unset=say("the drinks, a song"), counts_with=("stakes", "forfeit")
        ),
        "calamities": switch(say("Calamities: 7s strike"), say("with Calamities")),
        "eights": switch(say("Pieces of Eight"), say("with Pieces of Eight")),
    }
    own_verbs = by_name(
        Verb("eight", say("Dropping an 8"), (form(say("drops an 8"), short=say("8 dropped")),), by_seat=True)
    )

    endings = {
        "pair": Ending(say("pair"), say("pair of {value}s")),
        "fold": Ending(say("fold"), say("folded, took the {value}")),
        "scored": Ending(say("scored"), say("scored {value}")),
    }

    def first_fields(self, count: int, options: Mapping[str, Any]) -> dict[str, Any]:
        return {"limit": options.get("limit", limit_for(count))}

    # -- the deal: one card each, the lowest starts

    # Nobody loses on the deal: a card that pairs its owner in a tie is replaced.
    replaces_pairs = True

    def rank(self, state: PairsState, value: int) -> int:
        """Calamities: a 7 counts below 1."""
        return 0 if self.is_calamity(state, value) else value

    def is_calamity(self, state: PairsState, value: int) -> bool:
        return value == 7 and bool(state.options["calamities"] == YES)

    # -- the turn: draw or fold

    def choices(self, state: PairsState) -> Iterator[Entry]:
        yield from self.draws(state)
        if state.pending == 0:
            yield from self.folds(state)
            if self.may_discard_eight(state):
                yield EIGHT

    def folds(self, state: PairsState) -> Iterator[Entry]:
        yield FOLD

    def effect(self, state: PairsState, seat: int, value: int) -> Effect | None:
        """A pair costs its value."""
        return Effect("out", value) if state.phase == "play" and value in state.seats[seat].stack else None

    def pays_for_cards(self, state: PairsState) -> tuple[int, ...]:
        return state.those_in()

    def on_card(self, state: PairsState, seat: int, value: int) -> PairsState:
        """A pair ends the round: its value is scored, and one of the two cards is kept."""
        paired = self.effect(state, seat, value)
        state = state.give(seat, value)
        if state.pending:
            state = state.but(pending=state.pending - 1)
        if self.is_calamity(state, value):
            state = state.but(again=True)
        if paired:
            return self.score_card(state, "pair", seat, value, holder=seat)
        return state if state.pending else self.next_turn(state, seat)

    def next_turn(self, state: PairsState, seat: int) -> PairsState:
        return state.but(turn=self.following(state, seat), again=False, pending=0)

    def following(self, state: PairsState, seat: int) -> int:
        """To the left; Calamities: a 7 gives another turn."""
        return seat if state.again else state.next_in(seat)

    def on_fold(self, state: PairsState, seat: int) -> PairsState:
        """Take the lowest card in play, anyone’s: score it and keep it."""
        value = min(state.in_play())
        return self.score_card(state, "fold", seat, value, holder=self.holder(state, value))

    # -- Pieces of Eight: discard an 8 to draw two

    def may_discard_eight(self, state: PairsState) -> bool:
        if state.options["eights"] != YES or state.turn is None or state.pending:
            return False
        return 8 in state.seats[state.turn].stack and state.pile.left > 0

    def on_eight(self, state: PairsState, seat: int) -> PairsState:
        state = state.take_from_stack(seat, 8)
        return state.but(pile=state.pile.discard((8,)), pending=2)

    # -- the end: reaching the limit loses, and the stakes are paid

    def clear(self, state: PairsState) -> PairsState:
        return super().clear(state).but(pending=0, again=False)

    def target(self, state: PairsState) -> int:
        return state.limit

    def conclude(self, state: PairsState) -> PairsState:
        for position, seat in enumerate(state.seats):
            if seat.points >= state.limit:
                return self.pay_stakes(state, position)
        return state

    def pay_stakes(self, state: PairsState, loser: int) -> PairsState:
        key, name = state.options["stakes"], state.seats[loser].name
        points = {seat.name: seat.points for seat in state.seats}
        before = {seat.name: seat.chips for seat in state.seats}
        owed = owed_under(key, points, name, state.options["sum"])
        why = say("stakes: {stakes}", stakes=STAKES_TITLES[key])
        for other, amount in owed.each.items():
            state = state.pay(loser, state.find(other), amount, why)
        if owed.shared_by:
            state = state.pay(loser, POT, owed.prize, why)
            state = state.pay(MIDDLE, POT, state.middle, say("carried chips join the prize"))
            state, _ = self.share_pot(state, tuple(map(state.find, owed.shared_by)))
        reason = say_many(
            "{name} has {points} point; the limit is {limit}.",
            "{name} has {points} points; the limit is {limit}.",
            points[name],
            name=name,
            points=points[name],
            limit=state.limit,
        )
        chips = {seat.name: seat.chips - before[seat.name] for seat in state.seats}
        paid = owed.shared_by or tuple(owed.each)
        return self.end_game(state, Outcome(loser=name, paid=paid, chips=chips, reason=reason))

    def on_score(self, state: PairsState, seat: int, points: int) -> PairsState:
        """Points without cards give no extra turn, and no second card is still to come."""
        return super().on_score(state.but(pending=0, again=False), seat, points)

    # -- what the screen shows

    def prices(self, state: PairsState) -> dict[str, int]:
        """Folding costs the lowest card in play."""
        playing = state.phase == "play" and state.options["cards"] == YES and not state.pending
        if not playing or not any(self.folds(state)):
            return {}
        return {"fold": min(state.in_play())}

    def own_keys(self, state: PairsState) -> dict[str, Any]:
        shown: dict[str, Any] = {"limit": state.limit}
        if state.options["eights"] == YES:
            shown["take"] = {"pending": state.pending}
        return shown
