"""A change of a table as the store keeps it and as every caller makes it: one row, one version."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from .engine.play import Games
from .table import Table

Kind = Literal["open", "enter", "amend", "amend round", "insert", "remove", "cut", "undo", "redo"]


@dataclass(frozen=True, slots=True)
class Change:
    """What was asked for. `number` is the entry that is repaired; `entries` are in their text form."""

    kind: Kind
    entries: tuple[str, ...] = ()
    number: int | None = None


def apply(table: Table, change: Change, at: str | None = None) -> Table:
    """The table after the change, or a refusal."""
    match change:
        case Change("enter", entries):
            return table.enter(entries, at)
        case Change("amend", (entry,), int(number)):
            return table.amend(number, entry)
        case Change("amend round", (entry,), int(number)):
            return table.amend(number, entry, drop=True)
        case Change("insert", (entry,), int(number)):
            return table.insert(number, entry)
        case Change("remove", (), int(number)):
            return table.remove(number)
        case Change("cut", (), int(number)):
            return table.cut(number)
        case Change("undo"):
            return table.undo()
        case Change("redo"):
            return table.redo()
    raise ValueError(f"not a change: {change}")


def replay(games: Games, names: Sequence[str], changes: Iterable[tuple[Change, str]]) -> Table:
    """The table that its changes, each with its time, lead to; the first one opens it."""
    (opening, opened), *later = changes
    table = Table.open(games, names, opening.entries, opened)
    for change, at in later:
        table = apply(table, change, at)
    return table
