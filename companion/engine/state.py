"""Where every card and every chip is. States are frozen: each method returns a new one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar

from .cards import Frozen, Pile
from .deal import Deal
from .results import Outcome, Payment, Result
from .sentence import IllegalEntry, Sentence, say

SeatState = Literal["in", "out", "folded", "passed", "locked"]
Phase = Literal["deal", "play", "round over", "game over"]
Options = Mapping[str, Any]

# The parties of a payment that are not seats; each is a field of the state.
BANK, POT, MIDDLE = "bank", "pot", "middle"
Party = int | str


@dataclass(frozen=True, kw_only=True)
class Seat(Frozen):
    """A player: cards face up and kept, points and chips. Games add fields."""

    name: str
    points: int = 0
    chips: int = 0
    mark: int = 0  # which of the eight marks (colour, letter, shape) the player has all evening
    bought: int = 0  # chips from the bank over the evening
    cashed: int = 0  # and back to it
    state: SeatState = "in"
    stack: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()

    def gaining(self, amount: int, from_bank: bool) -> Self:
        """The seat with more chips, or fewer; chips from or to the bank are counted apart."""
        if not from_bank:
            return self.but(chips=self.chips + amount)
        if amount > 0:
            return self.but(chips=self.chips + amount, bought=self.bought + amount)
        return self.but(chips=self.chips + amount, cashed=self.cashed - amount)

    def without_game(self) -> Seat:
        """What a player takes from one game to the next: name, mark and chips."""
        return EMPTY_SEAT.but(name=self.name, chips=self.chips, mark=self.mark, bought=self.bought, cashed=self.cashed)

    @property
    def won(self) -> int:
        """The chips won or lost over the evening: those bought do not count."""
        return self.chips - self.bought + self.cashed


EMPTY_SEAT = Seat(name="")


S = TypeVar("S", bound=Seat)


@dataclass(frozen=True, kw_only=True)
class State(Frozen, Generic[S]):
    """The table at one moment. A game adds fields of its own in a subclass."""

    # Fields that hold a seat's position, so that they can follow when the seats change. If the seat is gone, the next
    # one to the left takes over; for LAST_POSITIONS the next one to the right, because something comes after them.
    POSITIONS: ClassVar[tuple[str, ...]] = ("turn",)
    LAST_POSITIONS: ClassVar[tuple[str, ...]] = ()

    game: str
    options: Options
    seats: tuple[S, ...]
    away: tuple[Seat, ...] = ()  # players who left: chips for the evening, points and kept cards for the game
    pile: Pile
    phase: Phase = "deal"
    between: bool = True  # no round is under way: seats may change, the next card begins a round
    round: int = 1
    turn: int | None = None
    deal: Deal | None = None
    bank: int = 0
    pot: int = 0
    middle: int = 0  # carried chips
    title: str = ""  # the name of the evening
    paid: tuple[Payment, ...] = ()  # payments of the last entry
    round_paid: tuple[Payment, ...] = ()  # payments of the round so far
    result: Result | None = None
    outcome: Outcome | None = None

    # -- seats

    def find(self, name: str) -> int:
        """The position of a player, ignoring case; an unknown name is refused."""
        for position, seat in enumerate(self.seats):
            if seat.name == name:
                return position
        wanted = name.casefold()
        for position, seat in enumerate(self.seats):
            if seat.name.casefold() == wanted:
                return position
        raise IllegalEntry(say("Nobody called {name} sits at the table.", name=name))

    def find_anyone(self, name: str) -> int:
        """Like `find`, but also for players who left: they count from -1 downwards."""
        for position, seat in enumerate(self.away):
            if seat.name.casefold() == name.casefold():
                return -1 - position
        return self.find(name)

    def name(self, position: int | None) -> str | None:
        """The name at a position, or None."""
        return None if position is None else self.seats[position].name

    def names(self) -> list[str]:
        """The names in seat order."""
        return [seat.name for seat in self.seats]

    def everyone(self) -> tuple[Seat, ...]:
        """All seats, and those of players who left."""
        return (*self.seats, *self.away)

    def those_in(self) -> tuple[int, ...]:
        """The positions of the players still in, in seat order."""
        return tuple([i for i, seat in enumerate(self.seats) if seat.state == "in"])

    def round_from(self, position: int) -> tuple[int, ...]:
        """All positions clockwise, that one first."""
        count = len(self.seats)
        first = position % count
        return (*range(first, count), *range(first))

    def next_in(self, position: int) -> int:
        """The next player still in, to the left; the same one if nobody else is in."""
        count, following = len(self.seats), position
        for _ in self.seats:
            following = (following + 1) % count
            if self.seats[following].state == "in":
                return following
        raise AssertionError("nobody is in")

    @property
    def waiting(self) -> tuple[int, ...]:
        return self.deal.waiting if self.deal else ()

    # -- changes

    def seat_but(self, position: int, **changes: Any) -> Self:
        """The same state with one seat changed."""
        return self.but(seats=self.seats_but(position, **changes))

    def seats_but(self, position: int, **changes: Any) -> tuple[S, ...]:
        """The seats with one of them changed."""
        seats = list(self.seats)
        seats[position] = seats[position].but(**changes)
        return tuple(seats)

    def each_seat(self, **changes: Any) -> Self:
        """The same state with every seat changed in the same way."""
        return self.but(seats=tuple([seat.but(**changes) for seat in self.seats]))

    def give(self, position: int, value: int) -> Self:
        """A card from the pile goes onto a seat's stack."""
        seats = list(self.seats)
        seats[position] = seats[position].but(stack=(*seats[position].stack, value))
        return self.but(pile=self.pile.draw(value), seats=tuple(seats))

    def discard_stacks(self, positions: Iterable[int]) -> Self:
        """The stacks of these seats are discarded."""
        seats, cards = list(self.seats), list[int]()
        for position in positions:
            cards += seats[position].stack
            seats[position] = seats[position].but(stack=())
        return self.but(seats=tuple(seats), pile=self.pile.discard(cards))

    def take_from_stack(self, position: int, value: int) -> Self:
        """One card leaves a stack; the caller puts it somewhere."""
        stack = list(self.seats[position].stack)
        stack.remove(value)
        return self.seat_but(position, stack=tuple(stack))

    def keep(self, position: int, value: int, holder: int) -> Self:
        """A card out of the holder's stack becomes a score card of a seat."""
        seats, stack = list(self.seats), list(self.seats[holder].stack)
        stack.remove(value)
        kept = (*seats[position].kept, value)
        if holder == position:
            return self.seat_but(position, stack=tuple(stack), kept=kept)
        seats[holder] = seats[holder].but(stack=tuple(stack))
        seats[position] = seats[position].but(kept=kept)
        return self.but(seats=tuple(seats))

    def pay(self, who: Party, whom: Party, amount: int, why: Sentence) -> Self:
        """The only way chips move. Seats are positions; bank, pot and middle are parties too."""
        if amount == 0:
            return self
        changes: dict[str, Any] = {"paid": (*self.paid, Payment(self._party(who), self._party(whom), amount, why))}
        self._move(changes, who, -amount, whom == BANK)
        self._move(changes, whom, amount, who == BANK)
        return self.but(**changes)

    def pay_back(self, payment: Payment) -> Self:
        """Reverse a payment."""
        return self.pay(
            self._read_party(payment.whom),
            self._read_party(payment.who),
            payment.amount,
            say("given back: {why}", why=payment.why),
        )

    def _move(self, changes: dict[str, Any], party: Party, amount: int, with_bank: bool) -> None:
        """Add to `changes` that a party gains (or loses) chips."""
        if isinstance(party, str):
            changes[party] = changes.get(party, getattr(self, party)) + amount
            return
        where, place = ("seats", party) if party >= 0 else ("away", -1 - party)
        people = list(changes.get(where, getattr(self, where)))
        people[place] = people[place].gaining(amount, with_bank)
        changes[where] = tuple(people)

    def _person(self, position: int) -> Seat:
        return self.seats[position] if position >= 0 else self.away[-1 - position]

    def _party(self, party: Party) -> str:
        # No name holds a colon, so a player called "pot" is not mistaken for the pot.
        return self._person(party).name if isinstance(party, int) else f":{party}"

    def _read_party(self, name: str) -> Party:
        return name[1:] if name.startswith(":") else self.find_anyone(name)

    # -- facts about the round

    def chips_of_round(self, during_entry: bool = False) -> dict[str, int]:
        """The chips each seat won or lost in this round; with `during_entry`, the present entry included."""
        change = dict.fromkeys(self.names(), 0)
        for payment in self.round_paid + self.paid if during_entry else self.round_paid:
            for name, amount in ((payment.who, -payment.amount), (payment.whom, payment.amount)):
                if name in change:
                    change[name] += amount
        return change

    def stacks(self) -> dict[str, tuple[int, ...]]:
        """The stacks by name."""
        return {seat.name: seat.stack for seat in self.seats}

    def in_play(self) -> tuple[int, ...]:
        """Every face-up card in a stack."""
        return tuple([value for seat in self.seats for value in seat.stack])

    def on_the_table(self) -> tuple[int, ...]:
        """Every face-up card; a game with common cards adds them."""
        return self.in_play()

    def cards_accounted_for(self) -> int:
        """55 for each deck, always: the pile, the table and the kept cards."""
        pile = self.pile
        kept = sum(len(seat.kept) for seat in self.everyone())
        gone = sum(pile.discards) + sum(pile.lost)
        return sum(pile.unseen) + gone + kept + len(self.on_the_table())

    def chips_accounted_for(self) -> int:
        """0, always: the chips from the bank are with the seats, in the pot or in the middle."""
        return self.bank + self.pot + self.middle + sum(seat.chips for seat in self.everyone())


AnyState = State[Any]
