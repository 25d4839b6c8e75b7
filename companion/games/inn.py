"""Pirates' Inn: attack, challenge, draw or accuse, and be the last one in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from companion.engine.cards import VALUES, none_left
from companion.engine.ending import Ending
from companion.engine.game import SHUFFLE
from companion.engine.notation import Entry
from companion.engine.results import CardWords, Effect
from companion.engine.sentence import Sentence, say
from companion.engine.state import State
from companion.engine.verbs import CARD, Verb, by_name, form

from .ages import OLDEST, AgedSeat, ByAge
from .hands import PLAY, HandSeat, HiddenHands
from .race import GoodPoints

DRAW, PASS = Entry("draw"), Entry("pass")
ANSWERS = YES, NO = ("yes", "no")  # whether there is a pair
said = lru_cache(maxsize=2_000)(Entry)  # an action against a player: the names are the same all evening
PILE_EMPTY = say("The pile is empty: nobody can draw or challenge.")


@dataclass(frozen=True, kw_only=True)
class InnSeat(AgedSeat, HandSeat):
    """An age, and a number of hidden cards."""


@dataclass(frozen=True, kw_only=True)
class InnState(State[InnSeat]):
    POSITIONS = ("turn", "challenged")

    challenged: int | None = None  # the seat that the card turned up next is for


class Inn(ByAge[InnState], HiddenHands[InnState], GoodPoints[InnState]):
    """Hidden cards against open rows: four ways to put somebody out. The last one in wins the round."""

    key = "inn"
    title = say("Pirates’ Inn")
    pitch = say("Challenge and accuse")
    players = range(2, 9)
    state_type = InnState
    seat_type = InnSeat
    hand = 3
    card_words = CardWords(nothing=say("no pair"))
    own_options = OLDEST
    endings = {
        **GoodPoints.endings,
        "last in": Ending(say("last one in"), say("last one in wins the round")),
    }
    own_verbs = by_name(
        PLAY,
        Verb(
            "attack",
            say("Attacking"),
            (
                form(
                    say("attacks {name} with the {value}"),
                    short=say("attacks {name}: {value}"),
                    value="card",
                    name="name",
                ),
            ),
            by_seat=True,
        ),
        Verb(
            "challenge",
            say("Challenging"),
            (form(say("challenges {name}"), short=say("vs {name}"), name="name"),),
            by_seat=True,
        ),
        Verb("draw", say("Drawing"), (form(say("draws unseen"), label=say("Draw unseen")),), by_seat=True),
        Verb(
            "accuse",
            say("Accusing"),
            (
                form(say("accuses {name} rightly"), name="name", answer="yes"),
                form(say("accuses {name} wrongly"), name="name", answer="no"),
            ),
            by_seat=True,
        ),
    )

    # -- the deal: three hidden cards; each shows one, the lowest starts, of equal ones the oldest player

    def shuffle_mark(self, state: InnState) -> str | None:
        """An empty pile is no reason to shuffle: the round goes on without it."""
        if state.phase == "play" and state.challenged is None:
            return None
        return "needed" if SHUFFLE in self.legal(state) else None

    # -- the turn: attack, challenge, draw or accuse

    def choices(self, state: InnState) -> Iterator[Entry]:
        if state.challenged is not None:
            yield from self.draws(state)
            return
        yield from self.attacks(state)
        others = [state.seats[i] for i in self.others(state)]
        if state.pile.left:
            yield from (said("challenge", (seat.name,)) for seat in others)
            yield DRAW
        accusable = [seat for seat in others if seat.hand]
        yield from (said("accuse", (seat.name, answer)) for seat in accusable for answer in ANSWERS)
        if not state.pile.left and not accusable:
            yield PASS  # whoever holds no card for an attack is out, and only they know

    def others(self, state: InnState) -> list[int]:
        """The other players still in."""
        return [i for i in state.those_in() if i != state.turn]

    def attacks(self, state: InnState) -> list[Entry]:
        """A card of one's hand, which only its owner knows, to a row that has no such card."""
        assert state.turn is not None
        rows = [state.seats[i] for i in self.others(state)] if state.seats[state.turn].hand else []
        values = [value for value in VALUES if state.pile.unseen[value]]
        return [said("attack", (v, seat.name)) for seat in rows for v in values if v not in seat.stack]

    def on_attack(self, state: InnState, seat: int, value: int, name: str) -> InnState:
        target = state.find(name)
        state = self.from_hand(state, seat, value)
        return self.turn_of(state.seat_but(target, stack=(*state.seats[target].stack, value)), target)

    def on_challenge(self, state: InnState, seat: int, name: str) -> InnState:
        return state.but(challenged=state.find(name))

    def effect(self, state: InnState, seat: int, value: int) -> Effect | None:
        """The challenger is out if the card pairs one of the player challenged."""
        if state.challenged is None or seat != state.turn:
            return None
        return Effect("out") if value in state.seats[state.challenged].stack else None

    def on_card(self, state: InnState, seat: int, value: int) -> InnState:
        """The card of a challenge is discarded if it pairs; else it joins the row, and its owner has the turn."""
        target = state.challenged
        assert target is not None
        pairs = self.effect(state, seat, value)
        state = state.but(challenged=None)
        if pairs:
            state = state.but(pile=state.pile.draw(value).discard((value,)))
            return self.goes_out(state, seat, target)
        return self.turn_of(state.give(target, value), target)

    def on_draw(self, state: InnState, seat: int) -> InnState:
        state = state.seat_but(seat, hand=state.seats[seat].hand + 1)
        return self.turn_of(state.but(pile=state.pile.hide(1)), state.next_in(seat))

    def on_accuse(self, state: InnState, seat: int, name: str, answer: str) -> InnState:
        target = state.find(name)
        return self.goes_out(state, target if answer == YES else seat, target)

    def on_pass(self, state: InnState, seat: int) -> InnState:
        return self.goes_out(state, seat, seat)

    # -- out: row and hand are put aside, and stay there. The last one in wins the round

    def goes_out(self, state: InnState, seat: int, following: int) -> InnState:
        """Put a seat out. The following seat has the next turn or, if it is out, the next one to its left."""
        return self.turn_of(state.seat_but(seat, state="out"), following)

    def turn_of(self, state: InnState, seat: int) -> InnState:
        """Give a seat the turn. A player with no legal action is out."""
        remaining = state.those_in()
        if len(remaining) == 1:
            result = self.result(state, "last in", remaining[0], points={remaining[0]: 1}, winners=remaining)
            return self.finish(state, result)
        state = state.but(turn=seat if state.seats[seat].state == "in" else state.next_in(seat))
        assert state.turn is not None
        nothing_else = next(self.choices(state)) == PASS  # it is the last of the choices
        return self.goes_out(state, state.turn, state.turn) if nothing_else else state

    def clear(self, state: InnState) -> InnState:
        return super().clear(state).but(challenged=None)

    # -- the odds

    def tells_risk(self, state: InnState) -> bool:
        """Only the card of a challenge puts somebody out."""
        return state.challenged is not None

    def chances(self, state: InnState) -> dict[str, dict[Any, Fraction]]:
        """For each player who can be challenged: the chance that it puts the player to act out."""
        if state.phase != "play":
            return {}
        assert state.turn is not None
        dangers = self.dangers(state, state.turn) if state.challenged is None else {}
        unseen, total = state.pile.unseen, state.pile.total  # hidden hands count as unseen
        return {"challenge": {name: Fraction(sum(unseen[v] for v in row), total) for name, row in dangers.items()}}

    def dangers(self, state: InnState, seat: int) -> dict[str, tuple[int, ...]]:
        """In a challenge: the cards of the other player's row."""
        if state.phase != "play" or state.seats[seat].state != "in" or not state.pile.left:
            return {}
        others = [state.seats[i] for i in state.those_in() if i != seat]
        return {other.name: other.stack for other in others}

    def own_seat_keys(self, state: InnState, position: int) -> dict[str, Any]:
        return {"hand": state.seats[position].hand}

    # -- why an entry is refused

    def refusal(self, state: InnState, entry: Entry) -> Sentence:
        if state.phase == "play" and state.challenged is None and entry.verb == CARD:
            return say("A card is turned up for a challenge only: first say who is challenged.")
        if state.phase != "play" or entry.verb not in ("attack", "challenge", "draw", "accuse"):
            return super().refusal(state, entry)
        if state.challenged is not None:
            return say("{name} is challenged: first enter the card turned up.", name=state.name(state.challenged))
        return PILE_EMPTY if entry.verb == "draw" else self.no_target(state, entry)

    def no_target(self, state: InnState, entry: Entry) -> Sentence:
        """Why the player named cannot be attacked, challenged or accused."""
        assert state.turn is not None
        actor, target = state.seats[state.turn], state.seats[state.find(entry.args[entry.verb == "attack"])]
        if target is actor:
            return say("It is {name}’s own turn: name another player.", name=target.name)
        if target.state != "in":
            return say("{name} is out of this round.", name=target.name)
        if entry.verb == "challenge":
            return PILE_EMPTY
        if entry.verb == "accuse":
            return say("{name} has no card in hand and cannot be accused.", name=target.name)
        if not actor.hand:
            return say("{name} has no card in hand to attack with.", name=actor.name)
        value = entry.args[0]
        if value in target.stack:
            return say("{name} has a {value} already.", name=target.name, value=value)
        return none_left(value, state.pile.decks)
