"""A table goes on elsewhere: as a table of its own."""

from __future__ import annotations

from flask import request
from flask.typing import ResponseReturnValue

from companion.web.tables import tables

from .lobby import opened
from .table import blueprint, look


@blueprint.post("/fork")
def fork(table_id: str) -> ResponseReturnValue:
    """A new table with the live entries of this one, dealt by this phone: for what a server did not take."""
    tables().demand_room(request.remote_addr)
    table, _dealer = look(table_id)
    return opened(table.names, [step.entry for step in table.steps()])
