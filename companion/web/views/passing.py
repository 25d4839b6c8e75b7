"""A table goes on elsewhere: as a table of its own, or on a phone that gets all of it in a code or a link."""

from __future__ import annotations

from flask import current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue

from companion.web.addresses import addresses_of
from companion.web.fragments import draw_page
from companion.web.links import fragment_of
from companion.web.screens.connection import connection_screen
from companion.web.tables import tables

from .arriving import opened
from .handover import qr_path
from .table import blueprint, look

LONGEST_CODE = 1_700  # characters: finer squares are not read from a phone's screen


@blueprint.post("/fork")
def fork(table_id: str) -> ResponseReturnValue:
    """A new table with the live entries of this one, dealt by this phone: for what a server did not take."""
    tables().demand_room(request.remote_addr)
    table, _dealer = look(table_id)
    return opened(table.names, [step.entry for step in table.steps()])


@blueprint.get("/connection")
def connection(table_id: str) -> ResponseReturnValue:
    """What the bar says of the server; on a phone that is its own referee, what the server refused."""
    table, dealer = look(table_id)
    refused = current_app.extensions.get("refused", {}).get(table_id, {})
    return draw_page("table/connection", connection_screen(table, table_id, dealer, refused))


@blueprint.get("/pass-on")
def pass_on(table_id: str) -> ResponseReturnValue:
    """The whole table in a code, for a phone that need not reach this one, nor a server that knows the table."""
    table, _dealer = look(table_id)
    address = url_for("lobby.import_record", _external=True) + fragment_of(table)
    qr = qr_path(address, "l") if len(address) <= LONGEST_CODE else None
    return render_template("handover/pass_on.html", at=addresses_of(table_id), address=address, qr=qr)
