"""Every payment of the evening, or of one player, newest first, in pages."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from companion.table.ledger import LedgerLine, newest_page
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.board.screen import marks
from companion.web.format import signed
from companion.web.forms import whole
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.pages import Screen, common
from companion.web.people import Person, holder_name
from companion.web.table import load_for_phone

blueprint = Blueprint("payments", __name__, url_prefix=A_TABLE)

A_PAGE = 60  # payments; those of one entry stay together


@dataclass(frozen=True)
class PaymentMade:
    """A payment as it was made."""

    when: str  # game and round
    who: str
    whom: str
    amount: str
    why: str


@dataclass(frozen=True)
class Payments(Screen):
    people: tuple[Person, ...]
    who: str  # the player; empty for everybody
    newest: bool
    lines: tuple[PaymentMade, ...]
    older: int | None  # the next page ends before this entry


def payments_screen(table: Table, table_id: str, dealer: bool, who: str = "", before: int | None = None) -> Payments:
    """A page of payments: the newest, or those before an entry."""
    people = tuple(Person(*known) for known in marks(table.state).items())
    whose = who if who in {person.name for person in people} else ""
    lines, older = newest_page(table, A_PAGE, before, whose)
    return Payments(
        **common(table, table_id, dealer, _("Every payment")),
        people=people,
        who=whose,
        newest=before is None,
        lines=tuple(_payment(line, whose) for line in lines),
        older=older,
    )


def _payment(line: LedgerLine, whose: str) -> PaymentMade:
    """A payment; for one player with a sign, as income or expense."""
    amount = str(line.amount) if not whose else signed(line.amount if line.whom == whose else -line.amount)
    when = _("game {game}, round {number}").format(game=line.game, number=line.round)
    return PaymentMade(when, holder_name(line.who), holder_name(line.whom), amount, translate(line.why))


@blueprint.get("/payments")
def show(table_id: str) -> ResponseReturnValue:
    """A page of payments with their reasons."""
    table, dealer = load_for_phone(table_id)
    before = whole(request.args.get("before", ""))
    screen = payments_screen(table, table_id, dealer, request.args.get("who", ""), before)
    return render_template("table/payments.html", screen=screen)
