"""What every page of a table has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from companion.table.table import Table
from companion.web.addresses import TableAddresses, addresses_of


@dataclass(frozen=True)
class Screen:
    """What every page of a table has."""

    table_id: str
    version: int
    dealer: bool
    title: str

    @property
    def at(self) -> TableAddresses:
        """Where the pages of this table are."""
        return addresses_of(self.table_id)


class CommonFields(TypedDict):
    """The fields of a `Screen`, to be filled in at once."""

    table_id: str
    version: int
    dealer: bool
    title: str


def common(table: Table, table_id: str, dealer: bool, title: str) -> CommonFields:
    """The fields that every page of a table has."""
    return {"table_id": table_id, "version": table.version, "dealer": dealer, "title": title}
