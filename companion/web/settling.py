"""Entries about the evening itself: its name, and that everything owed is paid."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from companion.engine.notation import Entry, clean_text
from companion.engine.sentence import EntryError
from companion.table.change import Change
from companion.table.table import Table
from companion.web.addresses import A_TABLE
from companion.web.board.screen import Message
from companion.web.evening import evening_screen, known_worth
from companion.web.i18n import translate
from companion.web.table import FormPage, change, load_for_phone, show_refusal

blueprint = Blueprint("settling", __name__, url_prefix=A_TABLE)


def draw(table: Table, table_id: str, dealer: bool, message: str = "") -> str:
    screen = evening_screen(table, table_id, dealer, known_worth(), message=message)
    return render_template("table/evening.html", screen=screen)


PAGE = FormPage("evening.show", draw)


@blueprint.post("/evening/enter")
def enter(table_id: str) -> ResponseReturnValue:
    """Name the evening, enter that everything owed is paid, or take back the last change; and stay on the page."""
    what = request.form.get("what", "")
    if what == "settled":
        return change(table_id, Change("enter", ("settled",)), PAGE)
    if what == "undo":
        return change(table_id, Change("undo"), PAGE)
    try:
        entry = Entry("title", (clean_text(request.form.get("title", "")),))
    except EntryError as error:
        table, dealer = load_for_phone(table_id)
        return show_refusal(table_id, table, dealer, Message(translate(error.sentence)), 422, PAGE)
    return change(table_id, Change("enter", (str(entry),)), PAGE)
