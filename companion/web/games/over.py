"""The end of a game on the board: who pays whom, and the way on."""

from __future__ import annotations

from typing import NamedTuple

from companion.coach import is_hidden
from companion.coach.values import VALUED
from companion.table.table import Table
from companion.web.i18n import ngettext
from companion.web.screens.board import Part, Payment, Settled
from companion.web.screens.pieces import marks

from .stakes import stakes_sentence


class Over(NamedTuple):
    """The way on."""

    luck: bool  # whether luck is told from skill
    again: str  # the entry that deals the same again


def over_part(table: Table) -> Part:
    luck = table.state.game in VALUED and not is_hidden(table)
    return Part("board/_over.html", Over(luck, str(table.game_entry())))


def settled(table: Table) -> Settled | None:
    """Who pays what to whom; nothing where a game is won and nobody pays."""
    outcome, options = table.state.outcome, table.state.options
    assert outcome is not None
    if not outcome.loser or "stakes" not in options:
        return None
    won = {name: chips for name, chips in outcome.chips.items() if chips > 0}
    paid = -outcome.chips.get(outcome.loser, 0)
    sentence = stakes_sentence(options["stakes"], options.get("forfeit", ""), outcome.loser, paid, tuple(won))
    moved = middle_sentence(paid - sum(won.values()), table.state.middle)
    picture = None
    if paid and len(won) == 1:
        (winner, chips), *_rest = won.items()
        named = marks(table.state)
        picture = Payment(named[outcome.loser], outcome.loser, chips, named[winner], winner)
    return Settled(f"{sentence} {moved}".strip(), picture)


def middle_sentence(kept: int, carried: int) -> str:
    """What went into the middle or came out of it."""
    if kept < 0:
        return ngettext("{chips} chip comes from the middle.", "{chips} chips come from the middle.", -kept).format(
            chips=-kept
        )
    if carried:
        return ngettext("{chips} chip stays in the middle.", "{chips} chips stay in the middle.", carried).format(
            chips=carried
        )
    return ""
