"""What a form or an address says, read with care: no number is too long, no id is a story."""

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
DRAWN = "form-"  # how the id of a form begins
SHORTEST_PROOF = 16  # characters of the id by which a phone shows that it opened a table


def whole(raw: str) -> int | None:
    """A number from 0 on; None if it is none."""
    return int(raw) if WHOLE.fullmatch(raw) else None


def client_id(raw: str | None) -> str | None:
    """The caller's own id of a change, so that a resend is applied once."""
    if not raw:
        return None
    if len(raw) > LONGEST_ID or not raw.isprintable():
        raise InvalidEntry(say("The field “{name}” is missing or invalid.", name="id"))
    return raw


def new_form_id() -> str:
    """For the hidden field of a form: what is sent twice, because an answer got lost, is entered once."""
    return f"{DRAWN}{secrets.token_hex(10)}"


def id_of_form(form: Mapping[str, str], wanted: Change) -> str | None:
    """The id of what was chosen in a form. A tap has one of its own. A form sent by the browser has the one it was
    drawn with, and another choice in the same form, by Back, is another change."""
    found = client_id(form.get("id"))
    if found is None or not found.startswith(DRAWN):
        return found
    chosen = repr((wanted.kind, wanted.entries, wanted.number)).encode()
    return f"{found}-{blake2s(chosen, digest_size=4).hexdigest()}"


def id_of_opening(form: Mapping[str, str]) -> str | None:
    """The id drawn with a form that opens a table; one that could be guessed is none."""
    drawn = client_id(form.get("id"))
    return drawn if drawn and len(drawn) >= SHORTEST_PROOF else None


def game_from(game: str, options: Mapping[str, object]) -> Entry:
    """The entry that starts a game, from a form or from JSON."""
    written = {}
    for key, value in options.items():
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise InvalidEntry(say("The field “{name}” is missing or invalid.", name=key))
        if not (key.isascii() and key.isalpha() and key.islower()):
            raise InvalidEntry(say("The field “{name}” is missing or invalid.", name=key))
        written[key] = clean_text(str(value))
    return game_entry(game, written)
