"""The other phones: the table's code, handing the deal over, taking it."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

import segno
from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.web.addresses import addresses_of
from companion.web.dealing import CannotTake
from companion.web.format import grouped
from companion.web.fragments import wants_fragment
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.screens.board import Message
from companion.web.security import dealers_secret, remember_dealer
from companion.web.tables import tables

from .table import blueprint, look, show_board, who_am_i

ASK_NO_MORE = 286  # htmx swaps such an answer and ends the polling


@blueprint.get("/code")
def code(table_id: str) -> ResponseReturnValue:
    """The table's address, to scan."""
    _table, dealer = look(table_id)
    address = url_for("table.show", table_id=table_id, _external=True)
    return render_template(
        "handover/code.html",
        at=addresses_of(table_id),
        address=address,
        qr=qr_path(address),
        here_only=is_here_only(),
        code=grouped(table_id),
        recovery=recovery_code(table_id) if dealer or who_am_i(table_id) else "",
    )


def is_here_only() -> bool:
    """Whether the page was opened by an address that leads every other phone to itself."""
    return request.host.startswith(("localhost", "127.", "[::1]"))


def recovery_code(table_id: str) -> str:
    """As it is shown, to the dealer and to phones that said who they are."""
    return grouped(tables().dealing.recovery_code(table_id))


class Code(NamedTuple):
    """A QR code as one path, and how many squares it is wide."""

    size: int
    path: str


def qr_path(address: str, error: str = "m") -> Code:
    """A QR code as one path, a run of dark squares at a time."""
    matrix = segno.make(address, error=error, micro=False, boost_error=error == "m").matrix
    path = []
    for y, line in enumerate(matrix):
        x = 0
        for dark, run in groupby(line):
            length = len(list(run))
            if dark:
                path.append(f"M{x} {y}h{length}v1h-{length}z")
            x += length
    return Code(len(matrix), "".join(path))


@blueprint.get("/handover")
def handover(table_id: str) -> ResponseReturnValue:
    """The deal can be offered, and the offer taken back. The page asks whether somebody has taken the deal."""
    _table, dealer, offered = tables().look_closely(table_id, dealers_secret(table_id))
    if wants_fragment() and dealer and offered:
        return Response(status=204)
    address = url_for("table.take", table_id=table_id, _external=True)
    return render_template(
        "handover/offer.html",
        at=addresses_of(table_id),
        dealer=dealer,
        address=address if offered and dealer else "",
        qr=qr_path(address),
        here_only=is_here_only(),
        recovery=recovery_code(table_id) if dealer else "",
    )


@blueprint.post("/handover")
def hand_over(table_id: str) -> ResponseReturnValue:
    """One tap: the deal is offered to the phones that watch, and to who scans the code."""
    dealing, secret = tables().dealing, dealers_secret(table_id)
    if request.form.get("withdraw"):
        dealing.withdraw(table_id, secret)
    else:
        dealing.offer(table_id, secret)
    return redirect(addresses_of(table_id).offer, 303)


@blueprint.get("/deals")
def deals(table_id: str) -> ResponseReturnValue:
    """The dealer's board asks whether it still deals. If not, it is told at once, and asks no more."""
    table, dealer = look(table_id)
    if not wants_fragment():
        return redirect(addresses_of(table_id).board, 303)
    if dealer:
        return Response(status=204)
    return show_board(table_id, table, False, Message(_("Another phone deals here now.")), ASK_NO_MORE)


@blueprint.route("/take", methods=["GET", "POST"])
def take(table_id: str) -> ResponseReturnValue:
    """The next dealer's phone: one tap when the deal is offered, else the recovery code."""
    table, dealer, offered = tables().look_closely(table_id, dealers_secret(table_id))
    if dealer:
        return redirect(addresses_of(table_id).board, 303)
    if request.method == "GET":
        return take_page(table_id, offered)
    try:
        secret = tables().dealing.take(table_id, request.form.get("recovery"))
    except CannotTake as refusal:
        message = translate(refusal.sentence)
        if wants_fragment():
            return show_board(table_id, table, False, Message(message), refusal.status)
        return take_page(table_id, False, message), refusal.status
    remember_dealer(table_id, secret)
    return redirect(addresses_of(table_id).board, 303)


def take_page(table_id: str, offered: bool, message: str = "") -> str:
    """A phone that said who it is has the recovery code: it need not be typed."""
    recovery = recovery_code(table_id) if who_am_i(table_id) else ""
    return render_template(
        "handover/take.html", at=addresses_of(table_id), offered=offered, message=message, recovery=recovery
    )
