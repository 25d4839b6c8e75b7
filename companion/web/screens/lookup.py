"""A look-up tab: the figures somebody needs in mid-hand, with or without a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.sentence import Sentence
from companion.engine.state import AnyState


class Asked:
    """What the address asks for, read with care."""

    def __init__(self, query: Mapping[str, str]) -> None:
        self._query = query

    def number(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number within bounds; the default for anything else."""
        found = read_number(self._query.get(name, ""))
        return default if found is None else max(least, min(most, found))

    def text(self, name: str) -> str:
        return self._query.get(name, "")

    def has(self, name: str) -> bool:
        return bool(self._query.get(name))


def read_number(raw: str) -> int | None:
    """A whole number of at most six digits; None for anything else."""
    raw = raw.strip()
    return int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 7 else None


@dataclass(frozen=True)
class Lookup:
    """One tab. `figures` makes what its template shows, prefilled from the table it was opened at."""

    tab: str
    title: Sentence
    template: str
    figures: Callable[[Asked, AnyState | None], Any]


@dataclass(frozen=True)
class LookupScreen:
    """A look-up page: its tabs, the one that is open, and what it holds."""

    tabs: tuple[tuple[str, str, bool], ...]  # key, title, whether it is the open one
    tab: str
    template: str
    figures: Any
    table_id: str  # the table it was opened at, or nothing
    message: str = ""
