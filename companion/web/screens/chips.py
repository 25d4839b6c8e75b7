"""Bets, corrections, chips bought and paid."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.table import Table
from companion.web.i18n import gettext as _

from .page import Screen, common
from .people import Person
from .pieces import marks


@dataclass(frozen=True)
class ScoreRow:
    """What somebody has, at the table or away from it."""

    person: Person
    points: int
    chips: int


@dataclass(frozen=True)
class Chips(Screen):
    bets: bool
    points: bool
    scores: tuple[ScoreRow, ...]
    seated: tuple[str, ...]
    carried: int
    message: str = ""  # why a change was refused


def chips_screen(table: Table, table_id: str, dealer: bool, message: str = "") -> Chips:
    state = table.state
    game, named = table.games[state.game], marks(state)
    return Chips(
        **common(table, table_id, dealer, _("Stakes and chips")),
        bets=hasattr(game, "on_bet") and state.between,
        points=game.scores_points,
        scores=tuple(
            ScoreRow(Person(seat.name, named[seat.name]), seat.points, seat.chips) for seat in state.everyone()
        ),
        seated=tuple(seat.name for seat in state.seats),
        message=message,
        carried=state.middle,
    )
