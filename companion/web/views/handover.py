"""The other phones: the table's code, handing the deal over, taking it."""

from __future__ import annotations

from typing import Any

import segno
from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.web.addresses import addresses_of
from companion.web.dealing import CannotTake
from companion.web.fragments import wants_fragment
from companion.web.i18n import translate
from companion.web.screens.board import Message
from companion.web.security import dealers_secret, remember_dealer
from companion.web.tables import tables

from .table import blueprint, look, show_board


@blueprint.get("/code")
def code(table_id: str) -> ResponseReturnValue:
    """The table's address, to scan."""
    _table, dealer = look(table_id)
    address = url_for("table.show", table_id=table_id, _external=True)
    told = dealer and request.args.get("pin") == "1"
    pin = tables().dealing.pin(table_id) if told else ""
    return render_template(
        "handover/code.html", at=addresses_of(table_id), address=address, qr=qr_path(address), dealer=dealer, pin=pin
    )


def qr_path(address: str) -> dict[str, Any]:
    """A QR code as one path."""
    matrix = segno.make(address, error="m", micro=False).matrix
    path = "".join(f"M{x} {y}h1v1h-1z" for y, line in enumerate(matrix) for x, dark in enumerate(line) if dark)
    return {"size": len(matrix), "path": path}


@blueprint.get("/handover")
def handover(table_id: str) -> ResponseReturnValue:
    """The deal can be offered; the PIN is told to the dealer alone."""
    _table, dealer, offered = tables().look_closely(table_id, dealers_secret(table_id))
    address = url_for("table.take", table_id=table_id, _external=True)
    return render_template(
        "handover/offer.html",
        at=addresses_of(table_id),
        dealer=dealer,
        address=address if offered and dealer else "",
        qr=qr_path(address),
        pin=tables().dealing.pin(table_id) if dealer else "",
    )


@blueprint.post("/handover")
def hand_over(table_id: str) -> ResponseReturnValue:
    """One tap: the deal is offered to the phones that watch, and to who scans the code."""
    tables().dealing.offer(table_id, dealers_secret(table_id))
    return redirect(addresses_of(table_id).offer, 303)


@blueprint.route("/take", methods=["GET", "POST"])
def take(table_id: str) -> ResponseReturnValue:
    """The next dealer's phone: one tap when the deal is offered, else the PIN."""
    table, dealer, offered = tables().look_closely(table_id, dealers_secret(table_id))
    if dealer:
        return redirect(addresses_of(table_id).board, 303)
    if request.method == "GET":
        return render_template("handover/take.html", at=addresses_of(table_id), offered=offered, message="")
    try:
        secret = tables().dealing.take(table_id, request.form.get("pin"))
    except CannotTake as refusal:
        message = translate(refusal.sentence)
        if wants_fragment():
            return show_board(table_id, table, False, Message(message), refusal.status)
        return render_template(
            "handover/take.html", at=addresses_of(table_id), offered=False, message=message
        ), refusal.status
    remember_dealer(table_id, secret)
    return redirect(addresses_of(table_id).board, 303)
