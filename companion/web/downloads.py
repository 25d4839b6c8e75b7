"""Files of a table: the evening as text, every payment as a spreadsheet, the table file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from flask import Blueprint, Response, request, url_for
from flask.typing import ResponseReturnValue

from companion.table.ledger import FROM_BANK, IN_THE_MIDDLE, newest_page
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.evening import EveningScreen, GameRow, PaymentDue, SumRow, evening_wanted
from companion.web.forms import whole
from companion.web.slow import slow
from companion.web.table import load_for_phone

from .i18n import gettext as _
from .i18n import translate

blueprint = Blueprint("downloads", __name__, url_prefix=A_TABLE)

MOST_PAYMENTS = 5_000  # in one file: a long evening has a few hundred
# Beginnings that a spreadsheet would take for a formula, the full-width forms included.
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")


def as_text(screen: EveningScreen) -> str:
    """The evening as a message: who pays whom, the forfeits owed, the games won, the ledger."""
    lines = [
        _labelled(screen.title, screen.line),
        *filter(None, (screen.day,)),
        "",
        _("Who pays whom"),
        *_payments_due(screen),
        *_forfeits(screen),
        *_games_won(screen),
        "",
        _("Ledger"),
        *_ledger(screen),
    ]
    return "\n".join(lines) + "\n"


def _labelled(name: str, what: object) -> str:
    return _("{name}: {what}").format(name=name, what=what)


def _payments_due(screen: EveningScreen) -> Iterator[str]:
    for group in screen.due:
        if group.title:
            yield group.title
        for due in group.payments:
            sentence = _paid(due).format(who=due.who.name, whom=due.whom.name, amount=due.amount)
            yield f"  {sentence} ({due.money})" if due.money else f"  {sentence}"
    if not screen.due:
        yield f"  {_('Nobody owes anybody chips.')}"


def _paid(due: PaymentDue) -> str:
    """The sentence for a payment. The middle needs its own: it has no name to fill in."""
    if due.whom.mark is None:
        return _("{who} puts {amount} in the middle")
    if due.who.mark is None:
        return _("{whom} gets {amount} from the middle")
    return _("{who} pays {whom} {amount}")


def _forfeits(screen: EveningScreen) -> Iterator[str]:
    if screen.forfeits:
        yield from ("", _("Forfeits owed"))
        for owed in screen.forfeits:
            yield "  " + _labelled(owed.who.name, f"{owed.what} ({owed.game})")


def _games_won(screen: EveningScreen) -> Iterator[str]:
    if screen.won:
        yield from ("", _("Games won"))
        for won in screen.won:
            yield "  " + _labelled(won.game, won.who)


def _ledger(screen: EveningScreen) -> Iterator[str]:
    heads = [person.name for person in screen.people] + ([_("the middle")] if screen.pot else [])
    rows: list[GameRow | SumRow] = [*screen.games, *screen.sums]
    for row in rows:
        chips = ", ".join(f"{name} {won}" for name, won in zip(heads, row.chips, strict=True))
        yield "  " + _labelled(row.title, chips)
    if screen.carried:
        yield "  " + _labelled(_("In the pot or carried over"), screen.carried)


def as_csv(table: Table, address: str, before: int | None = None) -> str:
    """Every payment, one per line, in the reader's language. Bank, pot and middle begin with a colon, as no name does.

    Of very many payments the newest ones; then the first line has the address of the older ones.
    """
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow((_("game"), _("round"), _("entry"), _("who"), _("whom"), _("chips"), _("why")))
    nobody = {FROM_BANK: _("bank"), ":pot": _("pot"), IN_THE_MIDDLE: _("middle"), ":front": _("ante")}
    named = {party: f":{word}" for party, word in nobody.items()}
    lines, older = newest_page(table, MOST_PAYMENTS, before)
    if older is not None:
        write.writerow(
            ("",) * 6
            + (_("Older payments are in another file: {address}").format(address=f"{address}?before={older}"),)
        )
    for line in reversed(lines):
        who, whom = (named.get(line.who) or no_formula(line.who)), (named.get(line.whom) or no_formula(line.whom))
        write.writerow((line.game, line.round, line.number, who, whom, line.amount, no_formula(translate(line.why))))
    return "\ufeff" + out.getvalue()


def no_formula(cell: str) -> str:
    """The cell as text, so that a spreadsheet does not run it as a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


@blueprint.get("/evening.txt")
def text(table_id: str) -> ResponseReturnValue:
    """The evening as text, to be shared."""
    return Response(
        as_text(evening_wanted(table_id, request.args.get("by") == "game")), content_type="text/plain; charset=utf-8"
    )


@blueprint.get("/evening.csv")
def every_payment(table_id: str) -> ResponseReturnValue:
    """Every payment, for a spreadsheet."""
    table, _dealer = load_for_phone(table_id)
    before = whole(request.args.get("before", ""))
    address = url_for("downloads.every_payment", _external=True)
    with slow().turn(table.head.number):
        payments = as_csv(table, address, before)
    return download(table_id, payments, "csv", "text/csv")


@blueprint.get("/record")
def record(table_id: str) -> ResponseReturnValue:
    """The table as a text file."""
    table, _dealer = load_for_phone(table_id)
    with slow().turn(table.head.number):
        text = table.record()
    return download(table_id, text, "txt", "text/plain")


def download(table_id: str, text: str, end: str, kind: str) -> Response:
    """A text that the browser saves as a file."""
    answer = Response(text, content_type=f"{kind}; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="fifty-five-{table_id[:6]}.{end}"'
    return answer
