"""What every page of a table has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.engine.state import AnyState
from companion.table.table import Table
from companion.web.addresses import TableAddresses, addresses_of

from .board import Mark
from .pieces import marks


@dataclass(frozen=True)
class Screen:
    """What every page of a table has."""

    table_id: str
    version: int
    dealer: bool
    title: str
    state: AnyState
    marks: dict[str, Mark]

    @property
    def at(self) -> TableAddresses:
        """Where the pages of this table are."""
        return addresses_of(self.table_id)


def common(table: Table, table_id: str, dealer: bool, title: str) -> dict[str, Any]:
    return {
        "table_id": table_id,
        "version": table.version,
        "dealer": dealer,
        "title": title,
        "state": table.state,
        "marks": marks(table.state),
    }
