"""Whether the program and its store are there: for whoever watches over them."""

from __future__ import annotations

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from companion.web.addresses import HEALTH
from companion.web.tables import tables

blueprint = Blueprint("health", __name__)


@blueprint.get(HEALTH)
def healthz() -> ResponseReturnValue:
    """200 when the store answers; a store that does not is a 503 like everywhere."""
    tables().store.ping()
    return jsonify({"status": "ok"})
