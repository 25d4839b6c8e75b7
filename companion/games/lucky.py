"""Lucky Day: bank one card at a time until you have exactly 21 points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.engine.ending import Ending
from companion.engine.notation import Entry
from companion.engine.results import CardWords, Effect, Outcome
from companion.engine.scoring import Endless
from companion.engine.sentence import Sentence, say, say_many
from companion.engine.state import Seat, State
from companion.engine.verbs import Verb, by_name, form

from .race import GOAL


@dataclass(frozen=True, kw_only=True)
class LuckyState(State[Seat]):
    """Lucky Day adds no fields."""


class LuckyDay(Endless[LuckyState]):
    """Draw, or bank a card that lies in a stack. Points are good, but not beyond the goal."""

    key = "lucky"
    title = say("Lucky Day")
    pitch = say("Bank up to 21, not beyond")
    players = range(2, 9)
    state_type = LuckyState
    own_options = GOAL
    target_line = say("exactly {value}")
    card_words = CardWords(nothing=say("no pair"), risk=say("beyond the goal"))
    own_verbs = by_name(
        Verb(
            "bank",
            say("Banking a card"),
            (
                form(say("banks the {value}"), label=say("Bank the {value}"), value="card"),
                form(
                    say("banks {name}’s {value}"),
                    label=say("Bank {name}’s {value}"),
                    value="card",
                    name="name",
                ),
            ),
            by_seat=True,
        )
    )
    endings = {
        "pair": Ending(say("pair"), say("pair of {value}s")),
        "bank": Ending(say("banked"), say("banked the {value}")),
        "scored": Ending(say("scored"), say("scored {value}")),
    }

    # The lowest card of the deal starts; ties as in Pairs.
    replaces_pairs = True

    def target(self, state: LuckyState) -> int:
        goal: int = state.options["goal"]
        return goal

    # -- the turn: draw, or bank a card of any stack

    def choices(self, state: LuckyState) -> Iterator[Entry]:
        """With an empty stack only another player's card can be banked."""
        assert state.turn is not None
        yield from self.draws(state)
        own = state.seats[state.turn]
        yield from (Entry("bank", (value,)) for value in sorted(own.stack))
        for seat in state.seats:
            if seat is not own:
                yield from (Entry("bank", (value, seat.name)) for value in sorted(seat.stack))

    def refusal(self, state: LuckyState, entry: Entry) -> Sentence:
        if entry.verb != "bank" or state.phase != "play" or state.turn is None:
            return super().refusal(state, entry)
        value, *names = entry.args
        own = state.seats[state.turn]
        if names == [own.name] and value in own.stack:
            return say("A player’s own card is banked without a name.")
        return say("There is no {value} in {name}’s stack.", value=value, name=names[0] if names else own.name)

    def effect(self, state: LuckyState, seat: int, value: int) -> Effect | None:
        """A card that pairs must be banked. Beyond the goal it puts its owner out."""
        player = state.seats[seat]
        if state.phase != "play" or value not in player.stack:
            return None
        beyond = player.points + value > state.options["goal"]
        return Effect("out") if beyond else Effect("bank", value)

    def on_card(self, state: LuckyState, seat: int, value: int) -> LuckyState:
        """The card joins the stack. If it pairs there, one of the two is banked at once."""
        paired = value in state.seats[seat].stack
        state = state.give(seat, value)
        if paired:
            return self.score_card(state, "pair", seat, value, holder=seat)
        return self.next_turn(state, seat)

    def on_bank(self, state: LuckyState, seat: int, value: int, name: str = "") -> LuckyState:
        """Bank any one card of a stack. The player's own stack is discarded, whoever owned the card."""
        holder = state.find(name) if name else seat
        return self.score_card(state, "bank", seat, value, holder)

    # -- the end: exactly the goal wins; beyond it, the highest of the others wins

    def conclude(self, state: LuckyState) -> LuckyState:
        for position, seat in enumerate(state.seats):
            if seat.points == state.options["goal"]:
                return self.won_by(state, seat)
            if seat.points > state.options["goal"]:
                return self.lost_by(state, position)
        return state

    def won_by(self, state: LuckyState, winner: Seat) -> LuckyState:
        reason = say_many(
            "{name} has exactly {points} point.",
            "{name} has exactly {points} points.",
            winner.points,
            name=winner.name,
            points=winner.points,
        )
        return self.end_game(state, Outcome(winners=(winner.name,), chips=no_chips(state), reason=reason))

    def lost_by(self, state: LuckyState, position: int) -> LuckyState:
        """A player beyond the goal has lost. Equal scores share the win."""
        loser = state.seats[position]
        others = [seat for seat in state.seats if seat is not loser]
        most = max(seat.points for seat in others)
        winners = tuple(seat.name for seat in others if seat.points == most)
        reason = say(
            "{name} went beyond {goal}, to {points}.",
            name=loser.name,
            points=loser.points,
            goal=state.options["goal"],
        )
        return self.end_game(state, Outcome(loser=loser.name, winners=winners, chips=no_chips(state), reason=reason))

    # -- what the screen shows

    def own_keys(self, state: LuckyState) -> dict[str, Any]:
        return {"goal": state.options["goal"]}


def no_chips(state: LuckyState) -> dict[str, int]:
    """Nobody pays anything."""
    return dict.fromkeys(state.names(), 0)
