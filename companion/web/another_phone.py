"""My tables on another phone: a code to scan, valid once and for three minutes; and taking the tables back."""

from __future__ import annotations

import secrets
from hashlib import shake_256

from flask import Blueprint, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from companion.store import Invitation, SecretChange
from companion.web.clock import later, now
from companion.web.dealing import fingerprint, id_from, is_ahead, new_secret, secret_of, typed_id
from companion.web.format import grouped
from companion.web.handover import is_here_only, qr_path
from companion.web.i18n import gettext as _
from companion.web.phones import keep_phone, my_tables, own_secret, phone_secret, this_phone
from companion.web.tables import tables

blueprint = Blueprint("another_phone", __name__, url_prefix="/phone")

VALID = 180  # seconds
LONGEST_CODE = 200  # characters of a wrong code that are shown again


@blueprint.get("/another")
def show() -> ResponseReturnValue:
    """The page that explains it, with a button for the code and a field for that of the other phone."""
    own_secret()
    return render_template("phone/another.html")


@blueprint.post("/another")
def invite() -> ResponseReturnValue:
    """Show a new code; the one before is no longer valid."""
    code = typed_id(secrets.token_bytes(32))
    invitation = Invitation(sealed(own_secret(), code), later(VALID))
    tables().store.invite(fingerprint(own_secret()), fingerprint(code), invitation, now())
    address = url_for("another_phone.add", code=code, _external=True)
    return render_template(
        "phone/code.html", code=grouped(code), address=address, qr=qr_path(address), here_only=is_here_only()
    )


@blueprint.route("/add", methods=["GET", "POST"])
def add() -> ResponseReturnValue:
    """The page on the other phone: ask, then use up the code and join the list."""
    code = code_in(request.values.get("code", ""))
    if request.method == "GET":
        own_secret()  # should the answer be lost, its tables are still known by it
        return render_template("phone/add.html", code=code, count=len(my_tables()), message="")
    mine = this_phone()
    if mine:  # of two phones that scan each other's code, one at most may give up its secret
        tables().store.withdraw(mine)
    invitation = tables().store.claim(fingerprint(code))
    if invitation is None or not is_ahead(invitation.until, VALID):
        wrong = _("This code is not valid: it works once, for three minutes. Show a new one on the other phone.")
        shown = code[:LONGEST_CODE]
        return render_template("phone/add.html", code=shown, count=len(my_tables()), message=wrong), 422
    become(unsealed(invitation.sealed, code))
    return redirect(url_for("evenings.show"), 303)


@blueprint.route("/alone", methods=["GET", "POST"])
def be_alone() -> ResponseReturnValue:
    """Give this phone a new secret: every other phone with the old one sees and deals at none of its tables."""
    if request.method == "GET" or "next" not in session:
        # In the cookie before it is used: should the answer be lost, the same form can be sent again.
        session["next"] = new_secret()
        return render_template("phone/alone.html")
    old = own_secret()
    become(session["next"])
    tables().store.forget_list(fingerprint(old))
    session.pop("next")
    return redirect(url_for("evenings.show"), 303)


def become(secret: str) -> None:
    """Go on with another secret, and with the list that it opens. The tables of this phone join it."""
    old = phone_secret()
    if old and old != secret:
        store, mine = tables().store, my_tables()
        store.copy_list(fingerprint(old), fingerprint(secret))
        changes = [
            SecretChange(one.table, *(fingerprint(secret_of(phone, one.table)) for phone in (old, secret)))
            for one in mine
            if one.dealt
        ]
        store.change_secrets(changes, passed_on=True)
    keep_phone(secret)


def link() -> str:
    """The address that a code follows."""
    return url_for("another_phone.add", code="")


def code_in(typed: str) -> str:
    """The code in a typed or scanned text."""
    return id_from(typed.rpartition(link())[2])


def sealed(secret: str, code: str) -> str:
    """The secret, readable only with the code: the server keeps neither. Each code is used for one secret only."""
    return _mixed(secret.encode(), code).hex()


def unsealed(text: str, code: str) -> str:
    return _mixed(bytes.fromhex(text), code).decode()


def _mixed(content: bytes, code: str) -> bytes:
    """The exclusive or of the content and a pad as long as it, made from the code."""
    pad = shake_256(f"list {code}".encode()).digest(len(content))
    return bytes(one ^ other for one, other in zip(content, pad, strict=True))
