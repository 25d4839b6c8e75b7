"""What a form or an address says, read with care: no number is too long, no id is a story."""

from __future__ import annotations

import re

from companion.engine.errors import InvalidEntry
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
        raise InvalidEntry(say("The field “{name}” is missing or cannot be used.", name="id"))
    return raw
