"""Names, order, joining and leaving."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.table import Table
from companion.web.i18n import gettext as _

from .page import Screen, common
from .people import Person
from .pieces import marks


@dataclass(frozen=True)
class Seats(Screen):
    may_change: bool
    people: tuple[Person, ...]
    away: tuple[str, ...]
    first: str  # the entry that names who deals or holds the button, where the game has one
    holder: str
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
        message=message,
        holder=holder or "",
    )
