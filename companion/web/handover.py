"""Other phones: the table's code, the connection, handing the deal over, taking it, passing the table on."""

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
from companion.web.dealing import CannotTake, secret_of
from companion.web.files import fragment_of
from companion.web.format import grouped
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.pages import Screen, common, draw_page, wants_fragment
from companion.web.phones import dealers_secret, own_secret, remember_dealer, this_phone, who_am_i
from companion.web.slow import slow
from companion.web.table import load_for_phone, show_board
from companion.web.tables import tables

blueprint = Blueprint("handover", __name__, url_prefix=A_TABLE)

A_DAY = 86_400  # seconds
ASK_NO_MORE = 286  # htmx swaps the answer and stops polling


@blueprint.get("/others")
def others(table_id: str) -> ResponseReturnValue:
    """What another phone can do: follow, deal, or get a copy."""
    table, dealer = load_for_phone(table_id)
    return draw_page("handover/others", Screen(**common(table, table_id, dealer, _("Other phones"))))


@blueprint.get("/code")
def code(table_id: str) -> ResponseReturnValue:
    """The table's address as a QR code."""
    _table, dealer = load_for_phone(table_id)
    address = url_for("table.show", _external=True)
    return render_template(
        "handover/code.html",
        address=address,
        qr=qr_path(address),
        here_only=is_here_only(),
        code=grouped(table_id),
        dealer=dealer,
        recovery=recovery_code(table_id) if dealer or who_am_i(table_id) else "",
    )


@blueprint.get("/code.svg")
def code_picture(table_id: str) -> ResponseReturnValue:
    """The same QR code as a picture: a television shows it."""
    tables().dealing.standing(table_id)
    picture = render_template("handover/code.svg", qr=qr_path(url_for("table.show", _external=True)))
    answer = Response(picture, mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = f"private, max-age={A_DAY}"
    return answer


def is_here_only() -> bool:
    """Whether the page was opened by an address that works on this device only, such as localhost."""
    return request.host.startswith(("localhost", "127.", "[::1]"))


def recovery_code(table_id: str) -> str:
    """The recovery code in groups, for the dealer and for phones that have chosen a seat."""
    return grouped(tables().dealing.recovery_code(table_id))


class Code(NamedTuple):
    """A QR code as one path, and its width in squares."""

    size: int
    path: str


def qr_path(address: str, error: str = "m") -> Code:
    """The QR code of an address; each run of dark squares is one piece of the path."""
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
    """The page to offer the deal. It polls until another phone has taken it."""
    look = tables().look(table_id, dealers_secret(table_id))
    dealer, offered = look.dealer, look.offered
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
    """Offer the deal to every phone that watches or scans the code, or take the offer back."""
    dealing, secret = tables().dealing, dealers_secret(table_id)
    if request.form.get("withdraw"):
        dealing.withdraw(table_id, secret)
    else:
        dealing.offer(table_id, secret)
    return redirect(url_for("handover.offer"), 303)


@blueprint.get("/deals")
def deals(table_id: str) -> ResponseReturnValue:
    """The dealer's board polls whether it still deals. If not, it gets the watchers' board and stops polling."""
    look = tables().look(table_id, dealers_secret(table_id))
    if not wants_fragment():
        return redirect(url_for("table.show"), 303)
    if look.dealer:
        return Response(status=204)
    table = tables().load_as_of(table_id, look.standing)
    return show_board(table_id, table, False, Message(_("Another phone deals here now.")), ASK_NO_MORE)


@blueprint.route("/take", methods=["GET", "POST"])
def take(table_id: str) -> ResponseReturnValue:
    """Take the deal: with one tap if it is offered, else with the recovery code."""
    standing, dealer, offered, me = tables().look(table_id, dealers_secret(table_id), this_phone())
    if dealer:
        return redirect(url_for("table.show"), 303)
    if request.method == "GET":
        return take_page(table_id, offered, me)
    try:
        tables().dealing.take(table_id, secret_of(own_secret(), table_id), request.form.get("recovery"))
    except CannotTake as refusal:
        message = translate(refusal.sentence)
        if wants_fragment():
            table = tables().load_as_of(table_id, standing)
            return show_board(table_id, table, False, Message(message), refusal.status)
        return take_page(table_id, False, me, message), refusal.status
    remember_dealer(table_id)
    return redirect(url_for("table.show"), 303)


def take_page(table_id: str, offered: bool, me: str, message: str = "") -> str:
    """The page to take the deal. A phone that has chosen a seat need not type the recovery code."""
    recovery = recovery_code(table_id) if me else ""
    return render_template("handover/take.html", offered=offered, message=message, recovery=recovery)


class Word(NamedTuple):
    """A word of the connection bar, and what it means."""

    name: str
    meaning: str


@dataclass(frozen=True)
class ConnectionScreen(Screen):
    refused: str  # why the server did not take the entries of this phone
    words: tuple[Word, ...]


def connection_screen(table: Table, table_id: str, dealer: bool, refused: Mapping[str, Any]) -> ConnectionScreen:
    return ConnectionScreen(**common(table, table_id, dealer, _("Connection")), refused=_why(refused), words=_words())


def _why(refused: Mapping[str, Any]) -> str:
    """Why the server refused rows, in the reader's language. A refusal by the rules keeps the server's sentence."""
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
            _("The connection is slow. Keep going: every entry arrives once, in order."),
        ),
        Word(
            _("on this phone, # to send").replace("#", number),
            _("The server does not answer. Keep going: entries stay on this phone and are sent by themselves later."),
        ),
        Word(_("starting"), _("The app on this phone is starting. Your taps are kept.")),
        Word(
            _("not taken by the server"),
            _("The table went on without this phone: what you entered since then is only here."),
        ),
        Word(
            _("no answer, trying again"),
            _("The server does not answer, and the app is not on this phone yet. Your taps are kept."),
        ),
    )


LONGEST_CODE = 1_700  # characters: cameras cannot read a denser code from a screen


@blueprint.get("/connection")
def connection(table_id: str) -> ResponseReturnValue:
    """The words of the connection bar explained; on a phone that works offline, also what the server refused."""
    table, dealer = load_for_phone(table_id)
    refused = current_app.extensions.get("refused", {}).get(table_id, {})
    return draw_page("table/connection", connection_screen(table, table_id, dealer, refused))


@blueprint.get("/pass-on")
def pass_on(table_id: str) -> ResponseReturnValue:
    """The whole table in a QR code, for a phone that reaches neither this one nor the server."""
    table, _dealer = load_for_phone(table_id)
    with slow().turn(table.head.number):
        address = url_for("importing.read_file", _external=True) + fragment_of(table)
    qr = qr_path(address, "l") if len(address) <= LONGEST_CODE else None
    return render_template("handover/pass_on.html", address=address, qr=qr)
