"""The health check, for monitoring."""

from __future__ import annotations

from flask import Blueprint, jsonify
from flask.typing import ResponseReturnValue

from companion.web.addresses import HEALTH
from companion.web.tables import tables

blueprint = Blueprint("health", __name__)


@blueprint.get(HEALTH)
def healthz() -> ResponseReturnValue:
    """200 if the store answers, else 503."""
    tables().store.ping()
    return jsonify({"status": "ok"})
