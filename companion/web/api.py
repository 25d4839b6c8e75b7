"""The JSON API: everything a program can do with a table."""

from __future__ import annotations

import json
import re
from typing import Any

from flask import Blueprint, Response, jsonify, request
from flask.typing import ResponseReturnValue

from companion.engine.notation import Entry, clean_name
from companion.engine.sentence import EntryError, InvalidEntry, say
from companion.table import lookup
from companion.table.change import Change, Kind
from companion.table.table import Table
from companion.web.addresses import API
from companion.web.coaching import coaching
from companion.web.errors import answer
from companion.web.forms import client_id, game_from
from companion.web.i18n import translate
from companion.web.phones import dealers_secret
from companion.web.rows import state_of
from companion.web.tables import tables

blueprint = Blueprint("api", __name__, url_prefix=API)

MOST_AT_ONCE = 5_000
WHOLE = re.compile(r"-?[0-9]{1,6}")
CARD = re.compile(r"[1-9]|10")


class BadBody(Exception):
    """The body is not a JSON object."""


@blueprint.app_errorhandler(BadBody)
def bad_body(error: BadBody) -> ResponseReturnValue:
    return answer(400, say("The body must be a JSON object."))


def body() -> dict[str, Any]:
    try:
        found = json.loads(request.get_data())
    except (ValueError, RecursionError):
        raise BadBody from None
    if not isinstance(found, dict):
        raise BadBody
    return found


def field(given: dict[str, Any], name: str, kind: type, default: Any = None) -> Any:
    """A field of the body; `InvalidEntry` if it is missing or of another type."""
    value = given.get(name, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InvalidEntry(say("The field “{name}” is missing or invalid.", name=name))
    return value


def texts(given: dict[str, Any], name: str) -> tuple[str, ...]:
    values = field(given, name, list)
    if not values or len(values) > MOST_AT_ONCE or not all(isinstance(value, str) for value in values):
        raise InvalidEntry(say("The field “{name}” is missing or invalid.", name=name))
    return tuple(values)


# -- tables


@blueprint.post("/tables")
def create() -> ResponseReturnValue:
    """A new table."""
    given = body()
    names = [clean_name(name) for name in texts(given, "seats")]
    entry = game_from(field(given, "game", str), field(given, "options", dict, {}))
    return _created(names, [entry])


@blueprint.post("/tables/import")
def import_record() -> ResponseReturnValue:
    """A table from its record."""
    read = tables().read_record(field(body(), "record", str), request.remote_addr)
    return _created(read.names, [step.entry for step in read.steps()])


def _created(names: Any, entries: list[Entry]) -> ResponseReturnValue:
    try:
        table_id, secret, table = tables().create(names, entries, request.remote_addr)
    except EntryError as error:
        # The entries come from fields of the body: whatever is wrong with them, the field is invalid.
        raise InvalidEntry(error.sentence) from error
    return jsonify({"table": table_id, "dealer": secret, "state": state_of(table, table_id)}), 201


@blueprint.get("/tables/<table_id>")
def read(table_id: str) -> ResponseReturnValue:
    """The state, or 304 if the caller has it."""
    table = tables().load(table_id)
    return as_of(table, state_of(table))


@blueprint.delete("/tables/<table_id>")
def delete(table_id: str) -> ResponseReturnValue:
    """Delete a table for good."""
    tables().delete(table_id, dealers_secret(table_id))
    return Response(status=204)


def as_of(table: Table, content: dict[str, Any]) -> ResponseReturnValue:
    """An answer that is valid until the table changes."""
    found = jsonify(content)
    found.set_etag(str(table.version))
    found.headers["Cache-Control"] = "no-cache"
    return found.make_conditional(request)


@blueprint.get("/tables/<table_id>/coach")
def coach(table_id: str) -> ResponseReturnValue:
    """What each choice of the player to act is worth; null if nothing can or may be said."""
    table = tables().load(table_id)
    advice = coaching().advice(table_id, table)
    return as_of(table, {"version": table.version, "coach": advice and advice.report()})


@blueprint.get("/tables/<table_id>/luck")
def luck(table_id: str) -> ResponseReturnValue:
    """Luck and skill of the games that are over."""
    table = tables().load(table_id)
    found = coaching().luck(table)
    if found is None:
        return as_of(table, {"version": table.version, "luck": None})
    answer = {"version": table.version, **found}
    return jsonify(answer) if "judged" in found else as_of(table, answer)


@blueprint.get("/tables/<table_id>/log")
def log(table_id: str) -> ResponseReturnValue:
    """The live entries."""
    table = tables().load(table_id)
    return jsonify(log_of(table))


def log_of(table: Table) -> dict[str, Any]:
    """The live entries as a program reads them."""
    entries = [
        {
            "n": step.number,
            "entry": str(step.entry),
            "seat": step.seat,
            "round": step.round,
            "at": step.at,
            "repaired": step.repaired,
        }
        for step in table.steps()
    ]
    return {"version": table.version, "entries": entries}


# -- changes


def write(table_id: str, change: Change, given: dict[str, Any]) -> ResponseReturnValue:
    version = field(given, "version", int)
    client = client_id(field(given, "id", str)) if given.get("id") is not None else None
    if client is None and given.get("id") is not None:
        raise InvalidEntry(say("The field “{name}” is missing or invalid.", name="id"))
    secret = dealers_secret(table_id)
    if request.args.get("preview") == "1":
        after, changes = tables().preview(table_id, secret, version, change)
        return jsonify({"state": state_of(after), "changes": [translate(sentence) for sentence in changes]})
    return jsonify(state_of(tables().write(table_id, secret, version, change, client)))


@blueprint.post("/tables/<table_id>/entries")
def enter(table_id: str) -> ResponseReturnValue:
    """Enter all of the entries, or none."""
    given = body()
    return write(table_id, Change("enter", texts(given, "entries")), given)


@blueprint.post("/tables/<table_id>/undo", defaults={"kind": "undo"})
@blueprint.post("/tables/<table_id>/redo", defaults={"kind": "redo"})
def undo(table_id: str, kind: Kind) -> ResponseReturnValue:
    """Take back the last change, or restore it."""
    return write(table_id, Change(kind), body())


@blueprint.put("/tables/<table_id>/entries/<int:number>", defaults={"kind": "amend"})
@blueprint.post("/tables/<table_id>/entries/<int:number>", defaults={"kind": "insert"})
def repair(table_id: str, number: int, kind: Kind) -> ResponseReturnValue:
    """Replace an entry, or insert one before it."""
    given = body()
    return write(table_id, Change(kind, (field(given, "entry", str),), number), given)


@blueprint.delete("/tables/<table_id>/entries/<int:number>")
def remove(table_id: str, number: int) -> ResponseReturnValue:
    """Remove an entry."""
    return write(table_id, Change("remove", (), number), body())


@blueprint.post("/tables/<table_id>/handover")
def hand_over(table_id: str) -> ResponseReturnValue:
    """A new secret for the next dealer."""
    return jsonify({"dealer": tables().dealing.hand_over(table_id, dealers_secret(table_id))})


# -- look-ups


def number(name: str, default: int | None = None) -> int:
    raw = request.args.get(name)
    if raw is None and default is not None:
        return default
    if raw is None or not WHOLE.fullmatch(raw):
        raise InvalidEntry(say("The field “{name}” is missing or invalid.", name=name))
    return int(raw)


def cards(name: str) -> list[int]:
    raw = request.args.get(name, "")
    values = [part.strip() for part in raw.split(",") if part.strip()]
    if not all(CARD.fullmatch(part) for part in values) or len(values) > 99:
        raise InvalidEntry(say("The field “{name}” is missing or invalid.", name=name))
    return [int(part) for part in values]


def points() -> dict[str, int]:
    found: dict[str, int] = {}
    for part in request.args.get("points", "").split(","):
        name, _, raw = part.rpartition(":")
        if not name.strip() or not WHOLE.fullmatch(raw) or int(raw) < 0:
            raise InvalidEntry(say("The field “{name}” is missing or invalid.", name="points"))
        if clean_name(name) in found:
            raise InvalidEntry(say("The name {name} is taken.", name=clean_name(name)))
        found[clean_name(name)] = int(raw)
    return found


@blueprint.get("/lookup/limit")
def lookup_limit() -> Response:
    return jsonify(lookup.limit(number("players")))


@blueprint.get("/lookup/stakes")
def lookup_stakes() -> Response:
    carried, sum_ = number("carried", 0), number("sum", 6)
    if carried < 0 or sum_ < 1:
        raise InvalidEntry(say("The number cannot be below 0."))
    return jsonify(lookup.stakes(request.args.get("stakes", ""), points(), carried, sum_))


@blueprint.get("/lookup/blackstone")
def lookup_blackstone() -> Response:
    return jsonify(
        lookup.blackstone(number("white"), number("held", 0), number("unseen_white"), number("unseen_black"))
    )


@blueprint.get("/lookup/rocket")
def lookup_rocket() -> Response:
    return jsonify(lookup.rocket(number("bet")))


@blueprint.get("/lookup/odds")
def lookup_odds() -> Response:
    return jsonify(lookup.odds(cards("stack"), cards("seen")))
