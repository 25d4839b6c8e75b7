"""A table as JSON: its state for programs, and its rows as a phone keeps and sends them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, TypeGuard

from flask import Response, g, has_request_context, request

from companion.engine.notation import MOST_SEATS
from companion.engine.sentence import EntryError, InvalidEntry, say
from companion.store import DamagedTable, Row
from companion.table.change import Change
from companion.table.table import Table
from companion.web.i18n import translate

from .forms import SHORTEST_PROOF, client_id

MOST_ROWS = 100  # in one call
MOST_ENTRIES = 5_000  # in one row
LONGEST_HEADER = 2_000  # the phone fetches a longer row: not every proxy passes it on
AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", re.ASCII)
# For each kind of change: the least and the most entries, and whether it names an entry of the log.
SHAPES: dict[str, tuple[int, int, bool]] = {
    "open": (1, MOST_ENTRIES, False),
    "enter": (1, MOST_ENTRIES, False),
    "amend": (1, 1, True),
    "amend round": (1, 1, True),
    "insert": (1, MOST_SEATS, True),  # new names in mid-round
    "remove": (0, 0, True),
    "cut": (0, 0, True),
    "undo": (0, 0, False),
    "redo": (0, 0, False),
}


def state_of(table: Table, table_id: str | None = None) -> dict[str, Any]:
    """The state of a table for the API."""
    known = {"table": table_id or (request.view_args or {}).get("table_id")}
    state = {**known, **table.report()}
    outcome = table.state.outcome
    if outcome is not None:
        state["outcome"]["reason"] = translate(outcome.reason)
    return state


def row_as_json(row: Row) -> dict[str, Any]:
    """A row as a phone keeps it."""
    return {
        "number": row.number,
        "kind": row.change.kind,
        "entries": list(row.change.entries),
        "entry": row.change.number,
        "client": row.client,
        "at": row.at,
    }


# -- rows from a phone


def read_rows(given: Any) -> list[Row]:
    """Parse a list of consecutive rows, or refuse it."""
    if not isinstance(given, list) or len(given) > MOST_ROWS:
        raise _unusable("rows")
    rows = [_read_row(row) for row in given]
    if any(row.number != rows[0].number + place for place, row in enumerate(rows)):
        raise _unusable("number")
    return rows


def _read_row(raw: Any) -> Row:
    if not isinstance(raw, dict):
        raise _unusable("rows")
    number, kind, at = raw.get("number"), raw.get("kind"), raw.get("at")
    if not _is_whole(number) or number < 1 or (number == 1) != (kind == "open"):
        raise _unusable("number")
    if not isinstance(at, str) or not is_time(at):
        raise _unusable("at")
    return Row(number, _read_change(kind, raw.get("entries"), raw.get("entry")), at, _read_client(raw))


def _read_change(kind: Any, entries: Any, entry: Any) -> Change:
    """A change with the right shape for its kind. Whether it is legal is checked by the table."""
    if not isinstance(kind, str) or kind not in SHAPES:
        raise _unusable("kind")
    least, most, names_entry = SHAPES[kind]
    if not isinstance(entries, list) or not least <= len(entries) <= most:
        raise _unusable("entries")
    if not all(isinstance(text, str) for text in entries):
        raise _unusable("entries")
    if (entry is not None) != names_entry or not (entry is None or _is_whole(entry)):
        raise _unusable("entry")
    return Change(kind, tuple(entries), entry)  # type: ignore[arg-type]


def _read_client(raw: dict[str, Any]) -> str:
    """The client id of a row. It is required: without one, a resend would be entered twice."""
    client = client_id(raw["client"]) if isinstance(raw.get("client"), str) else None
    if client is None or (raw["number"] == 1 and len(client) < SHORTEST_PROOF):
        raise _unusable("client")
    return client


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9


def is_time(at: str) -> bool:
    """True for a valid timestamp in our format."""
    with suppress(ValueError):
        return bool(AT.fullmatch(at) and datetime.fromisoformat(at))
    return False


def _unusable(name: str) -> InvalidEntry:
    return InvalidEntry(say("The field “{name}” is missing or invalid.", name=name))


@contextmanager
def damage_named() -> Iterator[None]:
    """Turn errors of a replay into `DamagedTable`: rows that were accepted once must replay."""
    try:
        yield
    except (EntryError, ValueError) as error:
        raise DamagedTable(str(error)) from error


# -- the row that a request wrote


def note_written(row: Row | None) -> None:
    """Add the row to the answer, so that the phone's copy of the table is as new as its screen."""
    if has_request_context():
        g.written = row


def send_written(answer: Response) -> Response:
    """Put the row that this request wrote into a header."""
    row: Row | None = g.get("written")
    if row is not None:
        header = json.dumps(row_as_json(row))
        if len(header) <= LONGEST_HEADER:
            answer.headers["X-Row"] = header
    return answer
