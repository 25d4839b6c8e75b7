"""Logs as lines of JSON. They never hold a name, a secret, or the address of a table."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from hashlib import sha256
from time import perf_counter

from flask import Flask, Response, current_app, g, request


class Json(logging.Formatter):
    """One line per record. Exceptions are logged without their message, which may quote a name."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = type(record.exc_info[1]).__name__
            line["trace"] = [
                f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(record.exc_info[2])
            ]
        return json.dumps(line)


def init_app(app: Flask) -> None:
    """Log errors always, requests if the setting says so."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json())
    app.logger.handlers = [handler]
    if app.config["LOG"]:
        app.logger.setLevel(logging.INFO)
        app.before_request(_start_timer)
        app.after_request(_log_request)


def request_fields() -> dict[str, object]:
    """The fields of a request for the log: the route, not the address, with which anybody could open the table."""
    table = (request.view_args or {}).get("table_id")
    return {
        "method": request.method,
        "route": request.url_rule.rule if request.url_rule else None,
        "table": short_name(str(table)) if table else None,
    }


def short_name(table_id: str) -> str:
    """A short hash that stands for a table in the log."""
    return sha256(table_id.encode("utf-8", "replace")).hexdigest()[:8]


def log_damage(table_id: str) -> None:
    """Log that a table cannot be replayed; `companion check` says more."""
    fields = {**request_fields(), "table": short_name(table_id)}
    current_app.logger.error("a table is damaged", extra={"fields": fields})


def log_refusal(what: str, table_id: str) -> None:
    """Log every refused write or take-over: it may be an attack."""
    fields = {**request_fields(), "table": short_name(table_id)}
    current_app.logger.warning(what, extra={"fields": fields})


def _start_timer() -> None:
    g.started = perf_counter()


def _log_request(answer: Response) -> Response:
    if request.endpoint == "health.healthz":
        return answer  # monitoring asks every few seconds
    took = round((perf_counter() - g.started) * 1_000, 1) if "started" in g else None
    more = {"status": answer.status_code, "ms": took, "bytes": answer.content_length}
    current_app.logger.info("request", extra={"fields": {**request_fields(), **more}})
    return answer
