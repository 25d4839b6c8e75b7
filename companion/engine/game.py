"""The interface of a game: what each must answer, and what most answer alike.

A game is a stateless object. It says which entries are `legal`, moves a state by one entry with a
method `on_<verb>`, and answers one question for the odds: what would this card do to that seat?
What most games share is written once: the deal in `deal.py`, the end of a round in
`ending.py`, the rest here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from functools import cached_property
from itertools import compress
from typing import Any, ClassVar, Generic, TypeVar

from .cards import CARDS_IN_A_DECK, VALUES, Counts, none_left
from .ending import EndRules
from .notation import Entry, card
from .options import NO, YES, Option, choice, number, unless_none
from .results import CardWords, Effect
from .sentence import IllegalEntry, Sentence, say
from .state import BANK, MIDDLE, POT, Seat, State
from .verbs import VERBS, Verb, card_drawn

St = TypeVar("St", bound=State[Any])

SHUFFLE = Entry("shuffle")
MOST_BURNED = 8 * CARDS_IN_A_DECK - 1
CARDS = tuple(map(card, range(11)))  # by value, like the counts: there is no card 0
ODDS = choice(
    say("Show the odds"),
    "all",
    {"all": say("always"), "after": say("after the round"), "off": say("never")},
    {"all": say("odds on"), "after": say("odds after the round"), "off": say("no odds")},
)
COACH = choice(
    say("Coach"),
    "ask",
    {"ask": say("when asked"), "all": say("always"), "off": say("never")},
    {"all": say("coach always on"), "off": say("no coach")},
)
CARDS_ENTERED = choice(
    say("Enter the cards"), YES, {YES: say("yes"), NO: say("no, only the points")}, {NO: say("points only")}
)


class Game(EndRules[St], Generic[St]):
    """Base of all games."""

    key: ClassVar[str]
    title: ClassVar[Sentence]
    pitch: ClassVar[Sentence]  # one line for the menu
    players: ClassVar[range]
    state_type: type[St]
    seat_type: ClassVar[type[Seat]] = Seat
    burn: ClassVar[int] = 0
    own_options: ClassVar[Mapping[str, Option]] = {}
    own_verbs: ClassVar[Mapping[str, Verb]] = {}  # each needs a method on_<verb>
    has_pot: ClassVar[bool] = False
    card_words: ClassVar[CardWords] = CardWords()

    # -- what a game must answer

    def choices(self, state: St) -> Iterator[Entry]:
        """The entries that the player whose turn it is may make."""
        raise NotImplementedError

    def effect(self, state: St, seat: int, value: int) -> Effect | None:
        """What this card would do to the seat now: put it out, at what cost; bank its value; or nothing."""
        raise NotImplementedError

    # -- the rules about the table

    @cached_property
    def options(self) -> Mapping[str, Option]:
        """Every option of the game with its default."""
        return {
            **self.own_options,
            "burn": number(say("Cards burned"), unless_none(say("{value} burned")), self.burn, 0, MOST_BURNED),
            "buyin": number(say("Starting chips"), unless_none(say("starting chips {value}")), 0, 0, 100_000),
            "odds": ODDS,
            "coach": COACH,
            "cards": CARDS_ENTERED,
        }

    def check_players(self, count: int, options: Mapping[str, Any]) -> None:
        """Refuse a number of players that the game does not allow."""
        if count not in self.players:
            least, most = self.players[0], self.players[-1]
            raise IllegalEntry(say("{game} is for {least} to {most} players.", game=self.title, least=least, most=most))

    def options_for(self, count: int) -> Mapping[str, str]:
        """Options that this number of players needs: the set-up sets them where nobody did."""
        return {}

    def open(self, before: State[Any] | None, names: Iterable[str], options: dict[str, Any]) -> St:
        """A new game for these players; chips and the carried pot come from the state before."""
        people = {seat.name: seat for seat in before.seats} if before else {}
        seats = tuple(
            self.seat_for(people[name].without_game() if name in people else Seat(name=name, mark=place), options)
            for place, name in enumerate(names)
        )
        self.check_players(len(seats), options)
        away = tuple(seat.without_game() for seat in (before.away if before else ()))
        state = self.state_type(
            game=self.key,
            options=options,
            seats=seats,
            away=away,
            pile=self.fresh_pile(options),
            bank=before.bank if before else 0,
            middle=before.middle if before else 0,
            paid=before.paid if before else (),
            title=before.title if before else "",
            **self.first_fields(len(seats), options),
        )
        for position in range(len(seats)):
            state = self.buy_in(state, position)
        return self.ready(state)

    def first_fields(self, count: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """The fields of the game's own state that depend on its options."""
        return {}

    def seat_for(self, person: Seat, options: Mapping[str, Any]) -> Seat:
        """A seat of this game for a person who may have chips from before, or points in this game."""
        if isinstance(person, self.seat_type):
            return person
        return self.seat_type(**{name: getattr(person, name) for name in _COMMON_SEAT})

    def buy_in(self, state: St, position: int) -> St:
        """A player who has never bought chips buys the table's buy-in."""
        seat = state.seats[position]
        if seat.bought or seat.cashed or not state.options["buyin"]:
            return state
        return state.pay(BANK, position, state.options["buyin"], say("buy-in"))

    # -- legal: the one source of truth

    def is_playing(self, state: St) -> bool:
        """Whether entries of play can be made at all: not after the game, nor where only points are entered."""
        return state.phase != "game over" and bool(state.options["cards"] == YES)

    def legal(self, state: St) -> tuple[Entry, ...]:
        """The entries of play that are accepted now."""
        if not self.is_playing(state):
            return ()
        return tuple(self.choices(state) if state.phase == "play" else self.deal_choices(state))

    def is_legal(self, state: St, entry: Entry) -> bool:
        """Whether an entry is legal. Stops at the first match, which is cheaper than `legal`."""
        if not self.is_playing(state):
            return False
        return entry in (self.choices(state) if state.phase == "play" else self.deal_choices(state))

    def deal_choices(self, state: St) -> Iterator[Entry]:
        """The next card of the deal; also the starter's name where no card can break a tie."""
        yield from self.draws(state)
        if state.deal and state.deal.tied and not self.can_be_dealt(state, state.deal):
            yield from (Entry("start", (seat.name,)) for seat in state.seats if seat.state == "in")

    def draws(self, state: St) -> Iterable[Entry]:
        """Any card with a copy left, or the shuffle that must come before it."""
        if state.pile.left > 0:
            return compress(CARDS, self.may_turn_up(state))
        return (SHUFFLE,) if state.pile.can_shuffle else ()

    def may_turn_up(self, state: St) -> Counts:
        """The counts of the cards that may come next."""
        return state.pile.unseen

    def shuffle_mark(self, state: St) -> str | None:
        """`needed` when no card can be dealt before a shuffle; a game may add `due`."""
        return "needed" if self.is_playing(state) and state.pile.left == 0 and state.pile.can_shuffle else None

    def implies_shuffle(self, state: St, entry: Entry) -> bool:
        """Whether this entry implies a shuffle: it draws a card, and a shuffle was due."""
        return VERBS[entry.verb].draws and self.shuffle_mark(state) is not None and SHUFFLE in self.legal(state)

    def actor(self, state: St, entry: Entry) -> int | None:
        """The seat an entry of play is for: the one it names, if it is that seat's turn, else the next one."""
        if not self.is_playing(state):
            return None
        possible = state.waiting if state.phase != "play" else () if state.turn is None else (state.turn,)
        if entry.seat is None:
            return possible[0] if possible else None
        seat = state.find(entry.seat)
        if seat not in possible:
            raise IllegalEntry(say("It is not {name}’s turn.", name=state.seats[seat].name))
        return seat

    def refusal(self, state: St, entry: Entry) -> Sentence:
        """Why an entry of play is not legal now."""
        if state.phase == "game over":
            return say("The game is over: start the next one.")
        if state.options["cards"] != YES:
            return say("Cards are not entered at this table: enter the points or chips.")
        if VERBS[entry.verb].draws:
            if self.shuffle_mark(state) == "needed":
                return say("No card is left to deal: shuffle first.")
            value = card_drawn(entry)
            if value is not None and not state.pile.unseen[value]:
                return none_left(value, state.pile.decks)
        if state.phase != "play":
            return say("{doing} is not possible during the deal.", doing=VERBS[entry.verb].doing)
        return say("{doing} is not possible now.", doing=VERBS[entry.verb].doing)

    # -- a round begins

    def begin(self, state: St) -> St:
        """Begin a round: antes are paid, and the carried chips join the pot."""
        state = state.but(
            phase="deal",
            between=False,
            round=state.round + (state.phase == "round over"),
            round_paid=(),
        )
        if self.has_pot:
            for position in state.those_in():
                state = self.ante(state, position)
            state = state.pay(MIDDLE, POT, state.middle, say("carried chips join the pot"))
        return state

    def ante(self, state: St, position: int) -> St:
        return state.pay(position, POT, state.options["ante"], say("ante"))

    # -- points without cards, and corrections

    def on_score(self, state: St, seat: int, points: int) -> St:
        """A seat took these points with cards that were not entered."""
        raise IllegalEntry(
            say("{game} has no points: enter chips under Menu → More → Points and chips.", game=self.title)
        )

    def on_points(self, state: St, seat: int, points: int) -> St:
        """Set the points of a seat, and check the limit or goal at once."""
        raise IllegalEntry(
            say("{game} has no points: enter chips under Menu → More → Points and chips.", game=self.title)
        )

    # -- odds

    def kinds(self, state: St) -> dict[str, int]:
        """How many cards are unseen, by the kinds that the screen shows."""
        return {str(value): state.pile.unseen[value] for value in VALUES}

    def tells_risk(self, state: St) -> bool:
        return True

    def pays_for_cards(self, state: St) -> tuple[int, ...]:
        """The seats for which the cost of a card is in points or chips."""
        return ()

    # -- what else the screen shows

    def prices(self, state: St) -> dict[str, int]:
        """What a choice costs the player to act."""
        return {}

    def own_keys(self, state: St) -> dict[str, Any]:
        """Further keys of the state in the API, for this game only."""
        return {}

    def own_seat_keys(self, state: St, position: int) -> dict[str, Any]:
        """Further keys of a seat in the API: by default the fields that the game adds to its seats."""
        seat = state.seats[position]
        own = {field.name for field in fields(seat)} - _COMMON_SEAT
        return {name: getattr(seat, name) for name in sorted(own)}

    def chances(self, state: St) -> dict[str, dict[Any, Fraction]]:
        """Further odds, for this game only."""
        return {}


_COMMON_SEAT = {field.name for field in fields(Seat)}


AnyGame = Game[State[Any]]
