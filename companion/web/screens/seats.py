"""Names, order, joining and leaving."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.engine.state import AnyState
from companion.table.table import Table
from companion.web.i18n import gettext as _

from .page import Screen, common
from .people import Person
from .pieces import marks

STEP, LARGE_STEP, LARGE = 10, 50, 100  # of a bet: by tens, from a hundred on by fifties


@dataclass(frozen=True)
class Bet:
    """What a seat bets, and the steps down and up from there; None at the end."""

    chips: int
    less: int | None
    more: int | None


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
        bets={seat.name: bet_of(state, seat.bet) for seat in state.seats} if takes_bets(table) else {},
        message=message,
        holder=holder or "",
    )


def takes_bets(table: Table) -> bool:
    return hasattr(table.games[table.state.game], "on_bet") and table.state.between


def bet_of(state: AnyState, chips: int) -> Bet:
    less = chips - (LARGE_STEP if chips > LARGE else STEP)
    more = chips + (LARGE_STEP if chips >= LARGE else STEP)
    return Bet(chips, max(0, less) if chips else None, more if more <= state.options.get("max", more) else None)
