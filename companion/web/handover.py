"""The other phones: the code of the table, the connection, handing the deal over, taking it, passing the table on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import segno
from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.board.screen import Message
from companion.web.dealing import CannotTake
from companion.web.files import fragment_of
from companion.web.format import grouped
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.pages import Screen, common, draw_page, wants_fragment
from companion.web.security import dealers_secret, remember_dealer
from companion.web.table import load_for_phone, show_board, who_am_i
from companion.web.tables import tables

blueprint = Blueprint("handover", __name__, url_prefix=A_TABLE)

ASK_NO_MORE = 286  # htmx swaps such an answer and ends the polling


@blueprint.get("/code")
def code(table_id: str) -> ResponseReturnValue:
    """The table's address, to scan."""
    _table, dealer = load_for_phone(table_id)
    address = url_for("table.show", _external=True)
    return render_template(
        "handover/code.html",
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
def offer(table_id: str) -> ResponseReturnValue:
    """The deal can be offered, and the offer taken back. The page asks whether somebody has taken the deal."""
    _table, dealer, offered = tables().load_with_offer(table_id, dealers_secret(table_id))
    if wants_fragment() and dealer and offered:
        return Response(status=204)
    address = url_for("handover.take", _external=True)
    return render_template(
        "handover/offer.html",
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
    return redirect(url_for("handover.offer"), 303)


@blueprint.get("/deals")
def deals(table_id: str) -> ResponseReturnValue:
    """The dealer's board asks whether it still deals. If not, it is told at once, and asks no more."""
    table, dealer = load_for_phone(table_id)
    if not wants_fragment():
        return redirect(url_for("table.show"), 303)
    if dealer:
        return Response(status=204)
    return show_board(table_id, table, False, Message(_("Another phone deals here now.")), ASK_NO_MORE)


@blueprint.route("/take", methods=["GET", "POST"])
def take(table_id: str) -> ResponseReturnValue:
    """The next dealer's phone: one tap when the deal is offered, else the recovery code."""
    table, dealer, offered = tables().load_with_offer(table_id, dealers_secret(table_id))
    if dealer:
        return redirect(url_for("table.show"), 303)
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
    return redirect(url_for("table.show"), 303)


def take_page(table_id: str, offered: bool, message: str = "") -> str:
    """A phone that said who it is has the recovery code: it need not be typed."""
    recovery = recovery_code(table_id) if who_am_i(table_id) else ""
    return render_template("handover/take.html", offered=offered, message=message, recovery=recovery)


class Word(NamedTuple):
    """A word of the bar, and what it means."""

    name: str
    meaning: str


@dataclass(frozen=True)
class Connection(Screen):
    refused: str  # why the server did not take the entries of this phone
    words: tuple[Word, ...]


def connection_screen(table: Table, table_id: str, dealer: bool, refused: Mapping[str, Any]) -> Connection:
    return Connection(**common(table, table_id, dealer, _("Connection")), refused=_why(refused), words=_words())


def _why(refused: Mapping[str, Any]) -> str:
    """In the reader's language of now. Only what the rules refuse is told in the server's own words."""
    match refused.get("status"):
        case None:
            return ""
        case 401 | 403:
            return _("Another phone deals here now: what you entered since then is only on this phone.")
        case 422:
            return " ".join((refused["message"], _("What you entered since then is only on this phone.")))
    return _("The table went on without this phone: what you entered since then is only here.")


def _words() -> tuple[Word, ...]:
    number = "3"
    return (
        Word(_("live"), _("The server has everything, and the other phones see it.")),
        Word(
            _("sending #…").replace("#", number),
            _("The line is slow. Go on: the server gets every entry once, in order."),
        ),
        Word(
            _("on this phone, # to send").replace("#", number),
            _("The server does not answer. Go on: entries stay on this phone and are sent by themselves later."),
        ),
        Word(_("waking the referee"), _("The referee on this phone is starting. What you tap waits for it.")),
        Word(
            _("not taken by the server"),
            _("The table went on without this phone: what you entered since then is only here."),
        ),
        Word(_("no answer, trying again"), _("Nobody answers, and the referee is not on this phone yet. Taps wait.")),
    )


LONGEST_CODE = 1_700  # characters: finer squares are not read from a phone's screen


@blueprint.get("/connection")
def connection(table_id: str) -> ResponseReturnValue:
    """What the bar says of the server; on a phone that is its own referee, what the server refused."""
    table, dealer = load_for_phone(table_id)
    refused = current_app.extensions.get("refused", {}).get(table_id, {})
    return draw_page("table/connection", connection_screen(table, table_id, dealer, refused))


@blueprint.get("/pass-on")
def pass_on(table_id: str) -> ResponseReturnValue:
    """The whole table in a code, for a phone that need not reach this one, nor a server that knows the table."""
    table, _dealer = load_for_phone(table_id)
    address = url_for("importing.read_file", _external=True) + fragment_of(table)
    qr = qr_path(address, "l") if len(address) <= LONGEST_CODE else None
    return render_template("handover/pass_on.html", address=address, qr=qr)
