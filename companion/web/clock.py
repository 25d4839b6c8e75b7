"""The time as the rows of the store write it: ISO 8601, UTC, whole seconds."""

from __future__ import annotations

from datetime import UTC, datetime
from time import time


def now() -> str:
    return later(0)


def later(seconds: float) -> str:
    return datetime.fromtimestamp(int(time() + seconds), UTC).isoformat(timespec="seconds")
