"""What every page of a table has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from companion.table.table import Table


@dataclass(frozen=True)
class Screen:
    """What every page of a table has."""

    table_id: str
    version: int
    dealer: bool
    title: str


class CommonFields(TypedDict):
    """The fields of a `Screen`, to be filled in at once."""

    table_id: str
    version: int
    dealer: bool
    title: str


def common(table: Table, table_id: str, dealer: bool, title: str) -> CommonFields:
    """The fields that every page of a table has."""
    return {"table_id": table_id, "version": table.version, "dealer": dealer, "title": title}
