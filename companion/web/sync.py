"""Sync with phones that run the program offline: they fetch the rows of a table and send their own."""

from __future__ import annotations

from contextlib import suppress

from flask import Blueprint, jsonify, request, session
from flask.typing import ResponseReturnValue

from companion import __version__
from companion.engine.sentence import EntryError, say
from companion.store import Row
from companion.web.addresses import API
from companion.web.api import BadBody, body, field, texts
from companion.web.dealing import NoSecret, UnknownTable, WrongSecret, matches, new_secret, secret_of
from companion.web.errors import NOT_THE_DEALER, answer, refusal
from companion.web.forms import client_id, whole
from companion.web.phones import dealers_secret, keep_phone, my_tables, own_secret, phone_secret, remember_dealer
from companion.web.rows import note_written, read_rows, row_as_json
from companion.web.slow import slow
from companion.web.tables import Stale, tables

blueprint = Blueprint("sync", __name__, url_prefix=API)

# Settings in the session cookie that the program on the phone should have, too.
SETTINGS = ("language", "theme", "thumb", "people", "setup", "worth")


@blueprint.get("/tables/<table_id>/rows")
def rows(table_id: str) -> ResponseReturnValue:
    """The rows after a version. Only the dealer sees their client ids: the first one proves who opened the table."""
    secret, store = dealers_secret(table_id), tables().store
    standing = tables().dealing.standing(table_id)
    dealer = secret is not None and matches(secret, standing.secret)
    after = whole(request.args.get("after", "")) or 0
    with slow().turn(standing.version - after):
        found = [row_as_json(row) for row in store.rows(table_id, after)]
    return jsonify(
        {
            "engine": __version__,
            "names": store.names(table_id),
            "version": found[-1]["number"] if found else standing.version,
            "dealer": dealer,
            "session": settings_here(),
            "rows": found if dealer else [{**row, "client": None} for row in found],
        }
    )


def settings_here() -> dict[str, object]:
    """The settings of this phone, and the seats that were chosen on it."""
    seats = {one.table: one.seat for one in my_tables() if one.seat}
    settings = {name: session[name] for name in SETTINGS if name in session}
    return {**settings, "me": seats} if seats else settings


@blueprint.post("/tables/<table_id>/rows")
def take_rows(table_id: str) -> ResponseReturnValue:
    """Take the rows that a phone wrote, in order, each once. A table opened offline is opened here under its id."""
    secret = dealers_secret(table_id)
    try:
        version = tables().dealing.authorise(table_id, secret).version
    except UnknownTable:
        secret, version = adopted(table_id), 1
    except (NoSecret, WrongSecret):
        proven = secret_of_opener(table_id)
        if proven is None:
            raise
        secret, version = proven, 1
    wanted = read_rows(body().get("rows"))
    for taken, row in enumerate(wanted):
        try:
            version = take(table_id, secret, row)
        except Stale:
            return answer(409, say("The table has moved on."), number=row.number, taken=taken)
        except WrongSecret:  # another phone has taken the deal in between
            return answer(403, NOT_THE_DEALER, number=row.number, taken=taken)
        except EntryError as error:
            code, _more = refusal(error)
            return answer(422, error.sentence, code, number=row.number, taken=taken)
    return jsonify({"engine": __version__, "version": version, "taken": len(wanted)})


def take(table_id: str, secret: str | None, row: Row) -> int:
    """Enter one row as if it had been tapped here. Returns the version of the table after it."""
    if row.change.kind != "open":
        table = tables().write(table_id, secret, row.number - 1, row.change, row.client, row.at)
        note_written(None)  # the phone has the row already
        return table.version
    standing = tables().dealing.standing(table_id, row.client)
    if not standing.seen:
        raise Stale(tables().load(table_id))
    return standing.version


def adopted(table_id: str) -> str:
    """Open a table that is unknown here for the phone that opened it offline. Returns the dealer's secret."""
    given = body()
    wanted = read_rows(given.get("rows"))
    if not wanted or wanted[0].change.kind != "open":
        raise UnknownTable(table_id)
    secret = tables().adopt(table_id, texts(given, "names"), wanted[0], request.remote_addr, own_secret())
    remember_dealer(table_id)
    return secret


def secret_of_opener(table_id: str) -> str | None:
    """The dealer's secret for a phone that lost it but knows the client id of the opening; else None."""
    with suppress(EntryError, BadBody):
        given = body()
        first = read_rows(given.get("rows"))[:1]
        client = first[0].client if first and first[0].number == 1 else client_id(field(given, "opening", str))
        phone = phone_secret() or new_secret()
        if client and tables().dealing.reopen(table_id, client, secret_of(phone, table_id)):
            keep_phone(phone)
            remember_dealer(table_id)
            return secret_of(phone, table_id)
    return None
