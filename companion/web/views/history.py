"""History and repair: every entry, and what another one in its place would change."""

from __future__ import annotations

from flask import redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.engine.sentence import EntryError, InvalidEntry, say
from companion.table.log import Refused
from companion.table.table import Table
from companion.web.addresses import addresses_of
from companion.web.forms import id_of_form, whole
from companion.web.fragments import draw_page, wants_fragment
from companion.web.i18n import gettext as _
from companion.web.i18n import translate
from companion.web.screens.history import history_screen
from companion.web.screens.repair import wanted_repair
from companion.web.security import dealers_secret
from companion.web.tables import Stale, tables

from .table import blueprint, look


@blueprint.get("/history")
def history(table_id: str) -> ResponseReturnValue:
    """Every entry, newest first; one picked for repair; the consequences before they happen."""
    table, dealer = look(table_id)
    return show_history(table_id, table, dealer, request.args.to_dict())


def show_history(
    table_id: str, table: Table, dealer: bool, chosen: dict[str, str], message: str = "", status: int = 200
) -> ResponseReturnValue:
    screen = history_screen(table, table_id, dealer, chosen, message)
    if wants_fragment() and screen.panel:
        # From a key of the panel it is drawn anew in its place; from a line it moves there.
        inside = request.headers.get("HX-Target") == "repair"
        return render_template("table/_repair.html" if inside else "table/_repair_moved.html", screen=screen), status
    return draw_page("table/history", screen), status


@blueprint.post("/repair")
def repair(table_id: str) -> ResponseReturnValue:
    """Apply what the preview showed."""
    form = request.form.to_dict()
    wanted = wanted_repair(form)
    table, dealer = look(table_id)
    if wanted is None:
        return show_history(table_id, table, dealer, form, _("Choose what the entry should be."), 422)
    try:
        version, client = whole(form.get("version", "")), id_of_form(form, wanted)
        if version is None:
            raise InvalidEntry(say("The form is incomplete: reload the page."))
        tables().write(table_id, dealers_secret(table_id), version, wanted, client)
    except Stale as stale:
        return show_history(table_id, stale.table, dealer, {}, _("The table has moved on: nothing was changed."), 409)
    except EntryError as error:
        where = error.at if isinstance(error, Refused) else None
        why = translate(error.sentence)
        if where is not None:
            why = _("Entry {number} would no longer be possible. {why}").format(number=where, why=why)
        return show_history(table_id, table, dealer, form, why, 422)
    return redirect(addresses_of(table_id).board, 303)
