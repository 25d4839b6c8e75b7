"""Form and query values, with bounds on numbers and ids."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from hashlib import blake2s

from companion.engine.notation import Entry, clean_text, game_entry
from companion.engine.sentence import InvalidEntry, say
from companion.table.change import Change

WHOLE = re.compile(r"[0-9]{1,9}")
LONGEST_ID = 200
DRAWN = "form-"  # the beginning of a form's id
SHORTEST_PROOF = 16  # characters of the client id that proves who opened a table


def whole(raw: str) -> int | None:
    """A non-negative integer, or None."""
    return int(raw) if WHOLE.fullmatch(raw) else None


def client_id(raw: str | None) -> str | None:
    """The caller's id of a change, so that a resend is applied once; None if there is none."""
    if not raw:
        return None
    if len(raw) > LONGEST_ID or not raw.isprintable():
        raise InvalidEntry(say("The field “{name}” is missing or invalid.", name="id"))
    return raw


def new_form_id() -> str:
    """An id for the hidden field of a form, so that a form sent twice is entered once."""
    return f"{DRAWN}{secrets.token_hex(10)}"


def id_of_form(form: Mapping[str, str], wanted: Change) -> str | None:
    """The client id of a change that a form asks for.

    A tap has its own id. A plain form has the id it was rendered with; the change is added to it, because another
    choice in the same form, after Back, is another change.
    """
    found = client_id(form.get("id"))
    if found is None or not found.startswith(DRAWN):
        return found
    chosen = repr((wanted.kind, wanted.entries, wanted.number)).encode()
    return f"{found}-{blake2s(chosen, digest_size=4).hexdigest()}"


def id_of_opening(form: Mapping[str, str]) -> str | None:
    """The client id of a form that opens a table; None if it is short enough to be guessed."""
    drawn = client_id(form.get("id"))
    return drawn if drawn and len(drawn) >= SHORTEST_PROOF else None


def game_from(game: str, options: Mapping[str, object]) -> Entry:
    """The entry that starts a game, from the options of a form or of JSON."""
    written = {}
    for key, value in options.items():
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise InvalidEntry(say("The field “{name}” is missing or invalid.", name=key))
        if not (key.isascii() and key.isalpha() and key.islower()):
            raise InvalidEntry(say("The field “{name}” is missing or invalid.", name=key))
        written[key] = clean_text(str(value))
    return game_entry(game, written)
