"""The time, as the rows of the store have it."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from time import time


def now() -> str:
    return later(0)


def later(seconds: float) -> str:
    return _written_out(int(time() + seconds))


@lru_cache(maxsize=16)
def _written_out(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).isoformat(timespec="seconds")
