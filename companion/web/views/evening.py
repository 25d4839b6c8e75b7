"""The evening: who pays whom, how it went, the ledger; as a page, as text and as CSV."""

from __future__ import annotations

from flask import Response, render_template, request, session
from flask.typing import ResponseReturnValue

from companion.web.evening_files import as_csv, as_text
from companion.web.i18n import gettext as _
from companion.web.screens.evening import Evening, evening_screen
from companion.web.worth import Worth, read_worth

from .table import blueprint, look


@blueprint.get("/evening")
def evening(table_id: str) -> ResponseReturnValue:
    """Who pays whom, how it went, the ledger."""
    screen = evening_wanted(table_id)
    return render_template("table/evening.html", screen=screen), 422 if screen.message else 200


@blueprint.get("/evening.txt")
def evening_text(table_id: str) -> ResponseReturnValue:
    """The same as text, to be shared."""
    return Response(as_text(evening_wanted(table_id)), content_type="text/plain; charset=utf-8")


@blueprint.get("/evening.csv")
def evening_csv(table_id: str) -> ResponseReturnValue:
    """Every payment, for a spreadsheet."""
    table, _dealer = look(table_id)
    return download(as_csv(table), "text/csv", f"fifty-five-{table_id[:6]}.csv")


@blueprint.get("/record")
def record(table_id: str) -> ResponseReturnValue:
    """The table as a text file."""
    table, _dealer = look(table_id)
    return download(table.record(), "text/plain", f"fifty-five-{table_id[:6]}.txt")


def download(text: str, kind: str, name: str) -> Response:
    """A text that the browser keeps as a file."""
    answer = Response(text, content_type=f"{kind}; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def evening_wanted(table_id: str) -> Evening:
    """The evening as the address asks for it, and with what a chip is worth on this phone."""
    table, dealer = look(table_id)
    worth, message = worth_wanted()
    return evening_screen(table, table_id, dealer, worth, request.args.get("by") == "game", message)


def worth_wanted() -> tuple[Worth, str]:
    """What a chip is worth, from the form or as this phone remembers it, and what is wrong with the form."""
    known = session.get("worth")
    before = Worth(*known) if known else Worth()
    if "worth" not in request.args:
        return before, ""
    read = read_worth(request.args["worth"], request.args.get("currency", before.currency))
    if read is None:
        return before, _("A chip is worth more than 0 and at most 1000, with two decimals at most.")
    if read != before:
        session["worth"] = [read.cents, read.currency]
        session.permanent = True
    return read, ""
