"""The end of a game on the board: who pays whom, and the buttons for what comes next."""

from __future__ import annotations

from typing import NamedTuple

from companion.coach import is_hidden
from companion.coach.values import VALUED
from companion.engine.notation import NAME_LENGTH
from companion.engine.results import Outcome
from companion.table.table import Table
from companion.web.board.screen import BoardPart, PaymentArrow, Settled, marks, short_name
from companion.web.format import listing
from companion.web.i18n import gettext as _
from companion.web.i18n import ngettext

TO_EVERYBODY = ("downspear", "seattle")
TO_EACH_LOWEST = ("norland",)


class Over(NamedTuple):
    """The buttons after a game."""

    luck: bool  # whether there is a page about luck and skill
    again: str  # the entry that starts the same game again


def who_ended(outcome: Outcome, longest: int = NAME_LENGTH) -> str:
    """Who has won or lost a game; the names of several winners are cut to `longest` characters."""
    if outcome.lost:
        return _("{name} loses").format(name=outcome.loser)
    if len(outcome.winners) > 1:
        return _("{names} win").format(names=listing(short_name(name, longest) for name in outcome.winners))
    return _("{name} wins").format(name=outcome.winners[0]) if outcome.winners else ""


def over_part(table: Table) -> BoardPart:
    luck = table.state.game in VALUED and not is_hidden(table)
    return BoardPart("board/_over.html", Over(luck, str(table.game_entry())))


def settled(table: Table) -> Settled | None:
    """Who pays what to whom; None in a game without a loser, where nobody pays."""
    outcome, options = table.state.outcome, table.state.options
    assert outcome is not None
    if not outcome.loser or "stakes" not in options:
        return None
    won = {name: chips for name, chips in outcome.chips.items() if chips > 0}
    paid = -outcome.chips.get(outcome.loser, 0)
    sentence = stakes_sentence(options["stakes"], options.get("forfeit", ""), outcome.loser, paid, tuple(won))
    moved = middle_sentence(paid - sum(won.values()), table.state.middle)
    picture = None
    if paid and won:
        named = marks(table.state)
        picture = PaymentArrow(named[outcome.loser], outcome.loser, paid, tuple((named[name], name) for name in won))
    return Settled(f"{sentence} {moved}".strip(), picture)


def middle_sentence(kept: int, carried: int) -> str:
    """The chips that went into the middle or came out of it, in a sentence."""
    if kept < 0:
        return ngettext("{chips} chip comes from the middle.", "{chips} chips come from the middle.", -kept).format(
            chips=-kept
        )
    if carried:
        return ngettext("{chips} chip stays in the middle.", "{chips} chips stay in the middle.", carried).format(
            chips=carried
        )
    return ""


def stakes_sentence(stakes: str, forfeit: str, loser: str, paid: int, winners: tuple[str, ...]) -> str:
    """What the loser of a game pays under these stakes, and to whom, in a sentence."""
    if stakes == "forfeit":
        owed = _("{name} owes a forfeit: {what}") if forfeit else _("{name} owes a forfeit.")
        return owed.format(name=loser, what=forfeit)
    sentence = _template(stakes, paid, winners)
    names = listing(winners) if winners else ""
    return sentence.format(stakes=stakes.capitalize(), name=loser, chips=paid, winners=names, count=len(winners))


def _template(stakes: str, paid: int, winners: tuple[str, ...]) -> str:
    if not paid:
        return _("{stakes}: nobody pays.")
    if len(winners) == 1:
        return _("{stakes}: {name} pays {chips} to {winners}.")
    if stakes in TO_EVERYBODY:
        return _("{stakes}: {name} pays 1 to everybody.")
    if stakes in TO_EACH_LOWEST:
        return _("{stakes}: {name} pays 1 to each of the lowest.")
    if stakes == "portland":
        return _("{stakes}: {name} pays {chips} in all.")
    if len(winners) == 2:
        return _("{stakes}: {name} pays {chips}, shared by {winners}.")
    if winners:
        return _("{stakes}: {name} pays {chips}, shared by the {count} lowest.")
    return _("{stakes}: {name} pays {chips}.")
