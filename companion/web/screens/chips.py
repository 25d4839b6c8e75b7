"""Bets, corrections, chips bought and paid."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.table import Table
from companion.web.i18n import gettext as _

from .page import Screen, common


@dataclass(frozen=True)
class Chips(Screen):
    bets: bool
    points: bool


def chips_screen(table: Table, table_id: str, dealer: bool) -> Chips:
    game = table.games[table.state.game]
    return Chips(
        **common(table, table_id, dealer, _("Stakes and chips")),
        bets=hasattr(game, "on_bet") and table.state.between,
        points=game.scores_points,
    )
