"""The settings that come from environment variables."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from companion.bundle import find_bundle
from companion.engine.sentence import say
from companion.store import Unusable

PREFIX = re.compile(r"(/[A-Za-z0-9._~-]*[A-Za-z0-9_~-])+")  # no part is . or .., which a browser would resolve
LONGEST_PREFIX = 100
NUMBERS = {
    "PROXIES": "FIFTY_FIVE_PROXIES",
    "TABLES_PER_HOUR": "FIFTY_FIVE_TABLES_PER_HOUR",
    "LOG": "FIFTY_FIVE_LOG",
}


def settings() -> dict[str, Any]:
    """The application's configuration; a variable that is not set leaves the default."""
    numbers = {key: _number(name) for key, name in NUMBERS.items() if os.environ.get(name)}
    return {**numbers, "BUNDLE": find_bundle(_bundle_folder())}


def _bundle_folder() -> Path | None:
    """The folder with the program for phones, if it is not in its usual place."""
    raw = os.environ.get("FIFTY_FIVE_BUNDLE")
    return Path(raw) if raw else None


def checked_prefix(raw: str) -> str:
    """The path under which everything is served, or a refusal; empty if there is none."""
    if raw and (len(raw) > LONGEST_PREFIX or not PREFIX.fullmatch(raw)):
        raise Unusable(say("A prefix is a path such as /pairs, without a slash at its end, not “{raw}”.", raw=raw[:40]))
    return raw


def _number(name: str) -> int:
    raw = os.environ[name]
    if not raw.isascii() or not raw.isdigit() or len(raw) > 9:
        raise Unusable(say("{name} must be a number, not “{raw}”.", name=name, raw=raw[:40]))
    return int(raw)
