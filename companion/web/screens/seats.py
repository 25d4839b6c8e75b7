"""Names, order, joining and leaving."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine.state import Seat
from companion.table.table import Table
from companion.web.i18n import gettext as _

from .page import Screen, common


@dataclass(frozen=True)
class Seats(Screen):
    may_change: bool
    away: tuple[Seat, ...]
    first: str  # the entry that names who deals or holds the button, where the game has one
    holder: str


def seats_screen(table: Table, table_id: str, dealer: bool) -> Seats:
    state = table.state
    game = table.games[state.game]
    first = next((verb for verb in ("dealer", "button") if hasattr(game, f"on_{verb}")), "")
    holder = state.name(getattr(state, first, None)) if first else None
    return Seats(
        **common(table, table_id, dealer, _("Seats")),
        may_change=state.between,
        away=state.away,
        first=first,
        holder=holder or "",
    )
