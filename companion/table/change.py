"""A change of a table, as every caller asks for it and as the store keeps it: one row, one version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["open", "enter", "amend", "amend round", "insert", "remove", "cut", "undo", "redo"]


@dataclass(frozen=True, slots=True)
class Change:
    """A change as it is asked for. `number` is the entry to repair; `entries` are in their text form.

    With `shuffles`, a shuffle that was due is entered just before the first card: a dealt card proves it.
    """

    kind: Kind
    entries: tuple[str, ...] = ()
    number: int | None = None
    shuffles: bool = False
