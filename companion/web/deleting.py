"""Deleting a table for good, after asking its dealer twice."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.web.addresses import A_TABLE
from companion.web.board.screen import marks
from companion.web.dealing import NoSecret, WrongSecret
from companion.web.format import days_ago
from companion.web.i18n import gettext as _
from companion.web.pages import Screen, common
from companion.web.people import Person
from companion.web.phones import dealers_secret
from companion.web.table import load_for_phone
from companion.web.tables import tables

blueprint = Blueprint("deleting", __name__, url_prefix=A_TABLE)


@dataclass(frozen=True)
class Deletion(Screen):
    people: tuple[Person, ...]
    when: str  # it was played last
    entries: int
    sure: bool  # the dealer was asked once


def deletion_screen(table_id: str, sure: bool) -> Deletion:
    table, dealer = load_for_phone(table_id)
    return Deletion(
        **common(table, table_id, dealer, table.state.title or _("The evening")),
        people=tuple(Person(*known) for known in marks(table.state).items()),
        when=days_ago(table.head.at),
        entries=table.head.number,
        sure=sure,
    )


@blueprint.route("/delete", methods=["GET", "POST"])
def delete(table_id: str) -> ResponseReturnValue:
    """Ask the dealer, ask again, then delete the table for everybody."""
    if request.form.get("sure") != "yes":
        return render_template("table/delete.html", screen=deletion_screen(table_id, request.method == "POST"))
    try:
        tables().delete(table_id, dealers_secret(table_id))
    except (NoSecret, WrongSecret):
        return render_template("table/delete.html", screen=deletion_screen(table_id, False)), 403
    return redirect(url_for("evenings.show"), 303)
