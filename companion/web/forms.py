"""What a form or an address says, read with care: no number is too long, no id is a story."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.engine.errors import InvalidEntry
from companion.engine.notation import Entry, clean_text, game_entry
from companion.engine.sentence import say

WHOLE = re.compile(r"[0-9]{1,9}")
LONGEST_ID = 200


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
