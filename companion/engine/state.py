"""Where every card and every chip lies. States are frozen: each method returns a new one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar

from .cards import Pile
from .deal import Deal
from .errors import IllegalEntry
from .frozen import Frozen
from .sentence import Sentence, say

SeatState = Literal["in", "out", "folded", "passed", "locked"]
Phase = Literal["deal", "play", "round over", "game over"]
Options = Mapping[str, Any]

# The parties of a payment that are not seats; each is a field of the state.
BANK, POT, MIDDLE = "bank", "pot", "middle"
Party = int | str


@dataclass(frozen=True, kw_only=True)
class Seat(Frozen):
    """A player: what is in front of him, what he has kept, points and chips. Games add fields."""

    name: str
    points: int = 0
    chips: int = 0
    mark: int = 0  # which of the eight marks (colour, letter, shape) is his for the evening
    bought: int = 0  # chips from the bank over the evening
    cashed: int = 0  # and back to it
    state: SeatState = "in"
    stack: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()

    def without_game(self) -> Seat:
        """What somebody takes from one game to the next: the name and the chips."""
        return Seat(name=self.name, chips=self.chips, mark=self.mark, bought=self.bought, cashed=self.cashed)

    @property
    def won(self) -> int:
        """What he has won or lost over the evening: chips bought are not won."""
        return self.chips - self.bought + self.cashed


@dataclass(frozen=True, slots=True)
class Payment:
    """Chips that went from one party to another, and why."""

    who: str
    whom: str
    amount: int
    why: Sentence


class Result(NamedTuple):
    """How the last round ended, and what it changed."""

    round: int
    how: str
    who: str | None
    value: int | None
    points: Mapping[str, int]
    chips: Mapping[str, int]
    winners: tuple[str, ...]
    share: int | None
    stacks: Mapping[str, tuple[int, ...]]
    next: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How the game ended, and what was paid for it."""

    loser: str | None = None
    winners: tuple[str, ...] = ()
    chips: Mapping[str, int]
    reason: Sentence

    def renamed(self, old: str, new: str) -> Outcome:
        """The same, with somebody's new name."""
        return dataclasses.replace(
            self,
            loser=new if self.loser == old else self.loser,
            winners=tuple(new if name == old else name for name in self.winners),
            chips={new if name == old else name: chips for name, chips in self.chips.items()},
            reason=say(
                self.reason.template,
                **{key: new if value == old else value for key, value in self.reason.values.items()},
            ),
        )


S = TypeVar("S", bound=Seat)


@dataclass(frozen=True, kw_only=True)
class State(Frozen, Generic[S]):
    """The table as it stands. A game adds fields of its own in a subclass."""

    # Fields that hold a seat's position, so that they can follow when the seats change.
    # The next one to the left takes the place of who has gone; for LAST_POSITIONS it is the one to the right,
    # because they tell whom something comes after.
    POSITIONS: ClassVar[tuple[str, ...]] = ("turn",)
    LAST_POSITIONS: ClassVar[tuple[str, ...]] = ()

    game: str
    options: Options
    seats: tuple[S, ...]
    away: tuple[Seat, ...] = ()  # who left: chips for the evening, points and kept cards for the game
    pile: Pile
    phase: Phase = "deal"
    between: bool = True  # no round is under way: seats may change, the next card begins a round
    round: int = 1
    turn: int | None = None
    deal: Deal | None = None
    bank: int = 0
    pot: int = 0
    middle: int = 0  # carried chips
    paid: tuple[Payment, ...] = ()  # by the last entry
    round_paid: tuple[Payment, ...] = ()  # by the round before that
    result: Result | None = None
    outcome: Outcome | None = None

    # -- seats

    def find(self, name: str) -> int:
        """The position of a name, in any case, or a sentence that nobody has it."""
        for position, seat in enumerate(self.seats):
            if seat.name == name:
                return position
        wanted = name.casefold()
        for position, seat in enumerate(self.seats):
            if seat.name.casefold() == wanted:
                return position
        raise IllegalEntry(say("Nobody called {name} sits at the table.", name=name))

    def find_anyone(self, name: str) -> int:
        """Like `find`, but also who has left: those count from -1 downwards."""
        for position, seat in enumerate(self.away):
            if seat.name.casefold() == name.casefold():
                return -1 - position
        return self.find(name)

    def name(self, position: int | None) -> str | None:
        """The name at a position, or nobody's."""
        return None if position is None else self.seats[position].name

    def everyone(self) -> tuple[Seat, ...]:
        """The seats, and who has left."""
        return (*self.seats, *self.away)

    def those_in(self) -> tuple[int, ...]:
        """The positions of the players still in, in seat order."""
        return tuple(i for i, seat in enumerate(self.seats) if seat.state == "in")

    def round_from(self, position: int) -> tuple[int, ...]:
        """All positions clockwise, that one first."""
        count = len(self.seats)
        return tuple((position + step) % count for step in range(count))

    def next_in(self, position: int) -> int:
        """The next player still in, to the left; himself if he is alone."""
        count = len(self.seats)
        for step in range(1, count + 1):
            if self.seats[(position + step) % count].state == "in":
                return (position + step) % count
        raise AssertionError("nobody is in")

    @property
    def waiting(self) -> tuple[int, ...]:
        return self.deal.waiting if self.deal else ()

    # -- changes

    def seat_but(self, position: int, **changes: Any) -> Self:
        """The same state with one seat changed."""
        seats = list(self.seats)
        seats[position] = seats[position].but(**changes)
        return self.but(seats=tuple(seats))

    def each_seat(self, **changes: Any) -> Self:
        """The same state with every seat changed in the same way."""
        return self.but(seats=tuple(seat.but(**changes) for seat in self.seats))

    def give(self, position: int, value: int) -> Self:
        """A card from the pile comes to lie on a seat's stack."""
        seats = list(self.seats)
        seats[position] = seats[position].but(stack=(*seats[position].stack, value))
        return self.but(pile=self.pile.draw(value), seats=tuple(seats))

    def discard_stacks(self, positions: Iterable[int]) -> Self:
        """The stacks of these seats are put away."""
        seats, pile = list(self.seats), self.pile
        for position in positions:
            pile = pile.discard(seats[position].stack)
            seats[position] = seats[position].but(stack=())
        return self.but(seats=tuple(seats), pile=pile)

    def take_from_stack(self, position: int, value: int) -> Self:
        """One card leaves a stack; whoever calls says where it goes."""
        stack = list(self.seats[position].stack)
        stack.remove(value)
        return self.seat_but(position, stack=tuple(stack))

    def keep(self, position: int, value: int, holder: int) -> Self:
        """A card out of the holder's stack becomes a score card of a seat."""
        seats, stack = list(self.seats), list(self.seats[holder].stack)
        stack.remove(value)
        seats[holder] = seats[holder].but(stack=tuple(stack))
        seats[position] = seats[position].but(kept=(*seats[position].kept, value))
        return self.but(seats=tuple(seats))

    def pay(self, who: Party, whom: Party, amount: int, why: Sentence) -> Self:
        """The only way chips move. Seats are positions; bank, pot and middle are parties too."""
        if amount == 0:
            return self
        state = self._move(who, -amount)._move(whom, amount)
        if who == BANK and isinstance(whom, int):
            state = state._note_cash(whom, amount)
        elif whom == BANK and isinstance(who, int):
            state = state._note_cash(who, -amount)
        payment = Payment(self._party(who), self._party(whom), amount, why)
        return state.but(paid=(*state.paid, payment))

    def pay_back(self, payment: Payment) -> Self:
        """A payment goes the other way."""
        return self.pay(
            self._read_party(payment.whom),
            self._read_party(payment.who),
            payment.amount,
            say("given back: {why}", why=payment.why),
        )

    def _note_cash(self, position: int, amount: int) -> Self:
        """Chips from the bank, or back to it."""
        person = self._person(position)
        if amount > 0:
            return self._person_but(position, bought=person.bought + amount)
        return self._person_but(position, cashed=person.cashed - amount)

    def _move(self, party: Party, amount: int) -> Self:
        if isinstance(party, int):
            return self._person_but(party, chips=self._person(party).chips + amount)
        return self.but(**{party: getattr(self, party) + amount})

    def _person(self, position: int) -> Seat:
        return self.seats[position] if position >= 0 else self.away[-1 - position]

    def _person_but(self, position: int, **changes: Any) -> Self:
        if position >= 0:
            return self.seat_but(position, **changes)
        away = list(self.away)
        away[-1 - position] = away[-1 - position].but(**changes)
        return self.but(away=tuple(away))

    def _party(self, party: Party) -> str:
        # No name holds a colon, so a player called "pot" is not mistaken for the pot.
        return self._person(party).name if isinstance(party, int) else f":{party}"

    def _read_party(self, name: str) -> Party:
        return name[1:] if name.startswith(":") else self.find_anyone(name)

    # -- what was found out about the round

    def chips_of_round(self, during_entry: bool = False) -> dict[str, int]:
        """What each seat won or lost since the round began; during an entry its own payments are still apart."""
        change = {seat.name: 0 for seat in self.seats}
        for payment in self.round_paid + self.paid if during_entry else self.round_paid:
            for name, amount in ((payment.who, -payment.amount), (payment.whom, payment.amount)):
                if name in change:
                    change[name] += amount
        return change

    def stacks(self) -> dict[str, tuple[int, ...]]:
        """The stacks by name."""
        return {seat.name: seat.stack for seat in self.seats}

    def in_play(self) -> tuple[int, ...]:
        """Every card that lies face up in a stack."""
        return tuple([value for seat in self.seats for value in seat.stack])

    def on_the_table(self) -> tuple[int, ...]:
        """Every card seen and not discarded; a game with a common hand adds it."""
        return self.in_play()

    def cards_accounted_for(self) -> int:
        """55 for each deck, always: the pile, the table and the kept cards."""
        pile = self.pile
        kept = sum(len(seat.kept) for seat in self.everyone())
        gone = sum(pile.discards) + sum(pile.lost)
        return sum(pile.unseen) + gone + kept + len(self.on_the_table())

    def chips_accounted_for(self) -> int:
        """0, always: what the bank gave out is with the seats, in the pot or in the middle."""
        return self.bank + self.pot + self.middle + sum(seat.chips for seat in self.everyone())


AnyState = State[Any]
