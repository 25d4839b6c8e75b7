"""What the environment says about how the program runs."""

from __future__ import annotations

import os

from companion.engine.sentence import say
from companion.store import Unusable

NUMBERS = {"PROXIES": "FIFTY_FIVE_PROXIES", "TABLES_PER_HOUR": "FIFTY_FIVE_TABLES_PER_HOUR", "LOG": "FIFTY_FIVE_LOG"}


def settings() -> dict[str, int]:
    """The configuration of the application; what is not said keeps its default."""
    return {key: _number(name) for key, name in NUMBERS.items() if os.environ.get(name)}


def _number(name: str) -> int:
    raw = os.environ[name]
    if not raw.isascii() or not raw.isdigit() or len(raw) > 9:
        raise Unusable(say("{name} must be a number, not “{raw}”.", name=name, raw=raw[:40]))
    return int(raw)
