"""A change of a table, as every caller asks for it and as the store keeps it: one row, one version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["open", "enter", "amend", "amend round", "insert", "remove", "cut", "undo", "redo"]


@dataclass(frozen=True, slots=True)
class Change:
    """What was asked for. `number` is the entry that is repaired; `entries` are in their text form."""

    kind: Kind
    entries: tuple[str, ...] = ()
    number: int | None = None
