"""What Zombie Life and Pirates' Inn share: a tie for the lowest card goes to the oldest player."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from companion.engine.game import Game
from companion.engine.options import free_text, with_value
from companion.engine.sentence import InvalidEntry, say
from companion.engine.state import Seat, State

OLDEST = {"oldest": free_text(say("Oldest first (A/B/C)"), with_value(say("oldest first: {value}")))}
UNLISTED = 1_000


@dataclass(frozen=True, kw_only=True)
class AgedSeat(Seat):
    age: int = UNLISTED  # a smaller number is older; equal ones go by seat order


St = TypeVar("St", bound=State[Any])


def in_order(text: str, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """The names in a text that joins them by /; None if it cannot be read. A name may contain a / itself."""
    for name in names:
        head, rest = text[: len(name)], text[len(name) :]
        if head.casefold() != name.casefold() or rest[:1] not in ("", "/"):
            continue
        others = tuple(other for other in names if other != name)
        following = in_order(rest[1:], others) if rest else ()
        if following is not None:
            return (name, *following)
    return None


class ByAge(Game[St]):
    """A game whose option `oldest` lists the seats, oldest first; without it, seat order counts."""

    def open(self, before: State[Any] | None, names: Iterable[str], options: dict[str, Any]) -> St:
        names = tuple(names)
        listed = in_order(options["oldest"], names) if "oldest" in options else ()
        if listed is None:
            raise InvalidEntry(say("“Oldest first” takes players’ names separated by /, as in Ana/Ben."))
        state = super().open(before, names, options)
        for age, name in enumerate(listed):
            state = state.seat_but(state.find(name), age=age)
        return state

    def oldest(self, state: St, positions: Iterable[int]) -> int:
        return min(positions, key=lambda i: (state.seats[i].age, i))

    def lowest(self, state: St, cards: Iterable[tuple[int, int]]) -> tuple[int, ...]:
        """No tie-break: of the players with the lowest card the oldest starts."""
        return (self.oldest(state, super().lowest(state, cards)),)
