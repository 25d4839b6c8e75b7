"""Names, order, joining and leaving."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.engine.notation import quote_name
from companion.engine.state import AnyState
from companion.table.table import Table
from companion.web.i18n import gettext as _

from .page import Screen, common
from .people import Person
from .pieces import marks

STEP, LARGE_STEP, LARGE, USUAL_MOST = 10, 50, 100, 1000  # of a bet: by tens, from a hundred on by fifties


@dataclass(frozen=True)
class Bet:
    """What a seat bets, how its entry begins, and all bets that its steps lead to."""

    chips: int
    entry: str
    steps: tuple[int, ...]

    @property
    def less(self) -> int | None:
        return next((bet for bet in reversed(self.steps) if bet < self.chips), None)

    @property
    def more(self) -> int | None:
        return next((bet for bet in self.steps if bet > self.chips), None)


@dataclass(frozen=True)
class Seats(Screen):
    may_change: bool
    people: tuple[Person, ...]
    away: tuple[str, ...]
    first: str  # the entry that names who deals or holds the button, where the game has one
    holder: str
    bets: Mapping[str, Bet]  # by name, where bets can be changed now
    message: str = ""  # why a change was refused


def seats_screen(table: Table, table_id: str, dealer: bool, message: str = "") -> Seats:
    state = table.state
    game = table.games[state.game]
    first = next((verb for verb in ("dealer", "button") if hasattr(game, f"on_{verb}")), "")
    named = marks(state)
    holder = state.name(getattr(state, first, None)) if first else None
    return Seats(
        **common(table, table_id, dealer, _("Seats")),
        may_change=state.between,
        people=tuple(Person(seat.name, named[seat.name]) for seat in state.seats),
        away=tuple(seat.name for seat in state.away),
        first=first,
        bets={seat.name: bet_of(state, seat.name, seat.bet) for seat in state.seats} if takes_bets(table) else {},
        message=message,
        holder=holder or "",
    )


def takes_bets(table: Table) -> bool:
    return hasattr(table.games[table.state.game], "on_bet") and table.state.between


def bet_of(state: AnyState, name: str, chips: int) -> Bet:
    return Bet(chips, f"bet {quote_name(name)}", steps_of_bet(chips, state.options.get("max")))


def steps_of_bet(chips: int, most: int | None) -> tuple[int, ...]:
    end = most or max(USUAL_MOST, 2 * chips)
    steps = {*range(0, LARGE, STEP), *range(LARGE, end, LARGE_STEP), end, chips}
    return tuple(sorted(bet for bet in steps if bet <= end))
