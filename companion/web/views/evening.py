"""The evening: who pays whom, how it went, the ledger; as a page, as text and as CSV."""

from __future__ import annotations

from flask import Response, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.web.evening_files import as_csv, as_text
from companion.web.forms import whole
from companion.web.i18n import gettext as _
from companion.web.screens.evening import Evening, evening_screen
from companion.web.screens.payments import payments_screen
from companion.web.screens.share import picture_of, share_screen
from companion.web.worth import Worth, read_worth

from .table import blueprint, look


@blueprint.get("/evening")
def evening(table_id: str) -> ResponseReturnValue:
    """Who pays whom, how it went, the ledger."""
    return render_template("table/evening.html", screen=evening_wanted(table_id, request.args.get("by") == "game"))


@blueprint.post("/evening")
def set_worth(table_id: str) -> ResponseReturnValue:
    """What a chip is worth, remembered on this phone."""
    by_game = request.form.get("by") == "game"
    worth = read_worth(request.form.get("worth", ""), request.form.get("currency", known_worth().currency))
    if worth is None:
        wrong = _("A chip is worth more than 0 and at most 1000, with two decimals at most.")
        return render_template("table/evening.html", screen=evening_wanted(table_id, by_game, wrong)), 422
    look(table_id)  # only at a table that is there
    session["worth"] = [worth.cents, worth.currency]
    session.permanent = True
    return redirect(url_for("table.evening", table_id=table_id, by="game" if by_game else None), 303)


@blueprint.get("/payments")
def payments(table_id: str) -> ResponseReturnValue:
    """Every payment, or one player's, and why they were made."""
    table, dealer = look(table_id)
    before = whole(request.args.get("before", ""))
    screen = payments_screen(table, table_id, dealer, request.args.get("who", ""), before)
    return render_template("table/payments.html", screen=screen)


@blueprint.get("/share")
def share(table_id: str) -> ResponseReturnValue:
    """A picture and a text for the others, of the game that is over or of the evening."""
    table, dealer = look(table_id)
    of_game = request.args.get("of") == "game"
    address = url_for("table.picture", table_id=table_id, of="game" if of_game else None)
    screen = share_screen(table, table_id, dealer, known_worth(), of_game, address)
    return render_template("share/share.html", screen=screen)


@blueprint.get("/share.svg")
def picture(table_id: str) -> ResponseReturnValue:
    """The picture alone."""
    table, _dealer = look(table_id)
    drawn = picture_of(table, table_id, known_worth(), request.args.get("of") == "game")
    return Response(render_template("share/picture.svg", picture=drawn), content_type="image/svg+xml; charset=utf-8")


@blueprint.get("/evening.txt")
def evening_text(table_id: str) -> ResponseReturnValue:
    """The same as text, to be shared."""
    return Response(
        as_text(evening_wanted(table_id, request.args.get("by") == "game")), content_type="text/plain; charset=utf-8"
    )


@blueprint.get("/evening.csv")
def evening_csv(table_id: str) -> ResponseReturnValue:
    """Every payment, for a spreadsheet."""
    table, _dealer = look(table_id)
    before = whole(request.args.get("before", ""))
    address = url_for("table.evening_csv", table_id=table_id, _external=True)
    return download(table_id, as_csv(table, address, before), "csv", "text/csv")


@blueprint.get("/record")
def record(table_id: str) -> ResponseReturnValue:
    """The table as a text file."""
    table, _dealer = look(table_id)
    return download(table_id, table.record(), "txt", "text/plain")


def download(table_id: str, text: str, end: str, kind: str) -> Response:
    """A text that the browser saves as a file."""
    answer = Response(text, content_type=f"{kind}; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="fifty-five-{table_id[:6]}.{end}"'
    return answer


def evening_wanted(table_id: str, by_game: bool, message: str = "") -> Evening:
    """The evening as the address asks for it, and with what a chip is worth on this phone."""
    table, dealer = look(table_id)
    before = whole(request.args.get("before", ""))
    return evening_screen(table, table_id, dealer, known_worth(), by_game, message, before)


def known_worth() -> Worth:
    """What a chip is worth, as this phone remembers it."""
    known = session.get("worth")
    return Worth(*known) if known else Worth()
