"""The end of a game on the board: who pays whom, and the way on."""

from __future__ import annotations

from typing import NamedTuple

from companion.coach import is_hidden
from companion.coach.values import VALUED
from companion.engine.state import Outcome
from companion.table.table import Table
from companion.web.screens.board import Mark, Part
from companion.web.screens.pieces import marks


class Flow(NamedTuple):
    """Chips that went from one player to another."""

    from_mark: Mark
    from_name: str
    chips: int
    to_mark: Mark
    to_name: str


class Over(NamedTuple):
    flows: tuple[Flow, ...]
    stakes: str
    forfeit: str
    carried: int
    luck: bool  # whether luck is told from skill
    again: str  # the entry that deals the same again


def over_part(table: Table) -> Part:
    state = table.state
    assert state.outcome is not None
    stakes = state.options.get("stakes", "")
    forfeit = state.options.get("forfeit", "") if stakes == "forfeit" else ""
    flows = _paid(table) or _owed(table, state.outcome)
    luck = state.game in VALUED and not is_hidden(table)
    return Part("board/_over.html", Over(flows, stakes, forfeit, state.middle, luck, str(table.game_entry())))


def _paid(table: Table) -> tuple[Flow, ...]:
    """What the last entry moved from player to player."""
    named = marks(table.state)
    return tuple(
        Flow(named[payment.who], payment.who, payment.amount, named[payment.whom], payment.whom)
        for payment in table.head.paid
        if payment.who in named and payment.whom in named
    )


def _owed(table: Table, outcome: Outcome) -> tuple[Flow, ...]:
    """What the loser paid, where it went through the middle."""
    if not outcome.loser:
        return ()
    named, loser = marks(table.state), outcome.loser
    return tuple(
        Flow(named[loser], loser, chips, named[name], name) for name, chips in outcome.chips.items() if chips > 0
    )
